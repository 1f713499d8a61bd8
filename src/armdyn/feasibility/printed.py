"""Algorithm 1 of [Kvrgic2020] as it is printed, for comparison.

Step 5 cuts the motor torques to their limits; step 6 solves (92), H_a a = u_a - u'_a, for all accelerations,
and gives the new ones to the saturated axes only. The torques that these accelerations take are then not
those of step 5: a motor that was not saturated may exceed its limit. u'_a holds the friction under the load
of the demanded acceleration, so that results change with the cycle time.
"""

from __future__ import annotations

import numpy as np

from armdyn.feasibility.arm import Arm
from armdyn.scalars import Array


def printed_step(arm: Arm, q: Array, qd: Array, demand: Array) -> tuple[Array, Array, Array]:
    """Accelerations of step 6, the torques that these take, and which motors step 5 cut."""
    lower, upper = arm.torque_limits(q, qd)
    asked = arm.torque(q, qd, demand)
    cut = np.clip(asked, lower, upper)
    saturated = np.sign(asked - cut)
    if not saturated.any():
        return demand, asked, saturated
    # (92): H_a a = u_a - u'_a, with u'_a = u_a(demand) - H_a demand
    inertia = arm.motor_mass_matrix(q)
    possible = demand + np.linalg.solve(inertia, cut - asked)
    axes = np.zeros(len(q), dtype=bool)
    axes[np.array(arm.actuators.joints)[saturated != 0]] = True
    a = np.where(axes, possible, demand)
    return a, arm.torque(q, qd, a), saturated

"""What the results of quantities are called where they need names: in functions of other tools."""

from __future__ import annotations

import re
from collections.abc import Mapping

from armdyn.dynamics.fixed_step import STEPS
from armdyn.dynamics.quantities import QUANTITIES
from armdyn.dynamics.quantities.operational_space import RESULTS

_NAMES: Mapping[str, tuple[str, ...]] = {
    "inverse": ("tau",),
    "forward": ("qdd",),
    "forward from rest": ("qdd",),
    "gravity": ("g",),
    "mass_matrix": ("H",),
    "coriolis_matrix": ("C",),
    "pose": ("T",),
    "jacobian": ("J",),
    "task_jacobian_rate": ("Jdot",),
    "regressor": ("Y",),
    "held_regressor": ("Y",),
    "gear_matrix": ("K",),
    "torque_of_motors": ("tau",),
    "torque_of_currents": ("tau",),
    "torque_of_voltages": ("tau",),
    "inverse_derivatives": ("by_q", "by_qd", "by_qdd"),
    "forward_derivatives": ("by_q", "by_qd", "by_tau"),
    "linearisation": ("A", "B"),
    "limited_acceleration": ("acceleration", "motor_torque", "saturated"),
    "motion_in_ways": ("qdd", "taken", "excess"),
    "operational_space": tuple(RESULTS),
} | {f"{integrator} step": ("q_next", "qd_next", "alarm") for integrator in STEPS}
"""As conventions and methods call them; others are called as their quantity, numbered if several."""


def result_names(quantity: str) -> tuple[str, ...]:
    """A name for each of the results of a quantity."""
    own, count = identifier(quantity), len(QUANTITIES[quantity].results)
    plain = (own,) if count == 1 else tuple(f"{own}_{k}" for k in range(1, count + 1))
    return _NAMES.get(quantity, plain)


def identifier(name: str) -> str:
    """A name as other languages allow it: letters, digits and single underscores, a letter first."""
    words = re.sub(r"[^0-9A-Za-z]+", "_", name).strip("_")
    return words if words[:1].isalpha() else f"robot_{words}".strip("_")

"""What `Dynamics` says about the drives: motors and joints, currents and voltages, motor coordinates."""

from __future__ import annotations

from typing import Literal, Unpack

import numpy as np
from numpy.typing import ArrayLike

from armdyn.dynamics.evaluating import Evaluating
from armdyn.dynamics.running import Run, RunAll
from armdyn.scalars import Array

NO_LIMIT = 1e300
"""[N m or N] A torque that no motor gives: what an infinite limit is taken as."""


class DriveMethods(Evaluating):
    """Methods on the drives; `Dynamics` has them all. Arrays (..., drives) have one element per drive."""

    # Motors and joints ----------------------------------------------------------------------

    def gear_matrix(self, q: ArrayLike, **run: Unpack[Run]) -> Array:
        """K(q) = d theta_m/d q: (..., drives, n)."""
        return self._evaluate("gear_matrix", (), run, q=q)

    def motor_position(self, q: ArrayLike, **run: Unpack[Run]) -> Array:
        """theta_m(q): (..., drives) [rad]."""
        return self._evaluate("motor_position", (), run, q=q)

    def motor_velocity(self, q: ArrayLike, qd: ArrayLike, **run: Unpack[Run]) -> Array:
        """K(q) qd: (..., drives) [rad/s]."""
        return self._evaluate("motor_velocity", (), run, q=q, qd=qd)

    def motor_acceleration(self, q: ArrayLike, qd: ArrayLike, qdd: ArrayLike, **run: Unpack[Run]) -> Array:
        """K(q) qdd + K' qd: (..., drives) [rad/s2]."""
        return self._evaluate("motor_acceleration", (), run, q=q, qd=qd, qdd=qdd)

    def motor_torque(self, q: ArrayLike, tau: ArrayLike, **run: Unpack[Run]) -> Array:
        """The motor torques K^-T tau that give the joint torques tau: (..., drives) [N m].

        A robot has these with as many drives as joints; both do the same work ([Szkodny1995] (13)).
        """
        return self._evaluate("motor_torque", (), run, q=q, tau=tau)

    def torque_of_motors(self, q: ArrayLike, motor_torque: ArrayLike, **run: Unpack[Run]) -> Array:
        """The joint torques K^T u_a (..., n) of the motor torques u_a (..., drives). [Szkodny1995] (19)."""
        return self._evaluate("torque_of_motors", (), run, q=q, motor_torque=motor_torque)

    # What the motors can do -----------------------------------------------------------------

    def motor_demand(
        self,
        q: ArrayLike,
        qd: ArrayLike,
        qdd: ArrayLike,
        wrench: ArrayLike | None = None,
        *,
        at: ArrayLike | None = None,
        base: ArrayLike | None = None,
        added: ArrayLike | None = None,
        **run: Unpack[Run],
    ) -> Array:
        """The torques (..., n) that a motion asks of the motors, or of the joints if the robot has no drives.

        The arguments are those of `inverse`.
        """
        return self._evaluate(
            "motor_demand", (), run, q=q, qd=qd, qdd=qdd, wrench=wrench, at=at, base=base, added=added
        )

    def limited_acceleration(
        self,
        q: ArrayLike,
        qd: ArrayLike,
        qdd: ArrayLike,
        lower: ArrayLike,
        upper: ArrayLike,
        wrench: ArrayLike | None = None,
        *,
        at: ArrayLike | None = None,
        base: ArrayLike | None = None,
        **run: Unpack[RunAll],
    ) -> tuple[Array, ...]:
        """What motors with limits make of demanded accelerations.

        Motors that saturate give their limit, the shafts of the others still turn as demanded
        ([Kvrgic2020] Algorithm 1, mended: see `quantities.limited`).

        Args:
            q: (..., n) joint positions [rad or m].
            qd: (..., n) joint velocities.
            qdd: (..., n) joint accelerations that are demanded.
            lower: (..., n) least torque of each motor (of each joint if the robot has no drives); -inf where
                there is no limit.
            upper: (..., n) largest torque; inf where there is no limit.
            wrench: as for `inverse`.
            at: as for `inverse`.
            base: as for `inverse`.
            **run: `out=` (three arrays), `threads=` and `losses=`.

        Returns:
            Accelerations (..., n), motor torques (..., n) between the limits, and (..., n) 1 where a motor
            gives its upper limit, -1 where it gives its lower one, 0 elsewhere. NaN, counted as lost, where
            a lower limit is above the upper one, and where no answer is found: strong friction under load.
        """
        limits = {
            name: np.clip(self._traced.array(name, x), -NO_LIMIT, NO_LIMIT)
            for name, x in (("lower", lower), ("upper", upper))
        }
        given = {"q": q, "qd": qd, "qdd": qdd, **limits}
        return self._results("limited_acceleration", (), run, **given, wrench=wrench, at=at, base=base)

    # Currents and voltages ------------------------------------------------------------------

    def motor_current(self, q: ArrayLike, tau: ArrayLike, **run: Unpack[Run]) -> Array:
        """The currents with which the motors give the joint torques tau: (..., drives) [A].

        With `inverse` this is the inverse problem of the drives: the currents of a motion.
        """
        return self._evaluate("motor_current", (), run, q=q, tau=tau)

    def motor_voltage(self, q: ArrayLike, qd: ArrayLike, tau: ArrayLike, **run: Unpack[Run]) -> Array:
        """The voltages R i + k_e theta_m' of those currents in motion: (..., drives) [V]; no inductance."""
        return self._evaluate("motor_voltage", (), run, q=q, qd=qd, tau=tau)

    def torque_of_currents(self, q: ArrayLike, current: ArrayLike, **run: Unpack[Run]) -> Array:
        """The joint torques (..., n) of motor currents (..., drives) [A].

        With `forward` this is the direct problem of the drives: the accelerations that currents cause.
        """
        return self._evaluate("torque_of_currents", (), run, q=q, current=current)

    def torque_of_voltages(
        self, q: ArrayLike, qd: ArrayLike, voltage: ArrayLike, **run: Unpack[Run]
    ) -> Array:
        """The joint torques (..., n) of motor voltages (..., drives) [V] in motion; no inductance."""
        return self._evaluate("torque_of_voltages", (), run, q=q, qd=qd, voltage=voltage)

    # Dynamics in motor coordinates ----------------------------------------------------------

    def motor_mass_matrix(
        self,
        q: ArrayLike,
        *,
        by: Literal["motor", "joint"] = "motor",
        added: ArrayLike | None = None,
        **run: Unpack[Run],
    ) -> Array:
        """H_a(q): motor torques by accelerations of the motors, K^-T H K^-1: (..., drives, drives).

        by="joint": by accelerations of the joints, K^-T H, the H_a of [Kvrgic2020] (90), power-consistent.
        """
        return self._evaluate("motor_mass_matrix", (by,), run, q=q, added=added)

    def motor_bias(
        self,
        q: ArrayLike,
        qd: ArrayLike,
        wrench: ArrayLike | None = None,
        *,
        by: Literal["motor", "joint"] = "motor",
        at: ArrayLike | None = None,
        base: ArrayLike | None = None,
        added: ArrayLike | None = None,
        **run: Unpack[Run],
    ) -> Array:
        """u'_a(q, qd), the motor torques without acceleration of the motors, no friction: (..., drives).

        by="joint": without acceleration of the joints, K^-T bias; another one where a gear's ratio changes.
        """
        return self._evaluate(
            "motor_bias", (by,), run, q=q, qd=qd, wrench=wrench, at=at, base=base, added=added
        )

    def effective_inertia(
        self,
        q: ArrayLike,
        *,
        others: Literal["locked", "free"] = "locked",
        added: ArrayLike | None = None,
        **run: Unpack[Run],
    ) -> Array:
        """The inertia that each motor feels at its shaft, its own rotor's included: (..., drives) [kg m2].

        others="locked": the other motors hold their shafts, the diagonal element of H_a. others="free":
        the other motors give no torque, 1/(H_a^-1)_ii, which is never more.
        """
        return self._evaluate("effective_inertia", (others,), run, q=q, added=added)

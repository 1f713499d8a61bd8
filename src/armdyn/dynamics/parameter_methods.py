"""What `Dynamics` says of the parameters that torques are linear in."""

from __future__ import annotations

from typing import Literal, Unpack

import numpy as np
from numpy.typing import ArrayLike

from armdyn.dynamics.evaluating import Evaluating
from armdyn.dynamics.running import Run
from armdyn.mechanics.parameters import Parameter
from armdyn.scalars import Array


class ParameterMethods(Evaluating):
    """tau = Y pi; `Dynamics` has all of it."""

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """The p parameters: ten of each body, the inertia of each rotor, friction and offset of each joint.

        A body's count what rides on it: payloads, and rotors that have a mass of their own. A rotor's counts
        for its spin. Friction is left out if this object leaves it out.
        """
        return self._traced.parameters

    @property
    def parameter_values(self) -> Array:
        """The robot's own parameters pi, (p); offsets are zero."""
        return np.array(self._traced.parameter_values)

    def regressor(
        self,
        q: ArrayLike,
        qd: ArrayLike,
        qdd: ArrayLike,
        wrench: ArrayLike | None = None,
        *,
        side: Literal["joint", "motor"] = "joint",
        at: ArrayLike | None = None,
        base: ArrayLike | None = None,
        **run: Unpack[Run],
    ) -> Array:
        """Y of tau = Y pi in motion ([Siciliano2009] (7.81)): (..., n, p), a column for each of `parameters`.

        A row has zeros for bodies that its joint does not carry: block triangular for a chain (7.80). Dry
        friction at rest takes nothing here. A contact is no parameter: tau = Y pi + J^T h. Friction that
        depends on the load scales the columns, as at the robot's own parameters.

        Args:
            q: (..., n) joint positions [rad or m].
            qd: (..., n) joint velocities.
            qdd: (..., n) joint accelerations.
            wrench: as for `inverse`; it matters only where friction depends on the load.
            side: torques of the joints or, K^-T Y, of the motors.
            at: where the wrench acts.
            base: how the base moves, as for `inverse`.
            **run: `out=`, `threads=` and `losses=`.
        """
        given = {"q": q, "qd": qd, "qdd": qdd, "wrench": wrench, "at": at, "base": base}
        return self._evaluate("regressor", (side,), run, **given)

    def held_regressor(
        self,
        q: ArrayLike,
        qd: ArrayLike,
        qdd: ArrayLike,
        *,
        base: ArrayLike | None = None,
        **run: Unpack[Run],
    ) -> Array:
        """Force and moment on what the tool's body holds are this times its ten parameters: (..., 6, 10).

        They are what a sensor between the two measures, at the origin and in the axes of the body's frame.
        The parameters are those of any body: m, m cx, m cy, m cz, Ixx, Ixy, Ixz, Iyy, Iyz, Izz in that
        frame.
        """
        return self._evaluate("held_regressor", (), run, q=q, qd=qd, qdd=qdd, base=base)

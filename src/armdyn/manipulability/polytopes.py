"""Accelerations that real motors can give: the exact polytope at a state."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from armdyn.dynamics import Dynamics
from armdyn.errors import InputError, ShapeError
from armdyn.manipulability.ellipsoids import asked
from armdyn.manipulability.limits import torque_range
from armdyn.manipulability.zonotope import Zonotope


def acceleration_polytope(
    dyn: Dynamics,
    q: ArrayLike,
    qd: ArrayLike | None = None,
    wrench: ArrayLike | None = None,
    *,
    limits: ArrayLike | None = None,
    gravity: bool = True,
    **task: Any,
) -> Zonotope:
    """Every acceleration of a task that torques within limits give at one state, friction left out.

    Args:
        dyn: whose arm it is, with its payload.
        q: (n) joint positions.
        qd: (n) joint velocities; at rest by default. Motors give less the faster they turn.
        wrench: (6) what the tool exerts on its surroundings; nothing by default.
        limits: (n) joint torques, or (2, n) least and largest; by default the envelopes of the motors through
            their gears, or the efforts of the joints.
        gravity: whether it acts.
        **task: `task` ("position" by default), `frame`, `at`, `angles`, `axes` as for `operational_space`.
    """
    state = np.asarray(q, dtype=float)
    rates = np.zeros(dyn.n) if qd is None else np.asarray(qd, dtype=float)
    for name, value in (("q", state), ("qd", rates)):
        if value.shape != (dyn.n,):
            raise ShapeError(name, value.shape, "a polytope is that of one state", f"({dyn.n},)")
        if not np.isfinite(value).all():
            raise InputError(f"{name} is {value.tolist()}, expected finite numbers")
    found = dyn.operational_space(state, rates, wrench, **asked(task))
    if not np.isfinite(found.freed).all():
        raise InputError(f"no acceleration is known here: {found.explained()}")
    able = torque_range(dyn, state, rates, limits)
    carried = found.bias if gravity else found.bias - dyn.gravity(state)
    through = found.freed.T
    return Zonotope(
        found.axes,
        found.drift - through @ carried,
        through @ able.to_joints,
        np.array(able.lower),
        np.array(able.upper),
    )

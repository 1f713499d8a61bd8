"""Accelerations that real motors can give: the exact polytope at a state."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from armdyn.dynamics import Dynamics
from armdyn.errors import InputError
from armdyn.manipulability.ellipsoids import asked
from armdyn.manipulability.limits import torque_range
from armdyn.manipulability.vectors import one_vector
from armdyn.manipulability.zonotope import Zonotope

ONE = "a polytope is that of one state"


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
    state = one_vector("q", q, dyn.n, ONE)
    rates = np.zeros(dyn.n) if qd is None else one_vector("qd", qd, dyn.n, ONE)
    pressed = None if wrench is None else one_vector("wrench", wrench, 6, ONE)
    options = asked(task)
    if options.get("at") is not None:
        options["at"] = one_vector("at", options["at"], 3, ONE)
    found = dyn.operational_space(state, rates, pressed, **options)
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

"""Which quantities there are in C, and what their arguments are called and mean."""

from __future__ import annotations

import re
from collections.abc import Iterable

from armdyn.dynamics import Dynamics
from armdyn.dynamics.fixed_step import STEPS
from armdyn.dynamics.quantities import QUANTITIES
from armdyn.errors import InputError, suggestion
from armdyn.formats.motion_c import UNITS

USUAL = ("inverse", "forward", "gravity", "mass_matrix", "jacobian", "pose")
"""What is exported unless something else is asked for."""
_ITERATED = {"limited_acceleration", "operational_space", "task_jacobian_rate"}
_OF_WAYS = {"stopped_velocity", "motion_in_ways", "friction_gradients"}
_METHODS = [name for name in QUANTITIES if " " not in name and name not in _ITERATED | _OF_WAYS]
NAMES: dict[str, str] = {name: name for name in _METHODS} | {f"{step}_step": f"{step} step" for step in STEPS}
"""Name in C -> quantity. Left out: what iterates beyond its program, and what integrators alone need."""

_DESCRIPTIONS = {
    "forward": "Accelerations that torques cause.",
    "bias": "C qd + g + J^T h: torques of a motion without acceleration, no friction.",
    "gravity": "g(q): torques that hold the arm at rest.",
    "mass_matrix": "The mass matrix H(q).",
    "pose": "T_base_tool: the pose of the tool in the base frame, a 4 x 4 matrix.",
    "jacobian": "The Jacobian of the tool: its velocity, then angular velocity, in base axes by qd.",
    "linearisation": "A and B of the motion near a state x = (q, qd): dx' = A dx + B dtau.",
    **{
        f"{step} step": f"A step in time ({step}): positions, velocities, an alarm above 0 where it fails."
        for step in STEPS
    },
}
_SHAPE = re.compile(r":? \(\.\.\.(?:[^()]|\([^()]*\))*\)")
"""The shape of a batch, (..., n), which a function in C has none of."""
ARGUMENTS = {
    **UNITS,
    "tau_middle": "joint torques in the middle of the step [N m or N]",
    "tau_end": "joint torques at the end of the step [N m or N]",
    "wrench": "force [N] and moment [N m] that the tool exerts on its surroundings, base axes",
    "at": "the point where the wrench acts or that is looked at, in coordinates of its body [m]",
    "base": "velocity, angular velocity, acceleration, angular acceleration of the base, base axes",
    "payload": "mass [kg], centre x y z [m], Ixx Iyy Izz Ixy Ixz Iyz about the centre [kg m2]",
    "current": "motor currents [A]",
    "voltage": "motor voltages [V]",
    "dt": "length of the step [s]",
    "ways": "1 or -1 for each friction point that moves so, 0 for one that sticks",
}
"""What is given, and in which units."""


def checked(names: Iterable[str]) -> tuple[str, ...]:
    """The quantities by the names that they have in C, each once."""
    found: dict[str, None] = {}
    for name in names:
        known = name.strip().replace(" ", "_")
        if known not in NAMES:
            near = suggestion(known, NAMES)
            raise InputError(f'no quantity "{name}" in C; {near}expected some of {", ".join(NAMES)}')
        found[known] = None
    if not found:
        raise InputError(f"no quantities to export, expected some of {', '.join(NAMES)}")
    return tuple(found)


def description(quantity: str) -> str:
    """One sentence on a quantity: that of its method."""
    if quantity in _DESCRIPTIONS:
        return _DESCRIPTIONS[quantity]
    first = (getattr(Dynamics, quantity).__doc__ or "").splitlines()[0]
    return _SHAPE.sub("", first).replace("`", "")

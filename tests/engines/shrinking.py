"""A failing case made small: whatever can go while it still fails, goes.

Bodies, drives and payloads one by one, then places, axes and inertias made plain, then the numbers of the
state. Each step is tried on the robot itself, so that what is left is a robot file that a person can read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from armdyn.errors import ArmdynError
from armdyn.robot import Body, Coupling, Friction, Robot, Tool
from armdyn.spatial import Inertia, Transform
from armdyn.spatial.vector import diagonal
from engines.cases import Case

MOST = 500
"""Cases tried before what is left has to do."""
PLAIN = Inertia(1.0, (0.1, 0.0, 0.0), diagonal(0.1, 0.1, 0.1))


def shrunk(case: Case, fails: Callable[[Case], bool], most: int = MOST) -> Case:
    """The smallest case found that still fails."""
    tried = 0
    while True:
        for simpler in _simpler(case):
            tried += 1
            if tried > most:
                return case
            if fails(simpler):
                case = simpler
                break
        else:
            return case


def _simpler(case: Case) -> Iterator[Case]:
    """Cases with something less, those with much less first."""
    for make in (*_fewer(case), *_plainer(case)):
        try:
            made = make()
        except (ArmdynError, IndexError):  # no such robot: nothing is left, or a name is missing
            continue
        if made is not None:
            yield made


# Less of it -----------------------------------------------------------------------------------


def _fewer(case: Case) -> Iterator[Callable[[], Case | None]]:
    robot = case.robot
    if len(case.q) > 1:
        for k in range(len(case.q)):
            yield lambda k=k: replace(
                case, **{name: getattr(case, name)[k : k + 1] for name in ("q", "qd", "qdd")}
            )
    if robot.drives:
        yield lambda: _with(case, drives=())
    for k in range(len(robot.drives) if len(robot.drives) > 1 else 0):
        yield lambda k=k: _with(case, drives=(*robot.drives[:k], *robot.drives[k + 1 :]))
    if robot.payloads:
        yield lambda: _with(case, payloads=())
    if len(robot.bodies) > 1:
        for k in reversed(range(len(robot.bodies))):
            yield lambda k=k: _without_body(case, robot.bodies[k])


def _with(case: Case, **changed: Any) -> Case:
    robot = replace(case.robot, home=(), **changed)
    motors = case.motors if robot.drives else "none"
    kept = [case.robot.positions[name] for name in robot.joint_names]
    return Case(robot, motors, case.q[:, kept], case.qd[:, kept], case.qdd[:, kept])


def _without_body(case: Case, gone: Body) -> Case:
    """Its children stand where it stood, what it carried and drove is gone, nobody follows it."""
    robot, name = case.robot, gone.name
    bodies = tuple(
        replace(
            body,
            parent=gone.parent if body.parent == name else body.parent,
            joint=replace(body.joint, coupling=_without_joint(body.joint.coupling, gone.joint.name)),
        )
        for body in robot.bodies
        if body.name != name
    )
    drives = tuple(
        replace(drive, coupling=_without_joint(drive.coupling, gone.joint.name) or Coupling())
        for drive in robot.drives
        if drive.joint != gone.joint.name and all(rotor.carrier != name for rotor, _ in drive.rotors)
    )
    payloads = tuple(payload for payload in robot.payloads if payload.body != name)
    tool = robot.tool if robot.tool.body != name else Tool(bodies[-1].name, robot.tool.placement)
    return _with(case, bodies=bodies, drives=drives, payloads=payloads, tool=tool)


def _without_joint(coupling: Coupling | None, joint: str) -> Coupling | None:
    if coupling is None:
        return None
    return replace(coupling, weights=tuple(pair for pair in coupling.weights if pair[0] != joint))


# Plainer --------------------------------------------------------------------------------------


def _plainer(case: Case) -> Iterator[Callable[[], Case | None]]:
    robot = case.robot
    yield lambda: _if_new(case, _with(case, tool=Tool(robot.tool.body)))
    yield lambda: _if_new(case, _with(case, gravity=(0.0, 0.0, 0.0)))
    for k, body in enumerate(robot.bodies):
        for plain in _plainer_bodies(body):
            if plain != body:
                yield lambda k=k, plain=plain: _with(case, bodies=_replaced(robot, k, plain))
    for name in ("q", "qd", "qdd"):
        values = getattr(case, name)
        for k in np.ndindex(values.shape):
            for plain in (0.0, 1.0, round(float(values[k]), 1)):
                if _is_plainer(plain, float(values[k])):
                    yield lambda name=name, k=k, plain=plain: replace(
                        case, **{name: _set(getattr(case, name), k, plain)}
                    )


def _plainer_bodies(body: Body) -> Iterator[Body]:
    joint, nowhere = body.joint, Transform()
    moved = Transform(translation=joint.placement.translation)
    for changed in (
        {"frame": nowhere},
        {"placement": nowhere},
        {"placement": moved},
        {"offset": 0.0},
        {"friction": Friction()},
        {"axis": (0.0, 0.0, 1.0)},
    ):
        yield replace(body, joint=replace(joint, **changed))
    if joint.coupling is not None and len(joint.coupling.weights) > 1:
        yield replace(
            body, joint=replace(joint, coupling=replace(joint.coupling, weights=joint.coupling.weights[:1]))
        )
    if body.inertia != PLAIN:
        yield replace(body, inertia=PLAIN)


def _replaced(robot: Robot, k: int, body: Body) -> tuple[Body, ...]:
    return (*robot.bodies[:k], body, *robot.bodies[k + 1 :])


def _if_new(case: Case, made: Case) -> Case | None:
    return None if made.robot == case.robot else made


def _is_plainer(new: float, old: float) -> bool:
    return new != old and (len(repr(new)), abs(new)) < (len(repr(old)), abs(old))


def _set(values: np.ndarray, k: tuple[int, ...], value: float) -> np.ndarray:
    made = values.copy()
    made[k] = value
    return made

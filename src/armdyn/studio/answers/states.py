"""One robot, one posture: where everything is, what it takes, and postures for poses."""

from __future__ import annotations

from time import perf_counter
from typing import Any

import numpy as np

from armdyn.errors import InputError
from armdyn.robot.limit_notes import joint_limit_notes
from armdyn.scalars import Array
from armdyn.spatial import Transform
from armdyn.studio.answers.abilities import ellipsoid, polytope
from armdyn.studio.answers.commands import commands
from armdyn.studio.clients import Client
from armdyn.studio.messages.answers import Branch, Motor, Reaction, SolveResult, StateResult, ToolPose
from armdyn.studio.messages.requests import RobotRequest, SolveRequest, StateRequest, Want
from armdyn.studio.messages.scene import RobotScene
from armdyn.studio.poses import as_rows, roll_pitch_yaw
from armdyn.studio.robots import Ready
from armdyn.studio.router import Handler, Part
from armdyn.studio.scenes.meshes import Meshes
from armdyn.studio.scenes.scene import scene
from armdyn.studio.scenes.shapes import columns, matrix_of

IN_MATRIX = (4, 4)
AT_ONCE = 2e-3
"""[s] What took less is computed where it is asked for: another thread would take longer to wake."""


async def robot(client: Client, request: RobotRequest) -> RobotScene:
    """A robot as a thing to draw."""
    studio = client.studio

    def made() -> RobotScene:
        ready = studio.robots.ready(request.robot, request.settings)
        found = scene(ready, Meshes(ready.file, studio.folder.root, studio.mesh_signature))
        studio.in_background(lambda: _compiled(ready))
        return found

    return await studio.in_thread(made)


def _compiled(ready: Ready) -> StateResult:
    """What a slider will ask for, so that its first move need not wait."""
    home = tuple(ready.robot.home)
    want: tuple[Want, ...] = ("gravity", "mass_matrix", "motor")
    return state_of(ready, StateRequest(id=0, robot=ready.name, q=home, want=want, settings=ready.settings))


async def state(client: Client, request: StateRequest) -> StateResult:
    """Where everything is, and what it takes."""
    robots = client.studio.robots
    known = robots.kept(request.robot, request.settings)
    if known is not None and known.seconds.get(frozenset(request.want), AT_ONCE) < AT_ONCE:
        return _timed(known, request)
    return await client.studio.in_thread(
        lambda: _timed(robots.ready(request.robot, request.settings), request)
    )


def _timed(ready: Ready, request: StateRequest) -> StateResult:
    """A state, and how long it takes remembered."""
    start = perf_counter()
    found = state_of(ready, request)
    ready.seconds[frozenset(request.want)] = perf_counter() - start
    return found


def state_of(ready: Ready, request: StateRequest) -> StateResult:
    """All that is wanted of one state."""
    dyn, want = ready.dyn, request.want
    q, qd, qdd = (_given(ready, name, getattr(request, name)) for name in ("q", "qd", "qdd"))
    bodies, tool = dyn.body_poses(q), dyn.pose(q)
    torque = dyn.inverse(q, qd, qdd, **ready.contact)
    notes = joint_limit_notes(ready.robot, q.tolist(), qd.tolist(), torque)
    energy = "energy" in want
    return StateResult(
        poses=as_rows(np.concatenate([bodies, tool[None]])).tolist(),
        tool=ToolPose(position=tool[:3, 3].tolist(), rpy=roll_pitch_yaw(tool[:3, :3]), matrix=columns(tool)),
        gravity=dyn.gravity(q).tolist() if "gravity" in want else None,
        mass_matrix=dyn.mass_matrix(q).tolist() if "mass_matrix" in want else None,
        torque=torque.tolist(),
        motor=_motor(ready, q, qd, qdd) if "motor" in want else None,
        jacobian=dyn.jacobian(q).tolist() if "jacobian" in want else None,
        kinetic_energy=float(dyn.kinetic_energy(q, qd)) if energy else None,
        potential_energy=float(dyn.potential_energy(q)) if energy else None,
        ellipsoid=ellipsoid(ready, q, qd, notes) if "ellipsoid" in want else None,
        polytope=polytope(ready, q, qd, notes) if "polytope" in want else None,
        reactions=_reactions(ready, q, qd, qdd, bodies) if "reactions" in want else None,
        warnings=notes,
        commands=commands(ready, request) if "commands" in want else None,
    )


def _given(ready: Ready, name: str, values: tuple[float, ...] | None) -> Array:
    """(n), at rest where nothing is given."""
    n = ready.robot.n
    if values is None:
        return np.zeros(n)
    if len(values) != n:
        raise InputError(f'{name} has {len(values)} values; robot "{ready.robot.name}" has {n} joints')
    return np.array(values)


def _motor(ready: Ready, q: Array, qd: Array, qdd: Array) -> Motor | None:
    """What the motors have to give, null where it is not known what moves the arm."""
    robot, dyn = ready.robot, ready.dyn
    if robot.drives and len(robot.drives) != robot.n:
        return None
    actuators = ready.actuators
    torque: Any = dyn.motor_demand(q, qd, qdd, **ready.contact)
    share = actuators.share(actuators.velocity(dyn, q, qd), torque)
    known = [float(x) if k else None for x, k in zip(share, actuators.known, strict=True)]
    return Motor(names=list(actuators.names), torque=torque.tolist(), share=known)


def _reactions(ready: Ready, q: Array, qd: Array, qdd: Array, bodies: Array) -> list[Reaction]:
    """What each body's parent exerts on it, where its joint is."""
    wrenches = ready.dyn.reactions(q, qd, qdd, axes="base", **ready.contact)
    found: list[Reaction] = []
    for k, (body, wrench) in enumerate(zip(ready.robot.bodies, wrenches, strict=True)):
        at = (bodies[k] @ matrix_of(body.joint.frame.inverse()))[:3, 3]
        found.append(Reaction(body=k, at=at.tolist(), force=wrench[:3].tolist(), moment=wrench[3:].tolist()))
    return found


# Poses ----------------------------------------------------------------------------------------


async def solve(client: Client, request: SolveRequest) -> SolveResult:
    """All postures for a pose."""
    robots = client.studio.robots
    return await client.studio.in_thread(
        lambda: _solved(robots.ready(request.robot, request.settings), request)
    )


def _solved(ready: Ready, request: SolveRequest) -> SolveResult:
    pose, q = _pose(request), _given(ready, "q", request.q)
    found = ready.kinematics.solutions(pose, q)
    allowed = [k for k, each in enumerate(found) if each.within_limits]
    return SolveResult(
        kind=ready.kinematics.kind,
        branches=[
            Branch(
                q=each.q.tolist(), name=each.name, within_limits=each.within_limits, distance=each.distance
            )
            for each in found
        ],
        best=min(allowed, key=lambda k: found[k].distance) if allowed else None,
    )


def _pose(request: SolveRequest) -> Array:
    if request.matrix is not None:
        return np.array(request.matrix).reshape(IN_MATRIX).T
    if request.position is None:
        raise InputError("no pose is given; give position and rpy, or matrix")
    return matrix_of(Transform.of(request.position, request.rpy or (0.0, 0.0, 0.0)))


PART = Part({"robot": Handler(robot), "state": Handler(state), "solve": Handler(solve)})

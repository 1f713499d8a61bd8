"""Random robots and states for the comparison of engines: every number from one seed.

What a robot may have: a tree of turning, sliding and fixed joints at any place, joints that follow others,
locked joints, rotors behind gears, viscous friction, a payload, gravity in any direction. An extreme one has
masses of 1e6 : 1, lengths from a millimetre to a kilometre, bodies as thin as a needle, axes that coincide.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from armdyn.mechanics.tree.motors import MotorModel
from armdyn.robot import BASE, Body, Coupling, Drive, Friction, Joint, Payload, Robot, Rotor, Tool
from armdyn.robot.joint import JointKind
from armdyn.spatial import Inertia, Transform, Vec3
from armdyn.spatial.rotation import from_axis_angle, from_rpy
from armdyn.spatial.vector import matrix, vector

AXES = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0), (0.0, 0.0, -1.0))
KINDS: tuple[JointKind, ...] = ("revolute", "revolute", "prismatic")
MODELS: tuple[MotorModel, ...] = ("exact", "coupled", "reflected")
SMALL, MIDDLE, LARGE = (1, 8), (9, 20), (21, 40)
"""Fewest and most bodies."""


@dataclass(frozen=True)
class Case:
    """A robot under a motor model, and some states of it."""

    robot: Robot
    motors: MotorModel
    q: np.ndarray
    qd: np.ndarray
    qdd: np.ndarray
    """Each (states, n)."""

    @property
    def states(self) -> list[tuple[np.ndarray, np.ndarray, np.ndarray]]:
        """q, qd and qdd of one state after another."""
        return list(zip(self.q, self.qd, self.qdd, strict=True))

    @property
    def is_coupled(self) -> bool:
        """Whether some joint follows others."""
        return any(body.joint.coupling for body in self.robot.bodies)

    @property
    def has_rotors(self) -> bool:
        """Whether the equations see rotors."""
        return self.motors != "none" and bool(self.robot.drives)


def random_case(seed: int, *, extreme: bool = False, sizes: tuple[int, int] = SMALL, states: int = 2) -> Case:
    """The case of a seed; the same in every run."""
    rng = np.random.default_rng([seed, extreme, *sizes])
    robot = _robot(rng, extreme, int(rng.integers(*sizes, endpoint=True)))
    motors: MotorModel = MODELS[rng.integers(3)] if robot.drives else "none"
    if robot.n > 2 and rng.random() < 0.2:
        held: dict[int | str, float] = {str(rng.choice(robot.joint_names)): float(rng.uniform(-1, 1))}
        robot = robot.locked(held)
    q, qd, qdd = rng.uniform(-2, 2, (3, states, robot.n))
    return Case(robot, motors, q, qd, qdd)


# Robots ---------------------------------------------------------------------------------------


def _robot(rng: np.random.Generator, extreme: bool, count: int) -> Robot:
    bodies: list[Body] = []
    free: list[str] = []
    branching = rng.choice([0.0, 0.3, 1.0])
    rubbing = rng.random() < 0.3
    for k in range(count):
        joint = _joint(rng, extreme, k, free, rubbing=rubbing)
        names = [BASE, *(body.name for body in bodies)]
        parent = str(rng.choice(names)) if rng.random() < branching else names[-1]
        bodies.append(Body(f"b{k}", joint, parent, _inertia(rng, extreme)))
        free += [joint.name] if joint.independent else []
    names = [body.name for body in bodies]
    robot = Robot(
        "random",
        tuple(bodies),
        tuple(_drives(rng, free, names)),
        Tool(str(rng.choice(names)), _placement(rng, extreme)),
        gravity=_gravity(rng),
    )
    if rng.random() < 0.3:
        held = _inertia(rng, extreme)
        robot = replace(robot, payloads=(Payload(str(rng.choice(names)), held),))
    return robot


def _joint(rng: np.random.Generator, extreme: bool, k: int, free: list[str], *, rubbing: bool) -> Joint:
    kind: JointKind = KINDS[rng.integers(3)]
    coupling, chance = None, rng.random()
    if k and chance < 0.12:
        leaders = rng.choice(free, min(len(free), int(rng.integers(1, 3))), replace=False)
        weights = {str(name): float(rng.uniform(-2, 2)) for name in leaders}
        coupling = Coupling.of(weights, float(rng.uniform(-1, 1)))
    elif k and chance < 0.24:
        kind = "fixed"
    moves = kind != "fixed"
    return Joint(
        f"j{k}",
        kind,
        AXES[rng.integers(4)] if rng.random() < 0.5 else vector(rng.normal(size=3).tolist()),
        _placement(rng, extreme),
        _placement(rng, extreme) if rng.random() < 0.5 else Transform(),
        float(rng.choice([0.0, np.pi / 2, 0.7])) if moves else 0.0,
        coupling,
        friction=Friction(viscous=float(rng.uniform(0, 3))) if rubbing and moves else Friction(),
    )


def _size(rng: np.random.Generator, extreme: bool, low: float, high: float) -> float:
    """A length or a mass: around one, or anywhere between the two, on a scale of powers."""
    return float(10 ** rng.uniform(np.log10(low), np.log10(high)) if extreme else rng.uniform(0.2, 1.0))


def _placement(rng: np.random.Generator, extreme: bool) -> Transform:
    length = _size(rng, extreme, 1e-3, 1e3) * rng.choice([1.0, 1.0, 1.0, 0.0])
    translation = vector((length * rng.uniform(-1, 1, 3) * (rng.random(3) < 0.7)).tolist())
    match rng.integers(3):
        case 0:
            return Transform(translation=translation)
        case 1:
            turns = (np.pi / 2 * rng.integers(-1, 3, 3)).tolist()
            return Transform(from_rpy(*turns), translation)
        case _:
            axis = vector(rng.normal(size=3).tolist())
            return Transform(from_axis_angle(axis, float(rng.uniform(-3, 3))), translation)


def _inertia(rng: np.random.Generator, extreme: bool) -> Inertia:
    """The inertia of some point masses: physical by construction; if extreme, perhaps a needle or a plate."""
    mass, length = _size(rng, extreme, 1e-3, 1e3), _size(rng, extreme, 1e-3, 1e1)
    shares = rng.uniform(0.2, 1.0, 8)
    shares *= mass / shares.sum()
    flat = np.array([1.0, *(10 ** rng.uniform(-3, 0, 2))]) if extreme else np.ones(3)
    points = length * rng.uniform(-1, 1, (8, 3)) * rng.permutation(flat)
    com = shares @ points / mass
    arms = points - com
    tensor = sum(m * (r @ r * np.eye(3) - np.outer(r, r)) for m, r in zip(shares, arms, strict=True))
    return Inertia(mass, vector(com.tolist()), matrix(np.asarray(tensor).tolist()))


def _drives(rng: np.random.Generator, free: list[str], names: list[str]) -> list[Drive]:
    """Motors behind gears, some of which turn with more joints than their own."""
    if rng.random() < 0.6:
        return []
    drives: list[Drive] = []
    for k, joint in enumerate(free):
        weights = {joint: float(10 ** rng.uniform(0, 2.3)) * float(rng.choice([-1, 1]))}
        if k and rng.random() < 0.3:
            weights[str(rng.choice(free[:k]))] = float(rng.uniform(-10, 10))
        drives.append(Drive(f"m{k}", joint, Coupling.of(weights), _rotor(rng, names)))
    return drives


def _rotor(rng: np.random.Generator, names: list[str]) -> Rotor:
    axial = float(10 ** rng.uniform(-6, -2))
    carrier, place = str(rng.choice([BASE, *names])), _placement(rng, extreme=False)
    return Rotor(axial, 0.7 * axial, float(rng.uniform(0.05, 2)), carrier, place)


def _gravity(rng: np.random.Generator) -> Vec3:
    direction = rng.normal(size=3)
    match rng.integers(4):
        case 0:
            return (0.0, 0.0, -9.81)
        case 1:
            return (0.0, 0.0, 0.0)
        case _:
            return vector((9.81 * direction / np.linalg.norm(direction)).tolist())


# Almost the same ------------------------------------------------------------------------------


def disturbed(case: Case, seed: int, by: float) -> Case:
    """The case with every number moved by about `by`, relative to the vector or matrix it stands in."""
    rng = np.random.default_rng(seed)
    robot = case.robot
    bodies = tuple(
        replace(
            body,
            joint=_moved_joint(rng, body.joint, by),
            inertia=_moved_inertia(rng, body.inertia, by),
            accept_unphysical="disturbed",
        )
        for body in robot.bodies
    )
    drives = tuple(replace(drive, rotor=_moved_rotor(rng, drive.rotor, by)) for drive in robot.drives)
    moved = replace(
        robot,
        bodies=bodies,
        drives=drives,
        payloads=tuple(replace(p, inertia=_scaled(rng, p.inertia, by)) for p in robot.payloads),
        tool=replace(robot.tool, placement=_moved_transform(rng, robot.tool.placement, by)),
        gravity=vector(_moved(rng, np.array(robot.gravity), by).tolist()),
    )
    q, qd, qdd = (_moved_rows(rng, x, by) for x in (case.q, case.qd, case.qdd))
    return Case(moved, case.motors, q, qd, qdd)


def _moved(rng: np.random.Generator, x: np.ndarray, by: float) -> np.ndarray:
    return x + by * np.linalg.norm(x) * rng.uniform(-1, 1, x.shape)


def _moved_rows(rng: np.random.Generator, x: np.ndarray, by: float) -> np.ndarray:
    return x * (1 + by * rng.uniform(-1, 1, x.shape))


def _moved_transform(rng: np.random.Generator, T: Transform, by: float) -> Transform:
    turned = np.array(from_axis_angle(vector(rng.normal(size=3).tolist()), by)) @ np.array(T.rotation, float)
    moved = _moved(rng, np.array(T.translation, float), by)
    return Transform(matrix(turned.tolist()), vector(moved.tolist()))


def _moved_joint(rng: np.random.Generator, joint: Joint, by: float) -> Joint:
    return replace(
        joint,
        axis=vector(_moved(rng, np.array(joint.axis, float), by).tolist()),
        placement=_moved_transform(rng, joint.placement, by),
        frame=_moved_transform(rng, joint.frame, by),
    )


def _moved_inertia(rng: np.random.Generator, inertia: Inertia, by: float) -> Inertia:
    tensor = _moved(rng, np.array(inertia.tensor, float), by)
    com = vector(_moved(rng, np.array(inertia.com, float), by).tolist())
    mass = inertia.mass * (1 + by * rng.uniform(-1, 1))
    return Inertia(mass, com, matrix((0.5 * (tensor + tensor.T)).tolist()))


def _scaled(rng: np.random.Generator, inertia: Inertia, by: float) -> Inertia:
    """What a payload must stay: physical."""
    factor = 1 + by * rng.uniform(-1, 1)
    com = vector(_moved(rng, np.array(inertia.com, float), by).tolist())
    tensor = factor * np.array(inertia.tensor, float)
    return Inertia(factor * inertia.mass, com, matrix(tensor.tolist()))


def _moved_rotor(rng: np.random.Generator, rotor: Rotor | None, by: float) -> Rotor | None:
    if rotor is None or rotor.placement is None:
        return rotor
    factor = 1 + by * rng.uniform(-1, 1)
    place = _moved_transform(rng, rotor.placement, by)
    return replace(rotor, axial=factor * rotor.axial, placement=place)

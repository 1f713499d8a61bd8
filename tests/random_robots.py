"""Random robots for the laws, agreement and oracle tests.

Hypothesis draws the structure, a seeded generator the numbers: a failing example prints both.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from hypothesis import strategies as st

from armdyn.robot import (
    BASE,
    BaseMotion,
    Body,
    Coupling,
    Drive,
    Friction,
    GearStage,
    Joint,
    Robot,
    Rotor,
    ScrewTriangle,
    Tool,
)
from armdyn.robot.joint import JointKind
from armdyn.spatial import Inertia, Transform
from armdyn.spatial.rotation import from_axis_angle, from_rpy
from armdyn.spatial.vector import matrix, vector

AXES = ((1.0, 0.0, 0.0), (0.0, -1.0, 0.0), (0.0, 0.0, 1.0), None)


@dataclass(frozen=True)
class Features:
    """What the random robots may have."""

    bodies: int = 6
    prismatic: bool = True
    branched: bool = True
    fixed: bool = True
    coupled: bool = True
    nonlinear: bool = True
    drives: bool = True
    friction: bool = False
    load: bool = True  # that friction depends on the load
    moving_base: bool = True


EVERYTHING = Features()


@st.composite
def robots(draw: st.DrawFn, features: Features = EVERYTHING) -> Robot:
    """A random tree; the first joint is always independent."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    kinds: list[JointKind] = ["revolute", "prismatic"] if features.prismatic else ["revolute"]
    bodies: list[Body] = []
    free: list[str] = []
    for k in range(draw(st.integers(1, features.bodies))):
        names = [BASE, *(body.name for body in bodies)]
        parent = draw(st.sampled_from(names)) if features.branched else names[-1]
        coupling = _coupling(draw, rng, free, features) if k else None
        fixed = features.fixed and k > 0 and coupling is None and draw(st.integers(0, 4)) == 0
        kind: JointKind = "fixed" if fixed else draw(st.sampled_from(kinds))
        independent = coupling is None and not fixed
        joint = Joint(
            f"j{k}",
            kind,
            _axis(draw, rng),
            _placement(draw, rng),
            _placement(draw, rng),
            draw(st.sampled_from([0.0, np.pi / 2, -np.pi, 0.7])) if not fixed else 0.0,
            coupling,
            friction=_joint_friction(rng, independent, features) if not fixed else Friction(),
        )
        bodies.append(Body(f"b{k}", joint, parent, random_inertia(rng)))
        if independent:
            free.append(joint.name)
    robot = Robot(
        "random",
        tuple(bodies),
        tuple(_drives(draw, rng, free, [b.name for b in bodies], features)),
        Tool(draw(st.sampled_from([b.name for b in bodies])), _placement(draw, rng)),
        gravity=tuple(rng.uniform(-10, 10, 3).tolist()),
        base_motion=_base_motion(rng) if features.moving_base and draw(st.booleans()) else BaseMotion(),
    )
    return robot.with_payload(*_payload(rng)) if draw(st.booleans()) else robot


def states(robot: Robot, seed: int, count: int = 3) -> np.ndarray:
    """Random q, qd, qdd of shape (3, count, n)."""
    return np.random.default_rng(seed).uniform(-2, 2, (3, count, robot.n))


def random_inertia(rng: np.random.Generator) -> Inertia:
    """The inertia of a few point masses: physical by construction."""
    masses = rng.uniform(0.2, 2.0, 5)
    points = rng.uniform(-0.4, 0.4, (5, 3))
    com = masses @ points / masses.sum()
    arms = points - com
    tensor = sum(m * (r @ r * np.eye(3) - np.outer(r, r)) for m, r in zip(masses, arms, strict=True))
    return Inertia(float(masses.sum()), vector(com.tolist()), matrix(np.asarray(tensor).tolist()))


def random_friction(rng: np.random.Generator, *, load: bool = True) -> Friction:
    """Every term at once, or all but that of the load."""
    viscous, coulomb, share = rng.uniform(0.05, 0.4, 3).tolist()
    included = bool(rng.integers(2))
    return Friction(viscous, coulomb, coulomb + 0.1, share if load else 0.0, included)


def _joint_friction(rng: np.random.Generator, independent: bool, features: Features) -> Friction:
    """That of a joint; what loads one that follows others is not known."""
    return random_friction(rng, load=independent and features.load) if features.friction else Friction()


def _motor_friction(rng: np.random.Generator, features: Features) -> Friction:
    """That of a motor; where a gear's ratio may pass zero its load has no bound, and makes no friction."""
    viscous, coulomb, more, load = rng.uniform(0, (0.01, 0.01, 0.01, 0.1)).tolist()
    under_load = not features.nonlinear and features.load
    included = bool(rng.integers(2))
    return Friction(viscous, coulomb, coulomb + more, load if under_load else 0.0, included)


def _axis(draw: st.DrawFn, rng: np.random.Generator) -> Any:
    axis = draw(st.sampled_from(AXES))
    return tuple(rng.normal(size=3).tolist()) if axis is None else axis


def _placement(draw: st.DrawFn, rng: np.random.Generator) -> Transform:
    translation = tuple(rng.uniform(-0.5, 0.5, 3).tolist())
    match draw(st.integers(0, 2)):
        case 0:
            return Transform(translation=translation)
        case 1:
            return Transform(from_rpy(*(np.pi / 2 * rng.integers(-2, 3, 3))), translation)
        case _:
            return Transform(from_axis_angle(tuple(rng.normal(size=3)), rng.uniform(-3, 3)), translation)


def _law(rng: np.random.Generator) -> ScrewTriangle:
    cosine, sine = rng.uniform(-0.02, 0.02, 2).tolist()
    return ScrewTriangle(0.08, cosine, sine, float(rng.uniform(5, 20)), 0.2)


def _coupling(
    draw: st.DrawFn, rng: np.random.Generator, free: list[str], features: Features
) -> Coupling | None:
    choice = draw(st.integers(0, 5))
    if not features.coupled or choice > 1:
        return None
    weights = {name: float(rng.uniform(-1, 1)) for name in draw(st.sets(st.sampled_from(free), min_size=1))}
    law = _law(rng) if choice == 1 and features.nonlinear else None
    return Coupling.of(weights, float(rng.uniform(-1, 1)), law)


def _drives(
    draw: st.DrawFn, rng: np.random.Generator, free: list[str], names: list[str], features: Features
) -> list[Drive]:
    if not features.drives or not draw(st.booleans()):
        return []
    gears = rng.uniform(-3, 3, (len(free), len(free))) * (rng.random((len(free), len(free))) < 0.3)
    gears[np.diag_indices(len(free))] = rng.uniform(5, 20, len(free))
    drives: list[Drive] = []
    for k, joint in enumerate(free):
        row = dict(zip(free, gears[k].tolist(), strict=True))
        law = _law(rng) if features.nonlinear and draw(st.integers(0, 3)) == 0 else None
        if law is not None:
            row = {joint: 1.0}
        drives.append(
            Drive(
                f"m{k}",
                joint,
                Coupling.of(row, 0.0, law),
                _rotor(draw, rng, names),
                (GearStage(_rotor(draw, rng, names), float(rng.uniform(-1, 1))),)
                if draw(st.booleans())
                else (),
                friction=_motor_friction(rng, features) if features.friction else Friction(),
            )
        )
    return drives


def _rotor(draw: st.DrawFn, rng: np.random.Generator, names: list[str]) -> Rotor:
    axial = float(rng.uniform(0.001, 0.01))
    carrier = draw(st.sampled_from([BASE, *names]))
    if draw(st.booleans()):
        return Rotor(axial, None, None, carrier, _placement(draw, rng))
    return Rotor(axial, 0.8 * axial, float(rng.uniform(0.1, 1)), carrier, _placement(draw, rng))


def _base_motion(rng: np.random.Generator) -> BaseMotion:
    return BaseMotion(*(tuple(row) for row in rng.uniform(-2, 2, (4, 3)).tolist()))


def _payload(rng: np.random.Generator) -> tuple[float, tuple[float, ...], tuple[float, ...]]:
    return 1.5, tuple(rng.uniform(-0.2, 0.2, 3).tolist()), (0.02, 0.03, 0.025, 0.001, -0.002, 0.003)

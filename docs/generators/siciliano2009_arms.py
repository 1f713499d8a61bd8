"""The arms of [Siciliano2009] sec. 7.3, their symbols as names, and the states at which they are compared."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache

import numpy as np

import armdyn as ad
from armdyn.mechanics.tree.motors import MotorModel
from armdyn.robot import BASE, Body, Coupling, Drive, Joint, Robot
from armdyn.spatial import Inertia, Transform
from armdyn.spatial.vector import diagonal

G = 9.81
STATES = 20
"""At which every formula is compared with armdyn, on each arm; the first is shown."""
FIRST = ((0.3, -0.8), (1.2, -0.7), (2.0, -1.5))
"""q, qd, qdd of the state that is shown."""


@cache
def states() -> np.ndarray:
    """(state, 3, 2): q, qd, qdd, the same on every machine."""
    drawn = np.random.default_rng(2009).uniform(-2, 2, (STATES, 3, 2))
    drawn[0] = FIRST
    return drawn


@cache
def dynamics(robot: Robot, motors: MotorModel | None = None) -> ad.Dynamics:
    """Without friction, which none of these arms has."""
    return ad.Dynamics(robot, motors, friction=False)


# The planar arm, 7.3.2 ------------------------------------------------------------------------


@dataclass(frozen=True)
class Planar:
    """The two-link planar arm; the values of Example 7.2 unless given."""

    a1: float = 1.0
    a2: float = 1.0
    l1: float = 0.5
    l2: float = 0.5
    m_l1: float = 50.0
    m_l2: float = 50.0
    I_l1: float = 10.0
    I_l2: float = 10.0
    k_r1: float = 100.0
    k_r2: float = 100.0
    m_m1: float = 5.0
    m_m2: float = 5.0
    I_m1: float = 0.01
    I_m2: float = 0.01

    def robot(self) -> Robot:
        """planar2 of the catalog with these values."""
        given = ad.load("planar2")
        bodies = [
            replace(
                body,
                joint=replace(body.joint, frame=Transform(translation=(a, 0.0, 0.0))),
                inertia=Inertia(m, (length - a, 0.0, 0.0), diagonal(0.0, moment, moment)),
            )
            for body, a, length, m, moment in zip(
                given.bodies,
                (self.a1, self.a2),
                (self.l1, self.l2),
                (self.m_l1, self.m_l2),
                (self.I_l1, self.I_l2),
                strict=True,
            )
        ]
        motors = ((self.k_r1, self.m_m1, self.I_m1), (self.k_r2, self.m_m2, self.I_m2))
        drives = [_driven(drive, *motor) for drive, motor in zip(given.drives, motors, strict=True)]
        return replace(given, bodies=tuple(bodies), drives=tuple(drives))


def _driven(drive: Drive, ratio: float, mass: float, axial: float) -> Drive:
    assert drive.rotor is not None
    rotor = replace(drive.rotor, mass=mass, axial=axial)
    return replace(drive, coupling=Coupling.of({drive.joint: ratio}), rotor=rotor)


EXAMPLE = Planar()
"""Of Example 7.2: planar2 of the catalog."""
OTHER = Planar(1.1, 0.9, 0.4, 0.6, 40.0, 30.0, 7.0, 5.0, 90.0, 110.0, 6.0, 4.0, 0.012, 0.008)
"""No two values are equal, so that an exchanged index shows."""
PLANAR = (EXAMPLE, OTHER)


@dataclass(frozen=True)
class Case:
    """A planar arm at a state."""

    arm: Planar
    dyn: ad.Dynamics
    q: np.ndarray
    qd: np.ndarray
    qdd: np.ndarray


@cache
def planar_cases() -> tuple[Case, ...]:
    """Every state of both arms."""
    return tuple(Case(arm, dynamics(arm.robot(), "exact"), *state) for arm in PLANAR for state in states())


# The parallelogram, 7.3.3 ---------------------------------------------------------------------


@dataclass(frozen=True)
class Parallelogram:
    """The parallelogram arm, p for ' and pp for ''; the catalog's values unless given. a_2' = a_1''."""

    a1p: float = 1.0
    a1pp: float = 0.4
    l1p: float = 0.5
    l2p: float = 0.3
    l3p: float = 1.2
    l1pp: float = 0.15
    m1p: float = 20.0
    m2p: float = 12.0
    m3p: float = 15.0
    m1pp: float = 8.0
    I1p: float = 1.7
    I2p: float = 0.9
    I3p: float = 1.3
    I1pp: float = 0.3

    @property
    def lbar3p(self) -> float:
        """Of the centre of mass of link 3' from the axis of joint 4."""
        return self.l3p - self.a1p

    def robot(self) -> Robot:
        """parallelogram of the catalog with these values."""
        given, inertias = ad.load("parallelogram"), self._inertias()
        places = {"link2p": self.a1p, "link3p": self.a1pp}
        bodies = [
            replace(
                body,
                joint=replace(body.joint, placement=_along_x(places.get(body.name, 0.0))),
                inertia=inertias[body.name],
            )
            for body in given.bodies
        ]
        return replace(given, bodies=tuple(bodies))

    def virtual(self) -> Robot:
        """Links 1', 2' and 3' alone, every joint free."""
        inertias, bodies = self._inertias(), []
        for name, x in (("link1p", 0.0), ("link2p", self.a1p), ("link3p", self.a1pp)):
            parent = bodies[-1].name if bodies else BASE
            bodies.append(Body(name, Joint(f"of {name}", placement=_along_x(x)), parent, inertias[name]))
        return Robot("virtual", tuple(bodies), gravity=(0.0, -G, 0.0))

    def _inertias(self) -> dict[str, Inertia]:
        return {
            "link1p": _bar(self.m1p, self.l1p, self.I1p),
            "link1pp": _bar(self.m1pp, self.l1pp, self.I1pp),
            "link2p": _bar(self.m2p, self.l2p, self.I2p),
            "link3p": _bar(self.m3p, self.l3p, self.I3p),
        }


def _bar(mass: float, centre: float, moment: float) -> Inertia:
    return Inertia(mass, (centre, 0.0, 0.0), diagonal(0.0, moment, moment))


def _along_x(x: float) -> Transform:
    return Transform(translation=(x, 0.0, 0.0))


CATALOG = Parallelogram()
PARALLELOGRAMS = (
    CATALOG,
    Parallelogram(1.1, 0.5, 0.45, 0.35, 1.3, 0.2, 18.0, 11.0, 13.0, 7.0, 1.5, 0.8, 1.2, 0.4),
)
BALANCED = replace(CATALOG, m2p=4.0)
"""m_3' lbar_3' a_1'' = m_2' l_2' a_1': decoupled by the mended condition."""
AS_PRINTED = replace(CATALOG, l3p=1.75)
"""lbar_3' a_1'' = l_2' a_1': decoupled by the condition as printed."""


# Cartesian arms, 7.3.1 ------------------------------------------------------------------------


@dataclass(frozen=True)
class Cartesian:
    """The values of a Cartesian arm of the catalog."""

    m_l1: float
    m_l2: float
    m_m2: float
    k_r1: float
    k_r2: float
    I_m1: float
    I_m2: float

    @classmethod
    def of(cls, robot: Robot) -> Cartesian:
        """As its file has them."""
        (m_l1, m_l2), (k_r1, k_r2) = (
            [body.inertia.mass for body in robot.bodies],
            [dict(drive.coupling.weights)[drive.joint] for drive in robot.drives],
        )
        first, second = (drive.rotor for drive in robot.drives)
        assert first is not None
        assert second is not None
        assert second.mass is not None
        return cls(m_l1, m_l2, second.mass, k_r1, k_r2, first.axial, second.axial)

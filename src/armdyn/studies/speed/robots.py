"""Who is measured: robots of the catalog, robot files, and general chains of any length."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from armdyn.dynamics import Dynamics
from armdyn.dynamics.traced import Traced
from armdyn.errors import InputError
from armdyn.formats import load
from armdyn.mechanics.tree.motors import MotorModel
from armdyn.native.signature import Signature
from armdyn.robot import BaseMotion, Limits, Robot
from armdyn.robot.friction import NO_FRICTION
from armdyn.scalars import Array, Program
from armdyn.studies.growth import random_chain

CATALOG = ("ur5", "panda", "puma560", "lola15")
CHAINS = (2, 4, 6, 8, 10, 12, 16, 20, 24, 30)
LONGEST = 99
_CHAIN = re.compile(r"chain(\d{1,2})")
_FREE = Limits(position=(-100.0, 100.0))
"""A range, because a joint without one has two coordinates in Pinocchio; wide, because none is looked at."""


@dataclass(frozen=True, eq=False)
class State:
    """Positions, velocities, accelerations and the torques they take: (n,), or (states, n) for a batch."""

    q: Array
    qd: Array
    qdd: Array
    tau: Array

    @property
    def single(self) -> bool:
        """Whether it is one state, no batch."""
        return self.q.ndim == 1

    @property
    def count(self) -> int:
        """How many states there are."""
        return 1 if self.single else len(self.q)

    def inputs(self, names: Iterable[str]) -> tuple[Array, ...]:
        """The arrays of those names."""
        return tuple(getattr(self, name) for name in names)


@dataclass(frozen=True, eq=False)
class Subject:
    """A robot under a motor model: "none" stands beside peers, which know no drives."""

    name: str
    robot: Robot
    motors: MotorModel | None = "none"

    @cached_property
    def dynamics(self) -> Dynamics:
        """What is measured of it."""
        return Dynamics(self.robot, self.motors)

    @cached_property
    def _traced(self) -> Traced:
        return Traced(self.robot, self.motors, None)

    def signature(self, quantity: str) -> Signature:
        """What goes into a quantity and what comes out."""
        return self._traced.signature(quantity)

    def program(self, quantity: str) -> Program:
        """The operations of a quantity."""
        return self._traced.program(quantity)

    def state(self, count: int) -> State:
        """The same random states every time; one alone has no batch axis."""
        shape = (3, self.robot.n) if count == 1 else (3, count, self.robot.n)
        q, qd, qdd = np.random.default_rng(0).uniform(-1, 1, shape)
        return State(q, qd, qdd, self.dynamics.inverse(q, qd, qdd))

    @property
    def reason_without_peers(self) -> str | None:
        """Why no other library can stand beside it, if none can."""
        if self.motors != "none":
            return "peers know no drives"
        if any(body.joint.coupling is not None and body.joint.coupling.weights for body in self.robot.bodies):
            return "peers know no joint that follows others"
        return None if self.robot.base_motion == BaseMotion() else "peers know no base that moves"


def chain_name(n: int) -> str:
    """How a general chain of n joints is called."""
    return f"chain{n}"


def chain_length(name: str) -> int | None:
    """The joints of the chain of that name; None for any other robot."""
    match = _CHAIN.fullmatch(name)
    return None if match is None else int(match[1])


def subjects(name: str) -> list[Subject]:
    """The robot without drives and, if it has drives, with them and their friction."""
    length = chain_length(name)
    if length is not None:
        if not 1 <= length <= LONGEST:
            raise InputError(f'robot "{name}", expected a chain of 1 to {LONGEST} joints')
        return [Subject(name, random_chain(length))]
    robot = load(name)
    bare = Subject(name, robot)
    return [bare, Subject(name, robot, None)] if robot.drives else [bare]


def without_friction(robot: Robot) -> Robot:
    """The robot as rigid links on free joints, which is all that peers compute with."""
    bodies = tuple(
        replace(body, joint=replace(body.joint, friction=NO_FRICTION, limits=_FREE), visuals=())
        if body.joint.independent
        else replace(body, visuals=())
        for body in robot.bodies
    )
    return replace(robot, bodies=bodies, drives=())

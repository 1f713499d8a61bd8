"""Which combinations there are, from numbers: the actions of all parameters at random states."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from armdyn.equations.base_parameters.actions import actions, bare
from armdyn.equations.symbols import Naming, with_symbols
from armdyn.mechanics.dependencies import dependencies
from armdyn.mechanics.parameters import Parameter
from armdyn.mechanics.rubbing import FrictionPoint
from armdyn.mechanics.tree import tree
from armdyn.mechanics.tree.coordinates import CoordinateState
from armdyn.mechanics.tree.motors import MotorModel
from armdyn.robot import Robot
from armdyn.scalars import Array, Graph, Node, Program, absolute, program
from armdyn.scalars.derivatives import jacobian

STATES = 4
"""Random states for each parameter: every one gives an equation for T, U and both parts of R."""
FASTEST = 5.0
"""[rad/s or m/s]"""
OTHER = (0.7, 1.4)
"""Other lengths and gears than the robot's are within these multiples of them."""


@dataclass(frozen=True)
class Pattern:
    """Which parameters are kept, and which of these each of the others is counted in."""

    kept: tuple[int, ...]
    support: Mapping[int, tuple[int, ...]]
    """Column that is not kept -> those it depends on."""


@dataclass(frozen=True)
class Samples:
    """Actions of every parameter at random states, for any lengths and gears."""

    robot: Robot
    count: int
    computed: Program
    values: Mapping[str, float]
    """The robot's own numbers."""

    @classmethod
    def of(cls, robot: Robot, motors: MotorModel, parameters: Sequence[Parameter]) -> Samples:
        """Traced once over a graph, lengths and gears being inputs."""
        graph = Graph()
        naming = Naming(_Inputs(graph), "origin")
        written = with_symbols(robot, naming)
        built = bare(tree(written, motors, lump=False))
        q, qd = graph.inputs("q", robot.n), graph.inputs("qd", robot.n)
        pi = graph.inputs("pi", len(parameters))
        acting = actions(written, built, parameters, pi, (q, qd), _speed)
        outputs = [x for row in jacobian(acting, pi) for x in row]
        return cls(robot, len(parameters), program(outputs), naming.values)

    def pattern(self, preferred: Sequence[int], seed: int, *, other_lengths: bool) -> Pattern:
        """What depends on what, at the robot's own lengths and gears or at others."""
        rng = np.random.default_rng(seed)
        values = {
            name: value * (rng.uniform(*OTHER) if other_lengths else 1.0)
            for name, value in self.values.items()
        }
        kept, K = dependencies(self._at(values, rng), preferred)
        others = [k for k in range(self.count) if k not in set(kept)]
        support = {
            k: tuple(kept[int(i)] for i in np.flatnonzero(column))
            for k, column in zip(others, K.T, strict=True)
        }
        return Pattern(tuple(kept), support)

    def _at(self, values: Mapping[str, float], rng: np.random.Generator) -> Array:
        states = STATES * self.count
        limits = [joint.limits.position or (-np.pi, np.pi) for joint in self.robot.joints]
        low, high = np.transpose([(a, b) if b > a else (a - 1.0, a + 1.0) for a, b in limits])
        inputs = {name: np.full((states, 1), value) for name, value in values.items()}
        inputs["q"] = rng.uniform(low, high, (states, self.robot.n))
        inputs["qd"] = rng.uniform(-FASTEST, FASTEST, (states, self.robot.n))
        inputs["pi"] = np.zeros((states, self.count))
        found = np.empty((states, 4 * self.count))
        self.computed.run(inputs, found)
        columns = found.reshape(states, 4, self.count)
        columns[:, 1] -= columns[0, 1].copy()  # a constant in U is felt by nobody
        return columns.reshape(-1, self.count)


@dataclass(frozen=True)
class _Inputs:
    """Makes symbols that are inputs of a graph."""

    graph: Graph

    def symbol(self, name: str) -> Node:
        return self.graph.inputs(name, 1)[0]


def _speed(_: FrictionPoint, theta: CoordinateState) -> Any:
    return absolute(theta.rate)

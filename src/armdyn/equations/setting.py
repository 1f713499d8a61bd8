"""An arm as equations are derived for it: its tree in numbers or symbols, and its coordinates.

With absolute coordinates, joints whose axes are parallel to their parents' are measured from where the chain
of parallel axes begins, not from their parents ([Siciliano2009] Problem 7.6): phi = S q, q = S^-1 phi.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

from armdyn.equations.symbols import InertiaForm, Naming, with_symbols
from armdyn.mechanics.tree import tree
from armdyn.mechanics.tree.links import Tree
from armdyn.mechanics.tree.motors import MotorModel
from armdyn.robot import Robot
from armdyn.scalars.harmonic import Harmonic, Ring

Parameters = Literal["numeric", "symbolic"]
Coordinates = Literal["relative", "absolute"]
PARAMETERS: tuple[Parameters, ...] = ("numeric", "symbolic")
COORDINATES: tuple[Coordinates, ...] = ("relative", "absolute")


@dataclass(frozen=True)
class Setting:
    """A robot, how its parameters and coordinates are written, and its tree over harmonics."""

    robot: Robot
    written: Robot
    """The robot in symbols, where they take the place of numbers."""
    tree: Tree
    """Bodies that cannot move against each other are one link."""
    whole: Tree
    """Every body a link of its own, which energies need."""
    ring: Ring
    values: dict[str, float]
    """Symbol -> its number, where it has one."""
    parameters: Parameters
    coordinates: Coordinates

    @classmethod
    def of(
        cls,
        robot: Robot,
        motors: MotorModel | None = None,
        *,
        parameters: Parameters = "numeric",
        inertia: InertiaForm = "gyration",
        payload: bool = False,
        coordinates: Coordinates = "relative",
    ) -> Setting:
        """The arm under a motor model, by default the best its data support."""
        ring = Ring()
        naming = Naming(ring, inertia)
        for i in range(robot.n):  # joints come first in every term
            ring.symbol(f"q{i + 1}")
        written = robot
        if parameters == "symbolic" or payload:
            written = with_symbols(robot, naming, parameters=parameters == "symbolic", payload=payload)
        built, whole = (_round(tree(written, motors, lump=lump)) for lump in (True, False))
        return cls(robot, written, built, whole, ring, naming.values, parameters, coordinates)

    @property
    def n(self) -> int:
        """Number of joints."""
        return self.robot.n

    @property
    def stem(self) -> str:
        """What coordinates are called."""
        return "q" if self.coordinates == "relative" else "phi"

    @cached_property
    def slopes(self) -> list[list[int]]:
        """S^-1: d q_i/d (coordinate j), the unit matrix for relative coordinates."""
        S = [[int(i == j) for j in range(self.n)] for i in range(self.n)]
        if self.coordinates == "absolute":
            for i, (parent, sign) in self.followed.items():
                S[i][parent] = -sign
        return S

    @cached_property
    def followed(self) -> dict[int, tuple[int, int]]:
        """Joint -> the joint inwards whose axis is parallel, and whether it points the same way."""
        found: dict[int, tuple[int, int]] = {}
        for link in self.tree.links:
            before = self.tree.links[link.parent] if link.parent >= 0 else None
            if before is None or not (_own(link) and _own(before)):
                continue
            along = link.rotation[2][2]
            if isinstance(along, int | float) and abs(along) == 1:
                found[link.coordinate.weights[0][0]] = (before.coordinate.weights[0][0], int(along))
        return found

    @cached_property
    def parallel(self) -> tuple[tuple[str, ...], ...]:
        """The coordinates of joints with parallel axes, chain by chain."""
        chains: list[list[int]] = []
        for i in range(self.n):
            chain = next((c for c in chains if self.followed.get(i, (-1, 0))[0] == c[-1]), None)
            if chain is None:
                chains.append([i])
            else:
                chain.append(i)
        return tuple(tuple(f"{self.stem}{i + 1}" for i in chain) for chain in chains if len(chain) > 1)

    # Coordinates ----------------------------------------------------------------------------

    def coordinate(self, suffix: str = "") -> list[Harmonic]:
        """The coordinates, with d or dd their rates and accelerations."""
        return [self.ring.symbol(f"{self.stem}{suffix}{i + 1}") for i in range(self.n)]

    def joints(self, suffix: str = "") -> list[Any]:
        """The joints' own coordinates q in terms of those: S^-1 phi."""
        return _products(self.slopes, self.coordinate(suffix))

    def on_coordinates(self, torques: Sequence[Any]) -> list[Any]:
        """Torques on the joints as torques on the coordinates, S^-T tau."""
        return _products(list(zip(*self.slopes, strict=True)), torques)

    def names(self) -> list[str]:
        """Names of the coordinates."""
        return [f"{self.stem}{i + 1}" for i in range(self.n)]


def _products(rows: Sequence[Sequence[int]], values: Sequence[Any]) -> list[Any]:
    """Rows of whole numbers times values, sparsely."""
    result: list[Any] = []
    for row in rows:
        total: Any = 0
        for weight, value in zip(row, values, strict=True):
            if weight:
                total = total + (value if weight == 1 else weight * value)
        result.append(total)
    return result


def _own(link: Any) -> bool:
    """Whether a link turns by one coordinate alone."""
    weights = link.coordinate.weights
    return link.driven and link.kind == "revolute" and len(weights) == 1 and weights[0][1] == 1


def _round(built: Tree) -> Tree:
    """Rotors are bodies of revolution: their own turning changes nothing."""
    links = tuple(link if link.driven else replace(link, axes="round") for link in built.links)
    return replace(built, links=links)

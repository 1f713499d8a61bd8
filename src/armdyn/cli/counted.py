"""Counted operations as a document, and as tables for people."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

from armdyn.cli.output import print_table
from armdyn.mechanics.tree.motors import MotorModel
from armdyn.robot import Robot
from armdyn.studies.counts import OperationCount, Progress, operation_counts
from armdyn.studies.growth import Growth, growth, polynomial_text
from armdyn.studies.published import PublishedCount, published, published_beside


@dataclass(frozen=True)
class Counted:
    """The operations of a robot's equations, and how those of chains grow."""

    robot: Robot
    rows: list[OperationCount]
    """As written and optimised, in turn."""
    curves: list[Growth]

    def document(self) -> dict[str, Any]:
        """As one JSON document, printed counts included."""
        exponents: dict[str, float] = {}
        for curve in self.curves:
            exponents.setdefault(curve.formulation, curve.exponent)  # inverse dynamics first, variants last
        return {
            "robot": self.robot.name,
            "n": self.robot.n,
            "counts": [asdict(row) for row in self.rows],
            "published": [count.document() for count in published(self.robot.n)],
            "growth": [
                {**_named(curve), "n": n, "operations": operations}
                for curve in self.curves
                for n, operations in zip(curve.sizes, curve.operations, strict=True)
            ],
            "exponent": exponents,
            "exponents": [
                {**_named(curve), "exponent": curve.exponent, "polynomial": _polynomial(curve)}
                for curve in self.curves
            ],
        }


def count(
    robot: Robot,
    motors: MotorModel,
    quantities: Sequence[str] | None,
    methods: Sequence[str] | None,
    *,
    grown: bool,
) -> Counted:
    """Count, and show on a terminal how far it is; chains only where they are asked for."""
    rows = operation_counts(robot, motors, quantities, methods, progress=_watched(f"counting {robot.name}"))
    curves = growth(methods, progress=_watched("counting chains")) if grown else []
    return Counted(robot, rows, curves)


def _watched(what: str) -> Progress:
    """Progress on standard error if that is a terminal."""
    from rich.console import Console
    from rich.progress import track

    console = Console(stderr=True)
    return partial(track, description=what, console=console, transient=True, disable=not console.is_terminal)


def _named(curve: Growth) -> dict[str, Any]:
    return {"formulation": curve.formulation, "quantity": curve.quantity, "variant": curve.variant}


def _polynomial(curve: Growth) -> str | None:
    return None if curve.polynomial is None else polynomial_text(curve.polynomial)


# For people -----------------------------------------------------------------------------------


def print_counted(counted: Counted, *, growth: bool) -> None:
    """Print counts beside printed ones, and the growth if asked for."""
    _print_counts(counted.robot, counted.rows)
    _print_published(counted.robot, counted.rows)
    if growth:
        _print_growth(counted.curves)


def _print_counts(robot: Robot, rows: Sequence[OperationCount]) -> None:
    kinds = ("div", "add", "trig")
    columns = ["quantity", "formulation", "written mul", *kinds, "optimised mul", *kinds]
    columns += ["printed mul", "add"]
    pairs = zip(rows[::2], rows[1::2], strict=True)
    title = f"{robot.name}: operations, motors {rows[0].motors}"
    print_table(title, columns, [_line(robot, written, optimised) for written, optimised in pairs])


def _line(robot: Robot, written: OperationCount, optimised: OperationCount) -> list[Any]:
    printed = published_beside(written.formulation, written.quantity, robot.n)
    beside = (None, None) if printed is None or written.variant else _two(printed)
    return [written.quantity, _name(written), *_four(written), *_four(optimised), *beside]


def _name(row: OperationCount | Growth) -> str:
    return f"{row.formulation}, {row.variant}" if row.variant else row.formulation


def _four(row: OperationCount) -> list[int]:
    return [row.multiplications, row.divisions, row.additions, row.trigonometric]


def _two(count: PublishedCount) -> tuple[int, int]:
    return count.multiplications, count.additions


def _print_published(robot: Robot, rows: Sequence[OperationCount]) -> None:
    """The printed counts for as many joints, of the quantities and formulations asked for."""
    quantities, formulations = {row.quantity for row in rows}, {row.formulation for row in rows}
    shown = [
        [count.source, count.table, count.row, count.quantity, *_two(count), count.note]
        for count in published(robot.n)
        if not count.part and count.n == robot.n and count.quantity in quantities
        if count.formulation is None or count.formulation in formulations
    ]
    if shown:
        columns = ("document", "table", "row", "quantity", "mul", "add", "note")
        print_table(
            f"printed counts for {robot.n} joints, divisions among the multiplications", columns, shown
        )


def _print_growth(curves: Sequence[Growth]) -> None:
    sizes = curves[0].sizes
    print_table(
        "operations as written of a random chain of n turning joints, and their fitted exponent",
        ["quantity", "formulation", *(f"n = {n}" for n in sizes), "exponent", "from n = 3 on"],
        [
            [curve.quantity, _name(curve), *curve.operations, f"{curve.exponent:.2f}", _polynomial(curve)]
            for curve in curves
        ],
    )

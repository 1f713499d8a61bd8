"""Rows of what has either sign: extremes, and the largest magnitude beside what it is measured against."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from armdyn.extremes import Extremes
from armdyn.robot import Robot
from armdyn.studies.loads.arms import Arm
from armdyn.studies.loads.rows import Curve, Row, known
from armdyn.studies.loads.search import largest

RELATIVE = "ratio: largest magnitude with payload over that without"


def relative_notes(robot: Robot) -> tuple[str, ...]:
    """What a ratio is, where there is one: with empty hands alone there is nothing to compare."""
    return (RELATIVE,) if robot.payloads else ()


LOADS = (("none", "no load"), ("payload", "with payload"))
"""Names of the loads, as rows and as figures have them."""


def magnitude_rows(
    quantity: str,
    i: int,
    unit: str,
    found: Sequence[tuple[Arm, Extremes]],
    more: Mapping[str, Any],
    shares: Mapping[str, float | None],
) -> list[Row]:
    """A row for each load; `shares` are of the largest magnitude in what is given by name, where known."""
    rows: list[Row] = []
    empty = largest(found[0][1]).value
    for arm, e in found:
        most = largest(e)
        sizes = {
            "largest": most.value,
            "q_largest": [float(x) for x in most.q],
            "largest_bound": known(most.bound),
            **{name: most.value / whole for name, whole in shares.items() if whole},
        }
        ratio = most.value / empty if arm.load == "payload" and empty > 0 else None
        rows.append(Row(i + 1, quantity, arm.load, unit, e, ratio, {**more, **sizes}))
    return rows


def bars(rows: Sequence[Row], key: str) -> tuple[Curve, ...]:
    """A number of the rows over their joints, a bar for each load, where it is known."""
    found: list[Curve] = []
    for load, label in LOADS:
        mine = [row for row in rows if row.load == load and key in row.more]
        if mine:
            x, y = (float(row.joint) for row in mine), (float(row.more[key]) for row in mine)
            found.append(Curve(label, tuple(x), tuple(y)))
    return tuple(found)

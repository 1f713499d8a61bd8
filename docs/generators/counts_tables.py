"""Counts as cells and rows of Markdown tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from armdyn.studies.counts import Equations, OperationCount
from armdyn.studies.growth import Growth
from armdyn.studies.published import PublishedCount, PublishedItem


def rows(header: Sequence[str], body: Iterable[Sequence[Any]]) -> str:
    """A Markdown table; what is None is left empty."""
    lines = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    lines += ["| " + " | ".join("" if cell is None else str(cell) for cell in row) + " |" for row in body]
    return "\n".join(lines) + "\n"


def name(chosen: Equations | Growth | OperationCount) -> str:
    """A formulation with its variant."""
    formulation = chosen.method.name if isinstance(chosen, Equations) else chosen.formulation
    return f"{formulation}, {chosen.variant}" if chosen.variant else formulation


def of_graph(counts: Mapping[str, int]) -> str:
    """Multiplications with divisions + additions, of a graph."""
    return f"{counts['multiplications'] + counts['divisions']} + {counts['additions']}"


def of_four(counts: Mapping[str, int]) -> str:
    """Multiplications / divisions / additions / sines and cosines, of a graph or a count."""
    kinds = ("multiplications", "divisions", "additions", "trigonometric")
    return " / ".join(str(counts[kind]) for kind in kinds)


def of_count(count: OperationCount) -> str:
    """The same of a count."""
    return of_graph(vars(count))


def of_printed(*counts: PublishedCount | PublishedItem) -> str:
    """The same of what a document prints, summed."""
    return f"{sum(c.multiplications for c in counts)} + {sum(c.additions for c in counts)}"

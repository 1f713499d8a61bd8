"""A sweep in a few numbers: counts, extremes and where they are, quantiles, curves and maps over axes."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

from armdyn.errors import InputError, suggestion
from armdyn.formats.plain_data import plain
from armdyn.sweep.quantities import ERROR, axis_units
from armdyn.sweep.store.reader import Results, open_results
from armdyn.sweep.study import Study
from armdyn.sweep.summary.blocks import blocks
from armdyn.sweep.summary.cells import Cells, cells_of
from armdyn.sweep.summary.gathered import Gathered, Gathering
from armdyn.sweep.summary.numbers import Described, Numbers
from armdyn.sweep.summary.sentences import Sentence, Texts

DRAWN = 4
"""Results that are drawn unless others are asked for: the first of the study."""
MOST_MAPS = 3
"""Pairs of axes over which results are mapped: the first of the study."""
SHOWN_SENTENCES = 10
Watch = Callable[[int, int], None]
"""Told how many rows are read, and of how many."""


@dataclass(frozen=True, eq=False)
class Summary:
    """What the rows of a sweep say together; the same for the same rows, however they were computed."""

    folder: Path
    study: Study
    total: int
    rows: int
    """That are there"""
    without_answer: int
    sentences: tuple[Sentence, ...]
    """Why, the commonest first"""
    results: tuple[Described, ...]
    words: Mapping[str, tuple[Sentence, ...]]
    """Results that are texts"""
    curves: tuple[Gathered, ...]
    maps: tuple[Gathered, ...]
    versions: Mapping[str, str]
    notes: tuple[str, ...] = ()

    @property
    def missing(self) -> int:
        """Rows that are not there yet."""
        return self.total - self.rows

    def result(self, name: str) -> Described:
        """One of the results that are numbers."""
        return next(one for one in self.results if one.name == name)

    def document(self) -> dict[str, Any]:
        """As JSON holds it."""
        return plain(
            {
                "robot": self.study.robot,
                "quantity": self.study.quantity,
                "folder": str(self.folder),
                "rows": {
                    "total": self.total,
                    "done": self.rows,
                    "missing": self.missing,
                    "without_answer": self.without_answer,
                },
                "errors": [one.document() for one in self.sentences[:SHOWN_SENTENCES]],
                "results": [one.document() for one in self.results],
                "words": {name: [one.document() for one in found] for name, found in self.words.items()},
                "curves": [one.document() for one in self.curves],
                "maps": [one.document() for one in self.maps],
                "versions": dict(self.versions),
                "notes": list(self.notes),
            }
        )


def summarised(
    folder: str | os.PathLike[str], *, results: Sequence[str] | None = None, watch: Watch | None = None
) -> Summary:
    """Read the rows of a sweep, finished or not, a block at a time.

    Args:
        folder: where the sweep has written.
        results: those that curves and maps are made of, by default the first four.
        watch: told now and then how far it is.
    """
    opened = open_results(Path(folder))
    return _Reading(opened, results, watch or _unwatched).summary()


def _unwatched(done: int, total: int) -> None:
    """Nobody asks how far it is."""


class _Reading:
    """One reading of a folder."""

    def __init__(self, results: Results, drawn: Sequence[str] | None, watch: Watch) -> None:
        self._results, self._watch, self._study = results, watch, results.study
        columns = results.manifest.columns
        self._axes = [column["name"] for column in columns if column["role"] == "axis"]
        found = [column for column in columns if column["role"] == "result"]
        self._numbers = [
            Numbers(c["name"], c["unit"], c["kind"], self._axes, results.total)
            for c in found
            if c["kind"] != "text"
        ]
        self._texts = [Texts(c["name"]) for c in found if c["kind"] == "text"]
        self._sentences = Texts(ERROR)
        chosen = _chosen(drawn, [numbers.name for numbers in self._numbers])
        slices = _slices(cells_of(self._study, axis_units(self._study)))
        self._gathering = [Gathering(name, over) for name in chosen for over in slices]

    def summary(self) -> Summary:
        rows = 0
        names = [*self._axes, *(each.name for each in (*self._numbers, *self._texts)), ERROR]
        for block in blocks(self._results, names):
            for each in (*self._numbers, *self._texts, self._sentences, *self._gathering):
                each.look(block)
            rows += len(block[ERROR])
            self._watch(rows, self._results.total)
        counted = [each for each in self._numbers if each.needs_counting]
        for block in blocks(self._results, [each.name for each in counted]) if counted else ():
            for each in counted:
                each.count(block)
        gathered = [each.gathered() for each in self._gathering]
        return Summary(
            self._results.folder,
            self._study,
            self._results.total,
            rows,
            self._sentences.rows,
            self._sentences.commonest(),
            tuple(each.described() for each in self._numbers),
            {each.name: each.commonest() for each in self._texts},
            tuple(one for one in gathered if len(one.over) == 1),
            tuple(one for one in gathered if len(one.over) == 2),
            dict(self._results.manifest.versions),
            tuple(self._results.notes),
        )


def _chosen(asked: Sequence[str] | None, known: Sequence[str]) -> Sequence[str]:
    """Results that are drawn."""
    for name in asked or ():
        if name not in known:
            near = suggestion(name, known)
            raise InputError(f'no result "{name}"; {near}expected of {", ".join(known)}')
    return known[:DRAWN] if asked is None else asked


def _slices(cells: Sequence[Cells]) -> list[tuple[Cells, ...]]:
    """Every axis, and the first pairs of axes."""
    return [*((one,) for one in cells), *list(combinations(cells, 2))[:MOST_MAPS]]

"""What was written down of a moving arm, checked: every number finite, every instant after the one before."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from armdyn.errors import InputError, counted
from armdyn.scalars import Array

LARGEST = 1e50
"""A number that nothing measures; its square is still one."""
SHORTEST = 1e-12
"""[s] Between two samples: no recorder is faster, and rates are numbers that can be squared."""
FEWEST = 20
"""Samples: with fewer there is nothing to filter, and no slope."""


@dataclass(frozen=True, eq=False)
class Recording:
    """Signals as they were written down, and where."""

    file: str
    time: Array
    """(t) [s]"""
    signals: Mapping[str, Array]
    """(t, ..) by name, in SI"""
    titles: Mapping[str, Sequence[str]]
    """What messages call the elements of each signal"""
    place: Callable[[int], str]
    """Where a sample stands, counted from 0"""
    notes: tuple[str, ...] = ()

    def noting(self, *notes: str) -> Recording:
        """The same with more to say."""
        return replace(self, notes=(*self.notes, *notes))


def checked(recording: Recording, *, drop_invalid: bool) -> Recording:
    """The recording, its numbers finite, its instants increasing; others are dropped if asked."""
    whole = _finite(recording, drop_invalid)
    if len(whole.time) < FEWEST:
        raise InputError(
            f"{whole.file}: {counted(len(whole.time), 'sample')}, expected {FEWEST} or more; record longer"
        )
    late = ~(np.diff(whole.time) >= SHORTEST)
    if late.any():
        k = int(np.argmax(late))
        goes = f"time goes from {whole.time[k]:.9g} to {whole.time[k + 1]:.9g} s"
        apart = f", {SHORTEST:g} s or more apart" if whole.time[k + 1] > whole.time[k] else ""
        expected = f"expected increasing instants{apart}; sort or cut the log"
        raise InputError(f"{whole.place(k + 1)}: {goes}, {expected}")
    return whole


def _finite(recording: Recording, drop_invalid: bool) -> Recording:
    """The recording where all its numbers are finite."""
    table = np.column_stack([recording.time, *recording.signals.values()])
    usable = np.abs(table) < LARGEST  # NaN is not
    good: Any = usable.all(axis=1)
    if good.all():
        return recording
    first = int(np.argmin(good))
    titles = ["time", *(title for name in recording.signals for title in recording.titles[name])]
    k = int(np.argmin(usable[first]))
    where = f'{recording.place(first)}, "{titles[k]}"'
    if not drop_invalid:
        advice = "mend it, or leave such samples out: drop_invalid=True"
        raise InputError(f"{where}: {_said(table[first, k])}, expected a finite number; {advice}")
    if not good.any():
        raise InputError(f"{where}: {_said(table[first, k])}, and so in every sample; none is left")
    kept = np.flatnonzero(good)
    lost = len(good) - len(kept)
    what = f"{lost} of {counted(len(good), 'sample')} left out for numbers that are missing or not finite"
    return Recording(
        recording.file,
        recording.time[kept],
        {name: values[kept] for name, values in recording.signals.items()},
        recording.titles,
        lambda sample: recording.place(int(kept[sample])),
        (*recording.notes, f'{what}, the first for "{titles[k]}" at {recording.time[first]:.9g} s'),
    )


def _said(number: float) -> str:
    return "no number" if np.isnan(number) else f"{number:g}"

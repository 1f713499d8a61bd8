"""Rows evaluated: where there is no answer, a sentence says why, and the other rows have theirs."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from armdyn.errors import ArmdynError
from armdyn.sweep.axes import Values
from armdyn.sweep.designs import Points
from armdyn.sweep.quantities import ERROR, Evaluator
from armdyn.sweep.quantities.columns import empty_rows
from armdyn.sweep.study import Study


def evaluated(
    study: Study, evaluator: Evaluator, points: Points, first: int, stop: int
) -> tuple[dict[str, Values], dict[str, Values]]:
    """The points of the rows first .. stop - 1, and what they give: (m) each, with the column `error`."""
    grain = max(1, evaluator.grain)
    places: list[dict[str, Values]] = []
    results: list[dict[str, Values]] = []
    for begin in range(first, stop, grain):
        places.append(points.rows(begin, min(stop, begin + grain)))
        results.append(_answers(study, evaluator, places[-1]))
    return _joined(places), _joined(results)


def _answers(study: Study, evaluator: Evaluator, points: Mapping[str, Values]) -> dict[str, Values]:
    """Results of points; a refusal is that of a row, which is looked for by halves."""
    count = len(next(iter(points.values())))
    try:
        found = evaluator.evaluate(points)
    except ArmdynError as error:
        if count > 1:
            halves = [slice(0, count // 2), slice(count // 2, count)]
            return _joined([_answers(study, evaluator, {k: v[h] for k, v in points.items()}) for h in halves])
        found = empty_rows(evaluator.columns, 1)
        found[ERROR][0] = str(error)
    sentences = found.get(ERROR)
    if sentences is None:
        return {**found, ERROR: np.full(count, None, dtype=object)}
    return {**found, ERROR: _as_named(study, sentences)}


def _as_named(study: Study, sentences: Values) -> Values:
    """Sentences that call files as the study does: copies lie elsewhere on every machine."""
    for row in np.flatnonzero(sentences != None):  # noqa: E711  element by element
        for name, place in study.files.items():
            sentences[row] = str(sentences[row]).replace(str(place), name)
    return sentences


def _joined(parts: list[dict[str, Values]]) -> dict[str, Values]:
    return (
        parts[0] if len(parts) == 1 else {name: np.concatenate([p[name] for p in parts]) for name in parts[0]}
    )

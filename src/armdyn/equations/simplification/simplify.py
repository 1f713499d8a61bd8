"""Short expressions with a known error, for several loads at once ([Bejczy1974] VII.D, for any arm).

Terms are dropped, merged and exchanged, and all coefficients fitted anew, uniform over the box of joints; one
structure serves all cases, coefficients may differ between them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from numpy.typing import ArrayLike

from armdyn.equations.simplification.archive import Archive
from armdyn.equations.simplification.arguments import Question, check_aim, question
from armdyn.equations.simplification.candidates import Candidate, exactly, fitted
from armdyn.equations.simplification.dictionary import dictionary
from armdyn.equations.simplification.fitting import Fit, sorted_structure
from armdyn.equations.simplification.measuring import Measured
from armdyn.equations.simplification.refining import Measure, refined
from armdyn.equations.simplification.results import Simplified
from armdyn.equations.simplification.sampling import sample
from armdyn.equations.simplification.selection import search
from armdyn.equations.simplification.spelling import Form, spelled
from armdyn.equations.simplification.waves import terms
from armdyn.equations.simplification.writing import exact_forms
from armdyn.scalars.harmonic import Harmonic

FITTED = 4096
"""Postures that coefficients are refined on."""
FRESH = 100_000
"""Postures that errors are measured on, none of them among the fitted."""
TRIED = 2000
"""Structures tried."""
MOST_POINTS = 40
"""Points of a trade-off curve."""
SHORT = 12
"""Terms up to which all that is near the front is written out and counted."""

Progress = Callable[[float], None]
Point = tuple[Candidate, Simplified]


def simplify(
    cases: Sequence[Harmonic | float],
    names: Sequence[str],
    box: ArrayLike,
    *,
    tolerance: float | None = None,
    operations: int | None = None,
    measure: Measure = "mean",
    parallel: Sequence[Sequence[str]] = (),
    double_angles: bool = False,
    effort: int | None = None,
    tried: int = TRIED,
    seed: int = 0,
    progress: Progress | None = None,
) -> Simplified:
    """The shortest expression found within a tolerance, or the best with so many operations.

    Args:
        cases: the quantity without load, with load, ..: numbers but for the joints.
        names: the joints, as the quantity calls them.
        box: (n, 2) their ranges [rad or m]; a joint whose ends are equal is locked there.
        tolerance: of the worst case, as a fraction; 0 asks for the shortest exact form.
        operations: multiplications and additions at most, sines and cosines given.
        measure: what the tolerance is about: "mean" |error| / mean |value|, or largest |error| / "range".
        parallel: groups of joints whose axes are parallel; cos(q2 + q3) may be written for these.
        double_angles: whether cos(2 q2) may be written.
        effort: boxes that branch and bound may look at for each case; fewer by default where more is missing.
        tried: structures that the search may try.
        seed: of the postures; the same seed gives the same result.
        progress: called with the fraction done.
    """
    check_aim(tolerance, operations)
    report = progress or _silent
    asked = question(cases, names, box, parallel)
    measured = _measured(asked, seed)
    points = _curve(asked, measured, measure, double_angles, tried, seed, lambda x: report(0.7 * x))
    bounded = partial(_certified, measured=measured, effort=effort, report=lambda x: report(0.7 + 0.3 * x))
    if tolerance is not None:
        result = _within(points, tolerance, measure, bounded)
    else:
        within = [point for point in points if point[1].operations.total <= (operations or 0)]
        result = bounded(min(within or points[:1], key=lambda point: _size(point[1], measure)))
    report(1.0)
    return result


def trade_off(
    cases: Sequence[Harmonic | float],
    names: Sequence[str],
    box: ArrayLike,
    *,
    measure: Measure = "mean",
    parallel: Sequence[Sequence[str]] = (),
    double_angles: bool = False,
    certify: bool = False,
    effort: int | None = None,
    tried: int = TRIED,
    seed: int = 0,
    progress: Progress | None = None,
) -> tuple[Simplified, ...]:
    """Operations against error, from a constant to exact: every point is shorter or better than any other.

    Without `certify` the largest errors are those of the sample and their bounds are coarse; `simplify`
    explains the other arguments.
    """
    report = progress or _silent
    asked = question(cases, names, box, parallel)
    measured = _measured(asked, seed)
    share = 0.5 if certify else 1.0
    points = _curve(asked, measured, measure, double_angles, tried, seed, lambda x: report(share * x))
    if not certify:
        return tuple(result for _, result in points)
    results: list[Simplified] = []
    for i, point in enumerate(points):
        results.append(_certified(point, measured, effort, _silent))
        report(0.5 + 0.5 * (i + 1) / len(points))
    return tuple(results)


def _silent(fraction: float) -> None:
    del fraction


def _measured(asked: Question, seed: int) -> Measured:
    exact = [terms(case, asked.joints) for case in asked.cases]
    return Measured(exact, sample(exact, asked.joints, FRESH, seed + 1), asked.joints)


def _curve(
    asked: Question,
    measured: Measured,
    measure: Measure,
    double_angles: bool,
    tried: int,
    seed: int,
    report: Progress,
) -> list[Point]:
    """The points that no other beats, short ones first; the last is exact."""
    choice: tuple[Form, ...] = ("sines", "cosines", "doubled") if double_angles else ("sines", "cosines")
    forms = exact_forms(asked.cases, asked.groups, choice)
    exact = [spelled(case, asked.groups, forms) for case in asked.cases]
    needed = {m for p in exact for m in p}
    book = dictionary(asked.cases, asked.joints, asked.groups, choice, needed)
    place = {m: i for i, m in enumerate(book.monomials)}
    start = [sorted_structure([((place[m], 1.0),) for m in needed])] if needed <= place.keys() else []
    archive = Archive(book, tried)
    search(archive, start, lambda x: report(0.8 * x))
    fitted_to = sample(measured.exact, asked.joints, FITTED, seed)
    candidates = [fitted(found, refined(found, fitted_to, measure)) for found in _thinned(archive)]
    note = (
        ""
        if start
        else f"the search chose among {len(book.monomials)} monomials, the largest; the quantity has more"
    )
    points = [_point(candidate, measured, note) for candidate in (*candidates, exactly(exact))]
    report(1.0)
    return list(_unbeaten(points, measure))


def _thinned(archive: Archive) -> list[Fit]:
    """The fits that no other beats, counted as they are written; of long ones, some."""
    short, long = list[Fit](), list[Fit]()
    for place, found in archive.promising():
        if len(found.structure) <= SHORT:
            short.append(found)
        elif not place:
            long.append(found)
    counted = [
        (fitted(found, found.coefficients).operations.total, found)
        for found in (*short, *_some(long, MOST_POINTS))
    ]
    front: list[Fit] = []
    for _, found in sorted(counted, key=lambda x: (x[0], x[1].loss)):
        if not front or found.loss < 0.999 * front[-1].loss:
            front.append(found)
    return _some(front, MOST_POINTS)


def _some(fits: list[Fit], most: int) -> list[Fit]:
    """Evenly chosen, so many at most."""
    return fits[:: max(1, -(-len(fits) // most))]


def _point(candidate: Candidate, measured: Measured, note: str) -> Point:
    missing = measured.missing(candidate)
    errors = tuple(
        measured.sampled(case, error, expression)
        for case, (error, expression) in enumerate(zip(missing, candidate.expressions, strict=True))
    )
    exact = measured.is_nothing(missing)
    result = Simplified(
        candidate.expressions,
        candidate.parameters,
        candidate.operations,
        errors,
        exact,
        "" if exact else note,
    )
    return candidate, result


def _unbeaten(points: Sequence[Point], measure: Measure) -> Iterator[Point]:
    least = float("inf")
    for point in sorted(points, key=lambda p: (p[1].operations.total, _size(p[1], measure))):
        if _size(point[1], measure) < least:
            least = _size(point[1], measure)
            yield point
        if point[1].exact:
            return


def _size(result: Simplified, measure: Measure) -> float:
    return result.relative_mean if measure == "mean" else result.relative_range


def _within(
    points: Sequence[Point], tolerance: float, measure: Measure, bounded: Callable[[Point], Simplified]
) -> Simplified:
    """The shortest point within the tolerance, also once its largest error has been looked for."""
    for point in points:
        if point[1].exact or _size(point[1], measure) <= tolerance:
            result = bounded(point)
            if point[1].exact or _size(result, measure) <= tolerance:
                return result
    return bounded(points[-1])


def _certified(point: Point, measured: Measured, effort: int | None, report: Progress) -> Simplified:
    """A point with its largest errors looked for and bounded."""
    candidate, result = point
    count = len(result.errors)
    pairs = zip(measured.missing(candidate), candidate.expressions, strict=True)
    errors = tuple(
        measured.certified(case, error, expression, effort, lambda x, case=case: report((case + x) / count))
        for case, (error, expression) in enumerate(pairs)
    )
    return replace(result, errors=errors)

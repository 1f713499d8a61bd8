"""Extremes over the workspace: certified for sums of waves, attained for what has roots or quotients."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from math import inf, isfinite, sqrt

from armdyn.extremes import Bound, Extremes, Terms, attained, extremes, ratio_extremes
from armdyn.extremes import largest as largest_size
from armdyn.extremes.arguments import check_effort
from armdyn.extremes.extremes import RESOLUTION
from armdyn.extremes.of_harmonics import has_terms, terms_of
from armdyn.extremes.workspace import Workspace
from armdyn.scalars import Array
from armdyn.scalars.harmonic import Harmonic
from armdyn.studies.loads.arms import Arm

EFFORT = 1_000_000
"""Boxes that a search for one extreme may look at: most need a hundredth of it."""
USUAL = 50
"""Terms of a function; where there are more, boxes are fewer."""
FEWEST = 1000
"""Boxes, where terms are very many."""
BROAD = 1000
"""A search that looks at no more than so many boxes for each term of a function does not look for bounds."""
QUICK = 10
"""A first look, where there are other bounds to be had, is worth so small a part of the effort."""
EXACT = 1e-10
"""Relative: what rounding leaves between the bounds of a constant."""
Progress = Callable[[str, float], None]
FOUND = "its extremes are the most extreme ones found"
ROOTS = f"has no bound: it is no sum of waves in the joints, {FOUND}"


@dataclass
class Search:
    """A search for many extremes over one workspace, which says how far it has come."""

    space: Workspace
    steps: int
    """How many extremes it will look for."""
    effort: int = EFFORT
    progress: Progress | None = None
    done: int = 0
    notes: list[str] = field(default_factory=list[str])

    def __post_init__(self) -> None:
        """Refuse an effort with which nothing can be found, before anything is looked for."""
        check_effort(self.effort)

    def extremes(
        self,
        what: str,
        arm: Arm,
        f: Harmonic,
        *,
        resolution: float | None = None,
        magnitude: Harmonic | None = None,
    ) -> Extremes:
        """The extremes of a function of the joints, certified within a resolution where the effort suffices.

        A magnitude, whose square is given, that the function does not exceed can make its bounds nearer.
        """
        if not has_terms(f, arm.names):
            return self.attained(what, lambda q: arm.at(f, q))
        terms = terms_of(f, arm.names)
        if self._broad(terms):
            return self.attained(what, terms, self._many(terms))
        effort = self._boxes(terms)
        if magnitude is None:
            return self._finished(what, self._bounded(what, terms, effort, resolution))
        found, beyond = self._bounded(what, terms, max(effort // QUICK, 1), resolution), inf
        if not certified(found):
            beyond = self._length(arm, magnitude)
            found = tightened(found, beyond)
        if not certified(found):
            found = tightened(self._bounded(what, terms, effort, resolution), beyond)
        return self._finished(what, found)

    def closer_minimum(self, arm: Arm, f: Harmonic, found: Extremes, resolution: float) -> Extremes:
        """The extremes found, the minimum looked at again within a resolution, where bounds were looked for.

        It is where f is farthest below what it does not exceed.
        """
        low, most = found.minimum, found.maximum.bound
        if not isfinite(most):
            return found
        terms = terms_of(f, arm.names)
        farthest = largest_size(
            Terms.constant(most, terms.n) - terms,
            self.space.box,
            resolution=resolution,
            effort=self._boxes(terms),
        )
        value, bound = float(terms(farthest.q)), max(low.bound, most - farthest.bound)
        lowest = Bound(value, farthest.q, bound, False) if value < low.value else replace(low, bound=bound)
        return checked(lowest, found.maximum)

    def ratio(self, what: str, arm: Arm, f: Harmonic, below: Harmonic) -> Extremes:
        """The extremes of a quotient of two functions; what is below the line is positive."""
        if not (has_terms(f, arm.names) and has_terms(below, arm.names)):
            return self.attained(what, lambda q: arm.at(f, q) / arm.at(below, q))
        over, under = terms_of(f, arm.names), terms_of(below, arm.names)
        if self._broad(over, under):
            return self.attained(what, lambda q: over(q) / under(q), self._many(over, under))
        found = ratio_extremes(
            over, under, self.space.box, effort=self._boxes(over, under), progress=self._reported(what)
        )
        return self._finished(what, found)

    def attained(self, what: str, function: Callable[[Array], Array], why: str = ROOTS) -> Extremes:
        """The most extreme values found of any function; no bound is known."""
        self.notes.append(f"{what} {why}")
        return self._finished(what, attained(function, self.space.box))

    def _bounded(self, what: str, f: Terms, effort: int, resolution: float | None) -> Extremes:
        return extremes(
            f, self.space.box, resolution=resolution, effort=effort, progress=self._reported(what)
        )

    def _length(self, arm: Arm, square: Harmonic) -> float:
        """What the root of a square does not exceed, as far as some effort tells."""
        if not has_terms(square, arm.names) or self._broad(terms := terms_of(square, arm.names)):
            return inf
        most = extremes(terms, self.space.box, effort=max(self._boxes(terms) // QUICK, 1)).maximum.bound
        return sqrt(max(most, 0.0))

    def _boxes(self, *functions: Terms) -> int:
        """Boxes that may be looked at: as many as keep the work the same, whatever the number of terms."""
        return min(self.effort, max(FEWEST, self.effort * USUAL // max(_count(functions), 1)))

    def _broad(self, *functions: Terms) -> bool:
        """Whether there are too many terms to look for bounds with this effort."""
        return _count(functions) > FEWEST and _count(functions) * BROAD > self.effort

    def _many(self, *functions: Terms) -> str:
        needed = _count(functions) * BROAD
        return f"has no bound: it has {_count(functions)} terms, {FOUND}; effort={needed} looks for one"

    def _reported(self, what: str) -> Callable[[float], None]:
        return lambda share: self._report(what, self.done + share)

    def _finished(self, what: str, found: Extremes) -> Extremes:
        self.done += 1
        self._report(what, self.done)
        return found

    def _report(self, what: str, done: float) -> None:
        if self.progress is not None:
            self.progress(what, min(done / self.steps, 1.0))


def certified(found: Extremes) -> bool:
    """Whether both extremes are."""
    return found.minimum.certified and found.maximum.certified


def mapped(found: Extremes, function: Callable[[float], float], *, rising: bool = True) -> Extremes:
    """The extremes of a monotonic function of what has the given extremes."""
    return checked(*_mapped(found, function, rising))


def tightened(found: Extremes, beyond: float) -> Extremes:
    """The extremes of what is known to have no magnitude beyond a number."""
    low, high = found.minimum, found.maximum
    return checked(
        replace(low, bound=min(max(low.bound, -beyond), low.value)),
        replace(high, bound=max(min(high.bound, beyond), high.value)),
    )


def checked(low: Bound, high: Bound) -> Extremes:
    """Extremes that are certified where value and bound agree."""
    within = tolerance(low, high)
    lowest, highest = (
        replace(end, certified=bool(abs(end.bound - end.value) <= within)) for end in (low, high)
    )
    return Extremes(lowest, highest)


def tolerance(low: Bound, high: Bound) -> float:
    """Within which value and bound agree: a thousandth of the range, no less than rounding."""
    return max(RESOLUTION * (high.value - low.value), EXACT * max(abs(low.value), abs(high.value)))


def scaled(found: Extremes, factor: float) -> Extremes:
    """The extremes of so many times what has the given extremes."""
    return Extremes(*_mapped(found, lambda x: factor * x + 0.0, factor >= 0))  # + 0.0: no -0.0


def largest(found: Extremes) -> Bound:
    """The largest magnitude of what has the given extremes."""
    low, high = found.minimum, found.maximum
    beyond = max(abs(low.bound), abs(high.bound))
    if abs(low.value) > abs(high.value):
        return Bound(-low.value, low.q, beyond, low.certified and high.certified)
    return Bound(abs(high.value), high.q, beyond, low.certified and high.certified)


def _mapped(found: Extremes, function: Callable[[float], float], rising: bool) -> tuple[Bound, Bound]:
    """Both ends of a monotonic function; what has no bound keeps none."""
    ends = (found.minimum, found.maximum) if rising else (found.maximum, found.minimum)
    low, high = (
        replace(
            end,
            value=float(function(end.value)),
            bound=float(function(end.bound)) if isfinite(end.bound) else none,
        )
        for end, none in zip(ends, (-inf, inf), strict=True)
    )
    return low, high


def _count(functions: tuple[Terms, ...]) -> int:
    return sum(len(f.cosine) for f in functions)

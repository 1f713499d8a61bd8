"""Errors of an approximation: on postures that it was not fitted to, and bounded over the whole box."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from armdyn.equations.expression import Expression, Polynomial
from armdyn.equations.simplification.candidates import Candidate
from armdyn.equations.simplification.results import Errors
from armdyn.equations.simplification.sampling import Sample
from armdyn.equations.simplification.spelling import monomial_waves
from armdyn.equations.simplification.waves import Joints, Waves, terms
from armdyn.extremes import largest
from armdyn.extremes.terms import Terms
from armdyn.scalars import Array

RESOLUTION = 1e-3
"""How near bound and maximum must be, relative to the quantity's range, to be certified."""
WORK = 100_000_000
"""Boxes times terms that branch and bound may look at: some ten seconds."""
FEWEST_BOXES = 1000
ROUNDING = 1e-9
"""Errors that are rounding, relative to the quantity's largest term."""
ADDED = 1e-12
"""What adding up may round, relative to the sum."""


@dataclass(frozen=True)
class Measured:
    """What errors are measured with: the exact cases, fresh postures, the joints."""

    exact: Sequence[Terms]
    fresh: Sample
    joints: Joints

    def missing(self, candidate: Candidate) -> tuple[Terms, ...]:
        """Exact minus simplified in every case, as functions of the joints."""
        if candidate.exact:
            return tuple(Terms.constant(0.0, len(self.joints.names)) for _ in self.exact)
        return tuple(
            (exact - terms(_polynomial_waves(polynomial), self.joints)).merged(1e-14 * _largest_term(exact))
            for exact, polynomial in zip(self.exact, candidate.polynomials, strict=True)
        )

    def is_nothing(self, missing: Sequence[Terms]) -> bool:
        """Whether only rounding is missing in every case."""
        pairs = zip(missing, self.exact, strict=True)
        return all(_largest_term(error) <= ROUNDING * _largest_term(exact) for error, exact in pairs)

    def sampled(self, case: int, error: Terms, expression: Expression) -> Errors:
        """Mean, 95 % and largest error on the fresh postures; the bound adds up all terms."""
        left: Array = np.abs(self.fresh.values[:, case] - self.fresh.of(expression))
        worst = int(left.argmax())
        bound = max(float(error.sizes(self.joints.box).sum()) * (1 + ADDED), float(left[worst]))
        return self._errors(case, left, float(left[worst]), self.fresh.q[worst], bound)

    def certified(
        self,
        case: int,
        error: Terms,
        expression: Expression,
        effort: int | None,
        progress: Callable[[float], None],
    ) -> Errors:
        """The same, the largest error looked for and bounded by branch and bound."""
        left: Array = np.abs(self.fresh.values[:, case] - self.fresh.of(expression))
        resolution = RESOLUTION * float(self.fresh.ranges[case])
        boxes = max(FEWEST_BOXES, WORK // max(1, len(error.cosine))) if effort is None else effort
        found = largest(error, self.joints.box, resolution=resolution, effort=boxes, progress=progress)
        worst = int(left.argmax())
        value, q = max(
            ((found.value, found.q), (float(left[worst]), self.fresh.q[worst])), key=lambda x: x[0]
        )
        return self._errors(case, left, value, q, max(found.bound, value))

    def _errors(self, case: int, left: Array, maximum: float, q: Array, bound: float) -> Errors:
        size, width = float(self.fresh.mean_values[case]), float(self.fresh.ranges[case])
        mean = float(left.mean())
        return Errors(
            mean=mean,
            p95=float(np.quantile(left, 0.95)),
            maximum=maximum,
            q=q,
            bound=bound,
            certified=bound - maximum <= RESOLUTION * width,
            relative_mean=mean / size,
            relative_range=maximum / width,
        )


def _polynomial_waves(polynomial: Polynomial) -> Waves:
    result: Waves = {}
    for monomial, c in polynomial.items():
        for wave, d in monomial_waves(monomial).items():
            result[wave] = result.get(wave, 0) + c * d
    return result


def _largest_term(function: Terms) -> float:
    return float(function.amplitudes.max(initial=0.0))

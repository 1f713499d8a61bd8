"""Extremes of functions of the joints over a box: attained with a posture, and bounded by branch and bound.

All bounds are widened by 1e-12 of the sum of the terms' largest sizes, and by 1e-15 of it for every radian,
for rounding: once in the coordinates of the search, and once for the way there, where terms may cancel. What
hardly varies is certified where bound and value differ by no more than ten times that.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from armdyn.errors import InputError
from armdyn.extremes.arguments import checked_box, checked_limits
from armdyn.extremes.bounding import Best, Progress, bounded
from armdyn.extremes.climbing import climbed
from armdyn.extremes.coordinates import Coordinates, coordinates
from armdyn.extremes.quotient import Quotient, rounding, upper_bound
from armdyn.extremes.results import Bound, Extremes
from armdyn.extremes.terms import Terms
from armdyn.scalars import Array

EFFORT = 2_000_000
"""Boxes: some seconds for a function of few terms, a minute for one of two hundred."""
RESOLUTION = 1e-3
"""By default, relative to what lies between the lowest and the highest value found."""
ENOUGH = 0.5
"""Of the lowest value below a line is shown to be exceeded."""


def extremes(
    f: Terms,
    box: ArrayLike,
    *,
    resolution: float | None = None,
    effort: int = EFFORT,
    progress: Progress | None = None,
) -> Extremes:
    """The lowest and the highest value of a function over a box.

    Args:
        f: the function.
        box: (n, 2) the joints' ranges; a joint may be locked, with both ends equal [rad or m].
        resolution: how near value and bound must be to be certified; by default 1e-3 of the range found.
        effort: how many boxes may be looked at for each of the two.
        progress: told the share of the work that is done, 0 to 1, again and again.
    """
    checked_limits(resolution, effort)
    at = coordinates([f], checked_box(box, f.n))
    lost = rounding(f, at.joints), 0.0
    return _both(Quotient.plain(at.functions[0]), f, at, lost, resolution, effort, progress)


def ratio_extremes(
    numerator: Terms,
    denominator: Terms,
    box: ArrayLike,
    *,
    resolution: float | None = None,
    effort: int = EFFORT,
    progress: Progress | None = None,
) -> Extremes:
    """The lowest and the highest value of a quotient over a box; arguments as in `extremes`.

    What is below the line must be above 0: where it is not, an InputError says where; where it is as far as
    seen, but the effort is too small to prove it, the bounds are infinite.
    """
    checked_limits(resolution, effort)
    if denominator.n != numerator.n:
        raise InputError(
            f"denominator has {denominator.n} joints, expected {numerator.n} as the numerator has"
        )
    at = coordinates([numerator, denominator], checked_box(box, numerator.n))
    above, below = at.functions
    quotient = Quotient(above, below, _floor(denominator, at, effort), upper_bound(below, at.box))
    lost = rounding(numerator, at.joints), rounding(denominator, at.joints)
    return _both(quotient, lambda q: numerator(q) / denominator(q), at, lost, resolution, effort, progress)


def largest(
    f: Terms,
    box: ArrayLike,
    *,
    resolution: float | None = None,
    effort: int = EFFORT,
    progress: Progress | None = None,
) -> Bound:
    """The largest |f| over a box; arguments as in `extremes`."""
    checked_limits(resolution, effort)
    at = coordinates([f], checked_box(box, f.n))
    up = Quotient.plain(at.functions[0])
    starts = [Best(*climbed(sided, at.box)) for sided in (up, -up)]
    lost = rounding(f, at.joints)
    within = resolution or _resolution(lost, *starts)
    best, bound = max(starts, key=lambda start: start.value), 0.0
    for part, sided in enumerate((up, -up)):
        best = bounded(sided, at.box, best, _nearer(within, lost), effort, _part(progress, part))
        bound = max(bound, best.bound)
    found = _widened(Best(best.value, best.q, bound), lost)
    return _known(found, lambda q: np.abs(f(q)), at, within, 1)


def _both(
    quotient: Quotient,
    function: Callable[[Array], Array],
    at: Coordinates,
    lost: tuple[float, float],
    resolution: float | None,
    effort: int,
    progress: Progress | None,
) -> Extremes:
    """Both extremes of a quotient, which is the given function of the joints in other coordinates.

    lost: what rounding on the way there may have changed above and below the line.
    """
    low, high = (Best(*climbed(sided, at.box)) for sided in (-quotient, quotient))
    changed = lost[0] + lost[1] * max(abs(low.value), abs(high.value))
    slack = changed / quotient.floor if quotient.floor > 0 else 0.0
    within = resolution or _resolution(slack, low, high)
    nearer = _nearer(within, slack)
    low = _widened(bounded(-quotient, at.box, low, nearer, effort, _part(progress, 0)), slack)
    high = _widened(bounded(quotient, at.box, high, nearer, effort, _part(progress, 1)), slack)
    return Extremes(_known(low, function, at, within, -1), _known(high, function, at, within, 1))


def _known(
    best: Best, function: Callable[[Array], Array], at: Coordinates, within: float, sign: int
) -> Bound:
    """What was found, at its posture."""
    q = at.postures(best.q)
    value = float(function(q))
    bound = max(best.bound, sign * value)
    return Bound(value, q, sign * bound, bool(bound - sign * value <= within))


def _nearer(within: float, slack: float) -> float:
    """What a resolution leaves when a bound is widened afterwards."""
    return max(within - slack, within / 2)


def _widened(best: Best, slack: float) -> Best:
    return Best(best.value, best.q, best.bound + slack)


def _resolution(slack: float, low: Best, high: Best) -> float:
    """A thousandth of the range, no less than rounding; low is the highest value of -f."""
    return max(RESOLUTION * (low.value + high.value), 10 * slack, float(np.finfo(float).tiny))


def _floor(denominator: Terms, at: Coordinates, effort: int) -> float:
    """What the denominator is not below; an InputError where it is seen not to be above 0."""
    down = Quotient.plain(-at.functions[1])
    found = Best(*climbed(down, at.box))
    if found.value < 0:
        found = bounded(down, at.box, found, -ENOUGH * found.value, effort)
    if found.value >= 0:
        q = at.postures(found.q)
        where = ", ".join(f"{x:.4g}" for x in q)
        raise InputError(
            f"denominator is {float(denominator(q)):.4g} at q = ({where}), expected above 0 everywhere; "
            "choose a smaller box or another denominator"
        )
    return -found.bound - rounding(denominator, at.joints)


def _part(progress: Progress | None, part: int) -> Progress | None:
    """Progress of one of two searches."""
    return None if progress is None else partial(_told, progress, part)


def _told(progress: Progress, part: int, share: float) -> None:
    progress((part + share) / 2)

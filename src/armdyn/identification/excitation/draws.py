"""Random motions that keep all limits: where a search starts, and what it must be better than."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from armdyn.errors import InfeasibleError
from armdyn.identification.excitation.bases import Basis
from armdyn.identification.excitation.course import Course
from armdyn.identification.excitation.limits import Limit, Limits
from armdyn.scalars import Array

POSTURES = 4096
"""Drawn at once."""
MOST_POSTURES = 50 * POSTURES
"""So many are drawn before it is said that there is none."""
HALVINGS = 8
"""In the search for the largest share of a motion that keeps the limits."""
TINY = np.finfo(float).tiny
SMALLEST = 0.02
"""A motion that must be made smaller than this share is none."""


@dataclass(frozen=True, eq=False)
class Drawn:
    """Random motions, and what states all around them take."""

    basis: Basis
    coefficients: Array
    """(count, size, n)"""
    centres: Array
    """(count, n) the postures around which they are"""

    def course(self, k: int) -> Course:
        """One of them."""
        return Course(self.basis, self.coefficients[k])


def postures(limits: Limits, count: int, rng: np.random.Generator) -> Array:
    """(count, n) postures in which the arm can rest, anywhere in its range.

    Raises:
        InfeasibleError: there is none; knows the limit that is in the way.
    """
    found, have, drawn = list[Array](), 0, 0
    nearest: Array | None = None
    least = np.inf
    while have < count:
        q = rng.uniform(*limits.reach, (POSTURES, len(limits.low)))
        still = np.zeros_like(q)
        most = limits.largest(q, still, still, limits.others) if limits.others else np.zeros(len(q))
        k = int(np.argmin(most))
        if nearest is None or most[k] < least:
            least, nearest = float(most[k]), q[k]
        found.append(q[most < limits.usable])
        have, drawn = have + len(found[-1]), drawn + len(q)
        if drawn >= MOST_POSTURES and not have:
            assert nearest is not None
            raise _nowhere(limits, nearest)
        if drawn >= MOST_POSTURES:
            break
    kept = np.concatenate(found)
    return kept[np.arange(count) % len(kept)]


def _nowhere(limits: Limits, q: Array) -> InfeasibleError:
    """That the arm can rest nowhere, and what is in the way where it nearly can."""
    still = np.zeros((1, len(q)))
    uses = [
        use for use in limits.uses(np.zeros(1), q[None], still, still) if use.quantity not in ("position",)
    ]
    worst = max(uses, key=lambda use: use.share)
    advice = "give another workspace" if worst.quantity == "workspace" else "give other limits"
    said = f"{worst.name} is {worst.value:.4g} where {worst.limit:.4g} is the limit"
    return InfeasibleError(
        f"no posture within the joints' ranges keeps all limits at rest: at best {said}; {advice}",
        quantity=worst.quantity,
        joint=worst.joint,
        required=worst.value,
        limit=worst.limit,
    )


def draw(limits: Limits, basis: Basis, time: Array, count: int, rng: np.random.Generator) -> Drawn:
    """Random motions that keep all limits on a grid.

    Around random postures; the coefficients are normal, and every joint moves by a random share of what its
    own limits allow. Where torques or the tool then exceed theirs, all joints move by so much less; motions
    for which there is no room at all are left out.
    """
    phi = basis.at(time)
    centres = postures(limits, count, rng)
    n = centres.shape[1]
    moving = rng.standard_normal((count, basis.size, n))
    moving -= basis.mean(moving)
    moving *= (rng.uniform(0.0, 1.0, (count, n)) * _joint_shares(limits, phi, moving, centres))[:, None, :]
    shares = _common_shares(limits, phi, moving, centres)
    kept = shares > SMALLEST
    coefficients = basis.one[:, None] * centres[:, None, :] + shares[:, None, None] * moving
    return Drawn(basis, coefficients[kept], centres[kept])


def _joint_shares(limits: Limits, phi: Array, moving: Array, centres: Array) -> Array:
    """(count, n) by how much each joint's motion must be multiplied to use its own limits in full."""
    q, qd, qdd = np.einsum("dts,csn->dctn", phi, moving)
    low, high = limits.reach
    speed, ramp = limits.usable * limits.velocity, limits.usable * limits.acceleration
    taken = (
        (high - centres, q.max(axis=1)),
        (centres - low, -q.min(axis=1)),
        (speed, np.abs(qd).max(axis=1)),
        (ramp, np.abs(qdd).max(axis=1)),
    )
    return np.min([room / np.maximum(peak, TINY) for room, peak in taken], axis=0)


def _common_shares(limits: Limits, phi: Array, moving: Array, centres: Array) -> Array:
    """(count) the largest shares of the motions that keep the limits that all joints share."""
    others = limits.others
    low, high = np.zeros(len(moving)), np.ones(len(moving))
    if not others:
        return high
    low = np.where(_within(limits, others, phi, moving, centres, high), 1.0, low)
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        fits = _within(limits, others, phi, moving, centres, middle)
        low, high = np.where(fits, middle, low), np.where(fits, high, middle)
    return low


def _within(
    limits: Limits, others: tuple[Limit, ...], phi: Array, moving: Array, centres: Array, share: Array
) -> NDArray[np.bool]:
    """(count) whether so much of each motion keeps these limits."""
    q, qd, qdd = np.einsum("dts,csn->dctn", phi, moving) * share[:, None, None]
    return limits.largest(q + centres[:, None], qd, qdd, others).max(axis=1) <= limits.usable

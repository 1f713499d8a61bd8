"""What makes a motion exciting: how well the base parameters can be told from its torques.

With the rows of the base regressor divided by the joints' torques, W, and A = W^T W/rows:

    condition    log cond(W) = (log l_max(A) - log l_min(A))/2   [Siciliano2009] 7.4: as low as can be
    d_optimal    -log det(A)/(2 b)                               the volume of the estimate's ellipsoid

The extreme eigenvalues have kinks where two of them meet, and there the optimum likes to be. On the way
there power means, which bound them, stand for them:

    log l_max <= log(sum l^p)/p,  -log l_min <= log(sum l^-p)/p
"""

from __future__ import annotations

from typing import Any, Literal, get_args

import numpy as np

from armdyn.errors import InputError, suggestion
from armdyn.scalars import Array

CriterionName = Literal["condition", "d_optimal"]
CRITERIA = get_args(CriterionName)
SINGULAR = 1e-15
"""Eigenvalues of A below this share of the largest are rounding: the motion tells nothing about them."""
SMALL = 200_000
"""Multiplications of a matrix product up to which libraries take one thread."""


def check_criterion(name: str) -> None:
    """Refuse what is not known."""
    if name not in CRITERIA:
        hint = suggestion(name, CRITERIA)
        raise InputError(f'criterion "{name}" is unknown; {hint}expected {" or ".join(CRITERIA)}')


def information(W: Array) -> Array:
    """A = W^T W/rows: (..., b, b) of W (..., rows, b).

    A sum of small products: for those no other thread is woken, which takes longer than they do.
    """
    *batch, rows, b = W.shape
    few = max(SMALL // (b * b), 1)
    parts = np.zeros((*batch, -(-rows // few), few, b))
    parts.reshape(*batch, -1, b)[..., :rows, :] = W
    return (np.swapaxes(parts, -1, -2) @ parts).sum(axis=-3) / rows


def condition_number(A: Array) -> Array:
    """cond(W): (...) of A (..., b, b); inf where the motion does not show all parameters."""
    found: Any = np.linalg.eigvalsh(A)
    largest, least = found[..., -1], found[..., 0]
    shown = least > SINGULAR * largest
    return np.where(shown, np.sqrt(largest / np.where(shown, least, 1.0)), np.inf)


def quality(name: CriterionName, A: Array) -> Array:
    """The criterion itself (...) of A (..., b, b): the lower the better."""
    if name == "condition":
        return np.log(condition_number(A))
    sign, logarithm = np.linalg.slogdet(A)
    return np.where(sign > 0, -logarithm / (2 * A.shape[-1]), np.inf)


def smooth_quality(name: CriterionName, A: Array, doublings: int) -> tuple[Array, Array]:
    """The criterion with power means for extremes (...), and its derivatives by A (..., b, b).

    p is 2^doublings: the means are at most log(b)/p above the extremes. Where A is singular the value is inf.
    """
    b = A.shape[-1]
    sign, logarithm = np.linalg.slogdet(A)
    regular = np.asarray((sign > 0) & (np.trace(A, axis1=-2, axis2=-1) > 0) & np.isfinite(logarithm))
    B = np.where(regular[..., None, None], A, np.eye(b))
    inverse: Array = np.asarray(np.linalg.inv(B))
    if name == "d_optimal":
        return np.where(regular, -logarithm / (2 * b), np.inf), -inverse / (2 * b)
    high, by_high = _power_mean(B, doublings)
    low, by_low = _power_mean(inverse, doublings)
    value = np.where(regular & np.isfinite(high + low), 0.5 * (high + low), np.inf)
    return value, 0.5 * (by_high - inverse @ by_low @ inverse)  # d A^-1 = -A^-1 dA A^-1


def _power_mean(A: Array, doublings: int) -> tuple[Array, Array]:
    """log(tr A^p)/p (...) and its derivatives A^(p - 1)/tr A^p (..., b, b), for p = 2^doublings.

    By repeated squaring: A^p = (A^(p/2))^2, A^(p - 1) = A^(p/2 - 1) A^(p/2), each brought to trace one.
    """
    size = _trace(A)
    power, scale = A / size, _log(size)
    before, scale_before = np.broadcast_to(np.eye(A.shape[-1]), A.shape), np.zeros_like(size)
    for _ in range(doublings):
        before, scale_before = before @ power, scale_before + scale
        power, scale = power @ power, 2 * scale
        size = _trace(power)
        power, scale = power / size, scale + _log(size)
    value = scale[..., 0, 0] / 2**doublings
    return value, before * np.exp(scale_before - scale)


def _log(x: Array) -> Array:
    """log(x), NaN where rounding has left a trace below 0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.log(x)


def _trace(A: Array) -> Array:
    return np.trace(A, axis1=-2, axis2=-1)[..., None, None]

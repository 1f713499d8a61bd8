"""Quadratics near a function on boxes of joint positions, and the bounds that follow."""

from __future__ import annotations

from dataclasses import dataclass
from math import pi

import numpy as np

from armdyn.extremes.monomials import near_monomials
from armdyn.extremes.terms import Terms
from armdyn.extremes.waves import near_waves
from armdyn.scalars import Array


@dataclass(frozen=True)
class Model:
    """On box i, d from its centre: |f - (value + gradient . d + d . hessian d / 2)| <= sum of remainder."""

    value: Array
    """(N)"""
    gradient: Array
    """(N, n)"""
    hessian: Array
    """(N, n, n)"""
    remainder: Array
    """(N, n) as far as each joint's width causes it"""
    centre_value: Array
    """(N) of f itself"""


def model(f: Terms, centre: Array, half: Array) -> Model:
    """The models of f on boxes centre -+ half: (N, n)."""
    k, steep = f.frequencies, np.abs(f.frequencies)
    angle, w = centre @ k.T, half @ steep.T
    c, s = np.cos(angle), np.sin(angle)
    wave, slope = c * f.cosine + s * f.sine, c * f.sine - s * f.cosine
    # with x = k . d a term is wave cos x + slope sin x, nearly level + tilt x + bend x^2 / 2
    near = near_waves(w)
    level, tilt, bend = wave * near.level, slope * near.slope, -2 * wave * near.bend
    error = np.abs(wave) * near.cosine_error + np.abs(slope) * near.sine_error
    error = np.where(w > pi, f.amplitudes, error)
    if f.powers.any():
        return _powered(f, centre, half, (wave, level, tilt, bend, error, w))
    share = np.divide(error, w, out=np.zeros_like(error), where=w > 0)
    return Model(level.sum(axis=1), tilt @ k, _outer(bend, k), half * (share @ steep), wave.sum(axis=1))


def _powered(f: Terms, centre: Array, half: Array, waves: tuple[Array, ...]) -> Model:
    """The models where lengths appear: products of near monomials and near waves up to the second order.

    With P = P0 + P1 + P2 + beyond and C = C0 + C1 + C2 + error by orders of d, what is left out is
    P0 error + P1 (C2 + error) + P2 (C1 + C2 + error) + beyond C.
    """
    wave, level, tilt, bend, error, w = waves
    k, steep = f.frequencies, np.abs(f.frequencies)
    near = near_monomials(f.powers, centre, half)
    gradient = (near.value * tilt) @ k
    hessian = _outer(near.value * bend, k)
    linear, quadratic = np.zeros_like(w), np.zeros_like(w)  # largest P1, P2
    widths = w.copy()
    for j, slope in near.slopes.items():
        gradient[:, j] += (slope * level).sum(axis=1)
        crossed = (slope * tilt) @ k
        hessian[:, j, :] += crossed
        hessian[:, :, j] += crossed
        linear += np.abs(slope) * half[:, j, None]
        widths += f.powers[:, j] * _relative(centre, half)[:, j, None]
    for (j, other), second in near.bends.items():
        both = (second * level).sum(axis=1)
        hessian[:, j, other] += both
        hessian[:, other, j] += both if other != j else 0.0
        quadratic += np.abs(second) * (half[:, j] * half[:, other])[:, None] * (0.5 if j == other else 1.0)
    bent = np.abs(bend) / 2 * w**2 + error
    left = np.abs(near.value) * error + linear * bent + quadratic * (np.abs(tilt) * w + bent)
    left += near.beyond * f.amplitudes
    share = np.divide(left, widths, out=np.zeros_like(left), where=widths > 0)
    return Model(
        (near.value * level).sum(axis=1),
        gradient,
        hessian,
        half * (share @ steep) + _relative(centre, half) * (share @ f.powers),
        (near.value * wave).sum(axis=1),
    )


def _outer(weights: Array, k: Array) -> Array:
    """(N, n, n) sum_m weights_m k_m k_m^T."""
    m, n = k.shape
    return (weights @ (k[:, :, None] * k[:, None, :]).reshape(m, n * n)).reshape(len(weights), n, n)


def _relative(centre: Array, half: Array) -> Array:
    """(N, n) half widths against the largest positions."""
    return np.divide(half, np.abs(centre) + half, out=np.zeros_like(half), where=half > 0)


def highest(m: Model, half: Array) -> tuple[Array, Array]:
    """(N) bounds from above, and (N, n) how much a smaller width of each joint promises to lower them.

    |d_j d_l| <= (d_j^2 h_l/h_j + d_l^2 h_j/h_l) / 2 takes the joints apart; each then has its highest value
    inside of its range or at an end.
    """
    n = half.shape[1]
    mixed = np.abs(m.hessian)
    mixed[:, range(n), range(n)] = 0.0
    crossing = half * (mixed @ half[:, :, None])[:, :, 0]  # sum_l |H_jl| h_j h_l
    bend = np.einsum("ijj->ij", m.hessian) * half**2 + crossing
    tilt = np.abs(m.gradient) * half
    inside = np.divide(tilt**2, -2 * bend, out=tilt + bend / 2, where=bend < -tilt)
    # what is too high about a bound is remainder and crossing; half of what lies above the centre beside
    # them has saved a fifth of the boxes in trials
    return m.value + (inside + m.remainder).sum(axis=1), m.remainder + crossing + inside / 2

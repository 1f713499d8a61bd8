"""3x3 matrices under rotation, most of them symmetric: inertia tensors and second moments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from armdyn.scalars import is_literal
from armdyn.spatial.vector import Mat3, dot, matrix, product, times, transpose


def symmetric(element: Callable[[int, int], Any]) -> Mat3:
    """The matrix of these elements, the upper triangle asked for and the lower its mirror."""
    xx, yy, zz = (element(k, k) for k in range(3))
    xy, xz, yz = element(0, 1), element(0, 2), element(1, 2)
    return ((xx, xy, xz), (xy, yy, yz), (xz, yz, zz))


def turned_about_z(c: Any, s: Any, m: Mat3) -> Mat3:
    """Rz m Rz^T of a symmetric m, with t = s (mxx - myy) + 2 c mxy shared by three elements."""
    if _no_turn(c, s):
        return m
    t = s * (m[0][0] - m[1][1]) + c * (m[0][1] + m[0][1])
    st, xy = s * t, c * t - m[0][1]
    xz, yz = c * m[0][2] - s * m[1][2], s * m[0][2] + c * m[1][2]
    return ((m[0][0] - st, xy, xz), (xy, m[1][1] + st, yz), (xz, yz, m[2][2]))


def turned(r: Mat3, m: Mat3) -> Mat3:
    """r m r^T of a symmetric m."""
    rows = matrix(times(m, row) for row in r)  # column j of m r^T

    def element(i: int, j: int) -> Any:
        return dot(r[i], rows[j])

    return symmetric(element)


# Of any matrix --------------------------------------------------------------------------------


def any_turned_about_z(c: Any, s: Any, m: Mat3) -> Mat3:
    """Rz m Rz^T of any m, with t = s (mxx - myy) + c (mxy + myx) shared by four elements."""
    if _no_turn(c, s):
        return m
    t = s * (m[0][0] - m[1][1]) + c * (m[0][1] + m[1][0])
    st, ct = s * t, c * t
    return (
        (m[0][0] - st, ct - m[1][0], c * m[0][2] - s * m[1][2]),
        (ct - m[0][1], m[1][1] + st, s * m[0][2] + c * m[1][2]),
        (c * m[2][0] - s * m[2][1], s * m[2][0] + c * m[2][1], m[2][2]),
    )


def any_turned(r: Mat3, m: Mat3) -> Mat3:
    """r m r^T of any m."""
    return product(product(r, m), transpose(r))


def _no_turn(c: Any, s: Any) -> bool:
    """Whether a turn is none by structure: that of a joint that does not turn."""
    return is_literal(c, 1) and is_literal(s, 0)

"""What every path must be, and where postures lie on one."""

from itertools import pairwise

import numpy as np
from scipy.spatial import KDTree

from armdyn.retiming.path import Curve, JointPath, Piece
from armdyn.retiming.path.joint_path import SAME_DIRECTION
from armdyn.scalars import Array

MEETING = 1e-9
"""[rad or m] Where one piece ends the next begins."""


def ends(curve: Curve) -> tuple[Array, Array, Array]:
    return curve.at(np.array([0.0, curve.length]))


def unit(vector: Array) -> Array:
    return vector / np.linalg.norm(vector)


def check_path(path: JointPath, looks: int = 501) -> None:
    """Pieces meet, with their tangents unless the arm stops; the path is regular everywhere."""
    for before, after in pairwise(path.pieces):
        (_, end), (_, leaving), _ = ends(before.curve)
        (start, _), (entering, _), _ = ends(after.curve)
        np.testing.assert_allclose(start, end, atol=MEETING)
        assert before.stops or np.linalg.norm(unit(leaving) - unit(entering)) <= SAME_DIRECTION
        assert after.move >= before.move
    for piece in path.pieces:
        assert bool(piece.reason) == piece.stops
        assert piece.stops or not piece.wait
        move = path.moves[piece.move - 1]
        assert (move.line, move.kind, move.robot) == (piece.line, piece.kind, piece.robot)
        slopes = np.linalg.norm(piece.curve.at(np.linspace(0.0, piece.curve.length, looks))[1], axis=1)
        assert slopes.min() > 0.01
        assert slopes.max() < 2.1


def check_derivatives(curve: Curve, tolerance: float) -> None:
    """The derivatives are those of the positions, by differences."""
    h = 1e-4 * curve.length
    p = np.linspace(0.02, 0.98, 7) * curve.length
    q, first, second = curve.at(p)
    (ahead, first_ahead, _), (behind, first_behind, _) = curve.at(p + h), curve.at(p - h)
    assert q.shape == first.shape == second.shape == curve.third(p).shape
    size = np.abs(second).max() + 1 / curve.length
    np.testing.assert_allclose((ahead - behind) / (2 * h), first, atol=tolerance)
    np.testing.assert_allclose((first_ahead - first_behind) / (2 * h), second, atol=tolerance * size)


def distance_to(pieces: list[Piece], q: Array, looks: int = 2001) -> Array:
    """(t) how far postures (t, n) are from the nearest of the pieces."""
    nearest = np.full(len(q), np.inf)
    for curve in (piece.curve for piece in pieces):
        grid = np.linspace(0.0, curve.length, looks)
        p = grid[KDTree(curve.at(grid)[0]).query(q)[1]]
        for _ in range(8):
            at, slope, bend = curve.at(p)
            off = at - q
            step = np.sum(off * slope, axis=1) / np.sum(slope**2, axis=1)
            p = np.clip(p - step / np.maximum(1 + np.sum(off * bend, axis=1), 0.5), 0.0, curve.length)
        nearest = np.minimum(nearest, np.linalg.norm(curve.at(p)[0] - q, axis=1))
    return nearest


def samples_off(path: JointPath) -> float:
    """How far the samples of the programmed motion are from the path, each from the pieces of its move."""
    assert path.plan is not None
    worst = 0.0
    for number in sorted({piece.move for piece in path.pieces}):
        q = path.plan.q[path.plan.move == number]
        if len(q):
            worst = max(worst, float(distance_to([p for p in path.pieces if p.move == number], q).max()))
    return worst

"""The rules by which the tool turns along a move: o_var, o_pco and o_pvo."""

from __future__ import annotations

import math

import numpy as np

from armdyn.motion.moves import PathMove, Target
from armdyn.motion.path.arc import Arc
from armdyn.motion.path.line import Line
from armdyn.motion.path.rotations import exponential, is_half_turn, logarithm
from armdyn.motion.path.turning import Turning
from armdyn.scalars import Array

UNLIKE = 1e-3
"""Orientations farther apart than this [rad] are worth a note."""


def turning_along(move: PathMove, curve: Line | Arc, start: Array) -> tuple[Turning, tuple[str, ...]]:
    """How the tool turns along a curve, from the orientation `start` (3, 3), and what to say about it.

    o_var: by the shortest rotation, in proportion to arc length. o_pco: as the path's tangent and normal do,
    so that a line keeps the orientation; what the target says of orientation is not used. o_pvo: through the
    via point's orientation, quadratic in the rotation vectors from there; a line's is o_var's.
    """
    end = rotation_at(move.end, start)
    if move.orientation == "pco":
        fixed = (
            exponential(curve.axis * (curve.length / curve.radius)) if isinstance(curve, Arc) else np.eye(3)
        )
        return _with_the_path(curve, start), _ignored(move, fixed @ start, end)
    if move.orientation == "pvo" and isinstance(curve, Arc) and move.via is not None:
        middle = rotation_at(move.via, start)
        first, last = logarithm(start @ middle.T), logarithm(end @ middle.T)
        notes = (*_half_turn(-first), *_half_turn(last))
        return Turning.past(middle, curve.via, first, last, curve.length), notes
    vector = logarithm(end @ start.T)
    return Turning.steady(start, vector, curve.length), _half_turn(vector)


def turning_on_the_spot(move: PathMove, start: Array) -> tuple[Turning, float, tuple[str, ...]]:
    """How the tool turns where the path has no length, over the angle; that angle [rad], and what to say."""
    end = rotation_at(move.end, start)
    if move.orientation == "pco":
        return Turning.none(start), 0.0, _ignored(move, start, end)
    vector = logarithm(end @ start.T)
    angle = float(np.linalg.norm(vector))
    if angle == 0:
        return Turning.none(start), 0.0, ()
    return Turning.steady(start, vector, angle), angle, _half_turn(vector)


def rotation_at(target: Target, kept: Array) -> Array:
    """R_base_tool (3, 3) at a target: its own, or the one that is kept."""
    return kept if target.rotation is None else np.array(target.rotation, np.float64)


def _with_the_path(curve: Line | Arc, start: Array) -> Turning:
    if isinstance(curve, Line):
        return Turning.none(start)
    return Turning.steady(start, curve.axis, curve.radius)


def _ignored(move: PathMove, reached: Array, given: Array) -> tuple[str, ...]:
    """What to say where the target's orientation is not the one that o_pco leads to."""
    apart = float(np.linalg.norm(logarithm(given @ reached.T)))
    if move.end.rotation is None or apart <= UNLIKE:
        return ()
    whose = f'of "{move.end.name}"' if move.end.name else "of the target"
    return (
        f"the orientation {whose} is not used, o_pco leads to one {math.degrees(apart):.3g} degrees from it",
    )


def _half_turn(vector: Array) -> tuple[str, ...]:
    """What to say where the tool could as well turn the other way."""
    if not is_half_turn(vector):
        return ()
    x, y, z = (float(e) + 0.0 for e in np.round(vector / np.linalg.norm(vector), 4))
    return (f"half a turn can go both ways; the tool turns about ({x:g}, {y:g}, {z:g}) in base axes",)

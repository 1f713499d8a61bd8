"""Distances from the programmed path, against all segments one by one and by hand."""

from __future__ import annotations

import numpy as np
import pytest

from armdyn.feasibility.deviation import EXACT, distances
from armdyn.scalars import Array


def one_by_one(path: Array, points: Array) -> Array:
    """Distances from all segments."""
    a, b = path[:-1], path[1:]
    step = b - a
    length = np.maximum((step * step).sum(axis=1), 1e-300)
    found: list[float] = []
    for point in points:
        share = np.clip(((point - a) * step).sum(axis=1) / length, 0, 1)
        found.append(float(np.linalg.norm(point - a - share[:, None] * step, axis=1).min()))
    return np.array(found)


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("off", [1e-6, 1e-3, 0.05, 1.0])
def test_random_polylines(seed: int, off: float) -> None:
    """Segments of very different lengths, with rests and crossings; points near and far, late by any time."""
    rng = np.random.default_rng(seed)
    steps = rng.normal(size=(300, 3)) * 10 ** rng.uniform(-4, -0.5, (300, 1))
    path = np.repeat(np.cumsum(steps, axis=0), rng.integers(1, 4, 300), axis=0)
    points = path[rng.integers(0, len(path), len(path) + 100)] + off * rng.normal(size=(len(path) + 100, 3))
    found, exact = distances(path, points), one_by_one(path, points)
    assert (found >= exact * (1 - 1e-9) - 1e-15).all()
    assert (found <= exact * (1 + 2 * EXACT) + 1e-15).all()


def test_the_nearest_segment_may_have_far_ends() -> None:
    there, back = np.array([[0.0, 0, 0], [1, 0, 0]]), np.linspace([1, 0.03, 0], [0, 0.03, 0], 200)
    points = np.array([[0.0, 0, 0], [0.5, 0.01, 0]])
    assert distances(np.concatenate([there, back]), points)[1] == pytest.approx(0.01, rel=EXACT)


@pytest.mark.parametrize("late", [50, 150, 300])
def test_an_arm_that_is_late_is_on_its_path(late: int) -> None:
    """On a quarter of a circle, half of it off the chords: by less than their height."""
    angle = np.linspace(0, np.pi / 2, 401)[:, None]
    path = np.hstack([np.cos(angle), np.sin(angle), 0 * angle])
    behind = np.clip(np.arange(401 + late) - late - 0.5, 0, 400)[:, None] / 400 * np.pi / 2
    points = np.hstack([np.cos(behind), np.sin(behind), 0 * behind])
    height = 1 - np.cos(np.pi / 2 / 800)
    assert distances(path, points).max() == pytest.approx(height, rel=0.01)


def test_an_arm_that_stops_short_after_the_end_is_on_its_path() -> None:
    path = np.linspace([0.0, 0, 0], [1, 0, 0], 11)
    points = np.concatenate([path[:1], np.full((500, 3), [0.5, 0, 0])])
    points[-1, 1] = 0.2
    found = distances(path, points)
    assert found[:-1].max() == 0
    assert found[-1] == pytest.approx(0.2)


def test_an_arm_on_the_program_is_off_by_nothing() -> None:
    path = np.random.default_rng(0).normal(size=(50, 3))
    assert not distances(path, np.concatenate([path, path[-1:]])).any()


def test_a_program_that_rests() -> None:
    path = np.tile([1.0, 2, 3], (5, 1))
    assert distances(path, path + np.array([0, 0, 0.25])) == pytest.approx(0.25)
    assert distances(path[:1], path[:1] + np.array([0, 3.0, 4.0])) == pytest.approx(5.0)

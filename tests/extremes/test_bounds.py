"""Bounds at any effort: they hold whatever was found before, and the flag says what it is defined to say."""

from importlib import import_module
from math import fsum, pi

import numpy as np
import pytest

from armdyn.extremes import Bound, Terms, extremes, largest, ratio_extremes
from armdyn.extremes.quotient import Quotient, rounding, upper_bound
from armdyn.extremes.terms import Whole
from armdyn.scalars import Array
from extremes.random_terms import random_points, random_terms

EFFORTS = (1, 10, 100)
SEEDS = range(20)
DENSE = 20_000
ROUNDING = 1e-11
"""Relative to the sum of the coefficients; bounds are widened by 1e-12 of it."""


def function(seed: int) -> tuple[Terms, Array, Array]:
    """A random function, a box, and values all over it."""
    rng = np.random.default_rng(seed)
    f = random_terms(rng, powers=bool(seed % 2))
    low = rng.uniform(-2, 1, f.n)
    box = np.stack([low, low + rng.uniform(0.5, 3, f.n)], axis=1)
    return f, box, f(random_points(rng, box, DENSE))


def quotient(seed: int) -> tuple[Terms, Terms, Array, Array]:
    """A random quotient over a denominator that varies much, a box, and values all over it."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 4))
    above, below = random_terms(rng, n), random_terms(rng, n)
    below = below + Terms.constant(1.02 * below.amplitudes.sum(), n)
    box = np.array([[-pi, pi]] * n)
    q = random_points(rng, box, DENSE)
    return above, below, box, above(q) / below(q)


def flag_is_right(found: Bound, resolution: float) -> bool:
    return found.certified == (abs(found.bound - found.value) <= resolution)


@pytest.fixture
def no_climbing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Values are attained where a search starts, and no higher."""

    def stay(f: Quotient, box: Array, starts: Array | None = None) -> tuple[float, Array]:
        q = box.mean(axis=1) if starts is None else starts[0]
        return float(f(q)), q

    for name in ("extremes", "bounding"):
        monkeypatch.setattr(import_module(f"armdyn.extremes.{name}"), "climbed", stay)


# What holds -------------------------------------------------------------------------------------


@pytest.mark.usefixtures("no_climbing")
@pytest.mark.parametrize("effort", [*EFFORTS, pytest.param(1000, marks=pytest.mark.slow)])
def test_bounds_hold_where_nothing_high_is_found_first(effort: int) -> None:
    for seed in SEEDS:
        f, box, values = function(seed)
        slack = ROUNDING * f.sizes(box).sum()
        for share in (1e-3, 0.1, 0.5):
            resolution = share * float(np.ptp(values)) + slack
            found = extremes(f, box, effort=effort, resolution=resolution)
            assert found.maximum.bound >= values.max() - slack, (seed, share)
            assert found.minimum.bound <= values.min() + slack, (seed, share)
            size = largest(f, box, effort=effort, resolution=resolution)
            assert size.bound >= np.abs(values).max() - slack, (seed, share)


@pytest.mark.usefixtures("no_climbing")
@pytest.mark.parametrize("effort", [100, 1000])
def test_bounds_of_quotients_hold_where_nothing_high_is_found_first(effort: int) -> None:
    for seed in SEEDS:
        above, below, box, values = quotient(seed)
        found = ratio_extremes(
            above, below, box, effort=effort, resolution=0.1 * float(np.ptp(values)) + 1e-9
        )
        assert found.maximum.bound >= values.max() - ROUNDING, seed
        assert found.minimum.bound <= values.min() + ROUNDING, seed


def test_what_a_quotient_does_not_exceed() -> None:
    # N - level D <= excess: N/D <= level + excess/D, with D from 0.5 to 4
    f = Quotient(Terms.constant(1.0, 1), Terms.constant(2.0, 1), 0.5, 4.0)
    assert f.beyond(1.0, 2.0) == 1.0 + 2.0 / 0.5
    assert f.beyond(1.0, -2.0) == 1.0 - 2.0 / 4.0


def test_the_largest_size_has_the_looser_of_both_bounds() -> None:
    rng = np.random.default_rng(7)
    f = sum((random_terms(rng, 4) for _ in range(6)), Terms.constant(0.0, 4))
    up = f + Terms.constant(f.amplitudes.sum(), 4)  # above 0 everywhere: |f| is f, |-f| too
    box, resolution = np.array([[-1.0, 1.0]] * 4), 1e-3
    for effort in (1, 10):
        bound = extremes(up, box, effort=effort, resolution=resolution).maximum.bound
        for signed in (up, -up):
            found = largest(signed, box, effort=effort, resolution=resolution)
            assert found.bound == pytest.approx(bound, rel=ROUNDING)
            assert not found.certified


# What is certified ------------------------------------------------------------------------------


@pytest.mark.usefixtures("no_climbing")
@pytest.mark.slow
def test_certified_is_what_agrees_within_the_resolution() -> None:
    ratios: list[float] = []
    for seed in SEEDS:
        f, box, values = function(seed)
        for effort in EFFORTS:
            for share in (1e-3, 0.03, 0.3):
                resolution = share * float(np.ptp(values)) + 1e-9
                found = extremes(f, box, effort=effort, resolution=resolution)
                for bound in (
                    found.minimum,
                    found.maximum,
                    largest(f, box, effort=effort, resolution=resolution),
                ):
                    assert flag_is_right(bound, resolution), (seed, effort, share)
                    ratios.append(abs(bound.bound - bound.value) / resolution)
    kinds = np.array(ratios)
    assert (kinds <= 1).any()  # the examples are of all kinds, those that just miss among them
    assert ((kinds > 1) & (kinds <= 2)).any()
    assert (kinds > 10).any()


@pytest.mark.usefixtures("no_climbing")
def test_quotients_are_certified_within_the_resolution() -> None:
    for seed in SEEDS:
        above, below, box, values = quotient(seed)
        for effort in EFFORTS:
            resolution = 0.1 * float(np.ptp(values)) + 1e-9
            found = ratio_extremes(above, below, box, effort=effort, resolution=resolution)
            assert flag_is_right(found.maximum, resolution), (seed, effort)
            assert flag_is_right(found.minimum, resolution), (seed, effort)


# Rounding ---------------------------------------------------------------------------------------


def waves_at_rest(rng: np.random.Generator) -> Terms:
    """Forty cosines of sizes far apart, whose sum at 0 is that of their coefficients."""
    k = np.arange(1.0, 41.0)[:, None]
    powers: Whole = np.zeros((40, 1), dtype=np.int64)
    return Terms(k, powers, rng.normal(size=40) * 10.0 ** rng.integers(0, 6, 40), np.zeros(40))


@pytest.mark.usefixtures("no_climbing")
def test_sums_may_round() -> None:
    for seed in SEEDS:
        f = waves_at_rest(np.random.default_rng(seed))
        exactly = fsum(f.cosine.tolist())
        found = extremes(f, [[-1e-13, 1e-13]], effort=10)
        assert found.minimum.bound <= exactly <= found.maximum.bound, seed
        assert upper_bound(f, np.zeros((1, 2))) >= exactly, seed


def test_what_cancels_at_locked_joints_may_round() -> None:
    for seed in SEEDS:
        f = waves_at_rest(np.random.default_rng(seed))
        f = f + Terms(np.array([[41.0]]), np.array([[0]]), np.array([1e-3 - f.cosine.sum()]), np.zeros(1))
        exactly = fsum(f.cosine.tolist())
        for found in (
            extremes(f, np.zeros((1, 2))),
            ratio_extremes(f, Terms.constant(1.0, 1), np.zeros((1, 2))),
        ):
            assert found.minimum.bound <= exactly <= found.maximum.bound, seed
            assert found.maximum.certified
        assert largest(f, np.zeros((1, 2))).bound >= abs(exactly), seed


def test_what_hardly_varies_is_certified() -> None:
    k = np.array([[0.0, 0.0], [1.0, 0.5], [0.5, 1.0]])
    for size in (1e-4, 1e-6, 1e-9, 1e-12):
        f = Terms(k, np.zeros((3, 2), int), np.array([1e3, size, size]), np.zeros(3))
        box = np.array([[-1.0, 2.0], [0.2, 3.0]])
        found = extremes(f, box)
        assert found.minimum.certified, size
        assert found.maximum.certified, size
        assert largest(f, box).certified, size


def test_bounds_are_widened_by_as_much_as_is_said() -> None:
    f = Terms(
        np.array([[3.0, 0.0], [0.0, 0.0]]),
        np.array([[0, 2], [0, 0]]),
        np.array([3.0, 1.0]),
        np.array([4.0, 0.0]),
    )
    box = np.array([[-2.0, 1.0], [0.5, 3.0]])
    sizes = 5.0 * 9.0 + 1.0
    assert rounding(f, box) == pytest.approx(1e-12 * sizes + 1e-15 * (45.0 * 6.0), rel=1e-9)

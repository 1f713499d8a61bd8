"""The two passes beside a linear program of the whole chain, closed forms, toppra, and one another."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from armdyn.errors import InputError, ShapeError
from armdyn.native.processor import Processor, host
from armdyn.retiming.optimal import passes, passes_native, passes_plain
from armdyn.retiming.optimal.passes import Intervals, Profile, fastest
from armdyn.retiming.optimal.passes_problem import Ending
from armdyn.scalars import Array

REST = (0.0, 0.0)
FREE = (0.0, np.inf)
EXACT = 1e-12
"""Closed forms: roundings of a hundred intervals."""
LINEAR = 1e-7
"""HiGHS keeps its constraints to 1e-10, and small coefficients multiply that."""
KEPT = 1e-13
"""Share of its terms by which a limit may be missed: what the forward pass lets it."""
WIDTHS = [width for width in (2, 4, 8) if width <= host().width]


def chain(n: int, m: int, seed: int, gentle: bool = False) -> Intervals:
    """Random limits, a tenth of them on the speed alone, some stops, some changes of the parameter.

    In gentle ones a higher speed at the start of an interval always allows a higher one at its end: then the
    fastest motion is the one with the largest sum of x.
    """
    rng = np.random.default_rng(seed)
    a, b, c = rng.normal(size=(n, m)), rng.normal(size=(n, m)), rng.uniform(0.2, 2, (n, m))
    step = rng.uniform(0.01, 0.1, n)
    if gentle:
        b = np.clip(b, -1, 1) * np.abs(a) / (2 * step[:, None])
    a[rng.random((n, m)) < 0.1] = 0.0
    ratio = np.where(rng.random(n) < 0.2, rng.uniform(0.3, 3, n), 1.0)
    caps = np.where(rng.random((2, n)) < 0.1, 0.0, rng.uniform(0.5, 4, (2, n)))
    return Intervals(step, ratio, a, b, c, *caps)


def straight(n: int, cap: float = np.inf) -> Intervals:
    """A path with |u| <= 1 and one cap on the speed."""
    a = np.tile([1.0, -1.0], (n, 1))
    return Intervals(
        np.full(n, 1 / n), np.ones(n), a, 0 * a, np.ones((n, 2)), np.full(n, cap), np.full(n, cap)
    )


def duration(intervals: Intervals, profile: Profile) -> float:
    moving = profile.x + profile.z > 0
    speeds = np.sqrt(profile.x[moving]) + np.sqrt(profile.z[moving])
    return float(np.sum(2 * intervals.step[moving] / speeds))


def assert_kept(intervals: Intervals, profile: Profile) -> None:
    """Every limit, every cap, and that the intervals hang together."""
    x, u, z = profile.x, profile.u, profile.z
    au, bx = intervals.a * u[:, None], intervals.b * x[:, None]
    assert np.all(au + bx - intervals.c <= KEPT * (np.abs(au) + np.abs(bx) + np.abs(intervals.c)))
    assert np.all((x >= 0) & (x <= intervals.start_cap) & (z >= 0) & (z <= intervals.end_cap))
    assert np.all((profile.lowest <= x) & (x <= profile.highest))
    assert np.all(np.abs(x + 2 * intervals.step * u - z) <= KEPT * np.maximum(x, z))
    assert x[1:] == pytest.approx(intervals.ratio[:-1] * z[:-1], rel=KEPT, abs=0)


# Beside a linear program ----------------------------------------------------------------------


def program(
    chained: Intervals, first: int, weights: Array, start: tuple[float, float], end: tuple[float, float]
) -> Array | None:
    """The x from interval `first` on with the largest weighted sum, if there are any."""
    n, m = len(chained.step) - first, chained.a.shape[1]
    step, ratio = chained.step[first:], chained.ratio[first:]
    rows, bounds = np.zeros((n, m + 2, n, 2)), np.zeros((n, m + 2))
    joints = np.zeros((n - 1, n, 2))
    low, high = np.zeros(n), chained.end_cap[first:].copy()
    low[-1], high[-1] = end[0], min(high[-1], end[1])
    for k in range(n):
        rows[k, :m, k, 0], rows[k, :m, k, 1] = chained.b[first + k], chained.a[first + k]
        rows[k, m, k], rows[k, m + 1, k] = (1, 2 * step[k]), (-1, -2 * step[k])
        bounds[k] = (*chained.c[first + k], min(high[k], 1e3), -low[k])
        if k < n - 1:
            joints[k, k], joints[k, k + 1] = (ratio[k], 2 * step[k] * ratio[k]), (-1, 0)
    ranges = [(0.0, cap) for cap in chained.start_cap[first:]]
    ranges[0] = (start[0], min(start[1], ranges[0][1]))
    found = linprog(
        -np.stack([weights, np.zeros(n)], axis=1).ravel(),
        rows.reshape(-1, 2 * n),
        bounds.ravel(),
        joints.reshape(n - 1, 2 * n),
        np.zeros(n - 1),
        [limits for x in ranges for limits in (x, (None, None))],
        options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
    )
    return None if found.x is None else found.x[::2]


@pytest.mark.parametrize("seed", range(12))
def test_the_controllable_speeds_are_those_of_a_linear_program(seed):
    rng = np.random.default_rng(seed)
    chained = chain(int(rng.integers(1, 10)), int(rng.integers(1, 25)), seed)
    end = (REST, FREE, (0.1, 0.1), (0.0, 0.2))[seed % 4]
    found = fastest(chained, REST, end)
    n = len(chained.step)
    for i in range(n):
        first = np.eye(n - i)[0]
        largest, least = (program(chained, i, sign * first, FREE, end) for sign in (1, -1))
        if np.isnan(found.highest[i]):
            assert found.lost is not None
            assert largest is None
        else:
            assert largest is not None
            assert least is not None
            assert found.highest[i] == pytest.approx(largest[0], rel=LINEAR, abs=LINEAR)
            assert found.lowest[i] == pytest.approx(least[0], rel=LINEAR, abs=LINEAR)


@pytest.mark.parametrize("seed", range(8))
def test_the_fastest_speeds_are_those_of_a_linear_program(seed):
    chained = chain(12, 6, seed, gentle=True)
    found = fastest(chained, REST, FREE)
    expected = program(chained, 0, np.ones(12), REST, FREE)
    assert expected is not None
    assert found.x == pytest.approx(expected, rel=LINEAR, abs=LINEAR)
    assert_kept(chained, found)


# Closed forms ---------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [2, 10, 100])
def test_from_rest_to_rest_is_a_triangle(n):
    path = straight(n)
    found = fastest(path, REST, REST)
    assert duration(path, found) == pytest.approx(2.0, rel=EXACT)
    p = np.linspace(0, 1, n + 1)[:-1]
    assert found.x == pytest.approx(2 * np.minimum(p, 1 - p), rel=EXACT, abs=EXACT)
    assert found.highest == pytest.approx(2 * (1 - p), rel=EXACT)
    assert not found.lowest.any()


def test_with_a_cap_it_is_a_trapezoid():
    path = straight(80, cap=0.25)  # 0.125 to speed up: ten intervals
    found = fastest(path, REST, REST)
    assert duration(path, found) == pytest.approx(2 * 0.5 + 0.75 / 0.5, rel=EXACT)
    assert found.u[[0, 9, 10, 69, 70, 79]] == pytest.approx([1, 1, 0, 0, -1, -1], abs=EXACT)


def test_moving_ends():
    path = straight(40)
    found = fastest(path, (0.5, 0.5), (1.5, 1.5))
    assert (found.x[0], found.z[-1]) == (0.5, 1.5)
    # up from 0.5 to 2 and down to 1.5: v1 + v2 = 2 sqrt(2) - sqrt(0.5) - sqrt(1.5)
    assert duration(path, found) == pytest.approx(2 * 2**0.5 - 0.5**0.5 - 1.5**0.5, rel=EXACT)
    assert found.lowest[0] == 0
    assert fastest(path, (0.5, 0.5), (2.4, 2.4)).lowest[0] == pytest.approx(0.4, rel=EXACT)


def test_free_ends():
    path = straight(50, cap=4.0)
    found = fastest(path, FREE, FREE)
    assert np.all(found.x == 4)
    assert duration(path, found) == pytest.approx(0.5, rel=EXACT)


def test_the_end_may_be_faster_than_anything_limits_the_start():
    found = fastest(straight(50), REST, FREE)
    assert np.all(np.isinf(found.highest))
    assert found.z[-1] == pytest.approx(2.0, rel=EXACT)


def test_a_stop_on_the_way():
    path = straight(40)
    path.end_cap[19] = path.start_cap[20] = 0.0
    found = fastest(path, REST, REST)
    assert (found.z[19], found.x[20]) == (0, 0)
    assert duration(path, found) == pytest.approx(4 * 0.5**0.5, rel=EXACT)


def test_one_interval():
    path = straight(1, cap=9.0)
    found = fastest(path, (0.5, 3.0), (1.0, 1.0))
    assert (found.x[0], found.u[0], found.z[0]) == pytest.approx((3.0, -1.0, 1.0), rel=EXACT)
    still = fastest(path, REST, REST)
    assert (still.x[0], still.u[0], still.z[0], still.lost) == (0, 0, 0, None)


def test_a_speed_limit_that_is_a_row():
    path = straight(80)
    rows = np.tile([0.0, 1.0, 0.25], (80, 1))
    limited = replace(
        path,
        a=np.c_[path.a, rows[:, 0]],
        b=np.c_[path.b, rows[:, 1]],
        c=np.c_[path.c, rows[:, 2]],
    )
    found = fastest(limited, REST, REST)
    assert duration(path, found) == pytest.approx(2.5, rel=EXACT)
    least = replace(
        limited, start_cap=np.ones(80), b=np.c_[path.b, -rows[:, 1]], c=np.c_[path.c, -0.01 * np.ones(80)]
    )
    assert fastest(least, FREE, FREE).lowest == pytest.approx(0.01, rel=EXACT)


def test_other_units_of_the_parameter_change_nothing():
    path = chain(60, 8, 3, gentle=True)
    path = replace(path, ratio=np.ones(60))
    factor = np.where(np.arange(60) < 25, 1.0, 1000.0)  # from there on in mm: x in mm^2
    ratio = np.ones(60)
    ratio[24] = 1000.0**2
    other = Intervals(
        path.step * factor,
        ratio,
        path.a / factor[:, None],
        path.b / factor[:, None] ** 2,
        path.c,
        path.start_cap * factor**2,
        path.end_cap * factor**2,
    )
    ours, theirs = fastest(path, REST, REST), fastest(other, REST, REST)
    assert duration(other, theirs) == pytest.approx(duration(path, ours), rel=1e-9)


# What cannot be -------------------------------------------------------------------------------


def test_limits_that_contradict_each_other_are_named():
    path = straight(20)
    path.c[7] = -1.0, 0.5  # u <= -1 and u >= -0.5
    found = fastest(path, REST, REST)
    assert (found.lost, found.rows) == (7, (0, 1))
    assert np.isnan(found.highest[:8]).all()
    assert np.isfinite(found.highest[8:]).all()
    assert np.isnan([found.x, found.u, found.z]).all()


def test_a_limit_against_the_speeds_beyond_is_named_alone():
    path = straight(20)
    path.c[19] = 1.0, -0.5  # it must speed up, and stand still at the end
    found = fastest(path, REST, REST)
    assert (found.lost, found.rows) == (19, (1,))


def test_two_bounds_of_the_speed_alone_are_named():
    path = straight(20)
    path.a[4], path.b[4], path.c[4] = 0.0, (1.0, -1.0), (1.0, -2.0)
    found = fastest(path, REST, REST)
    assert (found.lost, set(found.rows)) == (4, {0, 1})
    path.b[4], path.c[4] = 0.0, (1.0, -1e-3)  # 0 <= -0.001
    found = fastest(path, REST, REST)
    assert (found.lost, found.rows) == (4, (1,))


def test_a_start_too_fast_to_stop():
    found = fastest(straight(20), (2.1, 2.1), REST)
    assert (found.lost, found.rows) == (0, ())
    assert found.highest[0] == pytest.approx(2.0, rel=EXACT)
    assert fastest(straight(20), (2.0, 2.0), REST).lost is None


def test_an_end_too_fast_to_reach():
    found = fastest(straight(20), REST, (2.1, 2.1))
    assert (found.lost, found.rows) == (0, ())
    assert found.lowest[0] == pytest.approx(0.1, rel=1e-9)


def test_without_limits_it_says_so():
    path = straight(20)
    path.a[12] = 0.0
    with pytest.raises(InputError, match="nothing limits the speed along the path in interval 13 of its 20"):
        fastest(path, REST, FREE)
    assert fastest(path, REST, (0.0, 1.0)).lost is None


def test_bad_input_is_refused():
    path = straight(5)
    broken = replace(path, c=path.c.copy())
    broken.c[3, 1] = np.nan
    with pytest.raises(InputError, match="interval 3 of the path is no number"):
        fastest(broken, REST, REST)
    with pytest.raises(InputError, match=r"step of interval 2 is -1\.0, expected a positive number"):
        fastest(replace(path, step=np.array([1, 1, -1.0, 1, 1])), REST, REST)
    with pytest.raises(InputError, match="start_cap of interval 1 is nan"):
        fastest(replace(path, start_cap=np.array([1, np.nan, 1, 1, 1])), REST, REST)
    with pytest.raises(InputError, match="end is"):
        fastest(path, REST, (2.0, 1.0))
    with pytest.raises(ShapeError, match=r"b has shape \(5, 3\)"):
        fastest(replace(path, b=np.ones((5, 3))), REST, REST)


# Roundings ------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(6))
def test_the_scale_of_a_row_does_not_matter(seed):
    path = chain(200, 12, seed, gentle=True)
    factor = 10 ** np.random.default_rng(seed).uniform(-12, 12, path.a.shape)
    scaled = replace(path, a=path.a * factor, b=path.b * factor, c=path.c * factor)
    ours, theirs = fastest(path, REST, REST), fastest(scaled, REST, REST)
    assert theirs.x == pytest.approx(ours.x, rel=1e-9, abs=1e-12)
    assert_kept(scaled, theirs)


@pytest.mark.parametrize("seed", range(6))
def test_tiny_steps(seed):
    path = chain(200, 12, seed)
    path = replace(path, step=10 ** np.random.default_rng(seed).uniform(-14, -1, 200))
    found = fastest(path, REST, REST)
    assert found.lost is None
    assert_kept(path, found)


def test_rows_that_leave_one_acceleration_only():
    rng = np.random.default_rng(1)
    a, b, u = rng.normal(size=(300, 1)), rng.normal(size=(300, 1)), 0.3
    x = 1 + 2 * 0.01 * u * np.arange(300)[:, None]
    c = a * u + b * x  # the row and its opposite: only x and u on one line
    caps = np.full(300, 10.0)
    path = Intervals(
        np.full(300, 0.01),
        np.ones(300),
        np.hstack([a, -a]),
        np.hstack([b, -b]),
        np.hstack([c, -c]),
        caps,
        caps,
    )
    found = fastest(path, (1.0, 1.0), FREE)
    assert found.lost is None
    assert found.x == pytest.approx(x[:, 0], rel=1e-6)
    closed = replace(path, c=path.c * (1 - 1e-14 * np.sign(path.c)))  # now there is none, but for roundings
    assert fastest(closed, (1.0, 1.0), FREE).lost is None


def test_coefficients_that_are_roundings_limit_the_speed_alone():
    path = straight(80, cap=1.0)
    a, b = np.full((80, 1), 1e-17), np.ones((80, 1))
    limited = replace(
        path, a=np.c_[path.a, a, -a], b=np.c_[path.b, b, b], c=np.c_[path.c, 0.25 * b, 0.25 * b]
    )
    found = fastest(limited, REST, REST)
    assert duration(path, found) == pytest.approx(2.5, rel=EXACT)


# Compiled and plain ---------------------------------------------------------------------------


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("seed", range(8))
def test_compiled_and_plain_passes_agree(width, seed):
    rng = np.random.default_rng(seed)
    path = chain(int(rng.integers(1, 40)), int(rng.integers(0, 40)), seed)
    if seed % 3 == 0 and path.c.size:
        path.c[0] *= -1.0
    problem = passes._problem(path, REST, (REST, FREE)[seed % 2])
    processor = Processor(host().name, host().features, width, host().fused)
    compiled, plain = passes_native.solved(problem, processor), passes_plain.solved(problem)
    assert (compiled.ending, compiled.interval) == (plain.ending, plain.interval)
    assert compiled.table == pytest.approx(plain.table, rel=1e-9, abs=1e-12, nan_ok=True)


def test_plain_passes_alone(monkeypatch):
    monkeypatch.setenv("ARMDYN_NATIVE", "0")
    monkeypatch.setattr(passes_native, "solved", None)
    path = straight(20)
    assert duration(path, fastest(path, REST, REST)) == pytest.approx(2.0, rel=EXACT)
    path.c[7] = -1.0, 0.5
    assert (fastest(path, REST, REST).lost, fastest(path, REST, REST).rows) == (7, (0, 1))


def test_endings_of_the_plain_passes():
    path = straight(20)
    problem = passes._problem(replace(path, a=0 * path.a), REST, FREE)
    assert passes_plain.solved(problem).ending is Ending.UNLIMITED
    path.b[2, 1] = np.nan
    problem = passes._problem(path, REST, REST)
    assert (passes_plain.solved(problem).ending, passes_plain.solved(problem).interval) == (
        Ending.NO_NUMBER,
        2,
    )


# Properties -----------------------------------------------------------------------------------


@given(st.integers(1, 30), st.integers(0, 20), st.integers(0, 2**32 - 1), st.floats(0.01, 100))
@settings(max_examples=40, deadline=None)
def test_limits_are_kept_and_time_scales(n, m, seed, k):
    path = chain(n, m, seed)
    if m == 0:
        path = replace(path, a=np.zeros((n, 0)), b=np.zeros((n, 0)), c=np.zeros((n, 0)))
    found = fastest(path, REST, REST) if m else fastest(path, REST, (0.0, 1.0))
    assert found.lost is None  # standing still is always possible
    assert_kept(path, found)
    # a clock k times as fast: u and x k^2 times as large
    faster = replace(path, c=k**2 * path.c, start_cap=k**2 * path.start_cap, end_cap=k**2 * path.end_cap)
    end = REST if m else (0.0, k**2)
    assert fastest(faster, REST, end).x == pytest.approx(k**2 * found.x, rel=1e-8, abs=1e-10 * k**2)


# Beside toppra --------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(5))
def test_it_takes_as_long_as_toppra_says(seed):
    """The scheme is the same (limits at both ends of an interval), but toppra lowers every x by 1e-8."""
    toppra = pytest.importorskip("toppra")
    toppra.setup_logging("ERROR")
    speed, acceleration = (
        np.array([2.0, 1.5, 2.0, 3.0, 3.0, 4.0]),
        np.array([8.0, 6.0, 8.0, 12.0, 12.0, 15.0]),
    )
    knots = np.random.default_rng(seed).uniform(-2, 2, (6, 6))
    curve, p = toppra.SplineInterpolator(np.linspace(0, 1, 6), knots), np.linspace(0, 1, 201)
    both_ends = toppra.constraint.DiscretizationType.Interpolation
    limits = [
        toppra.constraint.JointVelocityConstraint(np.c_[-speed, speed]),
        toppra.constraint.JointAccelerationConstraint(np.c_[-acceleration, acceleration], both_ends),
    ]
    theirs = toppra.algorithm.TOPPRA(limits, curve, gridpoints=p, solver_wrapper="seidel")
    rate = theirs.compute_parameterization(0, 0, return_data=True)[1]
    path = spline_intervals(curve(p, 1), curve(p, 2), np.diff(p), speed, acceleration)
    ours = duration(path, fastest(path, REST, REST))
    expected = np.sum(2 * np.diff(p) / (rate[:-1] + rate[1:]))
    assert ours == pytest.approx(expected, rel=1e-5)
    assert ours < expected


def spline_intervals(
    first: Array, second: Array, step: Array, speed: Array, acceleration: Array
) -> Intervals:
    """|dq/dp| sqrt(x) <= speed and |dq/dp u + d2q/dp2 x| <= acceleration at both ends of each interval."""
    a, b = np.hstack([first, -first]), np.hstack([second, -second])
    cap = np.min((speed / np.abs(first)) ** 2, axis=1)
    return Intervals(
        step,
        np.ones(len(step)),
        np.hstack([a[:-1], a[1:] + 2 * step[:, None] * b[1:]]),
        np.hstack([b[:-1], b[1:]]),
        np.tile(acceleration, (len(step), 4)),
        cap[:-1],
        cap[1:],
    )

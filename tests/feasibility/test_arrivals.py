"""When moves have been achieved, by hand: a plan of one joint, and motions beside it."""

from __future__ import annotations

import numpy as np
import pytest

from armdyn.feasibility import planned, verify
from armdyn.feasibility.arrivals import arrivals
from armdyn.formats import load
from armdyn.motion import Phase, Plan, PlannedMove
from armdyn.motion.legs import sample_times
from armdyn.program import example_program
from armdyn.scalars import Array

CYCLE = 0.1


def plan_through(name: str, q: Array, moves: tuple[PlannedMove, ...], cycle: float = CYCLE) -> Plan:
    """A robot's plan through q (t, n)."""
    robot, whole = load(name), np.ones(len(q), dtype=np.int64)
    phases = (Phase(robot, 0, len(q)),)
    time = sample_times(len(q), cycle)
    return Plan(robot, cycle, time, q, whole, whole, moves, phases, (), moves[-1].end, ())


def plan_of(q: Array, *ends: tuple[float, float, bool], cycle: float = CYCLE) -> Plan:
    """A plan of the pendulum through q (t), with moves that end at (time, position, whether it stops)."""
    starts = [0.0, *(end for end, _, _ in ends)]
    moves = tuple(
        PlannedMove(k + 1, "ptp", starts[k], end, np.array([place]), stops)
        for k, (end, place, stops) in enumerate(ends)
    )
    return plan_through("pendulum", q[:, None], moves, cycle)


def achieved(plan: Plan, q: Array) -> list[float | None]:
    return arrivals(plan, q[:, None])


STEADY = np.arange(21) / 10
"""One rad/s for two seconds."""
THERE_AND_BACK = np.concatenate([np.arange(10) / 10, 1 - np.arange(11) / 10])
"""To 1 and back to 0, in one second each."""


def test_on_time_the_moves_end_when_programmed_between_samples_too() -> None:
    plan = plan_of(STEADY, (0.55, 0.55, False), (1.23, 1.23, False), (2.0, 2.0, True))
    assert achieved(plan, STEADY) == [0.55, 1.23, 2.0]


def test_a_stop_between_two_samples_counts_on_time() -> None:
    """The samples before and after it are both farther than 1e-4 from it, on the same side."""
    time = sample_times(21, CYCLE)
    q = 1 - (time - 1.05) ** 2
    plan = plan_of(q, (1.05, 1.0, True), (2.0, q[-1], True))
    assert achieved(plan, q) == [1.05, 2.0]


def test_a_late_stop_is_achieved_when_the_arm_comes_there() -> None:
    plan = plan_of(STEADY[:11], (1.0, 1.0, True))
    late = np.concatenate([np.arange(26) / 20, np.full(5, 1.25)])  # half as fast, past the end
    assert achieved(plan, late) == [pytest.approx(2.0)]
    slow = np.minimum(np.arange(40) / 17, 1.0)
    assert achieved(plan, slow) == [pytest.approx(1.7)]
    assert achieved(plan, np.minimum(slow, 0.9)) == [None]


@pytest.mark.parametrize(("short", "arrives"), [(0.9e-4, True), (1.1e-4, False), (5e-4, False)])
def test_within_a_ten_thousandth(short: float, arrives: bool) -> None:
    plan = plan_of(STEADY[:11], (1.0, 1.0, True))
    q = np.minimum(np.arange(30) / 12, 1.0 - short)
    assert (achieved(plan, q)[0] is not None) == arrives


def test_a_stop_that_is_cut_short_is_never_achieved_though_the_next_is() -> None:
    plan = plan_of(THERE_AND_BACK, (1.0, 1.0, True), (2.0, 0.0, True))
    assert achieved(plan, np.minimum(THERE_AND_BACK, 0.8)) == [None, 2.0]


def test_passing_the_place_of_a_missed_stop_later_does_not_count() -> None:
    """Back on the programmed motion it has been missed, and when a later move has been achieved too."""
    q = np.concatenate([THERE_AND_BACK, THERE_AND_BACK[1:]])
    ends = (1.0, 1.0, True), (2.0, 0.0, True), (3.0, 1.0, True), (4.0, 0.0, True)
    first = np.concatenate([np.minimum(THERE_AND_BACK, 0.8), THERE_AND_BACK[1:]])
    assert achieved(plan_of(q, *ends), first) == [None, 2.0, 3.0, 4.0]
    late = np.concatenate([np.minimum(THERE_AND_BACK, 0.8)[:1], first])[:-1]  # one cycle late all along
    assert achieved(plan_of(q, *ends), late) == [
        None,
        pytest.approx(2.1),
        pytest.approx(3.1),
        None,
    ]


def test_passing_the_place_of_a_missed_stop_within_the_next_move_does_not_count() -> None:
    q = np.concatenate([THERE_AND_BACK, np.arange(1, 16) / 10])  # back to 0, then to 1.5 in one move
    plan = plan_of(q, (1.0, 1.0, True), (3.5, 1.5, True))
    run = np.concatenate([np.minimum(THERE_AND_BACK, 0.8), q[21:]])
    assert achieved(plan, run) == [None, 3.5]


def test_no_move_is_achieved_before_its_programmed_end() -> None:
    plan = plan_of(STEADY, (0.55, 0.55, False), (2.0, 2.0, True))
    early = np.minimum(STEADY + 0.02, 2.0)
    assert achieved(plan, early) == [0.55, 2.0]


def test_the_sample_at_the_end_itself_counts() -> None:
    """0.3 s is the third sample, though 0.3/0.1 is less than 3 by rounding; the arm is off by then."""
    plan = plan_of(STEADY, (0.3, 0.3, True), (2.0, 2.0, True))
    run = STEADY.copy()
    run[3:8] = [0.29, 0.295, 0.295, 0.3, 0.5]
    assert achieved(plan, run) == [pytest.approx(0.6), 2.0]


def test_a_passed_end_is_achieved_when_the_arm_is_back_on_the_programmed_motion() -> None:
    """Two joints, so that the arm passes the end at a distance."""
    q = np.stack([STEADY, 0 * STEADY], axis=1)
    moves = (
        PlannedMove(1, "lin", 0.0, 1.0, np.array([1.0, 0.0]), stops=False),
        PlannedMove(2, "lin", 1.0, 2.0, np.array([2.0, 0.0]), stops=True),
    )
    plan = plan_through("planar2", q, moves)
    off = q.copy()
    off[8:15, 1] = 0.01
    assert arrivals(plan, off) == [pytest.approx(1.5), 2.0]
    off[8:, 1] = 0.01
    assert arrivals(plan, off) == [None, None]
    held = np.concatenate([off, [[2.0, 0.005], [2.0, 0.0]]])
    assert arrivals(plan, held) == [pytest.approx(2.2)] * 2


def test_an_end_passed_off_the_program_is_behind_when_a_later_stop_is_reached() -> None:
    """The stop is reached before the arm is back on the programmed motion, which goes on from it."""
    q = np.stack([np.concatenate([STEADY, STEADY[-2::-1]]), np.zeros(41)], axis=1)
    moves = (
        PlannedMove(1, "lin", 0.0, 1.0, np.array([1.0, 0.0]), stops=False),
        PlannedMove(2, "lin", 1.0, 2.0, np.array([2.0, 0.0]), stops=True),
        PlannedMove(3, "lin", 2.0, 4.0, np.array([0.0, 0.0]), stops=True),
    )
    plan = plan_through("planar2", q, moves)
    run = q.copy()
    run[8:21, 1] = 0.01
    run[21:24] = [[1.95, 0.005], [2.0, 0.0], [1.9, 0.0]]
    assert arrivals(plan, run) == [pytest.approx(2.2), pytest.approx(2.2), 4.0]


@pytest.mark.parametrize("cycle", [0.1, 0.02, 0.01, 0.003])
def test_a_lag_that_begins_at_an_end_belongs_to_the_next_move(cycle: float) -> None:
    """At a corner in time: programmed is 3 rad/s from 0.95 s on, the arm goes on with 1 rad/s for a while."""
    time = sample_times(round(2 / cycle) + 1, cycle)
    q = np.where(time < 0.95, time, 0.95 + 3 * (time - 0.95))
    run = np.where(time < 1.5, time, q)
    plan = plan_of(q, (0.95, 0.95, False), (float(time[-1]), float(q[-1]), True), cycle=cycle)
    assert achieved(plan, run) == [0.95, float(time[-1])]


def test_achieved_ends_of_the_lola15_program_do_not_depend_on_the_cycle() -> None:
    program, force = example_program("lola15"), [100.0, 100.0, -150.0, 0.0, 0.0, 0.0]
    coarse, fine = (verify(planned(program, cycle=cycle), wrench=force) for cycle in (0.01, 0.002))
    for a, b in zip(coarse.moves, fine.moves, strict=True):
        assert a.achieved_end == pytest.approx(b.achieved_end, abs=0.01)

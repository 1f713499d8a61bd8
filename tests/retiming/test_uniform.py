"""One factor for the whole motion, beside inverse dynamics computed again at every speed."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import brentq

from armdyn.dynamics import Dynamics
from armdyn.errors import InputError
from armdyn.feasibility import verify
from armdyn.feasibility.arm import Arm
from armdyn.feasibility.demand import Demand
from armdyn.feasibility.verify import planned
from armdyn.feasibility.violations import violations
from armdyn.formats import load
from armdyn.motion import ChangePayload, JointTarget, Phase, Plan, PlannedMove, PointToPoint, Wait, plan
from armdyn.motion.legs import sample_times
from armdyn.motion.planned import Problem
from armdyn.retiming.intervals import SLOWEST
from armdyn.retiming.uniform import Active, Uniform, slowed_plan, uniform
from armdyn.robot import BASE, Body, Friction, Joint, Motor, Payload, Robot
from armdyn.robot.joint import Limits
from armdyn.spatial import Inertia
from armdyn.spatial.vector import ZERO, diagonal
from random_robots import Features, robots

SAME = 1e-9
"""Relative: the factor, and what brute force finds by bisection on rounded torques."""
NEAR = 1e-10
"""Shares nearer to 1 than this may be on either side by rounding."""
GRID = np.geomspace(1e-3, 1e3, 3000)
"""Speeds that brute force looks at, every 0.5 %."""
LOADED = Features(bodies=4, friction=True, nonlinear=False)
"""Friction of all kinds at joints and, under the load that joints and their friction make, at motors."""
BENT = Features(bodies=4, friction=True)
"""Gears whose ratio changes with the posture; friction at motors does not depend on the load."""
FEWER = settings().max_examples // 6
"""Examples of what the comparison with brute force tells as well, another way."""
RUBBING = st.one_of(robots(LOADED), robots(LOADED).filter(lambda robot: bool(robot.drives)), robots(BENT))
SAMPLES = 12
ROUNDING = 1e-12
"""By how much a share may exceed 1 at the factor."""


# Random robots and motions --------------------------------------------------------------------


def with_limits(robot: Robot, rng: np.random.Generator) -> Robot:
    """Limits of every kind, some of them unknown."""

    def some(low: float, high: float, known: float = 0.6) -> float | None:
        return float(rng.uniform(low, high)) if rng.random() < known else None

    bodies = tuple(
        replace(
            body,
            joint=replace(
                body.joint,
                limits=Limits(None, some(1, 30), some(5, 300), some(100, 300)),
            ),
        )
        for body in robot.bodies
    )
    drives = tuple(replace(drive, motor=random_motor(rng)) for drive in robot.drives)
    return replace(robot, bodies=bodies, drives=drives)


def random_motor(rng: np.random.Generator) -> Motor:
    """A peak torque, one that falls with the speed, a current, or several at once."""
    kinds: list[dict[str, float]] = [
        {"peak_torque": 15.0},
        {"stall_torque": 20.0, "torque_constant": 0.3, "maximum_voltage": 15.0},
        {"torque_constant": 0.3, "maximum_current": 50.0, "resistance": 0.2, "maximum_voltage": 15.0},
        {"maximum_speed": 30.0},
    ]
    chosen = [kind for kind in kinds if rng.random() < 0.5] or kinds[:1]
    return Motor(**{name: value * rng.uniform(0.7, 1.5) for kind in chosen for name, value in kind.items()})


def random_plan(robot: Robot, rng: np.random.Generator, cycle: float = 0.05) -> Plan:
    """Some joints move, rest and move back; the motion starts and ends at rest."""
    steps = rng.normal(0.0, 0.1, (SAMPLES, robot.n)) * (rng.random((SAMPLES, robot.n)) < 0.7)
    steps[[0, 5, 6, SAMPLES - 1]] = 0.0
    q = rng.uniform(-2, 2, robot.n) + np.cumsum(steps, axis=0)
    time = sample_times(SAMPLES, cycle)
    move = PlannedMove(1, "samples", 0.0, float(time[-1]), q[-1], stops=True)
    ones = np.ones(SAMPLES, dtype=np.int64)
    half = SAMPLES // 2
    phases = (Phase(robot, 0, half), Phase(robot.with_payload(0.7), half, SAMPLES))
    return Plan(robot, cycle, time, q, ones, ones, (move,), phases, (), float(time[-1]), ())


def arms_of(some: Plan, wrench: Any = None) -> list[Arm]:
    return [Arm(Dynamics(phase.robot, friction=True), wrench) for phase in some.phases]


# Brute force ----------------------------------------------------------------------------------


def largest_share(demand: Demand, r: np.ndarray, margin: float = 0.0) -> np.ndarray:
    """(m) of all limits of all samples, by inverse dynamics at multiples (m) of the speed."""
    largest = np.zeros(len(r))
    for arm, phase in zip(demand.arms, demand.plan.phases, strict=True):
        rows = slice(phase.first, phase.last)
        q, qd = demand.q[rows], r[:, None, None] * demand.qd[rows]
        qdd = r[:, None, None] ** 2 * demand.qdd[rows]
        speed = arm.speed(q, qd)
        motors = arm.actuators
        shares = [motors.share(speed, arm.torque(q, qd, qdd)), np.abs(speed) / motors.speed_limits]
        limits = [joint.limits for joint in arm.dyn.robot.joints]
        known: list[tuple[Any, list[float | None]]] = [
            (qd, [limit.velocity for limit in limits]),
            (qdd, [limit.acceleration for limit in limits]),
        ]
        if arm.actuators.geared:
            known.append((arm.joint_torque(q, qd, qdd), [limit.effort for limit in limits]))
        shares += [np.abs(x) / np.array([limit or np.inf for limit in row]) for x, row in known]
        largest = np.max([largest, *(share.max(axis=(1, 2)) for share in shares)], axis=0)
    return largest / (1 - margin)


def by_brute_force(demand: Demand, margin: float = 0.0) -> float | None:
    """The largest multiple of the speed, if it is on the grid."""
    possible = np.flatnonzero(largest_share(demand, GRID, margin) <= 1)
    if not len(possible):
        return None
    k = int(possible[-1])
    if k == len(GRID) - 1:
        return math.inf

    def excess(r: float) -> float:
        return float(largest_share(demand, np.array([r]), margin)[0]) - 1

    root: Any = brentq(excess, GRID[k], GRID[k + 1], xtol=1e-15, rtol=np.float64(1e-14))
    return root


def worst(found: Uniform, r: float) -> float:
    return max(float(np.abs(share).max()) for _, _, share in found.shares(r))


@pytest.mark.numpy
@settings(max_examples=settings().max_examples // 3)
@given(RUBBING, st.integers(0, 2**32 - 1))
def test_the_factor_is_that_of_brute_force(robot: Robot, seed: int) -> None:
    rng = np.random.default_rng(seed)
    robot = with_limits(robot, rng)
    wrench = rng.normal(0, 5, 6) if rng.random() < 0.3 else None
    margin = float(rng.choice([0.0, 0.1]))
    motion = random_plan(robot, rng)
    demand = Demand.of(motion, arms_of(motion, wrench))
    found = uniform(demand, margin=margin)
    expected = by_brute_force(demand, margin)
    if expected is None or math.isinf(expected):
        assert found.r == expected
    else:
        assert found.r == pytest.approx(expected, rel=SAME)
        assert worst(found, expected) <= 1 + SAME
        assert found.active(found.r or 0.0)
        assert worst(found, found.r or 0.0) <= 1 + ROUNDING
    assert bool(found.hindrances) == (largest_share(demand, np.array([SLOWEST]), margin)[0] > 1)


@pytest.mark.numpy
@settings(max_examples=FEWER)
@given(RUBBING, st.integers(0, 2**32 - 1))
def test_the_slowed_plan_breaks_no_limit_and_a_little_faster_it_does(robot: Robot, seed: int) -> None:
    rng = np.random.default_rng(seed)
    motion = random_plan(with_limits(robot, rng), rng)
    arms = arms_of(motion)
    r = uniform(Demand.of(motion, arms)).r
    if r is not None and math.isfinite(r):
        for factor, feasible in ((1, True), (1.000001, False)):
            slowed = slowed_plan(motion, factor * r)
            found = Demand.of(slowed, arms)
            # above its no-load speed a motor must brake, and enough: shares see that, violations do not
            assert (not violations(slowed, found) and bool((found.share <= 1 + SAME).all())) == feasible


@pytest.mark.numpy
@settings(max_examples=FEWER)
@given(RUBBING, st.integers(0, 2**32 - 1))
def test_the_motion_is_possible_in_the_intervals_and_only_there(robot: Robot, seed: int) -> None:
    rng = np.random.default_rng(seed)
    motion = random_plan(with_limits(robot, rng), rng)
    demand = Demand.of(motion, arms_of(motion))
    found = uniform(demand)
    share = largest_share(demand, GRID)
    inside = np.any([(low <= GRID) & (high >= GRID) for low, high in [*found.intervals, (-1, -1)]], axis=0)
    clear = np.abs(share - 1) > NEAR
    assert (inside == (share <= 1))[clear].all()


# By hand --------------------------------------------------------------------------------------

WEIGHT = 2 * 9.81


def lift(effort: float | None, viscous: float = 0.0, coulomb: float = 0.0, **others: Any) -> Robot:
    """A carriage of 2 kg that goes up and down: tau = 2 qdd + weight + viscous qd + coulomb sign(qd)."""
    joint = Joint(
        "z",
        "prismatic",
        limits=Limits(effort=effort, **others),
        friction=Friction(viscous, coulomb),
    )
    return Robot("lift", (Body("carriage", joint, BASE, Inertia(2.0, ZERO, diagonal(1.0, 1.0, 1.0))),))


def asked(robot: Robot, qd: list[float], qdd: list[float], *problems: Problem) -> Demand:
    """Velocities and accelerations at samples of a plan, one every 0.1 s, in line 7."""
    t = len(qd)
    time = sample_times(t, 0.1)
    ones = np.ones(t, dtype=np.int64)
    move = PlannedMove(7, "samples", 0.0, float(time[-1]), np.zeros(1), stops=True)
    motion = Plan(
        robot,
        0.1,
        time,
        np.zeros((t, 1)),
        ones,
        7 * ones,
        (move,),
        (Phase(robot, 0, t),),
        problems,
        time[-1],
        (),
    )
    columns = (np.array(x, dtype=float)[:, None] for x in (qd, qdd))
    return Demand(motion, [Arm(Dynamics(robot, friction=True))], np.arange(t), *columns)


def test_acceleration_takes_what_gravity_leaves() -> None:
    found = uniform(asked(lift(30.0), [0.0, 0.0], [5.0, -4.0]))
    r = math.sqrt((30 - WEIGHT) / 10)
    assert found.intervals == ((0.0, pytest.approx(r, rel=1e-15)),)
    assert found.active(found.r or 0.0) == (Active("motor_torque", 1, 1, 0, 0.0, 7),)
    assert found.feasible_as_is
    assert found.slowed == 1.0
    assert uniform(asked(lift(30.0), [0.0, 0.0], [5.0, -4.0]), margin=0.2).r == pytest.approx(
        math.sqrt((24 - WEIGHT) / 10), rel=1e-14
    )


def test_viscous_friction_goes_with_the_speed() -> None:
    # 10 r^2 + 2 r + weight = 30
    found = uniform(asked(lift(30.0, viscous=0.5), [4.0], [5.0]))
    assert found.r == pytest.approx((-2 + math.sqrt(4 + 40 * (30 - WEIGHT))) / 20, rel=1e-14)


def test_speeds_and_accelerations_of_joints_and_the_speed_of_the_tool() -> None:
    robot = lift(None, velocity=3.0, acceleration=16.0)
    assert uniform(asked(robot, [1.5, -2.0], [0.0, 0.0])).r == pytest.approx(1.5)
    found = uniform(asked(robot, [0.5, 0.0], [0.0, -4.0]))
    assert found.r == pytest.approx(2.0)
    assert found.active(2.0) == (Active("joint_acceleration", 1, -1, 1, 0.1, 7),)
    found = uniform(asked(robot, [0.5, 0.0], [0.0, -4.0]), tool_speed=0.25)
    assert found.slowed == found.r == pytest.approx(0.5)
    assert found.active(0.5) == (Active("tool_speed", None, 1, 0, 0.0, 7),)


def test_between_two_intervals_the_motion_is_not_possible() -> None:
    # weight + 30 r - 10 r^2: above 40 in the middle, below -40 in the end
    demand = asked(lift(40.0, viscous=3.0), [10.0], [-5.0])
    found = uniform(demand)
    middle = math.sqrt(900 - 40 * (40 - WEIGHT))
    end = (30 + math.sqrt(900 + 40 * (40 + WEIGHT))) / 20
    assert found.intervals == (
        (0.0, pytest.approx((30 - middle) / 20)),
        (pytest.approx((30 + middle) / 20), pytest.approx(end)),
    )
    assert found.r == pytest.approx(end)
    assert found.active(found.r or 0.0)[0].side == -1


def test_falling_fast_enough_takes_less_than_resting() -> None:
    """15 N do not hold the carriage, but they brake it when it falls: (weight - 10 r^2) within 15 N."""
    found = uniform(asked(lift(15.0), [-3.0], [-5.0]))
    low, high = math.sqrt((WEIGHT - 15) / 10), math.sqrt((WEIGHT + 15) / 10)
    assert found.intervals == ((pytest.approx(low), pytest.approx(high)),)
    assert found.feasible_as_is
    assert found.hindrances[0].relief == pytest.approx(low)
    assert "less only from 0.6797 times the speed on" in found.hindrances[0].sentence
    slower = uniform(asked(lift(15.0), [-1.0], [-1.25]))
    assert not slower.feasible_as_is
    assert slower.slowed is None
    assert slower.r == pytest.approx(2 * high)
    faster = uniform(asked(lift(15.0), [-12.0], [-80.0]))
    assert faster.slowed == faster.r == pytest.approx(high / 4)


def test_where_gravity_alone_is_too_much_no_speed_helps() -> None:
    found = uniform(asked(lift(15.0, coulomb=0.18), [0.0, -1.0, 1.0], [0.0, -5.0, 3.0]))
    assert found.intervals == ()
    assert found.r is found.slowed is None
    (hindrance,) = found.hindrances
    assert hindrance.required == pytest.approx(19.8)
    assert hindrance.limit == 15.0
    assert hindrance.time == pytest.approx(0.2)
    assert hindrance.sentence == (
        "gravity and friction alone take 132 % of joint 1's torque at 0.200 s (line 7): no speed helps"
    )


def test_postures_that_no_speed_mends() -> None:
    outside = Problem(7, 1, 1, (0.0, 0.2), "position", 2.61, 2.4, -0.21, 0.1)
    singular = replace(outside, joint=None, quantity="singularity")
    found = uniform(asked(lift(30.0), [0.0], [1.0], outside, singular))
    assert found.r is found.slowed is None
    assert not found.feasible_as_is
    assert [hindrance.sentence for hindrance in found.hindrances] == [
        "joint 1 has to go to 2.61 m, beyond its limit of 2.4 m, at 0.100 s (line 7): no speed helps",
        "the arm is too near a singular posture at 0.100 s (line 7): no speed helps",
    ]


def test_nothing_limits_what_has_no_limits_or_does_not_move() -> None:
    for demand in (asked(lift(None), [1.0], [2.0]), asked(lift(30.0), [0.0, 0.0], [0.0, 0.0])):
        found = uniform(demand)
        assert found.intervals == ((0.0, math.inf),)
        assert found.r == math.inf
        assert found.active(math.inf) == ()
        assert found.slowed == 1.0


def test_what_is_at_its_limit_but_for_rounding_is_feasible_as_it_is() -> None:
    found = uniform(asked(lift(None, acceleration=2.0), [0.0], [2.0 * (1 + 1e-7)]))
    assert found.feasible_as_is
    assert found.slowed == 1.0
    assert found.r == pytest.approx(1 - 5e-8, rel=1e-12)


@pytest.mark.parametrize(
    "options",
    [{"margin": 1.0}, {"margin": -0.1}, {"tool_speed": 0.0}],
)
def test_options_that_make_no_sense_are_refused(options: dict[str, float]) -> None:
    with pytest.raises(InputError, match="expected"):
        uniform(asked(lift(30.0), [0.0], [1.0]), **options)


# Plans ----------------------------------------------------------------------------------------


def test_without_friction_torques_beside_gravity_go_with_the_square() -> None:
    """[Siciliano2009] (7.126) with r(t) = c t: tau_s(t) = c^2 tau_s(c t)."""
    motion = work()
    arms = [Arm(Dynamics(phase.robot, friction=False)) for phase in motion.phases]
    before = Demand.of(motion, arms)
    still = np.zeros_like(motion.q)
    gravity = replace(before, qd=still, qdd=still).torque
    for c in (0.25, 1.7):
        after = Demand.of(slowed_plan(motion, c), arms)
        assert after.torque - gravity == pytest.approx(c * c * (before.torque - gravity), rel=1e-9, abs=1e-11)


def test_a_slowed_plan_is_the_plan_in_another_time() -> None:
    motion = work()
    slow = slowed_plan(motion, 0.4)
    assert slow.cycle == motion.cycle / 0.4
    assert slow.duration == motion.duration / 0.4
    assert slow.time == pytest.approx(motion.time / 0.4)
    assert slow.q is motion.q
    assert slow.phases == motion.phases
    for a, b in zip(slow.moves, motion.moves, strict=True):
        assert (a.start, a.end) == (b.start / 0.4, b.end / 0.4)
    outside = Problem(7, 1, 1, (0.0, 0.2), "position", 2.61, 2.4, -0.21, 0.1)
    (problem,) = slowed_plan(replace(motion, problems=(outside,)), 0.5).problems
    assert (problem.time, problem.worst_time) == ((0.0, 0.4), 0.2)


@pytest.mark.parametrize("r", [0.0, -1.0, math.inf, math.nan])
def test_a_plan_runs_at_finite_speeds(r: float) -> None:
    with pytest.raises(InputError, match="times its speed"):
        slowed_plan(work(), r)


def work(name: str = "lola15") -> Plan:
    """Two moves of an arm with a rest between them, the second with a load."""
    robot = load(name)
    goals = (JointTarget(tuple(np.array(robot.home) + x)) for x in (0.4, -0.2))
    first, second = (PointToPoint(line, goal) for line, goal in zip((1, 4), goals, strict=True))
    brick = Payload(robot.tool.body, Inertia(3.0, (0.0, 0.0, 0.1), diagonal(0.02, 0.02, 0.02)))
    return plan(robot, [first, Wait(2, 0.3), ChangePayload(3, brick), second])


@pytest.mark.parametrize("name", ["lola15", "ur5", "panda"])
def test_the_feasibility_check_agrees(name: str) -> None:
    motion = work(name)
    found = uniform(verify(motion).demand)
    assert found.r is not None
    assert verify(slowed_plan(motion, found.r)).feasible
    assert not verify(slowed_plan(motion, found.r * 1.000001)).feasible


def test_the_printed_program_is_slowed_just_enough() -> None:
    motion = planned("lola15").plan
    found = uniform(verify(motion).demand)
    assert not found.feasible_as_is
    assert found.slowed == found.r
    assert verify(slowed_plan(motion, found.r or 0.0)).feasible
    assert not verify(slowed_plan(motion, (found.r or 0.0) * 1.000001)).feasible


def test_some_moves_alone() -> None:
    motion = work()
    demand = verify(motion).demand
    whole, alone = uniform(demand), [uniform(demand.of_moves([k])) for k in (1, 3)]
    assert whole.r == pytest.approx(min(each.r or 0.0 for each in alone), rel=1e-14)
    (binding, *_) = min(alone, key=lambda each: each.r or 0.0).active(whole.r or 0.0)
    assert binding in whole.active(whole.r or 0.0)


def test_long_motions_are_looked_at_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    demand = verify(work()).demand
    whole = uniform(demand)
    monkeypatch.setattr("armdyn.retiming.uniform.AT_ONCE", 7)
    parts = uniform(demand)
    assert parts.intervals == whole.intervals
    assert parts.active(parts.r or 0.0) == whole.active(whole.r or 0.0)

"""`retime`: the same path in other times, by every mode, and what it refuses."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import armdyn as ad
from armdyn.errors import InfeasibleError, InputError
from armdyn.formats.motions import read_motion, write_motion
from armdyn.retiming import Retimed
from armdyn.retiming.optimal.optimal import Optimal
from armdyn.retiming.uniform import slowed_plan
from armdyn.robot import Friction
from armdyn.simulation.control.controllers import computed_torque
from armdyn.simulation.control.references import of_plan

SWING = Path(__file__).parents[2] / "examples" / "motions" / "lola15_swing.csv"
WAYPOINTS = [
    [0.0, -1.2, 1.0, 0.0, 0.3, 0.0],
    [0.6, -0.8, 0.7, 0.4, 0.0, 0.5],
    [1.0, -1.4, 1.5, -0.2, 0.5, 1.0],
]
COARSE = 200
"""Intervals: enough for what is tested here."""


@pytest.fixture(scope="module")
def lola() -> ad.Robot:
    return ad.load("lola15")


@pytest.fixture(scope="module")
def ur5() -> ad.Robot:
    return ad.load("ur5")


@pytest.fixture(scope="module")
def fastest(ur5: ad.Robot) -> Retimed:
    return ad.retime(ad.path_through(ur5, WAYPOINTS), grid=COARSE)


def test_a_uniform_motion_is_at_its_limit(lola: ad.Robot) -> None:
    found = ad.retime(SWING, lola, mode="uniform")
    assert found.verification.feasible
    assert found.active_limits
    assert found.before is not None
    assert found.factor == pytest.approx(found.duration / found.before)
    assert np.array_equal(found.plan.q, ad.planned(SWING, lola).plan.q)  # the same samples, at other instants


def test_a_uniform_motion_is_never_faster_where_only_slowing_is_wanted(lola: ad.Robot) -> None:
    fast = ad.retime(SWING, lola, mode="uniform")
    slow = ad.retime(SWING, lola, mode="uniform", slow_only=True)
    assert slow.duration == pytest.approx(max(fast.duration, fast.before or 0.0))


@pytest.mark.parametrize("mode", ["uniform", "optimal"])
def test_a_margin_stays_free(mode: Any, lola: ad.Robot) -> None:
    found = ad.retime(SWING, lola, mode=mode, margin=0.3)
    for _, required, limit in found.verification.demand.limited():
        assert (np.abs(required) <= 0.7 * limit * (1 + 1e-6)).all()


def test_the_fastest_motion_is_verified_and_bounded(fastest: Retimed) -> None:
    assert fastest.verification.feasible
    assert fastest.before is None
    assert fastest.factor is None
    assert fastest.lower_bound is not None
    assert 0.9 * fastest.duration < fastest.lower_bound <= fastest.duration
    held = sum(limit.until - limit.time for limit in fastest.active_limits)
    assert held > 0.95 * fastest.duration  # some limit nearly everywhere


def test_the_fastest_motion_goes_through_its_waypoints(fastest: Retimed) -> None:
    for waypoint in WAYPOINTS:
        step = np.abs(np.diff(fastest.plan.q, axis=0)).max()
        assert np.abs(fastest.plan.q - waypoint).max(axis=1).min() <= step


def test_the_fastest_motion_of_samples_keeps_their_path(lola: ad.Robot) -> None:
    found = ad.retime(SWING, lola, grid=COARSE)
    given = ad.planned(SWING, lola).plan.q
    for posture in found.plan.q[:: len(found.plan.q) // 20]:
        nearest = np.sort(np.linalg.norm(given - posture, axis=1))[0]
        assert nearest <= np.linalg.norm(np.diff(given, axis=0), axis=1).max()
    assert found.verification.feasible


def test_straight_ways_stop_at_their_corners(ur5: ad.Robot, fastest: Retimed) -> None:
    found = ad.retime(ad.path_through(ur5, WAYPOINTS, "straight"), grid=COARSE)
    stops = found.document()["stops"]
    assert [stop["reason"] for stop in stops] == ["the path has a corner", "the move ends"]
    assert stops[-1]["time"] == pytest.approx(found.duration)
    assert found.duration > fastest.duration


def test_a_motion_may_begin_and_end_moving(ur5: ad.Robot, fastest: Retimed) -> None:
    path = ad.path_through(ur5, WAYPOINTS)
    flying = ad.retime(path, begin=0.5, end="free", grid=COARSE)
    assert flying.duration < fastest.duration
    columns = flying.columns()
    assert np.linalg.norm(columns["qd"][0]) == pytest.approx(0.5)
    assert np.linalg.norm(columns["qd"][-1]) > 0.5
    assert flying.verification.feasible


def test_waits_are_part_of_the_bound() -> None:
    found = ad.retime("ur5_palletising", grid=400)
    bound = found.lower_bound
    assert bound is not None
    assert 0.98 * found.duration < bound < found.duration


def test_a_limited_jerk_takes_longer(ur5: ad.Robot, fastest: Retimed) -> None:
    found = ad.retime(ad.path_through(ur5, WAYPOINTS), jerk=200.0, grid=COARSE)
    assert found.duration > 1.02 * fastest.duration
    assert found.lower_bound is None
    assert found.verification.feasible
    step = 1e-4
    assert isinstance(found.found, Optimal)
    _, _, qdd = found.found.schedule.at(np.arange(0.0, found.duration, step))
    assert np.abs(np.diff(qdd, axis=0)).max() / step < 200.0 * 1.01  # differences of rounded numbers


def test_the_tool_keeps_its_speed_limit(ur5: ad.Robot, fastest: Retimed) -> None:
    found = ad.retime(ad.path_through(ur5, WAYPOINTS), tool_speed=0.3, grid=COARSE)
    columns = found.columns()
    twist = ad.Dynamics(ur5).twist(columns["q"], columns["qd"])
    speed = np.linalg.norm(twist[:, :3], axis=1)
    assert 0.29 < speed.max() <= 0.3 * 1.001  # between two places the speed bends a little
    assert found.duration > fastest.duration
    assert "tool_speed" in {limit.quantity for limit in found.active_limits}


def test_the_columns_are_a_motion(fastest: Retimed, ur5: ad.Robot, tmp_path: Path) -> None:
    file = tmp_path / "fast.csv"
    write_motion(file, fastest.plan.time, fastest.columns())
    again = read_motion(file, ur5)
    assert np.allclose(again.q, fastest.plan.q)
    assert ad.verify(file, ur5).plan.duration == pytest.approx(fastest.plan.time[-1])


def test_a_simulated_arm_follows(fastest: Retimed, ur5: ad.Robot) -> None:
    dyn = ad.Dynamics(ur5)
    follow = computed_torque(dyn, of_plan(fastest.plan), kp=400.0, kv=40.0)
    run = ad.simulate(dyn, float(fastest.plan.time[-1]), controller=follow, q=fastest.plan.q[0])
    assert np.abs(run.q[-1] - fastest.plan.q[-1]).max() < 1e-6


def test_the_document_says_it_all(fastest: Retimed) -> None:
    document = fastest.document()
    assert {"duration", "factor", "active_limits", "feasible", "lower_bound", "notes"} <= document.keys()
    assert document["duration"] == {"before": None, "after": fastest.duration}
    assert {"time", "joint", "quantity"} <= document["active_limits"][0].keys()


@pytest.mark.parametrize("mode", ["uniform", "optimal"])
def test_what_gravity_breaks_no_speed_mends(mode: Any, lola: ad.Robot) -> None:
    heavy = lola.with_payload(mass=200.0, com=(0.0, 0.0, 0.3))
    with pytest.raises(
        InfeasibleError, match=r"gravity and friction alone take \d+ % of motor \d's torque"
    ) as no:
        ad.retime(SWING, heavy, mode=mode)
    assert no.value.quantity == "motor_torque"
    assert no.value.joint in (2, 3, 5)
    assert no.value.time is not None
    assert 0 <= no.value.time <= 10
    assert no.value.required is not None
    assert no.value.limit is not None
    assert no.value.required > no.value.limit


def test_a_posture_out_of_reach_is_named(lola: ad.Robot) -> None:
    joints = tuple(
        replace(joint, limits=replace(joint.limits, position=(-0.01, 0.01))) if k == 0 else joint
        for k, joint in enumerate(lola.joints)
    )
    bodies = tuple(
        replace(body, joint=next((j for j in joints if j.name == body.joint.name), body.joint))
        for body in lola.bodies
    )
    narrow = replace(lola, bodies=bodies)
    with pytest.raises(InfeasibleError, match=r"joint 1 has to go to .*no speed helps"):
        ad.retime(SWING, narrow, grid=COARSE)


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"mode": "faster"}, 'mode is "faster", expected uniform, per-move, optimal'),
        ({"margin": 1.0}, "margin is 1"),
        ({"margin": float("nan")}, "margin is nan"),
        ({"tool_speed": 0.0}, "the tool's speed is 0 m/s"),
        ({"grid": 0}, "grid is 0"),
        ({"grid": "many"}, "grid is 'many', expected a number"),
        ({"tool_speed": [1.0]}, "tool_speed is .*, expected a number"),
        ({"end": 1e154}, "expected rest, moving, free or a speed"),
        ({"slow_only": True}, "slow_only is for mode uniform"),
        ({"at": [0.0, 0.0, 0.0]}, "at says where a wrench acts"),
        ({"begin": "slowly"}, '"slowly", expected rest, moving, free or a speed'),
        ({"end": -1.0}, "expected rest, moving, free or a speed"),
        ({"cycle": 0.0}, "cycle is 0 s"),
        ({"mode": "uniform"}, "no times that could be scaled"),
        ({"mode": "per-move"}, "give its file"),
        ({"start": [0.0] * 6}, "start is for planning, but what is given is planned"),
        ({"wrench": [1.0]}, "wrench has shape"),
    ],
)
def test_what_makes_no_sense_is_refused(how: dict[str, Any], message: str, ur5: ad.Robot) -> None:
    with pytest.raises(InputError, match=message.replace("|", r"\|")):
        ad.retime(ad.path_through(ur5, WAYPOINTS), **how)


def test_the_columns_are_of_the_motion_itself(fastest: Retimed) -> None:
    assert isinstance(fastest.found, Optimal)
    for name, exact in zip(("q", "qd", "qdd"), fastest.found.schedule.at(fastest.plan.time), strict=True):
        np.testing.assert_array_equal(fastest.columns()[name], exact)


def test_a_motion_ends_as_fast_as_asked(ur5: ad.Robot) -> None:
    found = ad.retime(ad.path_through(ur5, WAYPOINTS), end=0.5, grid=COARSE).found
    assert isinstance(found, Optimal)
    qd = found.schedule.at(np.array([found.duration - 1e-9]))[1]
    assert np.linalg.norm(qd) == pytest.approx(0.5, rel=1e-4)  # a nanosecond before


def test_the_tool_may_hold_back_a_uniform_motion(lola: ad.Robot) -> None:
    found = ad.retime(SWING, lola, mode="uniform", tool_speed=0.1)
    assert {limit.quantity for limit in found.active_limits} == {"tool_speed"}


def test_a_margin_is_an_active_limit(lola: ad.Robot) -> None:
    assert ad.retime(SWING, lola, mode="uniform", margin=0.3).active_limits


def test_a_motion_that_begins_moving_is_slowed_with_its_start(ur5: ad.Robot) -> None:
    plan = ad.retime(ad.path_through(ur5, WAYPOINTS), begin=0.5, grid=COARSE).plan
    assert plan.first_velocity is not None
    slower = slowed_plan(plan, 0.5).first_velocity
    assert slower is not None
    np.testing.assert_allclose(slower, 0.5 * plan.first_velocity)


def test_the_tool_holds_back_a_start_that_is_too_fast_for_it(ur5: ad.Robot) -> None:
    with pytest.raises(InfeasibleError) as no:
        ad.retime(ad.path_through(ur5, WAYPOINTS), begin=1.0, tool_speed=0.05, grid=COARSE)
    assert no.value.quantity == "tool_speed"


def test_uniform_has_the_cycle_of_its_plan(lola: ad.Robot) -> None:
    with pytest.raises(InputError, match="uniform retiming scales"):
        ad.retime(ad.planned(SWING, lola), mode="uniform", cycle=0.001)


def test_the_tool_is_slow_relative_to_its_base(ur5: ad.Robot) -> None:
    riding = ur5.with_base_motion(ad.BaseMotion(velocity=(2.0, 0.0, 0.0)))
    both = [ad.retime(ad.path_through(arm, WAYPOINTS), tool_speed=0.5, grid=COARSE) for arm in (ur5, riding)]
    assert both[1].duration == pytest.approx(both[0].duration, rel=1e-6)


def test_a_change_of_payload_costs_little(ur5: ad.Robot) -> None:
    """A sample across the change sees both moves with the new payload: it is made room for there only."""
    bounds: list[float] = []
    for cycle in (0.01, 0.002):
        found = ad.retime("ur5_palletising", ur5, cycle=cycle, grid=400)
        assert found.verification.feasible
        assert found.lower_bound is not None
        assert found.duration < 1.02 * found.lower_bound
        bounds.append(found.lower_bound)
    assert bounds[0] == pytest.approx(bounds[1], rel=1e-9)


def test_what_friction_holds_at_the_start_is_named(ur5: ad.Robot) -> None:
    stuck = tuple(
        replace(body, joint=replace(body.joint, friction=Friction(coulomb=1.0, starting=1000.0)))
        for body in ur5.bodies
    )
    with pytest.raises(
        InfeasibleError, match=r"gravity and friction alone take .* in move 1: no speed"
    ) as no:
        ad.retime(ad.path_through(replace(ur5, bodies=stuck), WAYPOINTS), friction=True, grid=COARSE)
    assert no.value.joint is not None


def test_a_start_too_fast_is_refused(ur5: ad.Robot) -> None:
    with pytest.raises(InfeasibleError, match="begin or end the motion slower"):
        ad.retime(ad.path_through(ur5, WAYPOINTS), begin=50.0, grid=COARSE)

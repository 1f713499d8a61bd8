"""Verification: from a program or samples to the verdict, the achieved motion and its times."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from armdyn.dynamics import Dynamics
from armdyn.errors import InputError, PlanError
from armdyn.feasibility import Verification, Work, planned, verify
from armdyn.feasibility.demand import Demand
from armdyn.formats import load
from armdyn.formats.motions import read_motion, write_motion
from armdyn.motion import JointTarget, PointToPoint, plan
from armdyn.program import example_program
from armdyn.robot import Robot

FORCE = [100.0, 100.0, -150.0, 0.0, 0.0, 0.0]
LOLA = example_program("lola15")


def with_motors(robot: Robot, **data: float) -> Robot:
    drives = tuple(replace(drive, motor=replace(drive.motor, **data)) for drive in robot.drives)
    return replace(robot, drives=drives)


@pytest.fixture(scope="module")
def lola() -> Verification:
    return verify(LOLA, wrench=FORCE)


# The Lola 15 program --------------------------------------------------------------------------


def test_every_motor_torque_is_inside_its_limit_at_every_cycle(lola: Verification) -> None:
    limits = np.array([drive.motor.peak_torque for drive in lola.plan.robot.drives], dtype=float)
    assert (np.abs(lola.run.torque) <= limits * (1 + 1e-9)).all()
    dyn, run = Dynamics(load("lola15")), lola.run
    taken = dyn.motor_torque(run.q, dyn.inverse(run.q, run.qd, run.qdd, FORCE))
    assert np.abs(taken - run.torque).max() <= 1e-9 * limits.max()


def test_the_first_violation_is_where_inverse_dynamics_says(lola: Verification) -> None:
    plan, dyn = lola.plan, Dynamics(load("lola15"))
    qd = np.vstack([np.zeros(6), np.diff(plan.q, axis=0) / plan.cycle])
    qdd = np.vstack([np.diff(qd, axis=0), -qd[-1:]]) / plan.cycle
    asked = dyn.motor_torque(plan.q, dyn.inverse(plan.q, qd, qdd, FORCE))
    limits = np.array([drive.motor.peak_torque for drive in plan.robot.drives], dtype=float)
    beyond = np.abs(asked) > limits * (1 + 1e-9)
    first = int(np.argmax(beyond.any(axis=1)))
    found = [violation for violation in lola.violations if violation.quantity == "motor_torque"]
    assert found[0].time[0] == pytest.approx(plan.time[first], abs=1e-12)
    assert {v.joint for v in found if v.time[0] == found[0].time[0]} == set(np.flatnonzero(beyond[first]) + 1)
    assert first == int(np.argmax((lola.run.saturated != 0).any(axis=1)))
    worst = max(found, key=lambda violation: abs(violation.required) / violation.limit)
    k = np.unravel_index(np.argmax(np.abs(asked) / limits), asked.shape)
    assert worst.required == pytest.approx(asked[k], rel=1e-9)
    assert worst.margin == pytest.approx(limits[k[1]] - abs(asked[k]), rel=1e-9)


def test_the_program_is_not_feasible_and_the_arm_leaves_its_path(lola: Verification) -> None:
    assert not lola.feasible
    assert len(lola.moves) == 12
    assert [move.kind for move in lola.moves].count("circle") == 5
    assert 1e-3 < lola.deviation.maximum < 0.05
    document = lola.document()
    assert document["cycle_time"]["programmed"] == lola.plan.duration
    assert sum(move["programmed"] for move in document["moves"]) == pytest.approx(lola.plan.duration)
    lines = LOLA.read_text().splitlines()
    assert all("move" in lines[violation.line - 1] for violation in lola.violations)


def test_generous_motors_achieve_the_program() -> None:
    robot = with_motors(load("lola15"), peak_torque=1e5, maximum_speed=1e5)
    found = verify(planned(LOLA, robot), wrench=FORCE)
    samples = len(found.plan.q)
    assert np.abs(found.run.q[:samples] - found.plan.q).max() <= 1e-9
    assert found.achieved_time == pytest.approx(found.plan.duration, abs=1e-12)
    assert found.deviation.maximum <= 1e-9
    assert {violation.quantity for violation in found.violations} <= {"joint_acceleration", "joint_speed"}


def test_turning_that_changes_gradually_spares_the_motors() -> None:
    found = verify(planned(LOLA, turn_acceleration=2.0), wrench=FORCE)
    assert not any(violation.quantity == "motor_torque" for violation in found.violations)
    assert max(use.peak or 0.0 for use in found.utilisation) < 0.6


def test_overrides_are_the_largest_shares_that_work(lola: Verification) -> None:
    shares = np.array([move.override for move in lola.moves])
    bad = {violation.move for violation in lola.violations}
    assert {k + 1 for k, share in enumerate(shares) if share < 1} == bad
    for more, possible in ((0.0, True), (1 / 64, False)):
        demand = Demand.of(lola.plan, lola.arms).of_moves(sorted(bad)).slowed(shares + more)
        exceeded = np.zeros(len(demand.move), dtype=bool)
        for _, required, limit in demand.limited():
            exceeded |= (np.abs(required) > limit * (1 + 1e-9)).any(axis=1)
        assert set(np.unique(demand.move[exceeded])) == (set() if possible else bad)


@pytest.mark.parametrize("cycle", [0.005, 0.001])
def test_shorter_cycles_agree_where_nothing_jumps(cycle: float) -> None:
    """With turning that changes gradually torques converge with the cycle."""
    coarse, fine = (
        verify(planned(LOLA, turn_acceleration=2.0, cycle=dt), wrench=FORCE) for dt in (0.01, cycle)
    )
    for a, b in zip(coarse.utilisation, fine.utilisation, strict=True):
        assert a.rms_torque == pytest.approx(b.rms_torque, rel=0.02)
    assert coarse.plan.duration == pytest.approx(fine.plan.duration, abs=1e-12)


# Times ----------------------------------------------------------------------------------------


def weak(number: int, torque: float) -> Robot:
    """Lola 15 with a weak motor."""
    robot = load("lola15")
    drives = list(robot.drives)
    drives[number - 1] = replace(
        drives[number - 1], motor=replace(drives[number - 1].motor, peak_torque=torque)
    )
    return replace(robot, drives=tuple(drives))


def swing(robot: Robot) -> Verification:
    goal = JointTarget((0.5, -0.8, 0.9, 0.3, 0.2, 0.1))
    return verify(plan(robot, [PointToPoint(1, goal)]))


def test_weak_motors_take_longer_and_arrive() -> None:
    found = swing(weak(1, 2.0))
    assert found.achieved_time is not None
    assert found.achieved_time > found.plan.duration + 0.2
    assert np.abs(found.run.q[-1] - found.plan.q[-1]).max() <= 1e-4
    assert (found.run.saturated != 0).any()


def test_an_arm_that_its_motors_cannot_hold_never_arrives() -> None:
    found = swing(weak(2, 5.0))
    assert found.achieved_time is None
    assert found.moves[0].override == 0.0
    assert found.document()["moves"][0]["achieved"] is None


def test_what_lags_stays_when_velocities_are_followed() -> None:
    goal = JointTarget((0.5, -0.8, 0.9, 0.3, 0.2, 0.1))
    found = verify(plan(weak(1, 3.0), [PointToPoint(1, goal)]), follow="velocity")
    assert found.achieved_time is None
    assert np.abs(found.run.qd[-1]).max() <= 1e-6


# Samples --------------------------------------------------------------------------------------


def test_joint_samples_are_verified_like_programs(tmp_path: Path, lola: Verification) -> None:
    file = tmp_path / "run.parquet"
    write_motion(file, lola.plan.time, {"q": lola.plan.q, "line": lola.plan.line, "move": lola.plan.move})
    found = verify(file, load("lola15"), wrench=FORCE)
    assert np.array_equal(found.plan.q, lola.plan.q)
    torques = [v for v in lola.violations if v.quantity == "motor_torque"]
    again = [v for v in found.violations if v.quantity == "motor_torque"]
    assert [(v.line, v.joint, v.time) for v in torques] == [(v.line, v.joint, v.time) for v in again]
    assert np.allclose(found.run.q, lola.run.q, rtol=0, atol=1e-12)


def test_notes_are_said_once(tmp_path: Path) -> None:
    file = tmp_path / "run.csv"
    write_motion(file, 0.01 * np.arange(5), {"q": np.zeros((5, 6))})
    notes = verify(file, load("lola15")).notes
    assert len(notes) == len(set(notes)) == 2


def test_notes_of_the_program_are_kept(lola: Verification) -> None:
    assert any("p0 gives 5 of 6 joint values" in note for note in lola.notes)


# What the tool touches --------------------------------------------------------------------------


def test_where_a_force_acts_counts_in_the_run_and_in_the_reactions() -> None:
    """Torques of the run and forces in the joints are those of a force away from the tool."""
    goal, at = JointTarget((0.5, -0.8, 0.9, 0.3, 0.2, 0.1)), np.array([0.2, 0.1, 0.3])
    found = verify(plan(weak(1, 2.0), [PointToPoint(1, goal)]), wrench=FORCE, at=at, friction=False)
    run, dyn = found.run, Dynamics(found.plan.robot, friction=False)
    assert (run.saturated != 0).any()
    taken = dyn.motor_torque(run.q, dyn.inverse(run.q, run.qd, run.qdd, FORCE, at=at))
    assert np.abs(taken - run.torque).max() <= 1e-9
    forces = dyn.reactions(run.q, run.qd, run.qdd, FORCE, at=at)
    for k, reaction in enumerate(found.reactions):
        assert reaction.force == pytest.approx(np.linalg.norm(forces[:, k, :3], axis=-1).max())
        assert reaction.moment == pytest.approx(np.linalg.norm(forces[:, k, 3:], axis=-1).max())


def test_what_the_arm_does_can_be_written_and_read(tmp_path: Path, lola: Verification) -> None:
    file = tmp_path / "run.csv"
    write_motion(file, lola.time, lola.columns())
    motion = read_motion(file, load("lola15"))
    assert np.allclose(motion.q, lola.run.q, rtol=0, atol=1e-14)
    assert np.allclose(motion.columns["q_programmed"][: len(lola.plan.q)], lola.plan.q, rtol=0, atol=1e-14)
    assert np.allclose(motion.columns["motor_torque"], lola.run.torque, rtol=0, atol=1e-14)
    assert set(motion.columns) >= {"line", "move", "motor_position"}


def test_joints_without_drives_are_their_own_motors(tmp_path: Path) -> None:
    robot = load("ur5")
    goal = JointTarget(tuple(math.radians(a) for a in (90, -60, 80, -100, -90, 45)))
    found = verify(plan(robot, [PointToPoint(1, goal)], start=[0, -1.5, 1.5, -1.5, -1.5, 0]), motors="none")
    assert [use.motor for use in found.utilisation] == list(robot.joint_names)
    assert found.utilisation[0].peak is not None
    assert "tau" in found.columns()


def test_payload_makes_a_difference() -> None:
    found = verify(example_program("ur5_palletising"))
    assert len({phase.robot for phase in found.plan.phases}) == 2
    held = np.zeros(len(found.plan.time), dtype=bool)
    for phase in found.plan.phases:
        held[phase.first : phase.last] = bool(phase.robot.payloads)
    dyn = Dynamics(load("ur5"))
    empty = dyn.inverse(found.plan.q, found.demand.qd, found.demand.qdd)
    difference = np.abs(found.demand.torque - empty).max(axis=1)
    assert difference[held].min() > 1.0
    assert difference[~held].max() < 1e-9
    assert found.achieved_time is not None


def test_a_panda_program() -> None:
    found = verify(example_program("panda"))
    assert found.feasible, found.violations[:3]
    assert found.achieved_time == pytest.approx(found.plan.duration, abs=1e-9)


# Bad input ------------------------------------------------------------------------------------


def test_bad_input_is_refused(tmp_path: Path) -> None:
    anonymous = tmp_path / "p.lirl"
    anonymous.write_text("program p; var endvar seq wait 1; endseq endprogram")
    with pytest.raises(InputError, match="no act_rob"):
        verify(anonymous)
    with pytest.raises(InputError, match="follow"):
        verify(LOLA, follow="both")  # pyright: ignore[reportArgumentType]
    with pytest.raises(InputError, match="wrench"):
        verify(LOLA, wrench=[1.0, 2.0])
    with pytest.raises(InputError, match="of which robot"):
        planned(tmp_path / "x.csv")


def test_a_plan_has_its_robot() -> None:
    asked = plan(load("ur5"), [PointToPoint(1, JointTarget((0.5,)))])
    for work in (asked, Work(asked)):
        with pytest.raises(InputError, match='robot "panda" is given with a plan'):
            verify(work, load("panda"))


@pytest.mark.parametrize(
    ("wrench", "at", "sentence"),
    [
        ([0, 0, np.nan, 0, 0, 0], None, "wrench has nan as number 3, expected 6 finite numbers"),
        ([0, 0, 0, 0, 0, 1], [np.inf, 0, 0], "at has inf as number 1, expected 3 finite numbers"),
        ([[0, 0, 0, 0, 0, 0]], None, r"wrench has shape \(1, 6\), expected 6"),
        (["x"] * 6, None, "wrench is not an array of numbers, expected 6"),
    ],
)
def test_contacts_that_cannot_be(wrench: Any, at: Any, sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        verify(LOLA, wrench=wrench, at=at)


def test_sentences_of_the_library_know_no_options(tmp_path: Path) -> None:
    for name, text in (("p.lirl", "program p; var endvar seq wait 1; endseq endprogram"), ("q.csv", "")):
        (tmp_path / name).write_text(text)
        with pytest.raises(InputError, match=r"give the robot$"):
            planned(tmp_path / name)


def test_an_unreachable_target_names_file_and_line(tmp_path: Path) -> None:
    far = tmp_path / "far.lirl"
    text = 'program p;\nvar\nendvar\nseq\nmove ptp robtarg(((9000, 0, 0), (0, 0, 0))) act_rob="ur5";\n'
    far.write_text(f"{text}endseq\nendprogram\n")
    with pytest.raises(PlanError, match=r"far\.lirl, line 5: "):
        verify(far)

"""Programs, samples and paths with abused numbers: `verify`, `retime` and inverse kinematics."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import armdyn as ad
from armdyn.errors import RobotError
from armdyn.motion.inverse_kinematics import InverseKinematics
from armdyn.robot import Friction, Motor, Robot
from hostile.abused import LIMITED, MOTION, PLANAR2, TIME, not_finite, refused, samples
from limited_arms import with_limits, with_motors

NOWHERE = (np.nan, np.inf, -np.inf)
retimed: Any = ad.retime
"""Without its types, which abused numbers do not keep to."""
planned: Any = ad.planned
motor: Any = Motor
friction: Any = Friction
UR5 = ad.load("ur5")

# Robots ------------------------------------------------------------------------------------------

DATA: dict[str, tuple[Callable[[], Any], str]] = {
    **{
        f"{name} {value:g}": (
            lambda name=name, value=value: with_limits(PLANAR2, **{name: value}),
            f"limits: {name} is {value:g}",
        )
        for name in ("velocity", "acceleration", "effort")
        for value in (5e-324, 1e-31, -1.0, np.nan, np.inf)
    },
    **{
        f"motor {name} {value:g}": (
            lambda name=name, value=value: motor(**{name: value}),
            f"motor: {name} is {value:g}",
        )
        for name in ("peak_torque", "maximum_speed", "torque_constant", "resistance")
        for value in (0.0, 5e-324, -1.0, np.nan)
    },
    **{
        f"friction {name}": (lambda name=name: friction(**{name: 1e308}), f"friction: {name} is 1e+308")
        for name in ("viscous", "coulomb", "starting")
    },
}


@pytest.mark.parametrize("name", DATA)
def test_data_that_nothing_can_be_measured_by_are_refused(name: str) -> None:
    with pytest.raises(RobotError):
        DATA[name][0]()
    refused(*DATA[name])


# Verification and retiming -----------------------------------------------------------------------

MOTORS = with_motors(PLANAR2, lambda each: replace(each, peak_torque=100.0, maximum_speed=1e300))
FREE_OF_GRAVITY = LIMITED.with_gravity((0, 0, 0))
PLANNED: dict[str, tuple[Callable[[Path], Any], str]] = {
    **{
        f"{name} {value:g}": (
            lambda file, name=name, value=value: ad.verify(planned(file, LIMITED, **{name: value})),
            f"{name} is {value:g} s",
        )
        for name in ("cycle",)
        for value in (*NOWHERE, 0.0, -1.0, 1e308)
    },
    "samples without end": (
        lambda file: planned(file, LIMITED, cycle=1e-300),
        "more than 5000000 samples",
    ),
    "wrench": (lambda file: ad.verify(file, LIMITED, wrench=[np.inf] * 6), "wrench has inf as number 1"),
    "at": (
        lambda file: ad.verify(file, LIMITED, wrench=[1.0] * 6, at=[np.nan] * 3),
        "at has nan as number 1",
    ),
    "huge wrench": (lambda file: ad.verify(file, LIMITED, wrench=[1e308] * 6), "too large to compute with"),
    "gravity": (
        lambda file: ad.verify(file, LIMITED.with_gravity((0, -1e300, 0))),
        "too large to compute with",
    ),
    "payload": (lambda file: ad.verify(file, LIMITED.with_payload(1e150)), "larger than any body"),
    **{
        f"{mode} {name} {value:g}": (
            lambda file, mode=mode, name=name, value=value: retimed(
                file, LIMITED, mode=mode, **{name: value}
            ),
            sentence,
        )
        for mode in ("uniform", "optimal")
        for name, values, sentence in (
            ("margin", (*NOWHERE, -1.0, 1.0), "margin is"),
            ("tool_speed", (*NOWHERE, -1.0, 0.0), "the tool's speed is"),
            ("cycle", (*NOWHERE, -1.0, 0.0), "cycle is"),
        )
        for value in values
    },
    **{
        f"end {value}": (
            lambda file, value=value: retimed(file, LIMITED, end=value),
            "an end of the motion",
        )
        for value in (*NOWHERE, -1.0, 1e308)
    },
    **{
        f"grid {value}": (lambda file, value=value: retimed(file, LIMITED, grid=value), "grid is")
        for value in (*NOWHERE, 0, -1, 10**9)
    },
    "uniform crawl": (
        lambda file: retimed(file, LIMITED, mode="uniform", tool_speed=1e-300),
        "slower than a billionth",
    ),
    "crawl": (lambda file: retimed(file, LIMITED, tool_speed=1e-300, grid=4), "the motion lasts inf s"),
    "slow joints": (
        lambda file: retimed(file, with_limits(LIMITED, velocity=1e-30), grid=4),
        "use a longer cycle",
    ),
    "weak motors": (
        lambda file: retimed(
            file, with_motors(PLANAR2, lambda each: replace(each, peak_torque=1e-30)), grid=4
        ),
        "no speed helps",
    ),
    "weak joints": (
        lambda file: retimed(file, with_limits(LIMITED, effort=1e-30), mode="uniform"),
        "no speed helps",
    ),
}


@pytest.mark.parametrize("name", PLANNED)
def test_a_plan_of_abused_numbers_is_refused(name: str, tmp_path: Path) -> None:
    call, sentence = PLANNED[name]
    refused(lambda: call(samples(tmp_path)), sentence)


SAMPLES: dict[str, tuple[Any, Any, str]] = {
    "one row": (TIME[:1], MOTION[:1], "expected two or more"),
    "repeated time": ([0.0, 0.0, 0.1], MOTION[:3], "expected increasing instants"),
    "backwards": ([0.0, 0.2, 0.1], MOTION[:3], "expected increasing instants"),
    "NaN": (TIME[:3], [[0, 0], [np.nan, 0], [0, 0]], "not a finite number"),
    "huge": (TIME[:3], [[-1e308, 0], [1e308, 0], [-1e308, 0]], "values too large"),
    "denormal times": ([0.0, 5e-324, 1e-323], MOTION[:3], "steps of time are too small"),
    "endless": ([0.0, 1e300, 2e300], MOTION[:3], "steps of time are too small or values too large"),
}


@pytest.mark.parametrize("name", SAMPLES)
def test_samples_of_abused_numbers_are_refused(name: str, tmp_path: Path) -> None:
    time, q, sentence = SAMPLES[name]
    file = samples(tmp_path, time, q)
    refused(lambda: ad.verify(file, LIMITED), sentence)
    refused(lambda: retimed(file, LIMITED), sentence)


@pytest.mark.parametrize("size", [0.0, 5e-324, 1e-17])
def test_what_does_not_move_can_be_done_and_not_retimed(size: float, tmp_path: Path) -> None:
    file = samples(tmp_path, q=size * MOTION)
    found = ad.verify(file, LIMITED)
    assert (found.feasible, found.achieved_time, not_finite(found.document())) == (True, 1.0, [])
    for mode in ("uniform", "optimal"):
        refused(lambda mode=mode: retimed(file, LIMITED, mode=mode), "nothing moves")


ANSWERED: dict[str, tuple[Robot, bool]] = {
    "no speed limit": (with_limits(LIMITED, velocity=0.0), True),
    "endless speed limit": (with_limits(LIMITED, velocity=1e300), True),
    "endless limits": (with_limits(LIMITED, velocity=1e300, acceleration=1e300, effort=1e300), True),
    "motors of any speed": (MOTORS, True),
    "no gravity": (FREE_OF_GRAVITY, True),
    "a denormal payload": (LIMITED.with_payload(5e-324), True),
    "a payload of 1e30 kg": (LIMITED.with_payload(1e30), False),
    "slow joints": (with_limits(LIMITED, velocity=1e-30), False),
    "weak joints": (with_limits(LIMITED, effort=1e-30), False),
    "weak motors": (with_motors(PLANAR2, lambda each: replace(each, peak_torque=1e-30)), False),
}


@pytest.mark.parametrize("name", ANSWERED)
def test_a_verdict_has_numbers_and_fits_what_the_arm_does(name: str, tmp_path: Path) -> None:
    """What is feasible arrives in time; 0 counts as unknown for the arm that moves as for its limits."""
    robot, feasible = ANSWERED[name]
    found = ad.verify(samples(tmp_path), robot)
    assert found.feasible == feasible
    assert not_finite(found.document()) == []
    if feasible:
        assert found.achieved_time == pytest.approx(1.0)
    else:
        assert found.violations


def test_endless_limits_limit_nothing(tmp_path: Path) -> None:
    file = samples(tmp_path)
    free = retimed(file, with_limits(LIMITED, velocity=None), grid=8)
    assert retimed(file, with_limits(LIMITED, velocity=1e300), grid=8).duration == free.duration


# Programs ----------------------------------------------------------------------------------------

STEPS = {
    "a motion that would last too long": ("move ptp b acc_ptp=1e-300;", "line 8: a motion of length"),
    "an angle of 1e300": ("move ptp joint(mainjoint(1e300, 0, 0, 0, 0, 0));", "lasts too long for a number"),
    "an angle of 1e15": ("move ptp joint(mainjoint(1e15, 0, 0, 0, 0, 0));", "more than 5000000 samples"),
    "no speed": ("move ptp b speed_ptp=0;", "speed_ptp is 0"),
    "hardly any speed": ("move ptp b speed_ptp=1e-300;", "more than 5000000 samples"),
    "speed of 1e308": ("move ptp b speed_ptp=1e308;", "speed_ptp is 1e+308"),
    "a path without speed": ("move ptp f; move lin g speed=0 acc=800;", "speed is 0"),
    "a path at 1e-300 mm/s": ("move ptp f; move lin g speed=1e-300 acc=800;", "more than 5000000 samples"),
    "a path at 1e-300 mm/s2": ("move ptp f; move lin g speed=250 acc=1e-300;", "line 8: a motion of length"),
    "a path to nowhere": ("move ptp f; move lin f + position(1e300,0,0) speed=250 acc=800;", "up to 1e+06 m"),
    "out of reach": ("move ptp f + position(5000, 0, 0);", "does not reach"),
    "a tool of 1e300 m": ("tool (1e303, 0, 0), (0, 0, 0);", "tool frame at (1e+300, 0, 0) m"),
    "a payload of 1e300 kg": ("grasp 1e300, (0, 0, 0), (0, 0, 0);", "larger than any body"),
    "a payload of -1 kg": ("grasp -1, (0, 0, 0), (0, 0, 0);", "mass is -1"),
    "an endless wait": ("wait 1e308;", "wait is 1e+308"),
    "division by zero": ("wait 1/0;", "by zero"),
    "beyond all numbers": ("wait 1e200*1e200;", "too large for a number"),
}


@pytest.mark.parametrize("name", STEPS)
def test_a_program_of_abused_numbers_is_refused(name: str, tmp_path: Path) -> None:
    step, sentence = STEPS[name]
    file = tmp_path / "abused.lirl"
    file.write_text(
        "program abused;\nvar\n"
        "joint:b = joint(mainjoint(20, -80, 80, -90, -90, 0));\n"
        "robtarg:f = robtarg(position(450, 250, 200), orientation(-90, 0, 180));\n"
        "robtarg:g = robtarg(position(400, -250, 150), orientation(-90, 0, 180));\n"
        f"endvar\nseq\n{step}\nendseq;\nendprogram.\n"
    )
    refused(lambda: planned(file, UR5), sentence)


# Inverse kinematics ------------------------------------------------------------------------------

ARMS = {name: ad.load(name) for name in ("ur5", "puma560", "panda", "planar2")}
KINEMATICS = {name: InverseKinematics(robot) for name, robot in ARMS.items()}
POSTURE = {name: np.full(robot.n, 0.3) for name, robot in ARMS.items()}


def pose_of(name: str) -> Any:
    return ad.Dynamics(ARMS[name], "none").pose(POSTURE[name])


def changed(pose: Any, row: int, column: int, value: float) -> Any:
    pose = pose.copy()
    pose[row, column] = value
    return pose


POSES = {
    **{f"place {x:g}": (0, 3, x, "expected finite numbers") for x in (*NOWHERE, 1e308, 1e150)},
    "100 m away": (0, 3, 100.0, "does not reach"),
    "1e6 m away": (0, 3, 1e6, "does not reach"),
    **{f"turn {x:g}": (0, 0, x, "expected") for x in (*NOWHERE, 1e308, 2.0)},
    "scaled": (3, 3, 2.0, "its last row is not (0, 0, 0, 1)"),
    "sheared": (3, 0, 1.0, "its last row is not (0, 0, 0, 1)"),
}


@pytest.mark.parametrize("robot", ["ur5", "planar2"])
@pytest.mark.parametrize("name", POSES)
def test_a_pose_that_is_none_or_out_of_reach_is_refused(name: str, robot: str) -> None:
    row, column, value, sentence = POSES[name]
    pose = changed(pose_of(robot), row, column, value)
    refused(lambda: KINEMATICS[robot].solutions(pose, POSTURE[robot]), sentence)
    refused(lambda: KINEMATICS[robot].nearest(pose, POSTURE[robot]), sentence)


@pytest.mark.parametrize("far", [*NOWHERE, 1e308, 1e150])
def test_a_place_beyond_all_has_no_branch_among_others(far: float) -> None:
    pose = pose_of("ur5")
    found = KINEMATICS["ur5"].branches(np.stack([pose, changed(pose, 1, 3, far)]))
    assert np.isnan(found[1]).all()
    assert np.array_equal(found[0], KINEMATICS["ur5"].branches(pose), equal_nan=True)


@pytest.mark.parametrize("robot", ARMS)
@pytest.mark.parametrize("far", [*NOWHERE, 1e308, 1e15])
def test_a_posture_whose_turns_are_rounding_is_refused(far: float, robot: str) -> None:
    refused(lambda: KINEMATICS[robot].solutions(pose_of(robot), POSTURE[robot] * far), "expected")


@pytest.mark.parametrize("robot", ARMS)
def test_solutions_near_the_farthest_posture_are_right(robot: str) -> None:
    """A million radians leave ten digits of an angle."""
    far = np.where([joint.kind == "revolute" for joint in ARMS[robot].joints], 9e5, 0.0)
    dyn, pose = ad.Dynamics(ARMS[robot], "none"), pose_of(robot)
    for solution in KINEMATICS[robot].solutions(pose, far):
        assert np.abs(dyn.pose(solution.q) - pose).max() < 1e-6

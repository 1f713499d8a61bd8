"""What is said of a verification: who, when, how much, and what is not known."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from armdyn.feasibility import Verification, verify
from armdyn.feasibility.findings import Findings
from armdyn.feasibility.violations import Violation
from armdyn.formats import load
from armdyn.motion import JointTarget, PointToPoint, plan
from armdyn.report.wording import listed, millimetres, seconds_text
from armdyn.robot import Motor, Robot

MORE = Violation(4, 1, 2, (0.5, 0.9), "motor_torque", 12.0, 10.0, -2.0, 0.7)
FAST = Violation(4, 1, 2, (0.5, 0.9), "joint_speed", 12.0, 10.0, -2.0, 0.7)


def with_motors(robot: Robot, *numbers: int, **data: Any) -> Robot:
    """The robot with other data of some motors, by number from 1, or of all."""
    drives = tuple(
        replace(drive, motor=replace(drive.motor, **data)) if not numbers or k in numbers else drive
        for k, drive in enumerate(robot.drives, 1)
    )
    return replace(robot, drives=drives)


def unknown(robot: Robot, *numbers: int) -> Robot:
    """The robot without data of some motors."""
    return with_motors(robot, *numbers, **vars(Motor()))


def slow_move(robot: Robot, speed: float = 0.2) -> Verification:
    """A move well inside the limits of lola15's motors."""
    return verify(plan(robot, [PointToPoint(4, JointTarget((0.3, 0.2)), speed, speed)]))


def finding(verification: Verification, *violations: Violation) -> Findings:
    """The same with other violations."""
    found = replace(verification)
    vars(found)["violations"] = violations
    return Findings(found)


@pytest.fixture(scope="module")
def slow() -> Verification:
    return slow_move(load("lola15"))


# What is known --------------------------------------------------------------------------------


def test_feasible_inside_all_limits(slow: Verification) -> None:
    said = "Feasible as programmed: every motor and every joint stays inside its limits."
    assert (Findings(slow).verdict, Findings(slow).verdict_details) == (said, "")


@pytest.mark.parametrize(
    ("numbers", "said"),
    [
        ((2,), "motor 2"),
        ((1, 3), "motor 1 and motor 3"),
        ((1, 3, 6), "motor 1, motor 3 and motor 6"),
        ((), "any motor"),
    ],
)
def test_a_verdict_claims_nothing_about_limits_that_are_unknown(numbers: tuple[int, ...], said: str) -> None:
    found = slow_move(unknown(load("lola15"), *numbers))
    inside = "every motor and every joint stays inside the limits that are known"
    assert Findings(found).verdict == f"Feasible as programmed: {inside}; no torque limit is known of {said}."
    details = finding(found, FAST).verdict_details
    assert f"All motors stay inside the limits that are known; no torque limit is known of {said}." in details


def test_other_limits_than_the_motors(slow: Verification) -> None:
    assert finding(slow, FAST).verdict_details.endswith(" All motors stay inside their limits.")
    assert "All motors" not in finding(slow, FAST, MORE).verdict_details


# When and how much ----------------------------------------------------------------------------


def test_the_verdict_names_the_worst_instant(slow: Verification) -> None:
    said = "Not feasible as programmed: motor 2 needs 120 % of its torque limit in line 4 at 0.700 s."
    assert finding(slow, MORE).verdict == said


def test_motors_that_get_too_warm(slow: Verification) -> None:
    """A feasible motion, with more than the rated torque in the mean."""
    assert "Rms" not in Findings(slow).verdict_details
    rms = [use.rms_torque for use in slow.utilisation]
    found = Findings(slow_move(with_motors(load("lola15"), 2, rated_torque=rms[1] / 1.38)))
    one = "Rms torque of rated: motor 2 138 %; repeated without end, the motion overheats it."
    assert found.verification.feasible
    assert found.verdict_details == one
    robot = with_motors(found.verification.plan.robot, 3, rated_torque=rms[2] / 2)
    both = "motor 2 138 % and motor 3 200 %"
    two = f"Rms torque of rated: {both}; repeated without end, the motion overheats them."
    assert Findings(slow_move(robot)).verdict_details == two


def test_stops_that_are_missed(slow: Verification) -> None:
    found = replace(slow)
    first = replace(slow.moves[0], line=3, achieved=None, achieved_end=None)
    vars(found)["moves"] = (first, slow.moves[0])
    assert Findings(found).verdict_details == "The arm never comes to the end of the move in line 3."
    vars(found)["moves"] = (first, replace(first, line=4), replace(first, line=3), slow.moves[0])
    said = "The arm never comes to the end of the moves in line 3 and line 4."
    assert Findings(found).verdict_details == said
    vars(found)["moves"] = (slow.moves[0], first)
    assert Findings(found).verdict_details == ""  # the cycle time says that it never arrives


def test_how_to_apply_speed_hints(slow: Verification) -> None:
    assert Findings(slow).speed_advice == ""
    found = replace(slow)
    vars(found)["moves"] = (replace(slow.moves[0], feasible=False, override=0.4),)
    assert "multiply its speed by r and its acceleration by r²" in Findings(found).speed_advice
    vars(found)["moves"] = (replace(slow.moves[0], feasible=False, override=0.0),)
    assert Findings(found).speed_advice == ""


# Units ----------------------------------------------------------------------------------------


def test_units_of_joints_that_slide_without_drives() -> None:
    robot = replace(load("jpl_rrp"), drives=())
    still = np.asarray(robot.home)
    found = Findings(verify(plan(robot, [], still)))
    assert [found.motor_units(k) for k in range(3)] == [("N m", "rad/s"), ("N m", "rad/s"), ("N", "m/s")]
    violation = replace(MORE, joint=3)
    assert (found.subject(violation), found.unit(violation)) == ("joint 3", "N")
    assert found.unit(replace(violation, quantity="motor_speed")) == "m/s"
    assert found.in_shop_units(replace(violation, quantity="motor_speed"), 0.25) == "250 mm/s"
    assert found.unit(replace(violation, joint=1)) == "N m"
    assert found.unit(replace(violation, quantity="joint_acceleration")) == "m/s²"


def test_units_of_motors_whatever_they_move(slow: Verification) -> None:
    found = Findings(slow)
    assert found.motor_units(0) == ("N m", "rad/s")
    assert found.unit(MORE) == "N m"
    assert found.in_shop_units(replace(MORE, quantity="motor_speed"), 10.0) == "95.49 rpm"


# Words ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("metres", "said"),
    [
        (0.0, "0 mm"),
        (2.23e-16, "under 0.001 mm"),
        (1e-6, "0.001 mm"),
        (0.0123456, "12.3 mm"),
        (1.0752839, "1075 mm"),
    ],
)
def test_millimetres(metres: float, said: str) -> None:
    assert millimetres(metres) == said


@pytest.mark.parametrize(
    ("value", "said"), [(36000.0, "36000 s"), (11.4956, "11.496 s"), (0.1, "0.1 s"), (0.0, "0 s")]
)
def test_seconds(value: float, said: str) -> None:
    assert seconds_text(value) == said


def test_lists() -> None:
    assert [listed(names) for names in ([], ["a"], ["a", "b"], ["a", "b", "c"])] == [
        "",
        "a",
        "a and b",
        "a, b and c",
    ]

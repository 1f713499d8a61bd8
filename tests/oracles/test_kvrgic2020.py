"""[Kvrgic2020]: what the document prints about Lola 15 and its program, and what is wrong with it.

The page docs/papers/kvrgic2020.md states these numbers; here they are found by other ways.
"""

import math
import re

import numpy as np
import pytest

import armdyn as ad
from armdyn.errors import ProgramError
from armdyn.feasibility import Verification, planned, verify
from armdyn.feasibility.arm import Arm
from armdyn.feasibility.printed import printed_step
from armdyn.motion import InverseKinematics
from armdyn.program import example_program, parse_program
from armdyn.spatial import Transform

FORCE = [100.0, 100.0, -150.0, 0.0, 0.0, 0.0]
"""f_e of sec. 8 with the sign of the report."""
SAME = 1e-9
"""Relative to the largest torque: rounding of two ways to compute it."""


@pytest.fixture(scope="module")
def run() -> Verification:
    return verify(planned(example_program("lola15")), wrench=FORCE)


def total(words: str) -> float:
    """Of words such as 890.2428 - 610."""
    first, *others = words.split(" - ")
    return float(first) - sum(map(float, others))


def targets(name: str) -> dict[str, np.ndarray]:
    """Positions of a program's targets [mm], read from its text."""
    text = example_program(name).read_text(encoding="utf-8")
    found = re.findall(r"robtarg:(\w+)=robtarg\((?:position\(|\(\()([^)]*)\)", text)
    return {key: np.array([total(x) for x in words.split(",")]) for key, words in found}


def radius(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> float:
    """Of the circle through three points, by the centre's linear equations."""
    normal = np.cross(b - a, c - a)
    rows = np.array([b - a, c - a, normal])
    centre = np.linalg.solve(rows, [(b - a) @ (a + b) / 2, (c - a) @ (a + c) / 2, normal @ a])
    return float(np.linalg.norm(a - centre))


# The program ----------------------------------------------------------------------------------


def test_rnea_and_mrnea_agree_in_every_cycle(run: Verification) -> None:
    """Fig. 5."""
    state = run.demand.q, run.demand.qd, run.demand.qdd
    one, other = (
        ad.Dynamics(ad.load("lola15"), motors="none", method=method).inverse(*state, FORCE)
        for method in ("newton_euler", "mrnea")
    )
    assert len(one) == 1151
    assert np.abs(one - other).max() <= SAME * np.abs(one).max()


def test_motors_cannot_do_certain_cycles(run: Verification) -> None:
    """Figs. 6 and 7: few cycles, all of them next to where one move runs into the next; the path differs."""
    limits = [drive.motor.peak_torque for drive in run.plan.robot.drives]
    beyond = np.flatnonzero((np.abs(run.demand.torque) > np.array(limits, dtype=float)).any(axis=1))
    assert 0 < len(beyond) < 20
    ends = np.array([move.end for move in run.plan.moves])
    assert np.abs(run.plan.time[beyond][:, None] - ends).min(axis=1).max() < 0.03
    assert 1e-3 < run.deviation.maximum < 50e-3
    assert run.achieved_time == pytest.approx(run.plan.duration, abs=run.plan.cycle)


@pytest.mark.parametrize("f_ez", [-150.0, 150.0])
def test_gradual_turning_spares_the_motors(f_ez: float) -> None:
    """With both signs of f_ez: only the jumps of the tool's turning saturate motors."""
    gradual = planned(example_program("lola15"), turn_acceleration=2.0)
    peaks = verify(gradual, wrench=[100, 100, f_ez, 0, 0, 0]).demand.share.max(axis=0)
    assert 0.3 < peaks.max() < 0.7
    jumping = verify(planned(example_program("lola15")), wrench=[100, 100, f_ez, 0, 0, 0])
    assert jumping.demand.share.max() > 4


# Algorithm 1 ----------------------------------------------------------------------------------


def test_the_printed_step_exceeds_limits_that_step_5_did_not_cut(run: Verification) -> None:
    rng = np.random.default_rng(7)
    arm: Arm = run.arms[0]
    upper = np.array([drive.motor.peak_torque for drive in run.plan.robot.drives], dtype=float)
    most = 500 * np.array([joint.limits.acceleration for joint in run.plan.robot.joints], dtype=float)
    worst = worst_of_ours = 0.0
    for _ in range(100):
        q, qd, demand = rng.uniform(-1, 1, 6), rng.uniform(-1, 1, 6), rng.uniform(-most, most)
        _, torque, cut = printed_step(arm, q, qd, demand)
        _, ours, _ = arm.limited(q, qd, demand)
        worst = max(worst, float(np.where(cut == 0, np.abs(torque) / upper, 0).max()))
        worst_of_ours = max(worst_of_ours, float((np.abs(ours) / upper).max()))
    assert worst > 10
    assert worst_of_ours <= 1 + 1e-9


def test_the_printed_step_along_the_program(run: Verification) -> None:
    upper = np.array([drive.motor.peak_torque for drive in run.plan.robot.drives], dtype=float)
    printed = verify(run.plan, wrench=FORCE, printed=True)
    assert (np.abs(printed.run.torque) / upper).max() > 2
    assert (np.abs(run.run.torque) / upper).max() <= 1 + 1e-9


# Limits ---------------------------------------------------------------------------------------


def test_joint_speed_limits_and_motor_speeds() -> None:
    """sec. 8, App. E: axes 4 to 6 motor speed over gear, 1 and 3 need 3500 rpm, 2 much more than it has."""
    gears = np.array([120, 119, 119, 24 / 14 * 78, 24 / 14 * 1.6 * 120 * 10 / 15, 1.6 * 50 * 10 / 15])
    printed = np.array([3.05, 3.46, 3.08, 2.66, 1.62, 6.67])
    rpm = np.array([3150, 2800, 3150, 3400, 3400, 3400])
    robot = ad.load("lola15")
    assert [joint.limits.velocity for joint in robot.joints] == printed.tolist()
    assert [drive.motor.maximum_speed for drive in robot.drives] == pytest.approx(rpm * math.pi / 30)
    needed = printed * gears * 30 / math.pi
    assert needed[3:] == pytest.approx(rpm[3:], rel=2e-3)
    assert needed[[0, 2]] == pytest.approx(3500, rel=2e-3)
    assert needed[1] == pytest.approx(3932, abs=1)
    assert 2800 * math.pi / 30 / 119 == pytest.approx(2.464, abs=5e-4)


def test_path_moves_exceed_the_printed_accelerations(run: Verification) -> None:
    limits = np.array([3.75, 2.1, 3.75, 3.75, 1.5, 6.0])
    beyond = (np.abs(run.demand.qdd) > 1.001 * limits).any(axis=1)
    assert set(run.plan.line[beyond]) <= set(range(31, 40)), "point-to-point moves keep them"
    assert (np.abs(run.demand.qdd) / limits).max() > 20


# The listing ----------------------------------------------------------------------------------


def test_s6_and_s9_are_mended() -> None:
    printed, mended = targets("lola15_as_printed"), targets("lola15")
    assert {key for key in printed if (printed[key] != mended[key]).any()} == {"s6", "s9"}
    assert mended["s6"][2] == 873.6763
    assert mended["s9"][2] == 890.2428
    circle = radius(*(mended[key] for key in ("s5", "s6", "s7")))
    assert circle == pytest.approx(200, abs=5e-3)
    assert radius(*(printed[key] for key in ("s5", "s6", "s7"))) == pytest.approx(200.68, abs=5e-3)
    assert radius(*(mended[key] for key in ("s9", "s10", "s11"))) == pytest.approx(200, abs=5e-3)


def test_all_targets_lie_in_one_plane_but_s9_as_printed() -> None:
    printed, mended = targets("lola15_as_printed"), targets("lola15")
    a, b, c = (mended[key] for key in ("s0", "s4", "s11"))
    normal = np.cross(b - a, c - a) / np.linalg.norm(np.cross(b - a, c - a))
    assert max(abs((x - a) @ normal) for x in mended.values()) < 1e-3
    assert abs((printed["s9"] - a) @ normal) == pytest.approx(526, abs=0.5)


def test_reach_without_a_tool() -> None:
    """The wrist centre alone does not come to s6 and s10; with the tool at p_e all are reached."""
    kinematics = InverseKinematics(ad.load("lola15").with_tool(Transform()))
    found = {}
    for key, point in targets("lola15").items():
        pose = np.eye(4)
        pose[:3, 3] = point / 1e3
        found[key] = bool((~np.isnan(kinematics.branches(pose))).any())
    assert [key for key, there in found.items() if not there] == ["s6", "s10"]
    assert not planned(example_program("lola15")).plan.problems


def test_the_path_stays_on_one_branch_whatever_the_integers_say(run: Verification) -> None:
    text = example_program("lola15").read_text(encoding="utf-8")
    assert set(re.findall(r"\)\), (\d+)\)", text)) == {"4", "8"}
    path = (run.plan.line >= 31) & (run.plan.line <= 39)
    branches = InverseKinematics(run.plan.robot).branches(run.plan.poses()[path])
    apart = np.abs((branches - run.plan.q[path][:, None] + np.pi) % (2 * np.pi) - np.pi).max(axis=-1)
    on = set(np.nanargmin(apart, axis=1).tolist())
    assert len(on) == 1
    assert not on & {3, 7}, "neither the fourth nor the eighth"


def test_the_listing_as_printed() -> None:
    """12 of 13 moves, a brace in line 26 that is never closed, and no end."""
    text = example_program("lola15_as_printed").read_text(encoding="utf-8")
    assert text.count("move ") == 12
    with pytest.raises(ProgramError) as brace:
        parse_program(text)
    assert brace.value.line == 26
    with pytest.raises(ProgramError, match="endseq"):
        parse_program(text.replace("{move", "move"))


# Equations and data ---------------------------------------------------------------------------


def test_gravity_as_printed_has_the_wrong_sign() -> None:
    """(6): the torque that holds the arm is the slope of its potential energy."""
    dyn = ad.Dynamics(ad.load("lola15"), motors="none")
    q, step = np.array([0.3, -0.4, 0.5, 0.6, 0.7, 0.8]), 1e-6 * np.eye(6)
    slope = (dyn.potential_energy(q + step) - dyn.potential_energy(q - step)) / 2e-6
    assert dyn.gravity(q) == pytest.approx(slope, abs=1e-5)
    assert slope[1] == pytest.approx(828, abs=0.5)


def test_the_force_counted_twice(run: Verification) -> None:
    """(14) with (56), (59): what e_6 adds once more is a force at the centre of mass of link 6."""
    dyn = ad.Dynamics(ad.load("lola15"), motors="none")
    q, rest, centre = run.plan.q[400], np.zeros(6), [0.0, 0.0, 0.195]
    extra = dyn.inverse(q, rest, rest, FORCE, at=centre) - dyn.inverse(q, rest, rest)
    along = dyn.jacobian(q, "link6", at=centre)[:3]
    assert extra == pytest.approx(along.T @ FORCE[:3], abs=1e-9)
    assert abs(extra[1]) > 50


def test_friction_as_printed_would_drive_the_arm(run: Verification) -> None:
    """(90): mu sign(qd) u has the sign of qd only where u qd > 0."""
    dyn = ad.Dynamics(ad.load("lola15"), motors="none")
    u = dyn.inverse(run.demand.q, run.demand.qd, run.demand.qdd, FORCE)
    power = u * run.demand.qd
    assert (power < -1).any(axis=1).mean() > 0.3

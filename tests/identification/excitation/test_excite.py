"""Excitations: within all limits, at rest at the ends, and much better than random motions."""

from typing import Any

import numpy as np
import pytest

import armdyn as ad
from armdyn.errors import InfeasibleError, InputError
from armdyn.feasibility.demand import Demand
from armdyn.formats.motions import read_motion
from armdyn.identification.excitation import Excitation, excite
from armdyn.identification.excitation.bases import Fourier

QUICK: dict[str, Any] = {"random": 50, "starts": 1, "steps": 40}
"""A search that is not thorough, but ends at limits all the same."""
HASTY: dict[str, Any] = {"random": 20, "starts": 1, "steps": 5}
"""One that only shows how it is called."""
ROOM = [(-0.7, 0.7), (-0.7, 0.7), (0.2, 1.0)]


def excess(found: Excitation) -> float:
    """The largest share of any limit on a grid finer than those of the search, with other instants."""
    time = np.linspace(0.0, found.duration, 23 * len(found.search.grid) + 1)
    q, qd, qdd = found.trajectory.at(time)
    robot, arm = found.robot, found.experiment.arm
    shares = [np.abs(qd / found.limits.velocity), np.abs(qdd / found.limits.acceleration)]
    half = 0.5 * (found.limits.high - found.limits.low)
    shares.append(np.abs(q - found.limits.low - half) / half)
    speed, torque = arm.speed(q, qd), arm.torque(q, qd, qdd)
    shares.append(arm.actuators.share(speed, torque))
    shares.append(np.abs(speed) / arm.actuators.speed_limits)
    efforts = np.array([joint.limits.effort or np.inf for joint in robot.joints])
    shares.append(np.abs(arm.dyn.inverse(q, qd, qdd)) / efforts)
    return max(float(share.max()) for share in shares)


@pytest.fixture(scope="module")
def planar() -> Excitation:
    return excite("planar3")


@pytest.fixture(scope="module")
def ur5() -> Excitation:
    return excite("ur5", friction=True, workspace=ROOM, **QUICK)


# Limits ---------------------------------------------------------------------------------------


def test_limits_are_kept_everywhere(planar, ur5):
    assert excess(planar) <= 1
    assert excess(ur5) <= 1
    place = ur5.experiment.arm.dyn.pose(ur5.trajectory.at(np.linspace(0, 10, 4321))[0])[:, :3, 3]
    assert np.all(place >= np.array(ROOM)[:, 0])
    assert np.all(place <= np.array(ROOM)[:, 1])


@pytest.mark.parametrize(
    ("name", "more"),
    [
        ("scara", {}),  # a sliding joint, motors with a largest speed
        ("pendulum", {"kind": "polynomial"}),
        pytest.param("panda", {"friction": True}, marks=pytest.mark.slow),
        pytest.param("lola15", {}, marks=pytest.mark.slow),  # coupled gears, motors with a torque and a speed
        pytest.param("irb6", {}, marks=pytest.mark.slow),  # voltages, gears that change
        pytest.param("jpl_rrp", {}, marks=pytest.mark.slow),  # stall torques, an effort limit beside
    ],
)
def test_limits_are_kept_everywhere_by_others(name, more):
    found = excite(name, **QUICK, **more)
    assert excess(found) <= 1
    assert max(use.share for use in found.uses) > 0.9  # and used
    assert found.condition_number < found.random_condition_number


def test_it_rests_at_both_ends(planar, ur5):
    for found in (planar, ur5, excite("planar3", kind="polynomial", **QUICK)):
        q, qd, qdd = found.trajectory.at(np.array([0.0, found.duration]))
        assert not qd.any()
        assert not qdd.any()
        if isinstance(found.trajectory.basis, Fourier):
            assert q[0] == pytest.approx(q[1])


def test_uses_say_what_is_used(ur5):
    uses = {(use.quantity, use.joint or use.axis): use for use in ur5.uses}
    time = ur5.search.fine_grid
    q, qd, _ = ur5.trajectory.at(time)
    for j in range(6):
        use = uses["joint_speed", j + 1]
        assert use.share == pytest.approx(np.abs(qd[:, j]).max() / ur5.limits.velocity[j])
        assert use.value == pytest.approx(use.share * use.limit)
        assert abs(use.limit) == pytest.approx(ur5.limits.velocity[j])
    z = ur5.experiment.arm.dyn.pose(q)[:, 2, 3]
    assert uses["workspace", "z"].limit in (pytest.approx(0.2), pytest.approx(1.0))
    assert z.min() - 1e-12 <= uses["workspace", "z"].value <= z.max() + 1e-12
    assert {quantity for quantity, _ in uses} == {
        *("position", "joint_speed", "joint_acceleration", "joint_torque", "workspace")
    }


def test_a_share_of_the_limits_is_a_share_of_all():
    found = excite("scara", share=0.5, **QUICK)
    assert excess(found) <= 0.5


def test_limits_that_are_given_hold():
    given = {"ranges": {1: (-0.5, 0.5)}, "velocity": {2: 0.3}, "acceleration": 1.0}
    found = excite("planar3", **given, **QUICK)
    q, qd, qdd = found.trajectory.at(np.linspace(0, 10, 3000))
    assert np.abs(q[:, 0]).max() <= 0.5
    assert np.abs(qd[:, 1]).max() <= 0.3
    assert np.abs(qdd).max() <= 1.0
    assert any("of joints 1, 3 are unknown" in note for note in found.notes)  # the speeds


# How good -------------------------------------------------------------------------------------


def random_series(found: Excitation, count: int, seed: int) -> list[float]:
    """Condition numbers of random Fourier series within the limits, drawn here and nowhere else."""
    rng = np.random.default_rng(seed)
    limits, dyn, base = found.limits, found.experiment.arm.dyn, found.experiment.base
    basis, n = found.trajectory.basis, found.robot.n
    assert isinstance(basis, Fourier)
    w = basis.frequency * np.arange(1, basis.harmonics + 1)
    time = np.linspace(0.0, found.duration, 101)
    sine, cosine = np.sin(np.outer(time, w)), np.cos(np.outer(time, w))
    weights = found.experiment.rows
    conditions: list[float] = []
    while len(conditions) < count:
        a, b = rng.normal(size=(2, basis.harmonics, n))
        a -= a.mean(axis=0)
        number = np.arange(1.0, basis.harmonics + 1)[:, None]
        b -= number * (number * b).sum(axis=0) / (number**2).sum()
        q = (sine / w) @ a - (cosine / w) @ b
        qd, qdd = cosine @ a + sine @ b, (cosine * w) @ b - (sine * w) @ a
        centre = rng.uniform(limits.low, limits.high)
        room = np.minimum(limits.high - centre, centre - limits.low)
        taken = [np.abs(x).max(axis=0) for x in (q, qd, qdd)]
        limit = (room, limits.velocity, limits.acceleration)
        size = rng.uniform(0, 1, n) / np.max([x / y for x, y in zip(taken, limit, strict=True)], axis=0)
        q = centre + size * q
        if limits.largest(q, size * qd, size * qdd).max() > 1:
            continue
        Y = dyn.regressor(q, size * qd, size * qdd)
        W = weights @ base.regressor(Y) / found.experiment.columns
        conditions.append(float(np.linalg.cond(W.reshape(-1, W.shape[-1]))))
    return conditions


def test_twice_as_good_as_the_best_of_a_thousand_random_series(planar):
    assert planar.found.drawn == 1000
    assert planar.condition_number < 0.5 * planar.random_condition_number
    assert planar.condition_number < 0.5 * min(random_series(planar, 1000, seed=1))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "friction"),
    [("ur5", False), ("ur5", True), ("panda", False), ("puma560", None), ("lola15", None)],
)
def test_twice_as_good_for_larger_arms(name, friction):
    found = excite(name, friction=friction)
    assert excess(found) <= 1
    assert found.condition_number < 0.5 * found.random_condition_number
    assert found.condition_number < 0.5 * min(random_series(found, 1000, seed=1))


def test_the_condition_number_is_that_of_the_samples(planar):
    dyn, base, e = planar.experiment.arm.dyn, planar.experiment.base, planar.experiment
    s = planar.samples(rate=200.0)
    Y = base.regressor(dyn.regressor(s.q, s.qd, s.qdd))
    K = dyn.gear_matrix(np.array(planar.robot.home))
    W = np.linalg.inv(K).T @ Y / e.scale[:, None]  # torques of the motors
    scaled = np.linalg.cond((W / e.columns).reshape(-1, len(base)))
    sampling = 1e-2  # dry friction turns round between other samples
    assert planar.condition_number == pytest.approx(scaled, rel=sampling)
    plain = np.linalg.cond(W.reshape(-1, len(base)))
    assert planar.unscaled_condition_number == pytest.approx(plain, rel=sampling)
    assert planar.singular_values[0] / planar.singular_values[-1] == pytest.approx(planar.condition_number)


def test_units_of_parameters_do_not_matter_but_where_they_are_asked_for():
    scaled, plain = (excite("planar3", scaled=scaled, **QUICK) for scaled in (True, False))
    assert plain.condition_number == pytest.approx(plain.unscaled_condition_number)
    assert plain.condition_number < scaled.unscaled_condition_number


def test_d_optimality_is_improved():
    found = excite("planar3", criterion="d_optimal", **QUICK)
    assert found.improvement > 1.2
    assert excess(found) <= 1


def test_noise_says_what_torques_count():
    known = excite("planar3", noise=[1.0, 2.0, 3.0], **HASTY)
    assert known.experiment.scale == pytest.approx([1, 2, 3])
    assert not any("noise" in note for note in known.notes)


def test_some_parameters_alone():
    found = excite("planar3", among=["viscous", "coulomb", "offset"], **HASTY)
    assert {each.kind for each in found.experiment.base.kept} <= {"viscous", "coulomb", "offset"}


def test_the_same_arguments_give_the_same_motion():
    first, second = (excite("scara", seed=3, **HASTY) for _ in range(2))
    assert np.array_equal(first.trajectory.coefficients, second.trajectory.coefficients)
    other = excite("scara", seed=4, **HASTY)
    assert not np.array_equal(first.trajectory.coefficients, other.trajectory.coefficients)


def test_stopped_it_gives_the_best_until_then():
    shares: list[float] = []
    found = excite(
        "planar3", progress=lambda _, share: shares.append(share), stopped=lambda: len(shares) > 30
    )
    assert not found.finished
    assert found.condition_number < found.random_condition_number
    assert excess(found) <= 1
    assert shares == sorted(shares)
    assert max(shares) < 1


# Files ----------------------------------------------------------------------------------------


def test_samples_can_be_read_again(planar, tmp_path):
    for name in ("run.csv", "run.parquet"):
        planar.write(tmp_path / name, rate=50.0, periods=2)
        motion = read_motion(tmp_path / name, planar.robot)
        assert motion.time[-1] == pytest.approx(20.0)
        assert len(motion.time) == 1001
        assert motion.q[500] == pytest.approx(motion.q[0])
        assert not motion.qd[[0, 500, 1000]].any()
        torque = ad.Dynamics(planar.robot).inverse(motion.q, motion.qd, motion.qdd)
        assert motion.columns["tau"] == pytest.approx(torque, rel=1e-9, abs=1e-9)


def test_what_verifies_motions_finds_it_feasible(ur5, tmp_path):
    ur5.write(tmp_path / "run.csv")
    found = ad.verify(ad.planned(tmp_path / "run.csv", ur5.robot), friction=True)
    assert found.feasible
    demand = Demand.of(found.plan, found.arms)
    peak = {use.joint: abs(use.value) for use in ur5.uses if use.quantity == "joint_torque"}
    sampling = 0.03  # of 1e-2 s, accelerations by differences
    for j in range(6):
        assert np.abs(demand.torque[:, j]).max() == pytest.approx(peak[j + 1], rel=sampling)


def test_it_can_be_drawn(ur5, tmp_path):
    for name in ("run.png", "run.svg"):
        ur5.draw(tmp_path / name)
        assert (tmp_path / name).stat().st_size > 10_000


def test_the_document_says_all(ur5):
    said = ur5.document()
    assert said["condition_number"] == ur5.condition_number
    assert said["trajectory"]["a"].shape == (5, 6)
    assert len(said["base_parameters"]) == len(said["singular_values"]) == 54
    assert {limit["quantity"] for limit in said["limits"]} >= {"position", "joint_torque", "workspace"}


# Mistakes -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"criterion": "conditon"}, 'criterion "conditon" is unknown; did you mean "condition"?'),
        ({"kind": "spline"}, 'kind "spline" is unknown; expected fourier or polynomial'),
        ({"seed": -1}, "seed is -1, expected a whole number of 0 or more"),
        ({"duration": 0}, "duration is 0 s, expected 0.01 s to"),
        ({"duration": float("nan")}, "duration is nan s"),
        ({"harmonics": 1}, "1 harmonics, expected 2 to 1000"),
        ({"pieces": 4}, "pieces are of polynomials, a Fourier series has harmonics"),
        ({"kind": "polynomial", "harmonics": 4}, "harmonics are of a Fourier series"),
        ({"velocity": -1.0}, "velocity of joint 1 is -1, expected a finite number above 0"),
        ({"acceleration": [1, 2, np.nan]}, "acceleration of joint 3 is nan"),
        ({"noise": 0.0}, "noise of joint 1 is 0"),
        ({"share": 1.5}, "share of the limits is 1.5, expected a number above 0, at most 1"),
        ({"workspace": [(0, 1), (0, 1)]}, "workspace has shape (2, 2), expected (3, 2)"),
        ({"workspace": [(0, 1), (1, 0), (0, 1)]}, "workspace: y is from 1 to 0 m"),
        ({"workspace": [(0, 1), (0, 1), (0, np.nan)]}, "workspace: z is from 0 to nan m"),
        ({"ranges": {2: (0.5, 0.5)}}, "joint 2 stands at 0.5 and has no range to move in"),
        ({"ranges": {9: (0, 1)}}, 'no joint 9 in robot "planar3"'),
        ({"among": ["mass"]}, 'no parameter "mass"'),
        ({"among": ["body1.m"]}, "no motion shows any of these parameters"),
        ({"random": 0}, "random is 0, expected 1 to 1000000"),
        ({"starts": 2000}, "starts is 2000, expected 1 to 1000"),
    ],
)
def test_mistakes_are_one_sentence(options: dict[str, Any], sentence: str):
    if options.get("among") == ["body1.m"]:
        options = {"among": [ad.Dynamics(ad.load("planar3")).parameters[3].name]}  # out of the plane
    with pytest.raises(InputError) as caught:
        excite("planar3", **options)
    assert sentence in str(caught.value)


def test_a_workspace_that_the_tool_cannot_reach_is_said(ur5):
    with pytest.raises(
        InfeasibleError, match=r"no posture .* at best workspace x is .* where 2 is the limit"
    ) as no:
        excite(ur5.robot, workspace=[(2, 3), (-1, 1), (-1, 1)])
    assert no.value.quantity == "workspace"


def test_a_workspace_without_home_is_said(ur5):
    assert any(note.startswith("at home the tool is outside of the workspace") for note in ur5.notes)


def test_an_arm_that_cannot_hold_itself_is_said():
    robot = ad.load("pendulum").with_payload(mass=1e6, com=(0.3, 0.2, 0.1))
    with pytest.raises(InfeasibleError, match="motor torque of joint 1") as no:
        excite(robot, ranges={1: (0.5, 0.6)}, **HASTY)
    assert (no.value.quantity, no.value.joint) == ("motor_torque", 1)


def test_samples_that_cannot_be_are_refused(planar):
    with pytest.raises(InputError, match="rate is 0 samples a second"):
        planar.samples(rate=0)
    with pytest.raises(InputError, match="0 periods, expected 1 or more"):
        planar.samples(periods=0)
    with pytest.raises(InputError, match="samples, expected 1 to"):
        planar.samples(rate=1e9)

"""Servos over the workspace: closed forms, [Bejczy1974] II, gain schedules, bad input."""

import json
import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import armdyn as ad
from armdyn.dynamics import Dynamics
from armdyn.errors import InputError
from armdyn.spatial.inertia import Inertia
from armdyn.studies.loads.inertia import inertia
from armdyn.studies.loads.report import study_report
from armdyn.studies.loads.rows import Row, Study
from armdyn.studies.loads.servo import servo

EXACT = 1e-9
"""Relative: an extreme of a smooth function that was polished."""
SAMPLES = 20_000
SEED = 8
ZERO = (0.0, 0.0, 0.0)


def row_of(study: Study, joint: int, quantity: str, load: str = "none") -> Row:
    (found,) = [row for row in study.rows if (row.joint, row.quantity, row.load) == (joint, quantity, load)]
    return found


def test_critical_at_the_smallest_inertia() -> None:
    arm = ad.load("planar2")
    study = servo(arm, natural_frequency=10.0)
    stretched, folded = Dynamics(arm).mass_matrix([[0.0, 0.0], [0.0, math.pi]])[:, 0, 0]
    frequency, damping = row_of(study, 1, "natural_frequency"), row_of(study, 1, "damping")
    assert frequency.extremes.maximum.value == pytest.approx(10.0, rel=EXACT)
    assert damping.extremes.maximum.value == pytest.approx(1.0, rel=EXACT)
    # [Bejczy1974] II: with n times the inertia, frequency and damping are less by sqrt(n) ..
    n = stretched / folded
    assert frequency.extremes.minimum.value == pytest.approx(10.0 / math.sqrt(n), rel=EXACT)
    assert damping.extremes.minimum.value == pytest.approx(1.0 / math.sqrt(n), rel=EXACT)
    # .. and sqrt(n) times the velocity gain restores critical damping
    gain = row_of(study, 1, "velocity_gain")
    assert gain.extremes.minimum.value == pytest.approx(gain.more["velocity_gain"], rel=EXACT)
    assert gain.extremes.maximum.value == pytest.approx(gain.more["velocity_gain"] * math.sqrt(n), rel=EXACT)
    assert gain.ratio == pytest.approx(math.sqrt(n), rel=EXACT)
    assert math.cos(damping.extremes.minimum.q[1]) == pytest.approx(1.0, abs=EXACT)
    assert all(row.document()["certified"] for row in study.rows)


def test_scheduled_gain_gives_a_double_root() -> None:
    arm = ad.load("planar2")
    study = servo(arm, natural_frequency=10.0)
    gain = row_of(study, 1, "velocity_gain")
    J = Dynamics(arm).mass_matrix(gain.extremes.maximum.q)[0, 0]
    roots = np.roots([J, gain.extremes.maximum.value, gain.more["position_gain"]])
    assert roots == pytest.approx(-math.sqrt(gain.more["position_gain"] / J), rel=1e-6)


def test_given_gains() -> None:
    arm = ad.load("jpl_rrp")
    kp, kv = [100.0, 200.0, 900.0, 10.0, 10.0, 2.0], 3.0
    study = servo(arm, gains=(kp, kv), damping=0.7)
    found = inertia(arm)
    for joint in range(1, 7):
        (felt,) = [row.extremes for row in found.rows if row.joint == joint and row.quantity == "inertia"]
        frequency, damping = row_of(study, joint, "natural_frequency"), row_of(study, joint, "damping")
        k = kp[joint - 1]
        assert frequency.extremes.minimum.value == pytest.approx(math.sqrt(k / felt.maximum.value), rel=1e-6)
        assert damping.extremes.maximum.value == pytest.approx(
            kv / (2 * math.sqrt(k * felt.minimum.value)), rel=1e-6
        )
        gain = row_of(study, joint, "velocity_gain")
        assert gain.extremes.maximum.value == pytest.approx(
            2 * 0.7 * math.sqrt(k * felt.maximum.value), rel=1e-6
        )
        assert gain.unit == ("N s/m" if joint == 3 else "N m s/rad")


def test_bounds_hold_on_random_states() -> None:
    arm = ad.load("puma560").with_payload(2.5)
    study = servo(arm, natural_frequency=20.0, joints=[1, 2])
    low, high = np.array(list(study.settings["ranges"].values())).T
    q = np.random.default_rng(SEED).uniform(low, high, (SAMPLES, 6))
    for load, held in (("none", arm.without_payload()), ("payload", arm)):
        H = Dynamics(held).mass_matrix(q)
        for joint in (1, 2):
            row = row_of(study, joint, "damping", load)
            J = H[:, joint - 1, joint - 1]
            zeta = row.more["velocity_gain"] / (2 * np.sqrt(row.more["position_gain"] * J))
            assert row.extremes.minimum.bound <= zeta.min(), SEED
            assert row.extremes.maximum.bound >= zeta.max(), SEED
            assert row.extremes.minimum.value <= zeta.min() * (1 + 1e-12), SEED
            assert row.extremes.maximum.value >= zeta.max() * (1 - 1e-12), SEED
            assert row.document()["certified"]


def test_nominal_at_home() -> None:
    arm = ad.load("planar2")
    study = servo(arm, natural_frequency={1: 10.0, 2: 20.0}, nominal="home")
    for joint, frequency in ((1, 10.0), (2, 20.0)):
        J = Dynamics(arm).mass_matrix(arm.home)[joint - 1, joint - 1]
        row = row_of(study, joint, "damping")
        assert row.more["nominal_inertia"] == pytest.approx(J, rel=EXACT)
        assert row.more["position_gain"] == pytest.approx(J * frequency**2, rel=EXACT)
        assert row.more["velocity_gain"] == pytest.approx(2 * J * frequency, rel=EXACT)


def test_gains_for_a_damping_that_is_asked_for() -> None:
    study = servo(ad.load("planar2"), natural_frequency=10.0, damping=0.7)
    for joint in (1, 2):
        row = row_of(study, joint, "damping")
        assert row.more["velocity_gain"] == pytest.approx(2 * 0.7 * row.more["nominal_inertia"] * 10.0)
        assert row.extremes.maximum.value == pytest.approx(0.7, rel=EXACT)
        assert row_of(study, joint, "natural_frequency").extremes.maximum.value == pytest.approx(10.0)


def test_only_joints_asked_for_need_numbers() -> None:
    arm = ad.load("planar2")
    study = servo(arm, natural_frequency={"joint1": 10.0}, joints=[1])
    whole = servo(arm, natural_frequency=10.0, joints=[1])
    assert study.document()["rows"] == whole.document()["rows"]
    assert study.settings["natural_frequency"] == [10.0, None]
    gains = servo(arm, gains=({1: 100.0}, {1: 20.0}), joints=[1])
    assert gains.settings["position_gain"] == [100.0, None]
    assert "10, -" in study_report(study)


@pytest.mark.parametrize("others", ["locked", "free"])
def test_a_joint_without_inertia_is_refused(others: Any) -> None:
    arm = ad.load("planar2")
    hollow = replace(arm.bodies[1], inertia=Inertia(0.0, ZERO, (ZERO, ZERO, ZERO)))
    bare = replace(arm, bodies=(arm.bodies[0], hollow), drives=())
    said = r'joint 2 \("joint2"\) feels no inertia' if others == "locked" else "has a joint without inertia"
    with pytest.raises(InputError, match=said):
        servo(bare, natural_frequency=10.0, others=others)
    assert servo(bare, natural_frequency=10.0, joints=[1]).rows[0].document()["certified"]


def test_load_makes_a_servo_slower() -> None:
    study = servo(ad.load("jpl_rrp").with_payload(1.8), natural_frequency=10.0, joints=[5])
    empty, full = row_of(study, 5, "damping"), row_of(study, 5, "damping", "payload")
    assert full.more["position_gain"] == empty.more["position_gain"]
    assert full.extremes.maximum.value < empty.extremes.minimum.value


def test_free_neighbours_are_felt_less() -> None:
    arm = ad.load("planar2")
    locked, free = (servo(arm, natural_frequency=10.0, others=others) for others in ("locked", "free"))
    for joint in (1, 2):
        J = row_of(free, joint, "damping").more["nominal_inertia"]
        assert row_of(locked, joint, "damping").more["nominal_inertia"] > J
        document = row_of(free, joint, "damping").document()
        assert not document["certified"]
        assert document["minimum_bound"] is None
        bound = row_of(free, joint, "natural_frequency").extremes.minimum
        H = Dynamics(arm).mass_matrix(bound.q)
        expected = math.sqrt(
            row_of(free, joint, "damping").more["position_gain"] * np.linalg.inv(H)[joint - 1, joint - 1]
        )
        assert bound.value == pytest.approx(expected, rel=EXACT)
    assert any("has no bound" in note for note in free.notes)


def test_curves_and_document() -> None:
    arm = ad.load("jpl_rrp").with_payload(1.8)
    study = servo(arm, natural_frequency=10.0, joints=[1], over=2, at={3: (0.5, 1.1)})
    damping, gain = study.pictures
    assert damping.name == "damping_over_q2"
    assert [curve.label for curve in damping.curves] == [
        f"q3 = {r3}, joint 1, {load}" for load in ("no load", "with payload") for r3 in (0.5, 1.1)
    ]
    row = row_of(study, 1, "damping")
    q = np.tile(arm.home, (len(damping.curves[0].x), 1))
    q[:, 1], q[:, 2] = damping.curves[0].x, 0.5
    J = Dynamics(arm.without_payload()).mass_matrix(q)[:, 0, 0]
    zeta = row.more["velocity_gain"] / (2 * np.sqrt(row.more["position_gain"] * J))
    assert damping.curves[0].y == pytest.approx(zeta)
    assert np.array(gain.curves[0].y) * np.array(damping.curves[0].y) == pytest.approx(1.0)
    document = json.loads(json.dumps(study.document(), allow_nan=False))
    assert document["settings"]["natural_frequency"] == [10.0] * 6
    assert document["settings"]["damping"] == 1.0


def test_many_curves_have_figures_by_joint() -> None:
    arm = ad.load("planar2").with_payload(5.0)
    study = servo(arm, natural_frequency=10.0, over=2, at={1: (0.0, 0.5, 1.0)})
    assert [picture.name for picture in study.pictures] == [
        f"{quantity}_{joint}_over_q2" for joint in (1, 2) for quantity in ("damping", "velocity_gain")
    ]
    assert all(len(picture.curves) == 6 for picture in study.pictures)


def test_curves_are_drawn_over_what_changes_inertia_most() -> None:
    assert servo(ad.load("planar2"), natural_frequency=1.0).pictures[0].x_label == "q2 [rad]"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "neither of natural_frequency and gains is given"),
        ({"natural_frequency": 1.0, "gains": (1.0, 1.0)}, "both of natural_frequency and gains is given"),
        ({"natural_frequency": 0.0}, "natural_frequency of joint 1 is 0, expected a finite number above 0"),
        ({"natural_frequency": [1.0, math.nan]}, "natural_frequency of joint 2 is nan"),
        ({"natural_frequency": {1: 10.0}}, "natural_frequency of joint 2 is not given"),
        ({"natural_frequency": {1: 10.0, 2: 0.0}}, "natural_frequency of joint 2 is 0"),
        ({"gains": (1.0, {2: 1.0})}, "velocity gain of joint 1 is not given"),
        ({"gains": 3.0}, "gains is not a pair"),
        ({"gains": (1.0, -1.0)}, "velocity gain of joint 1 is -1"),
        ({"natural_frequency": 1.0, "damping": 0.0}, "damping is 0, expected a number above 0"),
        ({"natural_frequency": 1.0, "nominal": "mean"}, 'nominal "mean", expected one of smallest, home'),
        ({"natural_frequency": 1.0, "others": "gone"}, 'others "gone", expected "locked" or "free"'),
        ({"natural_frequency": 1.0, "over": 7}, "no joint 7"),
    ],
)
def test_bad_input(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        servo(ad.load("planar2"), **options)

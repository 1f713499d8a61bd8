"""Couplings, gravity and velocities against inertia: closed forms, [Bejczy1974] R and K, borders of speed."""

import json
import math
from typing import Any

import numpy as np
import pytest

import armdyn as ad
from armdyn.dynamics import Dynamics
from armdyn.errors import InputError
from armdyn.extremes import Bound, Extremes
from armdyn.studies.loads.coupling import coupling
from armdyn.studies.loads.rows import Picture, Row, Study
from armdyn.studies.loads.search import largest, scaled

SMOOTH = 1e-8
"""Relative: a quotient's extreme that was polished, against a fine grid."""
LOAD: dict[str, Any] = {"mass": 1.8, "inertia": [1.8 * 0.0762**2 / 6] * 3 + [0.0] * 3}
R3 = (1.118, 0.813, 0.508)
"""[m] of Figs. 4 to 8"""
SAMPLES = 20_000
SEED = 8


def row_of(study: Study, quantity: str, load: str = "none") -> Row:
    (found,) = [row for row in study.rows if (row.quantity, row.load) == (quantity, load)]
    return found


def picture_of(study: Study, name: str) -> Picture:
    (found,) = [picture for picture in study.pictures if picture.name == name]
    return found


@pytest.fixture(scope="module")
def restricted() -> Study:
    """The first three joints, the wrist as in Fig. 2, r3 as in the figures."""
    arm = ad.load("jpl_rrp").locked({4: 0.0, 5: 0.0, 6: 0.0})
    return coupling(arm, ranges={3: (0.508, 1.1176)}, over=2, at={3: R3}, velocity=(0.5, 0.5, 0.1))


@pytest.mark.parametrize(
    ("ratio", "printed", "digits", "unit"),
    [
        ("H12/H11", 0.5, 0.02, "1"),  # R1, (108); 0.51 with a6 = -0.434 of the errata
        ("H13/H11", 0.354, 0.0005, "rad/m"),  # R2, (109), the right value
        ("H21/H22", 0.11, 0.005, "1"),  # R3, (110)
        ("H31/H33", 0.1445, 0.00005, "m/rad"),  # R4, (111)
    ],
)
def test_ratios_of_the_report(
    restricted: Study, ratio: str, printed: float, digits: float, unit: str
) -> None:
    row = row_of(restricted, ratio)
    assert row.more["largest"] == pytest.approx(printed, abs=digits)
    assert row.unit == unit
    assert row.document()["certified"]


def test_joints_that_do_not_feel_one_another() -> None:
    study = coupling(ad.load("cartesian2"))
    for ratio in ("H12/H11", "H21/H22"):
        assert row_of(study, ratio).more["largest"] == pytest.approx(0.0, abs=1e-12)
        assert row_of(study, ratio).document()["certified"]


def test_curves_of_the_report(restricted: Study) -> None:
    picture = picture_of(restricted, "H12_H11_over_q2")
    assert [curve.label for curve in picture.curves] == [f"q3 = {value:.4g}" for value in R3]
    dyn = Dynamics(restricted.robot)
    for curve, r3 in zip(picture.curves, R3, strict=True):
        q = np.column_stack([np.zeros(len(curve.x)), curve.x, np.full(len(curve.x), r3)])
        H = dyn.mass_matrix(q)
        assert np.allclose(curve.y, np.abs(H[:, 0, 1] / H[:, 0, 0]), atol=1e-12)
    assert max(picture.curves[0].y) == pytest.approx(0.5, abs=0.02)
    assert picture.x_label == "q2 [rad]"


@pytest.mark.parametrize(
    ("ratio", "motors", "printed"),
    [
        ("g3/H33", "none", 9.81),  # K2 = g, which leaves out the input mass (errata)
        ("g5/H55", None, 9.81 * 0.561 / 0.225),  # K4, (140)
        ("g4/H44", None, 9.81 * 0.561 / 0.234),  # K3, (139) at theta5 = 90 deg
    ],
)
def test_gravity_of_the_report(ratio: str, motors: Any, printed: float) -> None:
    joint = int(ratio[1])
    study = coupling(ad.load("jpl_rrp").with_payload(**LOAD), motors, joints=[joint])
    row = row_of(study, ratio, "payload")
    assert row.more["largest"] == pytest.approx(printed, rel=0.01)
    assert row.document()["certified"]
    assert [row.quantity for row in study.rows] == [ratio, ratio]


def test_gravity_torque_is_twelve_times_the_inertia_torque() -> None:
    # [Bejczy1974] VII.E: at theta2 = 60 deg, r3 = 96.5 cm, 0.5 rad/s2, with load; printed 14. The
    # simplified (137) gives 13.05 with the wrong b5 and 11.9 with the right one
    arm = ad.load("jpl_rrp").with_payload(**LOAD)
    study = coupling(arm, joints=[2], over=2, at={3: [0.965]}, acceleration=0.5)
    curve = picture_of(study, "g2_H22_over_q2").curves[1]
    assert curve.label == "q3 = 0.965, with payload"
    assert np.interp(math.radians(60), curve.x, curve.y) / 0.5 == pytest.approx(11.9, rel=0.03)
    row = row_of(study, "g2/H22", "payload")
    assert row.more["share"] == pytest.approx(row.more["largest"] / 0.5)


def test_moon_scales_gravity_alone() -> None:
    arm = ad.load("planar2")
    here, moon = coupling(arm), coupling(arm.with_gravity((0, -1.62, 0)))
    assert row_of(moon, "g1/H11").more["largest"] == pytest.approx(
        row_of(here, "g1/H11").more["largest"] * 1.62 / 9.81, rel=1e-6
    )
    assert row_of(moon, "H12/H11").more["largest"] == pytest.approx(row_of(here, "H12/H11").more["largest"])


def test_of_two_links_in_a_plane() -> None:
    arm = ad.load("planar2")
    study = coupling(arm, velocity=(1.0, -2.0), acceleration=(4.0, 5.0))
    q2 = np.linspace(-math.pi, math.pi, 200_001)
    q = np.column_stack([np.zeros_like(q2), q2])
    dyn, qd = Dynamics(arm, friction=False), np.array([1.0, -2.0])
    H = dyn.mass_matrix(q)
    velocity = (dyn.coriolis_matrix(q, np.broadcast_to(qd, q.shape)) @ qd[:, None])[..., 0]
    for ratio, values in {
        "H12/H11": H[:, 0, 1] / H[:, 0, 0],
        "H21/H22": H[:, 1, 0] / H[:, 1, 1],
        "C1/H11": velocity[:, 0] / H[:, 0, 0] / 4.0,
        "C2/H22": velocity[:, 1] / H[:, 1, 1] / 5.0,
    }.items():
        row = row_of(study, ratio)
        assert row.extremes.minimum.value == pytest.approx(values.min(), rel=SMOOTH)
        assert row.extremes.maximum.value == pytest.approx(values.max(), rel=SMOOTH)
        assert row.document()["certified"]
    assert row_of(study, "H12/H11").more["share"] == pytest.approx(
        row_of(study, "H12/H11").more["largest"] * 5.0 / 4.0
    )


def test_border_between_slow_and_fast() -> None:
    arm = ad.load("planar3")
    qd = np.array([0.7, -0.4, 0.9])
    study = coupling(arm, velocity=qd, acceleration=2.0, share=0.2)
    dyn = Dynamics(arm, friction=False)
    q = np.random.default_rng(SEED).uniform(-math.pi, math.pi, (SAMPLES, 3))
    H = dyn.mass_matrix(q)
    for joint in (1, 2, 3):
        row = row_of(study, f"C{joint}/H{joint}{joint}")
        slow = np.array(row.more["border_velocity"])
        assert slow == pytest.approx(row.more["border_scale"] * qd)
        torque = (dyn.coriolis_matrix(q, np.broadcast_to(slow, q.shape)) @ slow[:, None])[..., 0]
        shares = np.abs(torque[:, joint - 1] / (2.0 * H[:, joint - 1, joint - 1]))
        assert shares.max() <= 0.2 * (1 + 1e-9), SEED
        assert shares.max() >= 0.2 * 0.95, SEED
        assert row.more["border_scale_bound"] <= row.more["border_scale"]
    least = min(row.more["border_scale"] for row in study.rows if "border_scale" in row.more)
    assert any(f"up to {least:.3g} times these velocities" in note for note in study.notes)
    assert picture_of(study, "border").curves[-1].y[0] == 0.2


def test_velocity_limits_in_their_worst_directions() -> None:
    arm = ad.load("centrifuge3")
    study = coupling(arm)
    limits = [joint.limits.velocity for joint in arm.joints]
    q = np.random.default_rng(SEED).uniform(-math.pi, math.pi, (SAMPLES, 3))
    dyn = Dynamics(arm, friction=False)
    H, c = dyn.mass_matrix(q), dyn.velocity_coefficients(q)
    for joint in (1, 2, 3):
        row = row_of(study, f"C{joint}/H{joint}{joint}")
        assert np.abs(row.more["velocity"]) == pytest.approx(limits)
        for signs in ((1, 1, 1), (1, 1, -1), (1, -1, 1), (1, -1, -1)):
            qd = np.array(limits) * signs
            shares = np.abs(np.einsum("sjk,j,k->s", c[:, joint - 1], qd, qd) / H[:, joint - 1, joint - 1])
            assert row.more["largest"] >= shares.max() * (1 - 1e-9), SEED


def test_without_velocities_there_are_no_velocity_torques() -> None:
    study = coupling(ad.load("planar2"))
    assert not [row for row in study.rows if row.quantity.startswith("C")]
    assert any(note.startswith("no Coriolis and centrifugal torques") for note in study.notes)


@pytest.mark.parametrize("name", ["puma560", "jpl_rrp"])
def test_bounds_hold_on_random_states(name: str) -> None:
    arm = ad.load(name)
    study = coupling(arm, joints=[1, 2, 3], velocity=1.0)
    low, high = np.array(list(study.settings["ranges"].values())).T
    q = np.random.default_rng(SEED).uniform(low, high, (SAMPLES, arm.n))
    dyn = Dynamics(arm, friction=False)
    H, g, ones = dyn.mass_matrix(q), dyn.gravity(q), np.ones(arm.n)
    v = (dyn.coriolis_matrix(q, np.ones_like(q)) @ ones[:, None])[..., 0]
    for i in range(3):
        found = {f"g{i + 1}/H{i + 1}{i + 1}": g[:, i], f"C{i + 1}/H{i + 1}{i + 1}": v[:, i]}
        found |= {f"H{i + 1}{j + 1}/H{i + 1}{i + 1}": H[:, i, j] for j in range(3) if j != i}
        for ratio, torque in found.items():
            row, values = row_of(study, ratio), torque / H[:, i, i]
            assert row.extremes.minimum.value <= values.min() + 1e-11, SEED
            assert row.extremes.maximum.value >= values.max() - 1e-11, SEED
            assert row.extremes.minimum.bound <= values.min() + 1e-11, SEED
            assert row.extremes.maximum.bound >= values.max() - 1e-11, SEED


def test_accelerations_that_are_not_given_are_one() -> None:
    arm = ad.load("planar2")
    given, whole = (coupling(arm, acceleration=qdd) for qdd in ({"joint1": 4.0}, (4.0, 1.0)))
    assert given.settings["acceleration"] == [4.0, 1.0]
    assert [row.document() for row in given.rows] == [row.document() for row in whole.rows]


def test_the_largest_magnitude_has_the_farther_bound() -> None:
    low, high = Bound(-5.0, np.zeros(1), -6.0, False), Bound(1.0, np.ones(1), 2.0, True)
    found = largest(Extremes(low, high))
    assert (found.value, found.bound, found.q[0], found.certified) == (5.0, 6.0, 0.0, False)
    turned = largest(scaled(Extremes(low, high), -1.0))
    assert (turned.value, turned.bound, turned.q[0], turned.certified) == (5.0, 6.0, 0.0, False)


def test_document_and_bars(restricted: Study) -> None:
    document = json.loads(json.dumps(restricted.document(), allow_nan=False))
    assert document["kind"] == "coupling"
    assert document["settings"]["acceleration"] == [1.0, 1.0, 1.0]
    assert {"coupling", "gravity_ratio", "border"} <= {picture.name for picture in restricted.pictures}
    bars = picture_of(restricted, "coupling")
    assert bars.kind == "bars"
    assert [curve.label for curve in bars.curves] == [f"acceleration of joint {j}" for j in (1, 2, 3)]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"joints": [5]}, "no joint 5"),
        ({"over": 5}, "no joint 5"),
        ({"at": {2: [0.0]}}, "at or posture is given without over"),
        ({"over": 1, "at": {1: [0.0]}}, "joint 1 is in both over and at"),
        ({"over": 1, "at": {2: []}}, "at: joint 2 has no values"),
        ({"over": 1, "at": {2: [math.nan]}}, "at: value of joint 2 is nan"),
        ({"over": 1, "posture": {2: "up"}}, "posture of joint 2 is 'up'"),
        ({"share": 0.0}, "share is 0, expected a number above 0"),
        ({"share": "much"}, "share is 'much'"),
        ({"acceleration": -1.0}, "acceleration of joint 1 is -1, expected a finite number above 0"),
        ({"acceleration": {2: 0.0}}, "acceleration of joint 2 is 0"),
        ({"acceleration": {3: 1.0}}, "no joint 3"),
        ({"velocity": (1.0, 2.0, 3.0)}, r"velocity has shape \(3,\)"),
        ({"velocity": (1.0, math.nan)}, "velocity of joint 2 is nan"),
        ({"velocity": "fast"}, "velocity is 'fast'"),
        ({"ranges": {2: (1.0, 0.0)}}, "lower end 1 is above"),
    ],
)
def test_bad_input(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        coupling(ad.load("planar2"), **options)

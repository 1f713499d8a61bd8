"""Inertia at joints and motors over the workspace: closed forms, [Bejczy1974] Table 1, bounds, bad input."""

import json
import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import armdyn as ad
from armdyn.dynamics import Dynamics
from armdyn.errors import InputError, MissingDataError
from armdyn.robot import Robot
from armdyn.robot.joint import Limits
from armdyn.studies.loads.inertia import inertia
from armdyn.studies.loads.rows import Row, Study

EXACT = 1e-9
"""Relative: an extreme of a smooth function that was polished."""
ROUNDING = 1e-12
"""Relative to the largest element: the same equations evaluated in two ways."""
EDGE = 0.0762
"""[m] of the report's load, a cube of 442 cm3"""
LOAD: dict[str, Any] = {"mass": 1.8, "inertia": [1.8 * EDGE**2 / 6] * 3 + [0.0] * 3}
SAMPLES = 20_000
SEED = 8


def row_of(study: Study, joint: int, quantity: str, load: str = "none") -> Row:
    (found,) = [row for row in study.rows if (row.joint, row.quantity, row.load) == (joint, quantity, load)]
    return found


@pytest.fixture(scope="module")
def jpl() -> Study:
    return inertia(ad.load("jpl_rrp").with_payload(**LOAD))


def test_of_two_links_in_a_plane() -> None:
    # H11 = constant + 2 m2 a1 l2 cos q2: largest stretched, smallest folded
    arm = ad.load("planar2")
    study, dyn = inertia(arm), Dynamics(arm)
    row = row_of(study, 1, "inertia")
    stretched, folded = dyn.mass_matrix([[0.0, 0.0], [0.0, math.pi]])[:, 0, 0]
    assert row.extremes.maximum.value == pytest.approx(stretched, rel=EXACT)
    assert row.extremes.minimum.value == pytest.approx(folded, rel=EXACT)
    assert row.ratio == pytest.approx(stretched / folded, rel=EXACT)
    assert math.cos(row.extremes.maximum.q[1]) == pytest.approx(1.0, abs=EXACT)
    constant = row_of(study, 2, "inertia")
    assert constant.ratio == pytest.approx(1.0, rel=EXACT)
    assert all(row.document()["certified"] for row in study.rows)


# [Bejczy1974] Table 1 with the errata's ratios; joint 2's least is a little below the report's posture
TABLE_1 = [
    # joint, minimum, maximum, relative, maximum with load, relative with load, last digits of the print
    (1, 1.419, 6.16, 4.35, 9.57, 6.75, 0.002),
    (2, 3.47, 6.94, 2.0, 10.3, 2.96, 0.003),
    (3, 7.257, 7.257, 1.0, 9.057, 1.25, 0.002),
    (4, 0.108, 0.123, 1.14, 0.235, 2.18, 0.005),
    (5, 0.113, 0.113, 1.0, 0.225, 1.99, 0.005),
    (6, 0.0203, 0.0203, 1.0, 0.022, 1.09, 0.005),
]


@pytest.mark.parametrize(("joint", "low", "high", "relative", "loaded", "relative_loaded", "digits"), TABLE_1)
def test_of_the_report(
    jpl: Study,
    joint: int,
    low: float,
    high: float,
    relative: float,
    loaded: float,
    relative_loaded: float,
    digits: float,
) -> None:
    empty, full = row_of(jpl, joint, "inertia"), row_of(jpl, joint, "inertia", "payload")
    assert empty.extremes.minimum.value == pytest.approx(low, rel=digits)
    assert empty.extremes.maximum.value == pytest.approx(high, rel=digits)
    assert full.extremes.maximum.value == pytest.approx(loaded, rel=digits)
    assert empty.ratio == pytest.approx(relative, rel=digits)
    assert full.ratio == pytest.approx(relative_loaded, rel=digits)
    assert empty.unit == ("kg" if joint == 3 else "kg m2")


def test_report_in_its_own_unit(jpl: Study) -> None:
    # errata: D11 min is 201 oz-in-s2, printed 196
    ounce_inch = 0.0070615518
    assert row_of(jpl, 1, "inertia").extremes.minimum.value / ounce_inch == pytest.approx(201, abs=0.5)


def test_all_of_the_report_is_certified(jpl: Study) -> None:
    assert all(row.document()["certified"] for row in jpl.rows)
    for row in jpl.rows:
        low, high = row.extremes.minimum, row.extremes.maximum
        slack = 1e-3 * (high.value - low.value) + 1e-9 * high.value
        assert low.value - slack <= low.bound <= low.value
        assert high.value <= high.bound <= high.value + slack


@pytest.mark.parametrize("name", ["jpl_rrp", "puma560", "ur5", "lola15", "scara"])
def test_bounds_hold_on_random_states(name: str) -> None:
    arm = ad.load(name)
    study = inertia(arm, joints=[1, 2])
    low, high = np.array(list(study.settings["ranges"].values())).T
    q = np.random.default_rng(SEED).uniform(low, high, (SAMPLES, arm.n))
    H = Dynamics(arm).mass_matrix(q)
    for joint in (1, 2):
        values, row = H[:, joint - 1, joint - 1], row_of(study, joint, "inertia")
        assert row.extremes.minimum.value <= values.min() * (1 + ROUNDING), SEED
        assert row.extremes.maximum.value >= values.max() * (1 - ROUNDING), SEED
        assert row.extremes.minimum.bound <= values.min(), SEED
        assert row.extremes.maximum.bound >= values.max(), SEED


@pytest.mark.parametrize("quantity", ["inertia", "motor_inertia"])
@pytest.mark.parametrize("name", ["jpl_rrp", "lola15", pytest.param("irb6", marks=pytest.mark.slow)])
def test_values_are_those_at_the_postures(name: str, quantity: str) -> None:
    # lola15: coupled gears; irb6: gears that change with the posture
    arm = ad.load(name)
    study, dyn = inertia(arm, joints=[1, 2, arm.n]), Dynamics(arm)
    rows = [row for row in study.rows if row.quantity == quantity]
    assert len(rows) == 3
    for row in rows:
        for bound in (row.extremes.minimum, row.extremes.maximum):
            of_all = (
                np.diag(dyn.mass_matrix(bound.q)) if quantity == "inertia" else dyn.effective_inertia(bound.q)
            )
            assert bound.value == pytest.approx(of_all[row.joint - 1], rel=1e-10)


def test_motor_side_of_a_single_gear(jpl: Study) -> None:
    at_joint, at_motor = row_of(jpl, 4, "inertia"), row_of(jpl, 4, "motor_inertia")
    assert at_motor.extremes.maximum.value == pytest.approx(at_joint.extremes.maximum.value / 72**2)
    assert at_motor.more["gear"] == 72
    assert at_motor.unit == "kg m2"


def test_locked_wrist() -> None:
    # [Bejczy1974] sec. V: D11* = a1 + (a2 + a3 r3 + a4 r3^2) s2^2 + a5 c2^2, the wrist as in Fig. 2
    arm = ad.load("jpl_rrp").locked({4: 0.0, 5: 0.0, 6: 0.0})
    study, dyn = inertia(arm), Dynamics(arm)
    row = row_of(study, 1, "inertia")
    assert len(row.extremes.maximum.q) == 3
    upright, level = dyn.mass_matrix([[0.0, 0.0, 0.5], [0.0, math.pi / 2, 1.1176]])[:, 0, 0]
    # the posture is the report's; link 4's centre of mass beside the axis moves the extremes by 0.002 %
    assert row.extremes.maximum.value == pytest.approx(level, rel=2e-5)
    assert row.extremes.minimum.value == pytest.approx(upright, rel=2e-5)
    assert {row.quantity for row in study.rows} == {"inertia", "motor_inertia"}
    assert len(study.rows) == 6


def test_motors_none_leaves_out_what_spins() -> None:
    arm = ad.load("jpl_rrp")
    bare = row_of(inertia(arm, "none", joints=[3]), 3, "inertia").extremes.maximum.value
    assert bare == pytest.approx(
        row_of(inertia(arm, joints=[3]), 3, "inertia").extremes.maximum.value - 0.782
    )


def test_what_has_roots_has_no_bound() -> None:
    study = inertia(ad.load("irb6"), joints=[2, 4])
    document = row_of(study, 2, "inertia").document()
    assert not document["certified"]
    assert document["minimum_bound"] is None
    assert document["maximum_bound"] is None
    assert any("H22 has no bound" in note for note in study.notes)
    assert row_of(study, 4, "inertia").document()["certified"]


def test_little_effort_says_so() -> None:
    study = inertia(ad.load("puma560"), joints=[1], effort=2)
    row = row_of(study, 1, "inertia")
    assert not row.document()["certified"]
    assert row.extremes.maximum.bound > row.extremes.maximum.value


def test_document_and_bars(jpl: Study) -> None:
    document = json.loads(json.dumps(jpl.document(), allow_nan=False))
    assert document["kind"] == "inertia"
    keys = {"joint", "quantity", "load", "minimum", "maximum", "q_minimum", "q_maximum", "ratio", "certified"}
    assert all(keys <= set(row) and len(row["q_minimum"]) == 6 for row in document["rows"])
    assert document["settings"]["motors"] == "reflected"
    assert document["settings"]["payloads"][0]["mass"] == 1.8
    (bars,) = jpl.pictures
    assert bars.kind == "bars"
    assert [curve.label for curve in bars.curves] == ["smallest", "largest, no load", "largest, with payload"]
    assert bars.curves[2].y[0] == pytest.approx(6.75, abs=0.01)
    assert any("smallest without" in note for note in jpl.notes)


def test_progress_ends_at_one() -> None:
    seen: list[tuple[str, float]] = []
    inertia(ad.load("planar2"), progress=lambda what, share: seen.append((what, share)))
    shares = [share for _, share in seen]
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    assert seen[0][0] == "H11"


# Ranges and bad input -------------------------------------------------------------------------


def test_range_of_one_point_gives_its_value() -> None:
    arm = ad.load("jpl_rrp")
    point = {1: (0.0, 0.0), 2: (0.3, 0.3), "joint3": (0.7, 0.7), 4: (1.0, 1.0), 5: (0.2, 0.2), 6: (0.0, 0.0)}
    row = row_of(inertia(arm, ranges=point, joints=[1]), 1, "inertia")
    expected = Dynamics(arm).mass_matrix([0.0, 0.3, 0.7, 1.0, 0.2, 0.0])[0, 0]
    assert row.extremes.minimum.value == pytest.approx(expected, rel=1e-10)
    assert row.extremes.maximum.value == pytest.approx(expected, rel=1e-10)


def test_range_beyond_the_limits_is_noted() -> None:
    study = inertia(ad.load("jpl_rrp"), ranges={3: (0.0, 1.5)}, joints=[2])
    assert "joint 3: the range [0, 1.5] reaches beyond its limits [0.1, 1.118]" in study.notes
    assert row_of(study, 2, "inertia").extremes.maximum.q[2] == pytest.approx(1.5)


def test_full_turns_are_noted() -> None:
    study = inertia(ad.load("lola15"), joints=[6])
    assert "no position limits, a full turn is taken: joint 1, 2, 3, 4, 5, 6" in study.notes


def sliding_without_limits() -> Robot:
    arm = ad.load("cartesian2")
    first = replace(arm.bodies[0], joint=replace(arm.bodies[0].joint, limits=Limits()))
    return replace(arm, bodies=(first, *arm.bodies[1:]))


def test_sliding_joint_without_limits_needs_a_range() -> None:
    arm = sliding_without_limits()
    with pytest.raises(
        MissingDataError, match=r'joint 1 \("joint1"\) slides without position limits, give the range'
    ):
        inertia(arm)
    assert inertia(arm, ranges={1: (0.0, 2.0)}).rows


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"joints": [7]}, "no joint 7"),
        ({"joints": ["elbow"]}, "no joint 'elbow'"),
        ({"joints": []}, "joints is empty"),
        ({"ranges": {9: (0, 1)}}, "no joint 9"),
        ({"ranges": {3: (1.0, 0.5)}}, "lower end 1 is above the upper 0.5"),
        ({"ranges": {3: (math.nan, 0.5)}}, "lower end is nan"),
        ({"ranges": {3: (0.1, math.inf)}}, "upper end is inf"),
        ({"ranges": {3: 0.5}}, r"is 0.5, expected \(lower, upper\)"),
        ({"ranges": {3: ("low", 1)}}, "'low', expected a number"),
        ({"ranges": {3: (0.1, 1), "joint3": (0.1, 1)}}, "joint 3 is given twice"),
        ({"ranges": [(0, 1)]}, "ranges is a list, expected a mapping"),
        ({"motors": "all"}, 'motors "all"'),
    ],
)
def test_bad_input(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        inertia(ad.load("jpl_rrp"), **options)

"""Gravity at joints and motors over the workspace: closed forms, [Bejczy1974] Table 2, other planets."""

import json
import math
from typing import Any

import numpy as np
import pytest

import armdyn as ad
from armdyn.dynamics import Dynamics
from armdyn.errors import InputError
from armdyn.studies.loads.gravity import gravity
from armdyn.studies.loads.rows import Row, Study

EXACT = 1e-9
"""Relative: an extreme of a smooth function that was polished."""
TABLE_G = 9.88
"""[m/s2] what Table 2 was computed with (errata)"""
DIGITS = 0.005
"""Relative: masses and first moments are printed with two or three digits."""
LOAD: dict[str, Any] = {"mass": 1.8, "inertia": [1.8 * 0.0762**2 / 6] * 3 + [0.0] * 3}
SAMPLES = 20_000
SEED = 8


def row_of(study: Study, joint: int, quantity: str, load: str = "none") -> Row:
    (found,) = [row for row in study.rows if (row.joint, row.quantity, row.load) == (joint, quantity, load)]
    return found


@pytest.fixture(scope="module")
def table_2() -> Study:
    return gravity(ad.load("jpl_rrp").with_payload(**LOAD).with_gravity((0, 0, -TABLE_G)))


def test_of_two_links_in_a_plane() -> None:
    arm = ad.load("planar2")
    study = gravity(arm)
    level = Dynamics(arm).gravity([0.0, 0.0])
    for joint in (1, 2):
        row = row_of(study, joint, "gravity")
        assert row.extremes.maximum.value == pytest.approx(level[joint - 1], rel=EXACT)
        assert row.extremes.minimum.value == pytest.approx(-level[joint - 1], rel=EXACT)
        assert row.more["largest"] == pytest.approx(level[joint - 1], rel=EXACT)
        at_motor = row_of(study, joint, "motor_gravity")
        assert at_motor.more["largest"] == pytest.approx(level[joint - 1] / 100, rel=EXACT)
        assert row.document()["certified"]
        assert at_motor.document()["certified"]


@pytest.mark.parametrize(
    ("joint", "empty", "loaded", "motor_empty", "motor_loaded", "stall", "gear"),
    [
        (1, 0.0, 0.0, 0.0, 0.0, 0.918, 100),
        (2, 45.1, 69.3, 0.451, 0.693, 3.036, 100),
        (3, 63.94, 81.73, 63.94, 81.73, 98.7, 1),
        (4, 1.144, 5.54, 0.0159, 0.077, 0.141, 72),
        (5, 1.144, 5.54, 0.0159, 0.077, 0.141, 72),
        (6, 0.0, 0.0, 0.0, 0.0, 0.047, 146),
    ],
)
def test_of_the_report(
    table_2: Study,
    joint: int,
    empty: float,
    loaded: float,
    motor_empty: float,
    motor_loaded: float,
    stall: float,
    gear: float,
) -> None:
    digits = DIGITS if joint in (2, 3) else 0.03  # the wrist's moments have two digits, Table 2 adds a term
    expected = {("gravity", "none"): empty, ("gravity", "payload"): loaded}
    expected |= {("motor_gravity", "none"): motor_empty, ("motor_gravity", "payload"): motor_loaded}
    for (quantity, load), printed in expected.items():
        row = row_of(table_2, joint, quantity, load)
        assert row.more["largest"] == pytest.approx(printed, rel=digits, abs=1e-12)
        assert row.document()["certified"]
    at_motor = row_of(table_2, joint, "motor_gravity", "payload")
    assert at_motor.more["stall_torque"] == stall
    assert at_motor.more["gear"] == gear
    assert at_motor.more["stall_share"] == pytest.approx(motor_loaded / stall, rel=digits, abs=1e-12)


def test_boom_against_its_largest_force(table_2: Study) -> None:
    row = row_of(table_2, 3, "gravity")
    assert row.unit == "N"
    assert row.more["effort_limit"] == 98.7
    assert row.more["effort_share"] == pytest.approx(63.94 / 98.7, rel=DIGITS)
    assert row_of(table_2, 3, "gravity", "payload").ratio == pytest.approx(81.73 / 63.94, rel=DIGITS)


def test_load_off_the_axis_of_the_hand() -> None:
    # [Bejczy1974] VII.B.6: the common centre of mass of hand and load 1 inch off the axis gives 0.58 N m
    off = (0.51 + 1.8) * 0.0254 / 1.8
    study = gravity(ad.load("jpl_rrp").with_payload(1.8, (off, 0.0, 0.0)), joints=[6])
    assert row_of(study, 6, "gravity", "payload").more["largest"] == pytest.approx(0.58, abs=0.005)


@pytest.mark.parametrize("planet", [1.62, 3.72])
def test_other_planets_scale_it(planet: float) -> None:
    arm = ad.load("jpl_rrp").with_payload(**LOAD)
    here, there = (gravity(a, joints=[2]) for a in (arm, arm.with_gravity((0, 0, -planet))))
    for row in here.rows:
        other = row_of(there, row.joint, row.quantity, row.load)
        assert other.more["largest"] == pytest.approx(row.more["largest"] * planet / 9.81, rel=1e-6)
    assert there.settings["gravity"] == [0.0, 0.0, -planet]


def test_without_gravity_there_is_none() -> None:
    study = gravity(ad.load("planar2").with_gravity((0, 0, 0)).with_payload(1.0))
    assert all(row.more["largest"] == 0 and row.ratio is None for row in study.rows)


@pytest.mark.parametrize("name", ["lola15", "irb6", "puma560"])
def test_values_are_those_at_the_postures(name: str) -> None:
    # lola15: coupled gears; irb6: gears that change with the posture; puma560: motors that turn backwards
    arm = ad.load(name)
    study, dyn = gravity(arm), Dynamics(arm, friction=False)
    scale = max(row.more["largest"] for row in study.rows if row.quantity == "motor_gravity")
    still = [note for note in study.notes if "stands still" in note]
    assert still == (
        ["no motor side, the gear stands still within the ranges: motor3"] if name == "irb6" else []
    )
    assert len(study.rows) == 2 * arm.n - len(still)
    for row in study.rows:
        for bound in (row.extremes.minimum, row.extremes.maximum):
            at_joints = dyn.gravity(bound.q)
            found = at_joints if row.quantity == "gravity" else dyn.motor_torque(bound.q, at_joints)
            assert bound.value == pytest.approx(found[row.joint - 1], rel=1e-9, abs=1e-12 * scale)


@pytest.mark.parametrize("name", ["puma560", "ur5", "lola15"])
def test_bounds_hold_on_random_states(name: str) -> None:
    arm = ad.load(name).with_payload(2.0, (0.05, 0.0, 0.1))
    study = gravity(arm)
    low, high = np.array(list(study.settings["ranges"].values())).T
    q = np.random.default_rng(SEED).uniform(low, high, (SAMPLES, arm.n))
    for load, held in (("none", arm.without_payload()), ("payload", arm)):
        g = Dynamics(held).gravity(q)
        rounding = 1e-12 * np.abs(g).max()
        for joint in range(1, arm.n + 1):
            row, values = row_of(study, joint, "gravity", load), g[:, joint - 1]
            assert row.extremes.minimum.value <= values.min() + rounding, SEED
            assert row.extremes.maximum.value >= values.max() - rounding, SEED
            assert row.more["largest_bound"] >= np.abs(values).max() - rounding, SEED
            assert row.document()["certified"]


def test_document_and_bars(table_2: Study) -> None:
    document = json.loads(json.dumps(table_2.document(), allow_nan=False))
    assert document["kind"] == "gravity"
    assert [picture.name for picture in table_2.pictures] == ["gravity", "gravity_stall_share"]
    assert all(len(curve.x) == 6 for picture in table_2.pictures for curve in picture.curves)


def test_bad_input() -> None:
    with pytest.raises(InputError, match="no joint 3"):
        gravity(ad.load("planar2"), joints=[3])
    with pytest.raises(InputError, match="upper end is nan"):
        gravity(ad.load("planar2"), ranges={2: (0.0, math.nan)})


def test_a_ratio_is_explained_only_where_there_is_one() -> None:
    arm = ad.load("planar2")
    for robot in (arm, arm.with_payload(2.0)):
        study = gravity(robot)
        explained = any(note.startswith("ratio:") for note in study.notes)
        assert explained == any(row.ratio is not None for row in study.rows) == bool(robot.payloads)

"""What bearings carry: closed forms, bounds that hold, extremes that are extreme, and bad input."""

from dataclasses import replace

import numpy as np
import pytest

import armdyn as ad
from armdyn.errors import InputError
from armdyn.extremes import Bound, Extremes
from armdyn.extremes.workspace import workspace
from armdyn.robot import BASE
from armdyn.studies.loads.arms import arms
from armdyn.studies.loads.reactions import reactions, rooted
from armdyn.studies.loads.reactions_parts import PARTS, Carrying
from armdyn.studies.loads.rows import Row, Study
from armdyn.studies.loads.search import Search

ROUNDING = 1e-9
"""Relative to the largest force: a sum of waves and a compiled kernel agree to this."""
NORMS = ("radial_force", "bending_moment")
G = 9.81


def by_name(study: Study, load: str = "none") -> dict[tuple[int, str], Row]:
    return {(row.joint, row.quantity): row for row in study.rows if row.load == load}


def ends(row: Row) -> tuple[float, float]:
    return row.extremes.minimum.value, row.extremes.maximum.value


def test_a_plane_arm_carries_its_weight_across_its_axes() -> None:
    """Axes of planar2 are horizontal: its weight is radial, nothing is axial, nothing bends."""
    arm = ad.load("planar2")
    rows = by_name(reactions(arm))
    on_base = sum(
        rotor.mass or 0.0 for drive in arm.drives for rotor, _ in drive.rotors if rotor.carrier == BASE
    )
    carried = (arm.total_mass - on_base) * G
    np.testing.assert_allclose(ends(rows[1, "radial_force"]), [carried] * 2, rtol=ROUNDING)
    for joint in (1, 2):
        for name in ("axial_force", "bending_moment"):
            np.testing.assert_allclose(ends(rows[joint, name]), 0.0, atol=1e-9)
        q = rows[joint, "axis_moment"].extremes.maximum.q
        most = rows[joint, "axis_moment"].extremes.maximum.value
        assert most == pytest.approx(ad.Dynamics(arm).gravity(q)[joint - 1], rel=1e-9)
    assert all(row.document()["certified"] for row in rows.values())


@pytest.mark.parametrize("name", ["jpl_rrp", "puma560", "ur5"])
def test_bounds_hold_and_extremes_are_attained(name: str) -> None:
    arm = ad.load(name).with_payload(1.8, (0.0, 0.02, 0.05))
    study = reactions(arm, joints=[2, 4, 5], effort=2_000)
    generator = np.random.default_rng(8)
    box = np.array(list(study.settings["ranges"].values()))
    q = generator.uniform(box[:, 0], box[:, 1], (20_000, arm.n))
    for carrying in map(Carrying, arms(arm, None)):
        rest = np.zeros_like(q)
        for (joint, quantity), row in by_name(study, carrying.arm.load).items():
            part = next(part for part in PARTS if part.name == quantity)
            values = carrying.in_motion(joint - 1, part, q, rest, rest)
            low, high = row.extremes.minimum, row.extremes.maximum
            margin = ROUNDING * max(abs(high.value), abs(low.value), 1.0) * 100
            assert low.bound - margin <= values.min()
            assert values.max() <= high.bound + margin
            assert low.value <= values.min() + margin
            assert values.max() - margin <= high.value
            for end in (low, high):
                there = carrying.in_motion(joint - 1, part, end.q, *np.zeros((2, arm.n)))
                # the root of a square that is zero but for rounding is the root of rounding
                assert float(there) == pytest.approx(end.value, rel=1e-7, abs=1e-5)


def test_all_extremes_at_rest_are_certified() -> None:
    study = reactions(ad.load("ur5").with_payload(5.0))
    assert all(row.document()["certified"] for row in study.rows)


def test_gravity_scales_reactions_at_rest() -> None:
    arm = ad.load("jpl_rrp")
    earth, moon = (reactions(one, joints=[2, 3]) for one in (arm, arm.with_gravity((0, 0, -1.62))))
    for there, here in zip(moon.rows, earth.rows, strict=True):
        largest = max(map(abs, ends(here)))
        np.testing.assert_allclose(
            np.array(ends(there)) * G / 1.62, ends(here), rtol=1e-4, atol=1e-4 * largest + 1e-9
        )


def test_a_locked_robot_has_shorter_postures() -> None:
    arm = ad.load("jpl_rrp").locked({4: 0.0, 5: 0.0, 6: 0.0})
    study = reactions(arm)
    assert {row.joint for row in study.rows} == {1, 2, 3}
    assert all(len(row.extremes.maximum.q) == 3 for row in study.rows)


def test_motion_adds_to_rest_and_beats_samples() -> None:
    arm = ad.load("planar2")
    qd, qdd = np.array([1.0, 2.0]), np.array([3.0, 1.0])
    rows = by_name(reactions(arm, velocity=-qd, acceleration=qdd))
    carrying = Carrying(arms(arm, None)[0])
    generator = np.random.default_rng(3)
    box = np.array([joint.limits.position or (-np.pi, np.pi) for joint in arm.joints])
    q, v, a = (generator.uniform(b[:, 0], b[:, 1], (50_000, 2)) for b in (box, _both(qd), _both(qdd)))
    for part in PARTS:
        for joint in (1, 2):
            row = rows[joint, f"{part.name}_in_motion"]
            values = carrying.in_motion(joint - 1, part, q, v, a)
            low, high = ends(row)
            assert low <= values.min() + 1e-9
            assert values.max() - 1e-9 <= high
            state = (row.extremes.maximum.q, row.more["qd_maximum"], row.more["qdd_maximum"])
            assert float(carrying.in_motion(joint - 1, part, *map(np.array, state))) == pytest.approx(high)
            assert not row.document()["certified"]
            assert row.document()["maximum_bound"] is None


def _both(most: np.ndarray) -> np.ndarray:
    return np.column_stack((-most, most))


def test_no_motion_is_rest() -> None:
    rows = by_name(reactions(ad.load("planar2"), velocity=0.0))
    for joint in (1, 2):
        here, there = rows[joint, "axis_moment"], rows[joint, "axis_moment_in_motion"]
        np.testing.assert_allclose(ends(here), ends(there), rtol=1e-6)


def test_what_is_no_sum_of_waves_is_attained_and_noted() -> None:
    arm = ad.load("irb6")
    study = reactions(arm, joints=[1])
    assert len(study.rows) == 4
    found = study.document()
    assert found["kind"] == "reactions"
    assert all(row["minimum"] <= row["maximum"] for row in found["rows"])


def test_progress_goes_from_nothing_to_all() -> None:
    told: list[float] = []
    reactions(ad.load("planar2"), velocity=1.0, progress=lambda _, share: told.append(share))
    assert told == sorted(told)
    assert told[-1] == pytest.approx(1.0)


def test_pictures_of_nothing_are_left_out() -> None:
    names = [picture.name for picture in reactions(ad.load("planar2")).pictures]
    assert names == ["radial_force", "axis_moment"]


# Roots ----------------------------------------------------------------------------------------


def _squares(low: tuple[float, float], high: tuple[float, float]) -> Extremes:
    return Extremes(Bound(low[0], np.zeros(1), low[1], True), Bound(high[0], np.zeros(1), high[1], True))


def test_a_root_is_certified_by_its_own_range() -> None:
    found = rooted(_squares((1.0, 0.9), (100.0, 100.1)))
    assert (found.minimum.value, found.maximum.value) == (1.0, 10.0)
    assert not found.minimum.certified  # 0.051 of a range of 9
    assert found.maximum.certified


def test_no_root_is_below_zero() -> None:
    found = rooted(_squares((1e-12, -0.1), (4.0, np.inf)))
    assert (found.minimum.bound, found.minimum.certified) == (0.0, True)
    assert (found.maximum.bound, found.maximum.certified) == (np.inf, False)


def test_near_zero_a_root_is_looked_at_again() -> None:
    """At this effort the square's minimum is certified, and its root not yet."""
    arm = ad.load("puma560").with_gravity((3.0, 2.0, -8.0))
    ends_of = [(-1.2, -0.4), (-1.6, 0.3), (-0.8, 0.7), (-1.2, 1.8), (-1.6, -0.5), (0.5, 1.7)]
    ranges: dict[int | str, tuple[float, float]] = dict(enumerate(ends_of, 1))
    low = by_name(reactions(arm, ranges=ranges, joints=[1], effort=20_000))[
        1, "bending_moment"
    ].extremes.minimum
    assert low.certified
    assert 0.4 < low.bound <= low.value


def test_what_has_no_bound_is_not_looked_at_again() -> None:
    (arm,) = arms(ad.load("planar2"), None)
    found = Extremes(Bound(1.0, np.zeros(2), -np.inf, False), Bound(4.0, np.zeros(2), np.inf, False))
    search = Search(workspace(arm.robot), 1)
    assert search.closer_minimum(arm, arm.H[0][0], found, 1e-3) is found


def test_a_closer_look_leaves_the_maximum_alone() -> None:
    (arm,) = arms(ad.load("planar2"), None)
    search, f = Search(workspace(arm.robot), 1), arm.H[0][0]
    whole = search.extremes("H11", arm, f)
    rough = Extremes(replace(whole.minimum, bound=0.0), whole.maximum)
    closer = search.closer_minimum(arm, f, rough, 1e-6)
    assert (closer.maximum.value, closer.maximum.bound) == (whole.maximum.value, whole.maximum.bound)
    assert closer.minimum.value - 1e-6 <= closer.minimum.bound <= closer.minimum.value


# Bad input ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"joints": [3]}, "no joint 3"),
        ({"ranges": {1: (1.0, 0.0)}}, "lower end 1 is above the upper 0"),
        ({"velocity": [1.0, 2.0, 3.0]}, "velocity has shape (3,)"),
        ({"velocity": np.nan}, "velocity of joint 1 is nan"),
        ({"acceleration": {"shoulder": 1.0}}, "no joint 'shoulder'"),
    ],
)
def test_bad_input_is_refused(options: dict, sentence: str) -> None:
    with pytest.raises(InputError) as refused:
        reactions(ad.load("planar2"), **options)
    assert sentence in str(refused.value)


def test_a_payload_gives_rows_without_and_with_it() -> None:
    arm = ad.load("planar2").with_payload(10.0)
    study = reactions(arm, joints=["joint2"])
    rows, loaded = by_name(study), by_name(study, "payload")
    added = ends(loaded[2, "radial_force"])[1] - ends(rows[2, "radial_force"])[1]
    assert added == pytest.approx(10.0 * G)
    assert loaded[2, "radial_force"].ratio == pytest.approx(1 + added / ends(rows[2, "radial_force"])[1])
    bare = reactions(replace(arm, payloads=()), joints=["joint2"])
    assert [row.load for row in bare.rows] == ["none"] * 4

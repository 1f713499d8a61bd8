"""Which motor suffices: what motions ask, candidates against robots that really have them, bad input."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import armdyn as ad
from armdyn.errors import ArmdynError, InputError, MissingDataError
from armdyn.formats.motions import read_motion, sampled_motion
from armdyn.mechanics.motor_limits import rms
from armdyn.robot import Friction, GearStage, Robot, Rotor
from armdyn.studies.loads.rows import Row, Study
from armdyn.studies.loads.sizing import sizing
from armdyn.studies.loads.sizing_candidates import Candidate, Candidates, candidates_of
from armdyn.studies.loads.sizing_drives import fits, gear_of, with_rotor
from armdyn.studies.loads.sizing_motions import motions_of
from armdyn.studies.motor_use import motor_use

ROUNDING = 1e-9
"""Relative: torques as a sum of those of two rotors, and of a robot with that rotor."""
MOTIONS = Path(__file__).parents[2] / "examples/motions"
LOLA15, IRB6 = MOTIONS / "lola15_swing.csv", MOTIONS / "irb6_swing.csv"
SMALL = Candidate("small", 3e-5, rated_torque=0.5, peak_torque=1.5, maximum_speed=470.0)
LARGE = Candidate("large", 1.2e-3, rated_torque=20.0, peak_torque=60.0, maximum_speed=470.0, mass=6.0)


def rows_of(study: Study, quantity: str) -> list[Row]:
    return [row for row in study.rows if row.quantity == quantity]


@pytest.fixture(scope="module")
def lola15() -> Robot:
    return ad.load("lola15")


@pytest.fixture(scope="module")
def chosen(lola15: Robot) -> Study:
    return sizing(lola15, motions=LOLA15, candidates=[SMALL, LARGE])


# What motions ask -----------------------------------------------------------------------------


def test_numbers_are_those_of_the_motors(lola15: Robot, chosen: Study) -> None:
    motion = read_motion(LOLA15, lola15)
    use = motor_use(ad.Dynamics(lola15), motion.time, motion.q, motion.qd, motion.qdd)
    assert [row.joint for row in rows_of(chosen, "motor_torque_peak")] == [1, 2, 3, 4, 5, 6]
    for k, row in enumerate(rows_of(chosen, "motor_torque_peak")):
        low, high = row.extremes.minimum, row.extremes.maximum
        assert (low.value, high.value) == (use.torque[:, k].min(), use.torque[:, k].max())
        np.testing.assert_array_equal(high.q, motion.q[use.torque[:, k].argmax()])
        assert (row.more["largest"], row.more["torque_share"]) == (
            use.motors[k].peak_torque,
            use.motors[k].torque_share,
        )
    for k, row in enumerate(rows_of(chosen, "motor_torque_rms")):
        assert row.extremes.maximum.value == use.motors[k].rms_torque
        assert row.document()["q_maximum"] == []
    for k, row in enumerate(rows_of(chosen, "motor_speed")):
        assert row.more["largest"] == use.motors[k].peak_speed
    assert not any(row.document()["certified"] for row in chosen.rows)


def test_of_several_motions_the_worst_counts(lola15: Robot) -> None:
    motion = read_motion(LOLA15, lola15)
    slow = (2.0 * motion.time, motion.q, motion.qd / 2, motion.qdd / 4)
    one, other, both = (sizing(lola15, motions=m) for m in (LOLA15, slow, [slow, LOLA15]))
    for k, row in enumerate(both.rows):
        values = [study.rows[k].extremes for study in (one, other)]
        assert row.extremes.maximum.value == max(e.maximum.value for e in values)
        assert row.extremes.minimum.value == min(e.minimum.value for e in values)
    assert [m["name"] for m in both.settings["motions"]] == ["motion 1", str(LOLA15)]


def test_a_payload_gives_rows_without_and_with_it(lola15: Robot) -> None:
    study = sizing(lola15.with_payload(10.0), motions=LOLA15)
    assert [row.load for row in rows_of(study, "motor_speed")] == ["none", "payload"] * 6
    free, loaded = rows_of(study, "motor_torque_rms")[2:4]
    assert loaded.extremes.maximum.value > free.extremes.maximum.value


def test_plans_and_runs_are_motions(lola15: Robot) -> None:
    work = ad.planned("lola15")
    for given in (work, [work.plan]):
        found = motions_of(lola15, given)["motion 1"]
        np.testing.assert_array_equal(found.q, work.plan.q)
        assert "derived from a cubic spline" in found.notes[0]
    verified = ad.verify("lola15")
    there = motions_of(lola15, verified)["motion 1"]
    assert len(there.time) == len(verified.time)


# Candidates -----------------------------------------------------------------------------------


def test_the_present_motor_as_a_candidate_changes_nothing(lola15: Robot, chosen: Study) -> None:
    drive = lola15.drives[1]
    assert drive.rotor is not None
    same = Candidate("same", drive.rotor.axial, rated_torque=1.0)
    (fit,) = fits(ad.Dynamics(lola15), 1, None, [read_motion(LOLA15, lola15)], [same])
    peak, mean, speed = (row for row in chosen.rows if row.joint == 2)
    assert fit.peak_torque == pytest.approx(peak.more["largest"], rel=ROUNDING)
    assert fit.rms_torque == pytest.approx(mean.extremes.maximum.value, rel=ROUNDING)
    assert fit.speed == pytest.approx(speed.more["largest"], rel=ROUNDING)
    assert fit.gear == gear_of(drive)


@pytest.mark.parametrize(
    ("name", "k", "gear", "model"),
    [
        ("lola15", 4, 80.0, "coupled"),
        ("irb6", 0, 100.0, "exact"),
        ("irb6", 1, None, "exact"),
        ("irb6", 0, 100.0, "coupled"),
        ("irb6", 4, None, "reflected"),
    ],
)
def test_candidates_do_what_robots_with_them_do(name: str, k: int, gear: float | None, model: Any) -> None:
    robot = ad.load(name)
    motion = read_motion(MOTIONS / f"{name}_swing.csv", robot)
    own = gear_of(robot.drives[k])
    factor = 1.0 if gear is None or own is None else gear / own
    found = fits(ad.Dynamics(robot, model), k, gear, [motion], [SMALL, LARGE])
    for fit, candidate in zip(found, (SMALL, LARGE), strict=True):
        present = robot.drives[k].rotor
        mass = (present and present.mass) if candidate.mass is None else candidate.mass
        changed = with_rotor(robot, k, candidate.rotor_inertia, mass or 0.0, factor)
        dyn = ad.Dynamics(changed, model)
        torque = dyn.motor_torque(motion.q, dyn.inverse(motion.q, motion.qd, motion.qdd))[:, k]
        assert fit.peak_torque == pytest.approx(np.abs(torque).max(), rel=ROUNDING)
        assert fit.rms_torque == pytest.approx(float(rms(motion.time, torque)), rel=ROUNDING)
        speed = dyn.motor_velocity(motion.q, motion.qd)[:, k]
        assert fit.speed == pytest.approx(np.abs(speed).max(), rel=ROUNDING)


def test_friction_of_the_load_is_not_taken_for_linear(lola15: Robot) -> None:
    """The load of a motor changes its sign on the way, not where its torque is largest."""
    rubs = replace(lola15.drives[0], friction=Friction(load=0.2))
    robot = replace(lola15, drives=(rubs, *lola15.drives[1:]))
    time = np.linspace(0.0, 2.0, 201)
    motion = sampled_motion(robot, time, np.array(robot.home) + np.outer(np.sin(4 * time), np.ones(6)))
    (fit,) = fits(ad.Dynamics(robot, "coupled", True), 0, None, [motion], [LARGE])
    dyn = ad.Dynamics(with_rotor(robot, 0, LARGE.rotor_inertia, 0.0, 1.0), "coupled", True)
    torque = dyn.motor_torque(motion.q, dyn.inverse(motion.q, motion.qd, motion.qdd))[:, 0]
    assert fit.peak_torque == pytest.approx(np.abs(torque).max(), rel=ROUNDING)
    assert fit.rms_torque == pytest.approx(float(rms(motion.time, torque)), rel=ROUNDING)


def test_a_robot_without_rotors_sees_those_of_candidates() -> None:
    """Joint inertias of jpl_rrp give way to the rotor of the candidate."""
    robot = ad.load("jpl_rrp")
    time = np.linspace(0.0, 1.0, 101)
    q = np.array(robot.home) + 0.05 * np.outer(np.sin(6 * time), np.ones(robot.n))
    motion = sampled_motion(robot, time, q)
    light, heavy = fits(ad.Dynamics(robot), 0, None, [motion], [replace(SMALL, rotor_inertia=0.0), LARGE])
    assert heavy.peak_torque > light.peak_torque


def test_the_smallest_that_suffices(chosen: Study) -> None:
    smallest = [row.more["smallest"] for row in rows_of(chosen, "motor_torque_peak")]
    assert [found["name"] for found in smallest] == ["large"] * 3 + ["small", "large", "small"]
    for row in rows_of(chosen, "motor_torque_peak"):
        for fit in row.more["candidates"]:
            shares = [fit[f"{kind}_share"] for kind in ("peak", "rms", "speed")]
            assert fit["suffices"] == (max(shares) <= 1)
            assert fit["peak_share"] == pytest.approx(
                fit["peak_torque"] / (1.5 if fit["name"] == "small" else 60.0)
            )


def test_gears_are_tried_and_none_may_suffice(lola15: Robot) -> None:
    study = sizing(lola15, motions=LOLA15, candidates=[SMALL], gears=[50, 200])
    peaks = rows_of(study, "motor_torque_peak")
    assert [fit["gear"] for fit in peaks[0].more["candidates"]] == pytest.approx([50, 200])
    assert peaks[1].more["smallest"] is None
    assert any("masses of candidates" in note for note in chosen_notes(lola15))


def chosen_notes(robot: Robot) -> tuple[str, ...]:
    return sizing(robot, motions=LOLA15, candidates=[LARGE]).notes


def test_motors_without_limits_are_never_enough(lola15: Robot) -> None:
    study = sizing(lola15, motions=LOLA15, candidates=[Candidate("bare", 0.0)])
    assert all(row.more["smallest"] is None for row in rows_of(study, "motor_torque_peak"))
    assert "no torque limit is known of bare: never said to suffice" in study.notes


def test_a_motor_of_unknown_torque_is_unknown_unless_it_is_too_slow(lola15: Robot) -> None:
    fast, slow = Candidate("fast", 0.0, maximum_speed=1e4), Candidate("slow", 0.0, maximum_speed=1.0)
    study = sizing(lola15, motions=LOLA15, candidates=[fast, slow])
    for row in rows_of(study, "motor_torque_peak"):
        assert [fit["suffices"] for fit in row.more["candidates"]] == [None, False]
        assert row.more["smallest"] is None
    assert "no torque limit is known of fast, slow: never said to suffice" in study.notes


@pytest.mark.parametrize("share", ["peak_share", "rms_share", "speed_share", "rated_speed_share"])
def test_every_share_decides(lola15: Robot, share: str) -> None:
    (fit,) = fits(ad.Dynamics(lola15), 0, None, [read_motion(LOLA15, lola15)], [LARGE])
    assert fit.suffices
    assert replace(fit, **{share: 1.0}).suffices
    assert replace(fit, **{share: 1.01}).suffices is False


def test_of_several_motions_the_worst_counts_for_candidates(lola15: Robot) -> None:
    motion = read_motion(LOLA15, lola15)
    slow = sampled_motion(lola15, 2.0 * motion.time, motion.q, motion.qd / 2, motion.qdd / 4)
    dyn = ad.Dynamics(lola15)
    (both,), (one,), (other,) = (
        fits(dyn, 0, None, moved, [LARGE]) for moved in ([motion, slow], [motion], [slow])
    )
    for name in ("peak_torque", "rms_torque", "speed", "rms_speed"):
        assert getattr(one, name) > getattr(other, name)
        assert getattr(both, name) == getattr(one, name)


def test_the_gear_that_leaves_it_most(lola15: Robot) -> None:
    study = sizing(lola15, motions=LOLA15, candidates=[LARGE], gears=[60, 90, 120])
    row = rows_of(study, "motor_torque_peak")[0]
    most = {
        fit["gear"]: max(fit[f"{kind}_share"] for kind in ("peak", "rms", "speed"))
        for fit in row.more["candidates"]
    }
    assert all(fit["suffices"] for fit in row.more["candidates"])
    assert row.more["smallest"] == {"name": "large", "gear": min(most, key=lambda gear: most[gear])}
    assert row.more["smallest"]["gear"] == 90.0


def test_a_gear_given_twice_is_tried_once(lola15: Robot, tmp_path: Path) -> None:
    file = tmp_path / "motors.toml"
    file.write_text(GOOD.replace("[60, 100]", "[50, 50.0, 100]"), encoding="utf-8")
    assert candidates_of(file).gears == (50.0, 100.0)
    study = sizing(lola15, motions=LOLA15, candidates=Candidates((LARGE,), (50, 50.0)))
    assert [fit["gear"] for fit in study.rows[0].more["candidates"]] == [50.0]
    again = sizing(lola15, motions=LOLA15, candidates=[LARGE], gears=[50, 50.0])
    assert again.document() == study.document()


def test_a_gear_that_changes_has_no_number() -> None:
    study = sizing(ad.load("irb6"), motions=IRB6, candidates=[LARGE], gears=[100])
    gears = [
        (row.more["gear"], [fit["gear"] for fit in row.more["candidates"]])
        for row in rows_of(study, "motor_torque_peak")
    ]
    assert gears == [(158.0, [100.0]), (None, [None]), (None, [None]), (128.0, [100.0]), (76.8, [100.0])]
    assert [row.more["smallest"]["gear"] for row in rows_of(study, "motor_torque_peak")][1:3] == [None, None]


def test_gear_stages_keep_their_speed(lola15: Robot) -> None:
    """A faster motor, without a rotor, needs so much less torque: nothing behind it turns otherwise."""
    wheel = replace(lola15.drives[0], stages=(GearStage(Rotor(0.01), 0.2),))
    robot = replace(lola15, drives=(wheel, *lola15.drives[1:]))
    dyn, motion = ad.Dynamics(robot, None, False), read_motion(LOLA15, robot)
    (own,), (twice,) = (fits(dyn, 0, gear, [motion], [Candidate("light", 0.0)]) for gear in (None, 240.0))
    assert twice.peak_torque == pytest.approx(own.peak_torque / 2, rel=ROUNDING)
    assert twice.rms_torque == pytest.approx(own.rms_torque / 2, rel=ROUNDING)


# Files and bad input --------------------------------------------------------------------------

GOOD = """
gears = [60, 100]

[[motors]]
name = "M"
rated_torque = "2 N m"
peak_torque = 6
maximum_speed = "3000 rpm"
rotor_inertia = "2 kg cm^2"
"""


def test_candidates_are_read_with_units(tmp_path: Path) -> None:
    file = tmp_path / "motors.toml"
    file.write_text(GOOD, encoding="utf-8")
    expected = Candidate("M", 2e-4, 2.0, 6.0, None, 100 * np.pi)
    found = candidates_of(file)
    assert found.gears == (60.0, 100.0)
    assert vars(found.motors[0]) == pytest.approx(vars(expected))
    assert candidates_of([{"name": "M", "rotor_inertia": "2 kg cm^2"}]).motors[0].rotor_inertia == 2e-4
    assert candidates_of(found) == found


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("motors = 3", "motors"),
        ("motors = []", "motors"),
        (GOOD.replace("rotor_inertia", "rotor_inerta"), 'did you mean "rotor_inertia"?'),
        (GOOD.replace('"2 N m"', '"2 kg"'), "line 6"),
        (GOOD.replace('"2 N m"', "-2"), "greater than 0"),
        (GOOD.replace("[60, 100]", "[60, 0]"), "0 is no ratio"),
        (GOOD + GOOD.split("\n\n")[1], 'motor "M" is given twice'),
        ("[[motors", "not valid TOML"),
    ],
)
def test_bad_files_are_refused(tmp_path: Path, text: str, sentence: str) -> None:
    file = tmp_path / "motors.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as refused:
        candidates_of(file)
    assert sentence in str(refused.value)


TIME = np.linspace(0.0, 1.0, 11)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"motions": []}, "motions is empty"),
        ({"motions": "nothing.csv"}, "no such file"),
        ({"motions": (TIME, np.zeros((11, 5)))}, "q has shape (11, 5)"),
        ({"motions": (TIME, np.full((11, 6), np.nan))}, "not finite"),
        ({"motions": [(TIME,)]}, "motion 1 has 1 parts"),
        ({"motions": 3}, "motion 1 is a int"),
        ({"motions": LOLA15, "gears": [3.0]}, "there are none; add candidates"),
        ({"motions": LOLA15, "candidates": [SMALL], "gears": [-3.0]}, "-3 is no ratio"),
        ({"motions": LOLA15, "candidates": []}, "there is no motor"),
        ({"motions": LOLA15, "candidates": [3]}, "3 is no motor"),
        ({"motions": LOLA15, "candidates": [replace(SMALL, mass=-3.0)]}, "mass: -3"),
        (
            {"motions": LOLA15, "candidates": Candidates((replace(SMALL, rated_torque=0.0),))},
            "rated_torque: 0",
        ),
        ({"motions": LOLA15, "candidates": [replace(SMALL, peak_torque=float("nan"))]}, "peak_torque: nan"),
        ({"motions": LOLA15, "candidates": Candidates((SMALL,), (0.0,))}, "0 is no ratio"),
        ({"motions": LOLA15, "candidates": "motors.csv"}, "expected .toml"),
        ({"motions": LOLA15, "motors": "exact"}, "does not say where its rotor sits"),
    ],
)
def test_bad_input_is_refused(lola15: Robot, options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ArmdynError) as refused:
        sizing(lola15, **options)
    assert sentence in str(refused.value)


def test_a_robot_without_drives_is_refused() -> None:
    with pytest.raises(MissingDataError, match="no drives for 6 joints"):
        sizing(ad.load("ur5"), motions=LOLA15)


def test_candidates_as_an_object(lola15: Robot) -> None:
    study = sizing(lola15, motions=LOLA15, candidates=Candidates((LARGE,)))
    assert study.settings["candidates"][0]["name"] == "large"
    assert [picture.name for picture in study.pictures] == ["motor_torque", "motor_speed", "candidates"]

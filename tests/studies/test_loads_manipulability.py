"""Manipulability over the workspace: closed forms, brute force at places, maps, documents, bad input."""

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import armdyn as ad
from armdyn.dynamics import Dynamics
from armdyn.errors import InputError, MissingDataError
from armdyn.extremes import Bound, Extremes
from armdyn.manipulability import acceleration_polytope, measure
from armdyn.studies.loads.figures import draw
from armdyn.studies.loads.manipulability_search import ratio, with_common_zeros
from armdyn.studies.loads.report import study_report
from armdyn.studies.loads.rows import Row, Study

FEW: dict[str, Any] = {"cells": 8, "effort": 20_000}


def row_of(study: Study, quantity: str, load: str = "none") -> Row:
    (found,) = [row for row in study.rows if (row.quantity, row.load) == (quantity, load)]
    return found


def test_a_planar_arm_of_two_links_has_a_closed_form() -> None:
    """w = a_1 a_2 |sin q_2|: 0 stretched and folded, 1 at a right angle, proved."""
    study = ad.study(ad.load("planar2"), "manipulability", **FEW)
    found = row_of(study, "manipulability")
    assert found.extremes.minimum.value == pytest.approx(0.0, abs=1e-7)
    assert found.extremes.maximum.value == pytest.approx(1.0, rel=1e-9)
    assert abs(math.sin(found.extremes.maximum.q[1])) == pytest.approx(1.0, rel=1e-6)
    assert found.document()["certified"]
    assert found.document()["joint"] is None
    assert found.unit == "m2"
    assert found.ratio is None
    (velocity,) = (row for row in study.rows if row.quantity == "isotropy")
    q = np.stack([np.zeros(100_000), np.linspace(-np.pi, np.pi, 100_000)], axis=-1)
    radii = np.linalg.svd(Dynamics(study.robot).jacobian(q)[:, :2], compute_uv=False)
    assert velocity.extremes.maximum.value == pytest.approx((radii[:, 1] / radii[:, 0]).max(), rel=1e-6)


def test_the_best_posture_at_each_place_is_the_best_of_all() -> None:
    """planar3 has one posture parameter at a place, the direction of its last link: all of them looked at."""
    arm = ad.load("planar3")
    dyn = Dynamics(arm, friction=False)
    study = ad.study(arm, "manipulability", measures="manipulability", cells=12)
    (found,) = study.more["maps"]
    x, y = found["centres"]
    values, postures = np.array(found["values"]), np.array(found["q"])
    assert found["slice"] == {"z": 0.0}
    assert np.isfinite(values).mean() > 0.6
    for i, j in np.argwhere(np.isfinite(values))[::7]:
        place = np.array([x[i], y[j]])
        assert dyn.pose(postures[i, j])[:2, 3] == pytest.approx(place, abs=1e-5)
        assert measure(dyn, postures[i, j], "manipulability", task="x,y") == pytest.approx(values[i, j])
        assert values[i, j] >= 0.995 * _best(dyn, place)
    best = row_of(study, "best_manipulability")
    assert best.extremes.maximum.value == pytest.approx(np.nanmax(values))
    assert "Best postures" in study_report(study)
    first = best.more["best"][0]
    assert first["value"] == best.extremes.maximum.value
    assert dyn.pose(first["q"])[:3, 3] == pytest.approx(first["place"], abs=1e-5)


def _best(dyn: Dynamics, place: np.ndarray) -> float:
    angle = np.linspace(-np.pi, np.pi, 4001)
    wrist = place - np.stack([np.cos(angle), np.sin(angle)], axis=-1)
    square = (wrist**2).sum(axis=-1)
    near, best = square < 4, 0.0
    for elbow in (1, -1):
        q2 = elbow * np.arccos((square[near] - 2) / 2)
        q1 = np.arctan2(wrist[near, 1], wrist[near, 0]) - np.arctan2(np.sin(q2), 1 + np.cos(q2))
        q = np.stack([q1, q2, angle[near] - q1 - q2], axis=-1)
        best = max(best, float(measure(dyn, q, "manipulability", task="x,y").max()))
    return best


@pytest.mark.slow
def test_a_slice_of_a_robot_with_limits_and_payload(tmp_path: Path) -> None:
    arm = ad.load("ur5").with_payload(mass=4.0, com=(0, 0, 0.05))
    study = ad.study(arm, "manipulability", cut={"y": 0.15}, measures="acceleration", task="x,y,z", **FEW)
    bare, loaded = (row_of(study, "best_acceleration", load) for load in ("none", "payload"))
    assert loaded.extremes.maximum.value < 0.99 * bare.extremes.maximum.value
    for row, robot in ((bare, arm.without_payload()), (loaded, arm)):
        dyn = Dynamics(robot, friction=False)
        q = row.extremes.maximum.q
        assert acceleration_polytope(dyn, q).inner_radius == pytest.approx(row.extremes.maximum.value)
        assert dyn.pose(q)[1, 3] == pytest.approx(0.15, abs=1e-5)
        assert row.more["place_maximum"] == pytest.approx(dyn.pose(q)[:3, 3].tolist(), abs=1e-5)
        assert (
            row_of(study, "acceleration", row.load).extremes.maximum.value
            >= 0.99 * row.extremes.maximum.value
        )
    kinds = [row.quantity for row in study.rows if row.load == "payload"]
    assert "manipulability" not in kinds  # no load changes it
    assert "dynamic_manipulability" in kinds
    json.dumps(study.document()["settings"])
    assert "all" in study_report(study)
    draw(study, tmp_path / "map.svg")
    assert b"<svg" in (tmp_path / "map.svg").read_bytes()


def test_a_volume_and_joints_that_slide() -> None:
    volume = ad.study(
        ad.load("scara"), "manipulability", volume=True, measures="isotropy", cells=5, effort=20_000
    )
    (found,) = volume.more["maps"]
    assert found["axes"] == ["x", "y", "z"]
    assert len(volume.pictures) == 3
    flat = ad.study(ad.load("cartesian2"), "manipulability", **FEW)
    assert row_of(flat, "manipulability").extremes.minimum.value == pytest.approx(1.0)
    assert row_of(flat, "manipulability").ratio == pytest.approx(1.0)
    assert any("does not move along" in note for note in flat.notes)


def test_measures_vanish_together_and_then_have_no_ratio() -> None:
    """All but acceleration are zero where a direction is lost: one search finds it, all rows have it."""
    study = ad.study(ad.load("planar3"), "manipulability", **FEW)
    names = ("manipulability", "isotropy", "least_velocity", "dynamic_manipulability", "dynamic_isotropy")
    for row in (row_of(study, name) for name in names):
        assert row.extremes.minimum.value == 0, row.quantity
        assert row.ratio is None, row.quantity
        assert row.document()["ratio"] is None


def test_zeros_and_ratios_of_what_searches_found() -> None:
    def extremes(low: float, at: float, bound: float = -math.inf, certified: bool = False) -> Extremes:
        return Extremes(Bound(low, np.array([at]), bound, certified), Bound(1.0, np.zeros(1), 1.0, certified))

    def edge(q: np.ndarray) -> np.ndarray:
        return np.abs(q[:, 0] - 0.5)

    def above(q: np.ndarray) -> np.ndarray:
        return edge(q) + 1e-5

    missed, hit, proved = extremes(2e-6, 0.500002), extremes(0.0, 0.5), extremes(1.1e-5, 0.5, 1e-5, True)
    found = with_common_zeros([missed, hit, proved], [edge, edge, above])
    assert [one.minimum.value for one in found] == [0.0, 0.0, pytest.approx(1e-5)]
    assert found[0].minimum.q == [0.5]
    assert ratio(extremes(2e-6, 0.5)) is None  # may be zero
    assert ratio(extremes(0.01, 0.5)) == pytest.approx(100)
    assert ratio(proved) == pytest.approx(1 / 1.1e-5)  # is not


def test_one_joint_moves_one_axis() -> None:
    """The default task has no more axes than the arm has joints: |J| of a bob is its length at most."""
    study = ad.study(ad.load("pendulum"), "manipulability", **FEW)
    assert len(study.settings["task"].split(",")) == 1
    assert any("1 joint cannot move 2 axes: the task is " in note for note in study.notes)
    dyn = Dynamics(study.robot)
    length = np.linalg.norm(dyn.jacobian(np.zeros(1))[:3])
    assert row_of(study, "manipulability").extremes.maximum.value == pytest.approx(length)


@pytest.mark.parametrize(
    ("options", "kind", "sentence"),
    [
        ({"cut": {"w": 0.0}}, InputError, 'no axis "w"'),
        ({"cut": {"y": 9.0}}, InputError, "is outside the workspace as far as was found, expected y"),
        ({"cut": {"y": float("nan")}}, InputError, "expected a finite number"),
        ({"cut": {"x": 0.0, "y": 0.0}}, InputError, "expected one, as y = 0"),
        ({"cut": 3}, InputError, "expected a mapping"),
        ({"cut": {"y": 0.0}, "volume": True}, InputError, "expected one of them"),
        ({"cells": 1}, InputError, "expected a whole number from 2"),
        ({"measures": "speed"}, InputError, 'no measure "speed"'),
        ({"measures": 3}, InputError, "measures is 3, expected names of manipulability"),
        ({"measures": [3]}, InputError, 'no measure "3"'),
        ({"measures": ()}, InputError, "measures is empty"),
        ({"task": "w"}, InputError, 'no axis "w"'),
        ({"frame": "hand"}, InputError, 'no body "hand"'),
        ({"limits": [1.0]}, InputError, "limits has shape (1,)"),
        ({"ranges": dict.fromkeys(range(1, 7), (0.1, 0.1))}, InputError, "does not change in the ranges"),
    ],
)
def test_bad_input(options: dict[str, Any], kind: type, sentence: str) -> None:
    with pytest.raises(kind) as caught:
        ad.study(ad.load("ur5"), "manipulability", **options)
    assert sentence in str(caught.value)


def test_measures_that_need_limits_say_so() -> None:
    with pytest.raises(MissingDataError, match=r"needs torque limits.* \(command line: --limits\)"):
        ad.study(ad.load("planar3"), "manipulability", measures="acceleration")
    with pytest.raises(InputError, match="the task has 2 axes"):
        ad.study(ad.load("pendulum"), "manipulability", task="x,y")
    bob = ad.study(ad.load("pendulum"), "manipulability", task="x", **FEW)
    assert not bob.pictures
    assert any("no map of manipulability" in note for note in bob.notes)
    given = ad.study(ad.load("planar2"), "manipulability", limits=[3000.0, 1500.0], **FEW)
    assert row_of(given, "best_acceleration").extremes.maximum.value > 0

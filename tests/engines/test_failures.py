"""An injected fault is found, made small, saved as a robot file, and fails again when it is read."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import armdyn as ad
from engines.cases import Case, random_case
from engines.comparison import Difference, Peer, differences, faults
from engines.failures import EnginesDifferError, command, load_failure, require_agreement
from engines.pinocchio_engine import Found, by_interface
from engines.shrinking import shrunk

SOURCES = Path(__file__).parents[1]


def sliding_is_wrong(case: Case, tau: np.ndarray) -> Found:
    """Pinocchio, but for a sign in the forces of sliding joints."""
    found = by_interface(case, tau, slopes=False)
    for k, joint in enumerate(case.robot.joints):
        if joint.kind == "prismatic":
            found["inverse"][:, k] *= -1
    return found


def wrong_peer(_case: Case) -> dict[str, Peer]:
    return {"pinocchio": sliding_is_wrong}


def test_a_peer_that_is_wrong_is_overruled_by_more_digits() -> None:
    case = with_a_slide()
    found = differences(case, derivatives=False, others=wrong_peer(case))
    assert {one.quantity for one in found if one.wrong == "peer"} == {"inverse"}
    assert not faults(found)


def with_a_slide() -> Case:
    """A case of the sample in which one of several joints slides."""
    cases = (random_case(seed) for seed in range(100))
    return next(c for c in cases if c.robot.n > 3 and sum(j.kind == "prismatic" for j in c.robot.joints) == 1)


@pytest.fixture
def wrong_armdyn(monkeypatch: pytest.MonkeyPatch) -> None:
    """armdyn with a wrong sign in the forces of sliding joints."""
    right = ad.Dynamics.inverse

    def wrong(self: ad.Dynamics, *args: object, **options: object) -> np.ndarray:
        signs = [-1.0 if joint.kind == "prismatic" else 1.0 for joint in self.robot.joints]
        return right(self, *args, **options) * signs  # pyright: ignore[reportArgumentType]

    monkeypatch.setattr(ad.Dynamics, "inverse", wrong)


@pytest.mark.usefixtures("wrong_armdyn")
def test_a_fault_of_armdyn_is_made_small_and_saved(tmp_path: Path) -> None:
    with pytest.raises(EnginesDifferError) as caught:
        require_agreement(with_a_slide(), derivatives=False, folder=tmp_path)
    (place,) = tmp_path.iterdir()
    assert str(place) in str(caught.value)
    assert command(place) in str(caught.value)
    robot = ad.load(place / "robot.toml")
    assert [joint.kind for joint in robot.joints] == ["prismatic"]
    assert len(robot.bodies) == 1
    assert not robot.drives
    assert not robot.payloads
    case, wrong = load_failure(place)
    assert case.q.shape == (1, 1)
    assert wrong.quantity == "inverse"
    assert faults(differences(case, derivatives=False))


def test_a_saved_failure_runs_again_with_one_command(tmp_path: Path) -> None:
    """armdyn is right here: what was saved agrees, and says so."""
    wrong = Difference("inverse", "armdyn numpy", "pinocchio", 1e9, 1.0, "armdyn")
    case = random_case(3)
    place = tmp_path / "one"
    place.mkdir()
    ad.save(case.robot, place / "robot.toml")
    state = {name: getattr(case, name).tolist() for name in ("q", "qd", "qdd")}
    about = {"motors": case.motors, "quantity": wrong.quantity, "engine": wrong.engine, "peer": wrong.peer}
    (place / "case.json").write_text(json.dumps({**about, **state}))
    settings = {**os.environ, "PYTHONPATH": os.pathsep.join([str(SOURCES), os.environ.get("PYTHONPATH", "")])}
    run = [sys.executable, *command(place).split()[2:]]
    done = subprocess.run(run, env=settings, capture_output=True, text=True, check=True)
    assert done.stdout == f"{place}: agrees\n"


def holds_something(case: Case) -> bool:
    """Whether a body that moves by itself does."""
    moving = {body.name for body in case.robot.bodies if body.joint.independent}
    return bool(case.robot.payloads) and case.robot.payloads[0].body in moving


def test_shrinking_keeps_what_fails_and_nothing_else() -> None:
    """Whatever fails because of a payload needs a body to hold it, and no more."""
    case = next(c for c in map(random_case, range(100)) if holds_something(c) and len(c.robot.bodies) > 4)
    small = shrunk(case, lambda c: bool(c.robot.payloads))
    assert len(small.robot.bodies) == 1
    assert small.robot.payloads == case.robot.payloads
    assert not np.abs(small.q).any()

"""Figures of runs: the same every time, joints, motors and events on them; refused where they cannot be."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from armdyn.dynamics import Dynamics
from armdyn.errors import InputError, MissingDataError
from armdyn.formats import load
from armdyn.simulation.events import Event
from armdyn.simulation.files.figures import motor_figure, write_figure
from armdyn.simulation.results import Phase, Simulation

SAMPLES = 41
EVENTS = (
    Event(0.2, 1, "sticks", 1),
    Event(0.4, 1, "slips", 1),
    Event(0.6, 2, "reverses"),
    Event(0.8, 2, "limit"),
    Event(1.0, 2, "within"),
    Event(1.2, None, "grasp"),
    Event(1.4, None, "release"),
)


def made(name: str = "irb6", **changes: Any) -> Simulation:
    """A run as it might have come about: sines, and the torques they take."""
    dyn = Dynamics(load(name))
    time = np.linspace(0.0, 2.0, SAMPLES)
    phase = 1.3 * time[:, None] + np.arange(dyn.n)
    home = np.array(dyn.robot.home)
    q, qd, qdd = home + 0.1 * np.sin(phase), 0.13 * np.cos(phase), -0.169 * np.sin(phase)
    motion: dict[str, Any] = {"time": time, "q": q, "qd": qd, "qdd": qdd, "tau": dyn.inverse(q, qd, qdd)}
    energies: dict[str, Any] = {"work": time, "dissipated": time, "exerted": 0 * time}
    outside: dict[str, Any] = {"wrench": None, "at": None, "base": None}
    told: dict[str, Any] = {"events": EVENTS, "notes": (), "failure": None, "checkpoint": None}
    phases = (Phase(dyn, 0, SAMPLES),)
    states = np.empty((SAMPLES, 0))
    run = Simulation(phases, "rk4", 0.001, states=states, **motion, **energies, **outside, **told)
    return replace(run, **changes)


@pytest.fixture(scope="module")
def run() -> Simulation:
    return made()


def words(path: Path) -> str:
    """What is written in an SVG figure: matplotlib tells the text beside the outlines it draws."""
    return path.read_text(encoding="utf-8")


@pytest.mark.parametrize("draw", [write_figure, motor_figure])
@pytest.mark.parametrize(
    "suffix", [".svg", ".PNG", *(pytest.param(s, marks=pytest.mark.slow) for s in (".png", ".pdf"))]
)
def test_a_figure_depends_on_the_run_alone(run: Simulation, tmp_path: Path, draw: Any, suffix: str) -> None:
    first, second = tmp_path / f"a{suffix}", tmp_path / f"b{suffix}"
    draw(first, run)
    draw(second, run)
    assert first.read_bytes() == second.read_bytes()
    assert len(first.read_bytes()) > 5000


def test_joints_events_and_units_are_named(run: Simulation, tmp_path: Path) -> None:
    write_figure(tmp_path / "run.svg", run)
    found = words(tmp_path / "run.svg")
    labels = [f"<!-- {k + 1}  {name} -->" for k, name in enumerate(run.robot.joint_names)]
    labels += ["<!-- position [rad] -->", "<!-- torque [N m] -->", "<!-- motor current [A] -->"]
    kinds = ("sticks", "slips", "reverses", "leaves its range", "back in its range", "grasp", "release")
    labels += [f"<!-- {kind} -->" for kind in kinds]
    assert [label for label in labels if label not in found] == []
    assert "ended early" not in found
    write_figure(tmp_path / "run.svg", replace(run, failure="the step is too large", events=()))
    found = words(tmp_path / "run.svg")
    assert "<!-- ended early -->" in found
    assert "<!-- sticks -->" not in found


def test_joints_that_slide_and_arms_without_motors_have_their_own_words(tmp_path: Path) -> None:
    write_figure(tmp_path / "scara.svg", made("scara"))
    assert "<!-- torque or force [N m or N] -->" in words(tmp_path / "scara.svg")
    assert "<!-- motor torque [N m] -->" in words(tmp_path / "scara.svg")
    write_figure(tmp_path / "panda.svg", made("panda"))
    assert "<!-- acceleration [rad/s²] -->" in words(tmp_path / "panda.svg")


def test_motors_are_named_and_where_they_end(run: Simulation, tmp_path: Path) -> None:
    motor_figure(tmp_path / "motors.svg", run)
    found = words(tmp_path / "motors.svg")
    assert run.motor_position is not None
    labels = [f"{k + 1}  {drive.name}" for k, drive in enumerate(run.robot.drives)]
    labels += ["motor current [A]", "motor position [rad]"]
    labels += [f"{end:.1f}".replace("-", "\N{MINUS SIGN}") for end in run.motor_position[-1]]
    assert [label for label in labels if f"<!-- {label} -->" not in found] == []


def test_motors_of_unknown_constants_show_torques(tmp_path: Path) -> None:
    motor_figure(tmp_path / "motors.svg", made("lola15"))
    assert "<!-- motor torque [N m] -->" in words(tmp_path / "motors.svg")
    with pytest.raises(
        MissingDataError, match=r'^robot "panda" has no drives, a figure of motors needs some$'
    ):
        motor_figure(tmp_path / "none.svg", made("panda"))
    assert [path.name for path in tmp_path.iterdir()] == ["motors.svg"]


def test_an_exact_balance_and_a_single_sample_can_be_drawn(tmp_path: Path) -> None:
    run = made("pendulum")
    one = replace(
        run,
        phases=(Phase(run.dyn, 0, 1),),
        events=(),
        **{name: getattr(run, name)[:1] for name in ("time", "q", "qd", "qdd", "tau", "states")},
        **{name: np.zeros(1) for name in ("work", "dissipated", "exerted")},
    )
    still = replace(one, qd=0 * one.qd, qdd=0 * one.qdd)
    write_figure(tmp_path / "one.svg", still)
    assert "<!-- the balances are exact -->" in words(tmp_path / "one.svg")


@pytest.mark.parametrize("draw", [write_figure, motor_figure])
@pytest.mark.parametrize(
    ("file", "sentence"),
    [
        ("run.gif", r'^figure ".*run\.gif" ends in "\.gif", expected \.svg, \.png, \.pdf$'),
        ("run", r'run" ends in "", expected'),
        ("nowhere/run.svg", r"run\.svg: cannot be written, No such file or directory$"),
    ],
)
def test_files_that_cannot_be(run: Simulation, tmp_path: Path, draw: Any, file: str, sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        draw(tmp_path / file, run)
    assert list(tmp_path.iterdir()) == []

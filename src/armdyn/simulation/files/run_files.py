"""Runs in files: everything a simulation found, as .parquet with units and its history, or as plain .csv."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from armdyn.errors import InputError
from armdyn.formats.motion_columns import OF_JOINTS, OF_MOTORS, OF_SURROUNDINGS, listed, quantity_of
from armdyn.formats.motion_tables import check_suffix, open_columns, write_columns
from armdyn.formats.units import SI
from armdyn.scalars import Array

if TYPE_CHECKING:
    from armdyn.simulation.results import Simulation

KEY = "armdyn"
"""Under which a Parquet file keeps what it says of itself, as a JSON document."""
NUMBERED = {
    "q": "position of joint {}",
    "qd": "velocity of joint {}",
    "qdd": "acceleration of joint {}",
    "tau": "torque or force of the drives at joint {}",
    "motor_position": "position of motor {}",
    "motor_velocity": "velocity of motor {}",
    "motor_torque": "torque of motor {}",
    "current": "current of motor {}",
    "voltage": "voltage of motor {}",
    "wrench": "what the tool exerts, force then moment in base axes, component {}",
    "base": "motion of the base in base axes (velocities, then accelerations), component {}",
}
"""What there is of joints, motors and surroundings, in the order of a file."""
REACTIONS = ("reaction_fx", "reaction_fy", "reaction_fz", "reaction_mx", "reaction_my", "reaction_mz")
"""What a body's parent exerts on it, in the body's axes."""
SINGLE = {
    "kinetic_energy": ("J", "kinetic energy"),
    "potential_energy": ("J", "potential energy"),
    "work": ("J", "work of the drives so far"),
    "dissipated": ("J", "energy lost to friction so far"),
    "exerted": ("J", "energy given to the contact and to the motion of the base so far"),
    "power_residual": ("W", "what the balance of power lacks"),
    "energy_residual": ("J", "what the balance of energy lacks"),
}
"""What there is once, with unit and meaning."""
MOST_DRIVES = 9999
"""Columns have numbers of four digits."""
STATE = "state"
"""What a controller integrates."""

_TITLE = re.compile(r"(\w*?[A-Za-z_])(\d{1,4})")


@dataclass(frozen=True)
class StoredRun:
    """A run as a file keeps it."""

    time: Array
    """(t) instants [s]"""
    columns: Mapping[str, Array]
    """By name: `q`, `qd`, `tau` (t, n), `current` (t, drives), `state` (t, m) of a controller,
    `wrench` (t, 6), `reaction_fx` (t, bodies), `work` (t) and so on, as far as they are there; NaN for a
    motor without a column"""
    checkpoint: Mapping[str, Any]
    """From where the run can go on, empty where the file does not say; a .csv file says nothing"""
    setup: Mapping[str, Any]
    """How the run was started, as it was given to `write_run`"""
    events: tuple[Mapping[str, Any], ...] = ()
    notes: tuple[str, ...] = ()
    failure: str | None = None
    """Why it ended early"""
    about: Mapping[str, Any] | None = None
    """All that the file says of itself: version, robot, integrator, dt, motors, friction, and `phases`, the
    first sample and the one behind the last of every stretch with one payload"""

    @property
    def reactions(self) -> Array:
        """(t, bodies, 6) what each body's parent exerts on it, force then moment in the body's axes."""
        return np.stack([self.columns[name] for name in REACTIONS], axis=-1)


# Writing --------------------------------------------------------------------------------------


def write_run(path: str | os.PathLike[str], simulation: Simulation, setup: Mapping[str, Any]) -> None:
    """Write a run to a .parquet or .csv file in SI, all of it or nothing.

    Args:
        path: what is there already is replaced.
        simulation: what was found.
        setup: how the run was started, plain data that JSON can hold; a .parquet file keeps it.
    """
    file = Path(path)
    check_suffix(file)
    columns, said = _columns(simulation)
    about = {KEY: _json(_about(simulation, setup))} if file.suffix.lower() == ".parquet" else {}
    write_columns(file, columns, said, about)


def _columns(simulation: Simulation) -> tuple[dict[str, Array], dict[str, dict[str, str]]]:
    """The columns of a run under their titles, and what is said of each."""
    robot = simulation.robot
    columns: dict[str, Array] = {"time": simulation.time}
    said: dict[str, dict[str, str]] = {"time": {"unit": "s", "description": "instant"}}
    for name, meaning in NUMBERED.items():
        values: Array | None = getattr(simulation, name)
        for k in range(0 if values is None else values.shape[1]):
            assert values is not None
            if name in OF_MOTORS and np.isnan(values[:, k]).all():
                continue
            columns[f"{name}{k + 1}"] = values[:, k]
            whose = meaning.format(_whose(simulation, name, k))
            said[f"{name}{k + 1}"] = {"unit": SI[quantity_of(name, k + 1, robot)], "description": whose}
    for k, state in enumerate(simulation.states.T):
        columns[f"{STATE}{k + 1}"] = state
        said[f"{STATE}{k + 1}"] = {
            "unit": "",
            "description": f"what the controller integrates, number {k + 1}",
        }
    reactions = simulation.reactions
    for k, body in enumerate(robot.body_names):
        for part, name in enumerate(REACTIONS):
            columns[f"{name}{k + 1}"] = reactions[:, k, part]
            whose = f'what its parent exerts on body {k + 1} ("{body}"), body axes'
            said[f"{name}{k + 1}"] = {"unit": "N" if part < 3 else "N*m", "description": whose}
    for name, (unit, meaning) in SINGLE.items():
        columns[name] = getattr(simulation, name)
        said[name] = {"unit": unit, "description": meaning}
    return columns, said


def _whose(simulation: Simulation, name: str, k: int) -> str:
    """Number and name of a joint or motor; of a component its number."""
    robot = simulation.robot
    if name in OF_SURROUNDINGS:
        return f"{k + 1}"
    named = robot.joint_names[k] if name in OF_JOINTS else robot.drives[k].name
    return f'{k + 1} ("{named}")'


def _about(simulation: Simulation, setup: Mapping[str, Any]) -> dict[str, Any]:
    """What a file says of itself."""
    dyn = simulation.dyn
    return {
        "version": version("armdyn"),
        "robot": dyn.robot.name,
        "joints": list(dyn.robot.joint_names),
        "drives": [drive.name for drive in dyn.robot.drives],
        "bodies": list(dyn.robot.body_names),
        "integrator": simulation.integrator,
        "dt": simulation.dt,
        "motors": dyn.motors,
        "friction": dyn.friction,
        "phases": [[phase.first, phase.last] for phase in simulation.phases],
        "at": simulation.at,
        "events": [event.document() for event in simulation.events],
        "notes": list(simulation.notes),
        "failure": simulation.failure,
        "checkpoint": simulation.checkpoint.document(),
        "setup": dict(setup),
    }


def _json(document: Mapping[str, Any]) -> str:
    """A text from which every number comes back to the last bit."""
    try:
        return json.dumps(document, default=_plain)
    except (TypeError, ValueError) as error:
        raise InputError(
            f"what is said of a run cannot be JSON, {error}; give numbers, texts and lists"
        ) from error


def _plain(value: Any) -> Any:
    if isinstance(value, np.ndarray | np.generic):
        return cast("Any", value).tolist()
    if isinstance(value, Path):
        return str(value)
    raise TypeError(f"a {type(value).__name__} is no plain data")


# Reading --------------------------------------------------------------------------------------


def read_run(path: str | os.PathLike[str], only: Collection[str] | None = None) -> StoredRun:
    """The run in a .parquet or .csv file that `write_run` wrote.

    Args:
        path: what to read.
        only: names of columns, as in `StoredRun`, beside the time; by default all. A long run may be more
            than fits into memory.
    """
    file = Path(path)
    table = open_columns(file)
    about = _said(table.about.get(KEY), file)
    places = {title: k for k, title in enumerate(table.titles)}
    if "time" not in places or "q1" not in places or "work" not in places:
        there = listed(list(table.titles))
        raise InputError(f'{file}: no run, expected columns "time", "q1" and "work" among {there}')
    known = [title for title in table.titles if _wanted(title, only)]
    values = table.numbers([places[title] for title in known], finite=False)
    found = dict(zip(known, values.T, strict=True))
    time = found.pop("time").copy()
    return StoredRun(
        time,
        _grouped(found, len(time), len(about.get("drives", ()))),
        about.get("checkpoint") or {},
        about.get("setup") or {},
        tuple(about.get("events", ())),
        tuple(about.get("notes", ())),
        about.get("failure"),
        about,
    )


def _wanted(title: str, only: Collection[str] | None) -> bool:
    """Whether a column is one of a run, and asked for."""
    family = _family(title)
    return family is not None and (only is None or title == "time" or family[0] in only)


def _said(text: str | None, file: Path) -> dict[str, Any]:
    """What a file says of itself, nothing if it is a text."""
    if text is None:
        return {}
    try:
        said: Any = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{file}: damaged, what it says of the run cannot be read") from error
    if not isinstance(said, dict) or not _is_about(cast("dict[str, Any]", said)):
        raise InputError(f"{file}: damaged, what it says of the run cannot be read")
    return cast("dict[str, Any]", said)


def _is_about(said: Mapping[str, Any]) -> bool:
    """Whether what a file says of itself has the form in which `_about` says it, as far as it is there."""
    lists, tables = ("drives", "events", "notes"), ("checkpoint", "setup")
    return (
        all(isinstance(said.get(name, []), list) for name in lists)
        and all(isinstance(event, dict) for event in said.get("events", []))
        and all(isinstance(said.get(name) or {}, dict) for name in tables)
        and isinstance(said.get("failure"), str | None)
        and len(said.get("drives", [])) <= MOST_DRIVES
    )


def _family(title: str) -> tuple[str, int] | None:
    """Name and number of a column that `write_run` writes, 0 for what there is once."""
    if title == "time" or title in SINGLE:
        return title, 0
    match = _TITLE.fullmatch(title)
    if match is None or match[1] not in (*NUMBERED, *REACTIONS, STATE):
        return None
    return match[1], int(match[2])


def _grouped(found: Mapping[str, Array], samples: int, drives: int) -> dict[str, Array]:
    """Joints, motors, bodies or components side by side."""
    numbers: dict[str, dict[int, Array]] = {}
    for title, values in found.items():
        name, number = _family(title) or (title, 0)
        numbers.setdefault(name, {})[number] = values
    return {
        name: mine[0].copy()
        if 0 in mine
        else _side_by_side(mine, samples, max(*mine, drives if name in OF_MOTORS else 1))
        for name, mine in numbers.items()
    }


def _side_by_side(columns: Mapping[int, Array], samples: int, width: int) -> Array:
    values = np.full((samples, width), np.nan)
    for number, column in columns.items():
        values[:, number - 1] = column
    return values

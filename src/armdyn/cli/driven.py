"""What drives a simulated arm, as the options of the command line say it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from hashlib import file_digest
from pathlib import Path
from typing import Any, Literal

import numpy as np

from armdyn.cli.options import numbers
from armdyn.dynamics import Dynamics
from armdyn.errors import InputError, counted
from armdyn.feasibility import planned, verify
from armdyn.feasibility.verify import named_robot
from armdyn.formats import catalog
from armdyn.formats.motion_tables import SUFFIXES as SAMPLES
from armdyn.formats.motions import read_motion
from armdyn.formats.reading import opened
from armdyn.mechanics.task import task_axes
from armdyn.motion.planned import Plan
from armdyn.program import program_file
from armdyn.robot import Robot
from armdyn.simulation.acting import Acting, ActingKind
from armdyn.simulation.changes import Change, Grasp, Release
from armdyn.simulation.control.controllers import computed_torque, pd_gravity, pid
from armdyn.simulation.control.gains import error_gains, integral_gain, task_error_gains
from armdyn.simulation.control.gains import gains as gains_of_inertias
from armdyn.simulation.control.operational_space import operational_space
from armdyn.simulation.control.references import Reference, fixed, of_motion, of_plan
from armdyn.simulation.control.saturation import saturated
from armdyn.simulation.files.input_files import Input, read_input
from armdyn.spatial import Inertia

ControllerName = Literal["pid", "pd_gravity", "computed_torque", "operational_space"]
FREQUENCY, DAMPING = 20.0, 1.0
"""[rad/s] Of the servos, unless asked otherwise: below what the structure of most arms allows."""


@dataclass(frozen=True)
class Gains:
    """Gains as options say them."""

    frequency: str | None = None
    damping: str | None = None
    kp: str | None = None
    kv: str | None = None
    ki: str | None = None

    @property
    def options(self) -> list[str]:
        """Those that are given."""
        return [f"--{name}" for name, text in vars(self).items() if text is not None]


@dataclass(frozen=True)
class Given:
    """What drives the arm and acts on it, and where it starts."""

    input: Path | None = None
    kind: ActingKind | None = None
    between: Literal["hold", "linear"] | None = None
    controller: ControllerName | None = None
    reference: Path | None = None
    verified: bool = False
    gains: Gains = field(default_factory=Gains)
    limits: bool = False
    q: list[float] | None = None
    qd: list[float] | None = None
    wrench: list[float] | None = None
    at: list[float] | None = None
    task: str | None = None

    def check(self) -> None:
        """Refuse options that do not go together."""
        if self.input is not None and self.controller is not None:
            raise InputError("--input and --controller are both given, expected one of them to drive the arm")
        of_input = {"--kind": self.kind, "--between": self.between}
        for option, value in of_input.items():
            if value is not None and self.input is None:
                raise InputError(f"{option} says how an input is read, but there is none; add --input")
        of_controller = {"--reference": self.reference, "--limits": self.limits or None}
        named = [option for option, value in of_controller.items() if value is not None]
        for option in (*named, *self.gains.options):
            if self.controller is None:
                raise InputError(f"{option} is for a controller, but there is none; add --controller")
        if self.task is not None and self.controller != "operational_space":
            raise InputError("--task is for the controller operational_space, which is not asked for")
        if self.verified and self.reference is None:
            raise InputError("--verified is how a reference is followed, but there is none; add --reference")
        if self.at is not None and self.wrench is None and self.input is None:
            raise InputError("--at says where a wrench acts, but there is none; add --wrench")
        if self.gains.ki is not None and self.controller != "pid":
            raise InputError(f"--ki is for the controller pid, {self.controller} integrates nothing")

    @property
    def files(self) -> dict[str, Path]:
        """What is read, by its option."""
        found = {"--input": self.input, "--reference": self.reference and program_file(self.reference)}
        return {option: file for option, file in found.items() if file is not None}


@dataclass(frozen=True)
class Driven:
    """What drives the arm, and where it starts."""

    q: list[float]
    qd: list[float]
    input: Input | None = None
    controller: Acting | None = None
    changes: tuple[Change, ...] = ()
    setup: dict[str, Any] = field(default_factory=dict[str, Any])
    """All that it depends on, as plain data"""
    notes: tuple[str, ...] = ()


def driven(given: Given, dyn: Dynamics) -> Driven:
    """What the options ask for."""
    home, rest = list(dyn.robot.home), [0.0] * dyn.n
    start = given.q or home, given.qd or rest
    if given.controller is not None:
        return _controlled(given, given.controller, dyn)
    if given.input is None:
        return Driven(*start, notes=("nothing drives the arm: it moves freely",))
    read = read_input(given.input, dyn.robot, kind=given.kind, between=given.between or "linear")
    setup = {"input content": content(given.input), "kind": read.kind, "between": given.between or "linear"}
    notes: list[str] = []
    if read.wrench is not None and given.wrench is not None:
        notes.append(f"--wrench is used in place of that in {given.input}")
    return Driven(*start, input=read, setup=setup, notes=tuple(notes))


def content(file: Path) -> str:
    """A digest of what is in a file."""
    try:
        with opened(file) as source:
            return file_digest(source, "sha256").hexdigest()
    except OSError as error:
        raise InputError(f"{file}: cannot be read, {error.strerror or error}") from error


# Controllers ----------------------------------------------------------------------------------


def _controlled(given: Given, name: ControllerName, dyn: Dynamics) -> Driven:
    followed = _followed(given, dyn)
    wanted = followed.reference.at(np.zeros(1))
    q = given.q or wanted[0][0].tolist()
    qd = given.qd or wanted[1][0].tolist()
    chosen, note = _gains(given.gains, name, dyn, q, given.task)
    makers: dict[ControllerName, Any] = {
        "pid": pid,
        "pd_gravity": pd_gravity,
        "computed_torque": computed_torque,
        "operational_space": operational_space,
    }
    controller: Acting = makers[name](dyn, followed.reference, **chosen)
    setup = {"controller": name, **chosen, "limits": given.limits, **followed.setup}
    notes = (*followed.notes, *([note] if note else []))
    acting = saturated(controller, dyn) if given.limits else controller
    return Driven(q, qd, None, acting, followed.changes, setup, notes)


def _gains(
    given: Gains, name: ControllerName, dyn: Dynamics, q: list[float], task: str | None
) -> tuple[dict[str, Any], str]:
    """The gains (n, or for each axis of a task) that are given or that the frequency needs, and a note."""
    texts = {"kp": given.kp, "kv": given.kv, "ki": given.ki}
    count, of_task = dyn.n, {}
    if name == "operational_space":
        axes = task_axes(task)
        count, of_task = len(axes), {"task": ",".join(axes)}
    found: dict[str, Any] = {
        key: _each(f"--{key}", text, count) for key, text in texts.items() if text is not None
    }
    if "kp" in found or "kv" in found:
        if not {"kp", "kv"} <= found.keys():
            there, missing = ("--kp", "--kv") if "kp" in found else ("--kv", "--kp")
            raise InputError(f"{there} is given without {missing}, expected both, or --frequency alone")
        if given.frequency is not None or given.damping is not None:
            beside = "--frequency" if given.frequency is not None else "--damping"
            raise InputError(f"--kp and {beside} are both given, expected gains or what they are made of")
        return {**found, **of_task}, ""
    w = FREQUENCY if given.frequency is None else _each("--frequency", given.frequency, count)
    zeta = DAMPING if given.damping is None else _each("--damping", given.damping, count)
    if name == "operational_space":
        kp, kv = task_error_gains(count, w, zeta)
    else:
        computed = name == "computed_torque"
        kp, kv = error_gains(dyn, w, zeta) if computed else gains_of_inertias(dyn, w, zeta, q)
    made = {"kp": kp.tolist(), "kv": kv.tolist()}
    if name == "pid":
        made["ki"] = integral_gain(dyn, w, kp).tolist()
    note = (
        ""
        if given.frequency
        else f"gains for {FREQUENCY:g} rad/s; --frequency, or --kp and --kv, changes them"
    )
    return {**made, **found, **of_task}, note


def _each(option: str, text: str, n: int) -> list[float]:
    """(n) one number for all joints, or one each."""
    values = numbers(option, text, (1,) if n == 1 else (1, n))
    return values * n if len(values) == 1 else values


# References -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Followed:
    """A reference, and what happens to the hand on the way."""

    reference: Reference
    changes: tuple[Change, ...] = ()
    setup: dict[str, Any] = field(default_factory=dict[str, Any])
    notes: tuple[str, ...] = ()


def _followed(given: Given, dyn: Dynamics) -> _Followed:
    robot = dyn.robot
    if given.reference is None:
        return _Followed(fixed(given.q or robot.home), notes=("the controller holds the start",))
    file = program_file(given.reference)
    is_samples = file.suffix.lower() in SAMPLES
    if is_samples and not given.verified:
        motion = read_motion(file, robot)
        setup = {"reference content": content(file), "verified": False}
        return _Followed(of_motion(motion, source=str(file)), (), setup, motion.notes)
    notes = () if is_samples else _check_robot(file, robot)
    work = planned(file, robot, start=None if is_samples else given.q)
    plan, notes = work.plan, [*notes, *work.notes, *work.plan.notes]
    if plan.problems:
        problems = counted(len(plan.problems), "problem")
        notes.append(f"{file.name}: {problems} with ranges or singularities; `armdyn verify` names them")
    if given.verified:
        found = verify(work, motors=dyn.motors, friction=dyn.friction, wrench=given.wrench, at=given.at)
        plan = replace(plan, time=found.time, q=found.run.q)
        notes.extend(note for note in found.notes if note not in notes)
    setup = {"reference content": content(file), "verified": given.verified}
    return _Followed(of_plan(plan, source=str(file)), tuple(_changes(plan)), setup, tuple(notes))


def _check_robot(file: Path, robot: Robot) -> list[str]:
    """Refuse a program for another robot of the catalog; one for a robot that is none of it may be right."""
    named = named_robot(file)
    if named in (None, robot.name):
        return []
    if robot.name in catalog():
        raise InputError(
            f'{file}: the program is for robot "{named}" (act_rob), asked for "{robot.name}"; '
            f"give {named}, or another program"
        )
    return [f'{file.name} is for robot "{named}" (act_rob), here it moves "{robot.name}"']


def _changes(plan: Plan) -> Iterator[Change]:
    """What a program grasps and releases, and when."""
    own, holds = plan.robot.payloads, False
    for before, phase in zip((None, *plan.phases), plan.phases, strict=False):
        held = phase.robot.payloads[len(own) :]
        if held == (() if before is None else before.robot.payloads[len(own) :]):
            continue
        time = float(plan.time[phase.first])
        if holds:
            yield Release(time)
        for payload in held:
            yield _grasp(time, payload.inertia)
        holds = bool(held)


def _grasp(time: float, inertia: Inertia) -> Grasp:
    x, y, z = (float(value) for value in inertia.com)  # pyright: ignore[reportArgumentType]
    places = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))
    tensor = tuple(float(inertia.tensor[i][j]) for i, j in places)  # pyright: ignore[reportArgumentType]
    return Grasp(time, float(inertia.mass), (x, y, z), tensor if any(tensor) else None)

"""Programs, samples and runs as a page asks for them, computed."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, TypeVar

from armdyn.errors import InputError
from armdyn.feasibility import Verification, planned, verify
from armdyn.feasibility.verify import named_robot, unnamed
from armdyn.formats.motion_tables import SUFFIXES
from armdyn.motion.planned import Plan
from armdyn.program import parse_program, program_file
from armdyn.program.files import example_names
from armdyn.retiming import Retimed, retime
from armdyn.studio.answers.commands import retime_command, verify_command
from armdyn.studio.answers.programs import slower_text
from armdyn.studio.jobs.remedies import remedies
from armdyn.studio.messages.model import Message
from armdyn.studio.messages.requests import RetimeTask, RunFileTask, Task, VerifyTask
from armdyn.studio.messages.run import ActiveLimit, RetimedScene
from armdyn.studio.robots import Ready
from armdyn.studio.runs.recorded import LOG, Recorded, about, recorded
from armdyn.studio.runs.suggestions import Remedy

if TYPE_CHECKING:
    from armdyn.studio.jobs.work import Workshop

PROGRAM = ".lirl"
GIVEN = (PROGRAM, *SUFFIXES)
AnyTask = TypeVar("AnyTask", bound=Task)


@dataclass(frozen=True)
class Verified:
    """A verification, what it is called, and what was tried to make it feasible."""

    name: str
    ready: Ready
    found: Verification
    remedies: tuple[Remedy, ...] = ()
    command: str | None = None

    @property
    def motion(self) -> Plan:
        """As programmed, whether the motors can or not."""
        return self.found.plan


@dataclass(frozen=True)
class Retime:
    """A retimed motion, and what it is called."""

    name: str
    ready: Ready
    found: Retimed
    scene: RetimedScene
    command: str | None = None

    @property
    def motion(self) -> Plan:
        """As retimed."""
        return self.found.plan


def computed(shop: Workshop, task: Message) -> Verified | Retime | Recorded:
    """What a task asks for."""
    match task:
        case VerifyTask():
            return _with_remedies(shop, _settled(shop, task))
        case RetimeTask():
            return _retimed(shop, _settled(shop, task))
        case RunFileTask():
            return _recorded(shop, task)
        case _:
            raise InputError(f"a {type(task).__name__} makes no run")


# Programs and samples -------------------------------------------------------------------------


@contextmanager
def _file(shop: Workshop, task: Task) -> Generator[Path]:
    """The file of a task, under a name that messages can show: folders are left out of it."""
    if (task.text is None) == (task.file is None):
        raise InputError("a program is given by text or by file, expected one of them")
    if task.file is not None:
        example = task.file in example_names()
        with contextlib.chdir(shop.folder.root):
            yield program_file(task.file) if example else _below(shop, task.file)
        return
    assert task.text is not None
    with tempfile.TemporaryDirectory(prefix="armdyn-") as folder, contextlib.chdir(folder):
        path = Path(_plain_name(task.name))
        path.write_text(task.text, encoding="utf-8", errors="replace", newline="")
        yield path


def _below(shop: Workshop, name: str) -> Path:
    return shop.folder.inside(name, GIVEN).relative_to(shop.folder.root)


def _plain_name(name: str) -> str:
    """A name without folders, and not too long for a file."""
    stem = "".join(c if c.isalnum() or c in "-_. " else "_" for c in PurePath(name).stem)[:60].strip(". ")
    return f"{stem or 'program'}{PROGRAM}"


def _settled(shop: Workshop, task: AnyTask) -> AnyTask:
    """With the robot meant otherwise as the one given, where a program names none."""
    if task.robot is not None or task.otherwise is None:
        return task
    with _file(shop, task) as path:
        return task if named_robot(path) else task.model_copy(update={"robot": task.otherwise})


def _robot(shop: Workshop, task: Task, path: Path) -> Ready:
    name = task.robot or named_robot(path)
    if name is None:
        raise InputError(f"{path}: {unnamed(path)}; choose a robot")
    return shop.robots.ready(name, task.settings)


def _how(task: Task) -> dict[str, Any]:
    """Options of `verify` and `retime` that settings give."""
    chosen = task.settings
    return {
        "motors": chosen.motors,
        "friction": chosen.friction,
        "wrench": chosen.wrench,
        "at": chosen.at,
    }


def _verified(shop: Workshop, task: VerifyTask, tell: Callable[..., None]) -> Verified:
    with _file(shop, task) as path:
        ready = _robot(shop, task, path)
        planning = task.planning
        tell(f"planning {path.name} for {ready.robot.name}")
        work = planned(
            path,
            ready.robot,
            start=planning.start,
            cycle=planning.cycle,
            jerk=planning.jerk_time,
            status=planning.status,
            turn_acceleration=planning.turn_acceleration,
        )
        tell("what the motors make of it", 0.2)
        found = verify(work, follow=task.follow, printed=task.printed, **_how(task))
        tell("moves and their largest speeds", 0.7)
        found.document()
        return Verified(path.name, ready, found)


def _with_remedies(shop: Workshop, task: VerifyTask) -> Verified:
    result = _verified(shop, task, shop.tell)
    shop.tell("what would help", 0.8)

    def attempt(shares: dict[int, float], turning: float | None) -> Verification:
        parsed = parse_program(result.found.source, result.name)
        gradual = turning or task.planning.turn_acceleration
        text = slower_text(parsed, result.ready.robot, shares, gradual)
        other = task.model_copy(update={"file": None, "text": text})
        return _verified(shop, other, lambda *_: None).found

    ways = remedies(result.found, attempt)
    return replace(result, remedies=ways, command=verify_command(task, result.ready))


def _retimed(shop: Workshop, task: RetimeTask) -> Retime:
    with _file(shop, task) as path:
        ready = _robot(shop, task, path)
        planning = task.planning
        shop.tell(f"planning {path.name} for {ready.robot.name}")
        found = retime(
            path,
            ready.robot,
            mode=task.mode,
            start=planning.start,
            cycle=planning.cycle,
            jerk_time=planning.jerk_time,
            status=planning.status,
            turn_acceleration=planning.turn_acceleration,
            margin=task.margin,
            tool_speed=task.tool_speed,
            slow_only=task.slow_only,
            progress=shop.tell,
            **_how(task),
        )
        shop.tell("checking the result", 0.85)
        scene = _scene(found, _text(shop, task, found, ready, path))
        return Retime(path.name, ready, found, scene, retime_command(task, ready))


def _scene(found: Retimed, text: str | None) -> RetimedScene:
    return RetimedScene(
        mode=found.mode,
        before=found.before,
        after=found.duration,
        factor=found.factor,
        text=text,
        active_limits=[
            ActiveLimit(
                begin=limit.time,
                end=limit.until,
                joint=limit.joint,
                quantity=limit.quantity,
                line=limit.line or None,
            )
            for limit in found.active_limits
        ],
    )


def _text(shop: Workshop, task: RetimeTask, found: Retimed, ready: Ready, path: Path) -> str | None:
    """The program that moves so and is feasible, where there is one: jumps do not shrink as speeds do."""
    if path.suffix.lower() != PROGRAM:
        return None
    if found.program is not None:
        return found.program.removeprefix("\ufeff")
    if found.mode != "uniform" or found.factor is None or found.factor <= 1:
        return None
    parsed = parse_program(path.read_text(encoding="utf-8-sig"), path.name)
    text = slower_text(parsed, ready.robot, 1 / found.factor, task.planning.turn_acceleration)
    given = task.model_dump(include={"robot", "settings", "planning"})
    checked = _verified(shop, VerifyTask(text=text, name=path.name, **given), shop.tell)
    return text if checked.found.feasible else None


# Runs -----------------------------------------------------------------------------------------


def _recorded(shop: Workshop, task: RunFileTask) -> Recorded:
    with contextlib.chdir(shop.folder.root):
        file = shop.folder.inside(task.file, (*SUFFIXES, LOG)).relative_to(shop.folder.root)
        if not os.access(file, os.R_OK):
            raise InputError(f"{file}: no such file, or it may not be read")
        shop.tell(f"reading {file.name}")
        said = about(file)
        name = task.robot or said.get("robot")
        if not isinstance(name, str):
            raise InputError(f"{file}: it does not say of which robot it is; choose a robot")
        return recorded(file, shop.robots.ready(name, task.settings), said)

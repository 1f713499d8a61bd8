"""A state as Python and as a command line, to be copied."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Sequence

from armdyn.studio.messages.answers import Commands
from armdyn.studio.messages.requests import RetimeTask, StateRequest, Task, VerifyTask
from armdyn.studio.messages.settings import Settings
from armdyn.studio.robots import Ready


def commands(ready: Ready, request: StateRequest) -> Commands:
    """The same state for others to compute."""
    return Commands(python=_python(ready, request), shell=_shell(ready, request))


# Python ---------------------------------------------------------------------------------------


def _python(ready: Ready, request: StateRequest) -> str:
    q, qd, qdd = (_list(values, ready.robot.n) for values in (request.q, request.qd, request.qdd))
    contact = "".join(f", {name}={list(value)}" for name, value in ready.contact.items())
    return "\n".join(
        (
            "import armdyn as ad",
            "",
            f"arm = ad.load({json.dumps(ready.name)}){''.join(_changes(ready.settings))}",
            f"dyn = ad.Dynamics(arm{''.join(_choices(ready.settings))})",
            f"q, qd, qdd = {q}, {qd}, {qdd}",
            f"torque = dyn.inverse(q, qd, qdd{contact})",
            "gravity, H, pose = dyn.gravity(q), dyn.mass_matrix(q), dyn.pose(q)",
            r'print(torque, gravity, H, pose, sep="\n")',
            "",
        )
    )


def _changes(settings: Settings) -> Iterator[str]:
    if settings.gravity is not None:
        yield f".with_gravity({list(settings.gravity)})"
    if (held := settings.payload) is not None:
        tensor = "" if held.inertia is None else f", {list(held.inertia)}"
        yield f".with_payload({held.mass}, {list(held.com)}{tensor})"
    if settings.locked:
        yield f".locked({dict(settings.locked)})"


def _choices(settings: Settings) -> Iterator[str]:
    if settings.motors is not None:
        yield f', motors="{settings.motors}"'
    if settings.friction is not None:
        yield f", friction={settings.friction}"


def _list(values: Sequence[float] | None, n: int) -> str:
    return f"[{', '.join(_number(x) for x in (values or (0.0,) * n))}]"


# Command line ---------------------------------------------------------------------------------


def _shell(ready: Ready, request: StateRequest) -> str:
    words = ["armdyn", "dynamics", ready.name, *_vector("q", request.q)]
    words += [*_vector("qd", request.qd), *_vector("qdd", request.qdd or (0.0,) * ready.robot.n)]
    words += _options(ready.settings)
    return shlex.join(words)


def verify_command(task: VerifyTask, ready: Ready) -> str | None:
    """The verification of a program, with what it is planned with besides its text; None where none does."""
    follow = ["--follow", task.follow] if task.follow != "position" else []
    return _of_program("verify", task, ready, follow)


def retime_command(task: RetimeTask, ready: Ready) -> str | None:
    """The same of a retimed motion."""
    words = ["--mode", task.mode]
    words += _single("margin", task.margin or None)
    words += _single("tool-speed", task.tool_speed)
    return _of_program("retime", task, ready, [*words, *(["--slow-only"] if task.slow_only else [])])


def _of_program(command: str, task: Task, ready: Ready, how: Sequence[str]) -> str | None:
    if ready.settings.locked:
        return None
    planning = task.planning
    words = ["armdyn", command, task.file or task.name, *how]
    if task.robot is not None:
        words += ["--robot", ready.name]
    words += _vector("start", planning.start)
    for option in ("cycle", "jerk_time", "turn_acceleration"):
        words += _single(option.replace("_", "-"), getattr(planning, option))
    if planning.status != "ignore":
        words += ["--status", planning.status]
    return shlex.join((*words, *_options(ready.settings)))


def _single(option: str, value: float | None) -> Iterator[str]:
    if value is not None:
        yield from (f"--{option}", _number(value))


def _options(settings: Settings) -> Iterator[str]:
    if (held := settings.payload) is not None:
        yield from _vector("payload", (held.mass, *held.com, *(held.inertia or ())))
    yield from _vector("gravity", settings.gravity)
    if settings.motors is not None:
        yield from ("--motors", settings.motors)
    if settings.friction is not None:
        yield from ("--friction", "on" if settings.friction else "off")
    yield from _vector("wrench", settings.wrench)
    yield from _vector("at", settings.at)
    if settings.locked:
        yield from ("--lock", ",".join(f"{name}={_number(x)}" for name, x in settings.locked.items()))


def _vector(option: str, values: Sequence[float] | None) -> Iterator[str]:
    """With an equals sign: the first number may be negative."""
    if values is not None:
        yield f"--{option}={','.join(_number(x) for x in values)}"


def _number(x: float) -> str:
    return f"{x + 0.0:.10g}"

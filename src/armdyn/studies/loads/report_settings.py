"""What a study was asked, in words: robot, load, gravity, ranges, speeds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, cast

from armdyn.report.wording import MODELS, amount, listed
from armdyn.studies.loads.rows import Study

TOLD = {"motors", "gravity", "payloads", "locked", "joints", "ranges", "motions", "candidates", "gears"}
"""Settings that have sentences of their own."""


def facts(study: Study) -> Iterator[tuple[str, str]]:
    """Name and value of each."""
    robot, settings = study.robot, study.settings
    yield "Robot", f"{robot.name}: {robot.description}" if robot.description else robot.name
    yield "Motor model", MODELS.get(str(settings["motors"]), str(settings["motors"]))
    yield "Gravity", f"({numbers_text(settings['gravity'])}) m/s²"
    yield "Payload", _payloads(settings["payloads"])
    if settings.get("locked"):
        yield "Locked", ", ".join(f"{name} at {amount(x)}" for name, x in settings["locked"].items())
    if "joints" in settings:
        yield "Joints", ", ".join(f"{j} {robot.joint_names[j - 1]}" for j in settings["joints"])
    if "ranges" in settings:
        yield "Ranges", _ranges(study)
    if "motions" in settings:
        yield "Motions", _motions(settings["motions"])
    if settings.get("candidates"):
        names = [str(motor["name"]) for motor in settings["candidates"]]
        gears = (
            f", gears {numbers_text(settings['gears'])}" if settings["gears"] else ", the drives' own gears"
        )
        yield "Candidates", f"{listed(names)}{gears}"
    for name, value in settings.items():
        if name not in TOLD and value is not None:
            yield name.replace("_", " ").capitalize(), said(value)


def numbers_text(values: Sequence[float]) -> str:
    """Numbers side by side."""
    return ", ".join(amount(float(x)) for x in values)


def said(value: Any) -> str:
    """A setting in words."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        return amount(float(value), 7)
    if isinstance(value, list):
        return ", ".join("-" if x is None else said(x) for x in cast("list[Any]", value))
    if isinstance(value, dict):
        return ", ".join(f"{name} = {said(x)}" for name, x in cast("dict[str, Any]", value).items())
    return str(value)


def _payloads(payloads: Sequence[dict[str, Any]]) -> str:
    if not payloads:
        return "none"
    held = (f"{amount(p['mass'])} kg at ({numbers_text(p['com'])}) m of {p['body']}" for p in payloads)
    return f"{'; '.join(held)}; rows without and with it"


def _ranges(study: Study) -> str:
    joints = {joint.name: joint for joint in study.robot.joints}
    return "; ".join(
        f"{name} {numbers_text(row[:1])} to {numbers_text(row[1:])} "
        f"{'m' if joints[name].kind == 'prismatic' else 'rad'}"
        for name, row in study.settings["ranges"].items()
    )


def _motions(motions: Sequence[dict[str, Any]]) -> str:
    return "; ".join(f"{m['name']}, {amount(m['duration'])} s in {m['samples']} samples" for m in motions)

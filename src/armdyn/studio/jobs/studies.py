"""Studies of loads, with their pictures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from armdyn.errors import InputError
from armdyn.formats.motion_tables import SUFFIXES
from armdyn.formats.plain_data import plain
from armdyn.studies.loads.figures import svg
from armdyn.studies.loads.rows import Study
from armdyn.studies.loads.study import check_options, options_of, study
from armdyn.studio.messages.answers import Figure, StudyResult
from armdyn.studio.messages.requests import StudyTask

if TYPE_CHECKING:
    from armdyn.studio.jobs.work import Workshop

FILES = {"motions": SUFFIXES, "candidates": (".toml",)}
"""Options that name files below the folder."""
PANEL = 4.8
"""[in] Width of figures, so that their letters can be read in a panel of the page."""


def study_of(shop: Workshop, task: StudyTask) -> Study:
    """What a study finds."""
    robot = shop.robots.ready(task.robot, task.settings).robot
    given = {name: _value(shop, name, value) for name, value in task.options.items()}
    if "progress" in given:
        raise InputError("study takes no progress from a page")
    known = options_of(task.kind)
    if "motors" in known and task.settings.motors is not None:
        given.setdefault("motors", task.settings.motors)
    if "friction" in known and task.settings.friction is not None:
        given.setdefault("friction", task.settings.friction)
    if "motions" in known and "motions" not in given and task.run is not None:
        given["motions"] = [shop.result(task.run).motion]
    check_options(task.kind, given)
    if "progress" in known:
        given["progress"] = shop.tell
    shop.tell(f"{task.kind} of {robot.name}")
    return study(robot, task.kind, **given)


def _value(shop: Workshop, name: str, value: Any) -> Any:
    """An option as the library takes it: joints by number are whole numbers, files are paths."""
    if name in FILES:
        names = cast("list[Any]", value) if isinstance(value, list) else [value]
        paths = [shop.folder.inside(str(each), FILES[name]) for each in names]
        return paths if name == "motions" else paths[0]
    if isinstance(value, dict):
        return {_joint(key): each for key, each in value.items()}  # pyright: ignore[reportUnknownVariableType]
    if name == "joints" and isinstance(value, list):
        return [_joint(each) for each in value]  # pyright: ignore[reportUnknownVariableType]
    return _joint(value) if name == "over" else value


def _joint(key: Any) -> Any:
    return int(key) if isinstance(key, str) and key.isdecimal() and len(key) < 10 else key


def study_answer(shop: Workshop, task: StudyTask) -> StudyResult:
    """A study with its document and its pictures."""
    found: Study = shop.kept(task, lambda: study_of(shop, task))
    shop.tell("drawing", 0.95)
    return StudyResult(
        kind=found.kind,
        robot=found.robot.name,
        document=plain(found.document()),
        figures=[
            Figure(
                name=picture.name,
                title=picture.title,
                caption=picture.caption,
                svg=_alone(svg(picture, f"{found.kind}-{picture.name}", PANEL)),
            )
            for picture in found.pictures
        ],
    )


def _alone(element: str) -> str:
    """An SVG element as an image of its own, not part of a page."""
    if "xmlns=" in element.split(">", 1)[0]:
        return element
    return element.replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg"', 1)

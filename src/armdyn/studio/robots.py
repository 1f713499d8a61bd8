"""Robots by the names under which a page asks for them, changed as settings say, kept ready."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import Any

from armdyn.dynamics import Dynamics
from armdyn.errors import InputError
from armdyn.feasibility.actuators import Actuators
from armdyn.formats import catalog, load
from armdyn.formats.files import SUFFIXES
from armdyn.motion.arm import inverse_kinematics
from armdyn.motion.inverse_kinematics import InverseKinematics
from armdyn.robot import Robot
from armdyn.studio.folder import Folder
from armdyn.studio.messages.requests import Want
from armdyn.studio.messages.settings import Settings

KEPT = 32
"""Robots under settings that are kept ready."""


@dataclass(frozen=True)
class Ready:
    """A robot under settings, with all that is computed of it once."""

    name: str
    """How a page asks for it"""
    file: Path | None
    """Where it was read, None of the catalog"""
    robot: Robot
    dyn: Dynamics
    settings: Settings
    seconds: dict[frozenset[Want], float] = field(default_factory=dict[frozenset[Want], float])
    """How long the last state took, by what was wanted of it: the first has to compile"""

    @property
    def contact(self) -> dict[str, Any]:
        """What the tool exerts, as methods of `Dynamics` take it."""
        given = {"wrench": self.settings.wrench, "at": self.settings.at}
        return {name: value for name, value in given.items() if value is not None}

    @cached_property
    def actuators(self) -> Actuators:
        """What moves it."""
        return Actuators.of(self.robot)

    @cached_property
    def kinematics(self) -> InverseKinematics:
        """Postures for poses."""
        return inverse_kinematics(self.robot)


class Robots:
    """All robots that were asked for, the latest kept."""

    def __init__(self, folder: Folder) -> None:
        """Those of the catalog, and the files of a folder."""
        self._folder = folder
        self._kept: OrderedDict[tuple[str, str, str], Ready] = OrderedDict()
        self._lock = Lock()

    def file_of(self, name: str) -> Path | None:
        """The file of a robot, None of the catalog."""
        if Path(name).suffix.lower() not in SUFFIXES:
            return None
        return self._folder.inside(name, SUFFIXES)

    def kept(self, name: str, settings: Settings) -> Ready | None:
        """A robot under settings if it was asked for before; not if its file has changed."""
        key = self._key(name, settings)
        with self._lock:
            found = self._kept.get(key)
            if found is not None:
                self._kept.move_to_end(key)
            return found

    def ready(self, name: str, settings: Settings) -> Ready:
        """A robot under settings; a file that has changed is read again."""
        if (found := self.kept(name, settings)) is not None:
            return found
        key = self._key(name, settings)
        found = self._made(name, self.file_of(name), settings)
        with self._lock:
            self._kept[key] = found
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return found

    def _key(self, name: str, settings: Settings) -> tuple[str, str, str]:
        return name, _stamp(self.file_of(name)), settings.model_dump_json()

    def _made(self, name: str, file: Path | None, settings: Settings) -> Ready:
        if file is None and name not in catalog():
            load(Path(name).name)  # says what there is instead; no other file is looked at
            raise InputError(f'no robot "{name}" in the catalog; `armdyn robots` lists all')
        robot = changed(load(name if file is None else file), settings)
        return Ready(name, file, robot, Dynamics(robot, settings.motors, settings.friction), settings)


def changed(robot: Robot, settings: Settings) -> Robot:
    """A robot changed as settings say."""
    if settings.at is not None and settings.wrench is None:
        raise InputError("`at` says where a wrench acts, but there is none; give a wrench")
    if settings.gravity is not None:
        robot = robot.with_gravity(settings.gravity)
    if settings.payload is not None:
        held = settings.payload
        robot = robot.with_payload(held.mass, held.com, held.inertia)
    return robot.locked({**settings.locked}) if settings.locked else robot


def _stamp(file: Path | None) -> str:
    """What tells one version of a file from another."""
    if file is None:
        return ""
    try:
        said = file.stat()
    except OSError as error:
        raise InputError(f"{file.name}: no such robot file; choose another") from error
    return f"{said.st_mtime_ns} {said.st_size}"

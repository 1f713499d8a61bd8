"""Robots that differ: one for each combination of the axes that change the robot."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from armdyn.dynamics import Dynamics
from armdyn.errors import ArmdynError, InputError
from armdyn.formats.files import load_document
from armdyn.formats.toml.reader import read_document
from armdyn.mechanics.methods import METHODS
from armdyn.robot import Friction, Robot
from armdyn.scalars import Array
from armdyn.spatial import Inertia
from armdyn.sweep.axes import Values
from armdyn.sweep.quantities.meanings import VARYING, Meaning, Of
from armdyn.sweep.quantities.options import Options
from armdyn.sweep.quantities.robot_paths import changed
from armdyn.sweep.study import Study

KEPT = 32
"""Robots, with what is compiled for them, that are kept for the next rows."""
MODELS = ("exact", "augmented", "coupled", "reflected", "none")
Rows = NDArray[np.intp]


@dataclass(frozen=True)
class Held:
    """A payload: what is given of it."""

    mass: float | None = None
    com: tuple[float, float, float] = (0.0, 0.0, 0.0)
    inertia: tuple[float, ...] | None = None

    def with_values(self, values: Mapping[Meaning, float]) -> Held:
        """What axes make of it."""
        mass, com = self.mass, list(self.com)
        for one, value in values.items():
            if one.of == "payload" and one.part == "mass":
                mass = value
            elif one.of == "payload":
                com[one.place] = value
        return Held(mass, (com[0], com[1], com[2]), self.inertia)

    def arrays(self, values: Mapping[Meaning, Values]) -> tuple[Array, Array, tuple[float, ...] | None]:
        """Masses (m), centres (m, 3) and the tensor of payloads that axes give."""
        count = len(next(iter(values.values())))
        mass: Any = np.full(count, self.mass or 0.0)
        com: Any = np.tile(np.array(self.com), (count, 1))
        for one, value in values.items():
            if one.of == "payload" and one.part == "mass":
                mass = value
            elif one.of == "payload":
                com[:, one.place] = value
        return mass, com, self.inertia


@dataclass(frozen=True)
class Setting:
    """What options say about the robot."""

    document: Mapping[str, Any]
    file: str
    gravity: tuple[float, ...] | None
    held: Held
    lock: Mapping[str, float]
    motors: Any
    friction: bool | None
    method: Any
    accept: str | None

    @classmethod
    def of(cls, study: Study, options: Options) -> Setting:
        """Load the robot, and take the options about it."""
        source = study.source(study.robot)
        literal, accept = options.flag("literal", False), options.text("accept_unphysical")
        payload = options.table("payload", ("mass", "com", "inertia")) or {}
        gravity = options.vector("gravity", 3)
        lock = options.value("lock", {})
        if not isinstance(lock, dict):
            raise InputError(f"option lock is {lock!r}, expected a table of joints and their positions")
        return cls(
            load_document(source, literal=bool(literal)),
            study.robot,
            None if gravity is None else tuple(gravity),
            _held(payload),
            lock,  # pyright: ignore[reportUnknownArgumentType]
            options.text("motors", None, MODELS),
            options.flag("friction"),
            options.text("method", None, tuple(METHODS)),
            accept,
        )


class Arms:
    """The robots of a study."""

    def __init__(self, setting: Setting, meanings: Sequence[Meaning], as_arrays: Sequence[Of] = ()) -> None:
        """Axes of kinds `as_arrays` are inputs of the equations: they change no robot."""
        self.setting = setting
        self.varying = tuple(one for one in meanings if one.of in VARYING and one.of not in as_arrays)
        holds = any(one.of == "payload" for one in meanings)
        if holds and setting.held.mass is None and not any(one.part == "mass" for one in meanings):
            axis = next(one.axis for one in meanings if one.of == "payload")
            raise InputError(
                f'axis "{axis}" moves a payload, but there is none; add axis or option payload.mass'
            )
        self._fixed_payload = not holds and setting.held.mass is not None
        self._kept: OrderedDict[tuple[float, ...], Dynamics | ArmdynError] = OrderedDict()

    @property
    def base(self) -> Robot:
        """The robot as no axis changes it."""
        return self._robot({})

    def groups(self, points: Mapping[str, Values]) -> Iterator[tuple[tuple[float, ...], Rows]]:
        """Rows of the same robot together, with what makes it."""
        count = len(next(iter(points.values())))
        if not self.varying:
            yield (), np.arange(count)
            return
        rows: dict[tuple[float, ...], list[int]] = {}
        keys = zip(*(points[one.axis].tolist() for one in self.varying), strict=True)
        for k, key in enumerate(keys):
            rows.setdefault(key, []).append(k)
        for key, listed in rows.items():
            yield key, np.array(listed)

    def dynamics(self, key: tuple[float, ...]) -> Dynamics:
        """The dynamics of a robot; an ArmdynError where there is no such robot, each time it is asked for."""
        if key not in self._kept:
            self._kept[key] = self._made(key)
            if len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        self._kept.move_to_end(key)
        found = self._kept[key]
        if isinstance(found, ArmdynError):
            raise found
        return found

    def _made(self, key: tuple[float, ...]) -> Dynamics | ArmdynError:
        setting = self.setting
        try:
            return Dynamics(self.robot(key), setting.motors, setting.friction, setting.method)
        except ArmdynError as error:
            return error

    def robot(self, key: tuple[float, ...]) -> Robot:
        """The robot that the values of the axes make."""
        return self._robot(dict(zip(self.varying, key, strict=True)))

    def _robot(self, values: Mapping[Meaning, float]) -> Robot:
        setting = self.setting
        numbers = [(one.path, value, one.factor) for one, value in values.items() if one.of == "robot"]
        robot = read_document(changed(setting.document, numbers), setting.file, setting.accept)
        robot = _in_gravity(robot, setting.gravity, values)
        robot = with_masses(robot, mass_factors(robot, values))
        robot = with_friction(robot, **friction_factors(values))
        held = setting.held.with_values(values)
        if self._fixed_payload or any(one.of == "payload" for one in values):
            assert held.mass is not None
            robot = robot.with_payload(held.mass, held.com, held.inertia)
        return robot.locked(_joints(setting.lock)) if setting.lock else robot


def _held(payload: Mapping[str, Any]) -> Held:
    given = Options(payload, "payload")
    com, inertia = given.vector("com", 3), given.vector("inertia", 6)
    return Held(
        given.number("mass"),
        (0.0, 0.0, 0.0) if com is None else (com[0], com[1], com[2]),
        None if inertia is None else tuple(inertia),
    )


def _joints(lock: Mapping[str, float]) -> dict[int | str, float]:
    """Joints that are locked, numbers of TOML keys as numbers."""
    return {int(joint) if joint.isdecimal() else joint: value for joint, value in lock.items()}


def _in_gravity(robot: Robot, given: tuple[float, ...] | None, values: Mapping[Meaning, float]) -> Robot:
    asked = {one.place: value for one, value in values.items() if one.of == "gravity"}
    if given is None and not asked:
        return robot
    own: Any = robot.gravity if given is None else given
    return robot.with_gravity([asked.get(k, float(own[k])) for k in range(3)])


# Factors --------------------------------------------------------------------------------------


def mass_factors(robot: Robot, values: Mapping[Meaning, Any]) -> dict[str, Any]:
    """Body -> factor of its inertia: that of all bodies, times its own."""
    asked = {one.part: value for one, value in values.items() if one.of == "mass"}
    if not asked:
        return {}
    every = asked.get("")
    found: dict[str, Any] = {}
    for name in robot.body_names:
        factors = [factor for factor in (every, asked.get(name)) if factor is not None]
        if factors:
            found[name] = factors[0] if len(factors) == 1 else factors[0] * factors[1]
    return found


def friction_factors(values: Mapping[Meaning, Any]) -> dict[str, Any]:
    """`scale`, `viscous`, `dry` and `load`, those that axes give."""
    return {one.part: value for one, value in values.items() if one.of == "friction"}


def with_masses(robot: Robot, factors: Mapping[str, float]) -> Robot:
    """The robot with bodies of the same shape that are heavier or lighter."""
    for name, factor in factors.items():
        if factor < 0:
            raise InputError(f"mass of {name} is to be multiplied by {factor:g}, expected 0 or more")
    bodies = tuple(
        replace(body, inertia=_scaled(body.inertia, factors[body.name])) if body.name in factors else body
        for body in robot.bodies
    )
    return replace(robot, bodies=bodies) if factors else robot


def _scaled(inertia: Inertia, factor: float) -> Inertia:
    if factor == 1:
        return inertia
    tensor: Any = tuple(tuple(factor * x for x in row) for row in inertia.tensor)
    return Inertia(factor * inertia.mass, inertia.com, tensor)


def with_friction(robot: Robot, scale: float = 1.0, **given: float) -> Robot:
    """The robot with friction that is larger or smaller; `viscous`, `dry`, `load` instead of `scale`."""
    viscous, dry, load = (given.get(term, scale) for term in ("viscous", "dry", "load"))
    if viscous == dry == load == 1:
        return robot

    def rubbed(friction: Friction) -> Friction:
        return replace(
            friction,
            viscous=viscous * friction.viscous,
            coulomb=dry * friction.coulomb,
            starting=None if friction.starting is None else dry * friction.starting,
            load=load * friction.load,
        )

    bodies = tuple(
        replace(body, joint=replace(body.joint, friction=rubbed(body.joint.friction)))
        for body in robot.bodies
    )
    drives = tuple(replace(drive, friction=rubbed(drive.friction)) for drive in robot.drives)
    return replace(robot, bodies=bodies, drives=drives)

"""Robot files in TOML, in and out; out loses nothing."""

from __future__ import annotations

import tomllib
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from typing import Any, get_args

from pydantic import ValidationError

from armdyn.errors import FormatError, InputError, RobotError, suggestion
from armdyn.formats import schema
from armdyn.formats.dh import dh_joint
from armdyn.formats.lines import line_of
from armdyn.robot import (
    BASE,
    BaseMotion,
    Body,
    Coupling,
    Drive,
    Friction,
    GearStage,
    Joint,
    Limits,
    Motor,
    Payload,
    Robot,
    Rotor,
    ScrewTriangle,
    Tool,
    Visual,
)
from armdyn.spatial import Inertia, Transform
from armdyn.spatial.rotation import from_axis_angle, from_rpy
from armdyn.spatial.vector import Mat3, diagonal


def read_toml(text: str, file: str = "robot.toml", accept_unphysical: str | None = None) -> Robot:
    """The robot that a TOML text describes; messages name `file` and the line."""
    try:
        data = tomllib.loads(text)
        table = schema.RobotTable.model_validate(data)
        return _Reader(table, text, file, accept_unphysical).robot()
    except tomllib.TOMLDecodeError as error:
        raise FormatError(f"not valid TOML, {error}", file=file) from error
    except RecursionError as error:
        raise FormatError("nested too deeply to be a robot file", file=file) from error
    except ValidationError as error:
        raise _first_error(error, text, file) from error


def _first_error(error: ValidationError, text: str, file: str) -> FormatError:
    """One clear sentence for the first thing pydantic found."""
    details = error.errors(include_url=False)
    first = details[0]
    path = [part for part in first["loc"] if not str(part).startswith(("function-", "tuple["))]
    field = "".join(f"[{p + 1}]" if isinstance(p, int) else f".{p}" for p in path).lstrip(".")
    message = first["msg"].removeprefix("Value error, ")
    match first["type"]:
        case "extra_forbidden":
            known = _fields_at(path[:-1])
            message = f"unknown field; {suggestion(str(path[-1]), known)}known: {', '.join(known)}"
        case "missing":
            message = "is missing"
        case _:
            value = first["input"]
            if (
                isinstance(value, (str, int, float))
                and repr(value) not in message
                and str(value) not in message
            ):
                message = f"{value!r}: {message[0].lower()}{message[1:]}"
    more = f" (and {len(details) - 1} more)" if len(details) > 1 else ""
    return FormatError(
        f"{field}: {message}{more}" if field else message + more, file=file, line=line_of(text, path)
    )


def _fields_at(path: list[Any]) -> list[str]:
    """The fields that the schema knows at a path."""
    table: type[schema.Table] | None = schema.RobotTable
    for part in path:
        if isinstance(part, str):
            fields: dict[str, Any] = {} if table is None else dict(table.model_fields)
            table = _table_in(fields[part].annotation) if part in fields else None
    return [] if table is None else list(table.model_fields)


def _table_in(annotation: Any) -> type[schema.Table] | None:
    """The table that an annotation such as `tuple[BodyTable, ...]` is about."""
    if isinstance(annotation, type) and issubclass(annotation, schema.Table):
        return annotation
    return next((table for part in get_args(annotation) if (table := _table_in(part))), None)


# From tables to the robot ---------------------------------------------------------------------


class _Reader:
    """Turns the checked tables into a Robot; knows the file for messages."""

    def __init__(self, table: schema.RobotTable, text: str, file: str, accept_unphysical: str | None) -> None:
        self.table, self.text, self.file, self.accept = table, text, file, accept_unphysical
        self.joints: list[Joint] = []

    def robot(self) -> Robot:
        table = self.table
        bodies = self._bodies()
        drives: list[Drive] = []
        for k, drive in enumerate(table.drives):
            with self._at("drives", k):
                drives.append(self._drive(drive, k))
        with self._at("home"):
            home = self._home()
        tool = Tool(table.tool.body or bodies[-1].name, _placement(table.tool.placement))
        with self._at():
            robot = Robot(
                table.name,
                tuple(bodies),
                tuple(drives),
                tool,
                tuple(Payload(p.body or tool.body, _inertia(p.inertia)) for p in table.payloads),
                home,
                table.gravity,
                BaseMotion(**table.base.motion.model_dump()),
                table.description,
                table.source,
                table.notes,
            )
            placement = _placement(table.base.placement)
            return robot if placement == Transform() else robot.placed(placement)

    @contextmanager
    def _at(self, *path: str | int) -> Generator[None]:
        """Give an error that knows no place the file and line of the part it is about."""
        try:
            yield
        except (RobotError, InputError, ValueError) as error:
            if isinstance(error, FormatError) or getattr(error, "place", ""):
                raise
            raise FormatError(str(error), file=self.file, line=line_of(self.text, path)) from error

    def _bodies(self) -> list[Body]:
        bodies: list[Body] = []
        if not self.table.bodies:
            raise FormatError("bodies is empty, expected at least one body", file=self.file)
        for k, table in enumerate(self.table.bodies):
            with self._at("bodies", k):
                bodies.append(self._body(table, table.parent or (bodies[-1].name if bodies else BASE), k))
            if bodies[-1].joint.independent:
                self.joints.append(bodies[-1].joint)
        return bodies

    def _body(self, table: schema.BodyTable, parent: str, k: int) -> Body:
        line = line_of(self.text, ("bodies", k, "inertia")) or line_of(self.text, ("bodies", k))
        return Body(
            table.name,
            self._joint(table.joint, table.name),
            parent,
            _inertia(table.inertia) if table.inertia else Inertia(),
            tuple(Visual(v.shape, v.size, v.mesh, _placement(v.placement), v.color) for v in table.visuals),
            table.accept_unphysical or self.accept,
            f"{self.file}, line {line}" if line else self.file,
        )

    def _joint(self, table: schema.JointTable, body: str) -> Joint:
        fixed = table.kind == "fixed"
        name = table.name or (f"{body}_fixed" if fixed else f"joint{len(self.joints) + 1}")
        kind = table.kind
        if table.dh is not None:
            assert self.table.dh is not None  # checked by the schema
            joint = dh_joint(name, kind, self.table.dh, **table.dh.model_dump())
        else:
            joint = Joint(
                name,
                kind,
                table.axis,
                _placement(table.placement),
                _placement(table.frame),
                schema.by_kind(table.offset, "offset", kind),
            )
        return Joint(
            name,
            kind,
            joint.axis,
            joint.placement,
            joint.frame @ _placement(table.frame) if table.dh else joint.frame,
            joint.offset,
            _coupling(table.coupling, kind) if table.coupling else None,
            _limits(table.limits, kind),
            _friction(table.friction, kind),
        )

    def _drive(self, table: schema.DriveTable, k: int) -> Drive:
        name = table.name or f"motor{k + 1}"
        joint_names = [joint.name for joint in self.joints]
        if table.joint is None and k >= len(joint_names):
            raise ValueError(
                f'drive "{name}" names no joint and there is none with its number, expected joint = "..."'
            )
        joint = joint_names[k] if table.joint is None else table.joint
        kind = next((j.kind for j in self.joints if j.name == joint), "revolute")
        if table.coupling is not None:
            coupling = _coupling(table.coupling, "revolute")
        else:
            ratio = (
                1.0
                if table.ratio is None
                else schema.to_si(table.ratio, "screw ratio" if kind == "prismatic" else "ratio")
            )
            coupling = Coupling.of({joint: ratio})
        inertia = table.joint_inertia
        return Drive(
            name,
            joint,
            coupling,
            _rotor(table.rotor) if table.rotor else None,
            tuple(GearStage(_rotor(stage.rotor), stage.ratio) for stage in table.stages),
            Motor(**table.motor.model_dump()),
            _friction(table.friction, "revolute"),
            None if inertia is None else schema.by_kind(inertia, "joint_inertia", kind),
        )

    def _home(self) -> tuple[float, ...]:
        home = self.table.home
        if home and len(home) != len(self.joints):
            raise ValueError(f"home has {len(home)} values, expected {len(self.joints)}")
        return tuple(schema.by_kind(h, "position", j.kind) for h, j in zip(home, self.joints, strict=False))


def _placement(table: schema.PlacementTable | None) -> Transform:
    if table is None:
        return Transform()
    if table.rotation is not None:
        return Transform(table.rotation, table.xyz)
    if table.rpy is not None:
        return Transform(from_rpy(*table.rpy), table.xyz)
    if table.axis is not None and table.angle is not None:
        return Transform(from_axis_angle(table.axis, table.angle), table.xyz)
    return Transform(translation=table.xyz)


def _inertia(table: schema.InertiaTable) -> Inertia:
    if table.pseudo is not None:
        return Inertia.from_pseudo(table.pseudo)
    mass = table.mass or 0.0
    if table.gyration is not None:
        return Inertia.from_gyration(mass, table.com, table.gyration, table.about)
    tensor = _tensor(table.tensor) if table.tensor else diagonal(0.0, 0.0, 0.0)
    if table.about == "origin":
        return Inertia.about_origin(mass, table.com, tensor)
    return Inertia(mass, table.com, tensor)


def _tensor(t: schema.TensorTable) -> Mat3:
    return ((t.xx, t.xy, t.xz), (t.xy, t.yy, t.yz), (t.xz, t.yz, t.zz))


def _coupling(table: schema.CouplingTable, kind: str) -> Coupling:
    law = ScrewTriangle(**table.screw.model_dump()) if table.screw else None
    offset = schema.by_kind(table.offset, "offset", "revolute" if law else kind)
    return Coupling.of(table.weights, offset, law)


def _limits(table: schema.LimitsTable, kind: str) -> Limits:
    return Limits(
        None
        if table.position is None
        else (
            schema.by_kind(table.position[0], "position", kind),
            schema.by_kind(table.position[1], "position", kind),
        ),
        **{
            field: None if value is None else schema.by_kind(value, field, kind)
            for field, value in table.model_dump(exclude={"position"}).items()
        },
    )


def _friction(table: schema.FrictionTable, kind: str) -> Friction:
    return Friction(
        schema.by_kind(table.viscous, "viscous", kind),
        schema.by_kind(table.coulomb, "coulomb", kind),
        None if table.starting is None else schema.by_kind(table.starting, "starting", kind),
        table.load,
        table.load_includes_friction,
    )


def _rotor(table: schema.RotorTable) -> Rotor:
    placement = None if table.placement is None else _placement(table.placement)
    return Rotor(table.axial, table.transverse, table.mass, table.carrier, placement)


# From the robot to tables ---------------------------------------------------------------------


def write_toml(robot: Robot) -> str:
    """The robot as a TOML text that reads back as the same robot."""
    import tomli_w

    return tomli_w.dumps(_compact(_robot_table(robot)))


def _robot_table(robot: Robot) -> dict[str, Any]:
    return {
        "name": robot.name,
        "description": robot.description,
        "source": robot.source,
        "notes": list(robot.notes),
        "gravity": _numbers(robot.gravity),
        "home": _numbers(robot.home),
        "base": {"motion": {k: _numbers(v) for k, v in vars(robot.base_motion).items() if any(v)}},
        "bodies": [_body_table(body) for body in robot.bodies],
        "drives": [_drive_table(drive) for drive in robot.drives],
        "tool": {"body": robot.tool.body, "placement": _placement_table(robot.tool.placement)},
        "payloads": [{"body": p.body, "inertia": _inertia_table(p.inertia)} for p in robot.payloads],
    }


def _body_table(body: Body) -> dict[str, Any]:
    joint = body.joint
    return {
        "name": body.name,
        "parent": body.parent,
        "accept_unphysical": body.accept_unphysical,
        "joint": {
            "name": joint.name,
            "kind": joint.kind,
            "axis": _numbers(joint.axis),
            "placement": _placement_table(joint.placement),
            "frame": _placement_table(joint.frame),
            "offset": float(joint.offset),
            "coupling": None if joint.coupling is None else _coupling_table(joint.coupling),
            "limits": {k: _plain(v) for k, v in vars(joint.limits).items()},
            "friction": _friction_table(joint.friction),
        },
        "inertia": _inertia_table(body.inertia),
        "visuals": [
            {
                "shape": v.shape,
                "size": _numbers(v.size),
                "mesh": v.mesh,
                "placement": _placement_table(v.placement),
                "color": None if v.color is None else _numbers(v.color),
            }
            for v in body.visuals
        ],
    }


def _drive_table(drive: Drive) -> dict[str, Any]:
    return {
        "name": drive.name,
        "joint": drive.joint,
        "coupling": _coupling_table(drive.coupling),
        "rotor": None if drive.rotor is None else _rotor_table(drive.rotor),
        "stages": [{"rotor": _rotor_table(s.rotor), "ratio": float(s.ratio)} for s in drive.stages],
        "motor": vars(drive.motor),
        "friction": _friction_table(drive.friction),
        "joint_inertia": drive.joint_inertia,
    }


def _rotor_table(rotor: Rotor) -> dict[str, Any]:
    placement = None if rotor.placement is None else _placement_table(rotor.placement, keep=True)
    return {**vars(rotor), "placement": placement}


def _coupling_table(coupling: Coupling) -> dict[str, Any]:
    return {
        "weights": {name: float(w) for name, w in coupling.weights},
        "offset": float(coupling.offset),
        "screw": None if coupling.law is None else {k: float(v) for k, v in vars(coupling.law).items()},
    }


def _friction_table(friction: Friction) -> dict[str, Any]:
    return {k: v for k, v in vars(friction).items() if v is not None and v is not False and v != 0}


def _inertia_table(inertia: Inertia) -> dict[str, Any]:
    names = ("xx", "yy", "zz", "xy", "xz", "yz")
    places = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))
    tensor = {name: float(inertia.tensor[i][j]) for name, (i, j) in zip(names, places, strict=True)}  # pyright: ignore[reportArgumentType]
    return {"mass": float(inertia.mass), "com": _numbers(inertia.com), "tensor": tensor}


def _placement_table(T: Transform, keep: bool = False) -> dict[str, Any] | None:
    if Transform() == T and not keep:
        return None
    table: dict[str, Any] = {"xyz": _numbers(T.translation)}
    if T.rotation != Transform().rotation:
        table["rotation"] = [_numbers(row) for row in T.rotation]
    return table


def _numbers(values: Any) -> list[float]:
    return [float(x) for x in values]


def _plain(value: Any) -> Any:
    return _numbers(value) if isinstance(value, tuple) else value


def _compact(value: Any) -> Any:
    """Leave out what is None or an empty table or list; TOML has no null."""
    if isinstance(value, Mapping):
        items = {str(k): _compact(v) for k, v in value.items()}  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
        return {k: v for k, v in items.items() if v is not None and v not in ({}, [], "")}
    if isinstance(value, list):
        return [_compact(v) for v in value]  # pyright: ignore[reportUnknownVariableType]
    return value

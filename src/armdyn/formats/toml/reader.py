"""Reading a robot from TOML."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from pydantic import ValidationError

from armdyn.errors import FormatError, InputError, RobotError, counted
from armdyn.formats import schema
from armdyn.formats.dh import dh_joint
from armdyn.formats.lines import line_of
from armdyn.formats.toml.mistakes import first_mistake
from armdyn.formats.toml.parsing import parsed
from armdyn.robot import (
    BASE,
    BaseMotion,
    Body,
    Coupling,
    Drive,
    Estimated,
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
from armdyn.robot.checks import distinct, known
from armdyn.robot.joint import JointKind
from armdyn.spatial import Inertia, Transform
from armdyn.spatial.rotation import from_axis_angle, from_rpy
from armdyn.spatial.vector import Mat3, diagonal


def read_toml(text: str, file: str = "robot.toml", accept_unphysical: str | None = None) -> Robot:
    """The robot that a TOML text describes; messages name `file` and the line."""
    return read_document(parsed(text, file), file, accept_unphysical, text=text)


def read_document(
    document: Mapping[str, Any], file: str = "robot", accept_unphysical: str | None = None, *, text: str = ""
) -> Robot:
    """The robot that the tables of a file describe; messages name `file`, and the line if `text` is given."""
    try:
        table = schema.RobotTable.model_validate(document)
    except ValidationError as error:
        raise first_mistake(error, text, file) from error
    return _Reader(table, text, file, accept_unphysical).robot()


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
        payloads: list[Payload] = []
        for k, payload in enumerate(table.payloads):
            with self._at("payloads", k):
                payloads.append(Payload(payload.body or tool.body, _inertia(payload.inertia)))
        with self._at():
            robot = Robot(
                table.name,
                tuple(bodies),
                tuple(drives),
                tool,
                tuple(payloads),
                home,
                table.gravity,
                BaseMotion(**table.base.motion.model_dump()),
                table.description,
                table.source,
                table.notes,
                tuple(Estimated(**estimate.model_dump()) for estimate in table.estimates),
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
            where = getattr(error, "part", ()) or path
            raise FormatError(str(error), file=self.file, line=line_of(self.text, where)) from error

    def _bodies(self) -> list[Body]:
        bodies: list[Body] = []
        if not self.table.bodies:
            raise FormatError("bodies is empty, expected at least one body", file=self.file)
        for k, table in enumerate(self.table.bodies):
            with self._at("bodies", k):
                bodies.append(self._body(table, table.parent or (bodies[-1].name if bodies else BASE), k))
            if bodies[-1].joint.independent:
                self.joints.append(bodies[-1].joint)
        with self._at("bodies"):
            distinct(f'robot "{self.table.name}"', "joint", (body.joint.name for body in bodies))
        return bodies

    def _body(self, table: schema.BodyTable, parent: str, k: int) -> Body:
        line = line_of(self.text, ("bodies", k, "inertia")) or line_of(self.text, ("bodies", k))
        return Body(
            table.name,
            self._joint(table.joint, table.name, k),
            parent,
            _inertia(table.inertia) if table.inertia else Inertia(),
            tuple(Visual(v.shape, v.size, v.mesh, _placement(v.placement), v.color) for v in table.visuals),
            table.accept_unphysical or self.accept,
            f"{self.file}, line {line}" if line else self.file,
        )

    def _joint(self, table: schema.JointTable, body: str, k: int) -> Joint:
        numbered = f"{body}_fixed" if table.kind == "fixed" else f"joint{len(self.joints) + 1}"
        name = table.name or numbered
        geometry = self._geometry(table, name, k)
        with _named(f'joint "{name}"'):
            coupling = _coupling(table.coupling, table.kind) if table.coupling else None
            limits, friction = _limits(table.limits, table.kind), _friction(table.friction, table.kind)
        return replace(geometry, coupling=coupling, limits=limits, friction=friction)

    def _geometry(self, table: schema.JointTable, name: str, k: int) -> Joint:
        frame = _placement(table.frame)
        if table.dh is not None:
            row = dh_joint(name, table.kind, self._dh_convention(k), **table.dh.model_dump())
            return replace(row, frame=row.frame @ frame)
        offset = schema.by_kind(table.offset, "offset", table.kind)
        return Joint(name, table.kind, table.axis, _placement(table.placement), frame, offset)

    def _dh_convention(self, k: int) -> str:
        if self.table.dh is None:
            message = 'DH rows are given, but not which convention; add dh = "standard" or dh = "modified"'
            raise FormatError(message, file=self.file, line=line_of(self.text, ("bodies", k, "joint", "dh")))
        return self.table.dh

    def _drive(self, table: schema.DriveTable, k: int) -> Drive:
        name = table.name or f"motor{k + 1}"
        joint, kind = self._served(table, name, k)
        with _named(f'drive "{name}"'):
            if table.coupling is None:
                coupling = Coupling.of({joint: _ratio(table, kind)})
            else:
                coupling = _coupling(table.coupling, "revolute")
            rotor = _rotor(table.rotor) if table.rotor else None
            stages = tuple(GearStage(_rotor(stage.rotor), stage.ratio) for stage in table.stages)
            motor, friction = Motor(**table.motor.model_dump()), _friction(table.friction, "revolute")
            inertia = table.joint_inertia
            felt = None if inertia is None else schema.by_kind(inertia, "joint_inertia", kind)
        return Drive(name, joint, coupling, rotor, stages, motor, friction, felt)

    def _served(self, table: schema.DriveTable, name: str, k: int) -> tuple[str, JointKind]:
        """The joint that a drive mainly serves, and its kind; none ("") for that of a locked joint."""
        if table.joint == "":
            return "", "revolute"
        if table.joint is None and k >= len(self.joints):
            raise ValueError(
                f'drive "{name}" names no joint and there is none with its number, expected joint = "..."'
            )
        joint = self.joints[k].name if table.joint is None else table.joint
        kinds: dict[str, JointKind] = {served.name: served.kind for served in self.joints}
        known(f'drive "{name}"', "independent joint", joint, kinds)
        return joint, kinds[joint]

    def _home(self) -> tuple[float, ...]:
        home = self.table.home
        if home and len(home) != len(self.joints):
            raise ValueError(f"home has {counted(len(home), 'value')}, expected {len(self.joints)}")
        return tuple(schema.by_kind(h, "position", j.kind) for h, j in zip(home, self.joints, strict=False))


@contextmanager
def _named(subject: str) -> Generator[None]:
    """Let an error of a part say whose part it is."""
    try:
        yield
    except (RobotError, InputError, ValueError) as error:
        raise RobotError(f"{subject}, {error}") from error


def _ratio(table: schema.DriveTable, kind: JointKind) -> float:
    if table.ratio is None:
        return 1.0
    return schema.to_si(table.ratio, "screw ratio" if kind == "prismatic" else "ratio")


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

"""The robot file as pydantic sees it: every field, its unit and its default.

`docs/robot.schema.json` is generated from these classes. Numbers are SI, or strings with units.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, cast

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from armdyn.errors import InputError
from armdyn.formats.units import SI, to_si

MOST = 10_000
"""Bodies, drives, notes and so on of one robot: lists that are longer are no robot's."""


def at_most(count: int) -> BeforeValidator:
    """Refuse a longer list before any of its entries is looked at: each mistake in one takes a kilobyte."""

    def checked(value: Any) -> Any:
        entries = len(cast("list[Any]", value)) if isinstance(value, list | tuple) else 0
        if entries > count:
            raise ValueError(f"more than {count} entries, expected fewer")
        return cast("Any", value)

    return BeforeValidator(checked)


SHORT = at_most(MOST)


def _converted(value: Any, quantity: str) -> float:
    """As `to_si`, with the kind of error that pydantic collects."""
    try:
        return to_si(value, quantity)
    except InputError as error:
        raise ValueError(str(error)) from error


def _si(quantity: str) -> BeforeValidator:
    """Take a plain number (SI) or a string with a unit."""
    return BeforeValidator(lambda value: _converted(value, quantity), json_schema_input_type=float | str)


def _unit(quantity: str) -> Any:
    return Field(description=f"{quantity} [{SI[quantity] or 1}]; a number, or a string with a unit")


Length = Annotated[float, _si("length"), _unit("length")]
Angle = Annotated[float, _si("angle"), _unit("angle")]
Mass = Annotated[float, _si("mass"), _unit("mass")]
MomentOfInertia = Annotated[float, _si("inertia"), _unit("inertia")]
Torque = Annotated[float, _si("torque"), _unit("torque")]
Velocity = Annotated[float, _si("velocity"), _unit("velocity")]
AngularVelocity = Annotated[float, _si("angular velocity"), _unit("angular velocity")]
Acceleration = Annotated[float, _si("acceleration"), _unit("acceleration")]
AngularAcceleration = Annotated[float, _si("angular acceleration"), _unit("angular acceleration")]
Area = Annotated[float, _si("area"), _unit("area")]
ScrewRatio = Annotated[float, _si("screw ratio"), _unit("screw ratio")]
TorqueConstant = Annotated[float, _si("torque constant"), _unit("torque constant")]
BackEMF = Annotated[float, _si("back-EMF constant"), _unit("back-EMF constant")]
Resistance = Annotated[float, _si("resistance"), _unit("resistance")]
Current = Annotated[float, _si("current"), _unit("current")]
Voltage = Annotated[float, _si("voltage"), _unit("voltage")]
Number = Annotated[float, _si("ratio")]


def _plain_or_text(value: Any) -> Any:
    """A number or a text with a unit, nothing that merely looks like one."""
    if isinstance(value, str):
        return value
    return _converted(value, "ratio")


Coordinate = Annotated[float | str, BeforeValidator(_plain_or_text, json_schema_input_type=float | str)]
"""An angle or a length, as the joint's kind says; converted once the kind is known."""

Vector = tuple[Length, Length, Length]
Pseudo = tuple[
    tuple[Number, Number, Number, Number],
    tuple[Number, Number, Number, Number],
    tuple[Number, Number, Number, Number],
    tuple[Number, Number, Number, Number],
]
Rotation = tuple[tuple[Number, Number, Number], tuple[Number, Number, Number], tuple[Number, Number, Number]]

_BY_KIND = {
    "offset": ("angle", "length"),
    "position": ("angle", "length"),
    "velocity": ("angular velocity", "velocity"),
    "acceleration": ("angular acceleration", "acceleration"),
    "effort": ("torque", "force"),
    "viscous": ("viscous friction", "linear viscous friction"),
    "coulomb": ("torque", "force"),
    "starting": ("torque", "force"),
    "joint_inertia": ("inertia", "mass"),
}


def by_kind(value: Any, field: str, kind: str) -> float:
    """A number of a joint in SI: angular for a revolute joint, linear for a prismatic one."""
    angular, linear = _BY_KIND[field]
    try:
        return to_si(value, linear if kind == "prismatic" else angular)
    except InputError as error:
        raise ValueError(f"{field}: {error}") from error


class Table(BaseModel):
    """A table of the file: unknown keys are mistakes."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class PlacementTable(Table):
    """A frame in another: translation, and rotation as roll-pitch-yaw, axis and angle, or matrix."""

    xyz: Vector = (0.0, 0.0, 0.0)
    rpy: tuple[Angle, Angle, Angle] | None = Field(default=None, description="R = Rz(yaw) Ry(pitch) Rx(roll)")
    axis: tuple[Number, Number, Number] | None = None
    angle: Angle | None = None
    rotation: Rotation | None = Field(default=None, description="rows of the rotation matrix")

    @model_validator(mode="after")
    def _one_rotation(self) -> PlacementTable:
        if (self.axis is None) != (self.angle is None):
            raise ValueError("axis and angle go together")
        if sum(x is not None for x in (self.rpy, self.axis, self.rotation)) > 1:
            raise ValueError("give the rotation once: rpy, or axis and angle, or rotation")
        return self


class DHTable(Table):
    """A row of a Denavit-Hartenberg table; the joint's variable is added to theta (or d)."""

    theta: Angle = 0.0
    d: Length = 0.0
    a: Length = 0.0
    alpha: Angle = 0.0


class LimitsTable(Table):
    """Limits of a joint; leave out what is unknown."""

    position: tuple[Coordinate, Coordinate] | None = None
    velocity: Coordinate | None = None
    acceleration: Coordinate | None = None
    effort: Coordinate | None = None


class FrictionTable(Table):
    """Friction: viscous v + sign(v) (coulomb + load |torque|) in motion, `starting` at rest."""

    viscous: Coordinate = 0.0
    coulomb: Coordinate = 0.0
    starting: Coordinate | None = None
    load: Number = 0.0
    load_includes_friction: bool = Field(default=False, strict=True)


class ScrewTable(Table):
    """theta = ratio (sqrt(constant + cosine cos x + sine sin x) - zero)."""

    constant: Area
    cosine: Area
    sine: Area
    ratio: ScrewRatio
    zero: Length = 0.0


class CouplingTable(Table):
    """theta = f(sum weight q + offset) over independent joints; f is the screw, if there is one."""

    weights: dict[str, Number] = Field(default_factory=dict[str, float])
    offset: Coordinate = 0.0
    screw: ScrewTable | None = None


class JointTable(Table):
    """T_parent_body = placement . motion(axis, q + offset) . frame; a DH row leaves room for a frame."""

    name: str | None = Field(default=None, description='default: "joint" and its number')
    kind: Literal["revolute", "prismatic", "fixed"] = "revolute"
    dh: DHTable | None = None
    axis: tuple[Number, Number, Number] = (0.0, 0.0, 1.0)
    placement: PlacementTable | None = None
    frame: PlacementTable | None = None
    offset: Coordinate = 0.0
    coupling: CouplingTable | None = Field(default=None, description="default: a joint of its own")
    limits: LimitsTable = LimitsTable()
    friction: FrictionTable = FrictionTable()

    @model_validator(mode="after")
    def _one_geometry(self) -> JointTable:
        given = {"axis", "placement", "offset"} & self.model_fields_set
        if self.dh is not None and given:
            raise ValueError(f"a DH row says it all, leave out {', '.join(sorted(given))}")
        if self.dh is not None and self.kind == "fixed":
            raise ValueError("a fixed joint has a placement, not a DH row")
        return self


class TensorTable(Table):
    """Elements of the inertia tensor (off-diagonal = minus the product of inertia)."""

    xx: MomentOfInertia
    yy: MomentOfInertia
    zz: MomentOfInertia
    xy: MomentOfInertia = 0.0
    xz: MomentOfInertia = 0.0
    yz: MomentOfInertia = 0.0


class InertiaTable(Table):
    """Mass, centre of mass and one of: tensor, radii of gyration; or a 4x4 pseudo-inertia."""

    mass: Mass | None = None
    com: Vector = (0.0, 0.0, 0.0)
    tensor: TensorTable | None = None
    gyration: Vector | None = Field(default=None, description="radii of gyration")
    about: Literal["com", "origin"] = Field(default="com", description="what tensor or gyration is about")
    pseudo: Pseudo | None = Field(default=None, description="[[S, h], [h^T, m]] about the origin, SI")

    @model_validator(mode="after")
    def _one_form(self) -> InertiaTable:
        if self.pseudo is not None:
            if len(self.model_fields_set) > 1:
                raise ValueError("pseudo says it all, leave out the rest")
            if any(self.pseudo[i][j] != self.pseudo[j][i] for i in range(4) for j in range(i)):
                raise ValueError("pseudo is not symmetric")
            if not self.pseudo[3][3] and any(self.pseudo[3]):
                raise ValueError("pseudo has a first moment but no mass")
        elif self.mass is None:
            raise ValueError("mass is missing")
        if self.gyration is not None and min(self.gyration) < 0:
            raise ValueError(f"gyration has {min(self.gyration):g}, expected lengths of 0 or more")
        if self.tensor is not None and self.gyration is not None:
            raise ValueError("give tensor or gyration, not both")
        return self


class VisualTable(Table):
    """A shape drawn on the body."""

    shape: Literal["box", "cylinder", "sphere", "mesh"]
    size: Annotated[tuple[Length, ...], SHORT] = ()
    mesh: str | None = None
    placement: PlacementTable = PlacementTable()
    color: tuple[Number, Number, Number, Number] | None = None


class BodyTable(Table):
    """A body and the joint that carries it."""

    name: str
    parent: str | None = Field(
        default=None, description="default: the body before it; the first stands on the base"
    )
    joint: JointTable = JointTable()
    inertia: InertiaTable | None = Field(default=None, description="default: a frame without mass")
    visuals: Annotated[tuple[VisualTable, ...], SHORT] = ()
    accept_unphysical: str | None = Field(
        default=None, description="why an inertia that no body has is accepted"
    )


class RotorTable(Table):
    """A rotor or gear wheel; leave mass out when its carrier includes it."""

    axial: MomentOfInertia
    transverse: MomentOfInertia | None = None
    mass: Mass | None = None
    carrier: str | None = None
    placement: PlacementTable | None = Field(
        default=None, description="spin axis = z, centre of mass = origin"
    )


class StageTable(Table):
    """A gear wheel that turns `ratio` times the motor's angle."""

    rotor: RotorTable
    ratio: Number


class MotorTable(Table):
    """What the motor can do, at its shaft; leave out what is unknown."""

    torque_constant: TorqueConstant | None = None
    back_emf: BackEMF | None = Field(default=None, description="default: equal to the torque constant")
    resistance: Resistance | None = None
    peak_torque: Torque | None = Field(default=None, description="for a moment, at any speed")
    stall_torque: Torque | None = Field(default=None, description="at standstill under full voltage")
    rated_torque: Torque | None = Field(default=None, description="without end, as a root mean square")
    maximum_speed: AngularVelocity | None = None
    maximum_current: Current | None = None
    maximum_voltage: Voltage | None = None


class DriveTable(Table):
    """A drive: theta = ratio q_joint, or a coupling over several joints."""

    name: str | None = Field(default=None, description='default: "motor" and its number')
    joint: str | None = Field(
        default=None, description="the joint it mainly serves; default: the one with its number"
    )
    ratio: Coordinate | None = Field(
        default=None, description="rad per rad, or rad per m for a prismatic joint"
    )
    coupling: CouplingTable | None = None
    rotor: RotorTable | None = None
    stages: Annotated[tuple[StageTable, ...], SHORT] = ()
    motor: MotorTable = MotorTable()
    friction: FrictionTable = FrictionTable()
    joint_inertia: Coordinate | None = None

    @model_validator(mode="after")
    def _one_coupling(self) -> DriveTable:
        if self.ratio is not None and self.coupling is not None:
            raise ValueError("give ratio or coupling, not both")
        return self


class BaseMotionTable(Table):
    """Prescribed motion of the base frame, in base axes."""

    velocity: tuple[Velocity, Velocity, Velocity] = (0.0, 0.0, 0.0)
    angular_velocity: tuple[AngularVelocity, AngularVelocity, AngularVelocity] = (0.0, 0.0, 0.0)
    acceleration: tuple[Acceleration, Acceleration, Acceleration] = (0.0, 0.0, 0.0)
    angular_acceleration: tuple[AngularAcceleration, AngularAcceleration, AngularAcceleration] = (
        0.0,
        0.0,
        0.0,
    )


class BaseTable(Table):
    """Where the first body's base stands, and how it moves."""

    placement: PlacementTable = PlacementTable()
    motion: BaseMotionTable = BaseMotionTable()


class ToolTable(Table):
    """The tool frame on a body (default: the last)."""

    body: str | None = None
    placement: PlacementTable = PlacementTable()


class PayloadTable(Table):
    """Something held, in the frame of the body that carries it (default: the tool's)."""

    body: str | None = None
    inertia: InertiaTable


class EstimateTable(Table):
    """A combination of parameters that measurements have shown."""

    name: str
    value: Number
    standard_error: Number | None = Field(default=None, description="left out where the data do not tell it")
    unit: str = ""


class RobotTable(Table):
    """A robot file."""

    name: str
    description: str = ""
    source: str = ""
    notes: Annotated[tuple[str, ...], SHORT] = ()
    gravity: tuple[Acceleration, Acceleration, Acceleration] = (0.0, 0.0, -9.81)
    dh: Literal["standard", "modified"] | None = Field(
        default=None, description="which DH convention the rows follow"
    )
    home: Annotated[tuple[Coordinate, ...], SHORT] = ()
    base: BaseTable = BaseTable()
    bodies: Annotated[tuple[BodyTable, ...], SHORT]
    drives: Annotated[tuple[DriveTable, ...], SHORT] = ()
    tool: ToolTable = ToolTable()
    payloads: Annotated[tuple[PayloadTable, ...], SHORT] = ()
    estimates: Annotated[tuple[EstimateTable, ...], SHORT] = ()

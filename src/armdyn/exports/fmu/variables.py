"""The variables of an FMU: what goes in, what can be set, what comes out.

Every variable is one number, named as an element of an array (`q[1]`): tools that know arrays show them so,
all others take them as they are. Arrays of FMI 3 have one unit for all elements, which joints that turn and
joints that slide do not have.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from armdyn.exports.fmu.equations import Arm

Kind = Literal["independent", "input", "fixed", "tunable", "output"]
STATE = ""
"""The group of outputs that are always known: they are what is integrated."""
SHORTEST_STEP = 1e-9
"""[s] of the solver."""


@dataclass(frozen=True)
class Variable:
    """One number."""

    name: str
    unit: str | None
    description: str
    start: float | None = None
    minimum: float | None = None


@dataclass(frozen=True)
class Block:
    """Variables of a kind that lie side by side; outputs of a group are computed together."""

    name: str
    kind: Kind
    variables: tuple[Variable, ...]
    group: str = STATE
    feels_inputs: bool = False
    """Whether an output changes with the inputs at once."""


class Variables:
    """All variables, in the order of their value references."""

    def __init__(self, arm: Arm, dt: float) -> None:
        """Lay them out."""
        self.blocks = tuple(block for block in _blocks(arm, dt) if block.variables)

    def __iter__(self) -> Iterator[tuple[Block, Variable]]:
        return ((block, variable) for block in self.blocks for variable in block.variables)

    @cached_property
    def at(self) -> dict[str, int]:
        """The value reference of the first variable of each block."""
        found: dict[str, int] = {}
        count = 0
        for block in self.blocks:
            found[block.name] = count
            count += len(block.variables)
        return found

    @property
    def groups(self) -> list[str]:
        """Outputs that are computed together, each group once."""
        return list(dict.fromkeys(block.group for block in self.blocks if block.group != STATE))


def _blocks(arm: Arm, dt: float) -> Iterator[Block]:
    yield Block("time", "independent", (Variable("time", "s", "Simulation time"),))
    yield from _inputs(arm)
    yield from _parameters(arm, dt)
    yield from _outputs(arm)


# Of joints and motors -------------------------------------------------------------------------------


def _units(arm: Arm, angular: str, linear: str) -> list[str]:
    return [linear if joint.kind == "prismatic" else angular for joint in arm.robot.joints]


def _of_joints(
    arm: Arm, name: str, what: str, units: Sequence[str], starts: Sequence[float] | None = None
) -> tuple[Variable, ...]:
    rows = zip(arm.robot.joint_names, units, starts or [None] * arm.robot.n, strict=True)
    return tuple(
        Variable(f"{name}[{k}]", unit, f'{what} of joint {k} ("{joint}")', start)
        for k, (joint, unit, start) in enumerate(rows, start=1)
    )


def _of_motors(arm: Arm, name: str, what: str, unit: str, start: float | None = None) -> tuple[Variable, ...]:
    drives = enumerate(arm.robot.drives, start=1)
    return tuple(
        Variable(f"{name}[{k}]", unit, f'{what} of motor {k} ("{drive.name}")', start) for k, drive in drives
    )


# What goes in ---------------------------------------------------------------------------------------


def _inputs(arm: Arm) -> Iterator[Block]:
    match arm.driven_by:
        case "torque":
            zero = [0.0] * arm.robot.n
            drive = _of_joints(arm, "tau", "Torque or force", _units(arm, "N.m", "N"), zero)
        case "motor_torque":
            drive = _of_motors(arm, "motor_torque", "Torque", "N.m", 0.0)
        case "current":
            drive = _of_motors(arm, "current", "Current", "A", 0.0)
        case "voltage":
            drive = _of_motors(arm, "voltage", "Voltage", "V", 0.0)
    yield Block("drive", "input", drive)
    if arm.wrench:
        axes = [(what, unit, axis) for what, unit in (("Force", "N"), ("Moment", "N.m")) for axis in "xyz"]
        yield Block(
            "wrench",
            "input",
            tuple(
                Variable(f"wrench[{k}]", unit, f"{what} along base {axis} that the tool exerts", 0.0)
                for k, (what, unit, axis) in enumerate(axes, start=1)
            ),
        )


def _parameters(arm: Arm, dt: float) -> Iterator[Block]:
    home, rest = arm.robot.home, [0.0] * arm.robot.n
    where, rate = _units(arm, "rad", "m"), _units(arm, "rad/s", "m/s")
    yield Block("q_start", "fixed", _of_joints(arm, "q_start", "Position at the start", where, home))
    yield Block("qd_start", "fixed", _of_joints(arm, "qd_start", "Velocity at the start", rate, rest))
    step = Variable("solver_step", "s", "Longest step of the solver", dt, SHORTEST_STEP)
    yield Block("solver_step", "fixed", (step,))
    if arm.payload:
        yield Block("payload", "tunable", tuple(_payload()))


def _payload() -> Iterator[Variable]:
    """Mass, centre of mass and tensor of something more that the tool's body carries."""
    yield Variable("payload.mass", "kg", "Mass of the payload", 0.0, 0.0)
    for k, axis in enumerate("xyz", start=1):
        about = f"Centre of mass of the payload, {axis} in the frame of the body that carries it"
        yield Variable(f"payload.com[{k}]", "m", about, 0.0)
    for k, axes in enumerate(("xx", "yy", "zz", "xy", "xz", "yz"), start=1):
        about = f"I{axes} of the payload about its centre of mass"
        yield Variable(f"payload.inertia[{k}]", "kg.m2", about, 0.0, 0.0 if axes[0] == axes[1] else None)


# What comes out -------------------------------------------------------------------------------------


def _outputs(arm: Arm) -> Iterator[Block]:
    yield Block("q", "output", _of_joints(arm, "q", "Position", _units(arm, "rad", "m")))
    yield Block("qd", "output", _of_joints(arm, "qd", "Velocity", _units(arm, "rad/s", "m/s")))
    rates = _units(arm, "rad/s2", "m/s2")
    yield Block("qdd", "output", _of_joints(arm, "qdd", "Acceleration", rates), "accelerations", True)
    if arm.driven_by != "torque":
        torques = _of_joints(arm, "tau", "Torque or force", _units(arm, "N.m", "N"))
        yield Block("tau", "output", torques, "torques", True)
    yield from _tool()
    yield Block("motor_position", "output", _of_motors(arm, "motor_position", "Angle", "rad"), "motors")
    yield Block("motor_velocity", "output", _of_motors(arm, "motor_velocity", "Speed", "rad/s"), "motors")
    if arm.driven_by != "motor_torque" and arm.has_motor_torques:
        torques = _of_motors(arm, "motor_torque", "Torque", "N.m")
        yield Block("motor_torque", "output", torques, "motor_torques", True)
    kinetic = Variable("kinetic_energy", "J", "Kinetic energy")
    potential = Variable("potential_energy", "J", "Potential energy, 0 with every mass at the base origin")
    yield Block("energies", "output", (kinetic, potential), "energies")


def _tool() -> Iterator[Block]:
    axes = tuple(enumerate("xyz", start=1))
    places = tuple(Variable(f"tool_position[{k}]", "m", f"Base {axis} of the tool") for k, axis in axes)
    yield Block("tool_position", "output", places, "place")
    turned = tuple(
        Variable(f"tool_rotation[{i},{j}]", None, f"Base {row} of the tool's {column} axis")
        for i, row in axes
        for j, column in axes
    )
    yield Block("tool_rotation", "output", turned, "place")

"""Options that several commands share, and how their texts become values."""

from __future__ import annotations

import functools
import inspect
import math
from collections.abc import Callable
from typing import Annotated, Any, Literal

import typer

from armdyn.dynamics import Dynamics
from armdyn.errors import InputError, counted
from armdyn.formats import load
from armdyn.mechanics.methods import MethodName
from armdyn.mechanics.tree.motors import MotorModel
from armdyn.robot import Robot

RobotArgument = Annotated[str, typer.Argument(metavar="ROBOT", help="Catalog name, .toml or .urdf file.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
MOTORS_HELP = "How much of the drives the equations see [default: the best the data support]"
MotorsOption = Annotated[MotorModel | None, typer.Option("--motors", help=f"{MOTORS_HELP}.")]
AnyMotors = Literal["exact", "augmented", "coupled", "reflected", "none", "all"]
AnyMotorsOption = Annotated[
    AnyMotors | None,
    typer.Option("--motors", help=f"{MOTORS_HELP}; all compares the models."),
]
METHOD_HELP = "The formulation to use [default: newton_euler, composite_body; accelerations by the cheapest]"
MethodOption = Annotated[
    MethodName | None,
    typer.Option("--method", help=f"{METHOD_HELP}."),
]
FrictionOption = Annotated[
    Literal["on", "off"] | None,
    typer.Option("--friction", help="Friction, moving or at rest [default: on; off when motors is none]."),
]
GravityOption = Annotated[
    str | None,
    typer.Option("--gravity", metavar="X,Y,Z", help="Gravity in base axes, m/s2, or moon, mars, earth."),
]
PLANETS = {"earth": 9.81, "moon": 1.62, "mars": 3.72}
"""[m/s2] Gravity by name, along the robot's own."""
PayloadOption = Annotated[
    str | None,
    typer.Option(
        "--payload",
        metavar="M,X,Y,Z[,IXX,IYY,IZZ,IXY,IXZ,IYZ]",
        help="Payload in the frame of the body that carries the tool, tensor about its centre.",
    ),
]
LockOption = Annotated[
    str | None, typer.Option("--lock", metavar="J=VALUE,..", help="Hold joints (number or name).")
]
LiteralOption = Annotated[
    bool, typer.Option("--literal", help="Keep a URDF's decimal right angles as written.")
]
AcceptOption = Annotated[
    str | None,
    typer.Option(
        "--accept-unphysical", metavar="WHY", help="Accept inertias that no body can have, with a reason."
    ),
]
WrenchOption = Annotated[
    str | None,
    typer.Option(
        "--wrench",
        metavar="FX,FY,FZ,MX,MY,MZ",
        help="What the tool exerts on its surroundings, base axes.",
    ),
]
AtOption = Annotated[
    str | None,
    typer.Option(
        "--at",
        metavar="X,Y,Z",
        help="Where it acts, in coordinates of the body that carries the tool [default: the tool].",
    ),
]
RangesOption = Annotated[
    str | None,
    typer.Option(
        "--range", metavar="J=LOW:HIGH,..", help="Where joints may stand [default: their position limits]."
    ),
]
EffortOption = Annotated[
    int | None,
    typer.Option("--effort", metavar="N", help="Boxes that the search for one extreme may look at."),
]
DegreesOption = Annotated[bool, typer.Option("--degrees", help="Angles of joints are in degrees.")]


AnyMethod = Literal[
    "newton_euler",
    "newton_euler_base",
    "lagrange_euler",
    "dalembert",
    "mrnea",
    "composite_body",
    "articulated_body",
    "walker_orin1",
    "walker_orin2",
    "all",
]
AnyMethodOption = Annotated[
    AnyMethod | None, typer.Option("--method", help=f"{METHOD_HELP}; all compares the formulations.")
]


def numbers(option: str, text: str, expected: tuple[int, ...] | None = None) -> list[float]:
    """Comma-separated finite numbers, as many as expected."""
    values: list[float] = []
    for part in text.split(","):
        try:
            values.append(float(part))
        except ValueError:
            raise InputError(
                f'{option}: "{part.strip()}" is not a number, expected comma-separated numbers'
            ) from None
        if not math.isfinite(values[-1]):
            raise InputError(f"{option}: {part.strip()} is not a finite number")
    if expected is not None and len(values) not in expected:
        counts = " or ".join(str(count) for count in expected)
        raise InputError(f"{option} has {counted(len(values), 'value')}, expected {counts}")
    return values


def contact(wrench: str | None, at: str | None) -> tuple[list[float] | None, list[float] | None]:
    """What `--wrench` and `--at` say."""
    if at is not None and wrench is None:
        raise InputError("--at says where a wrench acts, but there is none; add --wrench")
    return (
        None if wrench is None else numbers("--wrench", wrench, (6,)),
        None if at is None else numbers("--at", at, (3,)),
    )


def joint_vector(option: str, text: str | None, robot: Robot, degrees: bool) -> list[float] | None:
    """One number per joint; angles become radians."""
    if text is None:
        return None
    values = numbers(option, text)
    if len(values) != robot.n:
        has = f'robot "{robot.name}" has {counted(robot.n, "joint")}'
        raise InputError(f"{option} has {counted(len(values), 'value')}; {has}, expected {robot.n}")
    if not degrees:
        return values
    return [math.radians(v) if j.kind == "revolute" else v for v, j in zip(values, robot.joints, strict=True)]


def prepared(
    robot: RobotArgument,
    gravity: GravityOption = None,
    payload: PayloadOption = None,
    lock: LockOption = None,
    literal: LiteralOption = False,
    accept_unphysical: AcceptOption = None,
    degrees: DegreesOption = False,
) -> Robot:
    """The robot asked for, changed as the options say."""
    arm = load(robot, literal=literal, accept_unphysical=accept_unphysical)
    if gravity is not None:
        arm = arm.with_gravity(_gravity(gravity, arm))
    if payload is not None:
        values = numbers("--payload", payload, (4, 10))
        arm = arm.with_payload(values[0], values[1:4], values[4:] or None)
    return arm if lock is None else arm.locked(_locks(lock, arm, degrees))


def _gravity(text: str, robot: Robot) -> list[float]:
    """Gravity as numbers, or that of a planet in the direction of the robot's own."""
    planet = PLANETS.get(text.strip().lower())
    if planet is None:
        if text.strip().isalpha():
            known = ", ".join(PLANETS)
            raise InputError(
                f'--gravity: "{text.strip()}" is unknown, expected x,y,z in m/s2 or one of {known}'
            )
        return numbers("--gravity", text, (3,))
    own: tuple[Any, Any, Any] = robot.gravity
    size = math.hypot(*own)
    return [planet * x / size for x in own] if size else [0.0, 0.0, -planet]


def of_robot(command: Callable[..., None]) -> Callable[..., None]:
    """A command on a robot: ROBOT and the options that change it come first, the command gets the robot.

    The command's first parameter is the robot; it may name `degrees` again to see it.
    """
    shared = inspect.signature(prepared, eval_str=True).parameters
    _, *own = inspect.signature(command, eval_str=True).parameters.values()

    @functools.wraps(command)
    def run(**values: Any) -> None:
        arm = prepared(**{name: values[name] for name in shared})
        command(arm, **{parameter.name: values[parameter.name] for parameter in own})

    robot, *others = shared.values()
    mine = [parameter for parameter in own if parameter.name not in shared]
    options = [p.replace(kind=p.KEYWORD_ONLY) for p in (*mine, *others)]
    options.sort(key=lambda parameter: parameter.name == "json")  # last, as everywhere
    run.__signature__ = inspect.Signature([robot, *options])  # pyright: ignore[reportAttributeAccessIssue]
    return run


def evaluated(
    robot: Robot,
    motors: AnyMotors | None,
    friction: str | None = None,
    method: AnyMethod | None = None,
) -> Dynamics:
    """The dynamics of the robot under the motor model, friction and formulation asked for."""
    model = None if motors == "all" else motors
    formulation = None if method == "all" else method
    return Dynamics(robot, model, None if friction is None else friction == "on", formulation)


def _locks(text: str, robot: Robot, degrees: bool) -> dict[int | str, float]:
    locks: dict[int | str, float] = {}
    for part in text.split(","):
        name, equals, value = part.partition("=")
        if not equals:
            raise InputError(f'--lock: "{part}" says no value, expected joint=value')
        joint: int | str = int(name) if name.strip().isdecimal() and len(name) < 10 else name.strip()
        angular = robot.joints[robot.joint_index(joint)].kind == "revolute"
        (number,) = numbers("--lock", value, (1,))
        if joint in locks:
            raise InputError(f"--lock: joint {joint} is locked twice, expected once")
        locks[joint] = math.radians(number) if degrees and angular else number
    return locks

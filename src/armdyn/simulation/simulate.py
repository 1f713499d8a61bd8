"""Simulate one arm: from what drives it to a run."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import wraps
from pathlib import Path
from typing import Any, ParamSpec

import numpy as np
from numpy.typing import ArrayLike

from armdyn.dynamics import Dynamics
from armdyn.dynamics.fixed_step import STEPS
from armdyn.errors import InputError, MissingDataError, ShapeError, counted
from armdyn.formats import load
from armdyn.mechanics.tree.motors import MotorModel
from armdyn.motion.moves import FARTHEST
from armdyn.robot import BaseMotion, Robot
from armdyn.scalars import Array
from armdyn.simulation.acting import Acting, ActingKind, Applied
from armdyn.simulation.changes import Change, Grasp, Release
from armdyn.simulation.control.called import of_function
from armdyn.simulation.files.input_files import Input, read_input
from armdyn.simulation.integration.adaptive import METHODS
from armdyn.simulation.integration.course import IntegratorName, Settings, Watch
from armdyn.simulation.plant import Plant
from armdyn.simulation.results import Simulation
from armdyn.simulation.run import ON_GRID, Run
from armdyn.simulation.signals import Function, Signal, constant

FIXED_STEP, LONGEST_STEP = 1e-3, 1e-2
"""[s] Steps by default: fixed, and the longest of adaptive ones."""
MOST_STEPS = 10**9
TIGHTEST, FINEST, LOOSEST = 2.3e-14, 1e-30, 1.0
"""Tolerances of adaptive integrators: relative ones below are rounding, with absolute ones below what is 0
never begins to move, and above nothing is followed."""
Given = ArrayLike | Signal | Callable[[float], ArrayLike]
"""Numbers that stay, a signal, or a function of time."""


def prepared(
    robot: Robot | Dynamics | str | os.PathLike[str],
    duration: float,
    *,
    torque: Given | None = None,
    motor_torque: Given | None = None,
    current: Given | None = None,
    voltage: Given | None = None,
    input: Input | str | os.PathLike[str] | None = None,  # noqa: A002  what the command line calls it
    controller: Acting | Callable[..., Any] | None = None,
    q: ArrayLike | None = None,
    qd: ArrayLike | None = None,
    wrench: Given | None = None,
    at: ArrayLike | None = None,
    base: Given | None = None,
    changes: Sequence[Change] = (),
    integrator: IntegratorName = "dop853",
    dt: float | None = None,
    sample: float | None = None,
    rtol: float = 1e-10,
    atol: float = 1e-12,
    motors: MotorModel | None = None,
    friction: bool | None = None,
    watch: Watch | None = None,
) -> Run:
    """The motion that torques, currents, voltages or a controller cause, as a run that has not begun.

    One of `torque`, `motor_torque`, `current`, `voltage`, `input` and `controller` drives the arm; without
    any it moves freely.

    Args:
        robot: what moves: a robot, its dynamics, or a catalog name or file.
        duration: [s]
        torque: (n) of the joints [N m or N]: numbers that stay, a signal (`sampled`), or a function of time.
        motor_torque: (drives) of the motors [N m].
        current: (drives) of the motors [A].
        voltage: (drives) of the motors [V]; back-EMF reduces the current, inductance is left out.
        input: a .csv, .parquet or .toml file with one of these, and with what it says besides.
        controller: `pid`, `pd_gravity`, `computed_torque`, `operational_space`, or a function
            (t, q, qd) -> torques.
        q: (n) where the arm starts [rad or m]; by default home.
        qd: (n) how fast; by default at rest.
        wrench: (6) what the tool exerts on its surroundings, base axes.
        at: (3) where, in the coordinates of the body that carries the tool; by default the tool's origin.
        base: (12) velocity, angular velocity, acceleration, angular acceleration of the base, base axes; by
            default as the robot says.
        changes: objects that are grasped and released (`Grasp`, `Release`).
        integrator: "euler" ([Szkodny1995] (22)), "semi_implicit" or "rk4" with a fixed step; "dop853" or
            "lsoda", which choose their steps and find the instants at which friction sticks and slips.
        dt: [s] the fixed step, by default 1 ms; adaptive integrators take no longer steps, by default 10 ms.
        sample: [s] between two samples of the result, a multiple of dt; by default dt.
        rtol: relative tolerance of adaptive integrators.
        atol: absolute tolerance of adaptive integrators.
        motors: how much of the drives the equations see, unless `robot` is a Dynamics.
        friction: whether there is any, unless `robot` is a Dynamics.
        watch: called with the time reached, again and again.

    Returns:
        The run; its `go` gives a `Simulation`. Where it cannot go on a `SimulationError` says why, and keeps
        what there is as `result`.
    """
    given = robot if isinstance(robot, Dynamics) else Dynamics(_robot(robot), motors, friction)
    if isinstance(robot, Dynamics) and not (motors is None and friction is None):
        raise InputError("motors and friction are those of the Dynamics given, expected neither beside it")
    dyn, moving = _on_resting_base(given)
    signals: dict[ActingKind, Given | None] = {
        "tau": torque,
        "motor_torque": motor_torque,
        "current": current,
        "voltage": voltage,
    }
    read = _read(input, dyn.robot)
    acting = _acting(dyn, signals, read, controller)
    plant = Plant(
        dyn,
        acting,
        _signal("wrench", wrench, 6) if wrench is not None else read and read.wrench,
        None if at is None else _vector("at", at, 3),
        _signal("base", base, 12) if base is not None else (read and read.base) or moving,
    )
    if plant.at is not None and plant.wrench is None:
        raise InputError("at says where a wrench acts, but there is none; give wrench")
    settings = _settings(duration, integrator, dt, sample, rtol, atol)
    n = dyn.n
    start = _vector("q", dyn.robot.home if q is None else q, n, FARTHEST)
    speed = _vector("qd", np.zeros(n) if qd is None else qd, n)
    every = _changes(changes, read)
    late = [change for change in every if change.time >= duration]
    notes = [f"{_name(change)} at {change.time:g} s is after the end of the run" for change in late]
    return Run(plant, settings, start, speed, float(duration), every, notes, watch)


P = ParamSpec("P")


def _gone(prepare: Callable[P, Run]) -> Callable[P, Simulation]:
    """What prepares a run, and goes it."""

    @wraps(prepare)
    def simulate(*args: P.args, **options: P.kwargs) -> Simulation:
        return prepare(*args, **options).go()

    simulate.__name__ = simulate.__qualname__ = "simulate"
    simulate.__annotations__["return"] = "Simulation"
    simulate.__doc__ = (
        (prepare.__doc__ or "")
        .replace(", as a run that has not begun", "", 1)
        .replace("The run; its `go` gives a `Simulation`. Where", "The run. Where")
    )
    return simulate


simulate = _gone(prepared)


def _robot(robot: Any) -> Robot:
    if not isinstance(robot, Robot | str | os.PathLike):
        raise InputError(f"robot is a {type(robot).__name__}, expected a Robot, a Dynamics or a name")
    return robot if isinstance(robot, Robot) else load(robot)  # pyright: ignore[reportUnknownArgumentType]


def _changes(given: Any, read: Input | None) -> list[Change]:
    """What is grasped and released, in order."""
    several: list[Any] = list(given) if isinstance(given, Sequence) else [given]  # pyright: ignore[reportUnknownArgumentType]
    for change in several:
        if not isinstance(change, Grasp | Release):
            raise InputError(f"changes has a {type(change).__name__}, expected Grasp(..) and Release(..)")
        if not _is_number(change.time):
            raise InputError(f"{_name(change)} at {change.time!r}, expected a time [s]")
    return [*several, *(read.changes if read else ())]


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float | np.number)


def _name(change: Change) -> str:
    return type(change).__name__.lower()


def _on_resting_base(dyn: Dynamics) -> tuple[Dynamics, Signal | None]:
    """The dynamics on a base at rest, and how the robot says that it moves: energies are relative to it."""
    motion = dyn.robot.base_motion
    if motion == BaseMotion():
        return dyn, None
    still = dyn.robot.with_base_motion(BaseMotion())
    parts = (motion.velocity, motion.angular_velocity, motion.acceleration, motion.angular_acceleration)
    numbers: Any = [x for part in parts for x in part]
    return Dynamics(still, dyn.motors, dyn.friction, dyn.method), constant(numbers)


# What drives it -------------------------------------------------------------------------------


def _read(given: Any, robot: Robot) -> Input | None:
    if given is None or isinstance(given, Input):
        return given
    if not isinstance(given, str | os.PathLike):
        raise InputError(f"input is a {type(given).__name__}, expected the name of a file")
    return read_input(Path(given), robot)  # pyright: ignore[reportUnknownArgumentType]


def _acting(
    dyn: Dynamics,
    signals: dict[ActingKind, Given | None],
    read: Input | None,
    controller: Acting | Callable[..., Any] | None,
) -> Acting:
    """The one of them that is given; no torques if none is."""
    named: dict[ActingKind, Given] = {kind: given for kind, given in signals.items() if given is not None}
    others = {name: x for name, x in (("input", read), ("controller", controller)) if x is not None}
    if len(named) + len(others) > 1:
        both = ", ".join("torque" if name == "tau" else name for name in (*named, *others))
        raise InputError(f"{both} are given, expected one of them to drive the arm")
    if read is not None:
        return Applied(dyn, read.kind, read.signal, read.signal.source)
    if controller is not None:
        return controller_of(dyn, controller)
    for kind, given in named.items():
        size = dyn.n if kind == "tau" else len(dyn.robot.drives)
        name = "torque" if kind == "tau" else kind
        if not size:
            raise MissingDataError(f'robot "{dyn.robot.name}" has no drives, {name} needs some; give torque')
        signal = _signal(name, given, size)
        return Applied(dyn, kind, signal, signal.source)
    return Applied(dyn, "tau", constant(np.zeros(dyn.n)))


def controller_of(dyn: Dynamics, given: Any) -> Acting:
    """A controller of this arm, or a function as one."""
    if hasattr(given, "between"):
        n = getattr(getattr(given, "dyn", dyn), "n", dyn.n)
        if n != dyn.n:
            has = f'robot "{dyn.robot.name}" has {counted(dyn.n, "joint")}'
            raise InputError(f"controller is for {counted(n, 'joint')}; {has}, expected one for as many")
        return given
    if not callable(given):
        what = f"a {type(given).__name__}, expected pid(..), computed_torque(..) or a function (t, q, qd)"
        raise InputError(f"controller is {what}")
    return of_function(given, dyn.n)


def _signal(name: str, given: Any, width: int) -> Signal:
    """Numbers that stay, a function of time, or a signal."""
    if hasattr(given, "between"):
        if given.width != width:
            raise ShapeError(name, (given.width,), "at an instant", f"({width},)")
        return given
    if callable(given):
        function: Callable[[float], ArrayLike] = given  # pyright: ignore[reportAssignmentType]
        return Function(function, width, source=f"the {name.replace('_', ' ')}")
    return constant(_vector(name, given, width), f"the {name.replace('_', ' ')}")


def _vector(name: str, given: ArrayLike, size: int, largest: float = np.inf) -> Array:
    try:
        values = np.array(given, dtype=float)
    except (TypeError, ValueError) as error:
        raise InputError(f"{name} is no array of numbers, expected shape ({size},)") from error
    if values.shape != (size,):
        raise ShapeError(name, values.shape, "of one run", f"({size},)")
    if not np.isfinite(values).all():
        raise InputError(f"{name} is {values.tolist()}, expected finite numbers")
    if np.abs(values).max(initial=0.0) > largest:
        raise InputError(f"{name} is {values.tolist()}, expected numbers up to {largest:g}")
    return values


# How it is integrated -------------------------------------------------------------------------


def _settings(
    duration: float,
    integrator: IntegratorName,
    dt: float | None,
    sample: float | None,
    rtol: float,
    atol: float,
) -> Settings:
    known = (*STEPS, *METHODS)
    if integrator not in known:
        raise InputError(f'integrator "{integrator}", expected one of {", ".join(known)}')
    step = dt if dt is not None else FIXED_STEP if integrator in STEPS else LONGEST_STEP
    for name, value in (("duration", duration), ("dt", step), ("rtol", rtol), ("atol", atol)):
        if not _is_number(value) or not 0 < value < np.inf:
            raise InputError(f"{name} is {value}, expected a number above 0")
    for name, value, least in (("rtol", rtol, TIGHTEST), ("atol", atol, FINEST)):
        if not least <= value <= LOOSEST:
            raise InputError(f"{name} is {value:g}, expected {least:g} to {LOOSEST:g}")
    if duration / step > MOST_STEPS:
        raise InputError(f"{duration:g} s take more than {MOST_STEPS} steps of {step:g} s; take a larger dt")
    step = min(step, float(duration))
    if integrator in STEPS:
        multiple("duration", float(duration), step)
    every = 1 if sample is None else multiple("sample", sample, step)
    return Settings(integrator, step, every, rtol, atol)


def multiple(name: str, length: float, step: float) -> int:
    """How many steps there are in a time."""
    if not _is_number(length) or not 0 < length < np.inf:
        raise InputError(f"{name} is {length}, expected a number above 0")
    count = round(min(length / step, 2.0 * MOST_STEPS))
    if not 1 <= count <= MOST_STEPS or abs(length - count * step) > ON_GRID * step:
        raise InputError(f"{name} is {length:g} s, expected a multiple of the step dt, {step:g} s")
    return count

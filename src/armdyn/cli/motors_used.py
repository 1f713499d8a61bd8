"""What a motion asks of the motors as a JSON document, as files, and as tables for people."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from armdyn.cli.output import print_line, print_table
from armdyn.dynamics import Dynamics
from armdyn.errors import InputError
from armdyn.formats.motion_columns import OF_MOTORS
from armdyn.formats.motion_tables import check_suffix
from armdyn.formats.motions import Motion, read_motion, write_motion
from armdyn.report.drawing import check_figure
from armdyn.scalars import Array
from armdyn.studies.motor_use import MotorLoad, MotorUse, motor_use, share_text
from armdyn.studies.motor_use_figure import draw_motor_use
from armdyn.studies.motor_use_limits import ExceededLimit, exceeded_limits


@dataclass(frozen=True)
class Used:
    """A motion of a robot, and what it asks of the motors."""

    dyn: Dynamics
    motion: Motion
    use: MotorUse
    exceeded: tuple[ExceededLimit, ...]

    def document(self, files: Sequence[str]) -> dict[str, Any]:
        """As a JSON document."""
        return {
            "robot": self.dyn.robot.name,
            **self.use.document(),
            "exceeded": [vars(limit) for limit in self.exceeded],
            "notes": self.notes,
            "files": list(files),
        }

    @property
    def notes(self) -> list[str]:
        """Limits that are exceeded, and what a reader must know to trust the numbers."""
        robot = self.dyn.robot
        found = [_exceeded(limit) for limit in self.exceeded]
        unknown = [load.name for load in self.use.motors if load.torque_share is None]
        if unknown:
            found.append(f"no torque limit is known of {', '.join(unknown)}")
        if not self.dyn.friction and any(part.friction for part in (*robot.joints, *robot.drives)):
            found.append("the robot has friction, which is off here; --friction on includes it")
        measured = [name for name in OF_MOTORS if name in self.motion.columns]
        if measured:
            found.append(f"{', '.join(measured)} in the file: not used, and replaced where --out writes")
        return [*found, *self.motion.notes]

    def write(self, out: Path | None, figure: Path | None) -> list[str]:
        """Write the files that are asked for; returns their names."""
        if out is not None:
            write_motion(out, self.motion.time, self._columns())
        if figure is not None:
            draw_motor_use(self.use, figure)
        return [str(path) for path in (out, figure) if path is not None]

    def _columns(self) -> dict[str, Array]:
        """The motion, and what was found in place of what was measured at the motors."""
        motion, use = self.motion, self.use
        kept = {name: values for name, values in motion.columns.items() if name not in OF_MOTORS}
        found = {
            "motor_position": use.position,
            "motor_torque": use.torque,
            "current": use.current,
            "voltage": use.voltage,
        }
        known = {name: values for name, values in found.items() if values is not None}
        return {"q": motion.q, "qd": motion.qd, "qdd": motion.qdd, **kept, **known}


def check_files(motion: Path, out: Path | None, figure: Path | None) -> None:
    """Refuse files that cannot be written, before anything is computed for them."""
    if figure is not None:
        check_figure(figure)
    if out is not None:
        check_suffix(out)
        if not out.parent.is_dir():
            raise InputError(f'motion "{out}": there is no folder "{out.parent}"; make it first')
        if out.exists() and motion.exists() and out.samefile(motion):
            raise InputError(f'--out "{out}" is the motion itself, expected another file')


def used(dyn: Dynamics, file: Path, wrench: list[float] | None, at: list[float] | None) -> Used:
    """What the motion in a file asks of the motors."""
    motion = read_motion(file, dyn.robot)
    use = motor_use(dyn, motion.time, motion.q, motion.qd, motion.qdd, wrench, at)
    return Used(dyn, motion, use, exceeded_limits(use))


def _exceeded(limit: ExceededLimit) -> str:
    lower, upper = limit.limit
    subject, worst = f'motor "{limit.motor}"', f"{share_text(limit.share)} at the worst"
    if limit.quantity == "rms_torque":
        asked = f"rms torque {limit.value:.4g} N m"
        return (
            f"{subject}: {asked} is above the rated {upper:g}; repeated without end, the motion overheats it"
        )
    first = f"first at {limit.time:.4g} s"
    if limit.quantity == "speed":
        return f"{subject}: faster than {upper:.4g} rad/s, {first}; {worst}"
    can = f"{lower:.4g} to {upper:.4g}" if lower <= upper else "nothing"
    return f"{subject}: torque {limit.value:.4g} N m where it can give {can}, {first}; {worst}"


# For people -----------------------------------------------------------------------------------

Fields = tuple[tuple[str, Callable[[MotorLoad], Any]], ...]

_TORQUES: Fields = (
    ("motor", lambda load: load.name),
    ("largest [N m]", lambda load: _short(load.peak_torque)),
    ("of envelope [%]", lambda load: _percent(load.torque_share)),
    ("rms [N m]", lambda load: _short(load.rms_torque)),
    ("of rated [%]", lambda load: _percent(load.rms_share)),
)
_SPEEDS: Fields = (
    ("motor", lambda load: load.name),
    ("speed [rad/s]", lambda load: _short(load.peak_speed)),
    ("of limit [%]", lambda load: _percent(load.speed_share)),
    ("current [A]", lambda load: _short(load.peak_current)),
    ("voltage [V]", lambda load: _short(load.peak_voltage)),
    ("energy [J]", lambda load: _short(load.energy)),
)
_INERTIAS: Fields = (
    ("motor", lambda load: load.name),
    ("others locked, from", lambda load: _short(load.inertia_locked[0])),
    ("to", lambda load: _short(load.inertia_locked[1])),
    ("others free, from", lambda load: _short(load.inertia_free[0])),
    ("to", lambda load: _short(load.inertia_free[1])),
)


def print_used(result: Used, files: Sequence[str]) -> None:
    """Print the motors' loads as tables, then what to know."""
    use = result.use
    friction, duration = "on" if use.friction else "off", use.time[-1] - use.time[0]
    print_line(
        f"{result.dyn.robot.name}: motors {use.motor_model}, friction {friction}; "
        f"{len(use.time)} samples, {duration:.4g} s"
    )
    _print_loads("torques", _TORQUES, use.motors)
    _print_loads(_speeds_title(use), _SPEEDS, use.motors)
    _print_loads("inertia felt over the motion [kg m2]", _INERTIAS, use.motors)
    print_line(_verdict(use))
    for note in result.notes:
        print_line(f"note: {note}")
    for file in files:
        print_line(f"file: {file}")


def _print_loads(title: str, fields: Fields, loads: Sequence[MotorLoad]) -> None:
    """A table without the columns of which nothing is known."""
    columns = [(name, [field(load) for load in loads]) for name, field in fields]
    known = [(name, cells) for name, cells in columns if any(cell is not None for cell in cells)]
    names, cells = zip(*known, strict=True)
    print_table(title, names, zip(*cells, strict=True))


def _speeds_title(use: MotorUse) -> str:
    """What the table has: currents and voltages only where they are known."""
    if use.current is None:
        return "largest speeds, and energy given"
    if use.voltage is None:
        return "largest speeds and currents, and energy given"
    return "largest speeds, currents and voltages, and energy given"


def _verdict(use: MotorUse) -> str:
    if not any(load.shares for load in use.motors):
        return "no limits of its motors are known"
    beyond = [load.name for load in use.motors if not load.within]
    if not beyond:
        return "all motors stay within the limits that are known"
    return f"beyond {'its' if len(beyond) == 1 else 'their'} limits: {', '.join(beyond)}"


def _short(value: float | None) -> float | None:
    return None if value is None else float(f"{value:.4g}")


def _percent(share: float | None) -> float | None:
    return None if share is None else round(100 * share, 1)

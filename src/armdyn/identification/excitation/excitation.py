"""An excitation: the motion, how well it tells the parameters, and how much of the limits it uses."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from armdyn.errors import InputError
from armdyn.formats.motions import write_motion
from armdyn.formats.whole_file import whole_file
from armdyn.identification.excitation.bases import Fourier
from armdyn.identification.excitation.course import Course
from armdyn.identification.excitation.criterion import condition_number
from armdyn.identification.excitation.experiment import Experiment
from armdyn.identification.excitation.limits import Limits, Use
from armdyn.identification.excitation.program import ProgramMotion, program_of
from armdyn.identification.excitation.search import Found, Search
from armdyn.robot import Robot
from armdyn.scalars import Array

RATE = 100.0
"""[1/s] Samples written, if nothing else is said."""
MOST_SAMPLES = 5_000_000
PROGRAM = ".lirl"
FEW = 1e-9
"""Of a step that is rounding."""


@dataclass(frozen=True, eq=False)
class Samples:
    """An excitation in time."""

    time: Array
    """(t) [s]"""
    q: Array
    """(t, n) [rad or m]"""
    qd: Array
    qdd: Array
    tau: Array
    """(t, n) torques that the robot as described needs [N m or N]"""


@dataclass(frozen=True, eq=False)
class Excitation:
    """What `excite` finds."""

    search: Search
    found: Found
    notes: tuple[str, ...]
    """What was derived or assumed"""

    @property
    def robot(self) -> Robot:
        """What moves."""
        return self.search.experiment.arm.dyn.robot

    @property
    def trajectory(self) -> Course:
        """The motion, a function of time: `trajectory.at(time)` gives q, qd, qdd."""
        return self.found.best.course

    @property
    def experiment(self) -> Experiment:
        """What is measured, and how it is weighted."""
        return self.search.experiment

    @property
    def limits(self) -> Limits:
        """What limits it."""
        return self.search.limits

    @property
    def duration(self) -> float:
        """[s]."""
        return self.trajectory.duration

    @property
    def condition_number(self) -> float:
        """Of the weighted base regressor."""
        return self.found.best.condition_number

    @property
    def random_condition_number(self) -> float:
        """That of the best random motion within the same limits (by the criterion)."""
        return self.found.random.condition_number

    @property
    def value(self) -> float:
        """Of the criterion, which is the lower the better: log cond(W), or -log det(W^T W/rows)/(2 b)."""
        return self.found.best.value

    @property
    def improvement(self) -> float:
        """How many times smaller the condition number, or the ellipsoid's mean axis, is than at random."""
        return float(np.exp(self.found.random.value - self.found.best.value))

    @property
    def finished(self) -> bool:
        """Whether the search came to its end."""
        return self.found.finished

    @cached_property
    def uses(self) -> tuple[Use, ...]:
        """How much of each limit it uses at most, on a grid ten times finer than the search's."""
        time = self.search.fine_grid
        return self.limits.uses(time, *self.trajectory.at(time))

    @cached_property
    def singular_values(self) -> Array:
        """(b) of the weighted base regressor, over the root of its rows, the largest first."""
        return _singular_values(self.experiment, self.trajectory, self.search.fine_grid)

    @cached_property
    def random_singular_values(self) -> Array:
        """(b) those of the best random motion."""
        return _singular_values(self.experiment, self.found.random.course, self.search.fine_grid)

    @cached_property
    def unscaled_condition_number(self) -> float:
        """With columns in SI: it depends on the units of the parameters."""
        e = self.experiment
        plain = Experiment(e.arm, e.base, e.scale, np.ones(len(e.base)))
        return float(condition_number(plain.information(*self.trajectory.at(self.search.fine_grid))))

    def samples(self, rate: float = RATE, periods: int = 1) -> Samples:
        """The motion at so many instants a second; a Fourier series may go on for several periods."""
        repeats = isinstance(self.trajectory.basis, Fourier)
        count = check_sampling(self.duration, rate, periods, repeats=repeats)
        time = np.minimum(np.arange(count + 1) / rate, periods * self.duration)
        within = np.where(time >= periods * self.duration, self.duration, np.mod(time, self.duration))
        q, qd, qdd = self.trajectory.at(within)
        return Samples(time, q, qd, qdd, self.experiment.arm.joint_torque(q, qd, qdd))

    def write(self, path: str | os.PathLike[str], rate: float = RATE, periods: int = 1) -> None:
        """Write it: samples with torques as .csv or .parquet, or as a robot program (.lirl)."""
        if Path(path).suffix.lower() == PROGRAM:
            with whole_file(Path(path)) as sink:
                sink.write(self.program.text.encode())
            return
        sampled = self.samples(rate, periods)
        columns = {name: getattr(sampled, name) for name in ("q", "qd", "qdd", "tau")}
        write_motion(path, sampled.time, columns)

    @cached_property
    def program(self) -> ProgramMotion:
        """The motion as a robot program, planned: what an arm that runs it really does."""
        return program_of(self.robot.name, self.trajectory, self.experiment, self.limits)

    def draw(self, path: str | os.PathLike[str]) -> None:
        """Draw it: .svg, .png or .pdf."""
        from armdyn.identification.excitation.figure import draw

        draw(self, path)

    def document(self) -> dict[str, Any]:
        """As plain data, ready for JSON."""
        dyn, basis = self.experiment.arm.dyn, self.trajectory.basis
        form = (
            {
                "kind": "fourier",
                "harmonics": basis.harmonics,
                "frequency": basis.frequency,
                **basis.series(self.trajectory.coefficients),
            }
            if isinstance(basis, Fourier)
            else {"kind": "polynomial", "pieces": basis.pieces, "points": self.trajectory.coefficients}
        )
        return {
            "robot": self.robot.name,
            "motors": dyn.motors,
            "friction": "on" if dyn.friction else "off",
            "criterion": self.search.criterion,
            "condition_number": self.condition_number,
            "value": self.value,
            "random": {
                "motions": self.found.drawn,
                "condition_number": self.random_condition_number,
                "value": self.found.random.value,
            },
            "improvement": self.improvement,
            "unscaled_condition_number": self.unscaled_condition_number,
            "singular_values": self.singular_values,
            "base_parameters": list(self.experiment.base.short_names),
            "duration": self.duration,
            "trajectory": form,
            "start": self.trajectory.at(np.zeros(1))[0][0],
            "limits": [_use_document(use) for use in self.uses],
            "seed": self.search.seed,
            "finished": self.finished,
            "notes": list(self.notes),
        }


def check_sampling(duration: float, rate: float, periods: int, *, repeats: bool) -> int:
    """How many steps there are between samples, refused if that cannot be."""
    if not 0 < rate < np.inf:
        raise InputError(f"rate is {rate:g} samples a second, expected a number above 0")
    if periods < 1 or (periods > 1 and not repeats):
        expected = "1 or more" if repeats else "1: polynomials do not end where they start"
        raise InputError(f"{periods} periods, expected {expected}")
    steps = periods * duration * rate
    if not FEW < steps <= MOST_SAMPLES:
        raise InputError(f"{rate:g} samples a second are {steps:g} samples, expected 1 to {MOST_SAMPLES}")
    return int(np.ceil(steps - FEW))


def _singular_values(experiment: Experiment, course: Course, time: Array) -> Array:
    found: Any = np.linalg.eigvalsh(experiment.information(*course.at(time)))
    return np.sqrt(np.maximum(found[::-1], 0.0))


def _use_document(use: Use) -> dict[str, Any]:
    names = ("quantity", "joint", "axis", "share", "value", "limit", "time")
    return {name: getattr(use, name) for name in names}

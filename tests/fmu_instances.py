"""FMUs run by FMPy, and what `simulate` makes of the same arm."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from fmpy import extract, read_model_description
from fmpy.fmi3 import FMU3Slave

from armdyn.robot import Robot
from armdyn.simulation import sampled, simulate

SAME = 1e-11
"""Largest difference of positions, relative to the largest: rounding over some hundred steps."""


@dataclass
class FmuInstance:
    """An instance by the names of its variables, and what it has said."""

    fmu: FMU3Slave
    references: Mapping[str, int]
    said: list[str] = field(default_factory=list[str])

    def get(self, name: str) -> np.ndarray:
        """All elements of an array, or one variable."""
        return np.array(self.fmu.getFloat64(self._named(name)))

    def set(self, name: str, values: Sequence[float] | np.ndarray | float) -> None:
        self.fmu.setFloat64(self._named(name), np.atleast_1d(values).tolist())

    def _named(self, name: str) -> list[int]:
        found = [k for known, k in self.references.items() if known == name or known.startswith(f"{name}[")]
        assert found, name
        return found

    def start(self, **parameters: Any) -> None:
        """Set parameters, and initialize at time 0."""
        for name, values in parameters.items():
            self.set(name, values)
        self.fmu.enterInitializationMode(startTime=0.0)
        self.fmu.exitInitializationMode()


@contextmanager
def instances(path: Path, count: int = 1) -> Iterator[list[FmuInstance]]:
    """Several instances of an FMU in this process."""
    description: Any = read_model_description(path)
    references = {v.name: v.valueReference for v in description.modelVariables}
    made: list[FmuInstance] = []
    with tempfile.TemporaryDirectory() as folder:
        extract(path, folder)
        for k in range(count):
            fmu = FMU3Slave(
                guid=description.guid,
                unzipDirectory=folder,
                modelIdentifier=description.coSimulation.modelIdentifier,
                instanceName=f"arm {k}",
            )
            one = FmuInstance(fmu, references)

            def note(_: Any, __: Any, ___: Any, text: bytes, said: list[str] = one.said) -> None:
                said.append(text.decode())

            fmu.instantiate(loggingOn=True, logMessage=note)
            made.append(one)
        try:
            yield made
        finally:
            for one in made:
                one.fmu.freeInstance()


@contextmanager
def instance(path: Path) -> Iterator[FmuInstance]:
    """One instance of an FMU."""
    with instances(path) as (one,):
        yield one


@dataclass(frozen=True)
class Trial:
    """A start, and what drives the arm: held over each communication step."""

    q: np.ndarray
    qd: np.ndarray
    step: float
    """[s] between two communication points"""
    values: np.ndarray
    """(steps, inputs)"""

    @classmethod
    def of(cls, robot: Robot, size: Any, *, steps: int = 30, step: float = 0.01, seed: int = 0) -> Trial:
        """Random, some joints at rest; values of about a size, swinging."""
        rng = np.random.default_rng(seed)
        q = np.array(robot.home) + rng.uniform(-0.3, 0.3, robot.n)
        qd = rng.uniform(-0.5, 0.5, robot.n) * rng.integers(0, 2, robot.n)
        size = np.atleast_1d(size)
        t = step * np.arange(steps)[:, None]
        swing = np.sin(2 * np.pi * (t * rng.uniform(0.5, 3, len(size)) + rng.uniform(0, 1, len(size))))
        return cls(q, qd, step, size * swing)

    @property
    def duration(self) -> float:
        return self.step * len(self.values)

    @property
    def signal(self) -> Any:
        """As `simulate` takes it."""
        time = self.step * np.arange(len(self.values) + 1)
        return sampled(time, np.vstack([self.values, self.values[-1:]]), "hold")


def fmu_motion(path: Path, trial: Trial, name: str, **parameters: Any) -> dict[str, np.ndarray]:
    """q, qd and qdd (samples, n) of an FMU whose input has a name."""
    found: dict[str, list[np.ndarray]] = {"q": [], "qd": [], "qdd": []}
    with instance(path) as arm:
        arm.start(q_start=trial.q, qd_start=trial.qd, **parameters)
        for k in range(len(trial.values) + 1):
            arm.set(name, trial.values[min(k, len(trial.values) - 1)])
            for quantity, rows in found.items():
                rows.append(arm.get(quantity))
            if k < len(trial.values):
                arm.fmu.doStep(k * trial.step, trial.step)
    return {quantity: np.array(rows) for quantity, rows in found.items()}


def assert_moves_as_simulated(
    path: Path, arm: Any, trial: Trial, *, driven_by: str = "torque", integrator: Any = "rk4", **options: Any
) -> Any:
    """Compare positions, velocities and accelerations; the run of `simulate`."""
    dt = options.pop("dt", 1e-3)
    parameters = options.pop("parameters", {})
    motion = fmu_motion(path, trial, "tau" if driven_by == "torque" else driven_by, **parameters)
    given: dict[str, Any] = {
        driven_by: trial.signal,
        "integrator": integrator,
        "dt": dt,
        "sample": trial.step,
    }
    run = simulate(arm, trial.duration, q=trial.q, qd=trial.qd, **given, **options)
    for quantity in ("q", "qd", "qdd"):
        expected = getattr(run, quantity)
        rounding = SAME * (1 + np.abs(expected).max())
        np.testing.assert_allclose(motion[quantity], expected, rtol=0, atol=rounding, err_msg=quantity)
    return run

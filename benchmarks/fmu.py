"""A step of an exported FMU, driven by FMPy, beside the same step of `simulate`.

Both go through the same steps from the same states under the same torques, which is checked before anything
is timed. The FMU does them in one communication step, so that what FMPy takes for a call does not count;
`simulate` keeps every step of its run and prepares it anew each time, as it always does. How long the export
takes stands beside.
"""

import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Literal

import numpy as np

import armdyn as ad
from armdyn.exports.fmu import export_fmu
from armdyn.studies.speed.timing import Call, Effort, take_turns

ROBOTS = ("planar3", "ur5", "panda", "puma560", "irb6", "lola15")
INTEGRATORS: tuple[Literal["semi_implicit", "rk4"], ...] = ("semi_implicit", "rk4")
STEPS, DT = 100, 1e-3
TURNS = Effort(rounds=5, fewest=3, seconds=5.0, sample=1e-3)
SAME = 1e-9
"""Largest difference of positions after all steps."""


def run() -> list[dict[str, Any]]:
    """Rows of robot, integrator and state: ours_ns and peer_ns of a step, ratio, the time of the export."""
    if find_spec("fmpy") is None:
        return []
    return [row for name in ROBOTS for integrator in INTEGRATORS for row in _rows(name, integrator)]


def _rows(name: str, integrator: Literal["semi_implicit", "rk4"]) -> Iterator[dict[str, Any]]:
    dyn = ad.Dynamics(ad.load(name))
    with tempfile.TemporaryDirectory() as folder:
        begun = time.perf_counter()
        done = export_fmu(dyn.robot, folder, integrator=integrator, dt=DT)
        taken = time.perf_counter() - begun
        for state, (q, qd, tau) in _states(dyn).items():
            with _stepping(done.files[0], q, qd, tau) as ours:
                row = _row(dyn, ours, integrator, (q, qd, tau))
            yield {"robot": name, "integrator": integrator, "state": state, **row, "export_s": taken}


def _states(dyn: ad.Dynamics) -> dict[str, tuple[np.ndarray, ...]]:
    """All joints in motion, kept so by their torques; and, where friction can hold them, at rest."""
    rng = np.random.default_rng(0)
    q, qd = np.array(dyn.robot.home), rng.uniform(0.5, 1, dyn.n)
    found = {"in motion": (q, qd, dyn.inverse(q, qd, 0 * q))}
    if any(point.friction.dry for point in dyn.friction_points):
        found["at rest"] = (q, 0 * qd, dyn.gravity(q))
    return found


@contextmanager
def _stepping(
    path: Path, q: np.ndarray, qd: np.ndarray, tau: np.ndarray
) -> Iterator[Callable[[], np.ndarray]]:
    """All steps in one communication step, each time from the start; the positions at the end."""
    from fmpy import extract, read_model_description
    from fmpy.fmi3 import FMU3Slave

    description: Any = read_model_description(path)
    references = {v.name: v.valueReference for v in description.modelVariables}
    with tempfile.TemporaryDirectory() as folder:
        extract(path, folder)
        fmu = FMU3Slave(
            guid=description.guid,
            unzipDirectory=folder,
            modelIdentifier=description.coSimulation.modelIdentifier,
            instanceName="arm",
        )
        fmu.instantiate()
        for name, values in (("q_start", q), ("qd_start", qd), ("tau", tau)):
            fmu.setFloat64([references[f"{name}[{k + 1}]"] for k in range(len(q))], values.tolist())
        fmu.enterInitializationMode(startTime=0.0)
        fmu.exitInitializationMode()
        start, found = fmu.getFMUState(), [references[f"q[{k + 1}]"] for k in range(len(q))]

        def go() -> np.ndarray:
            fmu.setFMUState(start)
            fmu.doStep(0.0, STEPS * DT)
            return np.array(fmu.getFloat64(found))

        yield go
        fmu.freeFMUState(start)
        fmu.freeInstance()


def _row(
    dyn: ad.Dynamics,
    ours: Callable[[], np.ndarray],
    integrator: Literal["semi_implicit", "rk4"],
    start: tuple[np.ndarray, ...],
) -> dict[str, Any]:
    q, qd, tau = start

    def peer() -> np.ndarray:
        return ad.simulate(dyn, STEPS * DT, torque=tau, q=q, qd=qd, integrator=integrator, dt=DT).q[-1]

    difference = float(np.abs(ours() - peer()).max())
    assert difference < SAME, f"{dyn.robot.name}: the FMU is {difference:g} away"
    calls = [Call("steps", SimpleNamespace(go=function), "go") for function in (ours, peer)]
    ours_ns, peer_ns = (times.best / STEPS for times in take_turns(calls, TURNS))
    return {
        "dt_s": DT,
        "ours_ns": ours_ns,
        "peer": "simulate",
        "peer_ns": peer_ns,
        "ratio": peer_ns / ours_ns,
        "largest_difference": difference,
    }

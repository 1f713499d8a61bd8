"""A log of 100 000 samples of a seven-axis arm, beside plain NumPy and Pinocchio, on one core.

Parts: "regressor" is Y at all samples; "least squares" is weighted least squares of the base parameters with
their covariance, from the samples of a motion (no filter, no friction: what a script with NumPy and
Pinocchio does, its regressor state by state); "identify" is all of `ad.identify` from the log: filter,
friction, estimate, covariance, consistent parameters. It runs in a process of its own, in which linear
algebra has one thread, as it has one core.
"""

import json
import os
import subprocess
import sys
import tempfile
from functools import cache
from importlib import import_module
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

import armdyn as ad
from armdyn.identification.base_parameters import BaseParameters, base_parameters
from armdyn.identification.estimation.estimate import estimate
from armdyn.identification.logs import Log
from armdyn.identification.logs.samples import Samples
from armdyn.identification.observing import observed

SAMPLES, RATE = 100_000, 1000.0
ROBOT = "panda"
REPEATS = 3


def run() -> list[dict[str, Any]]:
    """Rows of part, samples, ours_ms, peer, peer_ms, ratio; the best of some runs."""
    alone = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run([sys.executable, __file__], env=alone, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def _rows() -> Any:
    arm = ad.load(ROBOT)
    plain = ad.Dynamics(arm, friction=False)
    base = base_parameters(plain)
    state = _motion(arm.n)
    tau = plain.inverse(*state) + np.random.default_rng(0).normal(size=state[0].shape)
    chunk = tuple(x[:4096] for x in state)
    ours = _best(lambda: plain.regressor(*chunk)) * SAMPLES / 4096
    theirs = _best(lambda: _pinocchio(arm, *(x[:2000] for x in state))) * SAMPLES / 2000
    yield _row("regressor", ours, theirs)
    ours = _best(lambda: _least_squares(plain, base, state, tau))
    found, expected = _least_squares(plain, base, state, tau), _numpy(arm, base, state, tau)
    assert np.allclose(found, expected, rtol=1e-6, atol=1e-6 * np.abs(expected).max())
    yield _row("least squares, covariance", ours, _best(lambda: _numpy(arm, base, state, tau), 1))
    log = Log.of(arm, np.arange(SAMPLES) / RATE, state[0], tau=tau)
    ad.identify(arm, log)
    yield _row("identify", _best(lambda: ad.identify(arm, log)), None)


def _row(part: str, ours: float, theirs: float | None) -> dict[str, Any]:
    return {
        "part": part,
        "robot": ROBOT,
        "samples": SAMPLES,
        "ours_ms": 1e3 * ours,
        "peer": None if theirs is None else "NumPy + Pinocchio",
        "peer_ms": None if theirs is None else 1e3 * theirs,
        "ratio": None if theirs is None else theirs / ours,
    }


def _best(call: Any, repeats: int = REPEATS) -> float:
    """[s] The shortest of some runs."""
    taken: list[float] = []
    for _ in range(repeats):
        start = perf_counter()
        call()
        taken.append(perf_counter() - start)
    return min(taken)


def _motion(n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng, time = np.random.default_rng(1), np.arange(SAMPLES)[:, None, None] / RATE
    w, phase, size = 0.6 * np.arange(1, 6)[:, None], rng.uniform(0, 6, (5, n)), rng.uniform(0.1, 0.3, (5, n))
    angle = w * time + phase
    return (
        (size * np.sin(angle)).sum(1),
        (size * w * np.cos(angle)).sum(1),
        -(size * w * w * np.sin(angle)).sum(1),
    )


def _least_squares(dyn: ad.Dynamics, base: BaseParameters, state: Any, tau: np.ndarray) -> np.ndarray:
    time = np.arange(SAMPLES) / RATE
    whole = (slice(0, SAMPLES),)
    q, qd, qdd = state
    samples = Samples(time, q, qd, qdd, tau, None, None, whole, RATE, RATE, np.inf)
    return estimate(observed(dyn, base, samples).observations, "weighted", np.zeros(len(base))).beta


# NumPy and Pinocchio --------------------------------------------------------------------------


@cache
def _model(arm: ad.Robot) -> Any:
    pin: Any = import_module("pinocchio")
    with tempfile.TemporaryDirectory() as folder:
        ad.save(arm, Path(folder) / "arm.urdf")
        return pin.buildModelFromUrdf(str(Path(folder) / "arm.urdf"))


def _pinocchio(arm: ad.Robot, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray) -> np.ndarray:
    """(t, n, p) one state after the other."""
    pin: Any = import_module("pinocchio")
    model = _model(arm)
    data = model.createData()
    found = np.empty((len(q), model.nv, 10 * (model.njoints - 1)))
    for k in range(len(q)):
        found[k] = pin.computeJointTorqueRegressor(model, data, q[k], qd[k], qdd[k])
    return found


def _numpy(arm: ad.Robot, base: BaseParameters, state: Any, tau: np.ndarray) -> np.ndarray:
    """Weighted least squares with covariance; as many independent columns as there are base parameters."""
    scipy: Any = import_module("scipy.linalg")
    Y = _pinocchio(arm, *state)
    kept = np.sort(scipy.qr(Y[::500].reshape(-1, Y.shape[2]), mode="r", pivoting=True)[1][: len(base)])
    columns = Y[..., kept].reshape(-1, len(kept))
    first = np.linalg.lstsq(columns, tau.ravel())[0]
    deviation = np.sqrt(np.mean((tau - (columns @ first).reshape(tau.shape)) ** 2, axis=0))
    weighted = columns / np.tile(deviation, len(tau))[:, None]
    beta = np.linalg.lstsq(weighted, (tau / deviation).ravel())[0]
    np.linalg.inv(weighted.T @ weighted)
    return _as_ours(arm, base, Y, kept, beta)


def _as_ours(arm: ad.Robot, base: BaseParameters, Y: np.ndarray, kept: Any, beta: np.ndarray) -> np.ndarray:
    """Their parameters as combinations of ours: the same torques."""
    some = slice(0, SAMPLES, 500)
    torques = Y[some][..., kept] @ beta
    q, qd, qdd = (x[some] for x in _motion(arm.n))
    own = base.regressor(ad.Dynamics(arm, friction=False).regressor(q, qd, qdd))
    return np.linalg.lstsq(own.reshape(-1, len(base)), torques.ravel())[0]


if __name__ == "__main__":
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    print(json.dumps(list(_rows())))

"""Batches of 100 000 states on one thread, evaluated with NumPy, beside Pinocchio's own batched C++.

Both take turns and the best of several repeats counts. Pinocchio gets the same robot as a URDF; it
knows no drives and no friction, so that a robot with both is measured without a peer.
"""

import tempfile
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

import armdyn as ad

STATES = 100_000
REPEATS = 7


def run() -> list[dict[str, object]]:
    """Rows of quantity, robot, ours_ns and peer_ns a state, and their ratio (the peer's to ours)."""
    return [*_beside_pinocchio("ur5"), *_beside_pinocchio("panda"), *_alone("lola15")]


def _beside_pinocchio(name: str) -> list[dict[str, object]]:
    pin: Any = import_module("pinocchio")
    arm = ad.load(name)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "arm.urdf"
        ad.save(arm, file)
        pool = pin.ModelPool(pin.buildModelFromUrdf(str(file)), 1)
    dyn, (q, qd, qdd) = ad.Dynamics(arm, "none"), _states(arm)
    tau = dyn.inverse(q, qd, qdd)
    columns = [np.asfortranarray(x.T) for x in (q, qd, qdd, tau)]
    inverse = _best(
        lambda: dyn.inverse(q, qd, qdd),
        lambda: pin.rneaInParallel(1, pool, columns[0], columns[1], columns[2]),
    )
    forward = _best(
        lambda: dyn.forward(q, qd, tau),
        lambda: pin.abaInParallel(1, pool, columns[0], columns[1], columns[3]),
    )
    return [
        _row("inverse", name, inverse[0], inverse[1], "pinocchio rneaInParallel"),
        _row("forward", name, forward[0], forward[1], "pinocchio abaInParallel"),
    ]


def _alone(name: str) -> list[dict[str, object]]:
    arm = ad.load(name)
    dyn, (q, qd, qdd) = ad.Dynamics(arm), _states(arm)
    tau = dyn.inverse(q, qd, qdd)
    kinds: dict[str, Callable[[], Any]] = {
        "inverse, drives and friction": lambda: dyn.inverse(q, qd, qdd),
        "forward, drives and friction": lambda: dyn.forward(q, qd, tau),
        "motor torque": lambda: dyn.motor_torque(q, tau),
    }
    return [_row(quantity, name, _best(call)[0]) for quantity, call in kinds.items()]


def _states(arm: ad.Robot) -> np.ndarray:
    return np.random.default_rng(0).uniform(-1, 1, (3, STATES, arm.n))


def _best(*calls: Callable[[], Any]) -> list[float]:
    """Best time of each call [ns a state]; they take turns."""
    times: list[list[int]] = [[] for _ in calls]
    for _ in range(REPEATS):
        for call, taken in zip(calls, times, strict=True):
            start = time.perf_counter_ns()
            call()
            taken.append(time.perf_counter_ns() - start)
    return [min(taken) / STATES for taken in times]


def _row(
    quantity: str, robot: str, ours: float, theirs: float | None = None, peer: str = ""
) -> dict[str, object]:
    ratio = None if theirs is None else round(theirs / ours, 2)
    figures = {"ours_ns": ours, "peer": peer, "peer_ns": theirs, "ratio": ratio}
    return {"quantity": quantity, "robot": robot, **figures}

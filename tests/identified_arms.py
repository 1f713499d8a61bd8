"""Small arms identified from logs that are made up: sines, noise, a gap, a second log, a payload."""

from functools import cache
from typing import Any

import numpy as np

import armdyn as ad
from armdyn.identification.identified import Identified
from armdyn.identification.identify import identify
from armdyn.identification.logs import Log
from log_signals import Sines

RATE, DURATION = 200.0, 12.0
NOISE = 0.01
"""Of torques, as a share of their largest."""
FREQUENCIES = ((0.3, 0.7, 1.1, 1.9), (0.2, 0.6, 1.3, 1.7), (0.4, 0.5, 0.9, 1.5), (0.25, 0.8, 1.2, 1.6))


def log_of(arm: Any, k: int, *, gap: bool = False, **more: Any) -> Log:
    """The log number k of an arm that moves in sines; `gap` leaves two seconds out."""
    time = np.arange(0.0, DURATION, 1 / RATE)
    sines = Sines(FREQUENCIES[k], (0.5, 0.3, 0.2, 0.1), arm.n)
    q, qd, qdd = (sines.at(time, order) for order in range(3))
    tau = ad.Dynamics(arm, friction=True).inverse(q, qd, qdd)
    noise = np.random.default_rng(k).normal(size=tau.shape) * NOISE * np.abs(tau).max(axis=0)
    kept = (time < 5.0) | (time > 7.0) if gap else np.ones(len(time), dtype=bool)
    return Log.of(arm, time[kept], q[kept], tau=(tau + noise)[kept], **{"name": f"run{k}.csv", **more})


@cache
def identified(robot: str = "planar2") -> Identified:
    """Two logs, one with a gap, a third to validate, a fourth with a payload."""
    arm = ad.load(robot)
    loaded = arm.with_payload(2.0, (0.1, 0.05, 0.0), (0.02, 0.02, 0.02, 0.0, 0.0, 0.0))
    logs = [log_of(arm, 0, gap=True), log_of(arm, 1)]
    return identify(arm, logs, validate=log_of(arm, 2), payload=log_of(loaded, 3))

"""What a force sensor at the wrist shows of a payload."""

from __future__ import annotations

import math

import numpy as np

from armdyn.dynamics import Dynamics
from armdyn.errors import InputError
from armdyn.identification.estimation.observations import Held, Observations
from armdyn.identification.logs import Samples
from armdyn.identification.observing import memory_of
from armdyn.identification.robot_parameters import SIZE


def wrist_observations(dyn: Dynamics, samples: Samples, decimate: int | None = None) -> Observations:
    """Force and moment on the payload, six rows a sample, and the regressor of its ten parameters."""
    if samples.sensor is None:
        raise InputError("no force at the wrist was measured, expected sensor1 to sensor6")
    columns = dyn.held_regressor(samples.q, samples.qd, samples.qdd)
    thinned, felt, memory = samples, samples.sensor, np.ones(1)
    if not math.isinf(samples.cutoff):
        thinned, columns = samples.parallel(columns, decimate)
        _, felt = samples.parallel(felt, decimate)
        memory = memory_of(samples, thinned)
    used = np.ones(felt.shape, dtype=bool)
    return Observations(felt, Held(columns), SIZE, used, thinned.segments, memory)

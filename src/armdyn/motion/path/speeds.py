"""How fast the tool is where one move becomes the next: as the accelerations in between allow."""

from __future__ import annotations

import math
from collections.abc import Sequence


def junction_speeds(
    lengths: Sequence[float], accelerations: Sequence[float], limits: Sequence[float]
) -> list[float]:
    """The highest speeds at the n - 1 junctions of n moves, from rest to rest.

    Args:
        lengths: (n) of the moves, without what corners take of them.
        accelerations: (n) with which each move changes its speed.
        limits: (n - 1) of the speeds at the junctions.
    """
    speeds = [0.0, *limits, 0.0]
    ramps = [2 * acceleration * length for acceleration, length in zip(accelerations, lengths, strict=True)]
    for k, ramp in enumerate(ramps):
        speeds[k + 1] = min(speeds[k + 1], math.sqrt(speeds[k] ** 2 + ramp))
    for k, ramp in reversed(list(enumerate(ramps))):
        speeds[k] = min(speeds[k], math.sqrt(speeds[k + 1] ** 2 + ramp))
    return speeds[1:-1]

"""The residual alarm: a joint's measured torque is off the predicted one, by more than noise and for a while.

A joint raises an alarm when its residual has been beyond its threshold for a duration without a break, and
ends it when the residual has been below a share of the threshold for as long.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from armdyn.errors import InputError
from armdyn.scalars import Array

SHARE = 0.1
"""Of a joint's largest torque: the threshold, unless another is asked for."""
DURATION = 0.1
"""[s]"""
RELEASE = 0.7
"""Share of the threshold below which an alarm ends."""


@dataclass(frozen=True)
class Threshold:
    """When a joint raises an alarm."""

    limits: Array
    """(n) residuals [N m or N]; infinite: no alarm"""
    duration: float = DURATION
    """[s] for which a residual is beyond its threshold"""


@dataclass(frozen=True)
class AlarmChange:
    """A joint raises an alarm, or it is over."""

    joint: int
    """From 0"""
    kind: Literal["raised", "over"]
    time: float
    """[s] when the residual went beyond its threshold, or came back"""
    peak: float
    """The largest residual so far [N m or N], with its sign"""
    threshold: float


class Alarm:
    """The alarms of all joints."""

    def __init__(self, threshold: Threshold) -> None:
        """No joint has raised one."""
        n = len(threshold.limits)
        self.threshold = threshold
        self.active: NDArray[np.bool_] = np.zeros(n, dtype=bool)
        self.peaks = np.zeros(n)
        self._since = np.full(n, np.nan)  # when residuals have crossed to the other side

    def set(self, threshold: Threshold) -> None:
        """Other thresholds from now on; what is raised stays so until it is over."""
        self.threshold = threshold
        self.interrupt()

    def interrupt(self) -> None:
        """What was beyond a threshold before a gap says nothing about what comes after."""
        self._since[:] = np.nan

    def update(self, time: float, residual: Array) -> list[AlarmChange]:
        """What changes at an instant with residuals (n); NaN says nothing."""
        sizes, limits = np.abs(residual), self.threshold.limits
        crossed = np.where(self.active, sizes < RELEASE * limits, sizes > limits)
        self._since = np.where(crossed, np.where(np.isnan(self._since), time, self._since), np.nan)
        larger = (self.active | crossed) & (sizes > np.abs(self.peaks))
        self.peaks = np.where(larger, residual, np.where(self.active | crossed, self.peaks, 0.0))
        due = np.flatnonzero(crossed & (time - self._since >= self.threshold.duration - 1e-9))
        return [self._change(int(joint)) for joint in due]

    def _change(self, joint: int) -> AlarmChange:
        raised = not self.active[joint]
        self.active[joint] = raised
        since, self._since[joint] = float(self._since[joint]), np.nan
        peak, limit = float(self.peaks[joint]), float(self.threshold.limits[joint])
        return AlarmChange(joint, "raised" if raised else "over", since, peak, limit)


def threshold_of(
    largest: Array,
    *,
    share: float | None = None,
    absolute: ArrayLike | None = None,
    duration: float | None = None,
) -> Threshold:
    """Thresholds for joints with the largest torques given (n; infinite if unknown).

    Args:
        largest: (n) [N m or N].
        share: of the largest torques; a joint whose largest torque is not known raises no alarm.
        absolute: [N m or N] for all joints, or (n); instead of a share.
        duration: [s] for which a residual is beyond its threshold.
    """
    if share is not None and absolute is not None:
        raise InputError("share and absolute are both given, expected one of them")
    seconds = DURATION if duration is None else duration
    if not 0 <= seconds <= 60:
        raise InputError(f"duration is {seconds:g} s, expected 0 to 60")
    if absolute is None:
        part = SHARE if share is None else share
        if not 0 < part <= 10:
            raise InputError(f"share is {part:g}, expected more than 0 and no more than 10")
        return Threshold(part * largest, seconds)
    limits = np.asarray(absolute, dtype=float)
    if limits.shape not in ((), largest.shape):
        raise InputError(f"absolute has shape {limits.shape}, expected one number or {len(largest)}")
    if not (limits > 0).all():
        raise InputError("absolute has a number that is not above zero, expected thresholds in N m or N")
    return Threshold(np.broadcast_to(limits, largest.shape).astype(float), seconds)

"""One robot's stream: samples in, measured and predicted torques out, a known time later.

    sample -> continuity -> cubic (value, slope, bend) -> predicted torque -> cubic of both torques -> alarm

The motion is told from the middle of a first window, and there the torque is predicted. Then predicted and
measured torque go through a second window alike (parallel filtering, as identification does): sharp edges,
such as friction that changes its sign, are smoothed on both sides and leave no residual.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from time import monotonic
from typing import Any, Literal

import numpy as np

from armdyn.errors import InputError
from armdyn.scalars import Array
from armdyn.simulation.files.mcap_messages import INFO, WARNING
from armdyn.studio.live.alarm import Alarm, AlarmChange, Threshold, threshold_of
from armdyn.studio.live.arrival import Arrival
from armdyn.studio.live.continuity import Continuity
from armdyn.studio.live.fitting import Fit, Window
from armdyn.studio.live.history import History
from armdyn.studio.live.prediction import Prediction, effort_limits
from armdyn.studio.live.recording import Recording
from armdyn.studio.live.telemetry import Layout, Sample

WINDOW = 0.1
"""[s] of each of the two windows, unless another is asked for."""
EVENTS = 200
"""What was said last is kept."""
OTHER_RATE = 1.25
"""Times a period: windows are made anew when it has changed by so much."""

Velocity = Literal["measured", "derived"]
COLUMNS = ("q", "qd", "measured", "predicted", "residual")
"""What a row of the history has after its time, (n) each."""


@dataclass(frozen=True)
class Event:
    """Something worth saying."""

    number: int
    time: float
    """[s] by the controller's clock"""
    kind: str
    text: str
    joint: int | None = None
    """From 0"""


@dataclass(frozen=True)
class Options:
    """How a stream is looked at."""

    window: float = WINDOW
    """[s] of a window: what is slower passes"""
    velocity: Velocity | None = None
    """As sent, or from positions; by default as sent where it is"""


class Stream:
    """What is known of a running robot."""

    def __init__(
        self, name: str, layout: Layout, prediction: Prediction, options: Options | None = None
    ) -> None:
        """Nothing has come yet; thresholds are a share of the joints' largest torques."""
        self.name, self.layout, self.options = name, layout, options or Options()
        self.prediction = prediction
        self.robot = prediction.dyn.robot
        self.continuity, self.arrival = Continuity(), Arrival()
        self.history = History(1 + len(COLUMNS) * self.robot.n)
        self.largest = effort_limits(self.robot, prediction.dyn)
        self.alarm = Alarm(threshold_of(self.largest))
        self.events: deque[Event] = deque(maxlen=EVENTS)
        self.event_count = 0
        self.recording: Recording | None = None
        self.connected = False
        self.peaks = np.zeros(self.robot.n)
        self._windows: tuple[Window, Window] | None = None
        self._period = 0.0
        self._last: Sample | None = None

    # Samples ----------------------------------------------------------------------------------

    def take(self, sample: Sample) -> None:
        """A sample more."""
        now = monotonic()
        verdict = self.continuity.take(sample)
        if verdict == "late":
            return
        if verdict == "anew":
            self._begin_anew(sample)
        self.arrival.mark(now, sample.time)
        self._last = sample
        if self.recording is not None:
            self.recording.sample(sample)
        windows = self._of_this_rate()
        if windows is None:
            return
        motion = windows[0].push(sample.time, sample.values)
        if motion is None:
            return
        both = windows[1].push(motion.time, self._torques(motion, windows[0].half))
        if both is not None:
            self._tell(both)

    def connect(self, *, on: bool) -> None:
        """A sender has come or gone."""
        if on:
            self.continuity.reconnect()
        if on != self.connected:
            self.connected = on
            self.say("connection", "connected" if on else "connection lost")

    def refuse(self, count: int = 1) -> None:
        """Samples that made no sense."""
        self.continuity.counts.refused += count

    def _begin_anew(self, sample: Sample) -> None:
        last = self._last
        if last is not None:
            away = sample.time - last.time
            what = f"{away:.3g} s without samples" if away > 0 else f"time went back by {-away:.3g} s"
            self.say("gap", what, last.time)
            row = np.full(1 + len(COLUMNS) * self.robot.n, np.nan)  # lines break here
            row[0] = last.time
            self.history.add(row)
        self.arrival.restart()
        self.alarm.interrupt()
        for window in self._windows or ():
            window.clear()

    def _of_this_rate(self) -> tuple[Window, Window] | None:
        """The windows for the period at which samples come; None until it is known."""
        period = self.continuity.period
        if period is None:
            return self._windows
        if self._windows is None or not 1 / OTHER_RATE < period / self._period < OTHER_RATE:
            half = round(self.options.window / 2 / period)
            self._period = period
            self._windows = Window(half, self.layout.width), Window(half, 4 * self.robot.n)
        return self._windows

    def _torques(self, fit: Fit, half: int) -> Array:
        """Positions, velocities, measured and predicted torques in the middle of the first window."""
        places = self.layout.places
        q = fit.value[places["q"]]
        if "qd" in places and self.options.velocity != "derived":
            qd, qdd = fit.value[places["qd"]], fit.slope[places["qd"]]
        else:
            qd, qdd = fit.slope[places["q"]], fit.bend[places["q"]]
        field = self.layout.effort
        effort = fit.raw[places[field]] if field else q
        measured = self.prediction.measured(field, q, effort)
        predicted = self.prediction.torque(q, qd, qdd, measured, half * self._period)
        return np.concatenate([q, qd, measured, predicted])

    def _tell(self, both: Fit) -> None:
        n = self.robot.n
        measured, predicted = both.value[2 * n : 3 * n], both.value[3 * n :]
        residual = measured - predicted
        self.history.add(np.concatenate([[both.time], both.raw[: 2 * n], measured, predicted, residual]))
        self.peaks = np.fmax(self.peaks, np.abs(residual))
        if self.recording is not None:
            self.recording.prediction(both.time, measured, predicted, residual)
        for change in self.alarm.update(both.time, residual):
            self._say_alarm(change)

    # What is said -----------------------------------------------------------------------------

    def say(self, kind: str, text: str, time: float | None = None, joint: int | None = None) -> None:
        """Something worth saying, now or at an instant."""
        at = time if time is not None else 0.0 if self._last is None else self._last.time
        self.events.append(Event(self.event_count, at, kind, text, joint))
        self.event_count += 1
        if self.recording is not None:
            self.recording.say(at, text, WARNING if kind in ("alarm", "gap") else INFO)

    def events_since(self, number: int) -> Iterable[Event]:
        """Events from a number on, as far as they are kept."""
        return [event for event in self.events if event.number >= number]

    def _say_alarm(self, change: AlarmChange) -> None:
        joint = self.robot.joints[change.joint]
        unit = "N" if joint.kind == "prismatic" else "N m"
        whose = f'joint {change.joint + 1} ("{joint.name}")'
        peak, limit = f"{change.peak:.3g} {unit}", f"{change.threshold:.3g} {unit}"
        if change.kind == "raised":
            text = f"{whose}: residual {peak} is beyond its threshold of {limit}"
            self.say("alarm", text, change.time, change.joint)
        else:
            text = f"{whose}: residual was {peak} at most, its threshold is {limit}"
            self.say("over", text, change.time, change.joint)

    # Settings ---------------------------------------------------------------------------------

    def predict_with(self, prediction: Prediction, options: Options) -> None:
        """Another model, as the payload is another, or other windows."""
        if not 0.02 <= options.window <= 2.0:
            raise InputError(f"window is {options.window:g} s, expected 0.02 to 2")
        self.prediction, self.options = prediction, options
        self.peaks[:] = 0.0
        self.alarm.interrupt()
        self._windows = None

    def alarm_beyond(self, threshold: Threshold) -> None:
        """Other thresholds."""
        self.alarm.set(threshold)

    @property
    def delay(self) -> float:
        """[s] by which torques are told after they were measured."""
        return 0.0 if self._windows is None else self._period * sum(window.half for window in self._windows)

    @property
    def last(self) -> Sample | None:
        """The sample that came last."""
        return self._last

    def status(self) -> dict[str, Any]:
        """How the stream is doing, for pages."""
        now, counts = monotonic(), self.continuity.counts
        written = None if self.recording is None else self.recording.written
        return {
            "rate": round(self.arrival.rate(now), 2),
            "behind": round(float(self.arrival.behind), 4),
            "silent": None if self._last is None else round(now - self.arrival.last, 2),
            "delay": round(float(self.delay), 4),
            **vars(counts),
            "connected": self.connected,
            "alarm": self.alarm.active.tolist(),
            "peaks": [round(float(x), 6) for x in self.peaks],
            "recording": None if written is None else {**vars(written), "path": written.path.name},
        }

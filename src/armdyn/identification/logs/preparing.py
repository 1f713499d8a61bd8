"""From a log to samples: even instants, one zero-phase low-pass for all, slopes, no ends, thinned out."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from armdyn.dynamics import Dynamics
from armdyn.errors import InputError, counted
from armdyn.identification.logs.cutoff import LARGEST, automatic_cutoff, encoder_steps
from armdyn.identification.logs.differences import REACH, bends, inner, slopes
from armdyn.identification.logs.log import Log
from armdyn.identification.logs.low_pass import LowPass
from armdyn.identification.logs.samples import Samples, decimation, side_by_side
from armdyn.identification.logs.segments import Segment, segments_of, usual_period
from armdyn.identification.logs.velocities import notes_on_velocities
from armdyn.scalars import Array

FEWEST = 10
"""Samples of a stretch that are left: a shorter one is not worth its ends."""
FORCES = ("effort", "wrench", "sensor")
"""What is measured beside the motion."""
MOTION = 2.5
"""Cutoffs up to which a motion is kept if both sides of equations are filtered afterwards: the filter takes
6e-4 off what is at the cutoff then, and next to nothing of what is below."""

Velocity = Literal["measured", "derived"]


def prepared(
    log: Log,
    dyn: Dynamics,
    *,
    cutoff: float | None = None,
    decimate: int | None = None,
    velocity: Velocity | None = None,
    trim: float | None = None,
    raw: bool = False,
) -> Samples:
    """The samples of a log from which parameters are told.

    Gaps cut the log into segments; each is brought to even instants and goes through a Butterworth filter
    forth and back, positions, torques and all else through the same, so that all lose the same and none lags.
    Velocities and accelerations are central differences of the filtered positions. Currents and torques of
    motors become those of joints at the filtered positions.

    Args:
        log: what was measured.
        dyn: of the robot; it knows gears and torque constants.
        cutoff: [Hz] where the filter leaves one half; by default six times the highest frequency of the
            motion, found in the spectrum of the positions; `math.inf` to filter nothing.
        decimate: keep one sample in so many; by default 2.5 in a period of the cutoff.
        velocity: "derived" from positions, the default, or "measured": accelerations are then those of the
            measured velocities. These often lag, as controllers filter them; a note tells.
        raw: leave torques and forces as they were measured, and of the motion what is up to 2.5 times the
            cutoff: for `Samples.parallel`, which filters both sides of equations.
        trim: [s] left out at both ends of each segment; by default 3/cutoff, until the filter has settled.
    """
    _check(log, dyn, velocity, trim)
    rate = 1 / usual_period(log.time)
    segments = segments_of(log.time, _signals(log), 1 / rate)
    chosen, said = _cutoff(cutoff, segments, log, rate)
    low_pass = LowPass(chosen, rate)
    of_motion = LowPass(min(MOTION * chosen, LARGEST * rate), rate) if raw and chosen < math.inf else low_pass
    filters = {"q": of_motion, "measured": of_motion} | ({} if raw else dict.fromkeys(FORCES, low_pass))
    ends = math.ceil((low_pass.settling if trim is None else trim) * rate - 1e-9)
    factor = decimation(decimate, chosen, rate)
    long = [each for each in segments if len(each.time) >= 2 * (REACH + ends) + FEWEST]
    if not long:
        raise InputError(_too_short(segments, ends, low_pass, log))
    full = [_differentiated(each, filters, "derived" if velocity is None else velocity) for each in long]
    said += notes_on_velocities([part.arrays for part in full])
    kept = [part.cut(ends, factor) for part in full]
    arrays = {name: np.concatenate([part.arrays[name] for part in kept]) for name in kept[0].arrays}
    return Samples(
        np.concatenate([part.time for part in kept]),
        arrays["q"],
        arrays["qd"],
        arrays["qdd"],
        _torques(arrays["q"], arrays["effort"], log, dyn),
        arrays.get("wrench"),
        arrays.get("sensor"),
        side_by_side([len(part.time) for part in kept]),
        rate,
        rate / factor,
        chosen,
        (*log.notes, *_said_of(segments, long), *said),
    )


# Steps ----------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _Stretch:
    """A segment, filtered and differentiated."""

    time: Array
    arrays: Mapping[str, Array]

    def cut(self, ends: int, factor: int) -> _Stretch:
        """Without so many samples at both ends, one in so many."""
        rows = slice(ends, len(self.time) - ends, factor)
        return _Stretch(self.time[rows], {name: values[rows] for name, values in self.arrays.items()})


def _signals(log: Log) -> dict[str, Array]:
    given = {"q": log.q, "measured": log.qd, "effort": log.effort, "wrench": log.wrench, "sensor": log.sensor}
    return {name: values for name, values in given.items() if values is not None}


def _differentiated(segment: Segment, filters: Mapping[str, LowPass], velocity: Velocity) -> _Stretch:
    """q, qd, qdd and what was measured beside, but for the ends that slopes need."""
    filtered = {
        name: filters[name].filtered(values) if name in filters else values
        for name, values in segment.signals.items()
    }
    period = 1 / filters["q"].rate
    arrays = {name: inner(values) for name, values in filtered.items()}
    if velocity == "measured":
        arrays["qd"], arrays["qdd"] = arrays["measured"], slopes(filtered["measured"], period)
    else:
        arrays["qd"], arrays["qdd"] = slopes(filtered["q"], period), bends(filtered["q"], period)
    return _Stretch(inner(segment.time), arrays)


def _torques(q: Array, effort: Array, log: Log, dyn: Dynamics) -> Array:
    """(t, n) joint torques of what was measured."""
    if log.kind == "current":
        return dyn.torque_of_currents(q, effort)
    return dyn.torque_of_motors(q, effort) if log.kind == "motor_torque" else effort


def _cutoff(cutoff: float | None, segments: list[Segment], log: Log, rate: float) -> tuple[float, list[str]]:
    """The cutoff [Hz] that is asked for, or the one that the longest segment's motion needs."""
    longest = max(segments, key=lambda segment: len(segment.time))
    if cutoff is not None:
        if not cutoff > 0 or (cutoff >= rate / 2 and not math.isinf(cutoff)):
            expected = f"a frequency above 0 and below {rate / 2:.4g}, half the rate of {log.name}"
            raise InputError(f"cutoff is {cutoff:g} Hz, expected {expected}")
        if cutoff * len(longest.time) < rate:
            lasts = f"{log.name} lasts {len(longest.time) / rate:.3g} s without a gap"
            raise InputError(f"cutoff is {cutoff:g} Hz, {lasts}, expected one period in it or more")
        return float(cutoff), []
    found = automatic_cutoff(longest.signals["q"], encoder_steps(log.q), rate)
    if found is None:
        raise InputError(f"{log.name}: no joint moves, no cutoff can be told from it; give cutoff=")
    notes = [f"low-pass with a cutoff of {found:.3g} Hz, from the spectrum of the positions"]
    if found >= LARGEST * rate:
        notes.append(f"the motion is too fast for the rate of {rate:.4g} Hz: sample faster, or give cutoff=")
    return found, notes


def _check(log: Log, dyn: Dynamics, velocity: str | None, trim: float | None) -> None:
    if log.q.shape[1] != dyn.n:
        raise InputError(
            f'{log.name}: of {counted(log.q.shape[1], "joint")}, robot "{dyn.robot.name}" has {dyn.n}; '
            "expected a log of that robot"
        )
    if velocity not in (None, "measured", "derived"):
        raise InputError(f'velocity is "{velocity}", expected "measured" or "derived"')
    if velocity == "measured" and log.qd is None:
        raise InputError(
            f'{log.name}: no velocities were measured, expected qd1, ..; take velocity="derived"'
        )
    if trim is not None and not 0 <= trim < math.inf:
        raise InputError(f"trim is {trim}, expected seconds, 0 or more")


# What to say ----------------------------------------------------------------------------------


def _too_short(segments: list[Segment], ends: int, low_pass: LowPass, log: Log) -> str:
    longest = max(len(segment.time) for segment in segments) / low_pass.rate
    needed = (2 * (REACH + ends) + FEWEST) / low_pass.rate
    what = "log" if len(segments) == 1 else f"longest of {len(segments)} stretches between gaps"
    return (
        f"{log.name}: the {what} takes {longest:.3g} s, expected {needed:.3g} s or more for a filter of "
        f"{low_pass.cutoff:.3g} Hz to settle; record longer, or give a higher cutoff="
    )


def _said_of(segments: list[Segment], long: list[Segment]) -> list[str]:
    notes: list[str] = []
    if len(segments) > 1:
        lost = len(segments) - len(long)
        too_short = f", {lost} of them too short to filter and left out" if lost else ""
        notes.append(f"gaps in time: {len(segments)} stretches{too_short}")
    if any(segment.resampled for segment in long):
        notes.append("uneven time: brought to even instants by cubic splines")
    return notes

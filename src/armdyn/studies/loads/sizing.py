"""Which motor suffices: peak and mean torque and speed of every drive over motions, beside candidates."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from armdyn.dynamics import Dynamics
from armdyn.errors import InputError, MissingDataError, counted
from armdyn.extremes import Bound, Extremes
from armdyn.extremes.workspace import loads
from armdyn.formats.motions import Motion
from armdyn.mechanics.tree.motors import MotorModel, check_motors
from armdyn.robot import Robot
from armdyn.scalars import Array
from armdyn.studies.loads.rows import Row, Study
from armdyn.studies.loads.search import Progress
from armdyn.studies.loads.settings import payload_document
from armdyn.studies.loads.sizing_candidates import Candidates, CandidatesLike, candidates_of, checked_gears
from armdyn.studies.loads.sizing_drives import Fit, fits, gear_of, mass_counts
from armdyn.studies.loads.sizing_motions import MotionLike, motions_of
from armdyn.studies.loads.sizing_pictures import pictures
from armdyn.studies.motor_use import MotorUse, motor_use

QUANTITIES = ("motor_torque_peak", "motor_torque_rms", "motor_speed")
SAMPLES = "extremes are those of the motions' samples: nothing is known of what lies between them"
SMALLEST = (
    "the smallest candidate is the one with the least rated torque, then peak torque, then rotor inertia"
)


def sizing(
    robot: Robot,
    motors: MotorModel | None = None,
    *,
    motions: MotionLike,
    candidates: CandidatesLike | None = None,
    gears: Iterable[float] | None = None,
    friction: bool | None = None,
    progress: Progress | None = None,
) -> Study:
    """What motions ask of every motor, and which candidates can do it.

    Args:
        robot: with as many drives as joints; a payload gives rows without and with it.
        motors: how much of the drives the equations see, by default the best their data support.
        motions: .csv or .parquet files, (time, q) or (time, q, qd, qdd), plans, simulations, verifications.
        candidates: a .toml file, or a list of `Candidate` or tables; each takes the place of the motor of one
            drive, with its own rotor inertia.
        gears: ratios to try with every candidate, by default those of the file, or each drive's own.
        friction: on where the robot has some, by default.
        progress: called with what is being looked for and the share that is done.

    Returns:
        Rows `motor_torque_peak`, `motor_torque_rms` and `motor_speed` of every drive, minimum and maximum
        over time (of root mean squares: over the motions); `candidates` and the `smallest` that suffices.
    """
    _check_drives(robot)
    model = check_motors(robot, motors)
    named = motions_of(robot, motions)
    moved = tuple(named.values())
    offered = None if candidates is None else candidates_of(candidates)
    if gears is not None:
        if offered is None:
            raise InputError("gears are tried with candidates, but there are none; add candidates")
        offered = Candidates(offered.motors, checked_gears(gears))
    rows: list[Row] = []
    names = [drive.name for drive in robot.drives]
    loaded = loads(robot)
    steps = len(loaded) * len(robot.drives)
    for load, arm in loaded:
        dyn = Dynamics(arm, model, friction)
        uses = _uses(dyn, moved)
        for k, drive in enumerate(arm.drives):
            found = [] if offered is None else _tried(dyn, k, moved, offered)
            rows += _rows(Loaded(load, arm, k, moved, uses), found, chosen=offered is not None)
            if progress is not None:
                progress(f"motor of {drive.name}", (len(rows) // 3) / steps)
    rows.sort(key=lambda row: (names.index(row.more["drive"]), QUANTITIES.index(row.quantity)))
    notes = (SAMPLES, *_notes(robot, offered), *(note for motion in moved for note in motion.notes))
    settings = _settings(Dynamics(robot, model, friction), named, offered)
    return Study("sizing", robot, tuple(rows), settings, pictures(rows), tuple(dict.fromkeys(notes)))


def _settings(dyn: Dynamics, motions: Mapping[str, Motion], offered: Candidates | None) -> dict[str, Any]:
    """What must be known to repeat the study."""
    robot = dyn.robot
    return {
        "motors": dyn.motors,
        "friction": "on" if dyn.friction else "off",
        "gravity": np.array(robot.gravity, dtype=float).tolist(),
        "payloads": [payload_document(payload) for payload in robot.payloads],
        "motions": [
            {"name": name, "samples": len(m.time), "duration": float(m.time[-1] - m.time[0])}
            for name, m in motions.items()
        ],
        "candidates": [] if offered is None else [vars(motor) for motor in offered.motors],
        "gears": [] if offered is None else list(offered.gears),
    }


@dataclass(frozen=True)
class Loaded:
    """One drive under one load, along all motions."""

    load: str
    robot: Robot
    k: int
    motions: Sequence[Motion]
    uses: Sequence[MotorUse]

    @property
    def joint(self) -> int:
        """Number of the joint that it serves, from 1."""
        drive = self.robot.drives[self.k]
        turns = dict(drive.coupling.weights)
        name = drive.joint if drive.joint in self.robot.positions else max(turns, key=lambda n: abs(turns[n]))
        return self.robot.positions[name] + 1


def _check_drives(robot: Robot) -> None:
    if len(robot.drives) != robot.n:
        has = f"{counted(len(robot.drives), 'drive')} for {counted(robot.n, 'joint')}"
        raise MissingDataError(
            f'robot "{robot.name}" has {has}, sizing needs as many drives as joints; describe them'
        )


def _uses(dyn: Dynamics, motions: Sequence[Motion]) -> list[MotorUse]:
    return [motor_use(dyn, m.time, m.q, m.qd, m.qdd) for m in motions]


def _tried(dyn: Dynamics, k: int, motions: Sequence[Motion], offered: Candidates) -> list[Fit]:
    """Every candidate at every gear in a drive."""
    own = gear_of(dyn.robot.drives[k])
    gears = (None,) if own is None or not offered.gears else offered.gears
    return [fit for gear in gears for fit in fits(dyn, k, gear, motions, offered.motors)]


# Rows -----------------------------------------------------------------------------------------


def _rows(drive: Loaded, found: Sequence[Fit], *, chosen: bool) -> list[Row]:
    """Torque, its root mean square, and speed of one drive."""
    k, motors = drive.k, [use.motors[drive.k] for use in drive.uses]
    named: dict[str, Any] = {"drive": motors[0].name, "gear": gear_of(drive.robot.drives[k])}
    torque, speed = (
        _over_time(drive.motions, [getattr(use, name)[:, k] for use in drive.uses])
        for name in ("torque", "velocity")
    )
    means = sorted(load.rms_torque for load in motors)
    peak = {
        "largest": max(load.peak_torque for load in motors),
        "torque_share": _most(load.torque_share for load in motors),
    }
    if chosen:
        peak |= {"candidates": [fit.document() for fit in found], "smallest": _smallest(found)}
    mean = {"rms_share": _most(load.rms_share for load in motors)}
    quick = {
        "largest": max(load.peak_speed for load in motors),
        "speed_share": _most(load.speed_share for load in motors),
    }
    nowhere = np.empty(0)
    over_motions = Extremes(
        Bound(means[0], nowhere, -np.inf, False), Bound(means[-1], nowhere, np.inf, False)
    )
    return [
        Row(drive.joint, quantity, drive.load, unit, extremes, None, {**named, **more})
        for quantity, unit, extremes, more in zip(
            QUANTITIES,
            ("N m", "N m", "rad/s"),
            (torque, over_motions, speed),
            (peak, mean, quick),
            strict=True,
        )
    ]


def _over_time(motions: Sequence[Motion], values: Sequence[Array]) -> Extremes:
    """The least and the largest sample, with the posture of each; no bound is known."""
    low = min(range(len(values)), key=lambda m: values[m].min())
    high = max(range(len(values)), key=lambda m: values[m].max())
    first, last = int(values[low].argmin()), int(values[high].argmax())
    return Extremes(
        Bound(float(values[low][first]), motions[low].q[first], -np.inf, False),
        Bound(float(values[high][last]), motions[high].q[last], np.inf, False),
    )


def _most(shares: Iterable[float | None]) -> float | None:
    known = [share for share in shares if share is not None]
    return max(known) if known else None


def _smallest(found: Sequence[Fit]) -> dict[str, Any] | None:
    """The smallest candidate that suffices, at the gear that leaves it most."""
    good = [fit for fit in found if fit.suffices]
    if not good:
        return None
    best = min(good, key=lambda fit: (fit.candidate.size, max(fit.shares)))
    return {"name": best.candidate.name, "gear": best.gear}


def _notes(robot: Robot, offered: Candidates | None) -> list[str]:
    if offered is None:
        return []
    found = [SMALLEST]
    if any(motor.mass for motor in offered.motors):
        still = [drive.name for drive in robot.drives if not mass_counts(drive)]
        if still:
            found.append(
                f"masses of candidates do not count in {', '.join(still)}: the robot file does not say where "
                "these motors sit with a mass of their own"
            )
    fixed = [drive.name for drive in robot.drives if gear_of(drive) is None]
    if offered.gears and fixed:
        found.append(f"gears of {', '.join(fixed)} change with the posture: no other ratios are tried there")
    if bare := [motor.name for motor in offered.motors if not motor.torque_known]:
        found.append(f"no torque limit is known of {', '.join(bare)}: never said to suffice")
    return found

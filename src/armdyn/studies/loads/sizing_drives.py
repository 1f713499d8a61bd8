"""Another motor in a drive: the robot changed, and what its shaft then gives along motions.

Torques are linear in the inertia and the mass of a rotor, so that every candidate of a drive follows from
few robots: without rotor, with one of unit inertia, and with one of unit mass. Friction that grows with the
load is not linear; there every candidate is a robot of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from armdyn.dynamics import Dynamics
from armdyn.formats.motions import Motion
from armdyn.mechanics.motor_limits import envelope_share, rms, speed_limit
from armdyn.mechanics.tree.motors import MotorModel, default_motors
from armdyn.robot import Coupling, Drive, Robot, Rotor
from armdyn.scalars import Array
from armdyn.studies.loads.sizing_candidates import Candidate
from armdyn.studies.motor_use import EDGE

Sampled = tuple[Array, Array, Array]
"""Time [s], torque [N m] and speed [rad/s] of a motor along a motion."""


@dataclass(frozen=True)
class Fit:
    """How a candidate does in a drive at a gear ratio; a share is of its limit, None is unknown."""

    candidate: Candidate
    gear: float | None
    """None where it changes with the posture"""
    peak_torque: float
    """Largest magnitude [N m]"""
    rms_torque: float
    """Of the motion that heats it most [N m]"""
    speed: float
    """Largest magnitude [rad/s]"""
    rms_speed: float
    peak_share: float | None
    rms_share: float | None
    speed_share: float | None
    rated_speed_share: float | None
    """Root mean square of the speed, against the rated speed"""

    @property
    def shares(self) -> tuple[float, ...]:
        """Those that are known."""
        shares = (self.peak_share, self.rms_share, self.speed_share, self.rated_speed_share)
        return tuple(share for share in shares if share is not None)

    @property
    def suffices(self) -> bool | None:
        """Whether the motor stays inside all of its known limits; None where no torque is among them."""
        if any(share > 1 + EDGE for share in self.shares):
            return False
        return True if self.candidate.torque_known else None

    def document(self) -> dict[str, object]:
        """As JSON has it."""
        found = {name: value for name, value in vars(self).items() if name != "candidate"}
        return {"name": self.candidate.name, **found, "suffices": self.suffices}


def gear_of(drive: Drive) -> float | None:
    """Turns of the motor for one of the joint it serves; None where that changes with the posture."""
    turns = dict(drive.coupling.weights)
    if drive.coupling.law is not None or not turns:
        return None
    return abs(turns[drive.joint] if drive.joint in turns else max(turns.values(), key=abs))


def fits(
    dyn: Dynamics, k: int, gear: float | None, motions: Sequence[Motion], candidates: Sequence[Candidate]
) -> list[Fit]:
    """Every candidate in the drive number k, from 0, of a robot; the gear None is the drive's own."""
    drive = dyn.robot.drives[k]
    own = gear_of(drive)
    factor = 1.0 if gear is None or own is None else gear / own
    rotors = [(c.rotor_inertia, _mass(drive, c)) for c in candidates]

    def torques(rotor: tuple[float, float]) -> list[Sampled]:
        return _torques(dyn, k, rotor, factor, motions)

    moved = map(torques, rotors) if _rubs_with_load(dyn.robot) else _combined(torques, rotors)
    shown = own if gear is None or own is None else gear
    return [_fit(candidate, shown, sampled) for candidate, sampled in zip(candidates, moved, strict=True)]


def _mass(drive: Drive, candidate: Candidate) -> float:
    """What the motor weighs where that counts: as the candidate says, or else as the present one."""
    if drive.rotor is None or not mass_counts(drive):
        return 0.0
    return (drive.rotor.mass or 0.0) if candidate.mass is None else candidate.mass


def _combined(
    torques: Callable[[tuple[float, float]], list[Sampled]], rotors: Sequence[tuple[float, float]]
) -> Iterator[list[Sampled]]:
    """Torques of every rotor (inertia, mass), from those of three."""
    weighs = any(mass for _, mass in rotors)
    without, unit = torques((0.0, 0.0)), torques((1.0, 0.0))
    heavy = torques((0.0, 1.0)) if weighs else without
    for inertia, mass in rotors:
        yield [
            (t, a + inertia * (b - a) + mass * (c - a), w)
            for (t, a, w), (_, b, _), (_, c, _) in zip(without, unit, heavy, strict=True)
        ]


def _rubs_with_load(robot: Robot) -> bool:
    return any(part.friction.load for part in (*robot.joints, *robot.drives))


def mass_counts(drive: Drive) -> bool:
    """Whether the mass of a motor moves with the arm as far as the robot's data go."""
    return drive.rotor is not None and drive.rotor.placed and drive.rotor.mass is not None


def _fit(candidate: Candidate, gear: float | None, motions: Sequence[Sampled]) -> Fit:
    motor = candidate.motor
    peak = max(float(np.abs(torque).max()) for _, torque, _ in motions)
    mean = max(float(rms(t, torque)) for t, torque, _ in motions)
    speed = max(float(np.abs(w).max()) for _, _, w in motions)
    turning = max(float(rms(t, w)) for t, _, w in motions)
    shares = [envelope_share(motor, w, torque) for _, torque, w in motions]
    known = [float(share.max()) for share in shares if share is not None]
    fastest, rated, steady = speed_limit(motor), candidate.rated_torque, candidate.rated_speed
    return Fit(
        candidate,
        gear,
        peak,
        mean,
        speed,
        turning,
        max(known) if known else None,
        None if rated is None else mean / rated,
        None if np.isinf(fastest) else speed / fastest,
        None if steady is None else turning / steady,
    )


def _torques(
    dyn: Dynamics, k: int, rotor: tuple[float, float], factor: float, motions: Sequence[Motion]
) -> list[Sampled]:
    """What the motor of drive k does along every motion with a rotor (inertia, mass), so many times as fast.

    Row k of the gear matrix K has the factor: the motor's torque is that of K^-T tau divided by it.
    """
    changed = with_rotor(dyn.robot, k, *rotor, factor)
    moving = Dynamics(changed, _supported(changed, dyn.motors), dyn.friction)
    found: list[Sampled] = []
    for motion in motions:
        torque = dyn.motor_torque(motion.q, moving.inverse(motion.q, motion.qd, motion.qdd))[:, k]
        speed = dyn.motor_velocity(motion.q, motion.qd)[:, k]
        found.append((motion.time, torque / factor, speed * factor))
    return found


def _supported(robot: Robot, model: MotorModel) -> MotorModel:
    """The model where it sees the rotor and the data support it, else the best that does."""
    best = default_motors(robot)
    order: tuple[MotorModel, ...] = ("exact", "augmented", "coupled", "reflected")
    return model if model in order and order.index(model) >= order.index(best) else best


def with_rotor(robot: Robot, k: int, inertia: float, mass: float, factor: float) -> Robot:
    """The robot whose drive k has another rotor, and turns so many times as fast."""
    drive = robot.drives[k]
    rotor = Rotor(inertia)
    if drive.rotor is not None and drive.rotor.placed:
        held = mass if mass_counts(drive) else None
        rotor = Rotor(inertia, None, held, drive.rotor.carrier, drive.rotor.placement)
    stages = tuple(replace(stage, ratio=stage.ratio / factor) for stage in drive.stages)
    turned = replace(
        drive, rotor=rotor, stages=stages, joint_inertia=None, coupling=_faster(drive.coupling, factor)
    )
    return replace(robot, drives=(*robot.drives[:k], turned, *robot.drives[k + 1 :]))


def _faster(coupling: Coupling, factor: float) -> Coupling:
    if factor == 1.0:
        return coupling
    weights = tuple((name, factor * weight) for name, weight in coupling.weights)
    return Coupling(weights, factor * coupling.offset, coupling.law)

"""[Siciliano2009] 7.7: dynamic scaling of trajectories, on the motions of Example 7.2."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from siciliano2009_motions import Motion, different_duration, motions, planar2
from siciliano2009_tables import rows, shown
from verdicts import EQUAL, Claim, gap, proven

import armdyn as ad
from armdyn.feasibility.arm import Arm
from armdyn.retiming.intervals import Kinks, allowed, beyond
from armdyn.retiming.limits import limits
from armdyn.retiming.torques import Course
from armdyn.robot import Robot

Array = np.ndarray
LIMITS = (5000.0, 3000.0)
"""Of the joints' torques [N m]: less than the motions take."""
OTHER_RATES = (0.6, 1.5)
"""c of r = c t."""


def claims() -> list[Claim]:
    """What 7.7 says, in numbers."""
    return [_claim_scaling(), _claim_any_timing(), _claim_gravity(), _claim_recipe()]


def factor_table() -> str:
    """The exact largest c of each motion, beside that of the joint that exceeds its limit most."""
    body = [
        [motion.name, shown(limit), f"{_largest(motion, limit):.4f}", f"{_recipe(motion, limit):.4f}",
         shown(_peak(motion, _recipe(motion, limit)))]
        for limit in LIMITS
        for motion in motions()
    ]  # fmt: skip
    header = ("motion", "limit [N m]", "exact c", "c of the largest excess", "torque then [N m]")
    return rows(header, body)


def _claim_scaling() -> Claim:
    worst = max(
        gap(_scaled(motion, c) - _gravity(motion), c * c * (motion.torque - _gravity(motion)))
        for motion in motions()
        for c in OTHER_RATES
    )
    return Claim(
        "(7.126), r = c t",
        "tau_s(t) = c^2 tau_s(c t)",
        f"inverse dynamics recomputed for c = {shown(OTHER_RATES[0])} and {shown(OTHER_RATES[1])}",
        proven("right: equal to rounding", worst < EQUAL),
    )


def _claim_any_timing() -> Claim:
    """r with a second derivative: B q' is the torque of the acceleration q' alone."""
    rate, bend = 0.7, -2.3
    worst = 0.0
    for motion in motions():
        q, first, second = motion.q, motion.qd, motion.qdd
        still = np.zeros_like(q)
        taken = planar2().inverse(q, rate * first, rate**2 * second + bend * first) - _gravity(motion)
        along = planar2().inverse(q, still, first) - _gravity(motion)
        worst = max(worst, gap(taken, rate**2 * (motion.torque - _gravity(motion)) + bend * along))
    return Claim(
        "(7.126)",
        "tau_s = rd^2 tau_s(r) + rdd B q'",
        f"for rd = {shown(rate)}, rdd = {shown(bend)} all along",
        proven("right: equal to rounding", worst < EQUAL),
    )


def _claim_gravity() -> Claim:
    motion = different_duration()
    limit = float(np.abs(_gravity(motion)).max())
    return Claim(
        "7.7, limits",
        "not to be exceeded by the gravity torques alone",
        f"`armdyn retime --mode uniform` says so: in the motion of {motion.name} gravity alone takes up to "
        f"{shown(limit)} N m of joint 1",
        proven(
            "right, and said with the joint and the instant",
            _largest(motion, 1.01 * limit) > 0,
            np.isnan(_largest(motion, 0.99 * limit)),
        ),
    )


def _claim_recipe() -> Claim:
    motion, limit = different_duration(), LIMITS[-1]
    exact, recipe = _largest(motion, limit), _recipe(motion, limit)
    return Claim(
        "7.7, c",
        "the joint that has exceeded its limit more than the others determines c^2",
        f"{motion.name}, {shown(limit)} N m: c = {recipe:.4f} by the largest excess leaves "
        f"{shown(_peak(motion, recipe))} N m; {exact:.4f} is exact",
        proven(
            "**not in general**: gravity is not scaled, so that another joint or another instant may be the "
            "one; armdyn takes the least c of all",
            _peak(motion, recipe) > 1.05 * limit,
            abs(_peak(motion, exact) / limit - 1) < EQUAL,
        ),
    )


# Scaling --------------------------------------------------------------------------------------


def _gravity(motion: Motion) -> Array:
    return planar2().gravity(motion.q)


def _scaled(motion: Motion, c: float) -> Array:
    """The torques (t, 2) at c times the speed, computed anew."""
    return planar2().inverse(motion.q, c * motion.qd, c * c * motion.qdd)


def _peak(motion: Motion, c: float) -> float:
    return float(np.abs(_scaled(motion, c)).max())


def _recipe(motion: Motion, limit: float) -> float:
    """c by the joint and instant of the largest excess."""
    k, j = np.unravel_index(np.argmax(np.abs(motion.torque)), motion.torque.shape)
    torque, g = motion.torque[k, j], _gravity(motion)[k, j]
    way = np.sign(torque)
    return float(np.sqrt((limit - way * g) / (way * (torque - g))))


def _largest(motion: Motion, limit: float) -> float:
    """The largest c, NaN if there is none: as `armdyn.retiming` finds it for motors with this limit."""
    arm = Arm(ad.Dynamics(_limited(planar2().robot, limit), "exact"))
    course = Course(motion.q, motion.qd, np.zeros_like(motion.q), motion.qdd)
    kinks = Kinks(len(motion.q))
    found = allowed([beyond(each.share, kinks)[0] for each in limits(arm, course).shares])
    return found[-1][1] if found else np.nan


def _limited(robot: Robot, limit: float) -> Robot:
    """The robot with motors that give so much at its joints, and no other limits."""
    drives = tuple(
        replace(drive, motor=replace(drive.motor, peak_torque=limit / abs(drive.coupling.weights[0][1])))
        for drive in robot.drives
    )
    return replace(robot, drives=drives)

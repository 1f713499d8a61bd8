"""[Kvrgic2020] Algorithm 1, as printed and as armdyn has it, for the page about the document."""

from __future__ import annotations

from functools import cache

import numpy as np
from kvrgic2020_runs import (
    CYCLES,
    lag,
    over,
    row,
    rows,
    saturated_time,
    shares,
    shown,
    verified,
    wrench,
)
from verdicts import Claim, proven, table

from armdyn.feasibility import Verification
from armdyn.feasibility.arm import Arm
from armdyn.feasibility.following import Follow
from armdyn.feasibility.printed import printed_step

FOLLOWS: tuple[Follow, ...] = ("position", "velocity")
TRIALS = 300
"""Random states and demands from which one step is taken."""
BEYOND = (50.0, 500.0)
"""Up to how many times the printed joint accelerations are demanded; the program: 56 at 10 ms."""
INSIDE = 1 + 1e-9


def largest(run: Verification) -> float:
    """Torque of any motor over its limit."""
    return float(shares(run).max())


@cache
def steps(beyond: float) -> tuple[float, float]:
    """Of one step from random states: the largest torque over its limit, printed and armdyn's.

    Of the printed step only motors count that step 5 did not cut.
    """
    rng = np.random.default_rng(0)
    arm = verified().arms[0]
    joints = arm.dyn.robot.joints
    speed = np.array([joint.limits.velocity for joint in joints])
    most = beyond * np.array([joint.limits.acceleration for joint in joints])
    free = Arm(arm.dyn, np.array(wrench()))
    found = np.zeros((TRIALS, 2))
    for k in range(TRIALS):
        q, qd, demand = (rng.uniform(-x, x) for x in (np.full(len(speed), 1.5), speed / 2, most))
        _, upper = free.actuators.limits(free.speed(q, qd))
        _, torque, cut = printed_step(free, q, qd, demand)
        _, ours, _ = free.limited(q, qd, demand)
        found[k] = np.where(cut == 0, np.abs(torque) / upper, 0).max(), (np.abs(ours) / upper).max()
    worst = found.max(axis=0)
    return float(worst[0]), float(worst[1])


def cycle_table() -> str:
    """The program at three cycle times, by both steps and both ways to follow."""
    body = [
        _cells(cycle, follow, printed) for follow in FOLLOWS for printed in (False, True) for cycle in CYCLES
    ]
    header = ("follow", "step 6", "cycle [ms]", "torque / limit", "at a limit [s]", "largest lag [mrad]")
    return rows(header, body)


def _cells(cycle: float, follow: Follow, printed: bool) -> list[str]:
    run = verified(cycle, follow=follow, printed=printed)
    # as printed, motions shake so that they amplify rounding; not this one
    write = over if printed and (cycle, follow) != (CYCLES[0], "velocity") else (lambda x: shown(x, 2))
    if not printed:
        proven("inside all limits", largest(run) <= INSIDE)
    return [
        follow,
        "printed" if printed else "armdyn's",
        f"{1e3 * cycle:g}",
        write(largest(run)),
        write(saturated_time(run)),
        write(1e3 * float(lag(run).max())),
    ]


def claims() -> str:
    """What is wrong with the printed algorithm, and what it leaves open."""
    (few, ours), (many, ours_too) = map(steps, BEYOND)
    position, velocity = (verified(follow=follow, printed=True) for follow in FOLLOWS)
    kept = verified(follow="velocity")
    made_up = verified(follow="position")
    return table(
        [
            Claim(
                "step 6",
                "only saturated axes take a new acceleration from (92)",
                f"one step from {TRIALS} random states: a motor that step 5 did not cut needs up to "
                f"{shown(few, 2)} times its limit where up to {BEYOND[0]:g} times the printed joint "
                f"accelerations are demanded, {shown(many, 2)} times where {BEYOND[1]:g}; armdyn's step "
                "never more than 1",
                proven(
                    "**wrong**: these accelerations are not those of the torques of step 5; the saturated "
                    "motors must give their limits and the others the demand, as one active-set problem",
                    few > 2,
                    many > 20,
                    max(ours, ours_too) <= INSIDE,
                ),
            ),
            Claim(
                "step 6 along the program",
                "Algorithm 1 calculates only achievable joint velocities",
                f"largest torque of a motor over its limit, 10 ms: {over(largest(position))} times "
                f"(`--follow position --printed`), {shown(largest(velocity), 2)} times (`--follow velocity "
                "--printed`); armdyn's step 1.00 in both",
                proven(
                    "does not hold as printed",
                    largest(position) > 2,
                    largest(velocity) > 1.1,
                    largest(made_up) <= INSIDE,
                    largest(kept) <= INSIDE,
                ),
            ),
            _claim_lag(made_up, kept),
            _claim_cycles(),
        ]
    )


def _claim_lag(made_up: Verification, kept: Verification) -> Claim:
    position, velocity = (1e3 * float(lag(run)[-1].max()) for run in (made_up, kept))
    return Claim(
        "after saturation",
        "not said whether the position lag stays",
        f"read literally (step 7, `--follow velocity`) joints end {shown(velocity, 2)} mrad from where they "
        "should; `--follow position` ends there",
        proven(
            "both readings are there; `position` is the default, because a robot's position loop does so",
            position < 0.1,
            velocity > 10,
        ),
    )


def _claim_cycles() -> Claim:
    def late(printed: bool, friction: bool | None = None) -> list[float]:
        runs = [verified(c, follow="velocity", printed=printed, friction=friction) for c in CYCLES]
        return [1e3 * float(lag(run).max()) for run in runs]

    ours, theirs, smooth = late(False), late(True), late(True, friction=False)
    return Claim(
        "u'_a of (D.3)",
        "Coulomb friction under the load of the desired acceleration",
        f"largest lag at 10, 5 and 1 ms (`--follow velocity`): {row(ours, 2)} mrad; as "
        f"printed {shown(theirs[0], 2)}, {over(theirs[1])} and {over(theirs[2])} mrad, without friction "
        f"{row(smooth, 2)} mrad",
        proven(
            "**ill-posed**: the demand at a jump grows as the cycle shortens, and with it the friction "
            "that step 6 keeps; taken at the achieved acceleration the lag converges",
            ours[2] / ours[1] < 1.3,
            theirs[2] / theirs[0] > 5,
            max(smooth) < 100,
        ),
    )

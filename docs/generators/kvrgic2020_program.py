"""[Kvrgic2020] sec. 8: the program of Lola 15, Figs. 4 to 7, for the page about the document."""

from __future__ import annotations

from functools import cache

import numpy as np
from kvrgic2020_runs import (
    ENGLISH,
    SERBIAN,
    TURNING,
    lag,
    listed,
    lola15,
    row,
    rows,
    shown,
    too_much,
    tool_speed,
    turning_rate,
    verified,
    work,
    wrench,
)
from verdicts import Claim, agreeing, gap, proven, table

import armdyn as ad
from armdyn.mechanics.methods import MethodName

NEAR = 3
"""Cycles around the end of a move that belong to the junction with the next."""


@cache
def torques(method: MethodName, turning: float | None = None) -> np.ndarray:
    """(t, n) u_i along the program by one formulation, without drives and friction."""
    demand = verified(turning=turning).demand
    dyn = ad.Dynamics(lola15(), motors="none", method=method)
    return np.asarray(dyn.inverse(demand.q, demand.qd, demand.qdd, wrench()))


def move_text(line: int) -> str:
    """`circle s1, s2`: what the program moves in a line."""
    words = work().source.splitlines()[line - 1].split(" speed")[0]
    return f"`{words.removeprefix('move ').split(' acc')[0]}`"


# Figures --------------------------------------------------------------------------------------


def figure_claims() -> str:
    """What the sentences about Figs. 4 to 7 say."""
    return table([_claim_moves(), _claim_without_stopping(), _claim_same_torques(), *_claims_delays()])


def _claim_moves() -> Claim:
    kinds = [move.kind for move in work().plan.moves]
    return Claim(
        "sec. 8, moves",
        "13: one PTP, nine CP, three PTP",
        f"{len(kinds)}: one PTP, {sum(kind != 'ptp' for kind in kinds)} CP, {kinds[1:].count('ptp')} PTP",
        proven(
            "the listing of Fig. 8 lacks the last PTP move", len(kinds) == 12, kinds[0] == kinds[-1] == "ptp"
        ),
    )


def _claim_without_stopping() -> Claim:
    plan = work().plan
    end = int(plan.moves[9].end / plan.cycle)
    speed = tool_speed(plan.poses()[:, :3, 3], plan.cycle)
    moving = speed[10 : end - 10]
    return Claim(
        "sec. 8, Fig. 4",
        "the first ten moves do not stop",
        f"the tool never slower than {shown(1e3 * moving.min())} mm/s, 0.1 s after its start to 0.1 s before "
        f"the end of move 10 at {shown(plan.moves[9].end)} s",
        proven("confirmed", moving.min() > 0.01, [move.stops for move in plan.moves].index(True) == 9),
    )


def _claim_same_torques() -> Claim:
    ours, theirs = torques("newton_euler"), torques("mrnea")
    return Claim(
        "sec. 8, Fig. 5",
        "RNEA and mRNEA: identical joint torques in every interpolation cycle",
        f"{agreeing([gap(theirs, ours)])} in all {len(ours)} cycles; largest u_i, without sign: "
        f"{row(np.abs(ours).max(axis=0))} N m",
        proven("confirmed", gap(theirs, ours) < 1e-12),
    )


def _claims_delays() -> list[Claim]:
    run, beyond = verified(), too_much(verified())
    cycles = np.flatnonzero(beyond.any(axis=1))
    lines = sorted({int(line) for line in run.plan.line[cycles]})
    late = np.degrees(lag(run).max(axis=0))
    after = run.achieved_time
    return [
        Claim(
            "sec. 8, Figs. 6, 7",
            "in certain cycles the motors cannot achieve the required torques",
            f"in {len(cycles)} of {len(beyond)} cycles, around the junctions of moves, "
            f"lines {lines[0]} to {lines[-1]}; motors 1 to 6 in {listed(beyond.sum(axis=0))} cycles",
            proven("confirmed", 0 < len(cycles) < 0.05 * len(beyond)),
        ),
        Claim(
            "sec. 8, Fig. 7",
            "which delays the programmed movements",
            f"joints lag by up to {row(late, 2)} degrees; programmed {shown(run.plan.duration, 4)} s, "
            f"achieved {'never' if after is None else shown(after, 4) + ' s'} (`--follow position`)",
            proven(
                "confirmed for the joints; they catch up before the end, and the cycle time stays",
                late.max() > 0.1,
                after is not None and after - run.plan.duration < run.plan.cycle,
            ),
        ),
        Claim(
            "sec. 8",
            'the path "differs slightly"; the report says "differs"',
            f"by up to {shown(1e3 * run.deviation.maximum, 2)} mm, line {run.deviation.line}",
            proven(
                "confirmed, if this is slightly",
                1 < 1e3 * run.deviation.maximum < 50,
            ),
        ),
    ]


# Why the motors saturate ----------------------------------------------------------------------


def junctions() -> str:
    """Turning of the tool before and after the end of each move, and what the motors are asked for there."""
    run, plan = verified(), work().plan
    rate, beyond, share = turning_rate(plan), too_much(run), run.demand.share
    seen = np.zeros(len(beyond), dtype=bool)
    body = []
    for move, following in zip(plan.moves[:9], plan.moves[1:10], strict=True):
        k = int(move.end / plan.cycle)
        near = slice(k - NEAR, k + NEAR + 1)
        seen[near] = True
        before, after = rate[k - NEAR], rate[k + NEAR]
        motors = np.flatnonzero(beyond[near].any(axis=0)) + 1
        body.append(
            [
                f"{following.line}, {move_text(following.line)}",
                f"{np.linalg.norm(before):.2f}",
                f"{np.linalg.norm(after):.2f}",
                f"{np.linalg.norm(after - before):.2f}",
                beyond[near].any(axis=1).sum(),
                listed(motors) if len(motors) else "none",
                f"{100 * share[near].max():.0f} %",
            ]
        )
    proven("nothing saturates elsewhere", not beyond[~seen].any())
    header = ("before line", "turning", "after", "jump [rad/s]", "cycles", "motors", "of the limit")
    return rows(header, body)


def utilisation() -> str:
    """The peak of every motor, with turning that jumps and turning that does not, and both signs of f_ez."""
    body = []
    for turning, name in ((None, "turning jumps"), (TURNING, f"turning changes with {TURNING:g} rad/s2")):
        for f_ez in (SERBIAN, ENGLISH):
            run = verified(f_ez=f_ez, turning=turning)
            peaks = run.demand.share.max(axis=0)
            proven("gradual turning is feasible for the motors", turning is None or peaks.max() < 1)
            cycles = too_much(run).any(axis=1).sum()
            late = 0 if turning else 1e3 * run.deviation.maximum
            body.append([name, f"{f_ez:+.0f}", *(f"{100 * x:.0f} %" for x in peaks), cycles, shown(late, 2)])
    motors = [f"motor {k}" for k in range(1, 7)]
    return rows(("plan", "f_ez [N]", *motors, "cycles beyond", "path off by [mm]"), body)


def turning_costs() -> str:
    """That gradual turning changes neither path nor time, and how little the tool's orientation."""
    plain, gradual = work().plan, work(turning=TURNING).plan
    a, b = plain.poses(), gradual.poses()
    apart = np.abs(a[:, :3, 3] - b[:, :3, 3]).max()
    cosine = (np.einsum("tij,tij->t", a[:, :3, :3], b[:, :3, :3]) - 1) / 2
    angle = np.degrees(np.arccos(np.clip(cosine, -1, 1))).max()
    return proven(
        f"Path and cycle time stay the same; the orientation differs by up to {shown(float(angle), 2)} "
        "degrees near the junctions.",
        apart < 1e-9,
        gradual.duration == plain.duration,
    )

"""docs/retiming-lola15.md: the program of Lola 15 made feasible, and as fast as can be."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from siciliano2009_tables import rows

import armdyn as ad
from armdyn.program.gradual_turning import turn_option
from armdyn.report.wording import percent
from armdyn.retiming import Retimed
from armdyn.retiming.figures import write_figure
from armdyn.retiming.optimal.optimal import Optimal
from armdyn.retiming.per_move import PerMove
from armdyn.retiming.retime import MODES, Mode

TURN = 0.5
"""[rad/s2]"""
PAGE = """# The Lola 15 program, retimed

This page is generated. The program of [Kvrgic2020](papers/kvrgic2020.md) at its printed speeds is [not
feasible](verification.md): {worst}. What [retiming](retiming.md) makes of it, as printed and with the
turning of the tool changed gradually where moves run into one another (`--turn-acceleration {turn:g}`,
which takes as long):

{durations}
*At least* is the bound below which no motion along the path exists on the grid. All are feasible when
checked sample by sample; the programmed time is {programmed:.3f} s, which is not.

As printed, c_speed keeps the tool's speed where moves meet while its turning jumps. Joint velocities
jump there, so that the whole program must run at {slowest} of its speed, and of the moves around each
jump one at a few percent of its own. (Uniform is the shorter of both here because it stretches the
cycle, too, and with it what jumps from sample to sample; the program that is written anew keeps a cycle
of 10 ms.) The path itself has a corner in joint space at each of these places: along it the fastest
motion stops {stops} times on its way. With gradual turning there are no corners, single moves need
little slowing, and the path can be passed faster than programmed.

## Move by move

```console
$ armdyn retime lola15 --mode per-move --out slower.lirl
$ armdyn retime lola15 --mode per-move --turn-acceleration {turn:g} --out slower.lirl
```

The second program says itself how gradually its tool turns, `{option}` [deg/s²] at its first path
move, so that `armdyn verify slower.lirl` needs no option. Speeds in mm/s and mm/s² (ptp: shares of the
joints' limits), as printed, and as they are feasible with the turning as it is and with gradual turning:

{moves}
## As fast as can be

The joints' speed along the path below the limit curve, the turning as it is:

![Phase plane of the Lola 15 program as printed](figures/retiming_lola15.svg)

And with gradual turning:

![Phase plane of the Lola 15 program with gradual turning](figures/retiming_lola15_rounded.svg)

What holds the second one back, by the time that it does:

{held}
"""


@cache
def retimed(mode: Mode, turn: float | None) -> Retimed:
    """The program by one mode."""
    return ad.retime("lola15", mode=mode, turn_acceleration=turn)


def page() -> str:
    """The page as MyST Markdown."""
    found = ad.verify("lola15")
    worst = max(found.violations, key=lambda each: abs(each.required) / each.limit)
    share = percent(abs(worst.required) / worst.limit)
    limited, stopping = worst.quantity.split("_")[1], _optimal(None)
    return PAGE.format(
        worst=f"joint {worst.joint} would need {share} of its {limited} limit in line {worst.line}",
        turn=TURN,
        option=turn_option(TURN),
        durations=_durations(),
        programmed=found.plan.duration,
        slowest=percent(found.plan.duration / retimed("uniform", None).duration),
        stops=len(stopping.stops) - 1,
        moves=_moves(),
        held=_held(),
    )


def write(folder: Path) -> None:
    """Write retiming-lola15.md and its figures below the folder."""
    (folder / "retiming-lola15.md").write_text(page(), encoding="utf-8")
    for name, turn in (("retiming_lola15", None), ("retiming_lola15_rounded", TURN)):
        write_figure(retimed("optimal", turn), folder / "figures" / f"{name}.svg")


def _optimal(turn: float | None) -> Optimal:
    found = retimed("optimal", turn).found
    assert isinstance(found, Optimal)
    return found


def _durations() -> str:
    body = []
    for mode in MODES:
        cells: list[str] = [mode]
        for turn in (None, TURN):
            one = retimed(mode, turn)
            assert one.verification.feasible
            bound = f", at least {one.lower_bound:.2f}" if one.lower_bound is not None else ""
            cells.append(f"{one.duration:.2f}{bound}")
        body.append(cells)
    return rows(("mode", "as printed [s]", "gradual turning [s]"), body)


def _moves() -> str:
    both = []
    for turn in (None, TURN):
        found = retimed("per-move", turn).found
        assert isinstance(found, PerMove)
        both.append(found.moves)
    body = [
        [
            a.line,
            a.kind,
            f"{a.speed_before:g}, {a.acceleration_before:g}",
            f"{a.speed_after:.4g}, {a.acceleration_after:.4g}",
            f"{b.speed_after:.4g}, {b.acceleration_after:.4g}",
        ]
        for a, b in zip(*both, strict=True)
    ]
    return rows(("line", "move", "printed", "turning as it is", "gradual turning"), body)


def _held() -> str:
    found = retimed("optimal", TURN)
    lasting: dict[tuple[str, int | None], float] = {}
    for limit in found.active_limits:
        key = (limit.quantity.replace("_", " "), limit.joint)
        lasting[key] = lasting.get(key, 0.0) + limit.until - limit.time
    order = sorted(lasting.items(), key=lambda each: -each[1])
    body = [[name, joint, f"{time:.2f}", percent(time / found.duration)] for (name, joint), time in order]
    return rows(("limit", "joint", "for [s]", "of the time"), body)

"""The whole benchmark: what is measured by default, and everything that was found as one document."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from armdyn.errors import InputError
from armdyn.studies.speed.contests import Measured, Progress, found_peers, measure
from armdyn.studies.speed.machine import cores, machine
from armdyn.studies.speed.peaks import ROUNDS, Peak, peaks
from armdyn.studies.speed.peers import PEERS
from armdyn.studies.speed.processes import first_calls
from armdyn.studies.speed.quantities import QUANTITIES, chosen_quantities
from armdyn.studies.speed.robots import CATALOG, CHAINS, chain_length, chain_name, subjects
from armdyn.studies.speed.rows import Contest
from armdyn.studies.speed.timing import FULL, QUICK, Effort

OF_CHAINS = ("inverse", "forward")
"""Of general chains, which show the growth with their length, by default only these."""
SHORT, LONG = 6, 30
"""Chains whose cost of one operation is compared."""
FIRST_CALLED = (*CATALOG, chain_name(LONG))
OF_FIRST_CALLS = ("inverse", "forward", "inverse_derivatives")
"""Robots and quantities whose first call is measured in processes of its own, by default."""


@dataclass(frozen=True)
class Extent:
    """How much is measured unless told otherwise."""

    catalog: tuple[str, ...]
    chains: tuple[int, ...]
    states: tuple[int, ...]
    threads: tuple[int, ...]
    effort: Effort
    peak_rounds: int

    @property
    def robots(self) -> tuple[str, ...]:
        """Names of all robots."""
        return (*self.catalog, *(chain_name(n) for n in self.chains))


def extent(*, quick: bool) -> Extent:
    """Everything, or what takes seconds."""
    if quick:
        return Extent(CATALOG, (SHORT, LONG), (1, 1000), (1,), QUICK, ROUNDS // 4)
    threads = (1, 2) if cores() > 1 else (1,)
    return Extent(CATALOG, CHAINS, (1, 1000, 100_000), threads, FULL, ROUNDS)


def benchmark(
    robots: Sequence[str] | None = None,
    quantities: Sequence[str] | None = None,
    threads: Sequence[int] | None = None,
    *,
    quick: bool = False,
    progress: Progress = iter,
) -> dict[str, Any]:
    """Measure armdyn beside the peers that are installed.

    Args:
        robots: catalog names, robot files, or "chain6" for a general chain of six joints.
        quantities: of `QUANTITIES`.
        threads: for batches; single calls use one.
        quick: fewer chains, smaller batches, less patience, no first calls.
        progress: hands out the contests, and may show how far it is.

    Returns:
        A document of plain numbers and texts: `rows`, and what they need to be understood.
    """
    usual = extent(quick=quick)
    wanted = None if quantities is None else chosen_quantities(quantities)
    counts = usual.threads if threads is None else _positive(threads)
    planned = contests(usual.robots if robots is None else robots, wanted, usual.states, counts)
    reached = peaks(sorted({1, *counts}), usual.peak_rounds)
    found = document(measure(planned, usual.effort, reached, progress=progress), reached)
    started = () if quick else FIRST_CALLED if robots is None else tuple(dict.fromkeys(robots))
    calls = [(name, q) for name in started for q in wanted or _usual(name, OF_FIRST_CALLS)]
    return {**found, "quick": quick, "first_calls": first_calls(calls)}


def contests(
    robots: Iterable[str], quantities: Sequence[str] | None, states: Iterable[int], threads: Iterable[int]
) -> list[Contest]:
    """All that is to be measured, robot by robot."""
    sizes = [(count, t) for count in states for t in (threads if count > 1 else (1,))]
    return [
        Contest(subject, quantity, count, t)
        for name in dict.fromkeys(robots)
        for subject in subjects(name)
        for quantity in quantities or _usual(name, QUANTITIES)
        for count, t in sizes
    ]


def _usual(robot: str, quantities: tuple[str, ...]) -> tuple[str, ...]:
    """The quantities of an arm; of a chain, whose derivatives are long programs, fewer."""
    return quantities if chain_length(robot) is None else OF_CHAINS


def document(measured: Measured, reached: Mapping[int, Peak]) -> dict[str, Any]:
    """Everything found, ready for JSON."""
    rows = [row.document() for row in measured.rows]
    return {
        "measured": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": {**machine(), "peaks": [vars(peak) for peak in reached.values()]},
        "peers": [{"name": peer.name, "version": peer.version()} for peer in found_peers()],
        "missing": [{"name": p.name, "package": p.package} for p in PEERS if not p.available()],
        "rows": rows,
        "growth": cost_growth(rows),
        "notes": list(dict.fromkeys(measured.notes)),
    }


def cost_growth(rows: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """How much more an operation costs in a long chain than in a short one."""
    keys = ("robot", "quantity", "states", "threads")
    costs = {tuple(row[key] for key in keys): row["ns_per_operation"] for row in rows}
    return [
        {
            "quantity": quantity,
            "states": states,
            "threads": threads,
            f"ns_per_operation_{SHORT}": short,
            f"ns_per_operation_{LONG}": long,
            "ratio": long / short,
        }
        for (robot, quantity, states, threads), short in costs.items()
        if robot == chain_name(SHORT) and (long := costs.get((chain_name(LONG), quantity, states, threads)))
    ]


def _positive(threads: Sequence[int]) -> tuple[int, ...]:
    for count in threads:
        if count < 1:
            raise InputError(f"threads {count}, expected one or more")
    return tuple(dict.fromkeys(threads))

"""docs/speed.md: armdyn's speed beside its peers, from the figures kept in benchmarks/results/."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from counts_tables import rows as table

RESULTS = Path(__file__).parents[2] / "benchmarks" / "results"

INTRODUCTION = """\
# Speed

`make bench` measures armdyn beside other libraries and keeps the figures in `benchmarks/results`; `armdyn
bench` does the same and prints them. This page is written from the kept figures; none of them is a promise,
and the machine matters more than the digits.

All libraries run in one process on the same robots and the same random states, and take turns, sample by
sample: a moment in which the machine is busy hits all alike. Calls that are shorter than a sample warm up
before each, which favours armdyn where arrays are larger than the caches: without it a UR5's torques took 18
to 19 ns instead of 13 at 100 000 states, 49 times less than Pinocchio's instead of 68. A time is the best of
many samples, of one state, in nanoseconds; a ratio is the peer's time to armdyn's. Before anyone is timed its
results are compared with armdyn's: who differs by more than 1e-8 relative is not timed.

{machine}
"""

INCLUDED = """\
What a time includes:

- **armdyn**: `dyn.inverse(q, qd, qdd)` from Python and back, the result a new array; for batches `out=` is
  an array made beforehand.
- **Pinocchio**: `pin.rnea(model, data, q, qd, qdd)` and its like, the robot read from a URDF. Batches are
  its own C++ loops, `rneaInParallel` and `abaInParallel`, into an array made beforehand; it has no others.
  OpenMP's threads sleep between calls (`OMP_WAIT_POLICY=passive`), or they would slow whoever comes next.
- **MuJoCo**: the shortest sequence of its functions for torques and mass matrix, `mj_forward` for
  accelerations, on a model without constraints, actuators, sensors and passive forces. Writing the state
  into its `data` and reading the result from there are not included, which is in its favour.
- **Robotics Toolbox for Python**: `rne`, `accel`, `inertia` and `gravload` of a `DHRobot` with modified DH
  rows.
- **CasADi**: armdyn's own graph as a `casadi.Function`, evaluated by CasADi's virtual machine with buffers
  made beforehand; batches by `map`, of 10 000 states at most.

Peers know neither drives nor load-dependent friction: beside them armdyn computes with `motors="none"`.
"""

SHARES = """\
Operations are multiplications, additions and divisions of armdyn's graph. The share of the FMA peak is what
the floating-point instructions of the compiled kernel (a fused multiply-add is one, sines and cosines are
included) are of the fused multiply-adds that the machine was measured to do in the same time; the share of
the bandwidth is what inputs and results are of the bytes that a plain copy of large arrays moves: above
100 % where they stay in the caches.
"""


# Figures --------------------------------------------------------------------------------------

Row = Mapping[str, Any]
KEYS = ("robot", "motors", "quantity", "states", "threads")


def kept(name: str) -> dict[str, Any]:
    """The figures of one benchmark."""
    return json.loads((RESULTS / f"{name}.json").read_text(encoding="utf-8"))


def contests(rows: Iterable[Row]) -> list[tuple[Row, dict[str, Row]]]:
    """What was measured at the same time: armdyn's figures, and those of each peer."""
    found: dict[tuple[Any, ...], dict[str, Row]] = {}
    first: dict[tuple[Any, ...], Row] = {}
    for row in rows:
        key = tuple(row[k] for k in KEYS)
        first.setdefault(key, row)
        found.setdefault(key, {})
        if row["peer"] is not None:
            found[key][row["peer"]] = row
    return [(first[key], found[key]) for key in found]


def is_chain(row: Row) -> bool:
    """Whether the robot is a general chain."""
    return row["robot"].startswith("chain")


def nanoseconds(value: float) -> str:
    """Three digits, all of them before the point if there are more."""
    return f"{value:,.0f}".replace(",", " ") if value >= 100 else f"{value:.3g}"


def beside(peer: Row | None) -> str | None:
    """A peer's time and the ratio."""
    return None if peer is None else f"{nanoseconds(peer['peer_ns'])} ({peer['ratio']:.3g})"


def percent(share: float | None) -> str | None:
    """A share, two digits."""
    return None if share is None else f"{100 * share:.0f} %" if share >= 0.1 else f"{100 * share:.2g} %"


# Sections -------------------------------------------------------------------------------------


def about_machine(document: Mapping[str, Any]) -> str:
    """Who measured, when, and with what."""
    machine = document["machine"]
    peaks = "; ".join(map(of_peak, machine["peaks"]))
    peers = ", ".join(f"{peer['name']} {peer['version']}" for peer in document["peers"])
    return (
        f"Measured on {document['measured'][:10]}: {machine['processor']}, {machine['cores']} cores, vectors "
        f"of {machine['vector_lanes']} doubles, {machine['system']}, Python {machine['python']}, NumPy "
        f"{machine['numpy']}, armdyn {machine['armdyn']}, {peers}. Measured peaks: {peaks}."
        + (" It was a quick run: small batches and few samples." if document["quick"] else "")
    )


def of_peak(peak: Mapping[str, Any]) -> str:
    """What so many threads reach together."""
    threads = "1 thread" if peak["threads"] == 1 else f"{peak['threads']} threads"
    fma, bandwidth = peak["fma"] / 1e9, peak["bandwidth"] / 1e9
    return f"{fma:.3g} G fused multiply-adds/s and {bandwidth:.3g} GB/s with {threads}"


def singles(document: Mapping[str, Any]) -> str:
    """One state at a time, a column for each peer."""
    names = [peer["name"] for peer in document["peers"]]
    body = [
        [*(ours[k] for k in ("robot", "quantity")), *times(ours, peers, names)]
        for ours, peers in arms(document, 1)
    ]
    return table(("robot", "quantity", "armdyn", *names), body)


def batch_sizes(document: Mapping[str, Any]) -> list[int]:
    """How many states the batches have."""
    return sorted({row["states"] for row in document["rows"]} - {1})


def batches(document: Mapping[str, Any], states: int) -> str:
    """Batches of so many states, beside peers that have such batches."""
    chosen = arms(document, states)
    names = [p["name"] for p in document["peers"] if any(p["name"] in peers for _, peers in chosen)]
    body = [
        [
            *(ours[k] for k in ("robot", "quantity", "threads")),
            *times(ours, peers, names),
            ours["operations"],
            percent(ours["fma_share"]),
            percent(ours["bandwidth_share"]),
        ]
        for ours, peers in chosen
    ]
    work = ("operations", "FMA peak", "bandwidth")
    return table(("robot", "quantity", "threads", "armdyn", *names, *work), body)


def arms(document: Mapping[str, Any], states: int) -> list[tuple[Row, dict[str, Row]]]:
    """The contests of arms without drives over so many states."""
    found = contests(document["rows"])
    return [p for p in found if p[0]["states"] == states and p[0]["motors"] == "none" and not is_chain(p[0])]


def times(ours: Row, peers: Mapping[str, Row], names: Sequence[str]) -> list[str | None]:
    """Our time, and those of the peers so named."""
    return [nanoseconds(ours["ours_ns"]), *(beside(peers.get(name)) for name in names)]


def largest(rows: Sequence[Row]) -> list[tuple[Row, dict[str, Row]]]:
    """The contests with the most states."""
    most = max(row["states"] for row in rows)
    return [pair for pair in contests(rows) if pair[0]["states"] == most]


def driven(document: Mapping[str, Any]) -> str:
    """Robots with drives and friction, which no peer has."""
    body = [
        [*(row[k] for k in KEYS), nanoseconds(row["ours_ns"]), row["operations"]]
        for row, _ in contests(document["rows"])
        if row["motors"] != "none"
    ]
    return table((*KEYS, "armdyn", "operations"), body)


def chains(document: Mapping[str, Any]) -> str:
    """General chains: operations, and what one costs."""
    body = [
        [
            *(ours[k] for k in ("joints", "quantity", "operations")),
            nanoseconds(ours["ours_ns"]),
            f"{ours['ns_per_operation']:.3g}",
            beside(peers.get("pinocchio")),
        ]
        for ours, peers in largest(document["rows"])
        if is_chain(ours) and ours["threads"] == 1
    ]
    header = ("joints", "quantity", "operations", "armdyn", "ns an operation", "pinocchio")
    growth = [
        f"- {g['quantity']}, {g['states']} states: {g['ratio']:.2f}"
        for g in document["growth"]
        if g["threads"] == 1 and g["states"] > 1
    ]
    text = "What an operation costs in a chain of 30 joints to what it costs in one of 6:\n\n"
    return table(header, body) + "\n" + text + "\n".join(growth) + "\n"


def first_calls(document: Mapping[str, Any]) -> list[str]:
    """Tracing and compiling, or loading what was compiled before; nothing where it was not measured."""
    body = [
        [row["robot"], row["quantity"], *(f"{row[key] / 1e6:.3g}" for key in ("first_call_ns", "cached_ns"))]
        for row in document["first_calls"]
    ]
    library = min((row["library_ns"] for row in document["first_calls"]), default=0) / 1e6
    text = (
        "From a robot in memory to its first result, in a fresh process, in milliseconds; loading LLVM "
        f"and the engine, once in a process, takes another {library:.0f} ms.\n"
    )
    header = ("robot", "quantity", "traced and compiled", "compiled before")
    return ["## First calls\n", text, table(header, body)] if body else []


def instructions(document: Mapping[str, Any]) -> list[str]:
    """Instructions of all kinds for one state of a batch; nothing where nobody counted."""
    body = [[row["robot"], row["quantity"], f"{row['instructions']:.4g}"] for row in document["instructions"]]
    if not body:
        return []
    tool = document["instructions"][0]["tool"]
    narrow = ", which has its programs run without AVX-512" if tool == "valgrind" else ""
    text = f"Of all kinds, for one state of a batch on one thread, counted by {tool}{narrow}.\n"
    return ["## Instructions\n", text, table(("robot", "quantity", "instructions"), body)]


def startup() -> str:
    """Fresh processes, in milliseconds."""
    rows = kept("startup")["rows"]
    times = {row["quantity"]: row["ours_ns"] for row in rows} | {row["peer"]: row["peer_ns"] for row in rows}
    body = [[name if " " in name else f"import {name}", f"{ns / 1e6:.0f}"] for name, ns in times.items()]
    return table(("process", "ms"), body)


FRICTION = """\
Accelerations with [friction](drives.md#friction), drives included, in nanoseconds for one state. In motion
friction is part of the kernel; at rest compiled steps decide what sticks. "Half at rest" is half of the
joints, at random. MuJoCo is the one peer whose forward dynamics knows friction that holds, as soft
constraints at the joints: beside it stands a UR5 with 8 N m of friction at each joint; a ratio is its time to
armdyn's, and the difference the largest of its accelerations from armdyn's.
"""


def rubbing() -> str:
    """Forward dynamics in motion and at rest."""
    rows = kept("friction")["rows"]
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for row in rows:
        cell = found.setdefault((row["robot"], row["state"]), {})
        if row["peer"] is None:
            cell[row["states"]] = row["ours_ns"]
        else:
            off = f"{row['largest_difference']:.1g} rad/s2"
            cell["peer"] = f"{nanoseconds(row['peer_ns'])} ({row['ratio']:.3g}), {off}"
    sizes = sorted({row["states"] for row in rows})
    body = [
        [*key, *(nanoseconds(cell[size]) for size in sizes), cell.get("peer", "")]
        for key, cell in found.items()
    ]
    heads = ["a single call" if size == 1 else f"of {size} states" for size in sizes]
    return table(("robot", "state", *heads, "mujoco, a single call"), body)


def page() -> str:
    """The whole page as MyST Markdown."""
    document = kept("speed")
    notes = "\n".join(f"- {note}" for note in document["notes"])
    parts = [
        INTRODUCTION.format(machine=about_machine(document)),
        INCLUDED,
        "## Single calls\n",
        singles(document),
        "## Batches\n",
        SHARES,
        *(f"### {count} states\n\n{batches(document, count)}" for count in batch_sizes(document)),
        "## With drives and friction\n",
        driven(document),
        "## Friction\n",
        FRICTION,
        rubbing(),
        "## Chains\n",
        chains(document),
        *first_calls(document),
        *instructions(document),
        "## Startup\n",
        startup(),
        *(["## Left out\n", notes + "\n"] if notes else []),
    ]
    return "\n".join(parts)


def write(folder: Path) -> None:
    """Write speed.md into a folder of the documentation."""
    (folder / "speed.md").write_text(page(), encoding="utf-8")

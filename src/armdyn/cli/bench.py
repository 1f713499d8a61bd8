"""`armdyn bench`: armdyn's speed beside its peers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Annotated, Any

import typer

from armdyn.cli.options import JsonOption
from armdyn.cli.output import print_json, print_line, print_table
from armdyn.errors import InputError

QUANTITIES = "inverse, forward, mass_matrix, bias, gravity, inverse_derivatives, forward_derivatives"


def bench(
    robot: Annotated[
        list[str] | None,
        typer.Option(
            "--robot",
            metavar="NAME,..",
            help="Catalog names, files, or chain6 for a general chain of six joints "
            "[default: ur5, panda, puma560, lola15 and chains].",
        ),
    ] = None,
    quantity: Annotated[
        list[str] | None,
        typer.Option("--quantity", metavar="NAME,..", help=f"Of {QUANTITIES} [default: all]."),
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Seconds instead of minutes.")] = False,
    threads: Annotated[
        str | None,
        typer.Option("--threads", metavar="T,..", help="Threads for batches [default: 1,2; quick: 1]."),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Measure armdyn beside the peers that are installed: same robots, one process, taking turns."""
    # what measures takes long to import, and every other command would wait for it
    from armdyn.studies.speed import benchmark

    counts = None if threads is None else [_whole(part) for part in threads.split(",")]
    document = benchmark(_names(robot), _names(quantity), counts, quick=quick, progress=watched)
    if json:
        print_json(document)
    else:
        print_speed(document)


def _names(texts: list[str] | None) -> list[str] | None:
    return None if texts is None else [name.strip() for text in texts for name in text.split(",")]


def _whole(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise InputError(
            f'--threads: "{text.strip()}" is not a whole number, expected comma-separated numbers'
        ) from None


def watched(contests: Sequence[Any]) -> Iterable[Any]:
    """Progress on standard error if that is a terminal; drawn between contests, never during one."""
    from rich.console import Console
    from rich.progress import track

    console = Console(stderr=True)
    show = partial(track, description="measuring", auto_refresh=False, console=console, transient=True)
    return show(contests, disable=not console.is_terminal)


# For people -----------------------------------------------------------------------------------

_COLUMNS = ("robot", "motors", "quantity", "states", "threads", "armdyn [ns]", "peer", "call", "peer [ns]")
_RATIOS = ("ratio", "median", "operations", "FMA peak [%]", "bandwidth [%]")


def print_speed(document: Mapping[str, Any]) -> None:
    """Times of one state, best of many; what a reader needs to judge them comes after."""
    rows = document["rows"]
    print_table("time of one state, and the peers' times to ours", (*_COLUMNS, *_RATIOS), map(_line, rows))
    if document["first_calls"]:
        _print_first_calls(document["first_calls"])
    for line in (*_about_machine(document), *_about_peers(document), *map(_about_growth, document["growth"])):
        print_line(line)
    for note in document["notes"]:
        print_line(f"note: {note}")


def _line(row: Mapping[str, Any]) -> list[Any]:
    who = [row[key] for key in ("robot", "motors", "quantity", "states", "threads")]
    times = [_short(row["ours_ns"]), row["peer"], row["peer_call"], _short(row["peer_ns"])]
    ratios = [_short(row["ratio"]), _short(row["median_ratio"]), row["operations"]]
    return [*who, *times, *ratios, _percent(row["fma_share"]), _percent(row["bandwidth_share"])]


def _print_first_calls(rows: Sequence[Mapping[str, Any]]) -> None:
    columns = ("robot", "quantity", "new [ms]", "compiled before [ms]")
    lines = [
        (row["robot"], row["quantity"], _short(row["first_call_ns"] / 1e6), _short(row["cached_ns"] / 1e6))
        for row in rows
    ]
    library = min(row["library_ns"] for row in rows) / 1e6
    title = f"from a robot in memory to its first result, after loading the engine ({library:.0f} ms, once)"
    print_table(title, columns, lines)


def _about_machine(document: Mapping[str, Any]) -> Iterable[str]:
    machine = document["machine"]
    yield f"{machine['processor']}, {machine['cores']} cores, vectors of {machine['vector_lanes']} doubles"
    for peak in machine["peaks"]:
        rates = f"{peak['fma'] / 1e9:.3g} G fused multiply-adds/s, {peak['bandwidth'] / 1e9:.3g} GB/s copied"
        yield f"peak with {_counted(peak['threads'], 'thread')}: {rates}"


def _about_peers(document: Mapping[str, Any]) -> Iterable[str]:
    found = ", ".join(f"{peer['name']} {peer['version']}" for peer in document["peers"])
    yield f"peers found: {found or 'none'}"
    for peer in document["missing"]:
        yield f"{peer['name']} is not installed and is left out; `pip install {peer['package']}` adds it"


def _about_growth(growth: Mapping[str, Any]) -> str:
    states, threads = _counted(growth["states"], "state"), _counted(growth["threads"], "thread")
    where = f"{growth['quantity']}, {states}, {threads}"
    return f"{where}: an operation costs {growth['ratio']:.2f} times as much in a chain of 30 joints as of 6"


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _short(value: float | None) -> float | None:
    """Three digits, more only before the point."""
    return value if value is None else round(value) if value >= 100 else float(f"{value:.3g}")


def _percent(share: float | None) -> float | None:
    return None if share is None else float(f"{100 * share:.2g}")

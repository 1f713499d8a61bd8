"""The order of statements: sines and cosines first, then from body to body, outwards and inwards again.

A recursion goes outwards along the bodies with motion and inwards with forces; what it left as the origin of
an operation says whose it is. An operation stands in the first such sweep that comes after all that it
needs, so that each block tells the truth: in a sweep outwards nothing depends on bodies further out.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from armdyn.scalars.graph import LEAVES
from armdyn.scalars.program import Program

Place = tuple[int, int]
"""(sweep, step of it): sweeps with even numbers go outwards, the others inwards."""

START: Place = (0, -1)


@dataclass(frozen=True)
class Block:
    """Operations that stand together under one comment."""

    title: str
    positions: tuple[int, ...]


def blocks(program: Program, bodies: Mapping[str, str] | None = None) -> list[Block]:
    """All operations, each after what it needs.

    Args:
        program: what is to be ordered.
        bodies: origin -> title, in the order in which sweeps go outwards.
    """
    titles = dict(bodies or {})
    operations = program.operations
    waves = _waves(program)
    rank = {name: k for k, name in enumerate(titles)}
    places = _places(program, rank, waves)
    ordered = sorted(set(range(len(operations))) - waves, key=lambda k: (places[k], k))
    found = [Block("sines and cosines", tuple(sorted(waves)))] if waves else []
    start = 0
    for end in range(1, len(ordered) + 1):
        if end == len(ordered) or places[ordered[end]] != places[ordered[start]]:
            positions = tuple(ordered[start:end])
            found.append(Block(_title(program, places[ordered[start]], positions, titles), positions))
            start = end
    return found


def _waves(program: Program) -> set[int]:
    """Sines and cosines of sums of inputs, and those sums: calls come first, so that little lives across."""
    plain: set[int] = set()
    for position, (kind, *arguments) in enumerate(program.operations):
        linear = kind in ("add", "sub", "neg", "mul") and plain.issuperset(arguments)
        if kind in LEAVES or linear:
            plain.add(position)
    found: set[int] = set()
    pending = [
        position
        for position, (kind, *arguments) in enumerate(program.operations)
        if kind in ("sin", "cos") and arguments[0] in plain
    ]
    while pending:
        position = pending.pop()
        if position not in found:
            found.add(position)
            kind, *arguments = program.operations[position]
            pending.extend(() if kind in LEAVES else arguments)
    return found


def _places(program: Program, rank: dict[str, int], waves: set[int]) -> list[Place]:
    last = len(rank)
    places: list[Place] = []
    for position, (kind, *arguments) in enumerate(program.operations):
        below: list[Place] = [] if kind in LEAVES else [places[a] for a in arguments]
        needed = max(below, default=START)
        origin = program.origins[position] if program.origins else None
        if position in waves or kind in LEAVES:
            places.append(START)
        elif origin is None:
            places.append(needed)
        else:
            places.append(_next(needed, rank.get(origin, last), last))
    return _as_needed(program, places, rank, waves)


def _as_needed(program: Program, places: list[Place], rank: dict[str, int], waves: set[int]) -> list[Place]:
    """What stems from no body in particular stands where it is first needed."""
    first: dict[int, Place] = {}
    for position in reversed(range(len(places))):
        kind, *arguments = program.operations[position]
        free = position not in waves and not (program.origins and program.origins[position] in rank)
        if free and kind not in LEAVES and position in first and position not in program.outputs:
            places[position] = first[position]
        if kind not in LEAVES:
            for a in arguments:
                first[a] = min(first.get(a, places[position]), places[position])
    return places


def _next(needed: Place, rank: int, last: int) -> Place:
    """The first place of a body, or of what is none and ends a sweep, that is not before `needed`."""
    sweep, step = needed
    while True:
        own = rank if sweep % 2 == 0 or rank == last else last - 1 - rank
        if own >= step:
            return sweep, own
        sweep, step = sweep + 1, -1


def _title(program: Program, place: Place, positions: tuple[int, ...], titles: Mapping[str, str]) -> str:
    sweep, step = place
    if step < 0:
        return "from what is given"
    if step == len(titles):
        origins = dict.fromkeys(program.origins[k] for k in positions)
        return " and ".join(origin for origin in origins if origin and origin not in titles)
    outwards = sweep % 2 == 0
    title = [*titles.values()][step if outwards else len(titles) - 1 - step]
    return f"{title}, {'outwards' if outwards else 'inwards'}"

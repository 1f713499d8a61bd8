"""The order of a program's operations: angles first, together, because their sines are the longest wait."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from armdyn.scalars.graph import LEAVES, Operation
from armdyn.scalars.program import Program


def rounds(program: Program) -> Iterator[tuple[list[int], list[int]]]:
    """(operations to do next, angles whose sines and cosines follow) until everything is done.

    First what the angles stand on that need no other sines, then what those stand on that need these; after
    the last angles everything else, in the order of the program.
    """
    operations = program.operations
    done = bytearray(len(operations))
    for angles in _by_depth(program):
        below = _below(operations, angles, done)
        yield below, angles
    yield [index for index in range(len(operations)) if not done[index]], []


def _by_depth(program: Program) -> list[list[int]]:
    """The angles, those that need no other sines first."""
    depth = [0] * len(program.operations)
    found: dict[int, dict[int, None]] = {}
    for index, (kind, *given) in enumerate(program.operations):
        arguments: list[int] = given
        if kind in LEAVES:
            continue
        deepest = max(depth[a] for a in arguments)
        if kind in ("sin", "cos"):
            found.setdefault(deepest, {})[arguments[0]] = None
            deepest += 1
        depth[index] = deepest
    return [list(found[level]) for level in sorted(found)]


def _below(operations: Sequence[Operation], roots: Sequence[int], done: bytearray) -> list[int]:
    """The roots and what they stand on, in order, as far as it is not done; it is now."""
    reached: list[int] = []
    pending = list(roots)
    while pending:
        index = pending.pop()
        if not done[index]:
            done[index] = 1
            reached.append(index)
            kind, *arguments = operations[index]
            if kind not in LEAVES:
                pending.extend(arguments)
    return sorted(reached)

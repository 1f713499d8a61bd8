"""Which products join a sum as one fused multiply-add: decided once, so that every kernel rounds alike."""

from __future__ import annotations

from collections import defaultdict

from armdyn.scalars.graph import LEAVES, Operation
from armdyn.scalars.program import Program


def fused(program: Program) -> Program:
    """The program with ("fma", a, b, c) for a b + c, ("fms", ..) for a b - c, ("fnma", ..) for c - a b.

    A product disappears if every sum that needs it can take it in; a sum takes in one product.
    """
    taken = _taken(program)
    gone = set(taken.values())
    position: dict[int, int] = {}
    kept: list[Operation] = []
    for index, written in enumerate(program.operations):
        if index in gone:
            continue
        kind, *arguments = _joined(program, written, taken[index]) if index in taken else written
        position[index] = len(kept)
        kept.append((kind, *(arguments if kind in LEAVES else (position[a] for a in arguments))))
    return Program(tuple(kept), tuple(position[output] for output in program.outputs))


def _taken(program: Program) -> dict[int, int]:
    """Sum -> the product that it takes in."""
    users: dict[int, list[int]] = defaultdict(list)
    for index, (kind, *arguments) in enumerate(program.operations):
        if kind not in LEAVES:
            for argument in arguments:
                users[argument].append(index)
    outputs = set(program.outputs)
    products = [k for k, o in enumerate(program.operations) if o[0] == "mul" and k not in outputs]
    taken: dict[int, int] = {}
    for product in sorted(products, key=lambda k: len(users[k])):  # one that few sums need is in few ways
        sums = users[product]
        twice = len(set(sums)) < len(sums)
        if not twice and all(program.operations[k][0] in ("add", "sub") and k not in taken for k in sums):
            taken.update(dict.fromkeys(sums, product))
    return taken


def _joined(program: Program, operation: Operation, product: int) -> Operation:
    kind, a, b = operation
    factors = program.operations[product][1:]
    if kind == "add":
        return ("fma", *factors, b if a == product else a)
    return ("fms", *factors, b) if a == product else ("fnma", *factors, a)

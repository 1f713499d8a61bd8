"""What a kernel must watch to notice every row with a number that is not finite.

A row with NaN or an infinity among its inputs gives NaN throughout. Most inputs reach every result
anyway, and then it is enough to look at one result; the others are looked at themselves. Where
there is a division or a root, finite inputs too may give what is not finite: then every result is
looked at, so that what becomes of a row does not depend on its neighbours.
"""

from __future__ import annotations

from dataclasses import dataclass

from armdyn.native.signature import Signature
from armdyn.scalars.graph import LEAVES
from armdyn.scalars.program import Program, breaks


@dataclass(frozen=True)
class Watched:
    """Elements of inputs, and positions of outputs, whose being finite says that the row is good."""

    inputs: tuple[tuple[str, int], ...]
    outputs: tuple[int, ...]


def watched(program: Program, signature: Signature) -> Watched:
    """What to look at, as little as possible."""
    elements = [(name, k) for name, size in signature.inputs for k in range(size)]
    bit = {element: 1 << k for k, element in enumerate(elements)}
    reaches: list[int] = []  # the inputs that, not finite, surely spoil this value
    broken: list[bool] = []
    for operation in program.operations:
        kind, *given = operation
        arguments: list[int] = [] if kind in LEAVES else given
        broken.append(breaks(operation) or any(broken[a] for a in arguments))
        if kind in LEAVES:
            reaches.append(bit[given[0], given[1]] if kind == "input" else 0)
        else:
            reaches.append(_reach(kind, [reaches[a] for a in arguments]))
    outputs = dict.fromkeys(program.outputs)
    everywhere = (1 << len(elements)) - 1
    for output in outputs:
        everywhere &= reaches[output]
    some_break = any(broken[output] for output in outputs)
    suspects = [*outputs] if some_break else [*outputs][:1] if everywhere else []
    unseen = tuple(element for element in elements if not everywhere & bit[element])
    return Watched(unseen, tuple(suspects))


def _reach(kind: str, below: list[int]) -> int:
    """The inputs that surely spoil an operation's value, from those that spoil its arguments."""
    match kind:
        case "select":  # either side may be taken; a condition that is no number takes the second
            return below[1] & below[2]
        case "div":  # a number over infinity is zero
            return below[0]
        case _:
            reach = 0
            for inputs in below:
                reach |= inputs
            return reach

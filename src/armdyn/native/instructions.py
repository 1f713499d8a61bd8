"""How many floating-point instructions a kernel takes for one vector of states."""

from __future__ import annotations

from armdyn.native.fusion import fused
from armdyn.native.sines import INSTRUCTIONS
from armdyn.scalars.graph import LEAVES
from armdyn.scalars.program import Program

FREE = LEAVES | {"neg", "select", "sin", "cos"}
"""What is not counted: signs ride along, choices are moves, sines are counted apart."""


def floating_point_instructions(program: Program) -> int:
    """Additions, multiplications, fused multiply-adds, divisions and roots, those for sines included."""
    operations = fused(program).operations
    angles = {operation[1] for operation in operations if operation[0] in ("sin", "cos")}
    return sum(operation[0] not in FREE for operation in operations) + INSTRUCTIONS * len(angles)

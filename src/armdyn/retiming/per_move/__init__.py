"""Per move: a program's speeds and accelerations lowered until it is feasible, with the least loss."""

from armdyn.retiming.per_move.per_move import per_move
from armdyn.retiming.per_move.result import MoveFactors, PerMove

__all__ = ["MoveFactors", "PerMove", "per_move"]

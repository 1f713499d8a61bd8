"""What holds a motion back, limit by limit: how long, and where."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from armdyn.feasibility.actuators import Actuators
from armdyn.retiming.active import ActiveLimit
from armdyn.retiming.limits import Quantity
from armdyn.retiming.retime import Retimed


@dataclass(frozen=True)
class Held:
    """A limit that a motion reaches, and all stretches in which it does."""

    name: str
    """As "motor 3 torque\""""
    quantity: Quantity
    joint: int | None
    stretches: tuple[ActiveLimit, ...]

    @property
    def time(self) -> float:
        """How long in all [s]."""
        return sum(each.until - each.time for each in self.stretches)

    @property
    def lines(self) -> tuple[int, ...]:
        """Of the program, each once."""
        return tuple(sorted({each.line for each in self.stretches if each.line}))


def held_back(retimed: Retimed) -> tuple[Held, ...]:
    """All limits that a motion reaches, those that it is at for longest first."""
    by_limit: dict[tuple[Quantity, int | None], list[ActiveLimit]] = {}
    for each in retimed.active_limits:
        by_limit.setdefault((each.quantity, each.joint), []).append(each)
    actuators = retimed.verification.arms[0].actuators
    found = [
        Held(limit_name(actuators, quantity, joint), quantity, joint, tuple(stretches))
        for (quantity, joint), stretches in by_limit.items()
    ]
    return tuple(sorted(found, key=lambda held: (-held.time, held.name)))


def limit_name(actuators: Actuators, quantity: str, joint: int | None) -> str:
    """Whose limit it is and of what, as "motor 3 torque"; `joint` from 1, of a motor the joint it moves."""
    whose, what = quantity.split("_")
    if joint is None:
        return f"{whose} {what}"
    if whose == "motor" and actuators.geared:
        return f"motor {actuators.joints.index(joint - 1) + 1} {what}"
    return f"joint {joint} {what}"


def numbered_lines(lines: Sequence[int], most: int = 12) -> str:
    """Lines of a program in words; many of them by their number."""
    if len(lines) > most:
        return f"{len(lines)} lines, {lines[0]} to {lines[-1]}"
    return ", ".join(map(str, lines))

"""What a log needs: positions and efforts; and which of what a file has is taken."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal

from armdyn.errors import InputError, suggestion

EffortKind = Literal["tau", "motor_torque", "current"]
EFFORTS: tuple[EffortKind, ...] = ("tau", "motor_torque", "current")
"""What moves an arm, the one that is preferred first."""
BESIDE = ("wrench", "sensor")
"""What a log may have beside: what the tool exerts, and what a sensor at the wrist feels."""


@dataclass(frozen=True)
class Quantities:
    """What is taken from a file, by the names of its columns."""

    position: Literal["q", "motor_position"]
    rate: Literal["qd", "motor_velocity"] | None
    effort: EffortKind
    beside: tuple[str, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """All of them."""
        return (self.position, *([self.rate] if self.rate else []), self.effort, *self.beside)


def taken(given: Collection[str], effort: EffortKind | None, file: str) -> tuple[Quantities, list[str]]:
    """What is taken of what is given, and what to say about the rest.

    Motors stand in for joints where these have no positions; tau comes before motor torques, and these before
    currents, unless `effort` says which.
    """
    by_motors = "q" not in given and "motor_position" in given
    rate = "motor_velocity" if by_motors and "qd" not in given else "qd"
    kind = _effort(given, effort, file)
    passed_over = [name for name in EFFORTS if name in given and name != kind]
    notes = [f'{name} is passed over for {kind}; effort="{name}" takes it' for name in passed_over]
    if "base" in given:
        notes.append("base1, .. is passed over: the base is taken to stand still")
    found = Quantities(
        "motor_position" if by_motors else "q",
        rate if rate in given else None,
        kind,
        tuple(name for name in BESIDE if name in given),
    )
    return found, notes


def _effort(given: Collection[str], effort: EffortKind | None, file: str) -> EffortKind:
    if effort is not None:
        return checked_effort(effort)
    there: list[EffortKind] = [name for name in EFFORTS if name in given]
    if not there:
        raise InputError(f"{file}: no torques and no currents, expected tau1, motor_torque1 or current1, ..")
    return there[0]


def checked_effort(effort: str) -> EffortKind:
    """The kind of effort, refused if there is no such."""
    if effort not in EFFORTS:
        hint = suggestion(effort, EFFORTS)
        raise InputError(f'effort is "{effort}"; {hint}expected one of {", ".join(EFFORTS)}')
    return effort

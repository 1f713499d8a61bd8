"""How sure a robot's numbers are, where they were estimated from measurements."""

from __future__ import annotations

from dataclasses import dataclass

from armdyn.robot.checks import finite, not_negative, require


@dataclass(frozen=True)
class Estimated:
    """A combination of parameters that measurements have shown.

    `name` says which, as `link1.Izz + 0.25 link2.m`; `standard_error` None is one that they do not tell.
    """

    name: str
    value: float
    standard_error: float | None = None
    unit: str = ""

    def __post_init__(self) -> None:
        """Check the numbers."""
        require(bool(self.name.strip()), "an estimate has no name, expected that of a parameter")
        finite(f'estimate "{self.name}"', (self.value,))
        not_negative(f'estimate "{self.name}"', standard_error=self.standard_error)

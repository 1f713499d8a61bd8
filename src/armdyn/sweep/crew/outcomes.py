"""What becomes of a chunk that was given to a crew, and what every crew can do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from armdyn.errors import ArmdynError
from armdyn.sweep.chunks import Chunk
from armdyn.sweep.workbench import Computed


@dataclass(frozen=True)
class Lost:
    """A worker has died with it; `suspect` if it may be why."""

    chunk: Chunk
    suspect: bool
    why: str


@dataclass(frozen=True)
class Faulty:
    """It cannot be computed: a fault in armdyn, the same wherever it is tried."""

    chunk: Chunk
    why: str


Outcome = Computed | Lost | Faulty


class CrewLostError(ArmdynError):
    """Nobody is left who could go on."""


class Crew(Protocol):
    """Workers, some chunks in their hands."""

    @property
    def size(self) -> int:
        """How many chunks are evaluated at the same time."""
        ...

    def submit(self, chunk: Chunk) -> None:
        """Hand over a chunk."""
        ...

    def outcomes(self, seconds: float) -> list[Outcome]:
        """What has become of chunks; waits no longer than this for the first."""
        ...

"""What the methods of `Dynamics` stand on, wherever they are written down."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from numpy.typing import ArrayLike

from armdyn.dynamics.running import Run, RunAll
from armdyn.dynamics.traced import Traced
from armdyn.scalars import Array


class Evaluating(ABC):
    """A robot whose quantities can be evaluated."""

    _traced: Traced

    @abstractmethod
    def _evaluate(self, name: str, options: tuple[Any, ...], run: Run, **given: ArrayLike | None) -> Array:
        """The one result of a quantity."""

    @abstractmethod
    def _results(
        self, name: str, options: tuple[Any, ...], run: RunAll, **given: ArrayLike | None
    ) -> tuple[Array, ...]:
        """All results of a quantity."""

"""Controllers that are Python functions."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from armdyn.errors import InputError, ShapeError, counted
from armdyn.scalars import Array
from armdyn.simulation.acting import Law
from armdyn.simulation.failures import Stopped, raised
from armdyn.simulation.signals import NO_BREAKS


@dataclass(frozen=True, eq=False)
class Called:
    """A controller that is a Python function."""

    function: Callable[..., Any]
    n: int
    states: int = 0
    breaks: Array = field(default_factory=lambda: NO_BREAKS)
    end: float = math.inf
    source: str = "the controller"

    def between(self, start: float, end: float) -> Law:  # noqa: ARG002  one piece
        """The function, the shapes of its results checked."""
        function, states = self.function, self.states

        def law(t: float, q: Array, qd: Array, z: Array) -> tuple[Array, Array]:
            try:
                own = (q.copy(), qd.copy(), z.copy())  # it may write into them
                found = function(t, *own) if states else function(t, *own[:2])
            except Exception as error:  # it may raise anything
                raise Stopped(raised(self.source, t, error)) from error
            if not states:
                return self._checked("torques", found, q.shape, t), z
            tau, rates = self._pair(found, t)
            return self._checked("torques", tau, q.shape, t), self._checked("rates", rates, z.shape, t)

        return law

    def _pair(self, given: Any, t: float) -> tuple[Any, Any]:
        if not isinstance(given, tuple) or len(given) != 2:  # pyright: ignore[reportUnknownArgumentType]
            has = f"{self.source} has {counted(self.states, 'state')} of its own"
            raise InputError(f"{has} and returns no pair at {t:g} s, expected torques and rates: (tau, z')")
        return given  # pyright: ignore[reportUnknownVariableType]

    def _checked(self, what: str, given: Any, shape: tuple[int, ...], t: float) -> Array:
        try:
            values = np.asarray(given, dtype=float)
        except (TypeError, ValueError) as error:
            raise InputError(f"{self.source} gives {what} that are no numbers at {t:g} s") from error
        if values.shape != shape:
            raise ShapeError(f"{self.source}: {what}", values.shape, f"at {t:g} s", f"{shape}")
        return values


def of_function(
    function: Callable[..., Any],
    n: int,
    states: int = 0,
    *,
    breaks: ArrayLike = (),
    end: float = math.inf,
    source: str = "the controller",
) -> Called:
    """A Python function (t, q, qd) -> tau as a controller of n joints.

    Args:
        function: gets and gives (n), and (..., n) where many runs are simulated at once. With states it is
            (t, q, qd, z) -> (tau, z').
        n: how many joints there are.
        states: how many numbers z it integrates.
        breaks: instants at which it jumps or bends [s].
        end: how long it is known [s].
        source: what to call it in a message.
    """
    return Called(function, n, states, np.asarray(breaks, dtype=float), end, source)

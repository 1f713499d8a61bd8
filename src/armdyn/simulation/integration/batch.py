"""Many runs of one arm, and what acts on each of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from armdyn.dynamics import Dynamics
from armdyn.scalars import Array
from armdyn.simulation.acting import Acting, Applied
from armdyn.simulation.signals import Pieces, Signal


@dataclass(frozen=True, eq=False)
class Batch:
    """Runs, and what acts on them."""

    dyn: Dynamics
    acting: Acting
    wrench: Signal | None
    arrays: Mapping[str, Array]
    """(N, ..) q and qd at the start, added and rubbing if they are given"""
    integrator: str
    dt: float

    def some(self, part: slice) -> Batch:
        """Some of the runs; all of them where it is not known what acts on which."""
        if not self.divisible:
            return self
        acting, wrench = self.acting, self.wrench
        assert isinstance(acting, Applied) and isinstance(acting.signal, Pieces)
        arrays = {name: x[part] for name, x in self.arrays.items()}
        acting = replace(acting, signal=_some(acting.signal, part))
        return replace(
            self,
            acting=acting,
            wrench=_some(wrench, part) if isinstance(wrench, Pieces) else None,
            arrays=arrays,
        )

    @property
    def divisible(self) -> bool:
        """Whether it is known what acts on which of the runs."""
        applied = isinstance(self.acting, Applied) and isinstance(self.acting.signal, Pieces)
        return applied and (self.wrench is None or isinstance(self.wrench, Pieces))

    @property
    def is_open(self) -> bool:
        """Whether torques are known without the states."""
        return isinstance(self.acting, Applied) and self.acting.kind == "tau"

    @property
    def shapes(self) -> dict[str, tuple[int, ...]]:
        """The leading axes of what is given as arrays, by name."""
        found = {name: x.shape[:-1] for name, x in self.arrays.items()}
        torque = self.acting.signal if isinstance(self.acting, Applied) else None
        for name, signal in (("torque", torque), ("wrench", self.wrench)):
            if isinstance(signal, Pieces):
                found[name] = signal.values.shape[1:-1]
        return found

    @property
    def ends(self) -> list[tuple[float, str]]:
        """How long what acts is known [s], and what it is."""
        touch = [] if self.wrench is None else [(self.wrench.end, "the wrench")]
        return [(self.acting.end, self.acting.source), *touch]

    @property
    def breaks(self) -> Array:
        """Where anything that acts jumps or bends [s]."""
        touch = [] if self.wrench is None else [self.wrench.breaks]
        return np.unique(np.concatenate([self.acting.breaks, *touch]))


def _some(signal: Pieces, part: slice) -> Pieces:
    """What acts on some of the runs."""
    if signal.values.ndim < 3:
        return signal
    return replace(signal, values=signal.values[:, part], slopes=signal.slopes[:, part])

"""Signals of a moving arm with known derivatives: sums of sines, as they are and as encoders give them."""

from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Sines:
    """x(t) = sum a sin(2 pi f t + p), each joint with its own phases."""

    frequencies: tuple[float, ...] = (0.1, 0.2, 0.3, 0.5)
    amplitudes: tuple[float, ...] = (0.5, 0.3, 0.2, 0.1)
    n: int = 2

    def at(self, time: Any, order: int = 0) -> Any:
        """(t, n) the derivative of an order."""
        columns = [
            sum(
                a
                * (2 * np.pi * f) ** order
                * np.sin(2 * np.pi * f * time + 1.3 * k + joint + order * np.pi / 2)
                for k, (f, a) in enumerate(zip(self.frequencies, self.amplitudes, strict=True))
            )
            for joint in range(self.n)
        ]
        return np.column_stack(columns)


def quantised(x: Any, bits: int) -> Any:
    """Angles as an encoder of so many bits per turn gives them."""
    step = 2 * np.pi / 2**bits
    return step * np.round(x / step)


def rms(x: Any) -> float:
    """Root of the mean square."""
    return float(np.sqrt(np.mean(np.square(x))))

"""Measured velocities beside the slopes of measured positions: units, lags and signs that cannot be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from armdyn.scalars import Array

APART = 0.05
"""Share of a joint's velocity (rms) by which the two may differ before it is worth a note."""


def notes_on_velocities(stretches: Sequence[Mapping[str, Array]]) -> list[str]:
    """What to say where measured velocities are not the slopes of the positions.

    With m = s v(t - L), about s v - L v': scale and lag by least squares.
    """
    if "measured" not in stretches[0]:
        return []
    measured, v, a = (
        np.concatenate([each[name] for each in stretches]) for name in ("measured", "qd", "qdd")
    )
    notes: list[str] = []
    for k in range(v.shape[1]):
        size = np.sqrt(np.mean(v[:, k] ** 2))
        apart = np.sqrt(np.mean((measured[:, k] - v[:, k]) ** 2))
        if size > 0 and apart > APART * size:
            (scale, change), *_ = np.linalg.lstsq(
                np.column_stack([v[:, k], a[:, k]]), measured[:, k], rcond=None
            )
            # where the lag's part is not small beside the whole, the two have little in common
            related = abs(change) * np.sqrt(np.mean(a[:, k] ** 2)) < abs(scale) * size
            how = (
                f"it is {scale:.3g} times as large and {-1e3 * change / scale:.2g} ms late" if related else ""
            )
            said = f"qd{k + 1} as measured differs from the slope of q{k + 1} by {apart / size:.0%}"
            notes.append(f"{said}: {how or 'the two have little in common'}")
    return notes

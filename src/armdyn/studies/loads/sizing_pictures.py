"""What motors have to give, as bars: torques, speeds, and how much the smallest candidates are used."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence

from armdyn.studies.loads.magnitudes import LOADS
from armdyn.studies.loads.rows import Curve, Picture, Row


def pictures(rows: Sequence[Row]) -> tuple[Picture, ...]:
    """Bars of peak and mean torque, of speed, and of the shares of the smallest candidates."""
    torques = (
        *_bars(rows, "motor_torque_peak", "peak", _largest),
        *_bars(rows, "motor_torque_rms", "rms", lambda row: row.extremes.maximum.value),
    )
    found = [
        Picture(
            "motor_torque",
            "Torque at the motors' shafts",
            "joint",
            "torque [N m]",
            torques,
            "bars",
            "Largest magnitude and root mean square of every motor's torque over the motions.",
        ),
        Picture(
            "motor_speed",
            "Speed of the motors",
            "joint",
            "speed [rad/s]",
            tuple(_bars(rows, "motor_speed", "", _largest)),
            "bars",
            "Largest magnitude of every motor's speed over the motions.",
        ),
    ]
    if shares := tuple(_bars(rows, "motor_torque_peak", "", _share)):
        found.append(
            Picture(
                "candidates",
                "Use of the smallest candidate that suffices",
                "joint",
                "share of its limits",
                shares,
                "bars",
                "Largest share of peak torque, rated torque and speed that the smallest sufficient candidate "
                "uses; a drive without a bar has none that suffices.",
            )
        )
    return tuple(found)


def _largest(row: Row) -> float | None:
    return row.more["largest"]


def _share(row: Row) -> float | None:
    """The largest share of the smallest candidate."""
    smallest = row.more.get("smallest")
    if smallest is None:
        return None
    (fit,) = (c for c in row.more["candidates"] if (c["name"], c["gear"]) == tuple(smallest.values()))
    keys = ("peak_share", "rms_share", "speed_share", "rated_speed_share")
    return max(fit[key] for key in keys if fit[key] is not None)


def _bars(
    rows: Sequence[Row], quantity: str, name: str, value: Callable[[Row], float | None]
) -> Iterable[Curve]:
    for load, label in LOADS:
        points = [(row.joint, value(row)) for row in rows if (row.quantity, row.load) == (quantity, load)]
        if any(y is not None for _, y in points):
            text = ", ".join(part for part in (name, label) if part)
            yield Curve(
                text,
                tuple(float(x) for x, _ in points),
                tuple(math.nan if y is None else y for _, y in points),
            )

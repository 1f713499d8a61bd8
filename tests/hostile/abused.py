"""What tests of abused numbers share: small arms, files, and the two ways in which a call may end."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import armdyn as ad
from armdyn.errors import ArmdynError
from armdyn.robot import BASE, Body, Joint, Robot
from armdyn.spatial import Inertia, Transform
from armdyn.spatial.vector import diagonal
from limited_arms import with_limits

PLANAR2 = ad.load("planar2")
LIMITED = with_limits(PLANAR2, velocity=3.0, acceleration=20.0, effort=2000.0)
TIME = np.linspace(0, 1, 51)
MOTION = np.outer(10 * TIME**3 - 15 * TIME**4 + 6 * TIME**5, [0.3, 0.2])
"""(t, 2) from rest to rest."""


def chain(*bodies: tuple[float, float, float]) -> Robot:
    """Bodies of a mass, a moment of inertia, and a distance from the joint before, about z and y in turn."""
    made: list[Body] = []
    for k, (mass, moment, length) in enumerate(bodies):
        axis = (0.0, 0.0, 1.0) if k % 2 == 0 else (0.0, 1.0, 0.0)
        joint = Joint(f"j{k}", axis=axis, placement=Transform(translation=(length, 0.0, 0.0)))
        inertia = Inertia(mass, (length / 2, 0.0, 0.0), diagonal(moment, moment, moment))
        made.append(Body(f"b{k}", joint, made[-1].name if made else BASE, inertia))
    return Robot("abused", tuple(made), gravity=(0.0, -9.81, 0.0))


MASSLESS = chain((0.0, 0.0, 1.0), (0.0, 0.0, 1.0))


def samples(folder: Path, time: Iterable[float] = TIME, q: Any = MOTION) -> Path:
    """A file of joint samples."""
    rows = [",".join(map(repr, map(float, (t, *row)))) for t, row in zip(time, np.asarray(q), strict=True)]
    file = folder / "motion.csv"
    file.write_text("\n".join(["time,q1,q2", *rows, ""]))
    return file


def refused(call: Callable[[], Any], sentence: str) -> None:
    """One sentence of armdyn's own; a warning of NumPy would be an error here, as everywhere in the tests."""
    with pytest.raises(ArmdynError) as caught:
        call()
    said = str(caught.value)
    assert sentence in said, said
    assert "\n" not in said
    assert "nan times" not in said


def not_finite(found: Any, place: str = "") -> list[str]:
    """Where in a document there is NaN or an infinity."""
    if isinstance(found, dict):
        return [where for key, value in found.items() for where in not_finite(value, f"{place}.{key}")]
    if isinstance(found, list | tuple):
        return [where for k, value in enumerate(found) for where in not_finite(value, f"{place}[{k}]")]
    if isinstance(found, np.ndarray):
        return [] if found.dtype.kind != "f" or np.isfinite(found).all() else [place]
    return [place] if isinstance(found, float) and not math.isfinite(found) else []

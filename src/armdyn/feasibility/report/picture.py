"""The scene as a flat drawing: what a printer shows, and where the page's script begins to turn it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from armdyn.feasibility.report.scene import Scene
from armdyn.report.markup import Markup, element
from armdyn.report.numbers import path_data
from armdyn.scalars import Array

WIDTH, HEIGHT = 1000.0, 560.0
AZIMUTH, ELEVATION = -50.0, 24.0
"""From where the scene is first seen [degrees]; the page's script begins there, too."""
BORDER = 40.0
"""Left free around the scene [px]; the page's script leaves the same."""
AWAY = 11.0
"""How far a number stands from its point [px]."""


@dataclass(frozen=True)
class View:
    """A parallel projection along a direction; z stays upright."""

    azimuth: float
    elevation: float
    middle: Array
    """Of the scene, seen from there [m]"""
    scale: float
    """[px/m]"""

    @classmethod
    def of(cls, scene: Scene) -> View:
        """The scene from where it is first seen, as large as it can be."""
        whole = cls(AZIMUTH, ELEVATION, np.zeros(2), 1.0).seen(scene.corners)
        low, high = whole.min(axis=0), whole.max(axis=0)
        room = np.array([WIDTH, HEIGHT]) - 2 * BORDER
        return cls(AZIMUTH, ELEVATION, 0.5 * (low + high), float((room / np.maximum(high - low, 1e-9)).min()))

    def seen(self, points: Any) -> Array:
        """(..., 2) to the right and upwards [m]."""
        a, e = math.radians(self.azimuth), math.radians(self.elevation)
        right = np.array([-math.sin(a), math.cos(a), 0.0])
        up = np.array([-math.sin(e) * math.cos(a), -math.sin(e) * math.sin(a), math.cos(e)])
        return np.asarray(points, dtype=float) @ np.stack([right, up], axis=1)

    def flat(self, points: Any) -> Array:
        """(..., 2) places in the drawing [px]."""
        away = self.scale * (self.seen(points) - self.middle)
        return np.array([WIDTH / 2, HEIGHT / 2]) + away * np.array([1.0, -1.0])


def picture(scene: Scene) -> Markup:
    """The scene from where it is first seen."""
    view = View.of(scene)
    strokes = [
        element("path", class_=stroke.kind, d=path_data(view.flat(part) for part in stroke.parts))
        for stroke in scene.strokes
    ]
    centre = view.flat([label.at for label in scene.labels]).mean(axis=0)
    labels = [_label(view, label.kind, label.text, label.at, centre) for label in scene.labels]
    return element(
        "svg",
        *strokes,
        *labels,
        id="picture",
        viewBox=f"0 0 {WIDTH:g} {HEIGHT:g}",
        role="img",
        tabindex=0,
        data_azimuth=AZIMUTH,
        data_elevation=ELEVATION,
        data_border=BORDER,
        data_away=AWAY,
        aria_label="Programmed and achieved path of the tool in space, with the arm in its start posture. "
        "Arrow keys turn the picture, plus and minus zoom, 0 goes back.",
    )


def _label(view: View, kind: str, words: str, at: list[float], centre: Array) -> Markup:
    """A point and, away from the middle of all points, what it is called."""
    place = view.flat(at)
    away = place - centre
    x, y = AWAY * away / max(float(np.hypot(*away)), 1e-9) if kind == "end" else np.zeros(2)
    anchor = "start" if x > AWAY / 3 else "end" if x < -AWAY / 3 else "middle"
    word = element("text", words, x=f"{x:.1f}", y=f"{y + 4:.1f}", text_anchor=anchor)
    mark = element("circle", r=3.5) if kind == "end" else ""
    return element(
        "g", mark, word, class_=f"label {kind}", transform=f"translate({place[0]:.1f} {place[1]:.1f})"
    )

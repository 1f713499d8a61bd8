"""Ellipsoids and polytopes drawn at the tool of an arm, in a plane."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from armdyn.dynamics import Dynamics
from armdyn.errors import InputError, ShapeError
from armdyn.manipulability.ellipsoid import Ellipsoid
from armdyn.manipulability.vectors import one_vector, two_axes
from armdyn.manipulability.zonotope import Zonotope
from armdyn.report.drawing import DASHES, check_figure, drawing, frame, legend, new_figure, save, style
from armdyn.report.wording import amount
from armdyn.scalars import Array

Shape = Ellipsoid | Zonotope
PANEL = 4.4
"""[inch] Of a panel."""
LARGE = 0.45
"""How far the largest shape reaches, of the arm's extent."""
AXES = ("x", "y", "z")


def draw(
    path: str | os.PathLike[str],
    dyn: Dynamics,
    q: ArrayLike,
    shapes: Mapping[str, Mapping[str, Shape]],
    *,
    plane: tuple[str, str] = ("x", "y"),
    unit: str = "m/s2",
) -> None:
    """Draw an arm with shapes at its tool: .svg, .png or .pdf.

    Args:
        path: the file.
        dyn: whose arm it is.
        q: (n) where it stands.
        shapes: title of a panel -> name -> ellipsoid or polytope of a task that has the plane's axes.
        plane: axes to the right and upwards.
        unit: of the shapes.
    """
    check_figure(path)
    posture = one_vector("q", q, dyn.n, "one posture is drawn")
    _check_shapes(shapes)
    if any(axis not in AXES for axis in plane):
        raise InputError(f"the plane is {', '.join(map(str, plane))}, expected two of {', '.join(AXES)}")
    with drawing("manipulability"):
        figure = new_figure((PANEL * len(shapes), PANEL * _slenderness(dyn, posture, shapes, plane) + 1.2))
        drawn_on(figure, dyn, posture, shapes, plane=plane, unit=unit)
        save(figure, Path(path))


def _check_shapes(shapes: Any) -> None:
    """Refuse what cannot be drawn."""
    wanted = "expected title -> name -> shape"
    panels: list[Any] = list(shapes.values()) if isinstance(shapes, Mapping) else [shapes]  # pyright: ignore[reportUnknownArgumentType]
    if not all(isinstance(named, Mapping) for named in panels):
        raise InputError(f"shapes are no mappings, {wanted}")
    if not panels or not all(panels):
        raise InputError(f"there is nothing to draw, {wanted}")
    for named in panels:
        for name, shape in named.items():
            _check_shape(name, shape)


def _check_shape(name: str, shape: Any) -> None:
    """Refuse what is no shape, those of many states, and those without end."""
    if not isinstance(shape, Shape):
        raise InputError(f'"{name}" is {shape!r}, expected an Ellipsoid or a Zonotope')
    if shape.centre.ndim != 1:
        has = "one state is drawn"
        raise ShapeError(f'the centre of "{name}"', shape.centre.shape, has, f"({len(shape.axes)},)")
    if isinstance(shape, Ellipsoid) and not np.isfinite([*shape.radii, *shape.centre]).all():
        raise InputError(f'"{name}" has radii {shape.radii.tolist()}, expected finite ones to draw')


def drawn_on(
    figure: Any,
    dyn: Dynamics,
    q: Array,
    shapes: Mapping[str, Mapping[str, Shape]],
    *,
    plane: tuple[str, str] = ("x", "y"),
    unit: str = "m/s2",
) -> None:
    """Draw on a figure of matplotlib, one panel for each title."""
    line, outlines, scale = _scaled(dyn, q, shapes, plane)
    panels: list[Any] = list(figure.subplots(1, len(shapes), sharex=True, sharey=True, squeeze=False)[0])
    names = list(dict.fromkeys(name for named in outlines.values() for name in named))
    for panel, (title, named) in zip(panels, outlines.items(), strict=True):
        frame(panel)
        panel.plot(*line.T, "o-", color="0.45", linewidth=3.0, markersize=5.0, solid_capstyle="round")
        panel.plot(*line[0], "s", color="0.3", markersize=9.0)
        for name, (points, centre) in named.items():
            k = names.index(name)
            look = {**style(k), "linestyle": DASHES[k % len(DASHES)]}
            panel.plot(*(line[-1] + scale * points).T, label=name, linewidth=1.6, **look)
            panel.fill(*(line[-1] + scale * points).T, color=look["color"], alpha=0.08, linewidth=0)
            middle = np.stack([line[-1], line[-1] + scale * centre])
            panel.plot(*middle.T, "-", color=look["color"], linewidth=0.9)
            panel.plot(*middle[1], "+", color=look["color"], markersize=7.0)
        panel.set_aspect("equal", adjustable="box")
        panel.set_title(title, loc="left")
        panel.set_xlabel(f"{plane[0]} [m]; shapes: 1 m is {amount(1 / scale, 3)} {unit}")
    panels[0].set_ylabel(f"{plane[1]} [m]")
    legend(figure, panels)


def _scaled(
    dyn: Dynamics, q: Array, shapes: Mapping[str, Mapping[str, Shape]], plane: tuple[str, str]
) -> tuple[Array, dict[str, dict[str, tuple[Array, Array]]], float]:
    """The arm (points, 2), outline and centre of every shape, and metres for a unit of these."""
    line = arm_line(dyn, q)[:, [AXES.index(axis) for axis in plane]]
    outlines = {
        title: {name: _outline(shape, plane) for name, shape in named.items()}
        for title, named in shapes.items()
    }
    farthest = max(float(np.abs(points).max()) for named in outlines.values() for points, _ in named.values())
    return line, outlines, LARGE * float(np.ptp(line, axis=0).max()) / farthest


def _slenderness(
    dyn: Dynamics, q: Array, shapes: Mapping[str, Mapping[str, Shape]], plane: tuple[str, str]
) -> float:
    """Height over width of all that is drawn."""
    line, outlines, scale = _scaled(dyn, q, shapes, plane)
    parts = [
        line,
        *(line[-1] + scale * points for named in outlines.values() for points, _ in named.values()),
    ]
    width, height = np.ptp(np.concatenate(parts), axis=0)
    return min(max(float(height / width), 0.3), 2.0)


def _outline(shape: Shape, plane: tuple[str, str]) -> tuple[Array, Array]:
    """The outline (points, 2) and the centre (2) of a shape."""
    places = two_axes(shape.axes, *plane)
    if isinstance(shape, Zonotope):
        middle = shape.centre + shape.generators @ (0.5 * (shape.lower + shape.upper))
        return shape.polygon(*plane), middle[places]
    return shape.points(*plane), shape.centre[places]


def arm_line(dyn: Dynamics, q: Array, frame: str | None = None) -> Array:
    """(points, 3) from the first joint over the bodies' frames to the tool, or to a body's frame."""
    bodies = {body.name: body for body in dyn.robot.bodies}
    chain: list[str] = []
    name = dyn.robot.tool.body if frame is None else frame
    while name in bodies:
        chain.insert(0, name)
        name = bodies[name].parent
    first = [np.array(bodies[body].joint.placement.translation, dtype=float) for body in chain[:1]]
    return np.array([*first, *(dyn.pose(q, body)[:3, 3] for body in chain), dyn.pose(q, frame)[:3, 3]])

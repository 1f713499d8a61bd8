"""Shapes and colours: <visual>."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from typing import Any

from armdyn.formats.urdf.elements import (
    Element,
    add,
    attribute,
    blaming,
    child,
    children,
    local,
    mistake,
    needed,
)
from armdyn.formats.urdf.numbers import numbers_text, read_numbers
from armdyn.formats.urdf.origins import add_origin, read_origin
from armdyn.robot import Visual
from armdyn.spatial import Transform

Color = tuple[float, float, float, float]

_SIZES: Mapping[str, Mapping[str, int]] = {
    "box": {"size": 3},
    "cylinder": {"radius": 1, "length": 1},
    "sphere": {"radius": 1},
    "mesh": {"scale": 3},
}
"""The attributes that give a shape its size, and how many numbers each has; a mesh may have none."""


# Shapes ---------------------------------------------------------------------------------------


def read_visuals(link: Element, colors: Mapping[str, Color]) -> tuple[Visual, ...]:
    """What a link looks like, without the shapes that URDF does not know."""
    shapes = ((visual, _shape(visual)) for visual in children(link, "visual"))
    return tuple(_visual(visual, shape, colors) for visual, shape in shapes if local(shape) in _SIZES)


def unknown_shapes(link: Element) -> list[str]:
    """The shapes that URDF does not know: capsules and the like."""
    shapes = (local(_shape(visual)) for visual in children(link, "visual"))
    return [shape for shape in shapes if shape not in _SIZES]


def _shape(visual: Element) -> Element:
    geometry = needed(visual, "geometry", '<geometry><sphere radius="0.1"/></geometry>')
    shape = next((element for element in geometry if local(element)), None)
    if shape is None:
        raise mistake(geometry, "is empty, expected a box, cylinder, sphere or mesh")
    return shape


def _visual(visual: Element, shape: Element, colors: Mapping[str, Color]) -> Visual:
    kind: Any = local(shape)
    place, color, size = read_origin(visual), _color(visual, colors), _read_size(shape)
    mesh = attribute(shape, "filename") if kind == "mesh" else None
    with blaming(shape):
        return Visual(kind, size, mesh, place, color)


def _read_size(shape: Element) -> tuple[float, ...]:
    if local(shape) == "mesh" and not shape.get("scale"):
        return ()
    sizes = _SIZES[local(shape)].items()
    return tuple(x for name, count in sizes for x in read_numbers(shape, name, count))


def add_visual(link: Element, visual: Visual, T_link_body: Transform, materials: Mapping[Color, str]) -> None:
    """Draw a shape of a body on its link."""
    element = add(link, "visual")
    add_origin(element, T_link_body @ visual.placement)
    mesh = {"filename": visual.mesh or ""} if visual.shape == "mesh" else {}
    add(add(element, "geometry"), visual.shape, **mesh, **_size_texts(visual))
    if visual.color is not None:
        material = add(element, "material", name=materials[visual.color])
        add(material, "color", rgba=numbers_text(visual.color))


def _size_texts(visual: Visual) -> dict[str, str]:
    if not visual.size:
        return {}
    size = iter(visual.size)
    return {name: numbers_text(islice(size, count)) for name, count in _SIZES[visual.shape].items()}


# Colours --------------------------------------------------------------------------------------


def read_colors(robot: Element) -> dict[str, Color]:
    """Colours by the names of materials: of the robot first, then of the visuals that define them."""
    visuals = (visual for link in children(robot, "link") for visual in children(link, "visual"))
    colors: dict[str, Color] = {}
    for owner in (robot, *visuals):
        for material in children(owner, "material"):
            if (color := _own_color(material)) is not None:
                colors.setdefault(material.get("name") or "", color)
    return colors


def _own_color(material: Element) -> Color | None:
    color = child(material, "color")
    if color is None:
        return None
    r, g, b, a = read_numbers(color, "rgba", 4)
    return r, g, b, a


def _color(visual: Element, colors: Mapping[str, Color]) -> Color | None:
    material = child(visual, "material")
    if material is None:
        return None
    return _own_color(material) or colors.get(material.get("name") or "")

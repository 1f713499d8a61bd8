"""Links: their inertias and their looks, and the placements of either (joints have them too)."""

from __future__ import annotations

import math
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
    number_text,
    numbers_text,
    read_number,
    read_numbers,
)
from armdyn.robot import Visual
from armdyn.spatial import Inertia, Transform, Vec3
from armdyn.spatial.rotation import from_rpy
from armdyn.spatial.vector import Mat3, vector

Color = tuple[float, float, float, float]

_SIZES: Mapping[str, Mapping[str, int]] = {
    "box": {"size": 3},
    "cylinder": {"radius": 1, "length": 1},
    "sphere": {"radius": 1},
    "mesh": {"scale": 3},
}
"""The attributes that give a shape its size, and how many numbers each has; a mesh may have none."""


# Placements: <origin xyz="..." rpy="..."> -----------------------------------------------------


def read_origin(element: Element) -> Transform:
    """Where an element's <origin> places it."""
    origin = child(element, "origin")
    if origin is None:
        return Transform()
    roll, pitch, yaw = read_numbers(origin, "rpy", 3, (0.0, 0.0, 0.0))
    return Transform(from_rpy(roll, pitch, yaw), vector(read_numbers(origin, "xyz", 3, (0.0, 0.0, 0.0))))


def add_origin(element: Element, place: Transform) -> None:
    """Place an element, unless it stays where it is."""
    if place != Transform():
        add(element, "origin", xyz=numbers_text(place.translation), rpy=numbers_text(rpy_of(place.rotation)))


def rpy_of(rotation: Mat3) -> Vec3:
    """Roll, pitch, yaw [rad] with rotation = Rz(yaw) Ry(pitch) Rx(roll).

    Roll and pitch are read off Rz(-yaw) rotation = Ry(pitch) Rx(roll): near a pitch of 90 degrees
    yaw is ill determined, and they make up for whatever it came out as.
    """
    r: Any = rotation
    yaw = math.atan2(r[1][0] + 0.0, r[0][0] + 0.0)
    c, s = math.cos(yaw), math.sin(yaw)
    pitch = math.atan2(-r[2][0] + 0.0, c * r[0][0] + s * r[1][0])
    roll = math.atan2(s * r[0][2] - c * r[1][2], c * r[1][1] - s * r[0][1])
    return roll, pitch, yaw


# Inertias: <inertial> with its mass and tensor ------------------------------------------------


def read_inertia(inertial: Element) -> Inertia:
    """The inertia in the frame of the <inertial>, whose origin is the centre of mass."""
    mass = read_number(needed(inertial, "mass", '<mass value="1.5"/>'), "value")
    tensor = needed(inertial, "inertia", '<inertia ixx="0.1" iyy="0.1" izz="0.1"/>')
    xx, yy, zz = (read_number(tensor, name) for name in ("ixx", "iyy", "izz"))
    xy, xz, yz = (read_number(tensor, name, 0.0) for name in ("ixy", "ixz", "iyz"))
    return Inertia(mass, tensor=((xx, xy, xz), (xy, yy, yz), (xz, yz, zz)))


def add_inertial(link: Element, inertia: Inertia) -> None:
    """Give a link its inertia, if it has any."""
    if not has_inertia(inertia):
        return
    inertial = add(link, "inertial")
    add(inertial, "origin", xyz=numbers_text(inertia.com), rpy="0.0 0.0 0.0")
    add(inertial, "mass", value=number_text(inertia.mass))
    (xx, xy, xz), (_, yy, yz), (_, _, zz) = inertia.tensor
    elements = {"ixx": xx, "ixy": xy, "ixz": xz, "iyy": yy, "iyz": yz, "izz": zz}
    add(inertial, "inertia", **{name: number_text(value) for name, value in elements.items()})


def has_inertia(inertia: Inertia) -> bool:
    """Whether there is anything to move."""
    return bool(inertia.mass) or any(any(row) for row in inertia.tensor)


# Shapes: <visual> -----------------------------------------------------------------------------


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

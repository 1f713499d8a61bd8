"""Inertias: <inertial> with its mass and tensor."""

from __future__ import annotations

from armdyn.formats.urdf.elements import Element, add, needed
from armdyn.formats.urdf.numbers import number_text, numbers_text, read_number
from armdyn.spatial import Inertia


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

"""Placements: <origin xyz="..." rpy="...">."""

from __future__ import annotations

import math
from typing import Any

from armdyn.formats.urdf.elements import Element, add, child
from armdyn.formats.urdf.numbers import numbers_text, read_numbers
from armdyn.spatial import Transform, Vec3
from armdyn.spatial.rotation import from_rpy
from armdyn.spatial.vector import Mat3, vector


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

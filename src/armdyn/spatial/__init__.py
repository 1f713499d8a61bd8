"""Rotations, placements, inertias and wrenches, over generic scalars."""

from armdyn.spatial.inertia import Inertia
from armdyn.spatial.moments import Moments
from armdyn.spatial.transform import Transform
from armdyn.spatial.vector import Mat3, Vec3
from armdyn.spatial.wrench import Acceleration, Twist, Wrench

__all__ = ["Acceleration", "Inertia", "Mat3", "Moments", "Transform", "Twist", "Vec3", "Wrench"]

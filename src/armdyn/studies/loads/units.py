"""Units of what a joint feels: a turning joint's and a sliding one's."""

from __future__ import annotations

from armdyn.robot import Joint


def slides(joint: Joint) -> bool:
    """Whether a joint slides."""
    return joint.kind == "prismatic"


def inertia_unit(joint: Joint) -> str:
    """Of H_ii."""
    return "kg" if slides(joint) else "kg m2"


def torque_unit(joint: Joint) -> str:
    """Of a joint's torque or force."""
    return "N" if slides(joint) else "N m"


def acceleration_unit(joint: Joint) -> str:
    """Of a joint's acceleration."""
    return "m/s2" if slides(joint) else "rad/s2"


def coupling_unit(joint: Joint, other: Joint) -> str:
    """Of H_ij/H_ii: the acceleration of joint i that stands for one of joint j."""
    if slides(joint) == slides(other):
        return "1"
    return "m/rad" if slides(joint) else "rad/m"


def damping_unit(joint: Joint) -> str:
    """Of a velocity gain."""
    return "N s/m" if slides(joint) else "N m s/rad"

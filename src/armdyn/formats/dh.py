"""Denavit-Hartenberg rows as joints.

Standard: T = Rz(theta) Tz(d) Tx(a) Rx(alpha), modified: T = Rx(alpha) Tx(a) Rz(theta) Tz(d).
The joint's variable is added to theta (revolute) or d (prismatic); what stands in the table
there is its offset, and is kept.
"""

from __future__ import annotations

from armdyn.robot import Joint
from armdyn.robot.joint import JointKind
from armdyn.scalars import exact_cos_sin
from armdyn.spatial import Transform
from armdyn.spatial.rotation import about_x, about_z


def dh_joint(
    name: str, kind: JointKind, convention: str, *, theta: float, d: float, a: float, alpha: float
) -> Joint:
    """The joint of one DH row."""
    link = Transform(about_x(*exact_cos_sin(alpha)), (a, 0.0, 0.0))  # Tx(a) Rx(alpha) = Rx(alpha) Tx(a)
    if kind == "revolute":
        along, offset = Transform(translation=(0.0, 0.0, d)), theta
        before, after = Transform(), along
    else:
        before, after = Transform(about_z(*exact_cos_sin(theta))), Transform()
        offset = d
    if convention == "standard":
        return Joint(name, kind, placement=before, frame=after @ link, offset=offset)
    return Joint(name, kind, placement=link @ before, frame=after, offset=offset)

"""The force and the moment at a joint in parts: across its axis and along it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from armdyn.equations import quantities
from armdyn.mechanics import newton_euler
from armdyn.mechanics.newton_euler import LinkLoads
from armdyn.scalars import Array
from armdyn.scalars.harmonic import Harmonic
from armdyn.studies.loads.arms import Arm


@dataclass(frozen=True)
class Part:
    """One part of what a joint passes on."""

    name: str
    title: str
    unit: str
    moment: bool
    length: bool
    """Whether it is a length across the axis, never negative; along the axis there is a sign."""

    def of(self, axis: Array, wrench: Array) -> Array:
        """(...) the part of wrenches: (..., 6), in the axes in which the joint's axis is given."""
        vector = wrench[..., 3:] if self.moment else wrench[..., :3]
        along = vector @ axis
        return np.linalg.norm(vector - along[..., None] * axis, axis=-1) if self.length else along


PARTS = (
    Part("radial_force", "radial force", "N", False, True),
    Part("axial_force", "axial force", "N", False, False),
    Part("bending_moment", "bending moment", "N m", True, True),
    Part("axis_moment", "moment about the axis", "N m", True, False),
)


@dataclass(frozen=True)
class Carrying:
    """An arm under one load, and what its joints pass on."""

    arm: Arm

    @cached_property
    def loads(self) -> LinkLoads:
        """[Siciliano2009] (7.112), (7.113) at rest: what parents exert on their links, z along the joint."""
        setting = self.arm.setting
        return newton_euler.inverse_dynamics(setting.whole.at_rest(), setting.joints(), None, None)

    def body(self, i: int) -> str:
        """What joint i, a position in q, carries."""
        name = self.arm.robot.joint_names[i]
        return next(body.name for body in self.arm.robot.bodies if body.joint.name == name)

    def axis(self, i: int) -> Array:
        """(3) the axis of joint i, z of its link, in the axes of the body it carries."""
        _, T_link_body = self.arm.setting.whole.frames[self.body(i)]
        return np.array(T_link_body.rotation[2], dtype=float)

    def at_rest(self, i: int, part: Part) -> Harmonic:
        """A part under gravity alone; of a length its square."""
        link, _ = self.arm.setting.whole.frames[self.body(i)]
        wrench = self.loads.links[link]
        x, y, z = wrench.moment if part.moment else wrench.force
        return quantities.harmonic(self.arm.setting, x * x + y * y if part.length else z)

    def in_motion(self, i: int, part: Part, q: Array, qd: Array, qdd: Array) -> Array:
        """(...) a part in states of motion: (..., n) each."""
        body = self.arm.robot.body_names.index(self.body(i))
        return part.of(self.axis(i), self.arm.dynamics.reactions(q, qd, qdd)[..., body, :])

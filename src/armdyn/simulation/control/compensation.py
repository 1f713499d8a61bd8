"""What a controller's model compensates of friction.

A law that compensated dry friction at the measured velocities would jump wherever a joint stops: at rest the
torque that starts a motion depends on the sign of the demanded acceleration alone, however small that is, and
a joint that should stand would be pushed to and fro. Viscous friction is smooth.
"""

from __future__ import annotations

from dataclasses import replace

from armdyn.dynamics import Dynamics
from armdyn.robot import Friction


def without_dry_friction(dyn: Dynamics) -> Dynamics:
    """The same dynamics with viscous friction alone; itself where there is no other."""
    if not any(point.friction.dry for point in dyn.friction_points):
        return dyn
    robot = dyn.robot
    bodies = (
        replace(body, joint=replace(body.joint, friction=Friction(viscous=body.joint.friction.viscous)))
        for body in robot.bodies
    )
    drives = (replace(drive, friction=Friction(viscous=drive.friction.viscous)) for drive in robot.drives)
    smooth = replace(robot, bodies=tuple(bodies), drives=tuple(drives))
    return Dynamics(smooth, dyn.motors, dyn.friction, dyn.method)

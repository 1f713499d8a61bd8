"""Inverse kinematics: postures for poses of the tool.

subproblems      angles that bring points to circles, planes and spheres
geometry         the axes of an arm at q = 0
arms, wrist      joints 1 to 3 and 4 to 6 of an arm with a spherical wrist
spherical_wrist  the closed form made of them; three_parallel: that of arms like the UR5
closed_form      either, exact to rounding and checked against the arm's own kinematics
numerical        damped Newton steps, for any other arm
following        continuous motions along poses
"""

from armdyn.motion.inverse_kinematics.following import Followed
from armdyn.motion.inverse_kinematics.inverse_kinematics import InverseKinematics, Solution
from armdyn.motion.inverse_kinematics.unreachable import UnreachableError

__all__ = ["Followed", "InverseKinematics", "Solution", "UnreachableError"]

"""What an arm can do at its tool: ellipsoids and polytopes of velocity, force and acceleration, and measures.

[Siciliano2009] 7.9. A set of joint rates or torques becomes a set of velocities, forces or accelerations of a
task: the unit sphere an ellipsoid, the limits of the motors a polytope.
"""

from armdyn.manipulability.ellipsoid import Ellipsoid
from armdyn.manipulability.ellipsoids import acceleration_ellipsoid, force_ellipsoid, velocity_ellipsoid
from armdyn.manipulability.measures import MEASURES, Measures, measure, measures
from armdyn.manipulability.polytopes import acceleration_polytope
from armdyn.manipulability.zonotope import Zonotope

__all__ = [
    "MEASURES",
    "Ellipsoid",
    "Measures",
    "Zonotope",
    "acceleration_ellipsoid",
    "acceleration_polytope",
    "force_ellipsoid",
    "measure",
    "measures",
    "velocity_ellipsoid",
]

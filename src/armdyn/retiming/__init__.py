"""Retiming: the same path in other times, slowed just enough or as fast as can be.

torques, limits   what a motion asks for before it is known how fast it goes, as forms
path              the geometry of a motion in joint space, without time
uniform           one multiple of all speeds
per_move          speeds and accelerations of each move of a program
optimal           the fastest motion along a path
"""

from armdyn.retiming.path import JointPath, path_through
from armdyn.retiming.retime import Retimed, retime

__all__ = ["JointPath", "Retimed", "path_through", "retime"]

"""armdyn: a workbench for the dynamics of robot arms.

import armdyn as ad

arm = ad.load("lola15")                  # catalog name, .toml or .urdf file
dyn = ad.Dynamics(arm)                   # motors=: by default the best the data support
tau = dyn.inverse(q, qd, qdd)            # arrays of shape (..., n)
"""

from armdyn.dynamics import Dynamics
from armdyn.errors import ArmdynError
from armdyn.formats import catalog, load, save
from armdyn.robot import Robot

__all__ = ["ArmdynError", "Dynamics", "Robot", "catalog", "load", "save"]

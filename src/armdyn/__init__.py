"""armdyn: a workbench for the dynamics of robot arms.

import armdyn as ad

arm = ad.load("lola15")                  # catalog name, .toml or .urdf file
dyn = ad.Dynamics(arm)                   # motors=: by default the best the data support
tau = dyn.inverse(q, qd, qdd)            # arrays of shape (..., n)
"""

from armdyn.dynamics import Dynamics
from armdyn.errors import ArmdynError
from armdyn.formats import catalog, load, save
from armdyn.robot import BaseMotion, Robot
from armdyn.scalars.batch import Losses
from armdyn.spatial import Transform

__all__ = [
    "ArmdynError",
    "BaseMotion",
    "Dynamics",
    "Losses",
    "Robot",
    "Transform",
    "catalog",
    "load",
    "save",
]


def __getattr__(name: str) -> str:
    """`armdyn.__version__`, looked up only when asked for."""
    if name == "__version__":
        from importlib.metadata import version

        return version("armdyn")
    raise AttributeError(f"module 'armdyn' has no attribute {name!r}")

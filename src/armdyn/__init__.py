"""armdyn: a workbench for the dynamics of robot arms.

import armdyn as ad

arm = ad.load("lola15")                  # catalog name, .toml or .urdf file
dyn = ad.Dynamics(arm)                   # motors=: by default the best the data support
tau = dyn.inverse(q, qd, qdd)            # arrays of shape (..., n)

found = ad.verify("program.lirl")        # can the motors do it?
run = ad.simulate(arm, 2.0, torque=tau)  # what the arm does
"""

from typing import TYPE_CHECKING, Any

from armdyn.dynamics import Dynamics
from armdyn.errors import ArmdynError
from armdyn.formats import catalog, load, save
from armdyn.robot import BaseMotion, Robot
from armdyn.scalars.batch import Losses
from armdyn.spatial import Transform

if TYPE_CHECKING:
    from armdyn.equations.derive import derive
    from armdyn.exports.export import export
    from armdyn.feasibility import planned, verify
    from armdyn.identification.excitation import excite
    from armdyn.identification.identify import identify, identify_payload
    from armdyn.retiming import path_through, retime
    from armdyn.simulation import simulate, simulate_many
    from armdyn.studies.loads.study import study
    from armdyn.sweep.sweep import sweep

__all__ = [
    "ArmdynError",
    "BaseMotion",
    "Dynamics",
    "Losses",
    "Robot",
    "Transform",
    "catalog",
    "derive",
    "excite",
    "export",
    "identify",
    "identify_payload",
    "load",
    "path_through",
    "planned",
    "retime",
    "save",
    "simulate",
    "simulate_many",
    "study",
    "sweep",
    "verify",
]


def __getattr__(name: str) -> Any:
    """What takes long to look up or import, only when asked for."""
    if name == "__version__":
        from importlib.metadata import version

        return version("armdyn")
    if name in ("planned", "verify"):
        import armdyn.feasibility

        return getattr(armdyn.feasibility, name)
    if name in ("path_through", "retime"):
        import armdyn.retiming

        return getattr(armdyn.retiming, name)
    if name in ("simulate", "simulate_many"):
        import armdyn.simulation

        return getattr(armdyn.simulation, name)
    if name in ("identify", "identify_payload"):
        import armdyn.identification.identify as room

        return getattr(room, name)
    if name == "derive":
        from armdyn.equations.derive import derive

        return derive
    if name == "excite":
        from armdyn.identification.excitation import excite

        return excite
    if name == "export":
        from armdyn.exports.export import export

        return export
    if name == "study":
        from armdyn.studies.loads.study import study

        return study
    if name == "sweep":
        from importlib import import_module

        return import_module("armdyn.sweep")  # the room has the name of the function, and can be called as it
    raise AttributeError(f"module 'armdyn' has no attribute {name!r}")

"""Forward simulation: the motion that torques, currents, voltages or a controller cause.

    run = simulate("ur5", 2.0, torque=tau)                      one arm: `Simulation`
    runs = simulate_many(dyn, 2.0, q=starts, torque=tau)        thousands at once: `ManyRuns`

What drives an arm is a signal (`sampled`, `constant`, a function of time) or a controller (`pid`,
`pd_gravity`, `computed_torque`, `operational_space`) with a reference (`references`).
"""

from armdyn.simulation.changes import Grasp, Release
from armdyn.simulation.control.controllers import computed_torque, pd_gravity, pid
from armdyn.simulation.control.gains import gains
from armdyn.simulation.control.operational_space import operational_space
from armdyn.simulation.control.saturation import saturated
from armdyn.simulation.files.input_files import read_input
from armdyn.simulation.many import ManyRuns, simulate_many
from armdyn.simulation.results import Simulation
from armdyn.simulation.run import Run
from armdyn.simulation.signals import constant, sampled
from armdyn.simulation.simulate import prepared, simulate

__all__ = [
    "Grasp",
    "ManyRuns",
    "Release",
    "Run",
    "Simulation",
    "computed_torque",
    "constant",
    "gains",
    "operational_space",
    "pd_gravity",
    "pid",
    "prepared",
    "read_input",
    "sampled",
    "saturated",
    "simulate",
    "simulate_many",
]

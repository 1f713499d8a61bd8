"""What drives the arms of a study: nothing, torques, or a controller along a program or to a posture."""

from __future__ import annotations

from collections import OrderedDict
from pathlib import Path
from typing import Any

import numpy as np

from armdyn.dynamics import Dynamics
from armdyn.errors import InputError
from armdyn.feasibility import planned
from armdyn.formats.motion_tables import SUFFIXES
from armdyn.formats.motions import read_motion
from armdyn.robot import Robot
from armdyn.scalars import Array
from armdyn.simulation.acting import Acting
from armdyn.simulation.control.controllers import computed_torque, pd_gravity, pid
from armdyn.simulation.control.gains import error_gains, gains, integral_gain
from armdyn.simulation.control.references import Reference, fixed, of_motion, of_plan
from armdyn.simulation.control.saturation import saturated
from armdyn.sweep.quantities.options import Options
from armdyn.sweep.quantities.variants import KEPT
from armdyn.sweep.study import Study

CONTROLLERS = ("pd_gravity", "pid", "computed_torque")
FREQUENCY = 20.0
"""[rad/s] Of the servos, unless asked otherwise."""


class Driving:
    """The controller of a study, made once for each robot."""

    def __init__(self, study: Study, options: Options, robot: Robot) -> None:
        """Take the options about control."""
        self._study = study
        self._name: str | None = options.text("controller", None, CONTROLLERS)
        self._file: str | None = options.text("reference")
        self._goal = options.vector("goal", robot.n)
        self._frequency = options.number("frequency", FREQUENCY, positive=True)
        self._damping = options.number("damping", 1.0, positive=True)
        self._limits = options.flag("limits", False)
        if self._name is None and (self._file is not None or self._goal is not None):
            raise InputError(f"a reference is for a controller; add controller, of {', '.join(CONTROLLERS)}")
        if self._file is not None and self._goal is not None:
            raise InputError("reference and goal are both given, expected one of them")
        self._references: OrderedDict[Robot, Reference] = OrderedDict()
        self._controllers: OrderedDict[Dynamics, Acting] = OrderedDict()

    @property
    def controlled(self) -> bool:
        """Whether there is a controller."""
        return self._name is not None

    def start(self, dyn: Dynamics) -> Array:
        """(n) where runs begin: where the reference does, or at home where it is one posture."""
        return np.array(dyn.robot.home, dtype=float) if self._goal is not None else self._at_start(dyn)

    def _at_start(self, dyn: Dynamics) -> Array:
        return self.wanted(dyn, np.zeros(1))[0]

    def wanted(self, dyn: Dynamics, time: Array) -> Array:
        """(t, n) the reference."""
        return self._reference(dyn.robot).at(time)[0]

    def controller(self, dyn: Dynamics) -> Acting | None:
        """What drives the arm, none if there is none."""
        if self._name is None:
            return None
        if dyn not in self._controllers:
            self._controllers[dyn] = self._made(dyn)
            if len(self._controllers) > KEPT:
                self._controllers.popitem(last=False)
        return self._controllers[dyn]

    def _made(self, dyn: Dynamics) -> Acting:
        reference, w, zeta = self._reference(dyn.robot), self._frequency, self._damping
        if self._name == "computed_torque":
            kp, kv = error_gains(dyn, w, zeta)
            made: Any = computed_torque(dyn, reference, kp=kp, kv=kv)
        else:
            kp, kv = gains(dyn, w, zeta, self._at_start(dyn))
            if self._name == "pid":
                made = pid(dyn, reference, kp=kp, kv=kv, ki=integral_gain(dyn, w, kp))
            else:
                made = pd_gravity(dyn, reference, kp=kp, kv=kv)
        return saturated(made, dyn) if self._limits else made

    def _reference(self, robot: Robot) -> Reference:
        if robot not in self._references:
            self._references[robot] = self._read(robot)
            if len(self._references) > KEPT:
                self._references.popitem(last=False)
        return self._references[robot]

    def _read(self, robot: Robot) -> Reference:
        if self._file is None:
            return fixed(robot.home if self._goal is None else self._goal)
        place = self._study.source(self._file)
        if Path(place).suffix.lower() in SUFFIXES:
            return of_motion(read_motion(place, robot), source=self._file)
        return of_plan(planned(place, robot).plan, source=self._file)

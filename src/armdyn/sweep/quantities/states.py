"""Quantities of a state: torques, accelerations, matrices, energies, places, over postures and loads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from armdyn.dynamics import Dynamics
from armdyn.dynamics.quantities import QUANTITIES
from armdyn.dynamics.quantities.torques import TERMS
from armdyn.dynamics.result_names import result_names
from armdyn.dynamics.variation import frictions, inertias, payloads
from armdyn.errors import ArmdynError, InputError
from armdyn.robot import Robot
from armdyn.scalars import Array
from armdyn.sweep.axes import Values
from armdyn.sweep.quantities.columns import ERROR, Column, empty_rows, row_count
from armdyn.sweep.quantities.engine import Engine, engine_of, evaluated_by
from armdyn.sweep.quantities.meanings import WRENCH, Meaning, Of, Takes, understood
from armdyn.sweep.quantities.options import Options
from armdyn.sweep.quantities.state_columns import picked, unit_of
from armdyn.sweep.quantities.variants import Arms, Setting, friction_factors, mass_factors
from armdyn.sweep.study import Study

MOTION = ("q", "qd", "qdd")
OF_MOTION = ("motor_torque", "motor_current", "motor_voltage")
"""What may be asked of a motion: without tau, the torques of `inverse` are meant."""
NO_INPUTS = frozenset({"ways", "held", "dt"})
"""Inputs of quantities that nobody asks for but iterations."""
GRAIN = 4096
FEW = 16
"""States that go through the code for batches."""


def state_quantities() -> tuple[str, ...]:
    """Names of the quantities of a state."""
    return tuple(
        name
        for name, entry in QUANTITIES.items()
        if hasattr(Dynamics, name) and not NO_INPUTS & set(entry.inputs) and name != "task_jacobian_rate"
    )


class States:
    """Evaluates a quantity of `Dynamics` over states, payloads and robots."""

    def __init__(self, study: Study) -> None:
        """Check axes and options."""
        self._name = name = study.quantity
        self._entry = QUANTITIES[name]
        options = Options(study.options, name)
        setting = Setting.of(study, options)
        robot = Arms(setting, ()).base
        takes = Takes(self._inputs, wrench="wrench" in self._optional)
        meanings = understood(study.axes, robot, setting.document, name, takes)
        self._given, self._options = self._fixed(options, robot), self._chosen(options)
        asks_tau = "tau" in self._given or any(one.part == "tau" for one in meanings)
        self._moved = name in OF_MOTION and not asks_tau
        self._meanings = tuple(one for one in meanings if one.of in ("input", "wrench"))
        self._check_motion()
        arrays = self._as_arrays(setting, meanings)
        self._arrays = tuple(one for one in meanings if one.of in arrays)
        self._arms = Arms(setting, meanings, arrays)
        self._engine: Engine = engine_of(study, self._arms.varying, options)
        self._robot = robot
        self._picked = picked(self._shapes, options)
        options.finish()

    @property
    def _optional(self) -> tuple[str, ...]:
        return QUANTITIES["inverse"].optional if self._name in OF_MOTION else self._entry.optional

    @property
    def _inputs(self) -> tuple[str, ...]:
        return (*MOTION, "tau") if self._name in OF_MOTION else self._entry.inputs

    def _as_arrays(self, setting: Setting, meanings: Sequence[Meaning]) -> tuple[Of, ...]:
        """Axes that are inputs of the equations: one compiled kernel does for all robots."""
        friction = Dynamics(Arms(setting, ()).base, setting.motors, setting.friction).friction
        if not friction and (rubbing := [one.axis for one in meanings if one.of == "friction"]):
            raise InputError(f'axis "{rubbing[0]}": friction is off; leave options friction and motors out')
        if self._name in OF_MOTION and not self._moved:
            return ()
        found: list[Of] = ["payload", "mass"] if "added" in self._optional else []
        return (*found, "friction") if "rubbing" in self._optional else tuple(found)

    def _check_motion(self) -> None:
        if not self._moved and self._name in OF_MOTION:
            strange = [one.axis for one in self._meanings if one.part == "qdd" or one.of == "wrench"]
            if strange:
                raise InputError(f'axis "{strange[0]}": {self._name} is asked for torques tau; leave one out')

    # What is given --------------------------------------------------------------------------

    def _fixed(self, options: Options, robot: Robot) -> dict[str, Array]:
        """Inputs that options give."""
        found: dict[str, Array] = {}
        sizes = {"wrench": len(WRENCH), "at": 3, "base": 12}
        drives = {"current", "voltage", "motor_torque"}
        for name in (*self._inputs, *(k for k in self._optional if k in sizes)):
            size = sizes.get(name, len(robot.drives) if name in drives else robot.n)
            values = options.vector(name, size)
            if values is not None:
                found[name] = np.array(values)
        return found

    def _chosen(self, options: Options) -> dict[str, Any]:
        return {
            name: value
            for name, known in self._entry.options.items()
            if (value := options.text(name, None, tuple(k for k in known if k is not None))) is not None
        }

    # Columns --------------------------------------------------------------------------------

    @property
    def grain(self) -> int:
        """Many states at once."""
        return GRAIN

    @property
    def columns(self) -> tuple[Column, ...]:
        """One for each element, or norms."""
        return self._columns

    @cached_property
    def _columns(self) -> tuple[Column, ...]:
        robot, name = self._robot, self._name
        return tuple(
            column
            for one in self._picked
            for column in one.columns(lambda place, result=one.result: unit_of(name, result, place, robot))
        )

    @cached_property
    def _shapes(self) -> dict[str, tuple[int, ...]]:
        """Of the results for one state: a few are evaluated, and what is missing is said now."""
        arms = self._arms
        with evaluated_by(self._engine):
            dyn = self._dynamics(arms.base) if arms.varying else arms.dynamics(())
            neutral = {one.axis: np.ones(FEW) for one in self._arrays}  # factors, and a payload of 1 kg
            resting = self._at_rest(FEW)
            if any(one.of == "wrench" for one in self._meanings):
                resting.setdefault("wrench", np.zeros((FEW, len(WRENCH))))
            found = self._found(dyn, resting, self._varied(dyn, neutral))
        return {name: array.shape[1:] for name, array in found.items()}

    def _dynamics(self, robot: Robot) -> Dynamics:
        setting = self._arms.setting
        return Dynamics(robot, setting.motors, setting.friction, setting.method)

    # Evaluation -----------------------------------------------------------------------------

    def evaluate(self, points: Mapping[str, Values]) -> dict[str, Values]:
        """Results of points."""
        rows = empty_rows(self.columns, row_count(points))
        with evaluated_by(self._engine):
            for key, where in self._arms.groups(points):
                try:
                    dyn = self._arms.dynamics(key)
                except ArmdynError as error:
                    rows[ERROR][where] = str(error)
                    continue
                self._fill(rows, where, dyn, {name: values[where] for name, values in points.items()})
        return rows

    def _fill(self, rows: dict[str, Values], where: Any, dyn: Dynamics, points: Mapping[str, Values]) -> None:
        try:
            found = self._found(dyn, self._states(points), self._varied(dyn, points))
        except ArmdynError as error:
            if len(where) == 1:
                rows[ERROR][where] = str(error)
                return
            for k in range(len(where)):  # the others have their answers
                one = {name: values[k : k + 1] for name, values in points.items()}
                self._fill(rows, where[k : k + 1], dyn, one)
            return
        lost = np.ones(len(where), dtype=bool)
        names = iter(self.columns)
        for one in self._picked:
            for values in one.values(found[one.result]):
                rows[next(names).name][where] = values
                lost &= np.isnan(values)
        if lost.any():
            rows[ERROR][where[lost]] = self._no_answer

    @property
    def _no_answer(self) -> str:
        if self._name == "operational_space":
            return "operational_space has no answer in this state: a direction of the task is lost"
        return f"{self._name} has no answer in this state: it is singular, or an iteration does not settle"

    def _at_rest(self, count: int) -> dict[str, Array]:
        """Inputs as options give them, or at home, at rest, without torque."""
        robot, drives = self._robot, {"current", "voltage", "motor_torque"}
        found: dict[str, Array] = {}
        for name in self._inputs:
            if name == "tau" and self._moved:
                continue
            default = np.array(robot.home) if name == "q" else np.zeros(robot.n)
            default = np.zeros(len(robot.drives)) if name in drives else default
            if name in ("lower", "upper"):
                default = np.full(robot.n, np.inf if name == "upper" else -np.inf)
            found[name] = np.tile(self._given.get(name, default), (count, 1))
        fixed = {name: np.tile(x, (count, 1)) for name, x in self._given.items() if name not in self._inputs}
        return {**found, **fixed}

    def _states(self, points: Mapping[str, Values]) -> dict[str, Array]:
        """The inputs (m, ..) of points."""
        found = self._at_rest(row_count(points))
        for one in self._meanings:
            name = "wrench" if one.of == "wrench" else one.part
            if name not in found:
                found[name] = np.zeros((row_count(points), len(WRENCH)))
            found[name][:, one.place] = points[one.axis]
        return found

    def _varied(self, dyn: Dynamics, points: Mapping[str, Values]) -> dict[str, Array]:
        """`added` and `rubbing` of points."""
        values = {one: points[one.axis] for one in self._arrays}
        added: list[Array] = []
        if any(one.of == "payload" for one in values):
            added.append(payloads(dyn.robot, *self._arms.setting.held.arrays(values)))
        if factors := mass_factors(dyn.robot, values):
            added.append(inertias(dyn.robot, mass=factors))
        found = {"added": added[0] if len(added) == 1 else added[0] + added[1]} if added else {}
        rubbing = friction_factors(values)
        if rubbing:
            factors = {name: np.asarray(factor)[:, None] for name, factor in rubbing.items()}
            found["rubbing"] = frictions(dyn, **factors)
        return found

    def _found(
        self, dyn: Dynamics, states: Mapping[str, Array], varied: Mapping[str, Array]
    ) -> dict[str, Array]:
        """The results by name."""
        inputs = dict(states)
        if self._moved:
            outside = (*MOTION, "wrench", "at", "base")
            asked: dict[str, Any] = {k: inputs[k] for k in outside if k in inputs}
            inputs = {k: inputs[k] for k in self._entry.inputs if k != "tau"}
            inputs["tau"] = dyn.inverse(**asked, **dict[str, Any](varied))
            varied = {}
        elif self._name in OF_MOTION:
            inputs = {k: inputs[k] for k in self._entry.inputs}
        found: Any = getattr(dyn, self._name)(**inputs, **varied, **self._options)
        if self._name == "operational_space":
            parts = ("jacobian", "velocity", "drift", "mobility", "inertia", "inverse", "coriolis", "gravity")
            return {name: getattr(found, name) for name in (*parts, "contact", "bias", "freed")}
        if self._name == "terms":
            return {name: found[name] for name in TERMS}
        names = result_names(self._name)
        several = len(self._entry.results) > 1
        results: tuple[Any, ...] = found if several else (found,)
        return dict(zip(names, results, strict=True))

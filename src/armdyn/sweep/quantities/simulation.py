"""Runs of arms: free, under torques, or controlled; with a seed, arms that are known only roughly."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from armdyn.dynamics import Dynamics
from armdyn.dynamics.variation import frictions, inertias, payloads
from armdyn.errors import ArmdynError, InputError
from armdyn.scalars import Array
from armdyn.simulation.many import ManyRuns, simulate_many
from armdyn.simulation.monte_carlo import Spread, draw
from armdyn.sweep.axes import Values
from armdyn.sweep.quantities.columns import ERROR, Column, empty_rows, row_count
from armdyn.sweep.quantities.driving import Driving
from armdyn.sweep.quantities.meanings import WRENCH, Of, Takes, understood
from armdyn.sweep.quantities.options import Options
from armdyn.sweep.quantities.variants import Arms, Setting, friction_factors, mass_factors
from armdyn.sweep.study import Study

GRAIN = 64
STEPS = ("rk4", "semi_implicit", "euler")
SPREAD = ("q", "qd", "mass", "centre", "size", "friction", "payload", "payload_com")
MOST_SEED = 2.0**53


class Simulations:
    """Evaluates `simulate_many`, a run for each row."""

    def __init__(self, study: Study) -> None:
        """Check axes and options."""
        options = Options(study.options, study.quantity)
        setting = Setting.of(study, options)
        self._robot = robot = Arms(setting, ()).base
        takes = Takes(("q", "qd", "tau"), wrench=True, seed=True)
        self._meanings = understood(study.axes, robot, setting.document, study.quantity, takes)
        self._spread = self._spread_of(options)
        uncertain = self._spread is not None
        arrays: tuple[Of, ...] = () if uncertain else ("payload", "mass", "friction")
        self._arrays = tuple(one for one in self._meanings if one.of in arrays)
        self._arms = Arms(setting, self._meanings, arrays)
        duration = options.number("duration", None, positive=True)
        if duration is None:
            raise InputError("simulate needs option duration [s]")
        self._driving = Driving(study, options, robot)
        self._start = {name: options.vector(name, robot.n) for name in ("q", "qd", "tau")}
        self._run: dict[str, Any] = {
            "duration": duration,
            "dt": options.number("dt", 1e-3, positive=True),
            "integrator": options.text("integrator", "rk4", STEPS),
        }
        options.finish()
        self._check()

    def _spread_of(self, options: Options) -> Spread | None:
        table: dict[str, Any] | None = options.table("spread", SPREAD)
        seeded = any(one.of == "seed" for one in self._meanings)
        if (table is not None) != seeded:
            lacking = "[axes.seed]" if table is not None else "[options.spread], as friction = 0.2"
            raise InputError(f"a seed draws arms that are known roughly; add {lacking}")
        if table is None:
            return None
        given = {name: tuple(value) if name == "payload" else value for name, value in table.items()}
        return Spread(**dict[str, Any](given))

    def _check(self) -> None:
        if self._driving.controlled and any(one.part == "tau" for one in self._meanings):
            raise InputError("a controller drives the arm; leave axes tau out")
        points = {
            one.axis: np.array([1.0], dtype=object if one.of == "program" else float)
            for one in self._meanings
        }
        if not self._arms.varying:
            self._inputs(self._arms.dynamics(()), points)

    @property
    def grain(self) -> int:
        """Runs are stepped together."""
        return GRAIN

    @property
    def columns(self) -> tuple[Column, ...]:
        """Where a run ends, how fast, and how far it was from what was wanted."""
        slides = [joint.kind == "prismatic" for joint in self._robot.joints]
        length = ["m" if sliding else "rad" for sliding in slides]
        ends = [Column(f"end_q{k + 1}", unit) for k, unit in enumerate(length)]
        rates = [Column(f"end_qd{k + 1}", f"{unit}/s") for k, unit in enumerate(length)]
        tool = [Column(f"end_{axis}", "m") for axis in "xyz"]
        apart = [Column(f"deviation{k + 1}", unit) for k, unit in enumerate(length)]
        followed = [*apart, Column("tool_deviation", "m")] if self._driving.controlled else []
        return (Column("lost", "1", "bool"), *ends, *rates, *tool, *followed)

    # Evaluation -----------------------------------------------------------------------------

    def evaluate(self, points: Mapping[str, Values]) -> dict[str, Values]:
        """Results of points."""
        rows = empty_rows(self.columns, row_count(points))
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
            found = self._runs(dyn, points)
        except ArmdynError as error:
            if len(where) == 1:
                rows[ERROR][where] = str(error)
                return
            for k in range(len(where)):
                one = {name: values[k : k + 1] for name, values in points.items()}
                self._fill(rows, where[k : k + 1], dyn, one)
            return
        for name, values in self._described(dyn, found).items():
            rows[name][where] = values

    def _runs(self, dyn: Dynamics, points: Mapping[str, Values]) -> ManyRuns:
        controller = self._driving.controller(dyn)
        given = self._inputs(dyn, points)
        torque = given.pop("tau")
        acting = {"torque": torque} if controller is None else {"controller": controller}
        return simulate_many(dyn, **self._run, **acting, **given)

    def _inputs(self, dyn: Dynamics, points: Mapping[str, Values]) -> dict[str, Any]:
        """What `simulate_many` takes, (N, ..) each."""
        count, controlled = row_count(points), self._driving.controlled
        start = self._driving.start(dyn) if controlled else np.array(dyn.robot.home, dtype=float)
        found: dict[str, Any] = {}
        for name, default in (("q", start), ("qd", 0 * start), ("tau", 0 * start)):
            found[name] = np.tile(self._start[name] or default, (count, 1))
        for one in self._meanings:
            if one.of == "input":
                found[one.part][:, one.place] = points[one.axis]
            elif one.of == "wrench":
                found.setdefault("wrench", np.zeros((count, len(WRENCH))))[:, one.place] = points[one.axis]
        return {**found, **(self._drawn(dyn, points, found) if self._spread else self._varied(dyn, points))}

    def _drawn(
        self, dyn: Dynamics, points: Mapping[str, Values], start: Mapping[str, Array]
    ) -> dict[str, Any]:
        """Every row's arm and state, drawn with its seed; of two draws the first."""
        assert self._spread is not None
        seeds = points["seed"]
        draws = [
            draw(dyn, 2, self._spread, _whole(seeds[k]), q=start["q"][k], qd=start["qd"][k])
            for k in range(len(seeds))
        ]
        arrays = {name: [getattr(one, name) for one in draws] for name in ("q", "qd", "added", "rubbing")}
        return {
            name: np.array([each[0] for each in found])
            for name, found in arrays.items()
            if found[0] is not None
        }

    def _varied(self, dyn: Dynamics, points: Mapping[str, Values]) -> dict[str, Any]:
        """Payloads, masses and friction of every row."""
        values = {one: points[one.axis] for one in self._arrays}
        found: dict[str, Any] = {}
        if any(one.of == "payload" for one in values):
            mass, com, inertia = self._arms.setting.held.arrays(values)
            found["added"] = payloads(dyn.robot, mass, com, inertia)
        if factors := mass_factors(dyn.robot, values):
            heavier = inertias(dyn.robot, mass=factors)
            found["added"] = found["added"] + heavier if "added" in found else heavier
        if rubbing := friction_factors(values):
            scaled: dict[str, Any] = {name: np.asarray(factor)[:, None] for name, factor in rubbing.items()}
            found["rubbing"] = frictions(dyn, **scaled)
        return found

    def _described(self, dyn: Dynamics, runs: ManyRuns) -> dict[str, Any]:
        lost: Any = runs.lost
        ends = np.where(lost[:, None], np.nan, runs.q[-1])
        rates = np.where(lost[:, None], np.nan, runs.qd[-1])
        tool = dyn.pose(ends)[:, :3, 3]
        found: dict[str, Any] = {"lost": lost.astype(float)}
        found |= {f"end_q{k + 1}": ends[:, k] for k in range(dyn.n)}
        found |= {f"end_qd{k + 1}": rates[:, k] for k in range(dyn.n)}
        found |= {f"end_{axis}": tool[:, k] for k, axis in enumerate("xyz")}
        if not self._driving.controlled:
            return found
        wanted = self._driving.wanted(dyn, runs.time)
        apart = np.where(lost[:, None], np.nan, np.abs(runs.q - wanted[:, None]).max(axis=0))
        found |= {f"deviation{k + 1}": apart[:, k] for k in range(dyn.n)}
        difference = dyn.pose(runs.q)[..., :3, 3] - dyn.pose(wanted)[:, None, :3, 3]
        x, y, z = np.moveaxis(difference, -1, 0)
        far = np.sqrt(x * x + y * y + z * z).max(axis=0)
        return {**found, "tool_deviation": np.where(lost, np.nan, far)}


def _whole(seed: float) -> int:
    if not (0 <= seed < MOST_SEED and seed == int(seed)):
        raise InputError(f"seed is {seed:g}, expected a whole number of 0 or more")
    return int(seed)

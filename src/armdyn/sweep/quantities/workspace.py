"""Maps of the workspace: what the tool reaches, and what the motors can hold and accelerate there."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from typing import Any

import numpy as np

from armdyn.dynamics import Dynamics
from armdyn.errors import InputError, MissingDataError
from armdyn.manipulability.limits import TorqueRange, torque_range
from armdyn.manipulability.measures import measure
from armdyn.scalars import Array
from armdyn.sweep.quantities.columns import Column
from armdyn.sweep.quantities.meanings import PLACE, TURNS, Takes
from armdyn.sweep.quantities.reaching import Free, Turned
from armdyn.sweep.quantities.rows import Point, RowByRow
from armdyn.sweep.quantities.variants import KEPT

GRAIN = 64
STARTS = 32


class Workspace(RowByRow):
    """Evaluates places of the tool."""

    takes = Takes(tool=True)

    def prepare(self) -> None:
        """Where the tool is turned, which payload is held where, what counts as capable."""
        options, robot = self.options, self.robot
        axes = {one.axis for one in self.meanings}
        self._coordinates = [k for k, name in enumerate(PLACE) if name in axes]
        place, rpy = options.vector("place", 3), options.vector("rpy", 3)
        self._place = place
        self._rpy = rpy if rpy is not None else ([0.0] * 3 if axes & set(TURNS) else None)
        if place is not None:
            self._coordinates = [0, 1, 2]
        if not self._coordinates:
            raise InputError("workspace is about places of the tool; add axes x, y, z, or some of them")
        if self._rpy is not None and len(self._coordinates) < 3:
            raise InputError("a turned tool has all of x, y, z; add those axes, or options place = [x, y, z]")
        self._exponent = (options.count("starts", STARTS) - 1).bit_length()
        self._com = options.vector("payload_com", 3)
        self._least = options.number("least_acceleration", 0.0)
        task = ",".join(PLACE[k] for k in self._coordinates)
        self._task = options.text("task", "position" if len(self._coordinates) == 3 else task)
        self._limits = options.vector("limits", robot.n)
        self._limited = self._known()
        self._kept: OrderedDict[Dynamics, Turned | Free] = OrderedDict()

    def _known(self) -> bool:
        """Whether torque limits are known."""
        home = np.array(self.robot.home, dtype=float)
        setting = self.arms.setting
        try:
            torque_range(Dynamics(self.robot, setting.motors), home, 0 * home, self._limits)
        except MissingDataError:
            return False
        return True

    @property
    def columns(self) -> tuple[Column, ...]:
        """Reach, and what the motors can do where their limits are known."""
        dynamic = (
            Column("capable", "1", "bool"),
            Column("margin", "1"),
            Column("payload", "kg"),
            Column("acceleration", "m/s2"),
        )
        best = (
            Column(f"best_q{k + 1}", "m" if joint.kind == "prismatic" else "rad")
            for k, joint in enumerate(self.robot.joints)
        )
        reach = (Column("reachable", "1", "bool"), Column("postures", "1", "int"))
        return (*reach, *(dynamic if self._limited else ()), *best)

    @property
    def grain(self) -> int:
        """A place is a millisecond or less."""
        return GRAIN

    def answers(self, dyn: Dynamics, point: Point) -> Mapping[str, Any]:
        """Of one place."""
        q = self._postures(dyn, point)
        found: dict[str, Any] = {"reachable": len(q) > 0, "postures": len(q)}
        if not len(q):
            return {**found, **({"capable": False} if self._limited else {})}
        best = 0
        if self._limited:
            margin, payload = self._held(dyn, q)
            acceleration = measure(dyn, q, "acceleration", self._limits, task=self._task)
            best = int(np.argmax(margin))
            found |= {
                "capable": bool(((margin >= 0) & (acceleration > self._least)).any()),
                "margin": margin[best],
                "payload": payload.max(),
                "acceleration": np.fmax.reduce(acceleration),
            }
        return {**found, **{f"best_q{k + 1}": value for k, value in enumerate(q[best])}}

    # Postures -------------------------------------------------------------------------------

    def _postures(self, dyn: Dynamics, point: Point) -> Array:
        if dyn not in self._kept:
            self._kept[dyn] = (
                Free(dyn, self._coordinates, self._exponent) if self._rpy is None else Turned(dyn.robot)
            )
            if len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        solver, given = self._kept[dyn], self._place or [0.0] * 3
        place = [point.get(PLACE[k], given[k]) for k in self._coordinates]
        if isinstance(solver, Free):
            return solver.postures(place)
        assert self._rpy is not None
        return solver.postures(place, [point.get(name, self._rpy[k]) for k, name in enumerate(TURNS)])

    # What motors can hold -------------------------------------------------------------------

    def _held(self, dyn: Dynamics, q: Array) -> tuple[Array, Array]:
        """(k) share of the torques that gravity leaves, and the largest mass that can be held besides.

        Static torques are u + m v, v those of a payload of 1 kg: the tool holds it with -gravity.
        """
        rest = np.zeros_like(q)
        gravity = dyn.gravity(q)
        weight = np.tile([*(-float(x) for x in dyn.robot.gravity), 0.0, 0.0, 0.0], (len(q), 1))  # pyright: ignore[reportArgumentType]
        at: dict[str, Any] = {} if self._com is None else {"at": np.tile(self._com, (len(q), 1))}
        given = torque_range(dyn, q, rest, self._limits)
        u = _torques(dyn, q, gravity, given)
        v = _torques(dyn, q, dyn.bias(q, rest, weight, **at) - gravity, given)
        with np.errstate(divide="ignore", invalid="ignore"):
            share = np.where(u > 0, u / given.upper, u / given.lower)
            room = np.where(v > 0, (given.upper - u) / v, np.where(v < 0, (given.lower - u) / v, np.inf))
        margin = 1 - np.nan_to_num(share).max(axis=-1)
        return margin, np.where(margin >= 0, room.min(axis=-1), 0.0)


def _torques(dyn: Dynamics, q: Array, tau: Array, given: TorqueRange) -> Array:
    """Joint torques as those that are limited."""
    return dyn.motor_torque(q, tau) if given.of == "motors" else tau

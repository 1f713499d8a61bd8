"""What came of a run: samples, events, and everything that follows from them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

import numpy as np

from armdyn.dynamics import Dynamics
from armdyn.errors import MissingDataError
from armdyn.robot import Robot
from armdyn.scalars import Array
from armdyn.simulation.events import Event
from armdyn.simulation.friction_points import FrictionPoints


@dataclass(frozen=True)
class Phase:
    """A stretch of samples with one payload."""

    dyn: Dynamics
    first: int
    """Its first sample, from 0"""
    last: int
    """The sample behind its last"""


@dataclass(frozen=True)
class Checkpoint:
    """Where a run can go on: all that its future depends on besides its settings."""

    t: float
    step: int
    q: tuple[float, ...]
    qd: tuple[float, ...]
    z: tuple[float, ...]
    ways: tuple[float, ...]
    came: tuple[float, ...]
    beyond: tuple[float, ...]
    decided: bool

    def document(self) -> dict[str, Any]:
        """As plain data, ready for JSON; floats come back as they were."""
        return asdict(self)

    @staticmethod
    def of(document: dict[str, Any]) -> Checkpoint:
        """What `document` gave."""
        plain: Any = {k: tuple(v) if isinstance(v, list) else v for k, v in document.items()}  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
        return Checkpoint(**plain)


@dataclass(frozen=True, eq=False)
class Simulation:
    """A run: (t) samples of a motion, and what happened on the way."""

    phases: tuple[Phase, ...]
    integrator: str
    dt: float
    """[s] the fixed step, or the longest that an adaptive integrator may take"""
    time: Array
    """(t) [s]"""
    q: Array
    """(t, n) [rad or m]"""
    qd: Array
    """(t, n)"""
    qdd: Array
    """(t, n)"""
    tau: Array
    """(t, n) torques of the joints [N m or N]"""
    states: Array
    """(t, m) what the controller integrates"""
    work: Array
    """(t) what the drives have given [J]"""
    dissipated: Array
    """(t) what friction has taken [J]"""
    exerted: Array
    """(t) what has gone into the contact and the motion of the base [J]"""
    wrench: Array | None
    """(t, 6) what the tool exerts, base axes"""
    at: Array | None
    """(3) where, in coordinates of the body that carries the tool"""
    base: Array | None
    """(t, 12) how the base moves, base axes"""
    events: tuple[Event, ...]
    notes: tuple[str, ...]
    """What was assumed or chosen"""
    failure: str | None
    """Why it ended before its time"""
    checkpoint: Checkpoint

    @property
    def dyn(self) -> Dynamics:
        """The dynamics at the beginning."""
        return self.phases[0].dyn

    @property
    def robot(self) -> Robot:
        """What moves, at the beginning."""
        return self.dyn.robot

    # Motors and joints --------------------------------------------------------------------------

    @cached_property
    def motor_position(self) -> Array | None:
        """(t, drives) [rad]; None without drives."""
        return self.dyn.motor_position(self.q) if self.robot.drives else None

    @cached_property
    def motor_velocity(self) -> Array | None:
        """(t, drives) [rad/s]; None without drives."""
        return self.dyn.motor_velocity(self.q, self.qd) if self.robot.drives else None

    @cached_property
    def motor_torque(self) -> Array | None:
        """(t, drives) [N m]; None where torques of the joints do not determine them."""
        return self._known(lambda: self.dyn.motor_torque(self.q, self.tau))

    @cached_property
    def current(self) -> Array | None:
        """(t, drives) [A]; None where a torque constant is not known."""
        return self._known(lambda: self.dyn.motor_current(self.q, self.tau))

    @cached_property
    def voltage(self) -> Array | None:
        """(t, drives) [V]; None where a resistance or back-EMF is not known."""
        return self._known(lambda: self.dyn.motor_voltage(self.q, self.qd, self.tau))

    def _known(self, evaluate: Callable[[], Array]) -> Array | None:
        if not self.robot.drives:
            return None
        try:
            return evaluate()
        except MissingDataError:
            return None

    @cached_property
    def reactions(self) -> Array:
        """(t, bodies, 6) force and moment of each body's parent on it, in its own axes."""
        return self._of_phases(
            lambda dyn, part: dyn.reactions(
                self.q[part], self.qd[part], self.qdd[part], **self._outside(part)
            )
        )

    # Energies -----------------------------------------------------------------------------------

    @cached_property
    def kinetic_energy(self) -> Array:
        """(t) [J], of the motion relative to the base."""
        return self._of_phases(lambda dyn, part: dyn.kinetic_energy(self.q[part], self.qd[part]))

    @cached_property
    def potential_energy(self) -> Array:
        """(t) [J]."""
        return self._of_phases(lambda dyn, part: dyn.potential_energy(self.q[part]))

    @property
    def energy(self) -> Array:
        """(t) kinetic and potential [J]; it jumps where an object is grasped or released."""
        return self.kinetic_energy + self.potential_energy

    @cached_property
    def power_residual(self) -> Array:
        """(t) how fast energy changes, less the power that drives give and friction and contact take [W].

        The first comes from differentiating the energies themselves: it is a check of the equations.
        """
        return self._of_phases(self._power_residual)

    @cached_property
    def energy_residual(self) -> Array:
        """(t) energy less that at the beginning of its phase and all work since: the integrator's error."""
        balance = self.energy - self.work + self.dissipated + self.exerted
        return self._of_phases(lambda _, part: balance[part] - balance[part.start])

    def _power_residual(self, dyn: Dynamics, part: slice) -> Array:
        q, qd, qdd, tau = self.q[part], self.qd[part], self.qdd[part], self.tau[part]
        outside = self._outside(part)
        power = (tau * qd).sum(axis=-1)
        if outside:
            power -= ((dyn.bias(q, qd, **outside) - dyn.bias(q, qd)) * qd).sum(axis=-1)
        if dyn.friction_points:
            power -= FrictionPoints(dyn).power(q, qd, dyn.resistances(q, qd, qdd, **outside))
        return dyn.energy_rate(q, qd, qdd) - power

    # Samples ------------------------------------------------------------------------------------

    def _outside(self, part: slice) -> dict[str, Any]:
        given = {"wrench": self.wrench, "base": self.base}
        found: dict[str, Any] = {k: x[part] for k, x in given.items() if x is not None}
        return found if self.at is None else {**found, "at": self.at}

    def _of_phases(self, evaluate: Callable[[Dynamics, slice], Array]) -> Array:
        """What every stretch gives, one after another."""
        parts = [(phase.dyn, slice(phase.first, phase.last)) for phase in self.phases]
        return np.concatenate([evaluate(dyn, part) for dyn, part in parts if part.stop > part.start])

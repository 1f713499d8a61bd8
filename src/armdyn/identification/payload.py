"""An unknown payload, from torques that it adds or a force sensor at the wrist ([Siciliano2009] 7.4)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from armdyn.errors import InputError
from armdyn.identification.estimation.consistent import consistent, equations_of
from armdyn.identification.estimation.estimate import Estimate
from armdyn.identification.robot_parameters import SIZE, SingleBody, inertia_of
from armdyn.identification.warnings import payload_hidden, unexplained
from armdyn.mechanics.parameters import KINDS, UNITS
from armdyn.robot import Estimated, Payload, Robot
from armdyn.scalars import Array
from armdyn.spatial import Inertia


@dataclass(frozen=True)
class PayloadFound:
    """Something held: ten parameters in the frame of the body that carries the tool."""

    body: str
    source: str
    """What it was told from"""
    values: Array
    """(10) least squares"""
    standard_error: Array
    """(10) infinite where the data do not tell it"""
    inertia: Inertia
    """The nearest that a body can have"""
    covariance: Array
    """(10, 10) zero where the data tell nothing"""

    warnings: tuple[str, ...] = ()
    """What to know before trusting it"""

    @property
    def estimates(self) -> tuple[Estimated, ...]:
        """The ten parameters with their standard errors."""
        each = zip(KINDS, UNITS, self.values, self.standard_error, strict=True)
        return tuple(
            Estimated(f"payload.{kind}", float(value), float(error) if np.isfinite(error) else None, unit)
            for kind, unit, value, error in each
        )

    def document(self) -> dict[str, Any]:
        """What the command line prints as JSON."""
        return {
            "body": self.body,
            "source": self.source,
            "mass": self.inertia.mass,
            "com": list(self.inertia.com),
            "inertia": [list(row) for row in self.inertia.tensor],
            "parameters": [vars(each) for each in self.estimates],
            "warnings": list(self.warnings),
        }

    def held_by(self, robot: Robot) -> Robot:
        """The robot holding it."""
        return replace(
            robot,
            payloads=(*robot.payloads, Payload(self.body, self.inertia)),
            estimates=(*robot.estimates, *self.estimates),
        )


def payload_of(robot: Robot, found: Estimate, source: str, added: Array | None = None) -> PayloadFound:
    """The payload in the last ten unknowns of an estimate; torques vary by `added` (n) because of it."""
    values, error = found.beta[-SIZE:], found.standard_error[-SIZE:]
    if not np.isfinite(error[0]):
        raise InputError(
            f"the mass of the payload does not show in {source}; "
            "move so that the joints must hold it against gravity"
        )
    size, hidden = found.system.size[-SIZE:], found.unresolved[-SIZE:]
    told = equations_of(values, found.covariance[-SIZE:, -SIZE:], size, hidden)
    fitted = consistent(SingleBody(), *told, np.zeros(SIZE))
    spread = found.covariance[-SIZE:, -SIZE:]
    hidden_kinds = payload_hidden(found, len(found.beta) - SIZE)
    warned = (*hidden_kinds, *(() if added is None else unexplained(found, added, "what the payload adds")))
    return PayloadFound(robot.tool.body, source, values, error, inertia_of(fitted.pi), spread, warned)

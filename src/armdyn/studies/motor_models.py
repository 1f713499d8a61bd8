"""Motor models side by side: what each makes of mass matrix, velocity terms and gravity at one state.

Every model is compared with the best that the robot's data support. Beside armdyn's models stand
the forms of [Szkodny1995], seen from the stator's link with rotors carried, and as printed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from armdyn.dynamics import Dynamics
from armdyn.errors import InputError, MissingDataError, ShapeError
from armdyn.mechanics.actuated_lagrangian import BEYOND_AXES, FULL, IN_AXES, Form, coefficients
from armdyn.mechanics.lagrangian.actuated_arm import Reference, actuated_arm, arm_matrices
from armdyn.mechanics.tree.motors import MOTOR_MODELS, MotorModel, check_motors, default_motors
from armdyn.robot import Robot
from armdyn.scalars import Array

ROUNDING = 1e-12
"""Differences below this share of the largest element are rounding, and zero."""


@dataclass(frozen=True)
class Terms:
    """The terms of the equations at one state, the base at rest."""

    mass_matrix: Array
    """(n, n)"""
    velocity: Array
    """C qd (n); where no velocity is given c_ijk (n, n, n), symmetric in j and k"""
    gravity: Array
    """(n)"""

    def __sub__(self, other: Terms) -> Terms:
        """Term by term."""
        mine, theirs = vars(self), vars(other)
        return Terms(**{name: _difference(mine[name], theirs[name]) for name in mine})

    def document(self) -> dict[str, Any]:
        """As lists."""
        return {name: value.tolist() for name, value in vars(self).items()}


@dataclass(frozen=True)
class Compared:
    """One model's terms, and their difference from the reference's."""

    name: dict[str, Any]
    terms: Terms
    difference: Terms

    @property
    def largest(self) -> dict[str, float]:
        """The largest difference of each term, regardless of sign."""
        return {name: float(np.abs(value).max()) for name, value in vars(self.difference).items()}

    def document(self) -> dict[str, Any]:
        """As plain data."""
        return {
            **self.name,
            **self.terms.document(),
            "difference": self.difference.document(),
            "largest": self.largest,
        }


@dataclass(frozen=True)
class MotorModelComparison:
    """Every motor model, and every form of [Szkodny1995], that the robot's data support."""

    reference: MotorModel
    """The model that all are compared with: the best of them."""
    models: tuple[Compared, ...]
    forms: tuple[Compared, ...]

    def document(self) -> dict[str, Any]:
        """As plain data, ready for JSON."""
        return {
            "reference": self.reference,
            "models": [model.document() for model in self.models],
            "forms": [form.document() for form in self.forms],
        }


def compare_motor_models(robot: Robot, q: ArrayLike, qd: ArrayLike | None = None) -> dict[str, Any]:
    """The comparison of `motor_models` as plain data, ready for JSON."""
    return motor_models(robot, q, qd).document()


def motor_models(robot: Robot, q: ArrayLike, qd: ArrayLike | None = None) -> MotorModelComparison:
    """The terms of every motor model at one state, and their differences from the best one.

    Args:
        robot: what moves.
        q: (n) joint positions [rad or m].
        qd: (n) joint velocities; without them the velocity coefficients c_ijk are compared.

    Returns:
        The models in the order exact, augmented, coupled, reflected, none, as far as the data go.
        The forms of [Szkodny1995] are there where every rotor's place is known; (10)-(12) only
        where all motors sit in the axes of their joints.
    """
    at = _state("q", q, robot)
    moving = None if qd is None else _state("qd", qd, robot)
    best = default_motors(robot)
    terms = {motors: _model_terms(robot, motors, at, moving) for motors in _supported(robot)}
    reference = terms[best]
    models = tuple(Compared({"motors": m}, x, x - reference) for m, x in terms.items())
    forms = tuple(Compared(name, x, x - reference) for name, x in _forms(robot, best, at, moving))
    return MotorModelComparison(best, models, forms)


# Models and forms -----------------------------------------------------------------------------


def _supported(robot: Robot) -> list[MotorModel]:
    def supported(motors: MotorModel) -> bool:
        try:
            check_motors(robot, motors)
        except MissingDataError:
            return False
        return True

    return [motors for motors in MOTOR_MODELS if supported(motors)]


def _model_terms(robot: Robot, motors: MotorModel, q: Array, qd: Array | None) -> Terms:
    dyn = Dynamics(robot, motors, friction=False)
    c = np.moveaxis(dyn.coriolis_matrix(q, np.eye(robot.n)), 0, -1)  # c_ijk = C_ij at the unit velocity k
    return Terms(dyn.mass_matrix(q), _velocity(c, qd), dyn.gravity(q))


FORMS: tuple[tuple[str, Form], ...] = (("appendix", FULL), ("(8)-(10)", BEYOND_AXES), ("(10)-(12)", IN_AXES))


def _forms(
    robot: Robot, best: MotorModel, q: Array, qd: Array | None
) -> Iterator[tuple[dict[str, Any], Terms]]:
    """Mended (seen from the stator's link, carried), then as printed (from the driven one, not carried)."""
    if best != "exact":
        return
    in_axes = _motors_in_axes(robot, q)
    ways: tuple[tuple[Reference, bool], ...] = (("stator", True), ("driven", False))
    for name, form in FORMS:
        if form is IN_AXES and not in_axes:
            continue
        for reference, carried in ways:
            if reference == "driven" and in_axes is None:
                continue
            found = coefficients(robot, q.tolist(), form, reference=reference, carried=carried)
            g, H, c = (np.array(part, dtype=float) for part in vars(found).values())
            label = {"form": f"Szkodny1995 {name}", "seen_from": reference, "carried": carried}
            yield label, Terms(H, _velocity(c, qd), g)


def _motors_in_axes(robot: Robot, q: Array) -> bool | None:
    """Whether every T_ai follows its own q_i alone; None where a motor serves no joint that moves."""
    try:
        arm = actuated_arm(robot, "driven")
    except MissingDataError:
        return None
    return all(a.A.first.keys() <= {a.joint} for a in arm_matrices(arm, q.tolist()).actuators)


# Numbers --------------------------------------------------------------------------------------


def _velocity(c: Array, qd: Array | None) -> Array:
    """sum_jk c_ijk qd_j qd_k, or c itself."""
    return c if qd is None else np.einsum("ijk,j,k->i", c, qd, qd)


def _difference(a: Array, b: Array) -> Array:
    size = max(float(np.abs(a).max()), float(np.abs(b).max()))
    return np.where(np.abs(a - b) <= ROUNDING * size, 0.0, a - b)


def _state(name: str, value: ArrayLike, robot: Robot) -> Array:
    """The value as (n) finite numbers."""
    try:
        array = np.asarray(value, dtype=float)
    except (TypeError, ValueError) as error:
        raise InputError(f"{name} is not an array of numbers, expected shape ({robot.n},)") from error
    if array.shape != (robot.n,):
        joints = f"{robot.n} joint{'s' if robot.n > 1 else ''}"
        raise ShapeError(name, array.shape, f'robot "{robot.name}" has {joints}', f"({robot.n},)")
    if not np.isfinite(array).all():
        raise InputError(f"{name} is {array.tolist()}, expected finite numbers")
    return array

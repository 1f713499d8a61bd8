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
from armdyn.dynamics.traced import Traced
from armdyn.errors import InputError, MissingDataError, ShapeError
from armdyn.mechanics.actuated_lagrangian import BEYOND_AXES, FULL, IN_AXES, Form, coefficients
from armdyn.mechanics.lagrangian.actuated_arm import Reference, actuated_arm, arm_matrices
from armdyn.mechanics.tree.motors import MOTOR_MODELS, MotorModel, check_motors, default_motors
from armdyn.robot import Robot
from armdyn.scalars import Array


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
        """Term by term, rounding included."""
        return Terms(
            self.mass_matrix - other.mass_matrix,
            self.velocity - other.velocity,
            self.gravity - other.gravity,
        )

    def document(self) -> dict[str, Any]:
        """As lists."""
        return {name: value.tolist() for name, value in vars(self).items()}


@dataclass(frozen=True)
class Compared:
    """The terms of a model or form, and their difference from the reference's."""

    terms: Terms
    difference: Terms

    @property
    def largest(self) -> dict[str, float]:
        """The largest difference of each term, regardless of sign."""
        return {name: float(np.abs(value).max()) for name, value in vars(self.difference).items()}

    def document(self) -> dict[str, Any]:
        """As plain data."""
        return {
            **self.terms.document(),
            "difference": self.difference.document(),
            "largest": self.largest,
        }


@dataclass(frozen=True)
class ComparedModel(Compared):
    """One of armdyn's motor models."""

    motors: MotorModel

    def document(self) -> dict[str, Any]:
        """As plain data."""
        return {"motors": self.motors, **super().document()}


@dataclass(frozen=True)
class ComparedForm(Compared):
    """One form of [Szkodny1995]."""

    form: str
    """Its equations: `Szkodny1995 appendix`, `Szkodny1995 (8)-(10)` or `Szkodny1995 (10)-(12)`"""
    seen_from: Reference
    """The link that its rotors are seen from."""
    carried: bool
    """Whether its rotors also count as standing on that link."""

    def document(self) -> dict[str, Any]:
        """As plain data."""
        how = {"form": self.form, "seen_from": self.seen_from, "carried": self.carried}
        return how | super().document()


@dataclass(frozen=True)
class MotorModelComparison:
    """Every motor model, and every form of [Szkodny1995], that the robot's data support."""

    reference: MotorModel
    """The model that all are compared with: the best of them."""
    models: tuple[ComparedModel, ...]
    forms: tuple[ComparedForm, ...]

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
    best = default_motors(robot)
    traced = Traced(robot, best, False)
    at = _state(traced, "q", q)
    moving = None if qd is None else _state(traced, "qd", qd)
    terms: dict[MotorModel, Terms] = {m: _model_terms(robot, m, at, moving) for m in _supported(robot)}
    reference = terms[best]
    models = tuple(ComparedModel(x, x - reference, motors) for motors, x in terms.items())
    forms = tuple(_forms(robot, reference, at, moving)) if best == "exact" else ()
    return MotorModelComparison(best, models, forms)


# Models ---------------------------------------------------------------------------------------


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
    return Terms(dyn.mass_matrix(q), _velocity(dyn.velocity_coefficients(q), qd), dyn.gravity(q))


# Forms ----------------------------------------------------------------------------------------

FORMS: tuple[tuple[str, Form], ...] = (("appendix", FULL), ("(8)-(10)", BEYOND_AXES), ("(10)-(12)", IN_AXES))
MENDED: tuple[Reference, bool] = ("stator", True)
"""Rotors seen from the link of their stator, and carried."""
PRINTED: tuple[Reference, bool] = ("driven", False)
"""Rotors seen from the link that they drive, and not carried."""


def _forms(robot: Robot, exact: Terms, q: Array, qd: Array | None) -> Iterator[ComparedForm]:
    """Every form that applies, mended and as printed."""
    drives_joints = all(a.joint is not None for a in actuated_arm(robot).actuators)
    ways = (MENDED, PRINTED) if drives_joints else (MENDED,)  # a motor of a locked joint drives no link
    in_axes = drives_joints and _motors_in_axes(robot, q)
    for name, form in FORMS:
        if form is not IN_AXES or in_axes:
            for reference, carried in ways:
                terms = _form_terms(robot, form, reference, carried, q, qd)
                yield ComparedForm(terms, terms - exact, f"Szkodny1995 {name}", reference, carried)


def _motors_in_axes(robot: Robot, q: Array) -> bool:
    """Whether every T_ai, seen from the link that is driven, follows its own q_i alone."""
    at = arm_matrices(actuated_arm(robot, "driven"), q.tolist())
    return all(a.A.first.keys() <= {a.joint} for a in at.actuators)


def _form_terms(
    robot: Robot, form: Form, reference: Reference, carried: bool, q: Array, qd: Array | None
) -> Terms:
    D = coefficients(robot, q.tolist(), form, reference=reference, carried=carried)
    inertia, velocity, gravity = (np.array(x, dtype=float) for x in (D.inertia, D.velocity, D.gravity))
    return Terms(inertia, _velocity(velocity, qd), gravity)


# Numbers --------------------------------------------------------------------------------------


def _velocity(c: Array, qd: Array | None) -> Array:
    """sum_jk c_ijk qd_j qd_k, or c itself."""
    return c if qd is None else np.einsum("ijk,j,k->i", c, qd, qd)


def _state(traced: Traced, name: str, value: ArrayLike) -> Array:
    """The value as (n) finite numbers."""
    array = traced.array(name, value)
    if array.ndim != 1:
        raise ShapeError(name, array.shape, "motor models are compared at one state", f"({traced.n},)")
    if not np.isfinite(array).all():
        raise InputError(f"{name} is {array.tolist()}, expected finite numbers")
    return array

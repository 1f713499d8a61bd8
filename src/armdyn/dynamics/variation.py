"""A robot varied state by state: payloads, inertias and friction as arrays beside q, qd and tau.

Methods of `Dynamics` that feel inertia take them as `added=` (..., 10 bodies), `forward` and `inverse` also
as `rubbing=` (..., 4 points): one compiled kernel for all variants, where a robot for each would be compiled
anew.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from armdyn.errors import InertiaError, InputError, ShapeError, counted
from armdyn.mechanics.body_parameters import PARAMETERS, parameters_of
from armdyn.mechanics.rubbing import TERMS, FrictionPoint
from armdyn.robot import Robot
from armdyn.scalars import Array
from armdyn.spatial.inertia import PHYSICAL_TOLERANCE

if TYPE_CHECKING:
    from armdyn.dynamics.dynamics import Dynamics

Flags = NDArray[np.bool_]

_PLACES = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))
"""Of Ixx, Iyy, Izz, Ixy, Ixz, Iyz in a tensor."""
_ROW = (4, 7, 9, 5, 6, 8)
"""Of the same among the parameters of a body."""


# Inertias ---------------------------------------------------------------------------------------


def payloads(
    robot: Robot,
    mass: ArrayLike,
    com: ArrayLike = (0.0, 0.0, 0.0),
    inertia: ArrayLike | None = None,
    body: str | None = None,
) -> Array:
    """`added` (..., 10 bodies) of something more that is held.

    Args:
        robot: what holds it.
        mass: (...) of the payload [kg].
        com: (..., 3) its centre of mass in the frame of the body that carries it [m].
        inertia: (..., 6) Ixx, Iyy, Izz, Ixy, Ixz, Iyz about its centre of mass [kg m2]; by default none.
        body: what carries it; by default the body that carries the tool.
    """
    carrier = body or robot.tool.body
    place = _place_of(robot, carrier)
    masses, centres = _numbers("mass", mass), _numbers("com", com, 3)
    tensors = _numbers("inertia", np.zeros(6) if inertia is None else inertia, 6)
    batch = np.broadcast_shapes(masses.shape, centres.shape[:-1], tensors.shape[:-1])
    if reason := _unphysical(masses, tensors):
        raise InertiaError(carrier, reason, payload=True)
    added = np.zeros((*batch, len(robot.bodies), len(PARAMETERS)))
    added[..., place, :] = _parameters(masses, centres, tensors)
    return added.reshape((*batch, -1))


def inertias(
    robot: Robot,
    mass: Mapping[str, ArrayLike] | ArrayLike = 1.0,
    shift: Mapping[str, ArrayLike] | ArrayLike = (0.0, 0.0, 0.0),
    size: Mapping[str, ArrayLike] | ArrayLike = 1.0,
) -> Array:
    """`added` (..., 10 bodies) of a robot whose bodies are heavier or lighter, moved, larger or smaller.

    A body's mass m, centre c and tensor I about c become mass m, c + shift and mass size^2 I: a body of the
    same shape, so that what is physical stays so. Each argument is an array for all bodies alike, or a
    mapping from a body's name to one.

    Args:
        robot: what is varied.
        mass: (...) factor of the masses, 0 or more.
        shift: (..., 3) of the centres of mass in the body's frame [m].
        size: (...) factor of the lengths, by which radii of gyration grow.
    """
    for given in (mass, shift, size):
        for name in given if isinstance(given, Mapping) else ():
            _place_of(robot, name)
    rows: list[Array] = []
    for body in robot.bodies:
        heavier = _not_negative("mass", _numbers("mass", _of_body(mass, body.name, 1.0)))
        larger = _not_negative("size", _numbers("size", _of_body(size, body.name, 1.0)))
        moved = _numbers("shift", _of_body(shift, body.name, (0.0, 0.0, 0.0)), 3)
        tensor: Array = np.array(body.inertia.tensor, dtype=float)[tuple(zip(*_PLACES, strict=True))]
        own = np.array(parameters_of(body.inertia), dtype=float)
        varied = _parameters(
            heavier * body.inertia.mass,
            np.array(body.inertia.com, dtype=float) + moved,
            (heavier * larger**2)[..., None] * tensor,
        )
        same = (heavier == 1) & (larger == 1) & ~moved.any(axis=-1)  # not even rounding where nothing changes
        rows.append(np.where(same[..., None], 0.0, varied - own))
    batch = np.broadcast_shapes(*(row.shape[:-1] for row in rows))
    return np.concatenate([np.broadcast_to(row, (*batch, len(PARAMETERS))) for row in rows], axis=-1)


def _parameters(mass: Array, com: Array, tensor: Array) -> Array:
    """(..., 10) the parameters of bodies: m, m c and I + m (c.c 1 - c c^T)."""
    batch = np.broadcast_shapes(mass.shape, com.shape[:-1], tensor.shape[:-1])
    result = np.zeros((*batch, len(PARAMETERS)))
    result[..., 0] = mass
    result[..., 1:4] = mass[..., None] * com
    squares: Any = (com * com).sum(axis=-1)
    for k, ((i, j), column) in enumerate(zip(_PLACES, _ROW, strict=True)):
        lever = (squares if i == j else 0.0) - com[..., i] * com[..., j]
        result[..., column] = tensor[..., k] + mass * lever
    return result


def _unphysical(mass: Array, tensor: Array) -> str | None:
    """Why no body can have such a mass and tensor, or None."""
    if mass.size and mass.min() < 0:
        return f"mass {mass.min():g} kg is negative"
    second = np.zeros((*tensor.shape[:-1], 3, 3))
    for k, (i, j) in enumerate(_PLACES):
        second[..., i, j] = second[..., j, i] = -tensor[..., k]
    second += 0.5 * tensor[..., :3].sum(axis=-1)[..., None, None] * np.eye(3)  # S = tr(I)/2 1 - I
    slack = PHYSICAL_TOLERANCE * np.abs(tensor).max(axis=-1, initial=0.0)
    if (np.linalg.eigvalsh(second).min(axis=-1, initial=0.0) < -slack).any():
        return "a principal moment is negative or larger than the sum of the others"
    return None


def _of_body(given: Mapping[str, ArrayLike] | ArrayLike, body: str, otherwise: ArrayLike) -> ArrayLike:
    return given.get(body, otherwise) if isinstance(given, Mapping) else given


def _place_of(robot: Robot, body: str) -> int:
    if body not in robot.body_names:
        known = ", ".join(robot.body_names)
        raise InputError(f'no body "{body}" in robot "{robot.name}", expected one of {known}')
    return robot.body_names.index(body)


# Friction ---------------------------------------------------------------------------------------


def frictions(
    dyn: Dynamics,
    scale: ArrayLike = 1.0,
    *,
    viscous: ArrayLike | None = None,
    dry: ArrayLike | None = None,
    load: ArrayLike | None = None,
) -> Array:
    """`rubbing` (..., 4 points) of friction that is larger or smaller than the robot's own.

    Factors are numbers, or arrays (..., points) whose last axis may be 1.

    Args:
        dyn: whose friction is varied.
        scale: factor of all terms, 0 or more.
        viscous: factor of the viscous friction instead.
        dry: factor of coulomb and starting friction instead.
        load: factor of the friction that depends on the load instead.
    """
    points = dyn.friction_points
    given = {"viscous": viscous, "dry": dry, "load": load}
    chosen = {name: ("scale", scale) if factor is None else (name, factor) for name, factor in given.items()}
    smooth, holding, loaded = (_factor(points, *named) for named in chosen.values())
    terms = np.stack(np.broadcast_arrays(smooth, holding, holding, loaded), axis=-1) * own_rubbing(points)
    return checked_rubbing(points, terms.reshape((*terms.shape[:-2], -1)))


def own_rubbing(points: Sequence[FrictionPoint]) -> Array:
    """(points, 4) the terms that the robot has."""
    terms = [[float(getattr(point.friction, name)) for name in TERMS] for point in points]
    return np.array(terms, dtype=float).reshape((len(points), len(TERMS)))


def checked_rubbing(points: Sequence[FrictionPoint], rubbing: Array) -> Array:
    """The terms (..., 4 points), refused where no friction has them or where the robot has none of them."""
    terms = rubbing.reshape((-1, len(points), len(TERMS)))
    _, coulomb, at_rest, load = np.moveaxis(terms, -1, 0)
    absent = np.abs(terms) * (own_rubbing(points) == 0)
    _refuse(points, terms, absent > 0, "0: the robot has no such friction there to vary")
    _refuse(points, terms, terms < 0, "0 or more")
    _refuse(points, terms, _only(2, at_rest < coulomb), "no less than coulomb")
    _refuse(points, terms, _only(3, load >= 1), "less than 1 (it would jam)")
    return rubbing


def _only(term: int, wrong: Flags) -> Flags:
    """What is wrong with one term, as an array of all."""
    return wrong[..., None] & (np.arange(len(TERMS)) == term)


def _refuse(points: Sequence[FrictionPoint], terms: Array, wrong: Flags, expected: str) -> None:
    if wrong.any():
        row, k, term = (int(place) for place in np.argwhere(wrong)[0])
        name = TERMS[term].replace("at_rest", "starting")
        where = f'friction of {points[k].side} "{points[k].name}"'
        raise InputError(f"rubbing, {where}: {name} is {terms[row, k, term]:g}, expected {expected}")


def _factor(points: Sequence[FrictionPoint], name: str, given: ArrayLike) -> Array:
    """(..., points) a factor of each point."""
    factor = _not_negative(name, np.atleast_1d(_numbers(name, given)))
    if factor.shape[-1] not in (1, len(points)):
        has = f"there are {counted(len(points), 'friction point')}"
        raise ShapeError(name, factor.shape, has, f"(..., {len(points)}) or (..., 1)")
    return np.broadcast_to(factor, (*factor.shape[:-1], len(points)))


# Numbers ----------------------------------------------------------------------------------------


def _numbers(name: str, given: ArrayLike, size: int | None = None) -> Array:
    """The values as floats, their last axis of that size if there is one."""
    try:
        values = np.asarray(given, dtype=float)
    except (TypeError, ValueError) as error:
        raise InputError(f"{name} is {given!r}, expected numbers") from error
    if not np.isfinite(values).all():
        raise InputError(f"{name} has values that are not finite, expected numbers")
    if size is not None and values.shape[-1:] != (size,):
        raise ShapeError(name, values.shape, f"it has {size} elements", f"(..., {size})")
    return values


def _not_negative(name: str, values: Array) -> Array:
    if values.size and values.min() < 0:
        raise InputError(f"{name} is {values.min():g}, expected a factor of 0 or more")
    return values

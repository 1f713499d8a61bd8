"""The motion from which the parameters of an arm can be told best."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Literal, get_args

from numpy.typing import ArrayLike

from armdyn.dynamics import Dynamics
from armdyn.errors import InputError, suggestion
from armdyn.extremes.workspace import Ranges
from armdyn.feasibility.verify import arms
from armdyn.formats import load
from armdyn.identification.base_parameters import BaseParameters, base_parameters
from armdyn.identification.excitation.bases import Basis, Fourier, Polynomials
from armdyn.identification.excitation.criterion import CriterionName, check_criterion
from armdyn.identification.excitation.excitation import Excitation
from armdyn.identification.excitation.given import PerJoint, experiment_of, limits_of
from armdyn.identification.excitation.search import Search
from armdyn.identification.whole_numbers import whole_number
from armdyn.mechanics.tree.motors import MotorModel
from armdyn.robot import Robot

Kind = Literal["fourier", "polynomial"]
MOST_RANDOM = 1_000_000
"""Random motions; each takes about a millisecond."""
MOST_STEPS = 10**6
KEPT = 8
"""Arms whose base parameters are kept for the next time."""
FEWEST = 3
"""Pieces of polynomials in which something can be shown."""


def excite(
    robot: Robot | str,
    *,
    kind: Kind = "fourier",
    criterion: CriterionName = "condition",
    duration: float = 10.0,
    harmonics: int | None = None,
    pieces: int | None = None,
    ranges: Ranges | None = None,
    velocity: PerJoint | None = None,
    acceleration: PerJoint | None = None,
    workspace: ArrayLike | None = None,
    share: float = 1.0,
    noise: PerJoint | None = None,
    scaled: bool = True,
    among: Sequence[str] | None = None,
    motors: MotorModel | None = None,
    friction: bool | None = None,
    random: int = 1000,
    starts: int = 4,
    steps: int = 200,
    seed: int = 0,
    progress: Callable[[str, float], None] | None = None,
    stopped: Callable[[], bool] | None = None,
) -> Excitation:
    """The motion from which the base parameters can be told best ([Siciliano2009] 7.4), within all limits.

    It starts and ends at rest. The best of random motions are improved until nothing more is gained; the
    same arguments give the same motion.

    Args:
        robot: what moves, or its catalog name or file.
        kind: a Fourier series, which can be repeated without a stop, or polynomials of degree 5.
        criterion: "condition", the least condition number of the weighted base regressor, or "d_optimal",
            the smallest volume of the estimate's confidence ellipsoid.
        duration: [s] from start to end, the period of a series.
        harmonics: of a series, 2 or more; by default 5.
        pieces: of polynomials; by default 12.
        ranges: joint -> (low, high) [rad or m]; by default the joints' position limits.
        velocity: limits [rad/s or m/s], one for all joints, one each or by joint; by default the robot's.
        acceleration: limits [rad/s2 or m/s2], likewise.
        workspace: ((x0, x1), (y0, y1), (z0, z1)) where the tool's origin may be, base axes [m].
        share: of all limits that may be used.
        noise: of the torques of the motors, or of the joints if there are none [N m or N]: their weights.
            By default the largest torques that they can give.
        scaled: whether columns count in parts of what they are over the whole range of the joints, so that
            units do not matter; otherwise in SI.
        among: names of parameters, or their endings, that may differ from zero (`base_parameters`).
        motors: how much of the drives the equations see; by default the best that the data support.
        friction: whether friction is to be identified; by default as `Dynamics` has it.
        random: how many random motions are compared.
        starts: from how many of them to go on.
        steps: at most, in each of three stages.
        seed: of the random motions.
        progress: told what is under way and which share is done.
        stopped: asked now and then; once it says so, what has been found is returned.

    Raises:
        InfeasibleError: no motion keeps all limits; knows the one in the way.
    """
    check_criterion(criterion)
    basis = _basis(kind, duration, harmonics, pieces)
    random = whole_number("random", random, most=MOST_RANDOM)
    starts = whole_number("starts", starts, most=random)
    steps = whole_number("steps", steps, most=MOST_STEPS)
    seed = whole_number("seed", seed, least=0)
    arm = arms(motors, friction)(load(robot) if isinstance(robot, str) else robot)
    limits = limits_of(arm, ranges, velocity, acceleration, workspace, share)
    base = _base(arm.dyn, None if among is None else tuple(among))
    if not len(base):
        raise InputError("no motion shows any of these parameters, expected one at least; name others")
    experiment, notes = experiment_of(arm, base, limits, noise, scaled=scaled)
    if pieces is not None and 1 <= pieces < FEWEST:
        raise InputError(
            f"pieces is {pieces}, expected {FEWEST} or more: with fewer nothing goes and comes back"
        )
    search = Search(experiment, limits, basis, criterion, random, starts, steps, seed)
    found = search.run(progress or (lambda _part, _share: None), stopped or (lambda: False))
    if not math.isfinite(found.best.condition_number):
        raise InputError(
            f"none of {found.drawn} motions that keep these limits shows all {len(base)} parameters; give "
            "wider limits or another duration, more motions (random), or fewer parameters (among)"
        )
    return Excitation(search, found, (*limits.notes, *notes))


@lru_cache(KEPT)
def _base(dyn: Dynamics, among: tuple[str, ...] | None) -> BaseParameters:
    return base_parameters(dyn, among=among)


def _basis(kind: str, duration: float, harmonics: int | None, pieces: int | None) -> Basis:
    if kind not in get_args(Kind):
        hint = suggestion(kind, get_args(Kind))
        raise InputError(f'kind "{kind}" is unknown; {hint}expected {" or ".join(get_args(Kind))}')
    if kind == "fourier":
        if pieces is not None:
            raise InputError("pieces are of polynomials, a Fourier series has harmonics; give those")
        return Fourier(duration) if harmonics is None else Fourier(duration, harmonics)
    if harmonics is not None:
        raise InputError("harmonics are of a Fourier series, polynomials have pieces; give those")
    return Polynomials(duration) if pieces is None else Polynomials(duration, pieces)

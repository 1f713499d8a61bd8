"""What a user must know before trusting an estimate, one sentence each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from armdyn.identification.estimation.estimate import Estimate
from armdyn.mechanics.parameters import KINDS
from armdyn.report.wording import listed
from armdyn.scalars import Array

CONFUSED = 300.0
"""A condition number, columns of one size, beyond which some parameters are hardly told apart."""
TAKES_PART = 0.25
"""Share in a direction that data hardly show, from which on a parameter is named."""
UNSURE = 0.5
"""Relative standard error beyond which a parameter is not known well."""
UNEXPLAINED = 0.2
"""Share of the torques' standard deviation from which on residuals are no noise."""
MANY = 8
"""Names in a sentence."""
SIGMAS = 3.0
CARRIES_OVER = 1.5
"""Times its noise up to which a joint's torques may be off in a second log."""


def warnings_of(
    found: Estimate,
    names: Sequence[str],
    misfit: float,
    torques: Array,
    second: tuple[Array, Array] | None,
) -> tuple[str, ...]:
    """The sentences that are called for.

    Args:
        found: the estimate.
        names: of the base parameters; a payload may follow them.
        misfit: chi-square that bodies that exist cost.
        torques: (n) standard deviations of the torques measured.
        second: root mean squares of a second log's residuals (n), and those expected.
    """
    return (
        *unexplained(found, torques),
        *_unresolved(found, names),
        *_confused(found, names),
        *_unsure(found, names),
        *payload_hidden(found, len(names)),
        *_offsets(found, names),
        *_no_body(found, misfit),
        *_not_valid(second),
    )


def _unresolved(found: Estimate, names: Sequence[str]) -> Iterator[str]:
    hidden = [name for name, error in zip(names, found.standard_error, strict=False) if np.isinf(error)]
    if hidden:
        yield (
            f"the data do not tell {_named(hidden)}: they keep the robot file's values as far as nothing "
            "shows; move more joints at once, `armdyn excite` plans how"
        )


def _offsets(found: Estimate, names: Sequence[str]) -> Iterator[str]:
    """Constant torques that are more than noise: robots have no place for them."""
    large = np.abs(found.beta[: len(names)]) > SIGMAS * found.standard_error[: len(names)]
    seen = [
        f"{name} {value:.3g}"
        for name, value, is_large in zip(names, found.beta, large, strict=False)
        if name.endswith(".offset") and is_large
    ]
    if seen:
        yield (
            "torques have constant parts, which a robot file cannot carry and the robot found leaves out: "
            f"{_named(seen)}"
        )


def payload_hidden(found: Estimate, before: int) -> Iterator[str]:
    """What of a payload, the unknowns after so many others, the data do not show."""
    hidden = [
        kind for kind, error in zip(KINDS, found.standard_error[before:], strict=False) if np.isinf(error)
    ]
    if hidden:
        yield f"of the payload the data do not tell {_named(hidden)}: the least that a body can have is taken"


def _confused(found: Estimate, names: Sequence[str]) -> Iterator[str]:
    """Directions of the parameters that the data show hundreds of times less than others."""
    _, s, Vt = np.linalg.svd(found.system.A[:, : len(names)])
    for k in np.flatnonzero((s < s[0] / CONFUSED) & (s > 1e-10 * s[0])):
        share = np.abs(Vt[k])
        order = [int(i) for i in np.argsort(-share) if share[i] > TAKES_PART]
        told = _named([names[i] for i in order])
        if len(order) > 1:
            less = f"this combination shows {s[0] / s[k]:.0f} times less than the best"
            yield f"the data hardly tell {told} apart: {less}"
        else:
            yield f"the data hardly show {told}: {s[0] / s[k]:.0f} times less than the best"


def _unsure(found: Estimate, names: Sequence[str]) -> Iterator[str]:
    error, beta = found.standard_error[: len(names)], found.beta[: len(names)]
    unsure = np.isfinite(error) & (error > UNSURE * np.abs(beta))
    if unsure.any():
        which = _named([name for name, is_unsure in zip(names, unsure, strict=True) if is_unsure])
        yield (
            f"{np.count_nonzero(unsure)} of {len(names)} base parameters have a standard error above "
            f"{100 * UNSURE:.0f} % of their value: {which}"
        )


def _no_body(found: Estimate, misfit: float) -> Iterator[str]:
    """The cost of bodies that exist is a chi-square of at most b degrees of freedom if they fit."""
    b = len(found.beta)
    if has_no_body(found, misfit):
        yield (
            f"no bodies that exist fit the torques as well as least squares do (chi-square {misfit:.3g} for "
            f"{b} parameters): the model or the torques have systematic errors"
        )


def has_no_body(found: Estimate, misfit: float) -> bool:
    """Whether a chi-square is more than noise explains."""
    b = len(found.beta)
    return misfit > b + SIGMAS * np.sqrt(2 * b)


def _not_valid(second: tuple[Array, Array] | None) -> Iterator[str]:
    worse = [] if second is None else worse_joints(*second)
    if worse:
        yield (
            f"at joint {listed([str(j) for j in worse])} the torques of the second log are predicted over "
            f"{CARRIES_OVER:g} times worse than noise and errors explain: the model does not carry over"
        )


def unexplained(found: Estimate, torques: Array, what: str = "the torques' variation") -> Iterator[str]:
    """Residuals that are no noise: a large share of what is to be explained, varying by `torques` (n)."""
    share = np.divide(found.rms, torques, out=np.zeros_like(torques), where=torques > 0)
    large = [f"{j + 1} ({100 * x:.0f} %)" for j, x in enumerate(share) if x > UNEXPLAINED]
    if large:
        yield (
            f"the model leaves a large share of {what} unexplained at joint {listed(large)}: look at units, "
            "signs, gravity, motors, friction and the arm's own parameters before trusting it"
        )


def worse_joints(rms: Array, expected: Array) -> list[int]:
    """Numbers of the joints whose root mean squares in a second log (n) are far beyond those expected."""
    beyond = np.nan_to_num(rms) > CARRIES_OVER * expected
    return [int(j) + 1 for j in np.flatnonzero(beyond)]


def _named(names: Sequence[str]) -> str:
    some = list(names[:MANY])
    return listed(some) if len(names) <= MANY else f"{', '.join(some)} and {len(names) - MANY} more"

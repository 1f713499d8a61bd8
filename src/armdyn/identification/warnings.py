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
MANY = 8
"""Names in a sentence."""
SIGMAS = 3.0
CARRIES_OVER = 1.5
"""Times its noise up to which a joint's torques may be off in a second log."""


def warnings_of(
    found: Estimate, names: Sequence[str], misfit: float, validation: Array | None
) -> tuple[str, ...]:
    """The sentences that are called for; `names` are of the base parameters, a payload may follow them."""
    return (
        *_unresolved(found, names),
        *_confused(found, names),
        *_unsure(found, names),
        *_payload_hidden(found, len(names)),
        *_no_body(found, misfit),
        *_not_valid(found, validation),
    )


def _unresolved(found: Estimate, names: Sequence[str]) -> Iterator[str]:
    hidden = [name for name, error in zip(names, found.standard_error, strict=False) if np.isinf(error)]
    if hidden:
        yield (
            f"the data do not tell {_named(hidden)}: they keep the robot file's values as far as nothing "
            "shows; move more joints at once, `armdyn excite` plans how"
        )


def _payload_hidden(found: Estimate, before: int) -> Iterator[str]:
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


def _not_valid(found: Estimate, validation: Array | None) -> Iterator[str]:
    if validation is None:
        return
    worse = worse_joints(found, validation)
    if worse:
        yield (
            f"at joint {listed([str(j) for j in worse])} the second log's torques are predicted over "
            f"{CARRIES_OVER:g} times worse than those of the first: the model does not carry over"
        )


def worse_joints(found: Estimate, validation: Array) -> list[int]:
    """Numbers of the joints whose root mean squares in a second log (n) are far beyond their noise."""
    return [j + 1 for j, v in enumerate(validation) if v > CARRIES_OVER * found.noise.deviation[j]]


def _named(names: Sequence[str]) -> str:
    some = list(names[:MANY])
    return listed(some) if len(names) <= MANY else f"{', '.join(some)} and {len(names) - MANY} more"

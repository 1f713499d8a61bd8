"""An identification in words: the verdict, what is known, and whether it carries over."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from armdyn.errors import counted
from armdyn.identification.identified import Identified
from armdyn.identification.quality import WELL, JointFit, Knowledge, joint_fits, known
from armdyn.identification.warnings import UNSURE, has_no_body, worse_joints
from armdyn.report.wording import amount, listed

ROUGH = 0.2
"""Share of the largest torque beyond which what is not explained is much."""
ALIKE = 0.9
"""Correlation of errors from which on two parameters are hardly told apart."""
SOME = 8
KNOWN: dict[Knowledge, str] = {
    "well": f"known well (standard error up to {100 * WELL:.0f} %)",
    "roughly": f"known roughly (up to {100 * UNSURE:.0f} %)",
    "hardly": "hardly known (beyond)",
    "not told": "not told by the data",
}


def is_good(found: Identified) -> bool:
    """Whether the robot found predicts torques: real bodies fit, a second log too, and little is left."""
    checked = found.validation
    carries_over = checked is None or not worse_joints(checked.rms, checked.expected(found.estimate))
    shares = [fit.share for fit in joint_fits(found) if np.isfinite(fit.share)]
    return (
        carries_over and not has_no_body(found.estimate, found.misfit) and max(shares, default=0.0) <= ROUGH
    )


def verdict(found: Identified) -> str:
    """How well torques are predicted, in one sentence."""
    fits = joint_fits(found)
    if found.validation is None:
        worst = _worst(fits, validation=False)
        return f"The torques it was identified from are explained to within {worst}."
    return f"The torques of another log are predicted to within {_worst(fits, validation=True)}."


def _worst(fits: Sequence[JointFit], *, validation: bool) -> str:
    shares = [(fit.validation_share if validation else fit.share, fit) for fit in fits]
    moving = [(share, fit) for share, fit in shares if np.isfinite(share)]
    if not moving:
        return "nothing, as no joint moves"
    share, fit = max(moving, key=lambda each: each[0])
    if len(moving) == 1:
        return f"{share_text(share)} of the largest torque (root mean square)"
    return (
        f"{share_text(share)} of every joint's largest torque (root mean square; joint {fit.number} is worst)"
    )


def share_text(share: float) -> str:
    """A share in percent, however small."""
    return f"{amount(100 * share, 2)} %" if np.isfinite(share) else "-"


def knowledge(found: Identified) -> str:
    """How many base parameters are known how well."""
    many = Counter(known(found))
    parts = [f"{k} {'is' if k == 1 else 'are'} {said}" for each, said in KNOWN.items() if (k := many[each])]
    return (
        f"Of {counted(len(found.base), 'base parameter')} {listed(parts)}; "
        f"{len(found.essential)} of them are enough to predict the torques."
    )


def validation_text(found: Identified) -> str:
    """What a second log says."""
    checked = found.validation
    if checked is None:
        return (
            "No second log was given. What predicts the torques that it was fitted to need not predict "
            "others: record another motion, and give it as `validate`."
        )
    worse = worse_joints(checked.rms, checked.expected(found.estimate))
    times = [fit.validation_rms / fit.noise for fit in joint_fits(found) if fit.validation_rms and fit.noise]
    most = amount(max(times, default=0.0), 2)
    said = f"{checked.name} was not used for the estimate. The robot found predicts its torques"
    if worse:
        numbers = listed([str(j) for j in worse])
        return (
            f"{said} up to {most} times worse than the noise of the first log allows, at joint {numbers}: "
            "the model does not carry over there."
        )
    return (
        f"{said} as well as those it was identified from: at no joint is the root mean square of what is "
        f"left more than {most} times the noise. The panels beside the torques above show it."
    )


def alike_text(pairs: Sequence[tuple[str, str, float]]) -> str:
    """Which pairs of base parameters are hardly told apart."""
    if not pairs:
        return f"Every two base parameters are told apart: no correlation of their errors reaches {ALIKE:g}."
    said = [f"{first} and {second} ({rho:.2f})" for first, second, rho in pairs[:SOME]]
    more = f"; and {counted(len(pairs) - SOME, 'other pair')}" if len(pairs) > SOME else ""
    return f"Hardly told apart, with the correlation of their errors: {'; '.join(said)}{more}."

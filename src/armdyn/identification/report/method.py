"""How an identification was done, in words and formulas with their sources."""

from __future__ import annotations

import math
from collections.abc import Iterator

from armdyn.identification.estimation.essential import WORSE
from armdyn.identification.identified import Identified
from armdyn.identification.report.settings import cutoff_text
from armdyn.report.markup import Markup, element, joined
from armdyn.report.wording import amount


def method(found: Identified) -> Iterator[Markup]:
    """A sentence or two on each step."""
    yield _said(
        "Torques are linear in the parameters: ",
        "tau = Y(q, qd, qdd) pi",
        " ([Siciliano2009] (7.81)). Some of them act only together; the base parameters ",
        "beta = G pi",
        f" are the {len(found.base)} combinations that torques can tell, of {len(found.dyn.parameters)}.",
    )
    if math.isfinite(found.observed.samples.cutoff):
        yield _said(
            f"Positions and torques went through one zero-phase low-pass ({cutoff_text(found)}), "
            "velocities and accelerations are slopes of what it leaves; torques and regressor then went "
            "through it once more, side by side."
        )
    if found.dyn.friction:
        yield _said(
            "Where a joint nearly rests its dry friction is not known: those rows are drawn on grey and do "
            "not count."
        )
    yield _said(
        "The equations of all samples stand one below the other, ",
        "tau = Y pi",
        " ([Siciliano2009] (7.85)), and are solved by least squares, ",
        "pi = (Y^T Y)^-1 Y^T tau",
        f" ([Siciliano2009] (7.86)), by an orthogonal decomposition; method: {found.estimate.method}.",
    )
    yield _said(
        "Standard errors are roots of the diagonal of ",
        "sum_j L_j M_j L_j^T, M_j = sum_l gamma_j(l) sum_t Y_j(t)^T Y_j(t + l)",
        ", with the gains L of the estimate and the autocovariance gamma of each joint's residuals: "
        "neighbouring samples of filtered torques are alike, and do not count as if they were independent.",
    )
    yield _said(
        f"Essential parameters are the fewest found with which residuals grow by at most {100 * WORSE:g} %: "
        "the one whose loss costs least is taken to be zero, again and again."
    )
    yield _said(
        "The parameters of the robot found are those nearest to the estimate that bodies can have: every "
        "pseudo-inertia is positive definite, no friction negative. That costs a chi-square of "
        f"{amount(found.misfit, 3)}, which noise alone explains up to about {len(found.estimate.beta)}.",
    )
    yield _said(
        "[Siciliano2009] B. Siciliano, L. Sciavicco, L. Villani, G. Oriolo, Robotics: Modelling, Planning "
        "and Control, Springer 2009, chapter 7."
    )


def _said(*parts: str) -> Markup:
    """Words and formulas by turns."""
    return joined(part if k % 2 == 0 else element("code", part) for k, part in enumerate(parts))

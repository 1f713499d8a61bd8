"""The tables of the report: torques joint by joint, base parameters, all parameters."""

from __future__ import annotations

import math

import numpy as np

from armdyn.identification.identified import Identified
from armdyn.identification.quality import JointFit, joint_fits, known, prior_parameters
from armdyn.identification.report.numbers import aligned, with_error, without_rounding
from armdyn.identification.report.words import share_text
from armdyn.report.markup import Markup, element, row, table
from armdyn.report.wording import amount

LONG = 2
"""Terms of a combination beyond which the rest is folded away."""


def fit_table(found: Identified) -> Markup:
    """A row for each joint: the largest torque, what is left, noise, and the same of the second log."""
    fits = joint_fits(found)
    head = ["Joint", "Unit", "Largest torque", "Rms left", "of the largest", "Noise, sigma"]
    second = ["Largest in validation", "Rms left", "of the largest", "of the noise"]
    checked = found.validation is not None
    rows = [_fit_row(fit, checked) for fit in fits]
    return table(
        "Measured less predicted torques", head + (second if checked else []), rows, class_="numbers fits"
    )


def _fit_row(fit: JointFit, checked: bool) -> Markup:
    first = (fit.peak, fit.rms)
    cells: list[object] = [element("td", fit.unit, class_="words"), *(number(x) for x in first)]
    cells += [share_text(fit.share), number(fit.noise)]
    if checked and fit.validation_peak is not None and fit.validation_rms is not None:
        times = fit.validation_rms / fit.noise if fit.noise > 0 else math.nan
        cells += [number(fit.validation_peak), number(fit.validation_rms), share_text(fit.validation_share)]
        cells.append(f"{times:.2f} times" if math.isfinite(times) else "-")
    return row(f"{fit.number} {fit.name}", *cells)


def number(value: float) -> str:
    """Three digits, or a dash."""
    return amount(value, 3) if math.isfinite(value) else "-"


# Base parameters ------------------------------------------------------------------------------


def base_table(found: Identified) -> Markup:
    """A row for each: the combination, its value and error beside the robot file's."""
    prior = found.base.values(prior_parameters(found))
    pairs = [with_error(float(v), float(e)) for v, e in zip(found.beta, found.standard_error, strict=True)]
    values, errors = aligned([v for v, _ in pairs]), aligned([e for _, e in pairs])
    priors = aligned([_as_precise(float(p), v) for p, (v, _) in zip(prior, pairs, strict=True)])
    shares = aligned([_share(x) for x in found.relative_deviation.tolist()])
    essential, knowledge = set(found.essential.tolist()), known(found)
    rows = [
        row(
            _combination(found.base.names[k]),
            values[k],
            errors[k],
            shares[k],
            priors[k],
            element("td", found.base.units[k], class_="words"),
            element("td", knowledge[k], class_="words"),
            element("td", "● essential" if k in essential else "", class_="words"),
            class_="essential" if k in essential else None,
        )
        for k in range(len(found.base))
    ]
    head = ("Combination", "Value", "Standard error", "Relative [%]", "Robot file", "Unit", "Known", "Needed")
    return table("Base parameters", head, rows, class_="numbers combination")


def _as_precise(value: float, like: str) -> str:
    """A number with as many decimals as another."""
    decimals = len(like.partition(".")[2]) if "e" not in like else None
    return amount(value) if decimals is None else f"{value + 0.0:.{decimals}f}"


def _share(share: float) -> str:
    if not math.isfinite(share):
        return "-"
    return f"{100 * share:.1f}" if share < 10 else "above 1000"


def _combination(name: str) -> Markup:
    """What a combination is called after, and the rest of it smaller: it may be long."""
    terms = name.replace(" + ", "\n+ ").replace(" - ", "\n- ").split("\n")
    if len(terms) == 1:
        return element("span", name)
    rest = " ".join(terms[1:])
    if len(terms) <= LONG + 1:
        return element("span", terms[0], element("small", rest))
    some = element("summary", f"{' '.join(terms[1 : LONG + 1])} .. ({len(terms) - 1} terms)")
    return element("span", terms[0], element("small", element("details", some, rest)))


# All parameters -------------------------------------------------------------------------------


def parameter_table(found: Identified) -> Markup:
    """A row for each parameter of the robot found, beside the robot file's."""
    prior, values = (
        prior_parameters(found),
        without_rounding(found.pi, [p.unit for p in found.dyn.parameters]),
    )
    errors = np.full(len(found.pi), np.nan)
    for i, k in enumerate(found.base.independent.tolist()):
        if np.count_nonzero(found.base.grouping[i]) == 1:
            errors[k] = found.standard_error[i]
    hidden = set(found.base.unidentifiable)
    rows = [
        row(
            each.name,
            amount(float(values[k])),
            number(float(errors[k])),
            amount(float(prior[k])),
            element("td", each.unit, class_="words"),
            element("td", "shows in no torque" if each.name in hidden else "", class_="words"),
        )
        for k, each in enumerate(found.dyn.parameters)
    ]
    caption = (
        "Parameters that bodies can have, nearest to the estimate: what no torque tells stays near the robot "
        "file. A standard error stands where a parameter is a base parameter by itself"
    )
    head = ("Parameter", "Value", "Standard error", "Robot file", "Unit", "")
    return table(caption, head, rows, class_="numbers every")

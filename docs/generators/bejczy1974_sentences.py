"""[Bejczy1974] VII.D: what the text says about the simplified equations, sentence by sentence."""

from __future__ import annotations

import numpy as np
from bejczy1974_arm import R3_MAX, inertia, listed, posture, states
from bejczy1974_constants import CONSTANTS, printed, right
from bejczy1974_numbers import Number, by_formula
from bejczy1974_print import D11, D22
from bejczy1974_simplified import BEATEN, FORMS, SHORT, constants, cost, exact, miss
from verdicts import Claim, proven

FULL, VERTICAL, BENT = posture(90), posture(0, theta5=90), posture(0, 0.425, theta5=90)


def share(equation: str, q: np.ndarray, loaded: bool = False, without: tuple[str, ...] = ()) -> float:
    """|error|/value of an equation at a posture, with the right constants, some set to zero."""
    form = FORMS[equation]
    true = float(form.quantity(q, loaded))
    return abs(float(form.value(right(loaded) | dict.fromkeys(without, 0.0), q)) - true) / abs(true)


def at(equation: str, numbers: dict[str, float], q: np.ndarray) -> float:
    """The value of an equation at a posture."""
    return float(FORMS[equation].value(numbers, q))


def extreme_numbers() -> list[Number]:
    """Extremes of the short forms that the text prints."""
    first = "({b1}) + (({b2}) + ({b3}) r3 + ({b4}) r3^2) s2^2".format(
        **{name: text for name, text, *_ in CONSTANTS}
    )
    return [
        by_formula("first line of (119), smallest", "1.423", first, VERTICAL),
        by_formula("first line of (119), largest, no load", "5.89", first, FULL),
        by_formula("first line of (119), largest, load", "8.15", first, FULL, loaded=True),
        _unexplained("(121) D22, largest, no load", "7.09", FULL),
        _unexplained("(121) D22, largest, load", "9.64", FULL, loaded=True),
        _unexplained("(121) D22, smallest, no load", "2.59", BENT),
        by_formula("after (130), largest d4 term", "0.056", "-g m4 z4", unit="N m"),
        Number("r3 of those extremes", "111.9", 100 * R3_MAX, "cm", reason="111.76 cm elsewhere"),
    ]


def _unexplained(where: str, text: str, q: np.ndarray, *, loaded: bool = False) -> Number:
    """An extreme of (121) that no constants of VII.D give."""
    theirs, ours = at("121", printed(loaded), q), at("121", right(loaded), q)
    reason = f"the printed constants give {theirs:.2f}"
    return Number(where, text, ours, "kg m²", proven(reason, abs(theirs - float(text)) > 0.1))


def claims() -> list[Claim]:
    """Sentences about errors and lengths, with the right constants unless a row says otherwise."""
    costs = {e: cost(FORMS[e].printed.right).total for e in SHORT}
    long_1, long_2 = cost(D11.right).total, cost(D22.right).total
    line = {key: 100 * share("120", q, loaded, ("b5",)) for key, q, loaded in _CORNERS}
    kept = {key: 100 * share("120", q, loaded) for key, q, loaded in _CORNERS}
    with_b5 = 100 * abs(at("120", printed(True), FULL) / float(inertia(1, FULL, True)) - 1)
    corners = {key: 100 * share("121", q, loaded) for key, q, loaded in (*_CORNERS[:2], ("min", BENT, False))}
    reduced = {key: 100 * share("119", q, loaded) for key, q, loaded in _CORNERS}
    worst = 100 * max(_largest_share("122", loaded) for loaded in (False, True))
    theirs = 100 * max(_largest_share("122", loaded, "printed") for loaded in (False, True))
    wrist = [100 * _largest_share("124", loaded) for loaded in (False, True)]
    lost = [100 * miss("128", loaded).relative for loaded in (False, True)]
    return [
        Claim(
            "before (119), error of leaving out the small moments",
            "below 0.5 % for D11 largest, below 2 % for D11 smallest (printed largest twice)",
            f"(119), mended: {reduced['max']:.2f} % and {reduced['min']:.2f} %",
            proven("confirmed", reduced["max"] < 0.5, reduced["min"] < 2),
        ),
        Claim(
            "before (119), length",
            "less than one third of (58)",
            f"{costs['119']} operations of {long_1}, sines and cosines given",
            proven("confirmed", 3 * costs["119"] < long_1),
        ),
        Claim(
            "after (119), first line alone, no load",
            "error 4 %",
            f"{line['min']:.1f} % for the smallest, {line['max']:.1f} % for the largest",
            proven("confirmed, nearly", line["min"] < 4, 4 < line["max"] < 5),
        ),
        Claim(
            "after (119), first line alone, load",
            "error about 15 %",
            f"{line['load']:.1f} %",
            proven("confirmed", abs(line["load"] - 15) < 0.5),
        ),
        Claim(
            "after (119), with the b5 term",
            "4 % become 1 %, 15 % become 10 %",
            f"{kept['max']:.1f} % and {kept['load']:.1f} %; with the printed b5 {with_b5:.1f} %",
            proven("better than printed: b5 with load is wrong in print", kept["load"] < 3, with_b5 > 9),
        ),
        Claim(
            "after (120), length",
            "reduced by nearly 98 %",
            f"{costs['120']} operations of {long_1}: by {100 - 100 * costs['120'] / long_1:.0f} %",
            proven("confirmed, nearly", costs["120"] < 0.05 * long_1),
        ),
        Claim(
            "after (121), error at the extremes",
            "between 2 % and 6 %",
            f"{corners['max']:.1f} %, load {corners['load']:.1f} %, smallest {corners['min']:.1f} %",
            proven(
                "far better: the printed extremes of (121) are wrong", *(x < 0.5 for x in corners.values())
            ),
        ),
        Claim(
            "after (121), largest error of (122)",
            "below 8 %",
            f"{theirs:.1f} % with the printed constants, {worst:.1f} % with the right ones",
            proven("**does not hold** with load as printed, holds with the right b5", worst < 8 < theirs),
        ),
        Claim(
            "after (122), length",
            "reduced by nearly 90 %",
            f"{costs['122']} operations of {long_2}: by {100 - 100 * costs['122'] / long_2:.0f} %",
            proven("confirmed", costs["122"] < 0.1 * long_2),
        ),
        Claim(
            "after (123), error of (124)",
            "1 % to 6 %",
            f"up to {wrist[0]:.1f} %, with load {wrist[1]:.1f} %",
            proven("smaller than printed", *(x < 3 for x in wrist)),
        ),
        Claim(
            "after (127), d4 term",
            "less than 1 % of D2",
            f"mean error of (128) {lost[0]:.2f} % of the mean, with load {lost[1]:.2f} %",
            proven("confirmed in the mean; near D2 = 0 no ratio means anything", *(x < 1 for x in lost)),
        ),
        _claim_average(),
    ]


_CORNERS = (("max", FULL, False), ("load", FULL, True), ("min", VERTICAL, False))


def _largest_share(equation: str, loaded: bool, kind: str = "right") -> float:
    """The largest |error|/value over the random states, of a quantity that is never near zero."""
    values = FORMS[equation].value(constants(kind, loaded), states())
    return float((np.abs(values - exact(equation, loaded)) / exact(equation, loaded)).max())


def _claim_average() -> Claim:
    theirs = {
        (e, loaded): 100 * miss(e, loaded, "printed").relative for e in BEATEN for loaded in (False, True)
    }
    ours = {(e, loaded): 100 * miss(e, loaded).relative for e in BEATEN for loaded in (False, True)}
    above = [f"({e}){' with load' if loaded else ''} {x:.1f} %" for (e, loaded), x in theirs.items() if x > 5]
    still = [f"({e}){' with load' if loaded else ''} {x:.1f} %" for (e, loaded), x in ours.items() if x > 5]
    return Claim(
        "abstract, average error of the simplified equations",
        "less than 5 %",
        f"mean error over mean value above 5 %: as printed {listed(above)}; right constants {listed(still)}",
        proven("**does not hold** for these; for all others it does", len(above) > 2, len(still) > 1),
    )

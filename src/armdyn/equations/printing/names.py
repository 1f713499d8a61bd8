"""The names of symbols, sines and cosines in LaTeX and in code."""

from __future__ import annotations

import re

from armdyn.equations.expression import Angle

GREEK = {"phi": r"\varphi", "theta": r"\theta", "tau": r"\tau"}
COORDINATE = re.compile(r"(q|phi|theta)(d*)(\d+)")
"""A coordinate or its rate: q2, qd2, qdd2."""
SUBSCRIPTED = re.compile(r"([A-Za-z])([A-Za-z]*?)(\d*)([A-Za-z]*\d*)(?:_(.+))?")
"""A letter and what stands below it: m4, k4xx, Im1, mL, kr1_elbow."""
PARAMETER = re.compile(r"(.+)\.(m|mc(?=[xyz])|I|[a-z]+)([xyz]*)")
"""A parameter by its owner's name, what it is and along which axes: link2.Ixy, link2.mcx, joint1.viscous."""
RATES = {0: "", 1: r"\dot ", 2: r"\ddot "}


def latex_name(name: str) -> str:
    r"""A symbol in LaTeX: m_4, k_{4xx}, \dot q_1; kk4xy is k_{4xy}^2, arm.Ixy is I_{xy,\mathrm{arm}}."""
    if match := COORDINATE.fullmatch(name):
        stem, rates, number = match.groups()
        if len(rates) in RATES:
            return f"{RATES[len(rates)]}{GREEK.get(stem, stem)}_{_below(number)}"
    if match := PARAMETER.fullmatch(name):
        owner, kind, axes = match.groups()
        letters = kind if len(kind) <= 2 else rf"\mathrm{{{kind}}}"
        return rf"{letters}_{{{axes}{',' if axes else ''}\mathrm{{{_plain(owner)}}}}}"
    if is_square(name):
        return f"{latex_name(name[1:])}^2"
    match = SUBSCRIPTED.fullmatch(name)
    if match is None:
        return rf"\mathrm{{{_plain(name)}}}"
    letter, *below, word = match.groups()
    subscript = "".join(below) + (rf",\mathrm{{{_plain(word)}}}" if word else "")
    return f"{letter}_{_below(subscript)}" if subscript else letter


def is_square(name: str) -> bool:
    """Whether a name stands for the square of a radius of gyration: kk4xy."""
    return re.fullmatch(r"kk\w+", name) is not None


def _below(subscript: str) -> str:
    return subscript if len(subscript) == 1 else f"{{{subscript}}}"


def _plain(word: str) -> str:
    return word.replace("_", r"\_")


def latex_angle(angle: Angle) -> str:
    """A sum of angles in LaTeX: q_2 + q_3, 2 q_2."""
    text = ""
    for i, (name, factor) in enumerate(angle):
        sign = "-" if factor < 0 else "+" if i else ""
        size = "" if abs(factor) == 1 else f"{abs(factor)} "
        text += f" {sign} {size}{latex_name(name)}" if i else f"{sign}{size}{latex_name(name)}"
    return text


def joint_numbers(angle: Angle) -> str | None:
    """The joints of a plain sum of coordinates, 23 for q2 + q3; None for any other angle.

    Numbers of two digits are none of these: s12 would be the sine of q12 and of q1 + q2.
    """
    matches = [re.fullmatch(r"(q|phi)(\d)", name) for name, _ in angle]
    if any(match is None for match in matches) or any(factor != 1 for _, factor in angle):
        return None
    return "".join(match.group(2) for match in matches if match is not None)


def code_angle(angle: Angle) -> str:
    """An angle as part of a name in code: 23 for q2 + q3, _2q2 for 2 q2, _q2_mq3 for q2 - q3."""
    numbers = joint_numbers(angle)
    if numbers is not None:
        return numbers
    return "".join(
        f"_{'m' if factor < 0 else ''}{abs(factor) if abs(factor) > 1 else ''}{name}"
        for name, factor in angle
    )


def code_name(name: str) -> str:
    """A symbol as a name in code."""
    return re.sub(r"\W", "_", name)

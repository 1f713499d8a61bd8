"""[Bejczy1974] VII.D: the simplified state equations, what they cost and what they miss."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from bejczy1974_arm import angles, formula, gravity, inertia, states
from bejczy1974_constants import printed, right
from bejczy1974_print import Printed
from verdicts import EQUAL, Claim, proven

from armdyn.equations.expression import Cosine, Expression, Operations, Sine, Symbol, lifted, operations

Quantity = Callable[[Any, bool], Any]


@dataclass(frozen=True)
class Form:
    """An equation of VII.D and what it stands for."""

    printed: Printed
    quantity: Quantity
    unit: str = "kg m²"

    def value(self, numbers: dict[str, float], q: Any) -> Any:
        """Its value with some b and d."""
        return formula(self.printed.right, {**numbers, **angles(q), "g": 9.81})


def _inertia(i: int) -> Quantity:
    return lambda q, loaded: inertia(i, q, loaded)


def _gravity(i: int) -> Quantity:
    return lambda q, loaded: gravity(i, q, loaded)


F119 = Printed(
    "119",
    "D11",
    """b1 (b2 + b3 r3 + b4 r3^2) s2^2
    + r3 [b5 s2^2 c5 + b6 2 s2 c2 s4 s5 + b7 2 s2 c2 c4 + b8 2 s4 c4 s5]
    + b9 [c4^2 s5^2 + s2^2 c5^2 + c2^2 s4^2 s5^2 + 2 s2 c2 s4 s5 c5]
    + b10 c4 s5 + b11 s4 + b12""",
    (("b1 (", "b1 + ("), ("b8 2 s4 c4 s5", "b8 2 s2 c2 s4 s5"), ("+ b10", "- b10")),
)
FORMS = {
    form.printed.equation: form
    for form in (
        Form(F119, _inertia(1)),
        Form(Printed("120", "D11", "b1 + [b2 + (b3 + b5 c5) r3 + b4 r3^2] s2^2"), _inertia(1)),
        Form(Printed("121", "D22", "b13 + b4 r3^2 + (b3 + b5 c5) r3 + b9 (s4^2 s5^2 + c5^2)"), _inertia(2)),
        Form(Printed("122", "D22", "b13 + (b3 + b5 c5) r3 + b4 r3^2"), _inertia(2)),
        Form(Printed("123", "D44", "b14 + b15 s5^2 + b16 c5^2"), _inertia(4)),
        Form(Printed("124", "D44", "b14 + b15 s5^2"), _inertia(4)),
        Form(Printed("125", "D55", "b17 + b18"), _inertia(5)),
        Form(Printed("126", "D66", "b19 + b20"), _inertia(6)),
        Form(
            Printed("127", "D2", "g (d1 + d2 r3) s2 + g d3 (s2 c5 + c2 s4 s5) + g d4 c2 c4"),
            _gravity(2),
            "N m",
        ),
        Form(Printed("128", "D2", "g (d1 + d2 r3) s2 + g d3 (s2 c5 + c2 s4 s5)"), _gravity(2), "N m"),
        Form(Printed("129", "D4", "g d3 s2 c4 s5 - g d4 s2 s4"), _gravity(4), "N m"),
        Form(Printed("130", "D4", "g d3 s2 c4 s5"), _gravity(4), "N m"),
        Form(Printed("131", "D3", "-g d2 c2"), _gravity(3), "N"),
        Form(Printed("132", "D5", "g d3 (s2 s4 c5 + c2 s5)"), _gravity(5), "N m"),
    )
}
EXACT = ("123", "125", "126", "127", "129", "131", "132")
SHORT = ("119", "120", "121", "122", "124", "128", "130")
BEATEN = ("120", "122", "124", "128", "130")
"""Those of Table 3 that leave something out."""


# Operations -----------------------------------------------------------------------------------


WORD = re.compile(r"[a-zA-Z]\w*")


def as_expression(text: str, *, squares: bool = False) -> Expression:
    """A printed formula as an expression: s2 and c2 are a sine and a cosine, all else is a symbol.

    squares: whether k411, which stands for a square, is counted as one.
    """
    names: dict[str, Expression] = {}
    for word in WORD.findall(text):
        angle = ((f"q{word[1:]}", 1),)
        if word[0] in "sc":
            names[word] = Sine(angle) if word[0] == "s" else Cosine(angle)
        else:
            names[word] = Symbol(word) ** 2 if squares and word[0] == "k" else Symbol(word)
    return lifted(formula(text, names))


def cost(text: str) -> Operations:
    """Of a printed formula, sines and cosines given; g is a part of the constants it multiplies."""
    return operations(as_expression(text.replace("-g d", "-d").replace("g (d1", "(d1").replace("g d", "d")))


# Errors ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Miss:
    """How far a form is off over the random states."""

    mean: float
    p95: float
    largest: float
    relative: float
    """Mean |error| / mean |value|."""


@cache
def exact(equation: str, loaded: bool) -> np.ndarray:
    """What an equation stands for, at the random states."""
    return np.asarray(FORMS[equation].quantity(states(), loaded))


@cache
def miss(equation: str, loaded: bool, kind: str = "right") -> Miss:
    """Over the random states, with some constants."""
    return missed(FORMS[equation].value(constants(kind, loaded), states()), exact(equation, loaded))


KINDS = ("printed", "b5 mended", "right")


def constants(kind: str, loaded: bool) -> dict[str, float]:
    """b and d as printed, printed but for the right b5, or all as the data give them."""
    if kind == "b5 mended":
        return printed(loaded) | {"b5": right(loaded)["b5"]}
    return printed(loaded) if kind == "printed" else right(loaded)


def missed(values: np.ndarray, true: np.ndarray) -> Miss:
    """How far values are off."""
    error = np.abs(values - true)
    mean = float(error.mean())
    return Miss(mean, float(np.quantile(error, 0.95)), float(error.max()), mean / float(np.abs(true).mean()))


def exact_claim() -> Claim:
    """The equations that leave nothing out."""
    worst = max(miss(e, loaded).largest for e in EXACT for loaded in (False, True))
    return Claim(
        ", ".join(f"({e})" for e in EXACT),
        "exact; (123), (125) because k611 = k622",
        "with the right b and d: armdyn's values at the random states, to 1e-10",
        proven("confirmed", worst < EQUAL),
    )

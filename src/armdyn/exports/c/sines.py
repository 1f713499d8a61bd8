"""Sine and cosine together, in C: fewer instructions than two calls of <math.h>, the same bits everywhere.

An angle is reduced to r = x - k pi/2 with pi/2 in parts, so short that k times one is exact, and one
polynomial each is evaluated on r: those of fdlibm in double precision, those of Cephes in single. Larger
angles, infinities and NaN go to the C library, and all angles if the macro is defined.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from armdyn.exports.c.precision import NUMBERS, Precision
from armdyn.native.sines import COSINE, SINE, TWO_OVER_PI

NAME = "sine_cosine"
MACRO = "ARMDYN_SINES_OF_MATH_H"


@dataclass(frozen=True)
class _Reduction:
    """What one precision takes."""

    largest: float
    half_pi: tuple[float, ...]
    """Parts of pi/2, so short that k times any but the last is exact."""
    sine: tuple[float, ...]
    cosine: tuple[float, ...]


_REDUCTIONS: dict[Precision, _Reduction] = {
    # fdlibm's e_rem_pio2.c: 33 bits, 33 bits and the rest; k stays below 2^17
    "double": _Reduction(
        1e5,
        (1.57079632673412561417e00, 6.07710050630396597660e-11, 2.02226624879595063154e-21),
        SINE,
        COSINE,
    ),
    # 13 bits each but for the last, k stays below 2^11
    "single": _Reduction(
        2000.0,
        (1.570556640625, 0.0002396702766418457, 1.5890691429376602e-08, 2.5633440682570896e-12),
        (-1.6666654611e-1, 8.3321608736e-3, -1.9515295891e-4),
        (4.166664568298827e-2, -1.388731625493765e-3, 2.443315711809948e-5),
    ),
}


def sines_text(precision: Precision) -> str:
    """The function `sine_cosine`, which only its own file sees."""
    numbers, how = NUMBERS[precision], _REDUCTIONS[precision]
    kind, n = numbers.type, numbers.constant
    reduced = "x"
    for part in how.half_pi:
        reduced = f"({reduced} - turns * {n(part)})"
    library = f"*sine = {numbers.call('sin', 'x')};\n{{0}}*cosine = {numbers.call('cos', 'x')};"
    return f"""\
/* The sine and the cosine of an angle [rad], within two units in the last place up to {how.largest:g} rad. */
static void {NAME}(const {kind} x, {kind} *const sine, {kind} *const cosine)
{{
#ifdef {MACRO}
    {library.format("    ")}
#else
    if (!({numbers.call("fabs", "x")} <= {n(how.largest)})) {{ /* nor is NaN */
        {library.format("        ")}
    }} else {{
        /* x = k pi/2 + r with r between -pi/4 and pi/4 */
        const int k = (int)(x * {n(TWO_OVER_PI)} + ((x < {n(0.0)}) ? {n(-0.5)} : {n(0.5)}));
        const {kind} turns = ({kind})k;
        const {kind} r = {reduced[1:-1]};
        const {kind} z = r * r;
        const {kind} s = r + r * z * ({_horner(how.sine, n)});
        const {kind} c = ({n(1.0)} - {n(0.5)} * z) + z * z * ({_horner(how.cosine, n)});
        const {kind} odd_s = ((k & 1) != 0) ? c : s;
        const {kind} odd_c = ((k & 1) != 0) ? s : c;
        *sine = ((k & 2) != 0) ? -odd_s : odd_s;
        *cosine = (((k + 1) & 2) != 0) ? -odd_c : odd_c;
    }}
#endif
}}
"""


def _horner(coefficients: tuple[float, ...], number: Callable[[float], str]) -> str:
    text = number(coefficients[-1])
    for coefficient in reversed(coefficients[:-1]):
        text = f"{number(coefficient)} + z * ({text})"
    return text

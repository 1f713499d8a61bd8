"""Names, numbers and comments as C takes them, whatever the words were that they come from."""

from __future__ import annotations

import math
import re
import unicodedata

import numpy as np

LONGEST = 31
"""Characters of a name that every C compiler and linker tells apart (C99 5.2.4.1)."""
LONGEST_INSIDE = 63
"""The same of names that no linker sees, macros and static ones."""
_C = """
auto break case char const continue default do double else enum extern float for goto if inline int long
register restrict return short signed sizeof static struct switch typedef union unsigned void volatile while
alignas alignof atomic bool complex generic imaginary noreturn static_assert thread_local
"""
_CPP = """
and and_eq asm bitand bitor catch class compl const_cast constexpr decltype delete dynamic_cast explicit
export false friend mutable namespace new noexcept not not_eq nullptr operator or or_eq private protected
public reinterpret_cast static_cast template this throw true try typeid typename using virtual wchar_t xor
xor_eq
"""
_SYSTEMS = "main errno signgam linux unix i386 near far"
_MATH_H = """
acos asin atan atan2 cos sin tan cosh sinh tanh exp frexp ldexp log log10 modf pow sqrt ceil fabs floor fmod
acosh asinh atanh cbrt copysign erf erfc exp2 expm1 fdim fma fmax fmin hypot ilogb lgamma llrint llround log1p
log2 logb lrint lround nan nearbyint nextafter remainder remquo rint round scalbln scalbn tgamma trunc gamma
isfinite isinf isnan isnormal signbit fpclassify j0 j1 jn y0 y1 yn
"""
KEYWORDS = frozenset(f"{_C} {_CPP} {_SYSTEMS}".split())
"""What a name may not be: keywords of C and C++, names that systems define."""
MATHEMATICS = frozenset(_MATH_H.split())
"""Names of <math.h>, each of which may have an f or an l behind it."""


def c_name(text: str, longest: int = LONGEST, stem: str = "robot") -> str:
    """A name in C made of any text; `stem` comes before what may not begin a name."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    name = re.sub(r"[^A-Za-z0-9]+", "_", plain).strip("_")
    if not name or name[0].isdigit():
        name = f"{stem}_{name}".rstrip("_")
    name = name[:longest].rstrip("_")
    if is_reserved(name):
        name = f"{name[: longest - 2]}_1"
    return name


def is_reserved(name: str) -> bool:
    """Whether C, C++ or <math.h> has the name for itself."""
    return name in KEYWORDS or name in MATHEMATICS or (name[-1:] in "fl" and name[:-1] in MATHEMATICS)


def c_comment(text: str) -> str:
    """A text that is safe within a comment: one line, ASCII, nothing that ends it or begins another."""
    plain = unicodedata.normalize("NFKD", " ".join(text.split())).encode("ascii", "ignore").decode()
    printable = "".join(c if c.isprintable() else " " for c in plain).replace("\\", "/")
    apart = re.sub(r"\*(?=/)|/(?=\*)|/(?=/)", lambda match: f"{match[0]} ", printable)
    return re.sub(r"\?(?=\?)", "? ", apart)


def c_string(text: str) -> str:
    """A text between quotes as C reads it; the same characters as in a comment."""
    return '"' + c_comment(text).replace('"', "'") + '"'


def c_number(value: float, *, single: bool = False) -> str:
    """A number that is the same double again, or the float nearest to it."""
    if math.isnan(value):
        return f"({c_number(math.inf, single=single)} - {c_number(math.inf, single=single)})"
    with np.errstate(over="ignore"):
        number = float(np.float32(value)) if single else value
    if math.isinf(number):
        return f"{'-' if number < 0 else ''}{'HUGE_VALF' if single else 'HUGE_VAL'}"
    digits = str(np.float32(value)) if single else repr(float(value))
    if not re.search(r"[.e]", digits):
        digits += ".0"
    return digits + ("f" if single else "")

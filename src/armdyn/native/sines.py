"""Sine and cosine in the kernel: within 2 ulp for arguments of every size.

Up to LARGE an angle x is reduced to r = x - k pi/2 with pi/2 in three parts, exactly but for two
roundings, and both polynomials of fdlibm are evaluated on r. The lanes whose angle is larger, or
all lanes of a processor without fused multiply-add, ask the C library; other lanes keep theirs.
"""

from __future__ import annotations

from collections.abc import Sequence

from armdyn.native.writer import Writer

HALF_PI = (1.5707963267948966, 6.123233995736766e-17, -1.4973849048591833e-33)
"""pi/2 as the sum of three doubles."""
TWO_OVER_PI = 0.6366197723675814
LARGE = 2.0**22
ROUNDER = 1.5 * 2.0**52
"""Added to a small number it leaves that number's nearest integer in the low bits."""
SINE = (
    -1.66666666666666324348e-01,
    8.33333333332248946124e-03,
    -1.98412698298579493134e-04,
    2.75573137070700676789e-06,
    -2.50507602534068634195e-08,
    1.58969099521155010221e-10,
)
"""sin r = r + r^3 (S0 + S1 r^2 + ..) for |r| <= pi/4, fdlibm's k_sin.c"""
COSINE = (
    4.16666666666666019037e-02,
    -1.38888888888741095749e-03,
    2.48015872894767294178e-05,
    -2.75573143513906633035e-07,
    2.08757232129817482790e-09,
    -1.13596475577881948265e-11,
)
"""cos r = 1 - r^2/2 + r^4 (C0 + C1 r^2 + ..), fdlibm's k_cos.c"""
TOGETHER = 3
"""Angles worked on in lock-step: one alone waits for its own results."""
INSTRUCTIONS = 21
"""Additions, products and fused multiply-adds for one angle: 5 to reduce it, 16 for both polynomials."""

Pair = tuple[str, str]
"""(sine, cosine)"""


def scratch(w: Writer) -> str:
    """Room for the angles of one vector and the C library's answers, to be made where a function begins."""
    return w.new(f"alloca [{3 * w.width} x double], align 64")


def sines_and_cosines(w: Writer, angles: Sequence[str], room: str, name: str) -> list[Pair]:
    """Both functions of each angle; `room` is scratch, `name` makes the labels of this group unique."""
    if not w.fused:
        return _from_library(w, angles, room)
    pairs: list[Pair] = []
    for start in range(0, len(angles), TOGETHER):
        pairs += _small(w, angles[start : start + TOGETHER])
    return _large_lanes_replaced(w, angles, pairs, room, name)


def _small(w: Writer, angles: Sequence[str]) -> list[Pair]:
    c = w.constant
    shifted = [w.fma(x, c(TWO_OVER_PI), c(ROUNDER)) for x in angles]
    turns = [w.binary("fsub", c(ROUNDER), s) for s in shifted]  # -k
    r = list(angles)
    for part in HALF_PI:
        r = [w.fma(k, c(part), x) for k, x in zip(turns, r, strict=True)]
    z = [w.binary("fmul", x, x) for x in r]
    p, u = _polynomial(w, SINE, z), _polynomial(w, COSINE, z)
    cubes = [w.binary("fmul", a, b) for a, b in zip(z, r, strict=True)]
    squares = [w.binary("fmul", a, a) for a in z]
    heads = [w.fma(a, c(-0.5), c(1.0)) for a in z]
    sines = [w.fma(*three) for three in zip(cubes, p, r, strict=True)]
    cosines = [w.fma(*three) for three in zip(squares, u, heads, strict=True)]
    bits = [w.as_integers(s) for s in shifted]
    return [_in_quadrant(w, *three) for three in zip(bits, sines, cosines, strict=True)]


def _polynomial(w: Writer, coefficients: Sequence[float], z: Sequence[str]) -> list[str]:
    """Horner's rule, in lock-step."""
    *rest, last = coefficients
    values = [w.constant(last)] * len(z)
    for coefficient in reversed(rest):
        values = [w.fma(a, x, w.constant(coefficient)) for a, x in zip(z, values, strict=True)]
    return values


def _in_quadrant(w: Writer, bits: str, sine: str, cosine: str) -> Pair:
    """Both functions of r + k pi/2: exchanged where k is odd, signs by the second bits of k and k + 1."""
    second = w.on_integers("shl", bits, w.integer(62))  # the second bit of k is now the sign
    first = w.on_integers("shl", bits, w.integer(63))
    odd = w.new(f"icmp slt {w.integers} {first}, {'0' if w.width == 1 else 'zeroinitializer'}")
    values = (w.choose(odd, cosine, sine), w.choose(odd, sine, cosine))
    signs = (second, w.on_integers("xor", first, second))
    signed: list[str] = []
    for value, bit in zip(values, signs, strict=True):
        sign = w.on_integers("and", bit, w.integer(-(1 << 63)))
        signed.append(w.as_doubles(w.on_integers("xor", w.as_integers(value), sign)))
    return signed[0], signed[1]


def _large_lanes_replaced(
    w: Writer, angles: Sequence[str], pairs: list[Pair], room: str, name: str
) -> list[Pair]:
    """The pairs, those of large angles taken from the C library on a path seldom gone."""
    large = [w.compare("ogt", w.function("fabs", x), w.constant(LARGE)) for x in angles]
    some = large[0]
    for flags in large[1:]:
        some = w.new(f"or {w.flags} {some}, {flags}")
    before, slow, after = w.block, f"large{name}", f"reduced{name}"
    w.do(f"br i1 {w.any(some)}, label %{slow}, label %{after}, !prof !0")
    w.start(slow)
    replaced = [
        (w.choose(flags, s, sine), w.choose(flags, c, cosine))
        for flags, (s, c), (sine, cosine) in zip(large, _from_library(w, angles, room), pairs, strict=True)
    ]
    w.do(f"br label %{after}")
    w.start(after)
    return [
        (_either(w, pair[0], before, other[0], slow), _either(w, pair[1], before, other[1], slow))
        for pair, other in zip(pairs, replaced, strict=True)
    ]


def _either(w: Writer, a: str, from_a: str, b: str, from_b: str) -> str:
    return w.new(f"phi {w.type} [ {a}, %{from_a} ], [ {b}, %{from_b} ]")


def _from_library(w: Writer, angles: Sequence[str], room: str) -> list[Pair]:
    """The C library's values, lane by lane in a loop of its own function."""
    pairs: list[Pair] = []
    for angle in angles:
        w.store(w.type, angle, room)
        w.do(f"call void @sines_of_library(ptr {room}, i64 {w.width})")
        sine, cosine = (w.load(w.type, w.address(room, k * w.width)) for k in (1, 2))
        pairs.append((sine, cosine))
    return pairs


LIBRARY = """
@library = global [2 x ptr] zeroinitializer
define internal void @sines_of_library(ptr %values, i64 %count) noinline nounwind cold {
entry:
  %sin = load ptr, ptr @library
  %second = getelementptr ptr, ptr @library, i64 1
  %cos = load ptr, ptr %second
  br label %lane
lane:
  %i = phi i64 [ 0, %entry ], [ %next, %lane ]
  %from = getelementptr double, ptr %values, i64 %i
  %x = load double, ptr %from
  %sine = call double %sin(double %x)
  %to_sine = getelementptr double, ptr %from, i64 %count
  store double %sine, ptr %to_sine
  %cosine = call double %cos(double %x)
  %to_cosine = getelementptr double, ptr %to_sine, i64 %count
  store double %cosine, ptr %to_cosine
  %next = add i64 %i, 1
  %last = icmp eq i64 %next, %count
  br i1 %last, label %done, label %lane
done:
  ret void
}
"""
"""The addresses of the C library's sin and cos are written into @library when the code is loaded."""

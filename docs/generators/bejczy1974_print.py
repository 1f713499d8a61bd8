"""[Bejczy1974]: the explicit formulas as printed, and what must be mended in them.

s2 is the sine of theta2, k411 the square of a radius of gyration, a space between two factors a product.
An erratum is a piece of the print and what must stand there.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Printed:
    """A formula of the report."""

    equation: str
    symbol: str
    text: str
    errata: tuple[tuple[str, str], ...] = ()
    """(as printed, right)"""

    @property
    def right(self) -> str:
        """The formula, mended; every erratum must be there."""
        text = self.text
        for wrong, right in self.errata:
            if wrong not in text:
                raise AssertionError(f"({self.equation}): {wrong!r} is not in the print")
            text = text.replace(wrong, right)
        return text


D11 = Printed(
    "58",
    "D11",
    """m1 k122
    + m2 [k211 s2^2 + k233 c2^2 + r2 (2 y2 + r2)]
    + m3 [k322 s2^2 + k333 c2^2 + r3 (2 z3 + r3) s2^2 + r2^2]
    + m4 {1/2 k411 [s2^2 (2 s4^2 - 1) + s4^2] + 1/2 k422 (1 + c2^2 + s4^2)
      + 1/2 k433 [s2^2 (1 - 2 s4^2) - s4^2]
      + r3^2 s2^2 + r2^2 - 2 y4 r3 s2^2 + 2 z4 (r2 s4^2 + r3 s2^2 c4^2)}
    + m5 {1/2 (-k511 + k522 + k533) [(s2 s5 - c2 s4 c5)^2 + c4^2 c5^2]
      + 1/2 (k511 - k522 + k533) (s4^2 + c2^2 c4^2)
      + 1/2 (k511 + k522 - k533) [(s2 c5 + c2 s4 s5)^2 + c4^2 s5^2] + r3^2 s2^2 + r2^2
      + 2 z5 [r3 (s2^2 c5 + s2 s4 c5) - r2 c4 s5]}
    + m6 {1/2 (-k611 + k622 + k633) [(s2 s5 c6 - c2 s4 c5 c6 - c2 c4 s6)^2 + (c4 c5 c6 - s4 s6)^2]
      + 1/2 (k611 - k622 + k633) [(c2 s4 c5 s6 - s2 s5 s6 - c2 c4 c6)^2 + (c4 c5 s6 + s4 c6)^2]
      + 1/2 (k611 + k622 - k633) [(c2 s4 s5 + s2 c5)^2 + c4^2 s5^2]
      + [r6 c2 s4 s5 + (r6 c5 + r3) s2^2]^2 + (r6 c4 s5 - r2)^2
      + 2 z6 [r6 (s2^2 c5^2 + c4^2 s5^2 + c2^2 s4^2 s5^2 + 2 s2 c2 s4 s5 c5)
        + r3 (s2 c2 s4 s5 + s2^2 c5) - r2 c4 s5]}""",
    (
        ("(2 s4^2 - 1) + s4^2]", "(2 s4^2 - 1) + s2^2]"),
        ("(1 + c2^2 + s4^2)", "(1 + c2^2 - s2^2)"),
        ("(1 - 2 s4^2) - s4^2]", "(1 - 2 s4^2) + s2^2]"),
        ("(r2 s4^2 + r3 s2^2 c4^2)", "(r2 s4 + r3 s2 c2 c4)"),
        ("(s2^2 c5 + s2 s4 c5)", "(s2^2 c5 + s2 c2 s4 s5)"),
        ("(r6 c5 + r3) s2^2]^2", "(r6 c5 + r3) s2]^2"),
    ),
)
D22 = Printed(
    "60",
    "D22",
    """m2 k222
    + m3 [k311 + r3 (2 z3 + r3)]
    + m4 [k411 c4^2 + k433 s4^2 + r3 (r3 - 2 y4)]
    + m5 [k511 c4^2 c5^2 + k522 s4^2 + k533 c4^2 s5^2 + r3 (r3 + 2 z5 c5)]
    + m6 {1/2 k611 [(s6^2 - c6^2) (s4^2 c5^2 + s5^2 - c4^2) + c5 (c5 - 4 s4 c4 s6 c6) + s4^2 s5^2]
      + 1/2 k622 [(c6^2 - s6^2) (s4^2 c5^2 + s5^2 - c4^2) + c5 (c5 + 4 s4 c4 s6 c6) + s4^2 s5^2]
      + k633 c4^2 s5^2 + [r3 (2 r6 c5 + r3) + r6^2 (s4^2 s5^2 + c5^2)]
      + 2 z6 [(r3 + r6 c5) c5 + r6 s4^2 s5^2]}""",
)
D33 = Printed("62", "D33", "m3 + m4 + m5 + m6")
D44 = Printed(
    "64",
    "D44",
    """m4 k422 + m5 (k511 s5^2 + k533 c5^2)
    + m6 [k611 s5^2 c6^2 + k622 s5^2 s6^2 + k633 c5^2 + r6 (2 z6 + r6) s5^2]""",
)
D55 = Printed(
    "66",
    "D55",
    "m5 k522 + m6 [k611 c5^2 + k622 s5^2 + r6 (2 z6 + r6)]",
    (("k611 c5^2 + k622 s5^2", "k611 s6^2 + k622 c6^2"),),
)
D66 = Printed("68", "D66", "m6 k633")
DIAGONAL = (D11, D22, D33, D44, D55, D66)

D2 = Printed(
    "48",
    "D2",
    """g {m2 z2 s2 + m3 (z3 + r3) s2 + m4 (r3 s2 - y4 s2 + z4 c2 c4)
    + m5 [z5 (s2 c5 + c2 s4 s5) + r3 s2] + m6 [(z6 + r6) (c2 s4 s5 + s2 c5) + r3 s2]}""",
)
D3 = Printed("50", "D3", "-g (m3 + m4 + m5 + m6) c2")
D4 = Printed("52", "D4", "g [-m4 z4 s4 + m5 z5 c4 s5 + m6 (z6 + r6) c4 s5] s2")
D5 = Printed("54", "D5", "g [m5 z5 + m6 (z6 + r6)] (s2 s4 c5 + c2 s5)")
GRAVITY = (Printed("46", "D1", "0 g"), D2, D3, D4, D5, Printed("56", "D6", "0 g"))

# The restricted model: m3, z3, k3.. are those of boom and wrist together
RESTRICTED = (
    Printed(
        "36",
        "D11*",
        """m1 k122 + m2 [k211 s2^2 + k233 c2^2 + r2 (2 y2 + r2)]
        + m3 [k322 s2^2 + k333 c2^2 + r3 s2^2 (2 z3 + r3) + r2^2]""",
    ),
    Printed("37", "D22*", "m2 k222 + m3 [k311 + r3 (2 z3 + r3)]"),
    Printed("38", "D33*", "m3"),
    Printed("42", "D12*", "-[m2 z2 r2 + m3 r2 (z3 + r3)] c2"),
    Printed("43", "D13*", "-m3 r2 s2"),
    Printed("44", "D23*", "0 m3"),
)
RESTRICTED_GRAVITY = (
    Printed("29", "D1*", "0 g"),
    Printed("31", "D2*", "g [m2 z2 + m3 (z3 + r3)] s2"),
    Printed("33", "D3*", "-m3 g c2"),
)

# Appendix C: what x6 and y6 of a load beside the hand's axis add
OFFSET_GRAVITY = (
    Printed(
        "C.1",
        "D2",
        "g m6 [x6 (c2 s4 c5 c6 - s2 s5 c6 + c2 c4 s6) + y6 (-c2 s4 c5 s6 + s2 s5 s6 + c2 c4 c6)]",
    ),
    Printed("C.2", "D4", "g m6 s2 [x6 (c4 c5 c6 - s4 s6) - y6 (c4 c5 s6 + s4 c6)]"),
    Printed("C.3", "D5", "g m6 [x6 c6 (-s2 s4 s5 + c2 c5) + y6 s6 (s2 s4 s5 - c2 c5)]"),
    Printed(
        "C.4",
        "D6",
        "-g m6 [x6 (s2 s4 c5 s6 + c2 s5 s6 - s2 c4 c6) + y6 (s2 s4 c5 c6 + c2 s5 c6 + s2 c4 s6)]",
    ),
)
OFFSET_INERTIA = (
    Printed("C.5", "D44", "2 m6 r6 s5 c5 (x6 c6 - y6 s6)"),
    Printed(
        "C.6",
        "D22",
        """2 m6 {x6 [r6 s4 s5 (c4 s6 + s4 c5 c6) - (r6 c5 + r3) s5 s6]
        + y6 [s5 s6 (r6 c5 + r3) - r6 s4 s5 (s4 c5 s6 - c4 c6)]}""",
        (("- (r6 c5 + r3) s5 s6]", "- (r6 c5 + r3) s5 c6]"),),
    ),
    Printed(
        "C.7",
        "D11",
        """2 m6 x6 {[r6 (c2 s4 s5 + s2 c5) - r3 s2] (c2 s4 c5 c6 - s2 s5 c6 + c2 c4 s6)
          + (r6 c4 s5 - r2) (c4 c5 c6 - s4 s6)}
        + 2 m6 y6 {[r6 (c2 s4 s5 + s2 c5) + r3 s2] (s2 s5 s6 + c2 c4 c6 - c2 s4 c5 s6)
          + (r2 - r6 c4 s5) (c4 c5 c6 + s4 c6)}""",
        (("- r3 s2]", "+ r3 s2]"), ("(c4 c5 c6 + s4 c6)", "(c4 c5 s6 + s4 c6)")),
    ),
)

"""[Kvrgic2020] Fig. 8: the slips of the printed program, for the page about the document."""

from __future__ import annotations

import re
from functools import cache

import numpy as np
from kvrgic2020_runs import work
from verdicts import Claim, proven, table

from armdyn.errors import ProgramError
from armdyn.program import example_program, parse_program

TARGET = re.compile(r"robtarg:(\w+)=robtarg\((?:position\(|\(\()([^)]*)\)")
"""A name, and the position of a target."""
CIRCLES = (
    ("s0", "s1", "s2"),
    ("s2", "s3", "s4"),
    ("s5", "s6", "s7"),
    ("s9", "s10", "s11"),
    ("s12", "s13", "s0"),
)

Points = dict[str, np.ndarray]


@cache
def text(name: str) -> str:
    """A program that comes with armdyn."""
    return example_program(name).read_text(encoding="utf-8")


@cache
def points(name: str) -> Points:
    """Positions of its targets [mm]."""
    return {m[1]: np.array([_sum(x) for x in m[2].split(",")]) for m in TARGET.finditer(text(name))}


def _sum(words: str) -> float:
    """Of words such as 890.2428 - 610."""
    return sum(float(x) for x in words.replace(" ", "").replace("-", "+-").split("+") if x)


def radius(found: Points, names: tuple[str, ...]) -> float:
    """Of the circle through three targets [mm]."""
    a, b, c = (found[name] for name in names)
    sides = [float(np.linalg.norm(x)) for x in (b - a, c - b, a - c)]
    return float(np.prod(sides) / (2 * np.linalg.norm(np.cross(b - a, c - a))))


def off_plane(found: Points, *without: str) -> dict[str, float]:
    """Distance of each target from the plane fitted to all but some [mm]."""
    kept = np.array([x for name, x in found.items() if name not in without])
    centre = kept.mean(axis=0)
    normal = np.linalg.svd(kept - centre)[2][2]
    return {name: abs(float((x - centre) @ normal)) for name, x in found.items()}


def complaint(source: str) -> str:
    """What armdyn says about a program."""
    try:
        parse_program(source)
    except ProgramError as error:
        return f"line {error.line}: {error.message}"
    raise AssertionError("a program with a slip is accepted")


# Claims ---------------------------------------------------------------------------------------


def claims() -> str:
    """Every slip of the listing."""
    return table([*_claims_syntax(), *_claims_numbers(), *_claims_geometry()])


def _claims_syntax() -> list[Claim]:
    printed = text("lola15_as_printed")
    closed = printed.replace("{move circle s1", "move circle s1")
    brace, end = complaint(printed), complaint(closed)
    return [
        Claim(
            "line 26",
            "`{move circle s1, s2 ..`, never closed",
            f"*{brace}*",
            proven("an unmatched brace: the move belongs to the program", brace.startswith("line 26")),
        ),
        Claim(
            "end",
            "stops after line 36",
            f"without the brace: *{end}*",
            proven("`endseq` and `endprogram` are missing", "endseq" in end, "endprogram" not in printed),
        ),
        Claim(
            "moves",
            "13 in the text",
            f"{printed.count('move ')} in the listing",
            proven("one PTP move at the end is not printed", printed.count("move ") == 12),
        ),
    ]


def _claims_numbers() -> list[Claim]:
    notes = [note for note in work().notes if "joint values" in note]
    return [
        Claim(
            f"line {line}",
            f"{count} joint values",
            f"*{note}*",
            proven("accepted: missing joints keep their values, and a note says so", f"{count} of 6" in note),
        )
        for line, count, note in zip(("18, `p0`", 36), (5, 3), notes, strict=True)
    ]


def _claims_geometry() -> list[Claim]:
    printed, mended = points("lola15_as_printed"), points("lola15")
    plane = off_plane(printed, "s6", "s9")
    others = max(x for name, x in plane.items() if name not in ("s6", "s9"))
    flat = off_plane(mended)
    radii = [f"{radius(mended, names):.2f}" for names in CIRCLES]
    return [
        Claim(
            "line 10, `s6`",
            "z = 873.1763",
            f"{plane['s6']:.2f} mm off the plane of all others (these: within 0.001 mm); the circle "
            f"s5, s6, s7 has a radius of {radius(printed, CIRCLES[2]):.2f} mm, with 873.6763 of "
            f"{radius(mended, CIRCLES[2]):.2f} mm",
            proven(
                "a digit: 873.6763",
                others < 1e-3,
                abs(radius(mended, CIRCLES[2]) - 200) < 5e-3,
                flat["s6"] < 1e-3,
                mended["s6"][2] == 873.6763,
            ),
        ),
        Claim(
            "line 13, `s9`",
            "z = 890.2428 - 610",
            f"{plane['s9']:.0f} mm off that plane, and a circle s9, s10, s11 of "
            f"{radius(printed, CIRCLES[3]):.2f} mm; with 890.2428 less than 0.001 mm and "
            f"{radius(mended, CIRCLES[3]):.2f} mm",
            proven(
                "a trial left in the listing: 890.2428",
                525.5 < plane["s9"] < 526.5,
                flat["s9"] < 1e-3,
                abs(radius(mended, CIRCLES[3]) - 200) < 5e-3,
            ),
        ),
        Claim(
            "circles, mended",
            "no radius printed",
            f"radii {', '.join(radii)} mm, all in one plane",
            proven(
                "round numbers but for the first: the mends are right",
                radii[1:] == ["150.00", "200.00", "200.00", "150.00"],
            ),
        ),
    ]

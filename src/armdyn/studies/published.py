"""Operation counts that the documents print, from `published_counts.toml`."""

from __future__ import annotations

import re
import tomllib
from dataclasses import asdict, dataclass
from fractions import Fraction
from functools import cache
from importlib import resources
from typing import Any

TERM = re.compile(r"([+-]?)(?:(\d+(?:/\d+)?)?(n)(?:\^(\d+))?|(\d+(?:/\d+)?))")
"""128/3n^4, n, -4: a sign, and a multiple of a power of n or a number alone."""
ITEM = re.compile(r"(\S+) (\d+)M(\d+)A")


@dataclass(frozen=True)
class PublishedItem:
    """One of the counts that a row is made of."""

    name: str
    multiplications: int
    additions: int


@dataclass(frozen=True)
class PublishedCount:
    """A count as printed: multiplications with divisions, additions with subtractions."""

    source: str
    """Key of the document."""
    table: str
    row: str
    quantity: str
    n: int
    multiplications: int
    additions: int
    formulation: str | None = None
    """armdyn's name for it, if it has it."""
    robot: str | None = None
    """Of the catalog, if the count is for that one."""
    polynomial: dict[str, str] | None = None
    """The counts as polynomials in n, where they are printed so."""
    part: bool = False
    """Whether it is only a part of the table's total."""
    items: tuple[PublishedItem, ...] = ()
    note: str = ""

    def document(self) -> dict[str, Any]:
        """As plain data."""
        return asdict(self)


def published(n: int) -> list[PublishedCount]:
    """All printed counts; those that are polynomials in the number of joints for n joints."""
    return [_count({**table, **row}, n) for table in _tables() for row in table["rows"]]


def published_beside(formulation: str, quantity: str, n: int) -> PublishedCount | None:
    """The printed count of a formulation for n joints, the first one where there are several."""
    wanted = (formulation, quantity, n, False)
    return next((c for c in published(n) if (c.formulation, c.quantity, c.n, c.part) == wanted), None)


@cache
def _tables() -> list[dict[str, Any]]:
    text = resources.files("armdyn.studies").joinpath("published_counts.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)["tables"]


def _count(entry: dict[str, Any], n: int) -> PublishedCount:
    fields: dict[str, Any] = {"n": n, **{key: value for key, value in entry.items() if key != "rows"}}
    counts = {key: entry[key] for key in ("multiplications", "additions")}
    if isinstance(entry["multiplications"], str):
        fields["polynomial"] = counts
        fields |= {key: polynomial_at(text, n) for key, text in counts.items()}
    items = ITEM.findall(entry.get("items", ""))
    fields["items"] = tuple(PublishedItem(name, int(m), int(a)) for name, m, a in items)
    return PublishedCount(**fields)


def polynomial_at(text: str, n: int) -> int:
    """The value of a polynomial written as `128/3 n^4 + 512/3 n^3 - 4`."""
    total = Fraction(0)
    for sign, factor, variable, power, constant in TERM.findall(text.replace(" ", "")):
        value = Fraction(factor or constant or 1) * (n ** int(power or 1) if variable else 1)
        total += -value if sign == "-" else value
    if total.denominator != 1:
        raise ValueError(f"{text} is {total} for n = {n}, expected a whole number")
    return int(total)

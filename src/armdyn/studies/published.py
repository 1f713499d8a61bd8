"""Operation counts that the documents print, from `published_counts.toml`."""

from __future__ import annotations

import re
import tomllib
from dataclasses import asdict, dataclass
from fractions import Fraction
from functools import cache
from importlib import resources
from typing import Any

NUMBER = r"\d+(?:/\d+)?"
TERM = re.compile(rf"(?P<sign>[+-])(?:(?P<factor>{NUMBER})?n(?:\^(?P<power>\d+))?|(?P<constant>{NUMBER}))")
"""+128/3n^4, +n, -4: a sign, and a multiple of a power of n or a number alone."""
ITEM = re.compile(r"(\S+) (\d+)M(\d+)A")
"""b_21 3M2A"""


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
    fields["items"] = tuple(_item(text) for text in entry["items"].split(",")) if "items" in entry else ()
    return PublishedCount(**fields)


def _item(text: str) -> PublishedItem:
    found = ITEM.fullmatch(text.strip())
    if found is None:
        raise ValueError(f'item "{text.strip()}", expected one as "b_21 3M2A"')
    return PublishedItem(found[1], int(found[2]), int(found[3]))


def polynomial_at(text: str, n: int) -> int:
    """The value of a polynomial written as `128/3 n^4 + 512/3 n^3 - 4`."""
    total = sum((_term_at(term, n) for term in _terms(text)), Fraction(0))
    if total.denominator != 1:
        raise ValueError(f"{text} is {total} for n = {n}, expected a whole number")
    return int(total)


def _terms(text: str) -> list[re.Match[str]]:
    """The terms of a polynomial, nothing between them left over."""
    packed = text.replace(" ", "")
    packed = packed if packed.startswith(("+", "-")) else f"+{packed}"
    found = list(TERM.finditer(packed))
    if "".join(term[0] for term in found) != packed:
        raise ValueError(f'polynomial "{text}", expected terms as 128/3 n^4, n or 4 with + or - between them')
    return found


def _term_at(term: re.Match[str], n: int) -> Fraction:
    if term["constant"]:
        value = Fraction(term["constant"])
    else:
        value = Fraction(term["factor"] or 1) * n ** int(term["power"] or 1)
    return -value if term["sign"] == "-" else value

"""A page about one document: what it prints, what armdyn computes, and the verdict."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Claim:
    """One printed result or claim beside armdyn's value."""

    where: str
    printed: str
    ours: str
    verdict: str


def table(claims: Iterable[Claim]) -> str:
    """The claims as a Markdown table."""
    rows = ["| where | printed | armdyn | verdict |", "|---|---|---|---|"]
    rows += [f"| {c.where} | {c.printed} | {c.ours} | {c.verdict} |" for c in claims]
    return "\n".join(rows) + "\n"

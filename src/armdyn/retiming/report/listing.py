"""The program with its new speeds, line by line, with a remark where a move was changed."""

from __future__ import annotations

from collections.abc import Sequence

from armdyn.report.markup import Markup, element, text
from armdyn.report.wording import amount
from armdyn.retiming.per_move.result import MoveFactors


def changed_listing(source: str, moves: Sequence[MoveFactors]) -> Markup:
    """All lines; each is an anchor L1, L2, .."""
    remarks: dict[int, list[str]] = {}
    for move in moves:
        if remark := _remark(move):
            remarks.setdefault(move.line, []).append(remark)
    lines = [
        _line(number, line, "; ".join(remarks.get(number, [])))
        for number, line in enumerate(source.splitlines(), 1)
    ]
    return element("div", *lines, class_="listing", role="list", aria_label="Program listing")


def _line(number: int, line: str, remark: str) -> Markup:
    return element(
        "div",
        element("a", str(number), href=f"#L{number}", class_="at"),
        element("span", "≠" if remark else "", class_="sign", aria_label="changed" if remark else None),
        element("code", text(line) or "\u200b"),
        element("span", remark, class_="remark") if remark else "",
        class_="changed" if remark else None,
        id=f"L{number}",
        role="listitem",
    )


def _remark(move: MoveFactors) -> str:
    """What a move was before, nothing if it is as it was."""
    pairs = (
        ("speed", move.speed_before, move.speed_after),
        ("acceleration", move.acceleration_before, move.acceleration_after),
    )
    said = [f"{name} was {amount(a)}, is {amount(b)}" for name, a, b in pairs if a != b]
    return ", ".join(said)

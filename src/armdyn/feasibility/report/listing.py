"""The program, line by line, with a remark where something is asked for that cannot be done."""

from __future__ import annotations

from armdyn.feasibility.findings import Findings
from armdyn.report.markup import Markup, element, text


def listing(findings: Findings, source: str) -> Markup:
    """All lines; each is an anchor L1, L2, .."""
    moving = {move.line for move in findings.verification.plan.moves}
    remarks = _remarks(findings)
    lines = [
        _line(number, line, remarks.get(number), number in moving)
        for number, line in enumerate(source.splitlines(), 1)
    ]
    return element("div", *lines, class_="listing", role="list", aria_label="Program listing")


def _line(number: int, line: str, remark: Markup | None, moves: bool) -> Markup:
    sign = "✗" if remark else "✓" if moves else ""
    return element(
        "div",
        element("a", str(number), href=f"#L{number}", class_="at"),
        element("span", sign, class_="sign", aria_label="infeasible" if remark else None),
        element("code", text(line) or "\u200b"),
        remark or "",
        class_="bad" if remark else "good" if moves else None,
        id=f"L{number}",
        role="listitem",
    )


def _remarks(findings: Findings) -> dict[int, Markup]:
    """What is wrong in each line; a line in a loop may hold several moves."""
    by_line: dict[int, list[int]] = {}
    for number, found in findings.by_move.items():
        by_line.setdefault(found[0].line, []).append(number)
    return {line: _remark(findings, numbers) for line, numbers in by_line.items() if line}


def _remark(findings: Findings, numbers: list[int]) -> Markup:
    found = [violation for number in numbers for violation in findings.by_move[number]]
    worst = findings.worst(found)
    more = f" and {len(found) - 1} more" if len(found) > 1 else ""
    times = f" in {len(numbers)} passes" if len(numbers) > 1 else ""
    slowest = min((findings.verification.moves[number - 1] for number in numbers), key=lambda m: m.override)
    hint = f"; feasible speed: {findings.speed_hint(slowest)}"
    link = element("a", f"{findings.said(worst)}{more}{times}", href=f"#move-{worst.move}")
    return element("span", link, hint, class_="remark")

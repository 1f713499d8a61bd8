"""The gear coupling as a picture: joints run down, motors across, their ratios stand where they meet."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from armdyn.mechanics.drives import gear_matrix
from armdyn.robot import Drive, Robot

WIDTH = 80
"""Columns of the picture, at most."""
LONGEST = 12
"""Letters of a name; longer ones are cut."""
TITLE = "gears [rad of a motor per rad or m of a joint]"


@dataclass(frozen=True)
class Glyphs:
    """What a picture is drawn with."""

    along: str
    """A motor's shaft"""
    screw: str
    """A motor's shaft that turns a screw"""
    down: str
    """A joint"""
    crossing: str
    """A joint and a motor that have nothing to do with each other"""
    served: str
    """The joint that a motor mainly serves"""
    coupled: str
    """Another joint that the motor turns with"""
    idle: str
    """A joint without a motor"""
    more: str
    """A cut name, or a shaft that goes on"""

    def drawable_in(self, encoding: str) -> bool:
        """Whether an output of this encoding can show them."""
        try:
            "".join(vars(self).values()).encode(encoding)
        except (UnicodeEncodeError, LookupError):
            return False
        return True


BOXES = Glyphs("─", "~", "│", "┼", "●", "○", "x", "…")
ASCII = Glyphs("-", "~", "|", "+", "@", "o", "x", ".")


def gear_drawing(robot: Robot, width: int = WIDTH, glyphs: Glyphs = BOXES) -> list[str]:
    """The lines of the picture; none for a robot without drives."""
    if not robot.drives:
        return []
    names = [_cut(name, glyphs) for name in robot.joint_names]
    rows = [
        _Row.of(drive, robot, ratios, glyphs)
        for drive, ratios in zip(robot.drives, gear_matrix(robot, robot.home), strict=True)
    ]
    lines = [TITLE]
    for panel in _panels(names, rows, width):
        lines += ["", *_drawn(panel, names, rows, glyphs)]
    return [*lines, *_legend(names, rows, width, glyphs)]


# What is drawn --------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Row:
    """A motor, and the joints that it turns with."""

    name: str
    ratios: Mapping[int, str]
    """Position of a joint in q -> the ratio, at home."""
    served: int | None
    screw: bool
    remark: str

    @classmethod
    def of(cls, drive: Drive, robot: Robot, ratios: Sequence[float], glyphs: Glyphs) -> _Row:
        turned = [robot.positions[name] for name, _ in drive.coupling.weights]
        screw = drive.coupling.law is not None
        carrier = None if drive.rotor is None else drive.rotor.carrier
        remarks = (
            "" if carrier is None else f"on {_cut(carrier, glyphs)}",
            "screw" if screw and turned else "",
            "" if turned else "stands still",
        )
        return cls(
            _cut(drive.name, glyphs),
            {j: f"{ratios[j]:.4g}" for j in sorted(turned)},
            robot.positions.get(drive.joint),
            screw,
            ", ".join(remark for remark in remarks if remark),
        )


def _cut(name: str, glyphs: Glyphs) -> str:
    return name if len(name) <= LONGEST else name[: LONGEST - 1] + glyphs.more


@dataclass(frozen=True)
class _Panel:
    """A range of joints that fits beside the motors' names, and the column that each runs down."""

    columns: Mapping[int, int]
    right: int
    """Where remarks begin."""
    first: bool


def _panels(names: Sequence[str], rows: Sequence[_Row], width: int) -> Iterator[_Panel]:
    """As many joints side by side as fit; the rest below."""
    left = max(len(row.name) for row in rows) + 4
    room = width - 2 - max(len(row.remark) for row in rows)
    columns: dict[int, int] = {}
    first, right = True, left
    for j, name in enumerate(names):
        ratio = max((len(row.ratios[j]) for row in rows if j in row.ratios), default=0)
        size = max(len(name) + 2, ratio + 4)
        if columns and right + size > room:
            yield _Panel(columns, right, first)
            columns, first, right = {}, False, left
        columns[j] = right
        right += size
    yield _Panel(columns, right, first)


# Drawing --------------------------------------------------------------------------------------


def _drawn(panel: _Panel, names: Sequence[str], rows: Sequence[_Row], glyphs: Glyphs) -> list[str]:
    """Header, and one line for each motor that turns with a joint of the panel."""
    still = [] if not panel.first else [row for row in rows if not row.ratios]
    shown = [row for row in rows if row.ratios.keys() & panel.columns.keys() or row in still]
    last = {j: max((k for k, row in enumerate(shown) if j in row.ratios), default=-1) for j in panel.columns}
    header, below = (_blank(panel) for _ in range(2))
    for j, column in panel.columns.items():
        _put(header, column, names[j])
        _put(below, column, glyphs.idle if last[j] < 0 else glyphs.down)
    lines = ["".join(header), "".join(below)]
    for k, row in enumerate(shown):
        passing = [column for j, column in panel.columns.items() if last[j] > k]
        lines.append(_shaft(row, panel, passing, glyphs) + (f"  {row.remark}" if row.remark else ""))
    return [line.rstrip() for line in lines]


def _shaft(row: _Row, panel: _Panel, passing: Sequence[int], glyphs: Glyphs) -> str:
    """A motor's line: its shaft from the name to the last joint, and the joints that run past."""
    line = _blank(panel)
    nodes = [j for j in panel.columns if j in row.ratios]
    goes_on = any(j > max(panel.columns) for j in row.ratios)
    end = panel.right if goes_on else max((panel.columns[j] for j in nodes), default=0)
    for column in range(len(row.name) + 1, end):
        line[column] = glyphs.screw if row.screw else glyphs.along
    for column in passing:
        line[column] = glyphs.crossing if column < end else glyphs.down
    for j in nodes:
        node = glyphs.served if j == row.served else glyphs.coupled
        _put(line, panel.columns[j], f"{node} {row.ratios[j]} ")
    if goes_on:
        line[-1] = glyphs.more
    _put(line, 0, row.name)
    return "".join(line)


def _blank(panel: _Panel) -> list[str]:
    return [" "] * panel.right


def _put(line: list[str], column: int, text: str) -> None:
    """Write text into a line that is being drawn."""
    line[column : column + len(text)] = text


def _legend(names: Sequence[str], rows: Sequence[_Row], width: int, glyphs: Glyphs) -> list[str]:
    """What the reader of this very picture must know."""
    turned = {j for row in rows for j in row.ratios}
    coupled = any(j != row.served for row in rows for j in row.ratios)
    signs = (
        (coupled, f"{glyphs.served} the joint that a motor serves"),
        (coupled, f"{glyphs.coupled} another that it turns with"),
        (any(row.screw and row.ratios for row in rows), f"{glyphs.screw} screw: ratio at home"),
        (len(turned) < len(names), f"{glyphs.idle} no motor"),
    )
    lines = [""]
    for sign in (sign for needed, sign in signs if needed):
        longer = f"{lines[-1]}   {sign}"
        if lines[-1] and len(longer) <= width:
            lines[-1] = longer
        else:
            lines.append(sign)
    return lines if lines[1:] else []

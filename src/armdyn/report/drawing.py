"""Figures as all of armdyn draws them: colours, frames, legends, and files that hold no date."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from importlib import import_module
from io import BytesIO
from pathlib import Path
from typing import Any

from armdyn.errors import InputError
from armdyn.formats.whole_file import whole_file

SUFFIXES = (".svg", ".png", ".pdf")
# Colours of Okabe and Ito, which everyone can tell apart; beyond seven the dashes do it.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
DASHES = ("-", "--", ":", "-.")
LETTER, HANDLE = 0.062, 0.72
"""[inch] How wide a letter of a legend is, and what stands beside a name."""
PLAIN: dict[str, Any] = {"text.parse_math": False}
"""Names from files are no formulas."""
FOR_A_PAGE: dict[str, Any] = {**PLAIN, "svg.fonttype": "none"}
"""Letters of an SVG in a page are letters: they can be searched for and copied."""
UNDATED: dict[str, dict[str, Any]] = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}


def check_suffix(path: str | os.PathLike[str]) -> Path:
    """The file, refused if no figure can be written in its format; capital suffixes are suffixes."""
    file = Path(path)
    if file.suffix.lower() not in SUFFIXES:
        raise InputError(f'figure "{file}" ends in "{file.suffix}", expected {", ".join(SUFFIXES)}')
    return file


def check_figure(path: str | os.PathLike[str]) -> None:
    """Refuse a file that no figure can be written to, before anything is computed for it."""
    file = check_suffix(path)
    if not file.parent.is_dir():
        raise InputError(f'figure "{file}": there is no folder "{file.parent}"; make it first')


def drawing(salt: str, more: Mapping[str, Any] | None = None) -> Any:
    """Settings to draw under, as a context; the salt makes an SVG's names its own, the same each time."""
    mpl: Any = import_module("matplotlib")  # slow to import: only where something is drawn
    usual = {"svg.hashsalt": salt, "font.size": 9, "axes.titlesize": 10, "axes.labelsize": 9}
    return mpl.rc_context({**usual, **(more or {})})


def new_figure(size: tuple[float, float]) -> Any:
    """An empty figure of a size [inch]."""
    figures: Any = import_module("matplotlib.figure")
    return figures.Figure(figsize=size, layout="constrained", dpi=150)


def style(k: int) -> dict[str, Any]:
    """Colour and dashes of the line number k, from 0."""
    return {"color": COLOURS[k % len(COLOURS)], "linestyle": DASHES[k // len(COLOURS) % len(DASHES)]}


def frame(panel: Any) -> None:
    """What panels have: two spines, and a pale grid behind all."""
    panel.spines[["top", "right"]].set_visible(False)
    panel.grid(color="0.92", linewidth=0.6)
    panel.set_axisbelow(True)


def legend(figure: Any, panels: Sequence[Any]) -> None:
    """The names of the lines, each once, below all panels."""
    drawn: dict[str, Any] = {}
    for panel in panels:
        drawn |= {label: handle for handle, label in zip(*panel.get_legend_handles_labels(), strict=True)}
    widest = LETTER * max(len(label) for label in drawn) + HANDLE
    columns = max(min(len(drawn), int(figure.get_figwidth() / widest)), 1)
    place: dict[str, Any] = {"loc": "outside lower center", "ncols": columns, "frameon": False, "fontsize": 8}
    figure.legend(list(drawn.values()), list(drawn), **place)


def drawn_bytes(figure: Any, suffix: str, said: Mapping[str, str] | None = None) -> bytes:
    """The figure in a format, with nothing of the hour in it; `said` is metadata of its own."""
    image = BytesIO()
    figure.savefig(
        image, format=suffix.lower()[1:], metadata={**UNDATED.get(suffix.lower(), {}), **(said or {})}
    )
    return image.getvalue()


def svg_element(figure: Any, key: str) -> str:
    """The figure as an SVG element as wide as its place in a page; `key` makes its names its own there."""
    written = drawn_bytes(figure, ".svg").decode("utf-8")
    svg = written[written.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    svg = re.sub(r'(<svg[^>]*?) width="[^"]*"', r"\1", svg, count=1)
    svg = re.sub(r'(<svg[^>]*?) height="[^"]*"', r'\1 role="img"', svg, count=1)
    return re.sub(r'(\bid="|href="#|url\(#)', rf"\g<1>{key}-", svg)


def save(figure: Any, path: Path, said: Mapping[str, str] | None = None) -> None:
    """Write a figure, all of the file or nothing."""
    image = drawn_bytes(figure, path.suffix, said)
    with whole_file(path) as sink:
        sink.write(image)

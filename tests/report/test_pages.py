"""Pages and figures that all reports share: refused where they cannot be, and the same every time."""

import re
from pathlib import Path

import pytest

from armdyn.errors import InputError
from armdyn.report.drawing import (
    COLOURS,
    DASHES,
    check_figure,
    check_suffix,
    drawing,
    drawn_bytes,
    new_figure,
    save,
    style,
)
from armdyn.report.pages import check_report, policy, write_page
from armdyn.report.pages import style as page_style


def test_pages_fetch_nothing() -> None:
    assert policy() == "default-src 'none'; style-src 'unsafe-inline'"
    assert re.fullmatch(r".*; script-src 'sha256-[A-Za-z0-9+/=]{44}'", policy("run()"))
    assert not re.findall(r"url\((?!#)|@import|http", page_style())


def test_pages_are_written_whole(tmp_path: Path) -> None:
    write_page("<p>ünï\udc80</p>", tmp_path / "a.HTML")
    assert (tmp_path / "a.HTML").read_bytes() == "<p>ünï?</p>".encode()
    with pytest.raises(InputError, match=r"expected \.html"):
        check_report(tmp_path / "a.txt")
    with pytest.raises(InputError, match="there is no folder"):
        check_report(tmp_path / "none" / "a.html")


def test_figures_are_refused_before_they_are_drawn(tmp_path: Path) -> None:
    check_figure(tmp_path / "a.PNG")
    assert check_suffix("anywhere/a.pdf") == Path("anywhere/a.pdf")
    with pytest.raises(InputError, match=r"expected \.svg, \.png, \.pdf"):
        check_figure(tmp_path / "a.gif")
    with pytest.raises(InputError, match="there is no folder"):
        check_figure(tmp_path / "none" / "a.svg")


@pytest.mark.parametrize("suffix", [".svg", ".png", ".pdf"])
def test_figures_hold_no_date(tmp_path: Path, suffix: str) -> None:
    images: list[bytes] = []
    for name in ("a", "b"):
        with drawing("test"):
            figure = new_figure((2.0, 2.0))
            figure.subplots().plot([0, 1], [0, 1], **style(0))
            save(figure, tmp_path / f"{name}{suffix}")
            images.append(drawn_bytes(figure, suffix))
    assert (tmp_path / f"a{suffix}").read_bytes() == (tmp_path / f"b{suffix}").read_bytes()
    assert all(images)


def test_lines_can_be_told_apart() -> None:
    styles = {(style(k)["color"], style(k)["linestyle"]) for k in range(len(COLOURS) * len(DASHES))}
    assert len(styles) == len(COLOURS) * len(DASHES)

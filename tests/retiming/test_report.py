"""The report of a retimed motion: what it says, that it stands alone, and that nothing enters it."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from armdyn.errors import InputError
from armdyn.formats import load
from armdyn.retiming.path import path_through
from armdyn.retiming.report import check_report, report, write_report
from armdyn.retiming.retime import MODES, Mode, Retimed, retime

EVIL = "</script><script>alert(1)</script><img src=x onerror=alert(2)>&\"' $x_1$"
QUICK = """program Quick;
{ too quick along the line }
var
robtarg:s0=robtarg(((786.9329, 402.9624, 632.855), (15, -60, -175.03779)), 4);
robtarg:s12=robtarg(((970.0649, 571.0567, 755.4388), (17, -60, -175.03779)), 8);
endvar
seq
move ptp s0 speed_ptp=0.6 acc_ptp=1.0 act_rob="lola_15";
move lin s12 speed=1500 acc=9000 c_ori=o_var act_rob="lola_15";
endseq
endprogram
"""
SECTIONS: dict[Mode, list[str]] = {
    "uniform": ["held", "figures", "check", "notes"],
    "per-move": ["held", "figures", "moves", "program", "check", "notes"],
    "optimal": ["held", "figures", "stops", "check", "notes"],
}
DRAWN: dict[Mode, int] = {"uniform": 3, "per-move": 3, "optimal": 2}


class Outline(HTMLParser):
    """Tags, names, links and texts of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.sections: list[str] = []
        self.texts: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        given = dict(attrs)
        self.ids += [name] if (name := given.get("id")) else []
        self.sections += [given.get("id") or ""] if tag == "section" else []
        self.links += [value for name in ("href", "src", "xlink:href") if (value := given.get(name))]

    def handle_data(self, data: str) -> None:
        self.texts.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.texts).split())


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("programs") / "quick.lirl"
    file.write_text(QUICK)
    return file


@pytest.fixture(scope="module")
def motions(program: Path) -> dict[Mode, Retimed]:
    """The same program retimed in every way."""
    coarse: dict[Mode, dict[str, Any]] = {"optimal": {"grid": 150}}
    return {mode: retime(program, mode=mode, **coarse.get(mode, {})) for mode in MODES}


@pytest.fixture(scope="module")
def pages(motions: dict[Mode, Retimed]) -> dict[Mode, str]:
    return {mode: report(motions[mode], title=EVIL) for mode in MODES}


@pytest.mark.parametrize("mode", MODES)
def test_the_page_has_its_sections_and_figures(pages: dict[Mode, str], mode: Mode) -> None:
    outline = Outline(pages[mode])
    assert outline.sections == ["verdict", *SECTIONS[mode]]
    assert outline.tags.count("svg") == outline.tags.count("figure") == DRAWN[mode]
    assert f"Computed with armdyn {metadata.version('armdyn')}." in outline.text


@pytest.mark.parametrize("mode", MODES)
def test_the_verdict_says_both_durations(
    pages: dict[Mode, str], motions: dict[Mode, Retimed], mode: Mode
) -> None:
    text, retimed = Outline(pages[mode]).text, motions[mode]
    assert retimed.before is not None
    before, after = (f"{x:.3f}".rstrip("0").rstrip(".") for x in (retimed.before, retimed.duration))
    assert f"{before} s becomes {after} s: " in text
    assert "Feasible when checked sample by sample" in text


def test_each_mode_says_how(pages: dict[Mode, str], motions: dict[Mode, Retimed]) -> None:
    uniform, single, fastest = (Outline(pages[mode]).text for mode in MODES)
    assert re.search(
        r"all of it runs at 0\.\d+ times its speed, the most that joint \d acceleration", uniform
    )
    assert "1 of 2 moves is slower" in single
    assert re.search(r"the fastest motion found along the path, held back by joint \d acceleration", fastest)
    assert f"Lower bound {motions['optimal'].lower_bound:.3f} s" in fastest


def test_limits_and_stops_are_listed(pages: dict[Mode, str], motions: dict[Mode, Retimed]) -> None:
    text = Outline(pages["optimal"]).text
    for limit in motions["optimal"].active_limits:
        assert f"joint {limit.joint} {limit.quantity.split('_')[1]}" in text.replace("motor", "joint")
    assert "the move ends" in text


def test_changed_lines_are_marked_in_the_program(pages: dict[Mode, str]) -> None:
    page = pages["per-move"]
    assert page.count('class="changed"') == 1
    assert re.search(r"acceleration was 9000, is \d+", Outline(page).text)
    assert "move lin s12 speed=" in Outline(page).text


@pytest.mark.parametrize("mode", MODES)
def test_the_page_stands_alone(pages: dict[Mode, str], mode: Mode) -> None:
    outline = Outline(pages[mode])
    assert all(link.startswith("#") for link in outline.links)
    assert {link[1:] for link in outline.links} <= set(outline.ids)
    assert len(set(outline.ids)) == len(outline.ids)
    assert not {"script", "img", "link", "iframe", "image"} & set(outline.tags)
    assert "default-src 'none'" in pages[mode]
    assert "url(http" not in pages[mode]


@pytest.mark.parametrize("mode", MODES)
def test_nothing_from_outside_becomes_markup(pages: dict[Mode, str], mode: Mode) -> None:
    assert "alert(1)</script>" not in pages[mode]
    assert EVIL in Outline(pages[mode]).text


def test_names_in_a_program_do_not_become_markup(motions: dict[Mode, Retimed]) -> None:
    retimed = motions["per-move"]
    found = replace(retimed.found, text=f"{{ {EVIL} }}\n")
    page = report(replace(retimed, found=found))
    assert "<img" not in page


@pytest.mark.parametrize("mode", MODES)
def test_the_motion_as_given_stands_beside(motions: dict[Mode, Retimed], mode: Mode) -> None:
    text = Outline(report(motions[mode])).text
    assert "as given" in text
    assert "As given: " in text


def test_a_path_without_times_has_no_duration_before() -> None:
    robot = load("panda")
    home = np.array(robot.home)
    text = Outline(report(retime(path_through(robot, np.stack([home, home + 0.2])), grid=50))).text
    assert "The path takes " in text
    assert "Duration before" not in text
    assert "Retimed motion of panda" in text


def test_what_is_feasible_stays_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / "slow.lirl"
    file.write_text(QUICK.replace("acc=9000", "acc=500").replace("speed=1500", "speed=100"))
    text = Outline(report(retime(file, mode="per-move"))).text
    assert " s as before: nothing needs to be slower." in text


@pytest.mark.parametrize("body", ["", "wait 0.5;\n", "move ptp joint(mainjoint(0, 0, 0, 0, 0, 0));\n"])
def test_what_does_not_move_has_no_path_to_be_drawn(tmp_path: Path, body: str) -> None:
    file = tmp_path / "still.lirl"
    file.write_text(f"program Still;\nseq\n{body}endseq\nendprogram\n")
    page = report(retime(file, load("lola15"), mode="per-move"))
    assert "nothing needs to be slower" in Outline(page).text
    assert "Speed along the path" not in page


def test_the_file_is_the_page(motions: dict[Mode, Retimed], tmp_path: Path) -> None:
    file = tmp_path / "report.html"
    write_report(motions["uniform"], file, title="A title")
    assert file.read_text(encoding="utf-8") == report(motions["uniform"], title="A title")
    assert "<title>A title</title>" in file.read_text(encoding="utf-8")


def test_bad_files_are_refused(motions: dict[Mode, Retimed], tmp_path: Path) -> None:
    for write in (check_report, lambda file: write_report(motions["uniform"], file)):
        with pytest.raises(InputError, match=r'ends in "\.pdf", expected \.html'):
            write(tmp_path / "report.pdf")
        with pytest.raises(InputError, match="there is no folder"):
            write(tmp_path / "nowhere" / "report.html")
    assert not list(tmp_path.iterdir())

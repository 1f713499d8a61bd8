"""Figures and reports of studies: what they show, that they stand alone, and that nothing enters them."""

import re
from collections import Counter
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import armdyn as ad
from armdyn.errors import InputError
from armdyn.extremes import Bound, Extremes
from armdyn.report.wording import percent
from armdyn.studies.loads.figures import draw, svg
from armdyn.studies.loads.report import study_report, write_study_report
from armdyn.studies.loads.rows import Curve, Picture, Row, Study
from armdyn.studies.loads.study import KINDS, options_of, study

EVIL = "</script><script>alert(1)</script><img src=x onerror=alert(2)>&\"' $x_1$"
MOTION = Path(__file__).parents[2] / "examples/motions/lola15_swing.csv"


class Outline(HTMLParser):
    """Tags, names and texts of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: Counter[str] = Counter()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.texts: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        given = dict(attrs)
        self.ids += [name] if (name := given.get("id")) else []
        self.links += [value for name in ("href", "src", "xlink:href") if (value := given.get(name))]

    def handle_data(self, data: str) -> None:
        self.texts.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.texts).split())


def end(value: float, bound: float, certified: bool) -> Bound:
    return Bound(value, np.array([0.5, -0.25]), bound, certified)


@pytest.fixture
def small() -> Study:
    """A study as it might come out: one row certified, one bounded, one without bounds."""
    robot = ad.load("planar2")
    rows = (
        Row(1, "inertia", "none", "kg m2", Extremes(end(1, 1, True), end(5, 5.001, True)), 5.0),
        Row(1, "inertia", "payload", "kg m2", Extremes(end(2, 1.5, False), end(9, 9, True)), 9.0),
        Row(2, "inertia", "none", "kg m2", Extremes(end(1, -np.inf, False), end(2, np.inf, False)), None),
    )
    bars = Picture(
        "b", "Bars", "joint", "kg m2", (Curve("one", (1.0, 2.0), (5.0, 2.0)),), "bars", "Said below."
    )
    lines = Picture("l", "Lines", "q1 [rad]", "H11", (Curve(EVIL, (0.0, 1.0), (5.0, 2.0)),))
    settings: dict[str, Any] = {
        "motors": "none",
        "gravity": [0.0, -9.81, 0.0],
        "payloads": [{"body": "link2", "mass": 3.0, "com": [0.0, 0.0, 0.1], "inertia": []}],
        "joints": [1, 2],
        "ranges": {"joint1": [-1.0, 1.0], "joint2": [0.0, 2.0]},
        "effort": 1000,
    }
    return Study("inertia", robot, rows, settings, (bars, lines), ("a note",))


def test_the_page_tells_what_was_asked_and_found(small: Study) -> None:
    text = Outline(study_report(small)).text
    for words in (
        "Study of inertia: planar2",
        "How much inertia does every joint and motor feel",
        "none: joints without drives",
        "(0, -9.81, 0) m/s²",
        "3 kg at (0, 0, 0.1) m of link2",
        "joint1 -1 to 1 rad; joint2 0 to 2 rad",
        "5 kg m2 at (0.5, -0.25)",
        "2 kg m2 not below 1.5",
        "✓ yes",
        "no, bound shown",
        "no bound",
        "Said below.",
        "a note",
    ):
        assert words in text


def test_nothing_from_outside_becomes_markup(small: Study) -> None:
    robot = replace(small.robot, name=EVIL, description=EVIL)
    page = study_report(replace(small, robot=robot, notes=(EVIL,)), title=EVIL)
    outline = Outline(page)
    assert (outline.tags["script"], outline.tags["img"]) == (0, 0)
    assert EVIL in outline.text


def test_the_page_stands_alone(small: Study) -> None:
    page = study_report(small)
    outline = Outline(page)
    assert "default-src 'none'; style-src 'unsafe-inline'" in page
    assert all(link.startswith("#") for link in outline.links)
    assert not re.findall(r"url\((?!#)", page)
    assert outline.tags["svg"] == 2
    assert [name for name, count in Counter(outline.ids).items() if count > 1] == []
    for link in outline.links:
        assert link[1:] in outline.ids


def test_the_same_study_gives_the_same_bytes(small: Study, tmp_path: Path) -> None:
    for name in ("a", "b"):
        write_study_report(small, tmp_path / f"{name}.html")
        for suffix in (".svg", ".png", ".pdf"):
            draw(small, tmp_path / f"{name}{suffix}")
    for suffix in (".html", ".svg", ".png", ".pdf"):
        first, second = ((tmp_path / f"{name}{suffix}").read_bytes() for name in ("a", "b"))
        assert first == second


def test_figures_are_refused_where_they_cannot_be(small: Study, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"ends in \"\.gif\""):
        draw(small, tmp_path / "a.gif")
    with pytest.raises(InputError, match="there is no folder"):
        draw(small, tmp_path / "none/a.svg")
    with pytest.raises(InputError, match="nothing to draw"):
        draw(replace(small, pictures=()), tmp_path / "a.svg")
    with pytest.raises(InputError, match=r"expected \.html"):
        write_study_report(small, tmp_path / "a.pdf")


def test_bars_of_very_different_heights_are_logarithmic_and_gaps_are_named() -> None:
    def drawn(*heights: float) -> str:
        curve = Curve("a", tuple(float(k) for k, _ in enumerate(heights, 1)), heights)
        return svg(Picture("b", "t", "joint", "N", (curve,), "bars"), "k")

    assert "10" in drawn(1.0, 5000.0)
    assert "none" in drawn(1.0, float("nan"))
    assert "<metadata" not in drawn(1.0, 2.0)


def test_many_curves_have_a_legend_that_fits(small: Study, tmp_path: Path) -> None:
    curves = tuple(Curve(f"joint {k}, with payload", (0.0, 1.0), (0.0, float(k))) for k in range(15))
    draw(replace(small, pictures=(replace(small.pictures[1], curves=curves),) * 3), tmp_path / "a.png")
    assert (tmp_path / "a.png").stat().st_size > 10_000


OPTIONS: dict[str, dict[str, Any]] = {
    "servo": {"natural_frequency": 10.0},
    "coupling": {"over": 2},
    "reactions": {"velocity": 1.0},
    "manipulability": {"cells": 4, "measures": "dynamic_manipulability"},
}


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "sizing"])
def test_every_kind_has_a_report_and_figures(kind: str, tmp_path: Path) -> None:
    arm = ad.load("planar2").with_payload(5.0)
    found = study(arm, kind, effort=5_000, **OPTIONS.get(kind, {}))
    assert (found.kind, found.document()["robot"]) == (kind, "planar2")
    page = study_report(found)
    assert page.count("<figure") == len(found.pictures) > 0
    assert "<image" not in page  # which the page's own policy would not show
    draw(found, tmp_path / "a.svg")


def test_candidates_have_tables(tmp_path: Path) -> None:
    motors = [{"name": EVIL, "rotor_inertia": 1e-4, "rated_torque": 30.0, "peak_torque": 60.0}]
    found = study(ad.load("lola15"), "sizing", motions=MOTION, candidates=motors)
    outline = Outline(study_report(found))
    assert outline.tags["table"] == 3 + 6
    assert "the smallest that suffices is" in outline.text
    assert outline.tags["script"] == 0
    draw(found, tmp_path / "a.svg")


def test_the_verdict_on_a_candidate_is_explained() -> None:
    limits = {"rated_torque": 30.0, "rated_speed": 9.0, "maximum_speed": 900.0}
    motors = [{"name": "slow", "rotor_inertia": 0.0, **limits}, {"name": "new", "rotor_inertia": 0.0}]
    found = study(ad.load("lola15"), "sizing", motions=MOTION, candidates=motors)
    share = found.rows[0].more["candidates"][0]["rated_speed_share"]
    text = Outline(study_report(found)).text
    assert f"({percent(share)}) ✗ no" in text
    assert "unknown" in text
    assert "none suffices" in text
    known = study(ad.load("lola15"), "sizing", motions=MOTION, candidates=motors[1:])
    assert "Rms speed" in text
    assert "Rms speed" not in Outline(study_report(known)).text


# By name --------------------------------------------------------------------------------------


def test_studies_by_name_are_the_functions() -> None:
    assert ad.study is study
    for kind in KINDS:
        assert "motors" in options_of(kind)
        assert "progress" in options_of(kind)


@pytest.mark.parametrize(
    ("kind", "options", "sentence"),
    [
        ("speed", {}, "expected one of inertia, gravity, coupling, servo, reactions, sizing, manipulability"),
        ("gravty", {}, 'did you mean "gravity"?'),
        ("inertia", {"velocity": 1.0}, "study inertia takes no velocity; it is for coupling, reactions"),
        ("inertia", {"colour": 1.0}, "study inertia takes no colour; expected of motors, ranges"),
        ("sizing", {}, "study sizing needs motions, which is not given"),
    ],
)
def test_unknown_kinds_and_options_are_refused(kind: str, options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(InputError) as refused:
        ad.study(ad.load("planar2"), kind, **options)
    assert sentence in str(refused.value)

"""The report: what it says, that nothing from outside becomes markup, that it stands alone and runs."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import shutil
import subprocess
from dataclasses import replace
from html.parser import HTMLParser
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from armdyn.errors import InputError
from armdyn.feasibility import Verification, verify
from armdyn.feasibility.findings import Findings
from armdyn.feasibility.following import FOLLOW, Follow
from armdyn.feasibility.report import check_report, write_report
from armdyn.feasibility.report.report import report
from armdyn.formats import load
from armdyn.formats.motions import Motion
from armdyn.motion import JointTarget, PointToPoint, Wait, plan, plan_of_motion
from armdyn.report.decimation import bucket_size, decimated, kept_samples, step_of
from armdyn.report.markup import element, text
from armdyn.report.numbers import embedded, round_ticks, rounded
from armdyn.report.wording import amount, percent
from armdyn.robot import Robot

FORCE = [100.0, 100.0, -150.0, 0.0, 0.0, 0.0]
AWAY = (1.2, -0.6, 0.8, 1.0, -0.5, 2.0)
SECTIONS = [
    "path",
    "moves",
    "violations",
    "plots",
    "envelopes",
    "utilisation",
    "reactions",
    "program",
    "method",
]
LARGEST = 5_000_000
"""Bytes of the report of ten minutes."""
SOURCE = "program swing;\nmove ptp away;\nwait 0.2;\nmove ptp home;\nendprogram"


def weak(robot: Robot, share: float = 0.4) -> Robot:
    """The robot with motors that give less torque."""
    drives = tuple(
        replace(drive, motor=replace(drive.motor, peak_torque=share * (drive.motor.peak_torque or 1.0)))
        for drive in robot.drives
    )
    return replace(robot, drives=drives)


def swing(robot: Robot, **options: Any) -> Verification:
    """Away and back, in lines 2 to 4."""
    steps = [
        PointToPoint(2, JointTarget(AWAY[: robot.n])),
        Wait(3, 0.2),
        PointToPoint(4, JointTarget((0.0,) * robot.n)),
    ]
    return verify(plan(robot, steps), **options)


@pytest.fixture(scope="module")
def tight() -> Verification:
    """Motors that cannot do it."""
    return swing(weak(load("lola15")), wrench=FORCE)


@pytest.fixture(scope="module")
def page(tight: Verification) -> str:
    return report(tight, source=SOURCE, title="Swing")


class Outline(HTMLParser):
    """What elements and attributes a page has, and its text by the section it stands in."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str]] = []
        self.sections: dict[str, list[str]] = {}
        self._section = "head"
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(name, value or "") for name, value in attrs]
        if tag == "section":
            self._section = dict(attrs)["id"] or ""

    def handle_data(self, data: str) -> None:
        self.sections.setdefault(self._section, []).append(data)

    def said(self, section: str) -> str:
        return " ".join(" ".join(self.sections[section]).split())


def embedded_data(page: str) -> dict[str, Any]:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert found
    return json.loads(found.group(1))


# What it says ---------------------------------------------------------------------------------


def test_sections_stand_in_their_order(page: str) -> None:
    sections = list(Outline(page).sections)
    assert [name for name in sections if name != "head"] == ["verdict", *SECTIONS]


def test_the_verdict_names_motor_share_line_and_instant(tight: Verification, page: str) -> None:
    motors = [violation for violation in tight.violations if violation.quantity == "motor_torque"]
    worst = max(motors, key=lambda violation: abs(violation.required) / violation.limit)
    share = round(100 * abs(worst.required) / worst.limit)
    said = Outline(page).said("verdict")
    sentence = f"motor {worst.joint} needs {share} % of its torque limit in line {worst.line}"
    assert f"Not feasible as programmed: {sentence} at {worst.worst_time:.3f} s." in said
    assert f"{tight.plan.duration:.3f} s" in said
    assert f"{tight.achieved_time:.3f} s" in said
    assert f"{amount(1000 * tight.deviation.maximum, 3)} mm" in said
    assert "force (100, 100, -150) N" in said
    assert "lola15" in said
    assert "coupled" in said
    assert "10 ms" in said


def test_a_feasible_program_is_called_so() -> None:
    said = Outline(report(swing(weak(load("lola15"), 100.0)))).said
    assert "Feasible as programmed" in said("verdict")
    assert "as programmed" in said("verdict")
    assert "None: nothing is required that is not possible." in said("violations")
    assert said("moves").count("100 %") == 3


def test_motors_that_get_too_warm_are_named() -> None:
    robot = weak(load("lola15"), 100.0)
    drives = tuple(replace(drive, motor=replace(drive.motor, rated_torque=1e-3)) for drive in robot.drives)
    found = swing(replace(robot, drives=drives))
    assert "repeated without end, the motion overheats them." in Outline(report(found)).said("verdict")


def test_an_arm_that_never_arrives() -> None:
    found = swing(weak(load("lola15")), wrench=FORCE, follow="velocity")
    assert found.achieved_time is None
    said = Outline(report(found)).said
    assert "Achieved cycle time never" in said("verdict")
    assert "what lags stays behind" in said("verdict")
    assert "Follow velocity" in said("method")


@pytest.mark.parametrize("follow", FOLLOW)
def test_every_way_to_follow_is_explained(follow: Follow) -> None:
    robot = load("lola15")
    found = verify(plan(robot, [PointToPoint(2, JointTarget((0.1,)))]), follow=follow)
    assert f"Follow {follow}: " in Outline(report(found)).said("method")


def test_moves_have_a_row_each(tight: Verification, page: str) -> None:
    rows = re.findall(
        r"<tr[^>]*>(?:(?!</tr>).)*data-from(?:(?!</tr>).)*</tr>", page.split('id="violations"', maxsplit=1)[0]
    )
    assert len(rows) == len(tight.moves)
    for row, move in zip(rows, tight.moves, strict=True):
        assert f'href="#L{move.line}"' in row
        assert f"{move.programmed:.3f}" in row
        assert (" yes" if move.feasible else " no") in row
        assert Findings(tight).speed_hint(move) in row


def test_the_report_says_how_to_apply_speed_hints(page: str) -> None:
    assert "multiply its speed by r and its acceleration by r²" in Outline(page).said("moves")


@pytest.mark.parametrize(
    ("feasible", "impossible", "override", "hint"),
    [
        (True, False, 1.0, "100 %"),
        (False, False, 0.689, "68 %"),
        (False, False, 0.0, "none: also too much at rest"),
        (False, True, 0.0, "none: not a matter of speed"),
    ],
)
def test_speed_hints(
    tight: Verification, feasible: bool, impossible: bool, override: float, hint: str
) -> None:
    move = replace(tight.moves[0], feasible=feasible, impossible=impossible, override=override)
    assert Findings(tight).speed_hint(move) == hint


def test_no_violation_is_left_out(tight: Verification, page: str) -> None:
    part = page.split('id="violations"')[1].split('id="plots"', maxsplit=1)[0]
    assert part.count("<tbody>") == len({violation.move for violation in tight.violations})
    assert part.count('<th scope="row">') == len(tight.violations)
    for violation in tight.violations:
        assert f"{amount(violation.required)} " in part
        assert f"{violation.time[1]:.3f}" in part
        assert f"<td>{violation.worst_time:.3f}</td>" in part


def test_units_of_violations() -> None:
    slow = replace(load("lola15"))
    drives = tuple(replace(drive, motor=replace(drive.motor, maximum_speed=50.0)) for drive in slow.drives)
    said = Outline(report(swing(replace(slow, drives=drives)))).said("violations")
    assert "motor speed" in said
    assert "50 rad/s 477.5 rpm" in said


def test_utilisation_and_reactions(tight: Verification, page: str) -> None:
    outline = Outline(page)
    for use in tight.utilisation:
        assert use.peak is not None
        assert percent(use.peak) in outline.said("utilisation")
    for reaction in tight.reactions:
        assert f"{reaction.body} {amount(reaction.force)}" in outline.said("reactions")


def test_the_listing_marks_lines_that_ask_for_too_much(tight: Verification, page: str) -> None:
    bad = {violation.line for violation in tight.violations}
    for number, line in enumerate(SOURCE.splitlines(), 1):
        found = re.search(f'<div[^>]* id="L{number}"[^>]*>(.*?)</div>', page)
        assert found
        assert f"<code>{line}</code>" in found.group(1)
        assert ("✗" in found.group(1)) == (number in bad)
        assert ("torque" in found.group(1)) == (number in bad)


def test_without_a_program_there_is_no_listing(tight: Verification) -> None:
    outline = Outline(report(tight))
    assert "program" not in outline.sections
    assert not [value for name, value in outline.attributes if name == "href" and value.startswith("#L")]


def test_every_link_leads_somewhere(page: str) -> None:
    attributes = Outline(page).attributes
    anchors = {value for name, value in attributes if name == "id"}
    assert {value[1:] for name, value in attributes if name == "href"} <= anchors
    assert all(value.startswith("#") for name, value in attributes if name == "href")


def test_notes_and_version(tight: Verification) -> None:
    said = Outline(report(replace(tight, notes=("the tool is a pen",)))).said("method")
    assert "the tool is a pen" in said
    assert f"armdyn {metadata.version('armdyn')}" in said
    assert "Follow position" in said


@pytest.mark.parametrize("name", ["ur5", "pendulum", "irb6", "panda", "jpl_rrp"])
def test_other_robots(name: str) -> None:
    robot = load(name)
    steps = np.linspace(0, 1, 51)[:, None] * np.full(robot.n, 0.2)
    found = plan_of(robot, np.asarray(robot.home) + steps)
    outline = Outline(report(found))
    assert [name for name in outline.sections if name != "head"] == ["verdict", *SECTIONS[:-2], SECTIONS[-1]]


def plan_of(robot: Robot, q: np.ndarray, cycle: float = 0.01) -> Verification:
    """Samples as a plan without a program."""
    motion = Motion(cycle * np.arange(float(len(q))), q, np.zeros_like(q), np.zeros_like(q), {})
    return verify(plan_of_motion(robot, motion))


# Nothing from outside becomes markup ----------------------------------------------------------


def test_names_and_programs_are_shown_not_obeyed(tight: Verification) -> None:
    evil = "</script><script>alert(1)</script><img src=x onerror=alert(2)>&\"'"
    robot = replace(tight.plan.robot, name=evil, description=evil)
    verification = replace(tight, plan=replace(tight.plan, robot=robot), notes=(evil,))
    written = report(verification, source=f"{evil}\n{evil}", title=evil)
    outline = Outline(written)
    assert outline.tags.count("script") == 2
    assert "img" not in outline.tags
    assert evil in "".join(outline.sections["verdict"])
    assert evil in "".join(outline.sections["program"])
    embedded_data(written)


def test_escaping() -> None:
    assert element("td", "<b>", title='"<') == '<td title="&quot;&lt;">&lt;b&gt;</td>'
    assert text("a\x00b") == "a\ufffdb"
    assert embedded({"x": "</script>&"}) == '{"x":"\\u003c/script\\u003e\\u0026"}'


def test_odd_text_is_written(tight: Verification, tmp_path: Path) -> None:
    write_report(tight, tmp_path / "a.html", source="a\x00\udc80\u2028 ünï", title="$title ${script}")
    written = (tmp_path / "a.html").read_text(encoding="utf-8")
    assert "ünï" in written
    assert "<h1>$title ${script}</h1>" in written


# It stands alone ------------------------------------------------------------------------------


def test_the_same_input_gives_the_same_bytes(tight: Verification, tmp_path: Path) -> None:
    for name in ("a.html", "b.html"):
        write_report(tight, tmp_path / name, source=SOURCE)
    assert (tmp_path / "a.html").read_bytes() == (tmp_path / "b.html").read_bytes()


def test_nothing_is_fetched_and_one_script_may_run(page: str) -> None:
    assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", page)
    assert not re.search(r"\b(src|srcset|action)=|@import|url\((?!#)", page)
    script = page.rsplit("<script>", 1)[1].split("</script>", maxsplit=1)[0]
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'" in page


@pytest.mark.slow
def test_ten_minutes_stay_small_and_no_peak_is_lost() -> None:
    robot, cycle = weak(load("lola15"), 0.5), 0.01
    time = np.arange(0, 600, cycle)[:, None]
    q = 0.3 * np.sin(np.arange(1, 7) * (0.7 + 0.3 * np.sin(0.01 * time)) * time / 3)
    found = plan_of(robot, q, cycle)
    assert found.violations
    written = report(found, source="x")
    assert len(written.encode()) < LARGEST
    torques = [panel for panel in embedded_data(written)["panels"] if panel["unit"] == "N m"]
    for k, panel in enumerate(torques):
        values = panel["curves"][0]["values"]
        assert max(values) == pytest.approx(float(found.demand.torque[:, k].max()), rel=1e-5)
        assert min(values) == pytest.approx(float(found.demand.torque[:, k].min()), rel=1e-5)


def test_embedded_curves_are_those_of_the_verification(tight: Verification, page: str) -> None:
    data = embedded_data(page)
    torques = [panel for panel in data["panels"] if panel["unit"] == "N m"]
    for k, panel in enumerate(torques):
        required, achieved = panel["curves"]
        assert np.allclose(required["values"], tight.demand.torque[:, k], rtol=1e-5, atol=1e-12)
        assert np.allclose(achieved["values"], tight.run.torque[:, k], rtol=1e-5, atol=1e-12)
        assert required["step"] == tight.plan.cycle
    assert np.allclose(
        data["scene"]["tool"]["achieved"]["points"], tight.achieved_tool, rtol=1e-4, atol=1e-12
    )


# Files ----------------------------------------------------------------------------------------


def test_refused_files(tight: Verification, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r'ends in "\.pdf", expected \.html'):
        check_report(tmp_path / "a.pdf")
    with pytest.raises(InputError, match="there is no folder"):
        write_report(tight, tmp_path / "none" / "a.html")
    (tmp_path / "b.html").mkdir()
    with pytest.raises(InputError, match="cannot be written"):
        write_report(tight, tmp_path / "b.html")
    check_report(tmp_path / "a.HTML")


# Small parts ----------------------------------------------------------------------------------


def test_buckets_keep_least_and_greatest_in_their_order() -> None:
    values = np.array([0.0, 5.0, -1.0, 2.0, 3.0, 3.0, 9.0, 1.0, 4.0])
    assert decimated(values, 1) is values
    assert decimated(values, 4).tolist() == [5.0, -1.0, 9.0, 1.0, 4.0, 4.0]
    assert (bucket_size(100, 100), bucket_size(101, 100), step_of(4)) == (1, 4, 2.0)
    worth = np.zeros(1000)
    worth[777] = 1.0
    kept = kept_samples(worth, 100)
    assert len(kept) <= 101
    assert {0, 777, 999} <= set(kept.tolist())


@pytest.mark.parametrize(
    ("share", "said"),
    [
        (1.42, "142 %"),
        (1.00002, "100.002 %"),
        (1 + 1e-9, "just over 100 %"),
        (1.0, "100 %"),
        (250.0, "250 times"),
    ],
)
def test_percentages_show_that_limits_are_exceeded(share: float, said: str) -> None:
    assert percent(share) == said


def test_numbers() -> None:
    assert [amount(x) for x in (0.0, -0.0, 12.3456, 1234567.0, 1e-9, 100.0)] == [
        "0",
        "0",
        "12.35",
        "1234567",
        "1.000e-09",
        "100",
    ]
    assert rounded([1.23456789, -2e-9, 3.0, np.inf, np.nan, 123456789.0]) == [
        1.23457,
        -2e-9,
        3,
        None,
        None,
        123457000.0,
    ]
    assert round_ticks(-1.0, 1.0, 5) == [-1.0, -0.5, 0.0, 0.5, 1.0]


# A real browser -------------------------------------------------------------------------------

BROWSERS = ("chromium", "chromium-browser", "google-chrome")


def test_a_browser_runs_it_without_complaint(tight: Verification, tmp_path: Path) -> None:
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser is None:
        pytest.skip(f"no browser: none of {', '.join(BROWSERS)} is installed")
    file = tmp_path / "report.html"
    write_report(tight, file, source=SOURCE)
    options = ["--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path / 'profile'}"]
    run = subprocess.run(
        [browser, *options, "--enable-logging=stderr", "--dump-dom", file.as_uri()],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    assert not [line for line in run.stderr.splitlines() if "CONSOLE" in line]
    assert '<html lang="en" class="scripts">' in run.stdout  # the last script ran to its first drawing
    assert 'class="window"' in run.stdout

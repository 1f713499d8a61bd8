"""Figures of retimed motions: what is drawn, how often, and where to."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from armdyn.dynamics import Dynamics
from armdyn.errors import InputError
from armdyn.feasibility import planned
from armdyn.feasibility.actuators import Actuators
from armdyn.feasibility.arm import Arm
from armdyn.formats import load
from armdyn.report.drawing import new_figure
from armdyn.retiming.active import ActiveLimit
from armdyn.retiming.figures import figure, write_figure
from armdyn.retiming.figures.factors import draw_factors
from armdyn.retiming.figures.figures import pictures
from armdyn.retiming.figures.multiples import draw_multiples
from armdyn.retiming.figures.phase_plane import MOVES, NAMED, draw_phase_plane, plane_count
from armdyn.retiming.figures.shares import share_map
from armdyn.retiming.figures.tracks import Track, demand_of, given_plan, track_of_plan, tracks_of
from armdyn.retiming.held_back import held_back, limit_name, numbered_lines
from armdyn.retiming.limits import Quantity
from armdyn.retiming.optimal.optimal import Optimal
from armdyn.retiming.path import path_through
from armdyn.retiming.per_move import PerMove
from armdyn.retiming.retime import MODES, Mode, Retimed, retime
from armdyn.retiming.uniform import Uniform

CLOSE = 1e-9
QUICK = """program Quick;
{ too quick along the line }
var
robtarg:s0=robtarg(((786.9329, 402.9624, 632.855), (15, -60, -175.03779)), 4);
robtarg:s12=robtarg(((970.0649, 571.0567, 755.4388), (17, -60, -175.03779)), 8);
endvar
seq
move ptp s0 speed_ptp=0.6 acc_ptp=1.0 act_rob="lola_15";
move lin s12 speed=1500 acc=9000 c_ori=o_var act_rob="lola_15";
move ptp joint(mainjoint(0, 0, 0, 0, 30, 0)) speed_ptp=1 acc_ptp=1 act_rob="lola_15";
endseq
endprogram
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("programs") / "quick.lirl"
    file.write_text(QUICK)
    return file


@pytest.fixture(scope="module")
def motions(program: Path) -> dict[Mode, Retimed]:
    """The same program retimed in every way."""
    coarse: dict[Mode, dict[str, Any]] = {"optimal": {"grid": 200}}
    return {mode: retime(program, mode=mode, **coarse.get(mode, {})) for mode in MODES}


@pytest.fixture(scope="module")
def path_only() -> Retimed:
    """The fastest motion along a path that never had times."""
    robot = load("panda")
    home = np.array(robot.home)
    return retime(path_through(robot, np.stack([home, home + 0.3, home - 0.2])), grid=100)


# What holds back ------------------------------------------------------------------------------


def test_limits_have_names() -> None:
    geared, bare = (Actuators.of(load(name)) for name in ("lola15", "panda"))
    assert limit_name(geared, "motor_torque", 3) == "motor 3 torque"
    assert limit_name(geared, "joint_acceleration", 5) == "joint 5 acceleration"
    assert limit_name(bare, "motor_torque", 2) == "joint 2 torque"
    assert limit_name(bare, "tool_speed", None) == "tool speed"


def test_what_holds_back_is_all_of_it_longest_first(motions: dict[Mode, Retimed]) -> None:
    retimed = motions["optimal"]
    held = held_back(retimed)
    assert sum(len(each.stretches) for each in held) == len(retimed.active_limits)
    times = [each.time for each in held]
    assert times == sorted(times, reverse=True)
    assert sum(times) == pytest.approx(sum(each.until - each.time for each in retimed.active_limits))
    assert len({each.name for each in held}) == len(held)


def test_many_lines_are_counted() -> None:
    assert numbered_lines([3, 5]) == "3, 5"
    assert numbered_lines(list(range(1, 31))) == "30 lines, 1 to 30"
    assert numbered_lines([]) == ""


# Tracks ---------------------------------------------------------------------------------------


def test_the_track_of_a_plan_is_as_long_and_as_fast_as_it(motions: dict[Mode, Retimed]) -> None:
    plan = motions["uniform"].plan
    track = track_of_plan(plan)
    steps = np.linalg.norm(np.diff(plan.q, axis=0), axis=1)
    assert track.way[-1] == pytest.approx(steps.sum())
    np.testing.assert_allclose(track.speed[1:-1], steps / plan.cycle)
    assert track.speed[0] == track.speed[-1] == 0
    assert (np.diff(track.way) >= 0).all()


def test_the_track_of_the_fastest_motion_has_its_speeds(motions: dict[Mode, Retimed]) -> None:
    retimed = motions["optimal"]
    assert isinstance(retimed.found, Optimal)
    after = tracks_of(retimed, None).after
    inside = np.flatnonzero(np.diff(after.time) > 0)[1::7]
    _, qd, _ = retimed.found.schedule.at(after.time[inside])
    np.testing.assert_allclose(np.linalg.norm(qd, axis=1), after.speed[inside], atol=1e-6)


def test_the_fastest_motion_stays_below_the_limit_curve(motions: dict[Mode, Retimed]) -> None:
    tracks = tracks_of(motions["optimal"], None)
    before_the_end = tracks.after.way < tracks.after.way[-1]
    inner = before_the_end & np.isin(tracks.after.way, tracks.limit.way) & ~_at_ends_of_parts(tracks.after)
    assert inner.sum() > 100
    limit = tracks.limit.speed[np.searchsorted(tracks.limit.way, tracks.after.way[inner])]
    assert (tracks.after.speed[inner] <= limit * (1 + 1e-6)).all()


def _at_ends_of_parts(track: Track) -> NDArray[np.bool_]:
    """Where the way stands twice: once at the end of a part, with the limits of the next."""
    return np.append(np.diff(track.way) == 0, False) | np.append(False, np.diff(track.way) == 0)


def test_motions_are_laid_over_one_another_move_by_move(motions: dict[Mode, Retimed]) -> None:
    retimed = motions["optimal"]
    tracks = tracks_of(retimed, given_plan(retimed))
    assert tracks.before is not None
    np.testing.assert_allclose(tracks.before.marks, tracks.after.marks)
    assert tracks.before.way[-1] == pytest.approx(tracks.after.way[-1])


# Phase plane ----------------------------------------------------------------------------------


def drawn_plane(retimed: Retimed) -> list[Any]:
    sheet = new_figure((10.0, 8.0))
    draw_phase_plane(sheet, retimed, tracks_of(retimed, given_plan(retimed)), held_back(retimed))
    return sheet.axes


def lines(panel: Any) -> list[str]:
    return [line.get_label() for line in panel.get_lines() if not line.get_label().startswith("_")]


@pytest.mark.parametrize("mode", MODES)
def test_the_plane_shows_motions_limit_and_stops(motions: dict[Mode, Retimed], mode: Mode) -> None:
    plane, _ = drawn_plane(motions[mode])
    assert lines(plane) == ["limit curve", "as given", "retimed", "stop"]
    assert {text.get_text() for text in plane.texts} == {"8", "9", "10"}


def test_the_rows_below_name_the_limits(motions: dict[Mode, Retimed]) -> None:
    retimed = motions["optimal"]
    plane, rows = drawn_plane(retimed)
    held = held_back(retimed)
    assert [text.get_text() for text in rows.get_yticklabels()] == [each.name for each in held]
    coloured = [line for line in plane.get_lines() if line.get_linewidth() > 4]
    assert len(coloured) == len(retimed.active_limits)


def test_limits_beyond_the_colours_share_a_row(motions: dict[Mode, Retimed]) -> None:
    quantities: tuple[Quantity, ...] = ("motor_torque", "joint_speed")
    each: list[tuple[Quantity, int]] = [(quantity, joint) for quantity in quantities for joint in range(1, 7)]
    many = tuple(
        ActiveLimit(0.1 * k, 0.1 * k + 0.05, joint, quantity, 1, 8)
        for k, (quantity, joint) in enumerate(each)
    )
    _, rows = drawn_plane(replace(motions["optimal"], active_limits=many))
    names = [text.get_text() for text in rows.get_yticklabels()]
    assert len(names) == NAMED + 1
    assert names[-1] == "others"


def test_a_path_without_times_has_nothing_as_given(path_only: Retimed) -> None:
    assert given_plan(path_only) is None
    assert "as given" not in lines(drawn_plane(path_only)[0])


def test_long_programs_have_several_planes() -> None:
    robot = load("panda")
    home = np.array(robot.home)
    way = np.stack([home + (-1) ** k * 0.1 for k in range(2 * MOVES + 1)])
    retimed = retime(path_through(robot, way, kind="straight"), grid=300)
    count = plane_count(retimed)
    assert count == -(-len(retimed.plan.moves) // MOVES)
    panels = drawn_plane(retimed)
    assert len(panels) == 2 * count
    for low, high in (panel.get_xlim() for panel in panels[::2]):
        assert high - low == pytest.approx(tracks_of(retimed, None).after.way[-1] / count)


# The others -----------------------------------------------------------------------------------


def test_the_map_shows_what_was_too_much_before_only(motions: dict[Mode, Retimed]) -> None:
    retimed = motions["optimal"]
    given = given_plan(retimed)
    assert given is not None
    before, after = share_map(demand_of(retimed, given)), share_map(retimed.verification.demand)
    assert before.names == after.names
    assert len(set(after.names)) == len(after.names) == after.shares.shape[1]
    assert before.beyond.any()
    assert not after.beyond.any()
    torque = [name.endswith("torque") for name in after.names]
    np.testing.assert_allclose(after.shares[:, torque], retimed.verification.demand.share)


def test_payloads_that_only_the_motion_as_given_has_are_known(motions: dict[Mode, Retimed]) -> None:
    retimed = motions["optimal"]
    given = given_plan(retimed)
    assert given is not None
    heavy = given.robot.with_payload(mass=5.0, com=(0.0, 0.0, 0.1))
    loaded = replace(given, phases=(replace(given.phases[0], robot=heavy),))
    demand = demand_of(retimed, loaded)
    torque = Arm(Dynamics(heavy)).torque(demand.q, demand.qd, demand.qdd)
    np.testing.assert_allclose(demand.torque, torque, atol=1e-9)
    assert not np.allclose(torque, demand_of(retimed, given).torque)


def test_the_multiples_meet_the_limit_where_it_was_chosen(motions: dict[Mode, Retimed]) -> None:
    retimed = motions["uniform"]
    assert isinstance(retimed.found, Uniform)
    chosen = retimed.found.r
    assert chosen is not None
    sheet = new_figure((10.0, 4.0))
    draw_multiples(sheet, retimed.found, chosen)
    (panel,) = sheet.axes
    curves = [line for line in panel.get_lines() if len(line.get_xdata()) > 10]
    assert len(curves) == len({limit.quantity for _, limit, _ in retimed.found.shares(1.0)})
    most = max(float(np.interp(chosen, line.get_xdata(), line.get_ydata())) for line in curves)
    assert most == pytest.approx(1.0, abs=CLOSE)


def test_the_bars_are_the_factors(motions: dict[Mode, Retimed], program: Path) -> None:
    retimed, given = motions["per-move"], planned(program).plan
    assert isinstance(retimed.found, PerMove)
    sheet = new_figure((10.0, 5.0))
    draw_factors(sheet, retimed.found.moves, given, retimed.plan)
    factors, durations = sheet.axes
    moves = retimed.found.moves
    heights = [bar.get_height() for bar in factors.patches]
    assert heights == [m.speed_factor for m in moves] + [m.acceleration_factor for m in moves]
    heights = [bar.get_height() for bar in durations.patches]
    assert heights == [move.end - move.start for plan in (given, retimed.plan) for move in plan.moves]


@pytest.mark.parametrize(("mode", "axes"), [("optimal", 2), ("uniform", 3), ("per-move", 4)])
def test_the_main_figure_is_the_plane_and_what_the_mode_adds(
    motions: dict[Mode, Retimed], mode: Mode, axes: int
) -> None:
    assert len(figure(motions[mode]).axes) == axes


@pytest.mark.parametrize("mode", MODES)
def test_all_pictures_have_titles_and_captions(motions: dict[Mode, Retimed], mode: Mode) -> None:
    drawn = list(pictures(motions[mode]))
    assert len({each.key for each in drawn}) == len(drawn)
    assert all(each.title and each.caption and each.height > 1 for each in drawn)


# Files ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("suffix", "begins"), [(".svg", b"<?xml"), (".png", b"\x89PNG"), (".pdf", b"%PDF")])
def test_figures_are_written_the_same_each_time(
    motions: dict[Mode, Retimed], tmp_path: Path, suffix: str, begins: bytes
) -> None:
    first, second = tmp_path / f"a{suffix}", tmp_path / f"b{suffix}"
    for file in (first, second):
        write_figure(motions["uniform"], file)
    assert first.read_bytes().startswith(begins)
    assert first.read_bytes() == second.read_bytes()


def test_bad_figure_files_are_refused(motions: dict[Mode, Retimed], tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r'ends in "\.gif", expected \.svg, \.png, \.pdf'):
        write_figure(motions["uniform"], tmp_path / "figure.gif")
    with pytest.raises(InputError, match="there is no folder"):
        write_figure(motions["uniform"], tmp_path / "nowhere" / "figure.svg")
    assert not list(tmp_path.iterdir())

"""Programs slowed move by move: feasible as written, as short as can be, else as they were."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import armdyn as ad
from armdyn.errors import InfeasibleError, InputError
from armdyn.feasibility import verify
from armdyn.motion import PathMove, PointToPoint, plan
from armdyn.program import example_program, parse_program, run_program
from armdyn.retiming.per_move import PerMove, per_move
from armdyn.retiming.sample_shares import sample_shares
from retiming.per_move.short_programs import LINE_AND_ARC, TURNING, fast_palletising, written

LOLA15 = ad.load("lola15")
RAISED = 1.01
"""By this no factor may be raised."""


@pytest.fixture(scope="module")
def short(tmp_path_factory: pytest.TempPathFactory) -> PerMove:
    file = written(tmp_path_factory.mktemp("short"), LINE_AND_ARC)
    return per_move(file, turn_acceleration=TURNING)


@pytest.fixture(scope="module")
def palletising(tmp_path_factory: pytest.TempPathFactory) -> PerMove:
    return per_move(written(tmp_path_factory.mktemp("ur5"), fast_palletising()))


def test_what_is_written_is_feasible(short: PerMove, tmp_path: Path) -> None:
    file = tmp_path / "slowed.lirl"
    short.write(file)
    assert not verify(written(tmp_path, LINE_AND_ARC)).feasible
    again = verify(file)  # its turning is told in it
    assert again.feasible
    assert again.plan.duration == short.after == short.verification.plan.duration
    assert short.before < short.after < 1.5 * short.before
    assert short.factor == pytest.approx(short.after / short.before)


def test_moves_that_are_feasible_keep_their_speed(short: PerMove) -> None:
    assert [move.line for move in short.moves] == [9, 10, 11]
    assert (short.moves[0].speed_factor, short.moves[0].acceleration_factor) == (1, 1)
    assert short.is_changed
    assert short.text.startswith(LINE_AND_ARC[: LINE_AND_ARC.index("speed=460")])
    assert (
        short.text.count(" acc_ori=28.64 c_speed;  { runs into the arc }") == short.text.count("acc_ori") == 1
    )
    assert "acc_ori=28.64 is written at the first path move: the tool turns gradually" in short.notes


def test_a_turn_acceleration_of_the_program_stays(tmp_path: Path) -> None:
    text = LINE_AND_ARC.replace("c_speed", "acc_ori=20 c_speed")
    found = per_move(written(tmp_path, text), turn_acceleration=TURNING)
    assert found.verification.feasible
    assert found.text.count("acc_ori") == found.text.count("acc_ori=20 c_speed") == 1
    assert not any("acc_ori" in note for note in found.notes)


def test_what_is_feasible_turns_gradually_if_so_told(tmp_path: Path) -> None:
    text = example_program("panda").read_text(encoding="utf-8")
    found = per_move(written(tmp_path, text), turn_acceleration=1.0)
    assert not found.is_changed
    assert found.text.replace(" acc_ori=57.29", "") == text != found.text


@pytest.mark.parametrize("turning", [0.0, -1.0, float("nan"), float("inf")])
def test_turn_accelerations_that_are_none(tmp_path: Path, turning: float) -> None:
    with pytest.raises(InputError, match=r"turn acceleration is .* expected a number above 0"):
        per_move(written(tmp_path, LINE_AND_ARC), turn_acceleration=turning)


def test_no_factor_can_be_raised(short: PerMove) -> None:
    steps = run_program(parse_program(short.text), LOLA15).steps
    tried = 0
    for k, move in enumerate(short.moves):
        for name in ("speed", "acceleration"):
            if getattr(move, f"{name}_factor") > 1 / RAISED:
                continue
            step = steps[k]
            assert isinstance(step, PathMove | PointToPoint)
            faster = [*steps[:k], replace(step, **{name: RAISED * getattr(step, name)}), *steps[k + 1 :]]
            assert not verify(plan(LOLA15, faster)).feasible, (move.line, name)
            tried += 1
    assert tried


def test_the_same_every_time(short: PerMove, tmp_path: Path) -> None:
    shares: list[float] = []
    again = per_move(
        written(tmp_path, LINE_AND_ARC), turn_acceleration=TURNING, margin=0.0, progress=shares.append
    )
    assert again.text == short.text
    assert shares == sorted(shares)
    assert shares[-1] == 1


def test_a_margin_is_left(short: PerMove, tmp_path: Path) -> None:
    margin = 0.2
    found = per_move(written(tmp_path, LINE_AND_ARC), turn_acceleration=TURNING, margin=margin)
    assert sample_shares(found.verification.demand, margin).max() <= 1
    assert sample_shares(found.verification.demand, margin).max() > 0.97
    assert found.after > short.after


def test_one_factor_for_all_turns_of_a_loop(palletising: PerMove) -> None:
    assert palletising.verification.feasible
    lines = {move.line: move for move in palletising.moves}
    assert [lines[line].executions for line in (17, 21, 25)] == [1, 3, 3]
    assert lines[25].acceleration_factor < 1
    assert lines[22].acceleration_factor == lines[36].speed_factor == 1
    assert "feeder + above speed=1500 acc=" in palletising.text
    assert "move lin feeder speed=800 acc=20000;" in palletising.text
    assert palletising.after < 1.1 * palletising.before


@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_a_feasible_program_stays_as_it_is(tmp_path: Path, mark: str) -> None:
    text = mark + example_program("panda").read_text(encoding="utf-8").replace("\n", "\r\n")
    found = per_move(written(tmp_path, text))
    out = tmp_path / "out.lirl"
    found.write(out)
    assert out.read_bytes() == text.encode()
    assert found.factor == 1
    assert not found.is_changed
    assert found.verification.feasible


def test_as_plain_data(short: PerMove) -> None:
    document = short.document()
    assert document["duration"] == {"before": short.before, "after": short.after}
    assert document["moves"][1]["line"] == 10
    assert 0 < document["moves"][1]["speed_factor"] <= 1


# What no speed mends --------------------------------------------------------------------------


def test_positions_out_of_range() -> None:
    robot = ad.load("panda")
    limits = robot.joints[0].limits.position
    assert limits is not None
    start = [limits[1] + 0.1, *robot.home[1:]]
    with pytest.raises(InfeasibleError, match=r"joint 1 has to go to .* \(line 11\): no speed helps"):
        per_move("panda", start=start)


def test_too_heavy_at_rest() -> None:
    robot = ad.load("ur5").with_payload(mass=40.0)
    with pytest.raises(
        InfeasibleError, match=r"gravity alone takes .* \(line \d+\): no speed helps"
    ) as caught:
        per_move("ur5_palletising", robot)
    found = caught.value
    assert found.quantity == "motor_torque"
    assert found.required is not None
    assert found.limit is not None
    assert abs(found.required) > found.limit


def test_a_margin_that_holding_needs() -> None:
    robot = ad.load("ur5").with_payload(mass=9.0)
    with pytest.raises(InfeasibleError, match="no speed helps"):
        per_move("ur5_palletising", robot, margin=0.5)


@pytest.mark.parametrize("margin", [-0.1, 1.0, float("nan")])
def test_margins_that_are_none(margin: float) -> None:
    with pytest.raises(InputError, match="margin is"):
        per_move("lola15", margin=margin)


def test_samples_have_no_moves() -> None:
    with pytest.raises(InputError, match=r"samples\.csv: joint samples have no moves"):
        per_move("samples.csv")


# The Lola 15 program --------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(("turning", "longest"), [(None, 185.0), (2.0, 40.0), (0.5, 13.5)])
def test_the_printed_speeds_of_lola15(turning: float | None, longest: float) -> None:
    found = per_move("lola15", turn_acceleration=turning)
    assert found.verification.feasible
    assert found.before == pytest.approx(11.496, abs=1e-3)
    assert found.before < found.after < longest
    np.testing.assert_array_less(0, [move.speed_factor for move in found.moves])
    assert [move.speed_factor for move in found.moves[-2:]] == [1, 1]
    assert any("acc_ori or a turn acceleration spreads it" in note for note in found.notes) == (
        turning is None
    )

"""What is offered to make a program feasible has been tried."""

import math
from pathlib import Path

import pytest

import armdyn as ad
from armdyn.feasibility import Verification, Work, verify
from armdyn.feasibility.findings import Findings
from armdyn.program import example_program, parse_program
from armdyn.retiming import retime
from armdyn.studio.answers.programs import slower_text
from armdyn.studio.jobs.remedies import SLOWEST, Attempt, remedies
from armdyn.studio.runs.suggestions import suggestions

PTP = """program swing;
seq
move ptp joint(mainjoint(60, -30, 20, 0, 0, 0)) speed_ptp=1 acc_ptp=1 act_rob="lola15";
move ptp joint(mainjoint(-60, 20, -30, 0, 0, 0));
endseq
endprogram
"""


def attempts(text: str, robot: ad.Robot, file: Path) -> Attempt:
    def attempt(shares: dict[int, float], turning: float | None) -> Verification:
        mended = slower_text(parse_program(text, file.name), robot, shares, turning)
        file.write_text(mended, encoding="utf-8")
        return verify(file, robot)

    return attempt


@pytest.fixture(scope="module")
def lola(tmp_path_factory: pytest.TempPathFactory) -> tuple[Verification, Attempt]:
    text = example_program("lola15").read_text(encoding="utf-8")
    attempt = attempts(text, ad.load("lola15"), tmp_path_factory.mktemp("lola") / "lola15.lirl")
    return attempt({}, None), attempt


def test_a_tool_that_turns_gradually_saves_lola_15(lola: tuple[Verification, Attempt]) -> None:
    found, attempt = lola
    (best,) = remedies(found, attempt)  # slower lines alone would have to creep
    assert best.turn_acceleration == math.radians(25)
    assert best.cycle_time < 1.3 * found.plan.duration
    again = attempt(dict(best.shares), best.turn_acceleration)
    assert again.feasible  # the text alone
    assert "speed=760 acc=1000 acc_ori=25 c_ori=o_pco" in again.source
    assert again.plan.duration == best.cycle_time
    assert not attempt(dict(best.shares), None).feasible


def test_what_costs_least_comes_first_with_its_cost(lola: tuple[Verification, Attempt]) -> None:
    found, attempt = lola
    first, *others = suggestions(Findings(found), remedies(found, attempt))
    assert first.label.startswith("Turn the tool gradually between moves, run 7 lines slower")
    assert first.cycle_time is not None
    assert first.cost.startswith(f"{first.cycle_time:.2f}")
    assert "instead of 11.496 s" in first.cost
    assert "the program says acc_ori=25" in first.cost
    one_speed = retime(Work(found.plan), mode="uniform")
    assert [each.cycle_time for each in others] == [None, one_speed.duration, None]
    assert others[1].cost.startswith("86.5")
    assert all(each.cost for each in others)


def test_where_nothing_jumps_a_line_runs_slower(tmp_path: Path) -> None:
    robot = ad.load("lola15").with_payload(25, (0, 0, 0.1))
    attempt = attempts(PTP, robot, tmp_path / "swing.lirl")
    (only,) = remedies(attempt({}, None), attempt)
    assert only.turn_acceleration is None
    assert list(only.shares) == [4]
    assert SLOWEST < only.shares[4] < 1


def test_a_feasible_program_needs_nothing(tmp_path: Path) -> None:
    attempt = attempts(PTP, ad.load("lola15"), tmp_path / "swing.lirl")
    assert remedies(attempt({4: 0.5}, None), attempt) == ()

"""The estimate of the time left: from what was measured."""

import pytest

from armdyn.sweep import progress
from armdyn.sweep.progress import Pace


@pytest.fixture
def clock(monkeypatch):
    now = [0.0]
    monkeypatch.setattr(progress, "monotonic", lambda: now[0])
    return now


def test_at_first_the_timed_rows_are_the_measure(clock):
    at = Pace(0, 1000, 50.0).at(0)
    assert (at.rate, at.left) == (50.0, 20.0)


def test_rows_from_before_do_not_count_as_fast(clock):
    pace = Pace(900, 1000, None)
    clock[0] = 10.0
    at = pace.at(910)
    assert at.rate == pytest.approx(1.0)
    assert at.left == pytest.approx(90.0)


def test_a_machine_that_slows_down_is_seen_within_a_minute_or_some_chunks(clock):
    pace = Pace(0, 10**6, None)
    for k in range(1, 200):
        clock[0] = float(k)
        pace.at(100 * k)
    for k in range(1, 100):
        clock[0] = 199.0 + k
        pace.at(19900 + 10 * k)
    assert pace.at(19900 + 990).rate == pytest.approx(10.0, rel=0.05)


def test_a_crew_that_answers_no_more_slows_down(clock):
    pace = Pace(0, 1000, None)
    for k in (1, 2, 3):
        clock[0] = float(k)
        pace.at(10 * k)
    clock[0] = 103.0
    assert pace.at(30).rate == pytest.approx(0.3, rel=0.1)

"""What is lost, late, or begins anew is noticed."""

import numpy as np

from armdyn.studio.live.arrival import Arrival
from armdyn.studio.live.continuity import Continuity
from armdyn.studio.live.telemetry import Sample


def fed(*given: tuple[int, float]) -> tuple[Continuity, list[str]]:
    continuity = Continuity()
    return continuity, [continuity.take(Sample(k, time, np.zeros(1))) for k, time in given]


def regular(first: int, last: int) -> list[tuple[int, float]]:
    return [(k, k / 100) for k in range(first, last)]


def test_a_regular_stream_has_nothing_to_complain_of() -> None:
    continuity, verdicts = fed(*regular(0, 100))
    assert verdicts == ["anew"] + ["next"] * 99
    assert vars(continuity.counts) == {"received": 100, "lost": 0, "gaps": 0, "late": 0, "refused": 0}
    assert continuity.period is not None
    assert abs(continuity.period - 0.01) < 1e-9


def test_lost_and_late_samples_are_counted() -> None:
    order = [*regular(0, 50), (52, 0.52), (51, 0.51), (52, 0.52), *regular(53, 60)]
    continuity, verdicts = fed(*order)
    assert verdicts[50:53] == ["next", "late", "late"]
    assert (continuity.counts.lost, continuity.counts.late, continuity.counts.gaps) == (2, 2, 0)


def test_a_long_silence_is_a_gap() -> None:
    continuity, verdicts = fed(*regular(0, 50), (50, 0.56), *[(k, k / 100 + 0.06) for k in range(51, 60)])
    assert verdicts[50] == "anew"
    assert continuity.counts.gaps == 1
    assert continuity.counts.lost == 0


def test_a_sender_that_becomes_slower_is_believed() -> None:
    slow = [(50 + k, 0.5 + 0.2 * k) for k in range(100)]
    continuity, verdicts = fed(*regular(0, 50), *slow)
    assert verdicts[-20:] == ["next"] * 20
    assert continuity.period is not None
    assert abs(continuity.period - 0.2) < 1e-9


def test_a_sender_that_starts_again_begins_anew() -> None:
    continuity, verdicts = fed(*[(k, k / 100) for k in range(5000, 5050)], (0, 0.0), *regular(1, 5))
    assert verdicts[50:] == ["anew", "next", "next", "next", "next"]
    continuity, verdicts = fed(*regular(200, 250), (250, 0.5))  # the clock was set back by 2 s
    assert verdicts[-1] == "anew"
    continuity, _ = fed(*regular(0, 50))
    continuity.reconnect()
    assert continuity.take(Sample(0, 0.0, np.zeros(1))) == "anew"  # not late: another program
    continuity.reconnect()
    assert continuity.take(Sample(1, 0.01, np.zeros(1))) == "next"  # the same program goes on


def test_arrivals_tell_rate_and_lateness() -> None:
    arrival = Arrival()
    for k in range(300):
        arrival.mark(100 + k / 100 + (0.03 if k == 299 else 0), k / 100)
    assert abs(arrival.rate(103.02) - 100) < 1
    assert abs(arrival.behind - 0.03) < 1e-9
    assert arrival.rate(110.0) == 0
    arrival.restart()
    arrival.mark(110, 500)
    assert arrival.behind == 0

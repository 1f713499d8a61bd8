"""Random robots beside Pinocchio and MuJoCo: a sample here, thousands with `make slow`."""

from itertools import pairwise
from pathlib import Path

import pytest

from engines.survey import KINDS, survey

SAMPLE = {"small": 3, "small extreme": 3, "small derivatives": 1, "small extreme derivatives": 1, "middle": 1}
"""Robots of each kind in the default suite: a few seconds."""
THOROUGH = {
    "small": 800,
    "small extreme": 800,
    "small derivatives": 120,
    "small extreme derivatives": 60,
    "middle": 120,
    "middle extreme": 120,
    "large": 30,
    "large extreme": 30,
}
BATCH = 20
"""Robots of one slow test, so that several processes share the work."""


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where MuJoCo leaves a log of its warnings."""
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("kind", SAMPLE)
def test_a_sample_of_robots_agrees(kind: str) -> None:
    seen = survey(kind, range(SAMPLE[kind]))
    assert seen.robots == SAMPLE[kind]
    assert {peer for _, peer in seen.worst} >= {"pinocchio", "mujoco"}


def batches(kind: str) -> list[tuple[str, int, int]]:
    """Seeds from 1000 on: others than the sample's."""
    bounds = [*range(1000, 1000 + THOROUGH[kind], BATCH), 1000 + THOROUGH[kind]]
    return [(kind, first, last) for first, last in pairwise(bounds)]


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "first", "last"), [batch for kind in KINDS for batch in batches(kind)])
def test_thousands_of_robots_agree(kind: str, first: int, last: int) -> None:
    survey(kind, range(first, last))


def test_the_slow_suite_has_thousands() -> None:
    assert sum(THOROUGH.values()) >= 2000
    assert set(THOROUGH) == set(KINDS)

"""One row of the benchmark: a quantity of a robot by armdyn, beside one peer or alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from armdyn.native.instructions import floating_point_instructions
from armdyn.studies.speed.peaks import Peak
from armdyn.studies.speed.quantities import bytes_moved, operations
from armdyn.studies.speed.robots import Subject
from armdyn.studies.speed.timing import NANOSECONDS, Times

KINDS = ("multiplications", "additions", "divisions", "trigonometric")


@dataclass(frozen=True)
class Contest:
    """What is measured at the same time: a quantity of one robot, by all who can compute it."""

    subject: Subject
    quantity: str
    states: int
    """In one call; one is a single call, without batch axis."""
    threads: int


@dataclass(frozen=True)
class Work:
    """What one state takes armdyn."""

    counts: Mapping[str, int]
    """Operations by kind."""
    instructions: int
    """Of floating-point arithmetic, in the compiled kernel; a fused multiply-add is one."""
    bytes_moved: int

    @classmethod
    def of(cls, contest: Contest) -> Work:
        """The work of a contest's quantity."""
        graph = contest.subject.program(contest.quantity)
        moved = bytes_moved(contest.subject.signature(contest.quantity))
        return cls(graph.counts(), floating_point_instructions(graph), moved)


@dataclass(frozen=True)
class Beside:
    """What a peer took for the same."""

    name: str
    label: str
    """The functions that were called."""
    times: Times
    difference: float
    """The largest difference of its results from ours, relative to the largest of ours."""


@dataclass(frozen=True)
class Row:
    """What came out of a contest for armdyn and one peer, or armdyn alone."""

    contest: Contest
    ours: Times
    work: Work
    peak: Peak
    beside: Beside | None = None

    def document(self) -> dict[str, Any]:
        """As an object of JSON; times are of one state [ns], ratios the peer's to ours."""
        contest, dynamics = self.contest, self.contest.subject.dynamics
        return {
            "quantity": contest.quantity,
            "robot": contest.subject.name,
            **self._times(),
            "states": contest.states,
            "threads": contest.threads,
            "motors": dynamics.motors,
            "friction": dynamics.friction,
            "joints": dynamics.n,
            "rounds": len(self.ours.samples),
            **self._work(),
        }

    def _times(self) -> dict[str, Any]:
        states, beside = self.contest.states, self.beside
        theirs = None if beside is None else beside.times
        return {
            "ours_ns": self.ours.best / states,
            "peer": beside and beside.name,
            "peer_ns": theirs and theirs.best / states,
            "ratio": theirs and theirs.best / self.ours.best,
            "ours_median_ns": self.ours.median / states,
            "peer_median_ns": theirs and theirs.median / states,
            "median_ratio": theirs and theirs.median_ratio(self.ours),
            "peer_call": beside and beside.label,
            "peer_difference": beside and beside.difference,
        }

    def _work(self) -> dict[str, Any]:
        """Operations, and how near a batch comes to what the machine can do."""
        counts, ns = self.work.counts, self.ours.best / self.contest.states
        instructions, moved = self.work.instructions, self.work.bytes_moved
        batch, per_second = self.contest.states > 1, NANOSECONDS / ns
        return {
            **{kind: counts[kind] for kind in KINDS},
            "operations": operations(counts),
            "ns_per_operation": ns / max(operations(counts), 1),
            "floating_point_instructions": instructions,
            "fma_share": instructions * per_second / self.peak.fma if instructions and batch else None,
            "bytes": moved,
            "bandwidth_share": moved * per_second / self.peak.bandwidth if batch else None,
        }

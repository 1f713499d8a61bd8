"""The contests: armdyn and every peer that agrees with it, taking turns."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from armdyn.errors import InputError
from armdyn.scalars import Array
from armdyn.studies.speed.peaks import Peak
from armdyn.studies.speed.peers import PEERS, Model, Peer
from armdyn.studies.speed.robots import State, Subject
from armdyn.studies.speed.rows import Beside, Contest, Row, Work
from armdyn.studies.speed.timing import Call, Effort, take_turns

AGREEMENT = 1e-8
"""Relative: who differs by more computes something else, and is not timed."""

Progress = Callable[[Sequence[Contest]], Iterable[Contest]]
"""What hands out the contests, one after another, and may show how far it is."""


@dataclass
class Measured:
    """Rows, and sentences about what was left out."""

    rows: list[Row] = field(default_factory=list[Row])
    notes: list[str] = field(default_factory=list[str])


def found_peers() -> list[Peer]:
    """Those that are installed."""
    return [peer for peer in PEERS if peer.available()]


def measure(
    contests: Sequence[Contest],
    effort: Effort,
    peaks: Mapping[int, Peak],
    *,
    peers: Sequence[Peer] | None = None,
    progress: Progress = iter,
) -> Measured:
    """The rows of all contests; those of one robot should follow one another."""
    measured, chosen = Measured(), found_peers() if peers is None else peers
    lineup: Lineup | None = None
    for contest in progress(contests):
        if lineup is None or lineup.subject is not contest.subject:
            lineup = Lineup(contest.subject, chosen, measured.notes)
        measured.rows += lineup.rows(contest, effort, peaks[contest.threads])
    return measured


class Lineup:
    """One robot, and the models that peers have of it."""

    def __init__(self, subject: Subject, peers: Sequence[Peer], notes: list[str]) -> None:
        """Notes take a sentence about everyone who cannot take part."""
        self.subject = subject
        self._peers = () if subject.reason_without_peers else tuple(peers)
        self._notes = notes
        self._states: dict[int, State] = {}

    @cached_property
    def _models(self) -> dict[str, Model]:
        models: dict[str, Model] = {}
        for peer in self._peers:
            try:
                models[peer.name] = peer.prepare(self.subject)
            except InputError as error:
                self._notes.append(f"{peer.name} is left out: {error}")
        return models

    def rows(self, contest: Contest, effort: Effort, peak: Peak) -> list[Row]:
        """A row for every peer that agrees, or one without a peer."""
        state = self._state(contest.states)
        ours = our_call(contest, state)
        others = self._agreeing(contest, state, ours)
        first, *theirs = take_turns([ours, *(call for _, call, _ in others)], effort)
        work = Work.of(contest)
        return [
            Row(contest, first, work, peak, Beside(name, call.label, times, difference))
            for (name, call, difference), times in zip(others, theirs, strict=True)
        ] or [Row(contest, first, work, peak)]

    def _state(self, count: int) -> State:
        if count not in self._states:
            self._states[count] = self.subject.state(count)
        return self._states[count]

    def _agreeing(self, contest: Contest, state: State, ours: Call) -> list[tuple[str, Call, float]]:
        """Peers with their calls, and how far their results are from ours."""
        expected, found = ours.results(), list[tuple[str, Call, float]]()
        for name, model in self._models.items():
            call = model(contest.quantity, state, contest.threads)
            if call is None:
                continue
            difference = relative_difference(call.results(), expected)
            if difference <= AGREEMENT:
                found.append((name, call, difference))
            else:
                what = f"{contest.quantity} of {self.subject.name} by {call.label}"
                self._notes.append(f"{name} is not timed: {_refusal(what, difference)}")
        return found


def _refusal(what: str, difference: float) -> str:
    return f"{what} differs from ours by {difference:.1e} relative, expected {AGREEMENT:.0e} at most"


def our_call(contest: Contest, state: State) -> Call:
    """armdyn as a user calls it: one state plainly, a batch into arrays made beforehand."""
    signature = contest.subject.signature(contest.quantity)
    dynamics, name = contest.subject.dynamics, contest.quantity
    inputs = state.inputs(given for given, _ in signature.inputs)
    if state.single:
        return Call(f"Dynamics.{name}", dynamics, name, inputs)
    outs = [np.empty((state.count, *shape)) for shape in signature.results]
    out = outs[0] if len(outs) == 1 else tuple(outs)
    options = {"out": out} if contest.threads == 1 else {"out": out, "threads": contest.threads}
    return Call(f"Dynamics.{name}", dynamics, name, inputs, options)


def relative_difference(theirs: Sequence[Array], ours: Sequence[Array]) -> float:
    """The largest over all results, each relative to its own largest element; infinite if shapes differ."""
    if len(theirs) != len(ours):
        return np.inf
    return max(_difference(a, b) for a, b in zip(theirs, ours, strict=True))


def _difference(theirs: Array, ours: Array) -> float:
    if theirs.size != ours.size:
        return np.inf
    scale = float(np.abs(ours).max()) or 1.0
    difference = float(np.abs(theirs.reshape(ours.shape) - ours).max()) / scale
    return difference if np.isfinite(difference) else np.inf

"""Chunks handed to a crew until all have come back, whatever dies on the way."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterator

from armdyn.sweep.chunks import Chunk
from armdyn.sweep.crew.outcomes import Crew, Faulty, Lost, Outcome
from armdyn.sweep.results import FailedRows
from armdyn.sweep.workbench import Computed

IN_FLIGHT = 2
"""Chunks that every worker has: one in work, one waiting."""
TRIES = 3
"""Deaths of workers after which a chunk is taken to be why."""
PATIENCE = 0.2
"""[s] between two looks at whether to stop."""


class Run:
    """A sweep under way."""

    def __init__(
        self, crew: Crew, chunks: Iterator[Chunk], take: Callable[[Computed], None], failed: list[FailedRows]
    ) -> None:
        """Of chunks that are missing; `take` keeps what comes back, `failed` what does not."""
        self._crew, self._chunks, self._take, self._failed = crew, chunks, take, failed
        self._again: deque[Chunk] = deque()
        self._alone: deque[Chunk] = deque()
        self._losses: Counter[int] = Counter()
        self._in_flight = 0

    def until_done(self, stopping: Callable[[], bool], each: Callable[[], None]) -> bool:
        """Whether it came to its end before it was asked to stop; `each` is called now and then."""
        while not stopping():
            self._hand_out()
            if not self._in_flight:
                return True
            for outcome in self._crew.outcomes(PATIENCE):
                self._in_flight -= 1
                self._account(outcome)
            each()
        return False

    def _hand_out(self) -> None:
        while self._in_flight < IN_FLIGHT * self._crew.size and (chunk := self._next()) is not None:
            self._crew.submit(chunk)
            self._in_flight += 1

    def _next(self) -> Chunk | None:
        if self._again:
            return self._again.popleft()
        chunk = next(self._chunks, None)
        if chunk is None and self._alone and not self._in_flight:  # nobody else can be why its worker dies
            return self._alone.popleft()
        return chunk

    def _account(self, outcome: Outcome) -> None:
        match outcome:
            case Computed():
                self._take(outcome)
            case Faulty(chunk, why):
                self._fail(chunk, f"a fault in armdyn itself, please report it ({why})")
            case Lost(chunk, suspect, why):
                self._losses[chunk.number] += suspect
                losses = self._losses[chunk.number]
                if losses >= TRIES:
                    self._fail(chunk, f"its worker process died {losses} times; the last {why}")
                else:
                    (self._alone if losses == TRIES - 1 else self._again).append(chunk)

    def _fail(self, chunk: Chunk, why: str) -> None:
        self._failed.append(FailedRows(chunk.first, chunk.stop - 1, why))

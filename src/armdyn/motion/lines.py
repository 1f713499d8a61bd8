"""Lines of a program: what is wrong with a move is said with the line that it stands in."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

from armdyn.errors import InputError, PlanError


@contextmanager
def at_line(line: int) -> Generator[None]:
    """Let a wrong number know the line of its move."""
    try:
        yield
    except InputError as error:
        raise PlanError(str(error), line=line) from error

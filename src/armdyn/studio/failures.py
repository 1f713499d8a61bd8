"""Errors as the page is told of them: the sentences of the command line, with their places."""

from __future__ import annotations

from armdyn.errors import ArmdynError, ProgramError
from armdyn.studio.folder import FileConflictError
from armdyn.studio.messages.answers import Failure

LONGEST = 2000
"""Characters of a sentence."""


def failure_of(error: ArmdynError) -> Failure:
    """An error of armdyn, and where in a program it is, if it knows."""
    line = getattr(error, "line", None) or None
    column = error.column if isinstance(error, ProgramError) else None
    conflict = isinstance(error, FileConflictError)
    return Failure(message=_short(str(error)), line=line, column=column, conflict=conflict)


def fault(error: BaseException) -> Failure:
    """A mistake of armdyn itself."""
    what = f"{type(error).__name__}: {error}"
    return Failure(message=_short(f"a fault in armdyn itself, please report it ({what})"))


def _short(sentence: str) -> str:
    return " ".join(sentence.split())[:LONGEST]

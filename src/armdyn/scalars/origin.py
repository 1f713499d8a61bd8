"""What an equation is working on: a graph notes it beside every operation that is traced meanwhile.

Nothing is computed from it. It says which body, or which part of the mathematics, an operation stems from,
for whoever writes a program down for people to read. An operation that is met again keeps its first origin.
"""

from __future__ import annotations

from contextvars import ContextVar

_ORIGIN: ContextVar[str | None] = ContextVar("origin", default=None)

noted = _ORIGIN.get
"""What is being worked on, None if nobody has said."""


def note(origin: str | None) -> None:
    """Say what is worked on from now on."""
    _ORIGIN.set(origin)

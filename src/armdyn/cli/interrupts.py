"""Being asked to stop, by Ctrl-C or a termination: taken note of until work can be left in good order."""

from __future__ import annotations

import signal
import threading
from collections.abc import Generator
from contextlib import contextmanager
from types import FrameType

SIGNALS = (signal.SIGINT, signal.SIGTERM)
SHELL_CODE = 128
"""What shells add to the number of the signal that ended a program."""


class Interrupted(Exception):  # noqa: N818  no mistake of anyone
    """A command was stopped on its way; the sentence says how far it came."""

    def __init__(self, message: str, code: int) -> None:
        """Keep the exit code beside the sentence."""
        self.code = code
        super().__init__(message)


class StopRequest:
    """Whether the user wants a command to stop; asked twice, it stops at once."""

    def __init__(self) -> None:
        """Not yet."""
        self.number: int | None = None

    @property
    def code(self) -> int:
        """The exit code: 130 for Ctrl-C, 143 for a termination."""
        return SHELL_CODE + (self.number or 0)

    def take(self, number: int, frame: FrameType | None) -> None:  # noqa: ARG002  as handlers are called
        """Take note of a signal."""
        if self.number is not None:
            raise KeyboardInterrupt
        self.number = number


@contextmanager
def stop_requests() -> Generator[StopRequest]:
    """Signals are taken note of instead of ending the program; one that the caller ignores stays ignored."""
    request = StopRequest()
    if threading.current_thread() is not threading.main_thread():  # only there signals can be handled
        yield request
        return
    taken = [number for number in SIGNALS if signal.getsignal(number) is not signal.SIG_IGN]
    before = {number: signal.signal(number, request.take) for number in taken}
    try:
        yield request
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)

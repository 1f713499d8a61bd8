"""Processes that are watched while they run: what they ask of the network, what they start."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

WATCHED = Path(__file__).parent / "watched"
WITHOUT_NETWORK = ("unshare", "--map-root-user", "--net")
"""In a network of its own in which nobody lives: even its loopback is down."""


@dataclass(frozen=True)
class Event:
    """Something a process asked for.

    Attributes:
        event: Python's name of it, as of an audit event.
        arguments: as text.
        own: whether it stays on this machine.
    """

    event: str
    arguments: tuple[str, ...]
    own: bool


class Watch:
    """A file of events, and the environment that makes processes write there."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / "events.jsonl"

    @property
    def environment(self) -> dict[str, str]:
        path = os.pathsep.join(filter(None, (str(WATCHED), os.environ.get("PYTHONPATH"))))
        return os.environ | {"PYTHONPATH": path, "WATCHED_EVENTS": str(self.file)}

    @property
    def events(self) -> list[Event]:
        lines = self.file.read_text(encoding="utf-8").splitlines() if self.file.exists() else []
        found = [json.loads(line) for line in lines]
        return [Event(one["event"], tuple(one["arguments"]), one["own"]) for one in found]

    @property
    def asked(self) -> list[Event]:
        """What was asked of the network, this machine's own addresses included."""
        return [event for event in self.events if not event.event.startswith(("subprocess", "os."))]

    @property
    def started(self) -> set[str]:
        """The programs that were started, without their folders."""
        started = [event for event in self.events if event.event.startswith(("subprocess", "os."))]
        return {Path(event.arguments[0]).name for event in started}

    def python(self, *arguments: str, folder: Path, before: Sequence[str] = ()) -> str:
        """Run Python, watched; what it printed."""
        run = subprocess.run(
            [*before, sys.executable, *arguments],
            env=self.environment,
            cwd=folder,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        assert run.returncode == 0, (arguments, run.stderr[-2000:])
        return run.stdout


def can_be_without_network() -> bool:
    """Whether this system lets us take the network away from a process."""
    if shutil.which("unshare") is None:
        return False
    return subprocess.run([*WITHOUT_NETWORK, "true"], capture_output=True, check=False).returncode == 0

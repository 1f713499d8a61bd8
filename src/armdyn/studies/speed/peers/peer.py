"""What a peer is: another library that computes the same quantities of the same robot."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from typing import Any

from armdyn.studies.speed.robots import State, Subject
from armdyn.studies.speed.timing import Call

Model = Callable[[str, State, int], Call | None]
"""(quantity, states, threads) -> the call that computes it; None if the library has none."""


@dataclass(frozen=True)
class Peer:
    """A library that may be installed."""

    name: str
    module: str
    """What is imported."""
    package: str
    """What pip installs."""
    prepare: Callable[[Subject], Model]
    """Its model of a robot; an InputError says why it can have none."""

    def available(self) -> bool:
        """Whether it is installed."""
        return find_spec(self.module) is not None

    def version(self) -> str:
        """Which version is installed."""
        return version(self.package)


def imported(module: str) -> Any:
    """A peer's module, its types unknown."""
    return import_module(module)

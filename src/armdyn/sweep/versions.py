"""What rows depend on besides their study: versions of what computes them, and the processor."""

from __future__ import annotations

import os
from importlib.metadata import version

from armdyn.studies.speed.machine import processor_name

PACKAGES = ("armdyn", "numpy", "scipy", "llvmlite")
SETTINGS = ("ARMDYN_NATIVE", "ARMDYN_SINES")
"""Environment variables that change last digits."""


def versions() -> dict[str, str]:
    """By name, of this process."""
    found = {package: version(package) for package in PACKAGES}
    return found | {name: os.environ[name] for name in SETTINGS if name in os.environ}


def processor() -> str:
    """The model of this machine's processor."""
    return processor_name()


def difference(ours: dict[str, str], theirs: dict[str, str]) -> str | None:
    """The first version in which two processes differ, in words."""
    for name in (*PACKAGES, *SETTINGS):
        if ours.get(name) != theirs.get(name):
            return f"{name} {theirs.get(name, 'not set')}, here it is {ours.get(name, 'not set')}"
    return None

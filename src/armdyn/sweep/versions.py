"""What rows depend on besides their study: versions of what computes them, and the processor."""

from __future__ import annotations

from importlib.metadata import version

from armdyn.native.setting import is_native
from armdyn.studies.speed.machine import processor_name

PACKAGES = ("armdyn", "numpy", "scipy", "llvmlite")
ENGINE = "engine"
"""Compiled code or NumPy, which differ in last digits."""


def versions() -> dict[str, str]:
    """By name, of this process."""
    engine = "native" if is_native() else "numpy"
    return {**{package: version(package) for package in PACKAGES}, ENGINE: engine}


def processor() -> str:
    """The model of this machine's processor."""
    return processor_name()


def difference(ours: dict[str, str], theirs: dict[str, str]) -> str | None:
    """The first version in which they differ from us, in words."""
    for name in (*PACKAGES, ENGINE):
        if ours.get(name) != theirs.get(name):
            return f"{name} {theirs.get(name)}, here it is {ours.get(name)}"
    return None

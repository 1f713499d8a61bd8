"""The machine that measures, by name."""

from __future__ import annotations

import os
import platform
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from armdyn.native.processor import host


def machine() -> dict[str, Any]:
    """Processor, cores, system and the versions that matter."""
    return {
        "processor": processor_name(),
        "vector_lanes": host().width,
        "cores": cores(),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "numpy": np.__version__,
        "armdyn": version("armdyn"),
    }


def cores() -> int:
    """How many processors this process may use at the same time."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def processor_name() -> str:
    """The processor's own name, where the system tells it."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text(encoding="utf-8").splitlines() if info.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()

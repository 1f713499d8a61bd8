"""What a process that forks must wait for, and what its child must forget: who was at work.

A child has the one thread that forked. A lock that another thread held is held for ever in it: LLVM's, that
of a module being imported, that of a cached property (which has one for all objects before Python 3.12).
"""

from __future__ import annotations

import os
import sys
from functools import cached_property
from threading import RLock
from typing import Any

LOCK = RLock()
"""Held by a thread while it makes a kernel; a process forks when nobody does."""


def _forget_properties_at_work() -> None:
    """New locks for armdyn's cached properties. What another thread was computing is computed again."""
    modules = [module for name, module in sys.modules.items() if name.partition(".")[0] == "armdyn"]
    classes = {one for module in modules for one in vars(module).values() if isinstance(one, type)}
    parts: list[Any] = [part for one in classes for part in vars(one).values()]
    for part in parts:
        if isinstance(part, cached_property):
            vars(part)["lock"] = RLock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=LOCK.acquire, after_in_parent=LOCK.release, after_in_child=LOCK.release)
    if sys.version_info < (3, 12):
        os.register_at_fork(after_in_child=_forget_properties_at_work)

"""What a process that forks must wait for: kernels that are being made."""

from __future__ import annotations

import os
from threading import RLock

LOCK = RLock()
"""Held by a thread while it makes a kernel. A process that another thread forks meanwhile would find locks of
LLVM, of a module that is being imported or of a cached property held for ever by a thread that it has not."""

if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=LOCK.acquire, after_in_parent=LOCK.release, after_in_child=LOCK.release)

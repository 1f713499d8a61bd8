"""Whether a folder is ours alone: machine code is run only from where nobody else could have put it.

As ssh asks of a key: the folder belongs to this user or to root and nobody else can write it. The same must
be true of everything above it, or who can write there could put another folder in its place. Sticky folders,
as /tmp, let nobody move what belongs to others; a group that has no other member is nobody else.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

OTHERS, GROUP = stat.S_IWOTH, stat.S_IWGRP


def distrusted(place: Path) -> str | None:
    """Why code in this folder must not be run, in words, or None; what does not exist yet is no danger."""
    if not hasattr(os, "geteuid"):
        return None
    named = place.absolute()  # not resolved: a link that others made may point anywhere
    for part in (named, *named.parents):
        if _exists(part) and not _is_owned(part.lstat()):
            return f"{part} belongs to another user"
    real = named.resolve()
    if _exists(real) and not is_private(real.stat()):
        return f"{real} can be written by others (mode {stat.S_IMODE(real.stat().st_mode):o})"
    for part in real.parents:
        if _exists(part) and not _is_safe_above(part.stat()):
            return f"{part}, above it, can be changed by others (mode {stat.S_IMODE(part.stat().st_mode):o})"
    return None


def is_private(status: os.stat_result) -> bool:
    """Whether nobody but this user, or root, could have put code there."""
    return not hasattr(os, "geteuid") or (_is_owned(status) and not status.st_mode & (OTHERS | GROUP))


def _exists(path: Path) -> bool:
    return os.path.lexists(path)


def _is_owned(status: os.stat_result) -> bool:
    return status.st_uid in (os.geteuid(), 0)


def _is_safe_above(status: os.stat_result) -> bool:
    if not _is_owned(status):
        return False
    if status.st_mode & stat.S_ISVTX:
        return True
    return not status.st_mode & OTHERS and (not status.st_mode & GROUP or _is_own_group(status.st_gid))


def _is_own_group(group: int) -> bool:
    """Whether the user's own group has no other member: many systems give every user one."""
    import grp
    import pwd

    try:
        user, found = pwd.getpwuid(os.geteuid()), grp.getgrgid(group)
    except KeyError:
        return False
    return user.pw_gid == group and found.gr_name == user.pw_name and set(found.gr_mem) <= {user.pw_name}

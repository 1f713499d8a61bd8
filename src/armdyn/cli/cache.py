"""`armdyn cache`: compiled kernels on disk."""

from __future__ import annotations

import time
from typing import Annotated

import typer

from armdyn.cli.options import JsonOption
from armdyn.cli.output import print_json, print_line


def cache(
    clear: Annotated[bool, typer.Option("--clear", help="Remove every compiled kernel.")] = False,
    json: JsonOption = False,
) -> None:
    """Show or clear the compiled kernels on disk."""
    from armdyn.native import cache as kept

    removed = kept.clear() if clear else None
    entries, folder, limit = kept.entries(), kept.folder(), kept.limit()
    total = sum(entry.size for entry in entries)
    oldest = min((entry.used for entry in entries), default=None)
    if json:
        print_json(
            {
                "folder": str(folder),
                "writable": kept.is_writable(),
                "unused": kept.unused(),
                "kernels": len(entries),
                "bytes": total,
                "limit_bytes": limit,
                "removed": removed,
            }
        )
        return
    if removed is not None:
        print_line(f"removed {removed} kernel{'' if removed == 1 else 's'}")
    unused = kept.unused()
    print_line(f"{folder}{'' if unused is None else f' (not used: {unused})'}")
    idle = "" if oldest is None else f", the oldest last used {(time.time() - oldest) / 86400:.0f} days ago"
    print_line(f"{len(entries)} kernels, {total / 1e6:.1f} MB of at most {limit / 1e6:.0f} MB{idle}")
    print_line("ARMDYN_CACHE names another folder, ARMDYN_CACHE_LIMIT another limit in bytes")

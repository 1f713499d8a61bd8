"""How far long work is, on standard error if that is a terminal."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager


@contextmanager
def shown_progress(what: str) -> Generator[Callable[[str, float], None]]:
    """A bar that is told which part is under way and which share is done; nothing where no terminal is."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda _part, _share: None
        return
    columns = (TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task(what, total=1.0)
        yield lambda part, share: progress.update(task, completed=share, description=f"{what}: {part}")

"""How far long work is, on standard error if that is a terminal."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from armdyn.sweep.progress import Progress


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


@contextmanager
def shown_rows(what: str) -> Generator[Callable[[Progress], None]]:
    """A bar for a sweep: rows, their speed, and the time left by the speed that was measured."""
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn
    from rich.progress import Progress as Bar

    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda _: None
        return
    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[pace]}"))
    with Bar(*columns, console=console, transient=True) as bar:
        task = bar.add_task(what, total=None, pace="")
        yield lambda at: bar.update(
            task, description=f"{what}: {at.phase}", completed=at.done, total=at.total, pace=_pace(at)
        )


def _pace(at: Progress) -> str:
    """How far, how fast, how long still."""
    parts = [f"{at.done:,} of {at.total:,}".replace(",", " ")]
    if at.rate is not None:
        parts.append(f"{at.rate:.3g} rows/s")
    if at.left is not None:
        parts.append(f"about {_duration(at.left)} left")
    return ", ".join(parts)


def _duration(seconds: float) -> str:
    """To two places: nobody knows better."""
    for unit, size in (("d", 86400), ("h", 3600), ("min", 60)):
        if seconds >= 2 * size:
            return f"{seconds / size:.0f} {unit}" if seconds >= 10 * size else f"{seconds / size:.1f} {unit}"
    return f"{seconds:.0f} s"

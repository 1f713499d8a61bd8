"""The parts that make a studio."""

from __future__ import annotations

from collections.abc import Sequence

from armdyn.studio.answers import files, programs, states
from armdyn.studio.jobs import part as jobs
from armdyn.studio.live.part import live_part
from armdyn.studio.router import Part


def parts() -> Sequence[Part]:
    """All of them; the order does not matter."""
    return (files.PART, states.PART, programs.PART, jobs.PART, live_part())

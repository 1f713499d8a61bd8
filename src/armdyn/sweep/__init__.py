"""Large studies: a quantity over thousands to billions of points, on many processes, resumable."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from armdyn.sweep.results import Sweep


class _Room(ModuleType):
    """`armdyn.sweep` is this room, and the function `sweep` to who calls it.

    Python puts an imported room under its name into `armdyn`, over whatever was there.
    """

    def __call__(self, study: Any, **options: Any) -> Sweep:
        """As `armdyn.sweep.sweep.sweep`."""
        from armdyn.sweep.sweep import sweep

        return sweep(study, **options)


sys.modules[__name__].__class__ = _Room

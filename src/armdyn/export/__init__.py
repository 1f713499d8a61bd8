"""The model elsewhere: C for controllers, FMUs, CasADi functions, URDF and TOML files.

`ad.export(robot, to, folder, ..)` is this room itself, called: a function of its name would vanish behind the
room as soon as somebody imports a part of it.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any


class _Room(ModuleType):
    """A module that does what its function of the same name does."""

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        from armdyn.export.export import export

        return export(*arguments, **options)


sys.modules[__name__].__class__ = _Room

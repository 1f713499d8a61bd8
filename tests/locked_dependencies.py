"""The generators' modules that read the locks, as tests import them."""

import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parent.parent
GENERATORS = ROOT / "docs" / "generators"


def generator(name: str) -> ModuleType:
    """A module of docs/generators, which is no package."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(GENERATORS))
        return sys.modules.get(name) or import_module(name)

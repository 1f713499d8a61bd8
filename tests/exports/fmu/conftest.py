"""FMUs that several tests use, each built once."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from armdyn.exports.fmu import export_fmu
from armdyn.robot import Robot

Exported = Callable[..., Path]


@pytest.fixture(scope="session")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Exported:
    """What exports a robot with options, and gives the FMU with a binary in it."""
    known: dict[Any, Path] = {}

    def one(robot: Robot | str, **options: Any) -> Path:
        key = (robot, *sorted(options.items()))
        if key not in known:
            done = export_fmu(robot, tmp_path_factory.mktemp("fmu"), **options)
            assert not done.lost
            (known[key],) = done.files
        return known[key]

    return one

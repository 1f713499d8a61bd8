"""Loading a robot by catalog name or file, and saving one."""

from __future__ import annotations

import os
from importlib import resources
from pathlib import Path
from typing import Any

from armdyn.errors import FormatError, InputError, UnknownRobotError
from armdyn.formats.reading import opened
from armdyn.formats.whole_file import whole_file
from armdyn.robot import Robot

LARGEST_FILE = 8 * 2**20
"""No robot file needs more bytes than this."""
LARGEST_TOML = 2 * 2**20
"""Nor one in TOML more than this: its tables take a hundred times as much memory while they are checked."""

SUFFIXES = (".toml", ".urdf")


def load(
    robot: str | os.PathLike[str], *, literal: bool = False, accept_unphysical: str | None = None
) -> Robot:
    """A robot by catalog name, or from a .toml or .urdf file.

    Args:
        robot: catalog name (`armdyn robots` lists them) or path.
        literal: keep a URDF's 1.5707963 as written instead of reading it as a right angle.
        accept_unphysical: why inertias that no body can have are accepted in this file.
    """
    text = os.fspath(robot)
    path = Path(text)
    if path.suffix.lower() in SUFFIXES:
        return _read(path, literal, accept_unphysical)
    name = _catalog_name(text)
    if name in catalog():
        from armdyn.formats.toml import read_toml

        return read_toml(_catalog_text(name), f"{name}.toml")
    if text and _exists(path):
        raise FormatError(
            f'unknown kind of robot file "{path.suffix}", expected .toml or .urdf', file=str(path)
        )
    raise UnknownRobotError(text, catalog())


def load_document(robot: str | os.PathLike[str], *, literal: bool = False) -> dict[str, Any]:
    """The tables of a robot by catalog name or file, as a .toml file has them: numbers, texts with units.

    Those of a URDF are what `save` would write; `read_document` makes robots of tables, changed or not.
    """
    from armdyn.formats.toml import write_toml
    from armdyn.formats.toml.parsing import parsed

    found, path = load(robot, literal=literal, accept_unphysical="checked when it is used"), Path(robot)
    if path.suffix.lower() == ".urdf":
        return parsed(write_toml(found), str(path))
    if path.suffix.lower() == ".toml":
        return parsed(_bytes(path).decode("utf-8-sig"), str(path))
    return parsed(_catalog_text(_catalog_name(os.fspath(robot))), f"{found.name}.toml")


def _catalog_name(text: str) -> str:
    """As the catalog spells it."""
    return text.lower().replace("-", "_").replace(" ", "_")


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):  # a name that no file can have
        return False


def catalog() -> tuple[str, ...]:
    """Names of the built-in robots."""
    folder = resources.files("armdyn.robot.catalog")
    return tuple(sorted(f.name.removesuffix(".toml") for f in folder.iterdir() if f.name.endswith(".toml")))


def _catalog_text(name: str) -> str:
    return (resources.files("armdyn.robot.catalog") / f"{name}.toml").read_text(encoding="utf-8")


def _read(path: Path, literal: bool, accept_unphysical: str | None) -> Robot:
    data = _bytes(path)
    if path.suffix.lower() == ".urdf":
        from armdyn.formats.urdf import read_urdf

        return read_urdf(data, str(path), literal=literal, accept_unphysical=accept_unphysical)
    from armdyn.formats.toml import read_toml

    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        said = f"not UTF-8 text (byte {error.start}), expected a robot file; save it so"
        raise FormatError(said, file=str(path)) from error
    return read_toml(text, str(path), accept_unphysical)


def _bytes(path: Path) -> bytes:
    largest = LARGEST_FILE if path.suffix.lower() == ".urdf" else LARGEST_TOML
    try:
        with opened(path) as file:
            data = file.read(largest + 1)
    except FileNotFoundError as error:
        raise FormatError("no such file", file=str(path)) from error
    except OSError as error:
        raise FormatError(f"cannot be read, {error.strerror or error}", file=str(path)) from error
    except ValueError as error:  # a null byte in the name
        raise FormatError(f"no file can have the name {str(path)!r}") from error
    if len(data) > largest:
        raise FormatError(f"larger than {largest // 2**20} MiB, no robot file is", file=str(path))
    return data


def save(robot: Robot, path: str | os.PathLike[str]) -> tuple[str, ...]:
    """Write a robot to a .toml or .urdf file; returns what the format cannot carry (TOML: nothing)."""
    target = Path(path)
    if target.suffix.lower() not in SUFFIXES:
        raise InputError(f'cannot save a robot as "{target.suffix}", expected .toml or .urdf')
    lost: tuple[str, ...] = ()
    if target.suffix.lower() == ".urdf":
        from armdyn.formats.urdf import write_urdf

        text, lost = write_urdf(robot)
    else:
        from armdyn.formats.toml import write_toml

        text = write_toml(robot)
    with whole_file(target) as file:
        file.write(text.encode("utf-8"))
    return lost

"""Motions as C: a header with the samples as constant arrays, for controllers that have no files."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

from armdyn.errors import InputError, ShapeError
from armdyn.formats.c_text import LONGEST_INSIDE, c_comment, c_name
from armdyn.formats.whole_file import whole_file
from armdyn.scalars import Array

SUFFIX = ".h"
UNITS = {
    "q": "joint positions [rad or m]",
    "qd": "joint velocities [rad/s or m/s]",
    "qdd": "joint accelerations [rad/s2 or m/s2]",
    "tau": "joint torques [N m or N]",
    "motor_torque": "motor torques [N m]",
}
"""What is written of a motion, and what it is."""


def write_motion_header(
    path: str | os.PathLike[str], time: ArrayLike, columns: Mapping[str, ArrayLike], about: str = ""
) -> None:
    """Write a motion as a C header (C99 and C++), all of it or nothing.

    Numbers have 17 digits, so that they are the same doubles again.

    Args:
        path: what is there already is replaced; its name gives the names in C.
        time: (t) instants [s].
        columns: by name, (t, ..) each, of which those in `UNITS` are written.
        about: what it is, for a comment.
    """
    file = Path(path)
    check_header(file)
    t = np.asarray(time, dtype=float)
    arrays = {name: np.asarray(columns[name], dtype=float) for name in UNITS if name in columns}
    for name, values in {"time": t, **arrays}.items():
        if len(values) != len(t):
            raise ShapeError(name, values.shape, f"there are {len(t)} instants", f"({len(t)}, ..)")
        if not np.isfinite(values).all():
            raise InputError(f"{name} has numbers that are not finite, expected finite ones")
    with whole_file(file) as sink:
        sink.write("\n".join(_lines(_name(file), t, arrays, about)).encode())


def check_header(file: Path) -> None:
    """Refuse a name that is not of a header."""
    if file.suffix.lower() != SUFFIX:
        raise InputError(f'header "{file}" ends in "{file.suffix}", expected {SUFFIX}')


def _name(file: Path) -> str:
    """A name in C for what the file holds."""
    return c_name(file.stem, LONGEST_INSIDE, "motion").lower()


def _lines(name: str, time: Array, arrays: Mapping[str, Array], about: str) -> Iterator[str]:
    guard = f"ARMDYN_{name.upper()}_H"
    said = c_comment(about)
    yield f"/* {said or 'A motion'}: {len(time)} samples, SI units. Written by armdyn. */"
    yield f"#ifndef {guard}"
    yield f"#define {guard}"
    yield ""
    yield f"#define {name.upper()}_SAMPLES {len(time)}"
    joints = arrays["q"].shape[1] if "q" in arrays else 0
    yield f"#define {name.upper()}_JOINTS {joints}"
    yield ""
    yield "/* instants [s] */"
    yield f"static const double {name}_time[{len(time)}] = {{"
    yield ",\n".join(f"    {value:.17g}" for value in time.tolist())
    yield "};"
    for key, values in arrays.items():
        yield ""
        yield f"/* {UNITS[key]} */"
        yield f"static const double {name}_{key}[{len(values)}][{values.shape[1]}] = {{"
        yield ",\n".join(f"    {{{', '.join(f'{x:.17g}' for x in row)}}}" for row in values.tolist())
        yield "};"
    yield ""
    yield f"#endif /* {guard} */"
    yield ""

"""A robot as C: a source file and its header, a self-test, an example, and how to build them."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from importlib.metadata import version

from armdyn.dynamics.traced import Traced
from armdyn.exports.c.functions import OPEN_AT_REST, CFunction, c_functions, prefix_for
from armdyn.exports.c.header import header_text
from armdyn.exports.c.project import cmake_text, example_text, has_example
from armdyn.exports.c.quantities import USUAL, checked
from armdyn.exports.c.selftest import selftest_text
from armdyn.exports.c.setting import Setting
from armdyn.exports.c.sines import sines_text
from armdyn.exports.exported import Exported
from armdyn.exports.folder import made_folder, write
from armdyn.formats.c_text import c_comment
from armdyn.mechanics.methods import MethodName
from armdyn.mechanics.tree.motors import MotorModel
from armdyn.robot import Robot


def export_c(
    robot: Robot,
    folder: str | os.PathLike[str],
    *,
    quantities: Sequence[str] = USUAL,
    single: bool = False,
    motors: MotorModel | None = None,
    friction: bool = False,
    method: MethodName | None = None,
    payload: bool = False,
    wrench: bool = False,
    at: bool = False,
    base: bool = False,
    prefix: str | None = None,
) -> Exported:
    """Write a robot's quantities as C99 that needs nothing but <math.h>; the same files for the same robot.

    Args:
        robot: what moves; its payloads are folded in.
        folder: where files go; it is made if it is not there, and what has the same name is replaced.
        quantities: names of quantities of `Dynamics`, and `rk4_step` and the other steps in time.
        single: whether numbers are floats, throughout.
        motors: how much of the drives the equations see; by default the best the robot's data support.
        friction: whether torques and accelerations include friction.
        method: the formulation, as for `Dynamics`.
        payload: whether functions take a payload as an argument.
        wrench: whether functions take what the tool exerts on its surroundings.
        at: whether they take the point where that acts, or that is looked at.
        base: whether they take the motion of the base.
        prefix: with which names begin; by default the robot's name.
    """
    files, lost = c_files(
        robot,
        quantities=quantities,
        single=single,
        motors=motors,
        friction=friction,
        method=method,
        payload=payload,
        given=tuple(k for k, asked in (("wrench", wrench), ("at", at), ("base", base)) if asked),
        prefix=prefix,
    )
    place = made_folder(folder)
    return Exported(tuple(write(place / name, text.encode("ascii")) for name, text in files.items()), lost)


def c_files(
    robot: Robot,
    *,
    quantities: Sequence[str] = USUAL,
    single: bool = False,
    motors: MotorModel | None = None,
    friction: bool = False,
    method: MethodName | None = None,
    payload: bool = False,
    given: tuple[str, ...] = (),
    prefix: str | None = None,
) -> tuple[Mapping[str, str], tuple[str, ...]]:
    """The texts of all files by name, and what could not be taken along."""
    names = checked(quantities)
    traced = Traced(robot, motors, friction, method)
    begins = prefix_for(robot.name, names, prefix)
    setting = Setting(traced, begins, "single" if single else "double", given, payload)
    functions = c_functions(setting, names)
    written = f"Written by armdyn {version('armdyn')}."
    files = {
        f"{begins}.h": header_text(setting, functions, written),
        f"{begins}.c": _source(setting, functions, written),
        f"{begins}_selftest.c": selftest_text(setting, functions, written),
    }
    if has_example(functions):
        files[f"{begins}_example.c"] = example_text(setting, functions, written)
    files["CMakeLists.txt"] = cmake_text(setting, functions, written)
    return files, _lost(setting, functions)


def _source(setting: Setting, functions: Sequence[CFunction], written: str) -> str:
    title = c_comment(f"The dynamics of {setting.traced.robot.name}; {setting.prefix}.h says what is what.")
    parts = [f"/* {title} {written} */", "", "#include <math.h>", "", f'#include "{setting.prefix}.h"', ""]
    calls = any("sine_cosine(" in function.text for function in functions)
    texts = [sines_text(setting.precision)] if calls else []
    return "\n".join([*parts, *texts, *(function.text for function in functions)])


def _lost(setting: Setting, functions: Sequence[CFunction]) -> tuple[str, ...]:
    """What C does not do that `Dynamics` does."""
    traced = setting.traced
    lost: list[str] = []
    open_ = [function.name for function in functions if function.quantity in OPEN_AT_REST]
    if traced.can_stick and open_:
        lost.append(
            f"{', '.join(open_)}: states in which dry friction holds something return a status instead"
        )
    if traced.can_stick and setting.numbers.single and any(f.quantity == "forward" for f in functions):
        lost.append(
            "forward in single precision: what several friction points hold together may stay undecided, "
            "which the status says"
        )
    if not traced.friction and Traced(traced.robot, traced.motors, True).points:
        lost.append("friction: it is off, torques and accelerations are without it")
    return tuple(lost)

"""What stands around the functions: how they are built, and an example that uses them."""

from __future__ import annotations

from collections.abc import Sequence

from armdyn.exports.c.function import arguments
from armdyn.exports.c.functions import CFunction
from armdyn.exports.c.setting import Setting
from armdyn.exports.c.templates import filled
from armdyn.formats.c_text import c_comment

SWING = 0.3
"""How far a joint of the example swings, at most [rad]; a sliding one a third of it [m]."""


def cmake_text(setting: Setting, functions: Sequence[CFunction], written: str) -> str:
    """CMakeLists.txt."""
    prefix = setting.prefix
    example = ""
    if has_example(functions):
        example = (
            f"\nadd_executable({prefix}_example {prefix}_example.c)\n"
            f"target_link_libraries({prefix}_example PRIVATE {prefix})\n"
        )
    return filled("CMakeLists.txt", prefix=prefix, written=written, example=example)


def has_example(functions: Sequence[CFunction]) -> bool:
    """Whether there is what the example needs: a controller and an arm."""
    return {"inverse", "forward"} <= {function.quantity for function in functions}


def example_text(setting: Setting, functions: Sequence[CFunction], written: str) -> str:
    """A control loop at 1 kHz."""
    n, robot = setting.numbers.constant, setting.traced.robot
    inverse = next(function for function in functions if function.quantity == "inverse")
    more = [a for a in arguments(inverse.signature)[0] if a.name not in ("q", "qd", "qdd")]
    extra = [f"static const {a.declared('real')} = {{{n(0.0)}}};\n" for a in more]
    turning = [joint.kind == "revolute" for joint in robot.joints]
    return filled(
        "example.c",
        robot=c_comment(robot.name),
        written=written,
        prefix=setting.prefix,
        macro=setting.prefix.upper(),
        type=setting.numbers.type,
        extra="".join(["/* What else there may be: nothing. */\n", *extra]) if extra else "",
        more="".join(f", {a.name}" for a in more),
        home=", ".join(n(float(x)) for x in robot.home),
        swing=", ".join(n(SWING if turns else SWING / 3) for turns in turning),
        omega=n(30.0),
        damping=n(1.0),
        slow=n(1.5),
        faster=n(0.25),
        zero=n(0.0),
        one=n(1.0),
        two=n(2.0),
        sin=f"sin{setting.numbers.suffix}",
        cos=f"cos{setting.numbers.suffix}",
    )

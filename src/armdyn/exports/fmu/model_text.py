"""The C of one arm: `model.h` with sizes and places, `model.c` with equations and tables.

No text of a robot file becomes code: names of bodies stand in comments, made safe.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from armdyn.dynamics.fixed_step import STEPS
from armdyn.dynamics.quantities.steps import FASTEST
from armdyn.exports.c.sines import NAME as SINES
from armdyn.exports.c.sines import sines_text
from armdyn.exports.fmu.equations import Arm, Equation
from armdyn.exports.fmu.variables import STATE, Kind, Variables
from armdyn.formats.c_text import c_number, c_string
from armdyn.mechanics.rubbing import REST
from armdyn.mechanics.tree.coordinates import state_of
from armdyn.scalars import Array

KINDS: dict[Kind, str] = {
    "independent": "CALCULATED",
    "input": "INPUT",
    "fixed": "FIXED_PARAMETER",
    "tunable": "TUNABLE_PARAMETER",
    "output": "CALCULATED",
}
UPDATES = {
    "accelerations": "arm_accelerations(v, v + AT_Q, v + AT_QD, v + AT_QDD)",
    "torques": "model_torque(v + AT_Q, v + AT_QD, DRIVE(v), v + AT_TAU)",
    "place": "model_place(v + AT_Q, v + AT_TOOL_POSITION, v + AT_TOOL_ROTATION)",
    "motors": "model_motors(v + AT_Q, v + AT_QD, v + AT_MOTOR_POSITION)",
    "energies": "model_energies(v + AT_Q, v + AT_QD, PAYLOAD(v), v + AT_ENERGIES)",
}
"""What computes a group of outputs; 0 where it is found."""
SHARED = (
    *("allowed", "failed", "instance_changed", "instance_start"),
    *("arm_accelerations", "arm_step", "friction_captured", "friction_motion", "friction_ways"),
    *("model_torque", "model_forward", "model_forward_decided", "model_hold", "model_motion_in_ways"),
    *("model_stopped_velocity", "model_shaft_ways", "model_place", "model_energies", "model_motors"),
    *("model_motor_torque", "nothing", "variable_name", "variable_kind", "variable_start"),
    *("variable_minimum", "output_group", "output_update", "point_weights", "point_is_dry"),
    "point_is_coupled",
)
"""Names that files of C share: one FMU's are not another's where several are linked together."""


def model_header(
    arm: Arm,
    equations: Sequence[Equation],
    variables: Variables,
    *,
    identifier: str,
    integrator: str,
    token: str,
) -> str:
    """`model.h`."""
    places = variables.at
    defined = {
        **{name: f"{identifier}_{name}" for name in SHARED},
        "INSTANTIATION_TOKEN": c_string(token),
        "VARIABLES": len(list(variables)),
        "OUTPUT_GROUPS": len(variables.groups),
        "JOINTS": arm.robot.n,
        "POINTS": len(arm.model.points),
        "CAN_STICK": int(arm.model.can_stick),
        **{f"INTEGRATOR_{name.upper()}": int(name == integrator) for name in STEPS},
        **{f"AT_{name.upper()}": place for name, place in places.items()},
        "FASTEST": c_number(FASTEST),
        "REST": c_number(REST),
    }
    given = {name: f"((v) + AT_{name.upper()})" if name in places else "nothing" for name in _GIVEN}
    lines = [
        "/* Sizes, places and equations of this arm. */",
        "#ifndef MODEL_H",
        "#define MODEL_H",
        *(f"#define {name} {value}" for name, value in defined.items()),
        *(f"#define {name.upper()}(v) {where}" for name, where in given.items()),
        "typedef enum { CALCULATED, INPUT, FIXED_PARAMETER, TUNABLE_PARAMETER } VariableKind;",
        "extern const double nothing[10];",
        "extern const char *const variable_name[VARIABLES];",
        "extern const VariableKind variable_kind[VARIABLES];",
        "extern const double variable_start[VARIABLES], variable_minimum[VARIABLES];",
        "extern const signed char output_group[VARIABLES];",
        "extern int (*const output_update[OUTPUT_GROUPS])(double *v);",
    ]
    if arm.model.can_stick:
        lines.append("extern const double point_weights[POINTS][JOINTS];")
        lines.append("extern const unsigned char point_is_dry[POINTS], point_is_coupled[POINTS];")
    lines += [f"{equation.head};" for equation in equations]
    return "\n".join([*lines, "#endif", ""])


_GIVEN = ("drive", "wrench", "payload")


def model_source(arm: Arm, equations: Sequence[Equation], variables: Variables) -> str:
    """`model.c`."""
    texts = [equation.text for equation in equations]
    parts = [
        "/* Equations and tables of this arm. */",
        '#include <math.h>\n\n#include "arm.h"\n',
        *([sines_text("double")] if any(f"{SINES}(" in text for text in texts) else ()),
        *texts,
        "const double nothing[10] = {0};",
        *_of_variables(variables),
        *_groups(arm, variables),
        *(_of_points(arm) if arm.model.can_stick else ()),
    ]
    return "\n".join([*parts, ""])


def _table(kind: str, name: str, elements: Iterable[str]) -> str:
    return f"const {kind} {name} = {{\n    {', '.join(elements)}}};"


def _of_variables(variables: Variables) -> Iterator[str]:
    every = list(variables)
    yield _table("char *const", "variable_name[VARIABLES]", (c_string(v.name) for _, v in every))
    yield _table("VariableKind", "variable_kind[VARIABLES]", (KINDS[block.kind] for block, _ in every))
    yield _table("double", "variable_start[VARIABLES]", (c_number(v.start or 0.0) for _, v in every))
    least = (-np.inf if v.minimum is None else v.minimum for _, v in every)
    yield _table("double", "variable_minimum[VARIABLES]", map(c_number, least))


def _groups(arm: Arm, variables: Variables) -> Iterator[str]:
    """What computes the groups of outputs."""
    groups = variables.groups
    tau = "v + AT_TAU" if arm.driven_by != "torque" else "DRIVE(v)"
    for name in groups:
        if name == "motor_torques":
            torques = f"model_motor_torque(v + AT_Q, {tau}, v + AT_MOTOR_TORQUE)"
            update = torques if arm.driven_by == "torque" else f"{UPDATES['torques']} || {torques}"
        else:
            update = UPDATES[name]
        yield f"static int update_{name}(double *v)\n{{\n    return {update};\n}}\n"
    names = ", ".join(f"update_{name}" for name in groups)
    yield f"int (*const output_update[OUTPUT_GROUPS])(double *v) = {{{names}}};"
    numbers = (str(-1 if block.group == STATE else groups.index(block.group)) for block, _ in variables)
    yield _table("signed char", "output_group[VARIABLES]", numbers)


def _of_points(arm: Arm) -> Iterator[str]:
    """Which joints each friction point follows, and whether it can hold."""
    points = arm.model.points
    weights = sums_followed(arm)
    rows = (f"{{{', '.join(map(c_number, row.tolist()))}}}" for row in weights)
    yield _table("double", "point_weights[POINTS][JOINTS]", rows)
    dry = (str(int(point.friction.dry)) for point in points)
    yield _table("unsigned char", "point_is_dry[POINTS]", dry)
    coupled = (str(int(len(point.coordinate.weights) > 1)) for point in points)
    yield _table("unsigned char", "point_is_coupled[POINTS]", coupled)


def sums_followed(arm: Arm) -> Array:
    """(points, n) of the joints in the sum that each friction point follows."""
    found = np.zeros((len(arm.model.points), arm.robot.n))
    for row, point in zip(found, arm.model.points, strict=True):
        linear = point.coordinate.law is None
        steady = state_of(point.coordinate, arm.robot.home).gradient
        for j, weight in steady if linear else point.coordinate.weights:
            row[j] = weight
    return found

"""Motor models side by side, for people."""

from __future__ import annotations

from typing import Any

import numpy as np

from armdyn.cli.output import print_line, print_table
from armdyn.robot import Robot

QUANTITIES = ("mass_matrix", "velocity", "gravity")


def print_comparison(robot: Robot, comparison: dict[str, Any]) -> None:
    """What each motor model changes against the reference, largest element first."""
    reference = comparison["reference"]
    rows: list[tuple[Any, ...]] = []
    for model in (*comparison["models"], *comparison["forms"]):
        difference = model["difference"]
        rows.append((_name(model), *(_largest(robot, difference[name]) for name in QUANTITIES)))
    columns = ("motors", "mass matrix", "velocity torques", "gravity torques")
    print_table(f"largest difference from {reference}", columns, rows)
    print_line("--json gives every element")


def _name(model: dict[str, Any]) -> str:
    """A motor model, or a form of [Szkodny1995] and how its rotors are seen."""
    if "motors" in model:
        return model["motors"]
    carried = "carried" if model["carried"] else "not carried"
    return f"{model['form']}, seen from the {model['seen_from']} link, {carried}"


def _largest(robot: Robot, difference: Any) -> str:
    array = np.asarray(difference, dtype=float)
    if not array.size or not np.any(array):
        return "0"
    where = np.unravel_index(int(np.argmax(np.abs(array))), array.shape)
    joints = ", ".join(robot.joint_names[k] for k in where)
    return f"{array[where]:.5g} ({joints})"

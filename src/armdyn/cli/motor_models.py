"""Motor models side by side, for people."""

from __future__ import annotations

from typing import Any

import numpy as np

from armdyn.cli.output import print_line, print_table
from armdyn.robot import Robot

QUANTITIES = ("mass_matrix", "velocity", "gravity")
ROUNDING = 1e-12
"""Differences below this share of the largest element are printed as 0; --json gives them as they are."""


def print_comparison(robot: Robot, comparison: dict[str, Any]) -> None:
    """What each motor model changes against the reference, largest element first."""
    reference = comparison["reference"]
    rows = [
        (_name(model), *(_largest(robot, model, quantity) for quantity in QUANTITIES))
        for model in (*comparison["models"], *comparison["forms"])
    ]
    columns = ("motors", "mass matrix", "velocity torques", "gravity torques")
    print_table(f"largest difference from {reference}", columns, rows)
    print_line("--json gives every element")


def print_drive_forms(robot: Robot, forms: dict[str, Any]) -> None:
    """The documents' ways from joint to motor torques, beside the one that keeps the power."""
    rows: list[tuple[Any, ...]] = []
    for form in forms["forms"]:
        difference = np.asarray(form["difference"]["torque"])
        k = int(np.argmax(np.abs(difference)))
        rows.append((form["form"], form["torque"][k], difference[k], robot.drives[k].name, form["power"]))
    columns = ("motor torques by", "torque [N m]", "too much by", "at", "power of all motors [W]")
    print_table(f"motor torques of the documents; the joints take {forms['power']:.6g} W", columns, rows)
    for missing in forms["missing"]:
        print_line(f"note: {missing['form']}: {missing['reason']}")


def _name(model: dict[str, Any]) -> str:
    """A motor model, or a form of [Szkodny1995] and how its rotors are seen."""
    if "motors" in model:
        return model["motors"]
    carried = "carried" if model["carried"] else "not carried"
    return f"{model['form']}, seen from the {model['seen_from']} link, {carried}"


def _largest(robot: Robot, model: dict[str, Any], quantity: str) -> str:
    """The largest difference and where it is."""
    terms, difference = (np.asarray(x[quantity], dtype=float) for x in (model, model["difference"]))
    where = np.unravel_index(int(np.argmax(np.abs(difference))), difference.shape)
    size = np.abs((terms, terms - difference)).max()
    if abs(difference[where]) <= ROUNDING * size:
        return "0"
    joints = ", ".join(robot.joint_names[k] for k in where)
    return f"{difference[where]:.5g} ({joints})"

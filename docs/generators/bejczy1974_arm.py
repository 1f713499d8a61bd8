"""[Bejczy1974]: the arm of the report, its symbols and numbers, and formulas written as it writes them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np

import armdyn as ad
from armdyn.robot import Robot

LOAD_MASS, LOAD_VOLUME = 1.8, 442e-6  # kg, m3: a cube, its centre at the hand's origin
R3_MAX = 1.1176
RANGES = np.array([[-np.pi, np.pi]] * 2 + [[0.1, R3_MAX]] + [[-np.pi, np.pi]] * 3)
"""Full turns; the boom from 10 cm, which the report does not give, to 111.76 cm."""
RANGE_OF: dict[int | str, tuple[float, float]] = {
    k: (float(low), float(high)) for k, (low, high) in enumerate(RANGES, 1)
}
STATES = 100_000
"""Random states at which forms are compared."""


@cache
def arm(loaded: bool = False) -> Robot:
    """jpl_rrp, with empty hands or with the report's load."""
    robot = ad.load("jpl_rrp")
    if not loaded:
        return robot
    inertia = LOAD_MASS * LOAD_VOLUME ** (2 / 3) / 6
    return robot.with_payload(LOAD_MASS, inertia=(inertia,) * 3 + (0.0,) * 3)


@cache
def dynamics(loaded: bool = False, drives: bool = False) -> ad.Dynamics:
    """Links alone, or with the input inertias of the drives felt at the joints."""
    return ad.Dynamics(arm(loaded), "reflected" if drives else "none", friction=False)


@cache
def states() -> np.ndarray:
    """(STATES, 6) uniform within the ranges."""
    return np.random.default_rng(1974).uniform(RANGES[:, 0], RANGES[:, 1], (STATES, 6))


def posture(theta2: float = 0, r3: float = R3_MAX, theta4: float = 0, theta5: float = 0) -> np.ndarray:
    """A posture of the report, angles in degrees; theta1 and theta6 are zero."""
    degrees = np.array([0.0, theta2, 0.0, theta4, theta5, 0.0])
    return np.radians(degrees) + np.array([0.0, 0.0, r3, 0.0, 0.0, 0.0])


# Symbols --------------------------------------------------------------------------------------


def data() -> dict[str, float]:
    """The numbers of the catalog's arm: m4, z4, J411 = m4 k411^2, input inertias I1 .. I6, and the load's."""
    robot = arm()
    found = {"r2": 0.162, "r6": 0.2476, "mL": LOAD_MASS, "vL": LOAD_VOLUME}
    for i, body in enumerate(robot.bodies, 1):
        centre, tensor = (
            np.array(x, dtype=float) for x in (body.inertia.com, body.inertia.tensor_about_origin)
        )
        found[f"m{i}"] = float(body.inertia.mass)
        found |= {f"{axis}{i}": float(x) for axis, x in zip("xyz", centre, strict=True)}
        found |= {f"J{i}{k}{k}": float(x) for k, x in enumerate(tensor.diagonal(), 1)}
    for i, drive in enumerate(robot.drives, 1):
        found[f"I{i}"] = float(drive.joint_inertia or 0.0)
    return found


def symbols(numbers: Mapping[str, float], loaded: bool = False) -> dict[str, float]:
    """The symbols of the report's formulas: k411 is the square of a radius of gyration.

    A load changes those of link 6, of which it is then a part.
    """
    found = {"g": 9.81, **numbers}
    if loaded:
        held = found["mL"] * found["vL"] ** (2 / 3) / 6
        for axis in (1, 2, 3):
            found[f"J6{axis}{axis}"] += held
        found["z6"] *= found["m6"] / (found["m6"] + found["mL"])
        found["m6"] += found["mL"]
    return found | {f"k{name[1:]}": x / found[f"m{name[1]}"] for name, x in found.items() if name[0] == "J"}


@cache
def parameters(loaded: bool = False) -> Mapping[str, float]:
    """The symbols with the numbers of the catalog's arm."""
    return symbols(data(), loaded)


def angles(q: Any) -> dict[str, Any]:
    """s1 .. c6 and r3 at postures (.., 6)."""
    q = np.asarray(q, dtype=float)
    found: dict[str, Any] = {"r3": q[..., 2]}
    for k in (0, 1, 3, 4, 5):
        found |= {f"s{k + 1}": np.sin(q[..., k]), f"c{k + 1}": np.cos(q[..., k])}
    return found


# Formulas -------------------------------------------------------------------------------------

PRODUCT = re.compile(r"(?<=[\w)])\s*(?=\()|(?<=\))\s*(?=\w)|(?<=\w)\s+(?=\w)")


def formula(text: str, names: Mapping[str, Any]) -> Any:
    """The value of a printed formula: a space between two factors is a product, ^ a power, s2 a sine."""
    python = text.translate(str.maketrans("[]{}", "()()")).replace("^", "**")
    python = PRODUCT.sub("*", " ".join(python.split()))
    return eval(python, {"__builtins__": {}}, dict(names))  # noqa: S307  formulas of this folder


def value(text: str, q: Any = None, *, loaded: bool = False, **more: float) -> Any:
    """The value of a formula with the numbers of the arm, at a posture or many."""
    at = {} if q is None else angles(q)
    return formula(text, {**parameters(loaded), **at, **more})


def inertia(i: int, q: Any, loaded: bool = False) -> Any:
    """D_ii with the drive's input inertia, by armdyn."""
    return dynamics(loaded, drives=True).mass_matrix(q)[..., i - 1, i - 1]


def gravity(i: int, q: Any, loaded: bool = False) -> Any:
    """D_i with the report's explicit sign, which is the negative of the term on the left side."""
    return -dynamics(loaded).gravity(q)[..., i - 1]


def listed(items: Sequence[str]) -> str:
    """a, b and c."""
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}"

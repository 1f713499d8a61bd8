"""URDF files, small, random and published, and what their tests ask of messages."""

from __future__ import annotations

import math
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import strategies as st

from random_robots import random_inertia

seeds = st.integers(0, 2**32 - 1)
MASS = '<inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>'
PUBLISHED = {
    str(file).partition("robots/")[2]: Path(str(file.locate()))
    for file in metadata.files("example-robot-data") or []
    if file.suffix == ".urdf"
}
"""The files of example-robot-data by their names."""


def link(name: str, inner: str = MASS) -> str:
    return f'<link name="{name}">{inner}</link>\n'


def joint(name: str, parent: str, child: str, inner: str = "", kind: str = "continuous") -> str:
    ends = f'<parent link="{parent}"/><child link="{child}"/>'
    return f'<joint name="{name}" type="{kind}">{ends}\n{inner}</joint>\n'


def urdf(*parts: str) -> bytes:
    return f'<?xml version="1.0"?>\n<robot name="r">\n{"".join(parts)}</robot>\n'.encode()


def arm(inner: str = "", kind: str = "continuous", extra: str = "", root: str = "l0") -> bytes:
    """Two links and a joint, which stands in lines 5 to 6 with `inner` in line 6."""
    return urdf(link(root, MASS), link("l1"), joint("a", root, "l1", inner, kind), extra)


def numbers(values: Any) -> str:
    return " ".join(repr(float(x)) for x in values)


def origin(rng: np.random.Generator) -> str:
    angles = math.pi / 2 * rng.integers(-2, 3, 3) if rng.random() < 0.5 else rng.uniform(-3, 3, 3)
    return f'<origin xyz="{numbers(rng.uniform(-0.5, 0.5, 3))}" rpy="{numbers(angles)}"/>'


def inertial(rng: np.random.Generator) -> str:
    body = random_inertia(rng)
    (xx, xy, xz), (_, yy, yz), (_, _, zz) = body.tensor
    return (
        f'<inertial>{origin(rng)}<mass value="{body.mass!r}"/><inertia ixx="{xx!r}" ixy="{xy!r}" '
        f'ixz="{xz!r}" iyy="{yy!r}" iyz="{yz!r}" izz="{zz!r}"/></inertial>'
    )


def random_urdf(seed: int, links: int, mimics: bool) -> str:
    """A tree: arbitrary axes, turned inertias, branches, fixed links, sliding and continuous joints."""
    rng = np.random.default_rng(seed)
    parts = [
        "<mujoco><compiler discardvisual='true' balanceinertia='false' boundmass='0' boundinertia='0' "
        "inertiafromgeom='false'/></mujoco>",
        f'<link name="root">{inertial(rng)}</link>',
    ]
    movable: list[str] = []
    for k in range(links):
        kind = str(rng.choice(["revolute", "continuous", "prismatic", "fixed"])) if k else "revolute"
        parent = "root" if not k else f"l{rng.integers(max(0, k - 3), k)}"
        axis = np.eye(3)[rng.integers(3)] if rng.random() < 0.4 else rng.normal(size=3)
        follows = mimics and movable and kind != "fixed" and rng.random() < 0.3
        a, b = rng.uniform(-1, 1, 2).tolist()
        mimic = f'<mimic joint="{rng.choice(movable)}" multiplier="{a!r}" offset="{b!r}"/>' if follows else ""
        parts.append(
            f'<joint name="j{k}" type="{kind}"><parent link="{parent}"/><child link="l{k}"/>{origin(rng)}'
            f'<axis xyz="{numbers(axis)}"/><limit lower="-1" upper="2" effort="10" velocity="3"/>{mimic}'
            f'</joint><link name="l{k}">{inertial(rng)}</link>'
        )
        movable += [f"j{k}"] if kind != "fixed" else []
    return f'<?xml version="1.0"?>\n<robot name="random">{"".join(parts)}</robot>'


def one_sentence(caught: pytest.ExceptionInfo[Any]) -> str:
    """The message, which must be one line, not long, and without a full stop in the middle."""
    message = str(caught.value)
    assert "\n" not in message
    assert ". " not in message
    assert len(message) < 600
    return message

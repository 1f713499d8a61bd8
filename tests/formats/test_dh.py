"""Denavit-Hartenberg rows, both conventions, against products of 4x4 matrices."""

import math
from typing import Any, Literal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from armdyn.formats.dh import dh_joint
from armdyn.formats.toml import read_toml
from armdyn.mechanics.kinematics import pose_of
from armdyn.mechanics.placed import placed
from armdyn.mechanics.tree import tree
from armdyn.robot import Body, Robot

ROUNDING = 1e-13
"""A product of a few matrices with elements up to 5."""

Convention = Literal["standard", "modified"]
Kind = Literal["revolute", "prismatic"]

angles = st.floats(-4, 4) | st.sampled_from([0.0, math.pi / 2, -math.pi / 2, math.pi])
lengths = st.floats(-2, 2) | st.just(0.0)
rows = st.fixed_dictionaries({"theta": angles, "d": lengths, "a": lengths, "alpha": angles})
conventions = st.sampled_from(["standard", "modified"])
kinds = st.sampled_from(["revolute", "prismatic"])


def Rz(angle: float) -> np.ndarray:
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[c, -s, 0, 0], [s, c, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]])


def Rx(angle: float) -> np.ndarray:
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[1, 0, 0, 0], [0, c, -s, 0], [0, s, c, 0], [0, 0, 0, 1]])


def shifted(x: float = 0.0, z: float = 0.0) -> np.ndarray:
    T = np.eye(4)
    T[[0, 2], 3] = x, z
    return T


def by_hand(
    convention: str, kind: str, q: float, theta: float, d: float, a: float, alpha: float
) -> np.ndarray:
    theta, d = (theta + q, d) if kind == "revolute" else (theta, d + q)
    if convention == "standard":
        return Rz(theta) @ shifted(z=d) @ shifted(x=a) @ Rx(alpha)
    return Rx(alpha) @ shifted(x=a) @ Rz(theta) @ shifted(z=d)


def pose(robot: Robot, q: list[float]) -> np.ndarray:
    model = tree(robot)
    T = pose_of(model, placed(model, q), model.tool)
    matrix = np.eye(4)
    matrix[:3, :3], matrix[:3, 3] = np.array(T.rotation, float), np.array(T.translation, float)
    return matrix


@given(convention=conventions, kind=kinds, row=rows, q=st.floats(-3, 3))
def test_a_row_is_its_four_factors(
    convention: Convention, kind: Kind, row: dict[str, float], q: float
) -> None:
    robot = Robot("arm", (Body("link", dh_joint("joint", kind, convention, **row)),))
    assert np.abs(pose(robot, [q]) - by_hand(convention, kind, q, **row)).max() <= ROUNDING


@given(
    convention=conventions,
    table=st.lists(st.tuples(kinds, rows, st.floats(-3, 3)), min_size=1, max_size=5),
)
def test_a_table_in_a_file_is_the_product_of_its_rows(
    convention: Convention, table: list[tuple[Kind, dict[str, float], float]]
) -> None:
    bodies = "".join(
        f'[[bodies]]\nname = "b{k}"\n[bodies.joint]\nkind = "{kind}"\n'
        f"dh = {{ {', '.join(f'{name} = {value!r}' for name, value in row.items())} }}\n"
        for k, (kind, row, _) in enumerate(table)
    )
    robot = read_toml(f'name = "arm"\ndh = "{convention}"\n{bodies}')
    expected: Any = np.eye(4)
    for kind, row, q in table:
        expected = expected @ by_hand(convention, kind, q, **row)
    assert np.abs(pose(robot, [q for *_, q in table]) - expected).max() <= 10 * ROUNDING


@pytest.mark.parametrize("convention", ["standard", "modified"])
@pytest.mark.parametrize(("kind", "offset"), [("revolute", 0.3), ("prismatic", 0.7)])
def test_what_the_table_adds_to_the_variable_is_kept_as_offset(
    convention: Convention, kind: Kind, offset: float
) -> None:
    joint = dh_joint("joint", kind, convention, theta=0.3, d=0.7, a=0.2, alpha=0.1)
    assert (joint.kind, joint.offset, joint.axis) == (kind, offset, (0, 0, 1))


@pytest.mark.parametrize("convention", ["standard", "modified"])
def test_right_angles_are_exact(convention: Convention) -> None:
    joint = dh_joint("j", "revolute", convention, theta=0.0, d=0.0, a=1.0, alpha=-math.pi / 2)
    turned = (joint.placement @ joint.frame).rotation
    assert np.array(turned, float).tolist() == [[1, 0, 0], [0, 0, 1], [0, -1, 0]]


def test_a_frame_follows_a_standard_row() -> None:
    row = "dh = { theta = 0.1, d = 0.2, a = 0.3, alpha = 0.4 }\nframe = { xyz = [0, 0, 0.5] }"
    text = f'name = "arm"\ndh = "standard"\n[[bodies]]\nname = "b"\n[bodies.joint]\n{row}\n'
    expected = by_hand("standard", "revolute", 0.6, 0.1, 0.2, 0.3, 0.4) @ shifted(z=0.5)
    assert np.abs(pose(read_toml(text), [0.6]) - expected).max() <= ROUNDING

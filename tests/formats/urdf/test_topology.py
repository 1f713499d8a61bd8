"""The order of bodies, and names that cannot be kept."""

from __future__ import annotations

import pytest

from armdyn.formats.urdf import read_urdf
from formats.urdf.samples import joint, link, urdf


def test_bodies_stand_depth_first_and_branches_in_file_order() -> None:
    names = ("r", "a", "b", "a1", "b1", "a2")
    edges = (("b", "r"), ("a2", "a1"), ("a", "r"), ("b1", "b"), ("a1", "a"))
    robot = read_urdf(urdf(*(link(n) for n in names), *(joint(f"j{c}", p, c) for c, p in edges)))
    assert robot.joint_names == ("jb", "jb1", "ja", "ja1", "ja2")
    assert robot.tool.body == "a2"


def test_a_long_chain_is_read_without_recursion() -> None:
    n = 2000
    links = (link(f"l{k}") for k in range(n + 1))
    robot = read_urdf(urdf(*links, *(joint(f"j{k}", f"l{k}", f"l{k + 1}") for k in range(n))))
    assert robot.n == n
    assert robot.tool.body == f"l{n}"


@pytest.mark.parametrize(("other", "renamed"), [("l1", "base_link"), ("base_link", "base_link_2")])
def test_a_root_called_base_with_mass_is_renamed(other: str, renamed: str) -> None:
    robot = read_urdf(urdf(link("base"), link(other), joint("a", "base", other)))
    assert robot.body_names == (renamed, other)
    assert robot.notes == (f'link "base" is called "{renamed}" here, "base" is what the robot stands on',)

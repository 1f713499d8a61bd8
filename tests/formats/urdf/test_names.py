"""Names that cannot be kept."""

from __future__ import annotations

import pytest

from armdyn.formats.urdf import read_urdf
from formats.urdf.samples import joint, link, urdf


@pytest.mark.parametrize(("other", "renamed"), [("l1", "base_link"), ("base_link", "base_link_2")])
def test_a_root_called_base_with_mass_is_renamed(other: str, renamed: str) -> None:
    robot = read_urdf(urdf(link("base"), link(other), joint("a", "base", other)))
    assert robot.body_names == (renamed, other)
    assert robot.notes == (f'link "base" is called "{renamed}" here, "base" is what the robot stands on',)

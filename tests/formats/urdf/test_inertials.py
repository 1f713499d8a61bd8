"""Inertias that no body can have."""

from __future__ import annotations

from pathlib import Path

import pytest

from armdyn.errors import InertiaError
from armdyn.formats import load
from formats.urdf.samples import MASS, joint, link, one_sentence, urdf


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ('<mass value="1"/>', '<mass value="-1"/>', "mass -1 kg is negative"),
        ('izz="1"', 'izz="5"', "Ixx + Iyy < Izz (2 < 5)"),
        ('ixy="0"', 'ixy="3"', "not physical"),
    ],
)
def test_unphysical_inertias_are_refused_unless_accepted(
    old: str, new: str, reason: str, tmp_path: Path
) -> None:
    path = tmp_path / "arm.urdf"
    path.write_bytes(urdf(link("l0"), link("l1", MASS.replace(old, new)), joint("a", "l0", "l1")))
    with pytest.raises(InertiaError) as caught:
        load(path)
    assert f'body "l1" ({path}, line 4)' in one_sentence(caught)
    assert reason in str(caught.value)
    robot = load(path, accept_unphysical="as the maker printed it")
    assert robot.bodies[1].accept_unphysical == "as the maker printed it"

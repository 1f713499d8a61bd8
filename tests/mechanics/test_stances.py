"""Links in base axes beside their poses, and contacts beside virtual work."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from armdyn.mechanics.joint_space import contact_torques, contact_wrench
from armdyn.mechanics.kinematics import poses
from armdyn.mechanics.loads import Contact
from armdyn.mechanics.placed import placed
from armdyn.mechanics.stances import contact_wrenches, stances
from armdyn.mechanics.tree import tree
from armdyn.spatial import Transform, Wrench
from random_robots import robots, states

# A chain of some ten products of matrices.
RELATIVE = 1e-11

SEEDS = st.integers(0, 10_000)
WRENCH = Wrench((30.0, -20.0, 10.0), (-4.0, 5.0, 6.0))


def close(ours: Any, reference: Any) -> None:
    ours, reference = np.array(ours, float), np.array(reference, float)
    scale = max(1.0, float(np.abs(reference).max(initial=0.0)))
    assert ours == pytest.approx(reference, rel=RELATIVE, abs=RELATIVE * scale)


@given(robots(), SEEDS)
def test_stances_are_those_of_the_poses(robot, seed):
    of = tree(robot, "none", lump=False)
    links = placed(of, states(robot, seed, 1)[0, 0].tolist())
    T_base = poses(links)
    for stance, T, here in zip(stances(links), T_base, links, strict=True):
        inner = Transform() if here.link.parent < 0 else T_base[here.link.parent]
        close(stance.rotation, T.rotation)
        close(stance.step, np.array(T.translation, float) - np.array(inner.translation, float))
        close(stance.axis, np.array(T.rotation, float)[:, 2])
        close(stance.turn, stance.axis if here.link.kind == "revolute" else np.zeros(3))


@given(robots(), SEEDS)
def test_a_contact_works_along_its_joint_as_virtual_work_says(robot, seed):
    """Of the link that is touched; inwards of it J^T h needs the steps too."""
    of = tree(robot, "none", lump=False)
    links, contact = placed(of, states(robot, seed, 1)[0, 0].tolist()), Contact(WRENCH, of.tool)
    standing = stances(links)
    ((link, wrench),) = contact_wrenches(links, standing, contact).items()
    assert link == of.tool[0]
    close(standing[link].along_joint(wrench), contact_torques(of, links, contact)[link])
    in_link = contact_wrench(links, contact)
    close(standing[link].along_joint(wrench), links[link].along_joint(in_link))
    close(wrench.moment, in_link.seen_from(standing[link].rotation).moment)


def test_a_contact_of_the_base_touches_no_link():
    assert contact_wrenches([], [], Contact(WRENCH, (-1, Transform()))) == {}
    assert contact_wrenches([], [], None) == {}

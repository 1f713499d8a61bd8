"""What a user is told about a file that is read."""

from armdyn.formats.urdf import read_urdf
from formats.urdf.samples import arm, joint, link


def test_missing_inertia_is_said_unless_a_fixed_link_has_one() -> None:
    inner = joint("b", "l1", "l2") + link("l2", "") + joint("c", "l2", "l3") + link("l3", "")
    robot = read_urdf(arm(extra=inner + joint("f", "l3", "l4", kind="fixed") + link("l4")))
    assert robot.notes == ('no inertia given for "l2": dynamics may be wrong',)

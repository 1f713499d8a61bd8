"""Where the coordinates of articulated bodies are eliminated."""

from armdyn.mechanics.articulated.elimination_order import BASE, INNER, OUTER, elimination_order
from armdyn.mechanics.tree import tree
from armdyn.mechanics.tree.motors import MotorModel
from armdyn.robot import BASE as GROUND
from armdyn.robot import Body, Coupling, Drive, Joint, Robot, Rotor
from armdyn.spatial import Inertia, Transform
from armdyn.spatial.vector import diagonal

INERTIA = Inertia(1.0, tensor=diagonal(1.0, 1.0, 1.0))


def body(name: str, parent: str = GROUND, **follows: float) -> Body:
    """A body on a joint of its own name, independent unless it follows others."""
    coupling = Coupling.of(follows) if follows else None
    return Body(name, Joint(name, coupling=coupling), parent, INERTIA)


def drive(joint: str, carrier: str, **weights: float) -> Drive:
    rotor = Rotor(0.01, 0.01, 0.1, carrier, Transform())
    return Drive(f"motor of {joint}", joint, Coupling.of(weights), rotor)


def order(bodies: list[Body], drives: tuple[Drive, ...] = (), motors: MotorModel = "none"):
    """(link, side) -> (coordinate, spins, free) in turn."""
    of = tree(Robot("r", tuple(bodies), drives), motors)
    return {
        place: [(c.coordinate, len(c.spins), c.free) for c in closings]
        for place, closings in elimination_order(of).items()
    }


CHAIN = [body("a"), body("b", "a"), body("c", "b")]


def test_independent_joints_where_they_stand():
    expected = {(i, INNER): [(i, 0, True)] for i in range(3)}
    assert order(CHAIN) == expected


def test_a_joint_and_its_follower_at_the_inner_one():
    assert order([*CHAIN, body("d", "c", b=0.5)]) == {
        (2, INNER): [(2, 0, True)],
        (1, INNER): [(1, 0, False)],
        (0, INNER): [(0, 0, True)],
    }


def test_branches_where_they_meet():
    """On the link that carries both, before its own joint."""
    assert order([body("a"), body("b", "a"), body("c", "a", b=-1.0)]) == {
        (0, OUTER): [(1, 0, False)],
        (0, INNER): [(0, 0, True)],
    }


def test_branches_of_the_base_on_the_base():
    assert order([body("a"), body("b", a=-1.0)]) == {(BASE, OUTER): [(0, 0, False)]}


def test_a_joint_and_its_rotor_on_the_carrier():
    drives = (drive("c", "b", c=50.0), drive("b", "a", b=50.0))
    assert order(CHAIN, drives, "exact") == {
        (1, OUTER): [(2, 0, False)],
        (0, OUTER): [(1, 0, False)],
        (0, INNER): [(0, 0, True)],
    }


def test_spins_of_one_joint_change_nothing_but_its_freedom():
    assert order(CHAIN, (drive("b", "a", b=50.0),), "coupled") == {
        (2, INNER): [(2, 0, True)],
        (1, INNER): [(1, 1, False)],
        (0, INNER): [(0, 0, True)],
    }


def test_spins_of_several_join_at_the_outermost():
    """The others are open from there on; what only reflects keeps to its own joint."""
    drives = (drive("c", "b", a=1.0, c=50.0),)
    assert order(CHAIN, drives, "coupled") == {
        (2, INNER): [(2, 1, False)],
        (1, INNER): [(1, 0, True)],
        (0, INNER): [(0, 0, False)],
    }
    assert order(CHAIN, drives, "reflected")[0, INNER] == [(0, 0, True)]


def test_spins_across_branches_meet_where_the_branches_do():
    bodies = [body("a"), body("b", "a"), body("c", "a")]
    assert order(bodies, (drive("b", "a", b=10.0, c=1.0),), "coupled") == {
        (2, INNER): [(2, 1, False)],
        (0, OUTER): [(1, 0, False)],
        (0, INNER): [(0, 0, True)],
    }

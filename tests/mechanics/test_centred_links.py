"""Links split at their centres of mass: what has a mass is structure, in every kind of scalar."""

from dataclasses import replace

import numpy as np
import pytest

from armdyn.formats import load
from armdyn.mechanics import dalembert, newton_euler
from armdyn.mechanics.centred_links import Arm
from armdyn.mechanics.tree import tree
from armdyn.mechanics.tree.links import Tree
from armdyn.robot import BASE, Body, Coupling, Drive, Joint, Robot, Rotor
from armdyn.scalars import Tally
from armdyn.scalars.symbolic import number, symengine
from armdyn.spatial import Moments, Transform
from armdyn.spatial.rotation import from_rpy
from armdyn.spatial.vector import diagonal, matrix, vector
from random_robots import random_inertia

ROUNDING = 1e-12
"""Relative: sums of a few products."""


def two_links() -> Robot:
    rng = np.random.default_rng(5)
    elbow = Joint("elbow", placement=Transform(from_rpy(0.3, 0.4, 0.5), (0.6, 0.1, 0.2)))
    bodies = (
        Body("upper", Joint("shoulder"), BASE, random_inertia(rng)),
        Body("fore", elbow, "upper", random_inertia(rng)),
    )
    rotor = Rotor(0.01, carrier="upper", placement=Transform(from_rpy(1.0, 0.2, 0.0), (0.3, 0.0, 0.1)))
    return Robot("arm", bodies, (Drive("m", "elbow", Coupling.of({"elbow": 30.0}), rotor),))


def test_a_mass_stands_at_the_centre_of_its_link() -> None:
    robot = two_links()
    arm = Arm.at(tree(robot, "none"), [0.0, 0.0])
    T = Transform(from_rpy(0.3, 0.4, 0.5))
    expected = [robot.bodies[0].inertia.com, T.apply(robot.bodies[1].inertia.com)]
    assert [point.link for point in arm.masses] == [0, 1]
    assert np.array([point.offset for point in arm.masses], float) == pytest.approx(np.array(expected, float))


def test_tensors_are_about_centres_of_mass() -> None:
    robot = two_links()
    arm = Arm.at(tree(robot, "none"), [0.0, 0.0])
    R = np.array(from_rpy(0.3, 0.4, 0.5), float)
    inertias = [np.array(body.inertia.tensor, float) for body in robot.bodies]
    expected = [inertias[0], R @ inertias[1] @ R.T]
    assert np.array(arm.tensors, float) == pytest.approx(np.array(expected), rel=1e-9)


@pytest.mark.parametrize("motors", ["exact", "augmented"])
def test_a_rotor_counted_in_its_carrier_has_no_translation(motors) -> None:
    built = tree(two_links(), motors)
    tally = Tally()
    for lifted in (built, built.with_numbers(tally.number), built.with_numbers(number)):
        arm = Arm.at(lifted, [tally.number(0.3), tally.number(0.4)] if lifted is not built else [0.3, 0.4])
        assert [built.links[point.link].name for point in arm.masses] == ["upper", "fore"]


def test_a_symbolic_mass_is_a_mass() -> None:
    """Its equations divide by it, and no case distinction is left in them."""
    m = symengine.Symbol("m")
    built = tree(Robot("point", (Body("b", Joint("j"), BASE),)))
    (link,) = built.links
    swinging = replace(
        link, inertia=Moments(m, (0.5 * m, 0, 0), matrix(((0.25 * m, 0, 0), (0, 0, 0), (0, 0, 0))))
    )
    terms = dalembert.terms(replace(built, links=(swinging,)), [0], [0])
    assert symengine.expand(terms.D_tran[0][0] - 0.25 * m) == 0
    assert symengine.expand(terms.D_rot[0][0]) == 0


# Base parameters ------------------------------------------------------------------------------


def regrouped(arm: Tree) -> Tree:
    """Mass, first and second moment along the last joint's axis counted in the link before it."""
    inner, outer = arm.links
    m, h, S = (np.array(x, float) for x in (outer.inertia.mass, outer.inertia.first, outer.inertia.second))
    R, p = np.array(outer.rotation, float), np.array(outer.position, float)
    along = R[:, 2]
    first = h[2] * along
    second = S[2, 2] * np.outer(along, along) + np.outer(first, p) + np.outer(p, first) + m * np.outer(p, p)
    passed = Moments(float(m), vector((first + m * p).tolist()), matrix(second.tolist()))
    axial = Moments(float(m), (0.0, 0.0, float(h[2])), diagonal(0.0, 0.0, float(S[2, 2])))
    return replace(
        arm,
        links=(
            replace(inner, inertia=inner.inertia + passed),
            replace(outer, inertia=replace(outer.inertia - axial, mass=0.0)),
        ),
    )


@pytest.mark.parametrize("kind", [float, "counted"])
def test_a_first_moment_without_a_mass_keeps_its_torques(kind) -> None:
    arm = tree(two_links(), "none")
    x = np.random.default_rng(2).uniform(-2, 2, (3, 2)).tolist()
    expected = np.array(newton_euler.inverse_dynamics(arm, *x).torque, float)
    reduced = regrouped(arm)
    if kind == "counted":
        tally = Tally()
        reduced, x = reduced.with_numbers(tally.number), [[tally.number(e) for e in row] for row in x]
    torque = [float(e) for e in dalembert.inverse_dynamics(reduced, *x).torque]
    assert np.array(torque) == pytest.approx(expected, rel=ROUNDING, abs=ROUNDING * np.abs(expected).max())


def test_a_link_of_nothing_at_all_is_left_out() -> None:
    robot = load("planar2")
    track = Body("track", Joint("track", "prismatic", (1, 0, 0)))
    bodies = tuple(replace(b, parent="track") if b.parent == BASE else b for b in robot.bodies)
    built = tree(replace(robot, bodies=(track, *bodies), home=()), "none")
    tally = Tally()
    for lifted in (built, built.with_numbers(tally.number)):
        assert [point.link for point in Arm.at(lifted, [0.1, 0.2, 0.3]).masses] == [1, 2]

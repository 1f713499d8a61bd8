"""Frames, base parameters, still axes and own units change no torque, mass matrix or acceleration."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from armdyn.formats import catalog, load
from armdyn.mechanics import composite_body, energy, frames, lagrange_euler, newton_euler
from armdyn.mechanics.kinematics import pose_of
from armdyn.mechanics.loads import Contact
from armdyn.mechanics.placed import placed
from armdyn.mechanics.tree import tree
from armdyn.mechanics.tree.base_parameters import with_base_parameters
from armdyn.mechanics.tree.common_normals import on_common_normals
from armdyn.mechanics.tree.links import BaseState
from armdyn.mechanics.tree.reduction import for_inertia, for_motion, reduced
from armdyn.spatial import Wrench
from random_robots import Features, robots, states

# Sums over the whole arm in another order, lengths below 1e-12 m dropped.
RELATIVE = 1e-10

MODELS = ["exact", "augmented", "coupled", "reflected", "none"]
WRENCH = Wrench((30.0, -20.0, 10.0), (-4.0, 5.0, 6.0))


def close(ours, reference):
    reference = np.array(reference, dtype=float)
    scale = max(1.0, float(np.abs(reference).max(initial=0.0)))
    assert np.array(ours, dtype=float) == pytest.approx(reference, rel=RELATIVE, abs=RELATIVE * scale)


def lighter(built):
    """Every lighter form of a tree that takes contacts and a moving base in SI units."""
    return [
        on_common_normals(built),
        with_base_parameters(built),
        reduced(built),
        for_motion(built, closed=False),
        for_inertia(built, closed=False),
    ]


@given(robots(), st.sampled_from(MODELS), st.integers(0, 10_000))
def test_torques_and_inertia_stay_the_same(robot, motors, seed):
    built = tree(robot, motors if robot.drives else "none")
    q, qd, qdd = states(robot, seed, 1)[:, 0].tolist()

    def torques(t):
        return newton_euler.inverse_dynamics(t, q, qd, qdd, contact=Contact(WRENCH, t.tool))

    reference = torques(built)
    for light in lighter(built):
        close(torques(light).joint, reference.joint)
        close(torques(light).drive, reference.drive)
        close(composite_body.mass_matrix(light, q), composite_body.mass_matrix(built, q))


@given(robots(Features(prismatic=False, moving_base=False)), st.sampled_from(MODELS), st.integers(0, 10_000))
def test_own_units_change_nothing_without_contact(robot, motors, seed):
    built = tree(robot, motors if robot.drives else "none")
    q, qd, qdd = states(robot, seed, 1)[:, 0].tolist()
    for light in (for_motion(built), for_inertia(built)):
        close(
            newton_euler.inverse_dynamics(light, q, qd, qdd).torque,
            newton_euler.inverse_dynamics(built, q, qd, qdd).torque,
        )
        close(composite_body.mass_matrix(light, q), composite_body.mass_matrix(built, q))


@given(robots(), st.integers(0, 10_000))
def test_frames_of_bodies_stay_where_they_are(robot, seed):
    built = tree(robot, "none")
    q = states(robot, seed, 1)[0, 0].tolist()
    for light in lighter(built):
        for frame in (*built.frames, None):
            of = [t.tool if frame is None else t.frames[frame] for t in (light, built)]
            ours, reference = (pose_of(t, placed(t, q), f) for t, f in zip((light, built), of, strict=True))
            close(ours.translation, reference.translation)
            close(ours.rotation, reference.rotation)


@given(robots(), st.integers(0, 10_000))
def test_frames_move_as_they_did(robot, seed):
    """Twists, accelerations, Jacobians and the derivatives of placements of the tool."""
    built = tree(robot, "none")
    q, qd, qdd = states(robot, seed, 1)[:, 0].tolist()

    def motion(t):
        twist, acceleration = frames.twist_of(t, q, qd, t.tool), frames.acceleration_of(t, q, qd, qdd, t.tool)
        moving = [*twist.linear, *twist.angular, *acceleration.linear, *acceleration.angular]
        U = lagrange_euler.partial_derivatives(t, q)
        slopes = [e for j in range(len(t.links)) for row in U.of_frame(t.tool, j) for e in row]
        return [*moving, *(e for row in frames.jacobian(t, q, t.tool) for e in row), *slopes]

    for light in lighter(built):
        close(motion(light), motion(built))


@given(robots(), st.integers(0, 10_000))
def test_axes_that_stay_keep_energies(robot, seed):
    """Regrouping does not keep them; other frames and axes do."""
    built = tree(robot, "none")
    q, qd, _ = states(robot, seed, 1)[:, 0].tolist()
    moved = on_common_normals(built)
    still = replace(
        moved,
        links=tuple(replace(link, axes="still") if link.kind == "revolute" else link for link in moved.links),
    )
    for light in (moved, still):
        close(energy.kinetic_energy(light, q, qd), energy.kinetic_energy(built, q, qd))
        close(energy.potential_energy(light, q), energy.potential_energy(built, q))
        ours, reference = energy.momentum(light, q, qd), energy.momentum(built, q, qd)
        close((*ours.linear, *ours.angular), (*reference.linear, *reference.angular))


@pytest.mark.parametrize("name", catalog())
def test_catalog_robots(name):
    robot = load(name)
    built = replace(tree(robot, "none"), base=BaseState())
    q, qd, qdd = states(robot, 7, 1)[:, 0].tolist()
    for light in (*lighter(built), for_motion(built), for_inertia(built)):
        close(
            newton_euler.inverse_dynamics(light, q, qd, qdd).torque,
            newton_euler.inverse_dynamics(built, q, qd, qdd).torque,
        )
        close(composite_body.mass_matrix(light, q), composite_body.mass_matrix(built, q))


def test_lola15_keeps_only_base_parameters():
    """Nothing that only the link before can feel is left: mass, and moments along the joint's axis."""
    for link in reduced(tree(load("lola15"), "none")).links:
        assert link.inertia.mass == 0
        assert link.inertia.first[2] == 0
        assert link.inertia.second[2][2] == 0


def test_frames_of_lola15_stand_on_common_normals():
    """Every placement turns about x only, by a right angle, and moves along x or the joint's own axis."""
    for link in reduced(tree(load("lola15"), "none")).links[1:]:
        assert link.rotation[0] == (1, 0, 0)
        assert link.position[0] == 0 or link.rotation[2][2] in (-1, 0, 1)


def test_axes_nearly_parallel_keep_their_frames():
    """Their common normal is far away and ill-defined."""
    robot = load("planar2")
    built = tree(robot, "none")
    first, second = built.links
    tilted = replace(second, rotation=((1, 0, 0), (0, 1.0, -1e-7), (0, 1e-7, 1.0)))
    nearly = replace(built, links=(first, tilted))
    assert on_common_normals(nearly).links[1].position == tilted.position

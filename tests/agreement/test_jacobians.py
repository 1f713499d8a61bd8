"""Poses, Jacobians, twists and accelerations against one another and against differentiation."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

import armdyn as ad
from armdyn.mechanics import frames, kinematics
from armdyn.mechanics.placed import placed
from armdyn.robot import BaseMotion
from armdyn.scalars import Graph, program
from armdyn.scalars.batch import run_batch
from armdyn.scalars.derivatives import forward
from random_robots import Features, robots, states

RELATIVE = 1e-10
seeds = st.integers(0, 10_000)


def close(a, b):
    assert a == pytest.approx(b, rel=RELATIVE, abs=RELATIVE * max(1.0, float(np.abs(b).max())))


def along_motion(outputs, inputs, x):
    """Exact time derivative of graph outputs along q' = qd, qd' = qdd."""
    q, qd, qdd = inputs
    rate = forward(outputs, [*zip(q, qd, strict=True), *zip(qd, qdd, strict=True)])
    return run_batch(program(rate), dict(zip(("q", "qd", "qdd"), x, strict=True)), (len(outputs),))


@given(robots(Features(moving_base=False)), seeds)
def test_twist_is_jacobian_times_rate_and_rate_of_pose(robot, seed):
    dyn = ad.Dynamics(robot, "none")
    x = states(robot, seed)
    twist = dyn.twist(x[0], x[1])
    close((dyn.jacobian(x[0]) @ x[1][..., None])[..., 0], twist)
    graph = Graph()
    nodes = [graph.inputs(name, robot.n) for name in ("q", "qd", "qdd")]
    T = kinematics.pose_of(dyn.tree, placed(dyn.tree, nodes[0]), dyn.tree.tool)
    rate = along_motion([*T.translation, *(e for row in T.rotation for e in row)], nodes, x)
    close(rate[..., :3], twist[..., :3])
    R = dyn.pose(x[0])[..., :3, :3]
    spin = rate[..., 3:].reshape(-1, 3, 3) @ np.swapaxes(R, -1, -2)  # [omega]x = Rdot R^T
    close(np.stack([spin[:, 2, 1], spin[:, 0, 2], spin[:, 1, 0]], -1), twist[..., 3:])


@given(robots(Features(moving_base=False)), seeds)
def test_acceleration_is_the_rate_of_the_twist(robot, seed):
    dyn = ad.Dynamics(robot, "none")
    x = states(robot, seed)
    graph = Graph()
    nodes = [graph.inputs(name, robot.n) for name in ("q", "qd", "qdd")]
    moving = frames.twist_of(dyn.tree, nodes[0], nodes[1], dyn.tree.tool)
    close(dyn.acceleration(*x), along_motion([*moving.linear, *moving.angular], nodes, x))


@given(robots(), seeds)
def test_base_motion_adds_its_own_twist(robot, seed):
    q, qd, _ = states(robot, seed)
    moving, still = (ad.Dynamics(r, "none") for r in (robot, robot.with_base_motion(BaseMotion())))
    velocity, spin = (
        np.array(v, float) for v in (robot.base_motion.velocity, robot.base_motion.angular_velocity)
    )
    point = moving.pose(q)[..., :3, 3]
    carried = np.concatenate([velocity + np.cross(spin, point), np.broadcast_to(spin, point.shape)], -1)
    close(moving.twist(q, qd), still.twist(q, qd) + carried)


@pytest.mark.parametrize("angles", ["zyx", "zyz"])
def test_analytical_jacobian_gives_rates_of_euler_angles(angles):
    """The rates turn the tool about z, the turned y, and the twice turned third axis: that is omega."""
    arm = ad.load("lola15")
    dyn = ad.Dynamics(arm)
    q, qd, _ = states(arm, 3, 200)
    first, second, _ = Rotation.from_matrix(dyn.pose(q)[:, :3, :3]).as_euler(angles.upper()).T
    once = Rotation.from_euler("Z", first[:, None])
    twice = Rotation.from_euler("ZY", np.stack([first, second], -1))
    third = [1.0, 0.0, 0.0] if angles == "zyx" else [0.0, 0.0, 1.0]
    axes = np.stack(
        [np.broadcast_to([0.0, 0.0, 1.0], (200, 3)), once.apply([0.0, 1.0, 0.0]), twice.apply(third)], -1
    )
    rates = (dyn.jacobian(q, angles=angles) @ qd[..., None])[..., 3:, :]
    close((axes @ rates)[..., 0], dyn.twist(q, qd)[..., 3:])
    close(dyn.jacobian(q, angles=angles)[..., :3, :], dyn.jacobian(q)[..., :3, :])


def test_jacobian_of_a_body_and_unknown_frame():
    dyn = ad.Dynamics(ad.load("lola15"))
    assert dyn.jacobian(np.zeros(6), "link3")[:, 3:] == pytest.approx(np.zeros((6, 3)))
    with pytest.raises(ad.ArmdynError, match='no body "hand"'):
        dyn.pose(np.zeros(6), "hand")

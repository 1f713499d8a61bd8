"""Laws that every robot obeys, whatever its parameters."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import armdyn as ad
from armdyn.mechanics import composite_body, energy, newton_euler
from armdyn.mechanics.placed import placed
from armdyn.mechanics.tree import tree
from armdyn.robot import BaseMotion, Body, Joint, Robot
from armdyn.scalars import Graph, program
from armdyn.scalars.batch import run_batch
from armdyn.scalars.derivatives import forward
from random_robots import EVERYTHING, Features, random_inertia, robots, states

# Both sides of every law are sums of some hundred products in double precision.
RELATIVE = 1e-10

MODELS = st.sampled_from(["exact", "augmented", "coupled", "reflected", "none"])
STILL = Features(moving_base=False)
seeds = st.integers(0, 10_000)


@st.composite
def conservative(draw: st.DrawFn, features: Features = EVERYTHING) -> tuple[Robot, Any]:
    """A robot and a motor model that keeps its energy: reflected drives do so with linear gears alone."""
    motors = draw(MODELS)
    linear = replace(features, nonlinear=False)
    return draw(robots(linear if motors == "reflected" else features)), motors


def dynamics(robot: Robot, motors: Any, **options: Any) -> ad.Dynamics:
    return ad.Dynamics(robot, motors if robot.drives else "none", **options)


def close(a, b, relative=RELATIVE):
    scale = max(1.0, float(np.abs(np.asarray(b)).max(initial=0.0)))
    assert a == pytest.approx(b, rel=relative, abs=relative * scale)


@given(robots(), MODELS, seeds)
def test_mass_matrix_is_symmetric_and_positive_definite(robot, motors, seed):
    H = dynamics(robot, motors).mass_matrix(states(robot, seed)[0])
    close(H, np.swapaxes(H, -1, -2))
    assert np.linalg.eigvalsh(H).min() > 0


@given(robots(), MODELS, seeds)
def test_mass_matrix_columns_are_torques_of_unit_accelerations(robot, motors, seed):
    dyn = dynamics(robot, motors)
    q, qd, _ = states(robot, seed, 1)[:, 0]
    bias = dyn.bias(q, qd)
    columns = dyn.inverse(q, qd, np.eye(robot.n)) - bias
    close(dyn.mass_matrix(q), columns.T)


def rate_of_mass_matrix(dyn: ad.Dynamics, at: np.ndarray, rate: np.ndarray) -> np.ndarray:
    """The exact time derivative of H, on the graph."""
    graph = Graph()
    q, qd = graph.inputs("q", dyn.n), graph.inputs("qd", dyn.n)
    H = [e for row in composite_body.mass_matrix(dyn.tree, q) for e in row]
    traced = program(forward(H, list(zip(q, qd, strict=True))))
    return run_batch(traced, {"q": at, "qd": rate}, (dyn.n, dyn.n))


@given(conservative(), seeds)
def test_hdot_minus_twice_c_is_skew(robot_and_motors, seed):
    """With Christoffel's C."""
    robot, motors = robot_and_motors
    dyn = dynamics(robot, motors)
    at, rate, _ = states(robot, seed)
    Hdot = rate_of_mass_matrix(dyn, at, rate)
    S = Hdot - 2 * dyn.coriolis_matrix(at, rate)
    close(S + np.swapaxes(S, -1, -2), np.zeros_like(S), RELATIVE * max(1.0, np.abs(Hdot).max()))


@given(conservative(), seeds)
def test_no_choice_of_c_takes_power(robot_and_motors, seed):
    """[Siciliano2009] (7.49): the other choice gives the same C qd, and qd^T (Hdot - 2 C) qd = 0."""
    robot, motors = robot_and_motors
    dyn = dynamics(robot, motors)
    q, qd, _ = states(robot, seed)
    C, other = (dyn.coriolis_matrix(q, qd, choice=choice) for choice in ("christoffel", "lagrange"))
    Hdot = rate_of_mass_matrix(dyn, q, qd)
    scale = RELATIVE * max(1.0, float(np.abs(Hdot).max()))
    close((other @ qd[..., None])[..., 0], (C @ qd[..., None])[..., 0], scale)
    power = np.einsum("bi,bij,bj->b", qd, Hdot - 2 * other, qd)
    close(power, np.zeros_like(power), 10 * scale)


def test_only_christoffels_choice_is_skew():
    """[Siciliano2009] (7.48), Problem 7.2."""
    dyn = ad.Dynamics(ad.load("panda"))
    q, qd = np.random.default_rng(1).uniform(-1, 1, (2, 7))
    C, other = (dyn.coriolis_matrix(q, qd, choice=choice) for choice in ("christoffel", "lagrange"))
    N = (C + C.T) - 2 * other
    assert np.abs(N + N.T).max() > 0.1


@given(robots(STILL), MODELS, seeds)
def test_velocity_torques_in_all_their_forms(robot, motors, seed):
    """C qd = sum c_ijk qd_j qd_k = Gamma [qd qd]  [Siciliano2009] (7.117)."""
    dyn = dynamics(robot, motors)
    q, qd, _ = states(robot, seed)
    torques = (dyn.coriolis_matrix(q, qd) @ qd[..., None])[..., 0]
    c = dyn.velocity_coefficients(q)
    scale = RELATIVE * max(1.0, float(np.abs(c).max()))
    close(np.einsum("bijk,bj,bk->bi", c, qd, qd), torques, 10 * scale)
    i, j = np.triu_indices(robot.n)
    close((dyn.gamma(q) @ (qd[:, i] * qd[:, j])[..., None])[..., 0], torques, 10 * scale)


@given(robots(STILL), MODELS, seeds)
def test_equation_is_the_sum_of_its_parts(robot, motors, seed):
    """Tau = H qdd + C qd + g + J^T h."""
    dyn = dynamics(robot, motors, friction=False)
    q, qd, qdd = states(robot, seed)
    wrench = np.random.default_rng(seed).uniform(-50, 50, (3, 6))
    parts = (dyn.mass_matrix(q) @ qdd[..., None] + dyn.coriolis_matrix(q, qd) @ qd[..., None])[..., 0]
    contact = (np.swapaxes(dyn.jacobian(q), -1, -2) @ wrench[..., None])[..., 0]
    close(dyn.inverse(q, qd, qdd, wrench), parts + dyn.gravity(q) + contact)
    close(dyn.bias(q, qd, wrench), dyn.inverse(q, qd, 0 * qdd, wrench))


@given(robots(Features(friction=True)), MODELS, seeds, st.booleans())
def test_terms_sum_to_the_torque(robot, motors, seed, given_at_run_time):
    """With friction and contact, on a base that moves as the robot or the caller says."""
    dyn = dynamics(robot, motors, friction=True)
    q, qd, qdd = states(robot, seed)
    rng = np.random.default_rng(seed)
    wrench = rng.uniform(-50, 50, (3, 6))
    base = rng.uniform(-2, 2, (3, 12)) if given_at_run_time else None
    at = tuple(rng.uniform(-0.3, 0.3, 3).tolist())
    terms = dyn.terms(q, qd, qdd, wrench, at=at, base=base)
    close(sum(terms.values()), dyn.inverse(q, qd, qdd, wrench, at=at, base=base))


@given(conservative(STILL), seeds)
def test_power_is_the_rate_of_energy(robot_and_motors, seed):
    """d(T + U)/dt = tau . qd, the derivative taken exactly along the motion."""
    robot, motors = robot_and_motors
    dyn = dynamics(robot, motors, friction=False)
    graph = Graph()
    q, qd, qdd = (graph.inputs(name, robot.n) for name in ("q", "qd", "qdd"))
    total = energy.kinetic_energy(dyn.tree, q, qd) + energy.potential_energy(dyn.tree, q)
    rate = forward([total], [*zip(q, qd, strict=True), *zip(qd, qdd, strict=True)])
    x = states(robot, seed)
    power = run_batch(program(rate), dict(zip(("q", "qd", "qdd"), x, strict=True)), ())
    close((dyn.inverse(*x) * x[1]).sum(-1), power)


@given(robots(Features(friction=True)), MODELS, seeds)
def test_friction_never_drives(robot, motors, seed):
    q, qd, qdd = states(robot, seed)
    friction = dynamics(robot, motors, friction=True).terms(q, qd, qdd)["friction"]
    assert np.all((friction * qd).sum(-1) >= 0)


@pytest.mark.parametrize("friction", [False, True])
@given(robots(Features(friction=True)), MODELS, seeds)
def test_forward_inverts_inverse(friction, robot, motors, seed):
    dyn = dynamics(robot, motors, friction=friction)
    q, qd, qdd = states(robot, seed)
    H = dyn.mass_matrix(q)
    tau = dyn.inverse(q, qd, qdd)
    # rounding of tau comes back through H^-1
    loss = 1e-13 * np.linalg.cond(H).max() * max(1.0, np.abs(tau).max())
    assert dyn.forward(q, qd, tau) == pytest.approx(qdd, rel=1e-9, abs=max(1e-9, loss))


@given(robots(), MODELS, seeds)
def test_kinetic_energy_is_half_qd_H_qd(robot, motors, seed):
    still = robot.with_base_motion(BaseMotion())
    dyn = dynamics(still, motors)
    q, qd, _ = states(robot, seed)
    close(dyn.kinetic_energy(q, qd), 0.5 * np.einsum("bi,bij,bj->b", qd, dyn.mass_matrix(q), qd))


@given(robots(STILL), seeds)
def test_momentum_changes_by_the_forces_on_the_base(robot, seed):
    """Newton and Euler for the whole arm: its base carries the weight and the change of momentum."""
    dyn = dynamics(robot, "none", friction=False)
    graph = Graph()
    q, qd, qdd = (graph.inputs(name, robot.n) for name in ("q", "qd", "qdd"))
    total = energy.momentum(dyn.tree, q, qd)
    rate = forward([*total.linear, *total.angular], [*zip(q, qd, strict=True), *zip(qd, qdd, strict=True)])
    x = states(robot, seed)
    change = run_batch(program(rate), dict(zip(("q", "qd", "qdd"), x, strict=True)), (6,))
    carried = np.zeros_like(change)
    reactions = dyn.reactions(*x, axes="base")
    for k, body in enumerate(robot.bodies):
        if body.parent == "base":
            point = joint_origin(robot, body, x[0])
            carried[..., :3] += reactions[..., k, :3]
            carried[..., 3:] += reactions[..., k, 3:] + np.cross(point, reactions[..., k, :3])
    weight = weight_about_base(robot, dyn, x[0])
    close(change, carried + weight, 1e-9)


def joint_origin(robot, body, q):
    """Where the frame of a joint on the base stands: it slides along if the joint is prismatic."""
    origin = np.array(body.joint.placement.translation, float)
    if body.joint.kind != "prismatic":
        return np.broadcast_to(origin, (*q.shape[:-1], 3))
    whole = tree(robot, "none", lump=False)
    link = whole.frames[body.name][0]
    return np.array([placed(whole, row.tolist())[link].position for row in q], float)


def weight_about_base(robot, dyn, q):
    """Weight of all bodies and payloads, and its moment about the base origin."""
    g = np.array(robot.gravity)
    held = [(b.name, b.inertia) for b in robot.bodies] + [(p.body, p.inertia) for p in robot.payloads]
    force, moment = np.zeros(3), np.zeros((*q.shape[:-1], 3))
    for name, inertia in held:
        T = dyn.pose(q, name)
        com = T[..., :3, :3] @ np.array(inertia.com, float) + T[..., :3, 3]
        force = force + inertia.mass * g
        moment = moment + inertia.mass * np.cross(com, g)
    return np.concatenate([np.broadcast_to(force, moment.shape), moment], -1)


@given(robots(Features(bodies=6)).filter(lambda r: r.n > 1), MODELS, seeds, st.data())
def test_locked_robot_is_the_full_robot_at_rest_there(robot, motors, seed, data):
    dyn = dynamics(robot, motors, friction=False)
    joints = data.draw(st.sets(st.integers(1, robot.n), min_size=1, max_size=robot.n - 1))
    q, qd, qdd = states(robot, seed)
    locked = [j - 1 for j in joints]
    free = [j for j in range(robot.n) if j not in locked]
    qd[..., locked] = qdd[..., locked] = 0.0
    q[..., locked] = q[0, locked]
    restricted = dynamics(robot.locked({j: float(q[0, j - 1]) for j in joints}), motors, friction=False)
    close(restricted.inverse(q[..., free], qd[..., free], qdd[..., free]), dyn.inverse(q, qd, qdd)[..., free])
    close(restricted.mass_matrix(q[..., free]), dyn.mass_matrix(q)[..., free, :][..., :, free])


@given(robots(), seeds)
def test_payload_is_a_body_merged_by_hand(robot, seed):
    held = random_inertia(np.random.default_rng(seed))
    carrying = robot.with_payload(held.mass, held.com, held.tensor)
    merged = replace(
        robot,
        bodies=tuple(
            replace(b, inertia=b.inertia + held) if b.name == robot.tool.body else b for b in robot.bodies
        ),
    )
    x = states(robot, seed)
    close(dynamics(carrying, "none").inverse(*x), dynamics(merged, "none").inverse(*x))


@given(robots(Features(bodies=4, drives=False, moving_base=False)), seeds)
def test_prescribed_base_motion_is_a_driven_base_joint(robot, seed):
    """A base accelerating along x is the same arm on a prismatic joint along x."""
    velocity, acceleration = 0.7, -1.3
    moving = robot.with_base_motion(BaseMotion(velocity=(velocity, 0, 0), acceleration=(acceleration, 0, 0)))
    track = Body("track", Joint("track", "prismatic", (1, 0, 0)))
    bodies = tuple(replace(b, parent="track") if b.parent == "base" else b for b in robot.bodies)
    on_track = replace(robot, bodies=(track, *bodies), home=())
    q, qd, qdd = states(robot, seed)
    extended = [np.insert(x, 0, v, axis=-1) for x, v in ((q, 0.0), (qd, velocity), (qdd, acceleration))]
    close(ad.Dynamics(moving).inverse(q, qd, qdd), ad.Dynamics(on_track).inverse(*extended)[..., 1:])


@given(robots(Features(drives=False)), seeds)
def test_base_motion_at_run_time_equals_that_of_the_robot(robot, seed):
    x = states(robot, seed)
    motion = np.concatenate([np.array(part, float) for part in vars(robot.base_motion).values()])
    still = ad.Dynamics(robot.with_base_motion(BaseMotion()))
    close(still.inverse(*x, base=motion), ad.Dynamics(robot).inverse(*x))


@given(robots(STILL), seeds)
def test_torque_is_linear_in_the_parameters(robot, seed):
    """Twice every inertia takes twice the torque."""
    once = tree(robot, "none")
    twice = once.with_numbers(lambda x: x)
    twice = replace(
        twice,
        links=tuple(
            replace(
                link,
                inertia=link.inertia.map(lambda x: 2 * x),
            )
            for link in twice.links
        ),
    )
    q, qd, qdd = states(robot, seed, 1)[:, 0].tolist()
    close(
        np.array(newton_euler.inverse_dynamics(twice, q, qd, qdd).torque),
        2 * np.array(newton_euler.inverse_dynamics(once, q, qd, qdd).torque),
    )

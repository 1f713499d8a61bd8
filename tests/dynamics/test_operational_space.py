"""The dynamics of a task: [Siciliano2009] 7.8 as identities; any frame; lost directions; bad input."""

from functools import cache
from typing import Any

import numpy as np
import pytest

from armdyn.dynamics import Dynamics
from armdyn.errors import InputError, ShapeError
from armdyn.formats import load
from armdyn.scalars.batch import Losses
from armdyn.spatial import Transform

IDENTITY = 1e-9
"""Relative to the largest term of an identity."""
REGULAR = 0.02
"""Least singular value of the states on which identities are looked at."""
DIFFERENCE = 1e-5
"""Step of central differences; what they miss is of the order of its square."""

TASKS = [
    ("ur5", "pose", None),
    ("ur5", "pose", "zyz"),
    ("panda", "pose", None),
    pytest.param("panda", "pose", "zyx", marks=pytest.mark.slow),
    ("panda", "position", None),
    pytest.param("panda", "x,z,ry", None, marks=pytest.mark.slow),
    ("planar3", "x,y", None),
    pytest.param("planar3", "x,y,rz", None, marks=pytest.mark.slow),
    pytest.param("planar2", "x,y", None, marks=pytest.mark.slow),
    ("stanford", "pose", None),
    pytest.param("scara", "x,y,z,rz", None, marks=pytest.mark.slow),
    pytest.param("irb6", "position", None, marks=pytest.mark.slow),
]


@cache
def dynamics(name: str) -> Dynamics:
    return Dynamics(load(name), friction=False)


def states(dyn: Dynamics, count: int = 200) -> Any:
    return np.random.default_rng(5).uniform(-1.5, 1.5, (4, count, dyn.n))


def regular(dyn: Dynamics, task: str, angles: Any) -> tuple[Any, ...]:
    """States at which the task is far from losing a direction, and its dynamics there."""
    q, qd, tau, other = states(dyn)
    found = dyn.operational_space(q, qd, task=task, angles=angles)
    good = found.directions.values[:, -1] > REGULAR
    assert good.sum() > 20
    q, qd, tau, other = (x[good] for x in (q, qd, tau, other))
    return dyn.operational_space(q, qd, task=task, angles=angles), q, qd, 50 * tau, 50 * other


def off(a: Any, b: Any) -> float:
    """Difference relative to the size of either, state by state."""
    axes = tuple(range(1, np.ndim(b)))
    size = np.maximum(np.abs(a).max(axis=axes), np.abs(b).max(axis=axes))
    return float((np.abs(a - b).max(axis=axes) / np.maximum(size, 1.0)).max())


def relative(difference: Any, terms: Any) -> float:
    """Relative to the terms whose sum it is, state by state."""
    return float((np.abs(difference).max(axis=-1) / np.maximum(terms.max(axis=-1), 1.0)).max())


def times(matrix: Any, x: Any) -> Any:
    return (matrix @ x[..., None])[..., 0]


# Identities -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "task", "angles"), TASKS)
def test_the_equations_of_section_7_8(name: str, task: str, angles: Any) -> None:
    dyn = dynamics(name)
    found, q, qd, tau, other = regular(dyn, task, angles)
    m = len(found.axes)
    J, Jbar, Lambda = found.jacobian, found.inverse, found.inertia
    H, bias = dyn.mass_matrix(q), dyn.bias(q, qd)
    Jt, Jbart = np.swapaxes(J, -1, -2), np.swapaxes(Jbar, -1, -2)
    one = np.broadcast_to(np.eye(m), (len(q), m, m))
    assert off(Lambda @ found.mobility, one) < IDENTITY  # (7.130)
    assert off(J @ Jbar, one) < IDENTITY  # (7.138): a right inverse
    assert off(H @ Jbar, Jt @ Lambda) < IDENTITY
    assert off(times(Jbart, bias), found.coriolis + times(Lambda, found.drift) + found.gravity) < IDENTITY
    # (7.140), (7.141): tau_0 adds nothing to the task's force, nor to its acceleration
    xdd = np.random.default_rng(1).uniform(-5, 5, (len(q), m))
    torque = found.torque(xdd, other)
    assert off(found.task_force(torque), found.force(xdd)) < IDENTITY
    freed, both = np.swapaxes(found.freed, -1, -2), np.eye(dyn.n) + np.abs(Jt) @ np.abs(Jbart)
    weights = both @ np.abs(other[..., None])
    left = np.abs(times(freed, times(found.projector, other))).max(axis=-1)
    assert (left / (np.abs(freed) @ weights)[..., 0].max(axis=-1)).max() < IDENTITY
    # direct dynamics, through the joints and in the task
    qdd = dyn.forward(q, qd, torque)
    terms = times(np.abs(J), np.abs(qdd)) + times(np.abs(freed), np.abs(torque) + np.abs(bias))
    assert relative(times(J, qdd) + found.drift - xdd, terms) < IDENTITY
    assert relative(found.acceleration(torque) - xdd, terms) < IDENTITY
    there = times(J, dyn.forward(q, qd, tau)) + found.drift
    assert off(found.acceleration(tau), there) < IDENTITY
    # (7.139): any torques, as a force of the task
    assert off(found.force(there), found.task_force(tau)) < IDENTITY
    if m == dyn.n:  # (7.134)-(7.136)
        inverse = np.linalg.inv(J)
        back = np.swapaxes(inverse, -1, -2)
        assert off(Lambda, back @ H @ inverse) < IDENTITY
        assert off(found.gravity, times(back, dyn.gravity(q))) < IDENTITY
        sums = times(np.abs(Jbart), np.abs(dyn.bias(q, qd) - dyn.gravity(q)))
        assert relative(found.internal, sums + times(np.abs(Lambda), np.abs(found.drift))) < IDENTITY


@pytest.mark.parametrize(("name", "task", "angles"), TASKS)
def test_joint_accelerations_of_a_task(name: str, task: str, angles: Any) -> None:
    dyn = dynamics(name)
    found, q, qd, _, other = regular(dyn, task, angles)
    xdd = np.random.default_rng(2).uniform(-5, 5, (len(q), len(found.axes)))
    qdd = found.joint_acceleration(xdd, other)
    null = times(dyn.mass_matrix(q), other) + dyn.bias(q, qd)
    assert off(dyn.inverse(q, qd, qdd), found.torque(xdd, null)) < IDENTITY
    least = found.joint_acceleration(xdd)
    energy = [np.einsum("ki,kij,kj->k", x, dyn.mass_matrix(q), x) for x in (least, qdd)]
    assert (energy[0] <= energy[1] * (1 + 1e-9)).all()


@pytest.mark.parametrize(("name", "task", "angles"), TASKS)
def test_skew_symmetry_of_problem_7_9(name: str, task: str, angles: Any) -> None:
    """B_A' - 2 C_A by central differences, and exactly: B_A' = C_A + C_A^T has no other meaning."""
    dyn = dynamics(name)
    found, q, qd, _, _ = regular(dyn, task, angles)
    change = [
        dyn.operational_space(q + step * qd, qd, task=task, angles=angles).inertia
        for step in (DIFFERENCE, -DIFFERENCE)
    ]
    slope = (change[0] - change[1]) / (2 * DIFFERENCE)
    N = slope - 2 * found.coriolis_matrix
    sizes = np.abs(slope).max(axis=(1, 2)) + np.abs(found.inertia).max(axis=(1, 2))
    assert (np.abs(N + np.swapaxes(N, -1, -2)).max(axis=(1, 2)) / sizes).max() < 1e-5
    # without differences: Bdot_A = Jbar^T Hdot Jbar - B_A Jdot Jbar - (B_A Jdot Jbar)^T, Hdot = C + C^T
    C, Jdot = found.rates()
    moved = found.inertia @ Jdot @ found.inverse
    Hdot = C + np.swapaxes(C, -1, -2)
    exact = np.swapaxes(found.inverse, -1, -2) @ Hdot @ found.inverse - moved - np.swapaxes(moved, -1, -2)
    N = exact - 2 * found.coriolis_matrix
    sizes = np.abs(exact).max(axis=(1, 2)) + np.abs(found.coriolis_matrix).max(axis=(1, 2))
    assert (np.abs(N + np.swapaxes(N, -1, -2)).max(axis=(1, 2)) / sizes).max() < IDENTITY


# Frames and axes ------------------------------------------------------------------------------


def test_any_frame_any_point_any_axes() -> None:
    dyn = dynamics("panda")
    q, qd, qdd, _ = states(dyn, 30)
    frame, at = dyn.robot.body_names[4], np.array([0.1, -0.2, 0.3])
    found = dyn.operational_space(q, qd, task="position", frame=frame, at=at)
    assert off(found.jacobian, dyn.jacobian(q, frame, at=at)[:, :3]) < 1e-12
    moving = dyn.acceleration(q, qd, qdd, frame, at=at)[:, :3]
    assert off(times(found.jacobian, qdd) + found.drift, moving) < 1e-12
    own = dyn.operational_space(q, qd, task="x,y,z", axes="tool")
    R = dyn.pose(q)[:, :3, :3]
    assert off(own.jacobian, np.swapaxes(R, -1, -2) @ dyn.jacobian(q)[:, :3]) < 1e-12
    assert off(own.velocity, times(np.swapaxes(R, -1, -2), dyn.twist(q, qd)[:, :3])) < 1e-12
    ahead, behind = (
        dyn.operational_space(q + h * qd, qd, task="x,y,z", axes="tool").velocity
        for h in (DIFFERENCE, -DIFFERENCE)
    )
    assert off(own.drift, (ahead - behind) / (2 * DIFFERENCE)) < 1e-8
    body = dyn.operational_space(q, qd, task="x,y,z", axes=frame)
    back = np.swapaxes(dyn.pose(q, frame)[:, :3, :3], -1, -2)
    assert off(body.velocity, times(back, dyn.twist(q, qd)[:, :3])) < 1e-12


def test_drift_of_angles_is_the_change_of_their_rates() -> None:
    dyn = dynamics("ur5")
    q, qd, _, _ = states(dyn, 200)
    for angles in ("zyx", "zyz"):
        found = dyn.operational_space(q, qd, angles=angles)
        flat = np.abs(found.jacobian).max(axis=(1, 2)) < 3  # far from where the angles end
        ahead, behind = (
            dyn.operational_space(q + h * qd, qd, angles=angles).velocity for h in (DIFFERENCE, -DIFFERENCE)
        )
        assert off(found.drift[flat], ((ahead - behind) / (2 * DIFFERENCE))[flat]) < 1e-7


def test_a_wrench_is_what_the_tool_exerts() -> None:
    """With h at the tool, a full task feels just that; a moving base is felt as by the joints."""
    dyn = dynamics("ur5")
    found, q, qd, tau, _ = regular(dyn, "pose", None)
    h = np.array([20.0, -30.0, 10.0, 1.0, 2.0, -3.0])
    pressed = dyn.operational_space(q, qd, h)
    assert off(pressed.contact, np.broadcast_to(h, pressed.contact.shape)) < 1e-8
    base = np.array([0.1, 0.2, 0.3, 0.4, -0.5, 0.6, 1.0, -2.0, 3.0, 0.3, 0.2, 0.1])
    moved = dyn.operational_space(q, qd, h, base=base)
    qdd = dyn.forward(q, qd, tau, h, base=base)
    assert off(moved.acceleration(tau), dyn.acceleration(q, qd, qdd, base=base)) < 1e-8
    assert off(moved.velocity, dyn.twist(q, qd, base=base)) < 1e-12
    assert off(found.acceleration(tau), moved.acceleration(tau)) > 1e-3


def test_one_state_batches_and_threads_give_the_same() -> None:
    dyn = Dynamics(load("panda"))
    q, qd, _, _ = states(dyn, 6)
    whole = dyn.operational_space(q.reshape(2, 3, 7), qd.reshape(2, 3, 7), threads=2)
    one = dyn.operational_space(q[4], qd[4])
    assert whole.inertia.shape == (2, 3, 6, 6)
    assert np.array_equal(whole.inertia[1, 1], one.inertia)
    assert np.array_equal(dyn.operational_space(q[4]).coriolis, np.zeros(6))


# Lost directions ------------------------------------------------------------------------------

LOST_AT = [
    ("ur5", [0.3, -1.2, 1.4, 0.2, 0.0, 0.4], "pose", None),  # wrist straight
    ("ur5", [0.3, -1.2, 0.0, 0.2, 0.5, 0.4], "pose", None),  # elbow straight
    ("planar3", [0.0, 0.0, 0.0], "x,y", "x"),
    ("planar3", [0.4, -0.3, 0.8], "x,y,z", "z"),  # it never leaves its plane
    ("planar3", [np.pi / 2, 0.0, 0.0], "x,y", "y"),
    ("scara", [0.3, 0.0, 0.1, 0.4], "x,y,z,rz", None),
    ("pendulum", [0.0], "z", "z"),
    ("cartesian2", [0.2, 0.3], "x,y", None),
]


@pytest.mark.parametrize(("name", "q", "task", "axis"), LOST_AT)
def test_a_lost_direction_is_named_and_damped_on_request(
    name: str, q: list[float], task: str, axis: str | None
) -> None:
    dyn = dynamics(name)
    qd, losses = np.full(dyn.n, 0.3), Losses()
    found = dyn.operational_space(q, qd, task=task, losses=losses)
    assert found.singular
    assert losses.rows == 1
    assert np.isnan(found.inertia).all()
    assert np.isfinite(found.acceleration(np.ones(dyn.n))).all()
    directions = found.directions.vectors[:, found.lost]
    assert directions.shape[1] >= 1
    assert np.abs(directions.T @ found.scale.jacobian(found.jacobian)).max() < 1e-6
    if axis is not None:
        assert f"cannot move along {axis};" in found.explained()
    damped = dyn.operational_space(q, qd, task=task, damping=0.05)
    for part in ("inertia", "inverse", "coriolis", "gravity", "coriolis_matrix", "projector"):
        assert np.isfinite(getattr(damped, part)).all(), part
    assert (np.linalg.eigvalsh(damped.inertia) > 0).all()
    # what can be done is done, as far as damping leaves other directions alone
    torque = damped.torque(np.zeros(len(damped.axes)))
    assert np.abs(torque).max() < 1e6


def test_damping_changes_nothing_away_from_singularities_and_begins_softly() -> None:
    dyn = dynamics("planar2")
    elbow = np.linspace(0.0, 0.6, 601)[1:]
    q = np.stack([np.full_like(elbow, 0.3), elbow], axis=-1)
    plain, damped = (dyn.operational_space(q, task="x,y", damping=d) for d in (None, 0.05))
    far = plain.directions.values[:, -1] >= 0.05
    assert far.any()
    assert not far.all()
    assert off(damped.inertia[far], plain.inertia[far]) < 1e-12
    steps = np.abs(np.diff(damped.inertia, axis=0)).max(axis=(1, 2))
    assert steps.max() < 0.05 * np.abs(damped.inertia).max()
    exact, soft = (np.linalg.eigvalsh(x.inertia[0])[-1] for x in (plain, damped))
    assert soft < 1e-3 * exact


SLIDING = [
    ("scara", [0.3, 1e-3, 0.1, 0.4], "x,y,z,rz"),
    ("scara", [0.3, 0.9, 0.1, 0.4], "x,y,z,rz"),
    ("stanford", [0.3, -0.6, 0.5, 0.2, 1e-3, 0.4], "pose"),
    ("ur5", [0.3, -1.2, 1.4, 0.2, 1e-3, 0.4], "pose"),
]


def scaled_by_hand(dyn: Dynamics, task: str) -> tuple[np.ndarray, np.ndarray]:
    """R and S: a turn counts as the way that it makes at the length of all links, slides drawn in."""
    zero = np.zeros(dyn.n)
    origins = [np.zeros(3), *(dyn.pose(zero, name)[:3, 3] for name in [*dyn.robot.body_names, None])]
    reach = float(np.linalg.norm(np.diff(origins, axis=0), axis=1).sum())
    names = ["x", "y", "z", "rx", "ry", "rz"] if task == "pose" else task.split(",")
    rows = [1.0 if name.startswith("r") else 1 / reach for name in names]
    return np.array(rows), np.array([reach if j.kind == "prismatic" else 1.0 for j in dyn.robot.joints])


@pytest.mark.parametrize(("name", "q", "task"), SLIDING)
def test_sliding_joints_count_by_the_reach(name: str, q: list[float], task: str) -> None:
    dyn = dynamics(name)
    R, S = scaled_by_hand(dyn, task)
    found = dyn.operational_space(q, task=task)
    assert found.scale.rows == pytest.approx(R)
    assert found.scale.columns == pytest.approx(S)
    by_hand = R[:, None] * found.jacobian * S
    assert found.directions.values == pytest.approx(np.linalg.svd(by_hand, compute_uv=False), abs=1e-12)
    for k in np.flatnonzero(S != 1):  # a slide by the reach is a way of one, as long as the task sees it
        assert np.linalg.norm(by_hand[:, k]) == pytest.approx(1.0)


@pytest.mark.parametrize(("name", "q", "task"), SLIDING)
def test_damped_parts_while_moving_are_those_written_out(name: str, q: list[float], task: str) -> None:
    """B = (W + U max(d^2 - s^2, 0) w U^T)^-1 in scaled units, Jbar = H^-1 J^T B, all else through these."""
    dyn, damping = dynamics(name), 0.05
    qd = np.linspace(0.9, -0.7, dyn.n)
    found = dyn.operational_space(q, qd, task=task, damping=damping)
    R, S = scaled_by_hand(dyn, task)
    picked = [("x", "y", "z", "rx", "ry", "rz").index(axis) for axis in found.axes]
    J, H = dyn.jacobian(q)[picked], dyn.mass_matrix(q)
    drift = dyn.acceleration(q, qd, np.zeros(dyn.n))[picked]
    U, s, _ = np.linalg.svd(R[:, None] * J * S)
    W = R[:, None] * (J @ np.linalg.solve(H, J.T)) * R
    added = np.maximum(damping**2 - s**2, 0.0) * np.trace(W) / (s @ s)
    B = R[:, None] * np.linalg.inv(W + U @ np.diag(added) @ U.T) * R
    Jbar = np.linalg.solve(H, J.T) @ B
    bias, g = dyn.bias(q, qd), dyn.gravity(q)
    assert (s[-1] < damping) == (1e-3 in q)  # one of the states is far from it
    expected = {
        "inertia": B,
        "inverse": Jbar,
        "coriolis": Jbar.T @ (bias - g) - B @ drift,
        "gravity": Jbar.T @ g,
    }
    for part, value in expected.items():
        size = np.abs(value).max()
        assert np.abs(getattr(found, part) - value).max() < 1e-8 * max(size, 1e-3), part
    assert np.abs(expected["coriolis"]).max() > 1e-3


def test_angles_that_end_are_no_numbers_and_say_so() -> None:
    planar = load("planar3")
    level, upright = (
        Dynamics(planar.with_tool(Transform.of(rpy=(0, pitch, 0)))) for pitch in (0.0, np.pi / 2)
    )
    options: dict[str, Any] = {"task": "x,y,yaw", "angles": "zyx"}
    assert np.isfinite(level.operational_space(planar.home, **options).inertia).all()
    found = upright.operational_space(planar.home, **options)
    assert np.isnan(found.inertia).all()
    assert "not defined here" in found.explained()
    assert np.isfinite(upright.operational_space(planar.home, task="x,y,rz").inertia).all()


def test_compiled_and_plain_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    dyn = Dynamics(load("panda"))
    q, qd, _, _ = states(dyn, 21)
    found = []
    for native in ("0", "1"):
        monkeypatch.setenv("ARMDYN_NATIVE", native)
        found.append(Dynamics(dyn.robot).operational_space(q, qd))
    for part in ("jacobian", "mobility", "inertia", "inverse", "coriolis", "gravity", "coriolis_matrix"):
        assert off(*(getattr(one, part) for one in found)) < IDENTITY, part


def test_a_state_that_is_not_a_number_gives_nan_in_its_row_only() -> None:
    dyn = Dynamics(load("ur5"))
    q, qd, _, _ = states(dyn, 5)
    q[2, 3] = np.nan
    for damping in (None, 0.1):
        losses = Losses()
        found = dyn.operational_space(q, qd, damping=damping, losses=losses)
        assert np.isnan(found.inertia).any(axis=(1, 2)).tolist() == [False, False, True, False, False]
        assert np.isnan(found.directions.values).any(axis=1).tolist() == [False, False, True, False, False]
        assert losses.rows == 0
    assert "not a number" in dyn.operational_space(q[2]).explained()


# Bad input ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"task": "psition"}, 'no axis "psition"; expected pose, position, orientation, or axes of x, y, z'),
        ({"task": "x,x"}, 'task "x,x", expected each axis once'),
        ({"task": ()}, "expected each axis once"),
        ({"task": 3}, "task is 3, expected pose, position"),
        ({"task": "yaw"}, 'no axis "yaw"'),
        ({"angles": "xyz"}, 'angles "xyz", expected zyx or zyz'),
        ({"frame": "hand"}, 'no body "hand" in robot "ur5", expected one of'),
        ({"axes": "hand"}, 'no body "hand"'),
        ({"axes": "tool", "angles": "zyx"}, "expected no axes beside them"),
        ({"damping": 0.0}, "damping is 0.0, expected a number of 1e-05 or more, or None"),
        ({"damping": "much"}, "damping is 'much'"),
        ({"damping": float("nan")}, "damping is nan"),
        ({"at": 0.1}, "at is 0.1, expected a point"),
        ({"at": [0.1, 0.2]}, "at has shape (2,)"),
        ({"frame": ["tool"]}, "frame is ['tool'], expected a name"),
        ({"frame": 3}, "frame is 3, expected a name"),
        ({"wrench": [1.0, 2.0]}, "wrench has shape (2,)"),
        ({"base": [0.0]}, "base has shape (1,)"),
        ({"threads": 0}, "threads is 0"),
    ],
)
def test_what_there_is_not_is_refused(options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(InputError) as caught:
        Dynamics(load("ur5")).operational_space(np.zeros(6), **options)
    assert sentence in str(caught.value)


def test_a_task_of_more_axes_than_joints_is_refused_unless_damped() -> None:
    dyn = Dynamics(load("planar3"))
    with pytest.raises(InputError) as caught:
        dyn.operational_space(dyn.robot.home)
    assert str(caught.value) == (
        'the task has 6 axes (x, y, z, rx, ry, rz), robot "planar3" has 3 joints; ask for at most 3, as '
        'task="x,y,z", or for damping'
    )
    damped = dyn.operational_space(dyn.robot.home, damping=0.05)
    assert np.isfinite(damped.inertia).all()
    assert damped.lost.sum() == 3
    pendulum = Dynamics(load("pendulum"))
    assert pendulum.operational_space([0.3], task="rz").inertia.shape == (1, 1)


def test_wrong_shapes_are_refused() -> None:
    dyn = Dynamics(load("ur5"))
    for given in ((np.zeros(5),), (np.zeros(6), np.zeros(7)), ("home",)):
        with pytest.raises(InputError):
            dyn.operational_space(*given)
    found = dyn.operational_space(np.zeros((4, 6)) + 0.3)
    with pytest.raises(ShapeError, match="the task has axes x, y, z, rx, ry, rz"):
        found.torque(np.zeros(3))
    with pytest.raises(ShapeError, match="there are 6 joints"):
        found.torque(np.zeros(6), np.zeros(5))
    with pytest.raises(ShapeError, match=r"there are \(4,\) states, expected \(6,\) or \(4, 6\)"):
        found.torque(np.zeros((2, 6)))
    with pytest.raises(ShapeError, match="null has shape"):
        found.torque(np.zeros(6), np.zeros((3, 6)))
    assert dyn.operational_space(np.zeros(6) + 0.3).torque(np.zeros((2, 6))).shape == (2, 6)
    with pytest.raises(InputError, match="for one state"):
        found.explained()

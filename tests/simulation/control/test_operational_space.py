"""The controller in operational space: linear errors, a free posture, lost directions, bad input."""

from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from armdyn.dynamics import Dynamics
from armdyn.errors import InputError, ShapeError
from armdyn.formats import load
from armdyn.simulation import operational_space, simulate, simulate_many
from armdyn.simulation.control import references
from armdyn.simulation.control.operational_space import pose_error

EXACT = 1e-8


def law_of(controller: Any) -> Any:
    return controller.between(0.0, 1.0)


@pytest.mark.parametrize(("name", "task"), [("panda", "pose"), ("panda", "position"), ("planar3", "x,y")])
def test_errors_of_the_task_and_of_the_rest_obey_their_equations(name: str, task: str) -> None:
    """xdd = xdd_r + kv (xd_r - xd) + kp e, and in the null space qdd = qdd_0, by forward dynamics."""
    dyn = Dynamics(load(name), friction=False)
    rng = np.random.default_rng(0)
    home = np.array(dyn.robot.home)
    q, qd = home + rng.uniform(-0.2, 0.2, dyn.n), rng.uniform(-0.5, 0.5, dyn.n)
    r, rd, rdd = home, rng.uniform(-0.5, 0.5, dyn.n), rng.uniform(-2, 2, dyn.n)
    reference = references.of_function(lambda _: np.array([r, rd, rdd]), dyn.n)
    control = operational_space(dyn, reference, kp=25.0, kv=10.0, task=task, posture_kp=9.0, posture_kv=6.0)
    tau, _ = law_of(control)(0.3, q, qd, np.empty(0))
    qdd = dyn.forward(q, qd, tau)
    found = dyn.operational_space(q, qd, task=task)
    rows = [("x", "y", "z", "rx", "ry", "rz").index(axis) for axis in found.axes]
    way = dyn.pose(r)[:3, 3] - dyn.pose(q)[:3, 3]
    turn = Rotation.from_matrix(dyn.pose(r)[:3, :3] @ dyn.pose(q)[:3, :3].T).as_rotvec()
    error = np.concatenate([way, turn])[rows]
    ahead, wanted = dyn.acceleration(r, rd, rdd)[rows], dyn.twist(r, rd)[rows]
    a = ahead + 10.0 * (wanted - found.velocity) + 25.0 * error
    assert found.jacobian @ qdd + found.drift == pytest.approx(a, rel=EXACT, abs=EXACT)
    free = rdd + 6.0 * (rd - qd) + 9.0 * (r - q)
    null = np.eye(dyn.n) - found.inverse @ found.jacobian
    assert null @ qdd == pytest.approx(null @ free, rel=1e-7, abs=1e-7)


def test_a_circle_of_the_tool_while_the_elbow_stays_where_it_can() -> None:
    dyn = Dynamics(load("planar3"), friction=False)
    q = np.array(dyn.robot.home)
    start, w, radius = dyn.pose(q), 2 * np.pi, 0.2

    def place(t: float) -> tuple[Any, Any, Any]:
        c, s = np.cos(w * t), np.sin(w * t)
        T = start.copy()
        T[:2, 3] += radius * np.array([c - 1, s])
        still = np.zeros(4)
        return T, [*(radius * w * np.array([-s, c])), *still], [*(-radius * w * w * np.array([c, s])), *still]

    control = operational_space(dyn, references.fixed(q), kp=400, kv=40, task="x,y", place=place)
    found = dyn.operational_space(q, task="x,y")
    qd = found.inverse @ np.array([0.0, radius * w])
    run = simulate(dyn, 0.5, controller=control, q=q, qd=qd)
    off = [dyn.pose(x)[:2, 3] - place(t)[0][:2, 3] for t, x in zip(run.time, run.q, strict=True)]
    assert np.abs(off).max() < 1e-7
    assert np.ptp(dyn.pose(run.q)[:, 0, 3]) > 0.39


@pytest.mark.parametrize(
    ("name", "lost"), [("ur5", [0.0, -1.2, 1.4, 0.1, 0.0, 0.0]), ("planar2", [0.3, 0.0])]
)
def test_a_posture_in_which_a_direction_is_lost_is_held_and_reached(name: str, lost: list[float]) -> None:
    dyn = Dynamics(load(name), friction=False)
    control = operational_space(dyn, references.fixed(lost), kp=100, kv=20)
    run = simulate(dyn, 1.0, controller=control, q=np.array(lost) + 0.05, integrator="rk4", dt=1e-2)
    assert np.isfinite(run.tau).all()
    assert np.abs(run.tau).max() < 1e4
    assert np.abs(run.q[-1] - lost).max() < 1e-3


def test_rotation_errors() -> None:
    rng = np.random.default_rng(1)
    turns = Rotation.from_rotvec(rng.uniform(-1.8, 1.8, (20, 3)))
    T, wanted = np.broadcast_to(np.eye(4), (20, 4, 4)).copy(), np.broadcast_to(np.eye(4), (20, 4, 4)).copy()
    T[:, :3, :3] = Rotation.from_rotvec(rng.normal(size=(20, 3))).as_matrix()
    wanted[:, :3, :3] = turns.as_matrix() @ T[:, :3, :3]
    assert pose_error(T, wanted)[:, 3:] == pytest.approx(turns.as_rotvec(), abs=1e-9)
    assert np.array_equal(pose_error(T, T)[:, :3], np.zeros((20, 3)))
    assert np.isfinite(pose_error(np.eye(4), np.diag([1.0, -1.0, -1.0, 1.0]))).all()


def test_many_runs_at_once() -> None:
    dyn = Dynamics(load("planar3"), friction=False)
    q = np.array(dyn.robot.home)
    control = operational_space(dyn, references.fixed(q), kp=100, kv=20, task="x,y")
    runs = simulate_many(dyn, 0.05, q=q + np.array([[0.01], [0.02]]), controller=control, dt=1e-3)
    assert not runs.lost.any()


def test_bad_input() -> None:
    dyn = Dynamics(load("ur5"))
    held = references.fixed(dyn.robot.home)
    good: dict[str, Any] = {"kp": 100.0, "kv": 20.0}
    for options, sentence in [
        ({"task": "w"}, 'no axis "w"'),
        ({"frame": "hand"}, 'no body "hand"'),
        ({"kp": [1.0, 2.0]}, "the task has 6 axes, expected a number or (6,)"),
        ({"kp": -1.0}, "kp is -1.0, expected finite numbers, 0 or above"),
        ({"kv": "stiff"}, "kv is 'stiff'"),
        ({"posture_kp": [1.0]}, "posture_kp has shape (1,)"),
        ({"model": Dynamics(load("planar2"))}, "expected as many"),
    ]:
        with pytest.raises(InputError) as caught:
            operational_space(dyn, held, **{**good, **options})
        assert sentence in str(caught.value)
    with pytest.raises(InputError, match="moves 2 joints"):
        operational_space(dyn, references.fixed([0.0, 0.0]), **good)
    wrong = operational_space(dyn, held, place=lambda _: (np.eye(3), np.zeros(6), np.zeros(6)), **good)
    with pytest.raises(ShapeError, match="the place's pose"):
        law_of(wrong)(0.0, np.zeros(6), np.zeros(6), np.empty(0))

"""[Szkodny1995] as printed, written down anew with NumPy: what holds, and where errata mend it.

T_i, T_ai and J of two arms are written by hand, effectors relative to the links that they drive.
"""

from __future__ import annotations

import importlib
import math
import re
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import armdyn as ad
from actuated_robots import (
    AXIAL,
    BELT_STATE,
    SPATIAL_STATE,
    K,
    agree,
    arm_with_motors_in_axes,
    arrays,
    belt_arm,
    belt_with_wheels,
    differential_wrist,
    expected,
    gyroscope,
)
from armdyn.mechanics.actuated_lagrangian import (
    BEYOND_AXES,
    IN_AXES,
    coefficients,
    coefficients_without_actuators,
)
from armdyn.mechanics.lagrangian.actuated_arm import actuated_arm, arm_matrices
from armdyn.mechanics.lagrangian.coefficients import Coefficients
from armdyn.mechanics.lagrangian.drive_elements import drive_elements
from armdyn.mechanics.linear_system import solve
from armdyn.robot import BASE, Robot
from armdyn.spatial.homogeneous import pseudo_inertia

PRINTED = 5e-5
"""Half a unit of the fourth decimal."""
ROUNDING = 1e-10

Bodies = Callable[[Any], tuple[list, list]]
"""q -> (T_i, J_i) of the links and (T_i, T_ai, J_ai) of the effectors."""


def array(m: Any) -> np.ndarray:
    return np.array(m, dtype=float)


# The belt example -----------------------------------------------------------------------------


def test_the_belt_example_is_exact() -> None:
    D = np.array(coefficients(belt_arm(), BELT_STATE).inertia, dtype=float)
    np.testing.assert_allclose(D, [[326.0805, 138.0402], [138.0402, 122.5]], rtol=0, atol=PRINTED)


def test_squared_ratios_on_the_diagonal_miss_the_belts_coupling() -> None:
    robot = belt_arm()
    links = np.array(coefficients_without_actuators(actuated_arm(robot), BELT_STATE).inertia)
    diagonal = links + K**2 * AXIAL * np.eye(2)
    exact = np.array(coefficients(robot, BELT_STATE).inertia, dtype=float)
    assert 1 - diagonal[0, 1] / exact[0, 1] == pytest.approx(0.72, abs=0.005)


# (1) by itself --------------------------------------------------------------------------------


def turn(axis: str, angle: Any) -> np.ndarray:
    c, s = np.cos(angle), np.sin(angle)
    R = {
        "x": [[1, 0, 0], [0, c, -s], [0, s, c]],
        "y": [[c, 0, s], [0, 1, 0], [-s, 0, c]],
        "z": [[c, -s, 0], [s, c, 0], [0, 0, 1]],
    }[axis]
    T = np.eye(4, dtype=complex)
    T[:3, :3] = R
    return T


def shift(x: float, y: float = 0.0) -> np.ndarray:
    T = np.eye(4, dtype=complex)
    T[:2, 3] = x, y
    return T


def pseudo(mass: float, x: float, xx: float, yy: float, zz: float) -> np.ndarray:
    """(5) of a body with its centre at (x, 0, 0) and principal moments about it."""
    half = (xx + yy + zz) / 2
    J = np.diag([half - xx + mass * x * x, half - yy, half - zz, mass])
    J[0, 3] = J[3, 0] = mass * x
    return J


LINK = pseudo(50.0, 0.5, 10.0, 10.0, 10.0)
ROTOR = pseudo(5.0, 0.0, 0.005, 0.005, AXIAL)
HAND = pseudo(2.0, 0.2, 0.02, 0.05, 0.05)
SPINNER = pseudo(1.5, 0.0, 0.006, 0.006, AXIAL)


def belt_bodies(q: Any) -> tuple[list, list]:
    """T_i, J_i and T_ai, J_ai, the effectors relative to the links that they drive."""
    T1 = turn("z", q[0])
    T2 = T1 @ shift(1.0) @ turn("z", q[1])
    spin = turn("z", K * (q[0] + q[1]))
    effectors = [
        (T1, np.linalg.inv(T1) @ turn("z", K * q[0]), ROTOR),
        (T2, np.linalg.inv(T2) @ shift(0.3, 0.1) @ spin, ROTOR),
    ]
    return [(T1, LINK), (T2, LINK)], effectors


def spatial(q: Any) -> list[np.ndarray]:
    """T_0 .. T_3 of column, arm and hand."""
    T1 = turn("z", q[0])
    T2 = T1 @ turn("y", q[1])
    return [turn("z", 0.0), T1, T2, T2 @ turn("x", q[2])]


def along(angle: Any) -> np.ndarray:
    """A rotor that spins along x of its carrier, on that carrier."""
    return shift(0.1) @ turn("y", math.pi / 2) @ turn("z", angle)


def gyroscope_bodies(q: Any, carrier: int = 2) -> tuple[list, list]:
    T = spatial(q)
    motor = np.linalg.inv(T[3]) @ T[carrier] @ along(K * q[2])
    return [(t, HAND) for t in T[1:]], [(T[3], motor, SPINNER)]


def differential_bodies(q: Any) -> tuple[list, list]:
    """Both motors on the column; one drives the arm, one the hand."""
    T = spatial(q)
    angles = {2: K * (q[1] + q[2]), 3: K * (q[1] - q[2])}
    effectors = [(T[p], np.linalg.inv(T[p]) @ T[1] @ along(a), SPINNER) for p, a in angles.items()]
    return [(t, HAND) for t in T[1:]], effectors


def lagrangian_1(bodies: Bodies, q: np.ndarray, qd: np.ndarray, gravity: np.ndarray) -> float:
    """(1) trace by trace; time derivatives by a complex step along qd, which loses no digits."""
    step = 1e-30
    (links, effectors), (later_links, later_effectors) = bodies(q), bodies(q + 1j * step * qd)
    g = np.append(gravity, 0.0)
    L = 0.0
    for (T, J), (later, _) in zip(links, later_links, strict=True):
        rate = later.imag / step
        L += 0.5 * np.trace(rate @ J @ rate.T) + g @ T.real @ J[:, 3]
    for (now, now_A, J), (later, later_A, _) in zip(effectors, later_effectors, strict=True):
        T, A, U, V = now.real, now_A.real, later.imag / step, later_A.imag / step
        L += 0.5 * np.trace(U @ A @ J @ A.T @ U.T) + np.trace(U @ A @ J @ V.T @ T.T)
        L += 0.5 * np.trace(V @ J @ V.T) + g @ T @ A @ J[:, 3]
    return float(L)


def coefficients_of(L: Callable[[np.ndarray, np.ndarray], float], q: np.ndarray) -> Coefficients:
    """D_i, D_ij, D_ijk of (6): exact differences in qd, central ones in q."""
    n, h = len(q), 1e-4
    unit, rest = np.eye(n), np.zeros(n)

    def D(at: np.ndarray) -> np.ndarray:
        T = [[L(at, a + b) - L(at, a) - L(at, b) + L(at, rest) for b in unit] for a in unit]
        return np.array(T)

    slope = np.stack([(D(q + h * e) - D(q - h * e)) / (2 * h) for e in unit], axis=-1)
    c = 0.5 * (slope + np.swapaxes(slope, 1, 2) - np.moveaxis(slope, 2, 0))
    gravity = [-(L(q + h * e, rest) - L(q - h * e, rest)) / (2 * h) for e in unit]
    return Coefficients(gravity, D(q).tolist(), c.tolist())


DIFFERENCES = 1e-7
"""Relative: central differences over 1e-4 of functions of order 1."""

CASES = [
    pytest.param(belt_arm(), belt_bodies, BELT_STATE, id="belt"),
    pytest.param(gyroscope(), gyroscope_bodies, SPATIAL_STATE, id="gyroscope"),
    pytest.param(differential_wrist(), differential_bodies, SPATIAL_STATE, id="differential"),
]


@pytest.mark.parametrize(("robot", "bodies", "q"), CASES)
def test_the_lagrangian_as_printed_is_exact(robot: Robot, bodies: Bodies, q: list[float]) -> None:
    """(1), effectors seen from the links that they drive, as the nomenclature has it."""
    g = np.array(robot.gravity, dtype=float)
    printed = coefficients_of(lambda x, v: lagrangian_1(bodies, x, v, g), np.array(q))
    agree(expected(robot, q, "exact"), printed, DIFFERENCES)
    agree(coefficients(robot, q), printed, DIFFERENCES)


# (9) ------------------------------------------------------------------------------------------


def slopes(matrix: Callable[[np.ndarray], np.ndarray], q: np.ndarray) -> np.ndarray:
    """d/dq_i of a matrix, first axis i, by complex steps that lose no digits."""
    return np.array([np.imag(matrix(q + 1e-30j * e)) / 1e-30 for e in np.eye(len(q))])


def bends(matrix: Callable[[np.ndarray], np.ndarray], q: np.ndarray) -> np.ndarray:
    """d2/dq_j dq_k of a matrix, first axes j and k, by central differences of its slopes."""
    h = 1e-4
    rows = [(slopes(matrix, q + h * e) - slopes(matrix, q - h * e)) / (2 * h) for e in np.eye(len(q))]
    return np.array(rows)


def velocity_9(bodies: Bodies, q: np.ndarray) -> np.ndarray:
    """D_ijk trace by trace, and of it the part symmetric in j and k.

    T_p of the joints before p alone has derivatives: the sums' lower limits are met by themselves.
    """
    links, effectors = bodies(q)
    D = np.zeros((len(q),) * 3)
    for p, (_, J) in enumerate(links):
        U, UU = (derive(lambda x, p=p: bodies(x)[0][p][0], q) for derive in (slopes, bends))
        for i, j, k in np.ndindex(D.shape):
            D[i, j, k] += np.trace(UU[j, k] @ J @ U[i].T)
    for p, (now, _, J) in enumerate(effectors):
        T, U, V = now.real, *(slopes(lambda x, p=p, m=m: bodies(x)[1][p][m], q) for m in (0, 1))
        for i, j, k in np.ndindex(D.shape):
            D[i, j, k] += np.trace(U[i] @ V[k] @ J @ V[j].T @ T.T)
            D[i, j, k] += np.trace(U[j] @ V[k] @ J @ V[i].T @ T.T) - np.trace(U[j] @ V[i] @ J @ V[k].T @ T.T)
    return 0.5 * (D + np.swapaxes(D, 1, 2))


def gyroscope_on_base(q: Any) -> tuple[list, list]:
    return gyroscope_bodies(q, carrier=0)


ON_BASE = pytest.param(gyroscope(BASE), gyroscope_on_base, SPATIAL_STATE, id="motor on the base")


@pytest.mark.parametrize(("robot", "bodies", "q"), [*CASES, ON_BASE])
def test_velocity_coefficients_as_printed(robot: Robot, bodies: Bodies, q: list[float]) -> None:
    """(9), effectors seen from the links that they drive."""
    printed = velocity_9(bodies, np.array(q))
    reduced = coefficients(robot, q, BEYOND_AXES, reference="driven", carried=False).velocity
    size = max(1.0, np.abs(printed).max())
    np.testing.assert_allclose(array(reduced), printed, rtol=0, atol=DIFFERENCES * size)


def test_the_actuator_terms_of_9_are_not_nothing() -> None:
    """What the links alone have is something else."""
    links = coefficients_without_actuators(actuated_arm(gyroscope(BASE)), SPATIAL_STATE).velocity
    assert np.abs(velocity_9(gyroscope_on_base, np.array(SPATIAL_STATE)) - array(links)).max() > 0.1


# The appendix's limits ------------------------------------------------------------------------


def test_a_sum_must_begin_at_max_j_k() -> None:
    """sum_p Tr(U_jk A J V_i^T T^T), printed from max(i,k), loses the effector of the tilt at i = roll."""
    robot, q = differential_wrist(), np.array(SPATIAL_STATE)
    (T, A, J), *_ = differential_bodies(q)[1]
    UU, V = (
        derive(lambda x, m=m: differential_bodies(x)[1][0][m], q) for derive, m in ((bends, 0), (slopes, 1))
    )
    lost = np.array([[np.trace(m @ A @ J @ V[2].T @ T.T).real for m in row] for row in UU])
    assert abs(lost[0, 1]) > 0.1
    printed, exact = arrays(coefficients(robot, SPATIAL_STATE))[2], expected(robot, q, "exact").velocity
    printed[2] -= lost
    np.testing.assert_allclose(array(exact) - printed, [0 * lost, 0 * lost, lost], atol=DIFFERENCES)


# The appendix's transposes --------------------------------------------------------------------


def mixed_inertia(robot: Robot, q: list[float], last: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
    """sum Tr(U_i A J V_j^T last(T)) + Tr(U_j A J V_i^T last(T)), the appendix's D_ij between its ends."""
    n = robot.n
    M = np.zeros((n, n))
    for a in arm_matrices(actuated_arm(robot), q).actuators:
        T, A, J = array(a.T.value), array(a.A.value), array(a.J)
        for i, j in np.ndindex(n, n):
            M[i, j] += np.trace(array(a.T.d(i)) @ A @ J @ array(a.A.d(j)).T @ last(T))
    return M + M.T


@pytest.mark.parametrize("robot", [gyroscope(), arm_with_motors_in_axes(3)], ids=lambda r: r.name)
def test_a_trailing_matrix_must_be_transposed(robot: Robot) -> None:
    """Exact less coupled is what the mixed terms add; printed from F_p on without the transpose."""
    q = SPATIAL_STATE
    order_k = arrays(expected(robot, q, "exact"))[1] - arrays(expected(robot, q, "coupled"))[1]
    np.testing.assert_allclose(mixed_inertia(robot, q, np.transpose), order_k, atol=ROUNDING)
    assert np.abs(mixed_inertia(robot, q, np.asarray) - order_k).max() > 0.1


# (15) -----------------------------------------------------------------------------------------


def test_drive_elements_as_printed_are_not_symmetric() -> None:
    """dD_ij over the elements of drive i alone: dD_12 and dD_21 are those of different wheels."""
    robot, q = belt_with_wheels(), BELT_STATE
    arm = actuated_arm(robot)
    T = arm_matrices(arm, q).T
    printed = np.zeros((2, 2))
    for i, element in enumerate(arm.elements):
        J = array(pseudo_inertia(arm.tree.links[element].inertia))
        printed[i] = [np.trace(array(T[element].d(i)) @ J @ array(T[element].d(j)).T) for j in range(2)]
    assert abs(printed[0, 1] - printed[1, 0]) > 0.1
    mended = array(drive_elements(arm, q).inertia)
    np.testing.assert_allclose(mended, mended.T, atol=ROUNDING)
    agree(coefficients(robot, q), expected(robot, q, "exact"))


# (13), (14), (19): forces of actuators --------------------------------------------------------


@pytest.mark.parametrize("name", ["irb6", "planar2", "lola15"])
def test_actuator_forces_do_the_work_of_link_forces(name: str) -> None:
    """F_a = (dq/dq_a)^T F  (13), F_d = (dq_a/dq)^T F_a  (19) with its indices mended."""
    robot = ad.load(name)
    dyn = ad.Dynamics(robot, friction=False)
    rng = np.random.default_rng(1)
    q, qd, F = np.array(robot.home) + 0.1, rng.uniform(-1, 1, robot.n), rng.uniform(-9, 9, robot.n)
    F_a, ratios = dyn.motor_torque(q, F), dyn.gear_matrix(q)
    np.testing.assert_allclose(F_a, np.linalg.inv(ratios).T @ F, atol=ROUNDING)
    np.testing.assert_allclose(ratios.T @ F_a, F, atol=ROUNDING)
    assert F_a @ dyn.motor_velocity(q, qd) == pytest.approx(F @ qd)


def test_the_printed_indices_of_19_do_no_such_work() -> None:
    """sum_j dq_aj/dq_j F_ai has no index j in the force."""
    dyn = ad.Dynamics(belt_arm())
    F_a, ratios = np.array([0.3, -0.2]), dyn.gear_matrix(BELT_STATE)
    assert not np.allclose(np.trace(ratios) * F_a, ratios.T @ F_a)


def test_in_axes_each_actuator_drives_its_own_joint() -> None:
    """(14): F_ai = F_i dq_i/dq_ai."""
    dyn = ad.Dynamics(arm_with_motors_in_axes())
    np.testing.assert_allclose(dyn.motor_torque(BELT_STATE, [30.0, -20.0]), [30.0 / K, -20.0 / K])


# (17), (18) in motion; (20), (21) -------------------------------------------------------------


def test_friction_in_motion_acts_on_the_actuators() -> None:
    """The third case of (17), and (18): F_d needs F_fm sgn(q_a') + k_v q_a' more, by (dq_a/dq)^T."""
    robot = ad.load("irb6")
    q, qd = [0.3, 0.2, -0.1, 0.4, 0.7], [0.5, -0.4, 0.6, 0.8, -0.7]
    smooth, rubbing = (ad.Dynamics(robot, friction=on) for on in (False, True))
    rate = smooth.motor_velocity(q, qd)
    viscous, coulomb = np.array([(d.friction.viscous, d.friction.coulomb) for d in robot.drives]).T
    expected_torque = smooth.gear_matrix(q).T @ (viscous * rate + coulomb * np.sign(rate))
    added = rubbing.inverse(q, qd, [0.0] * 5) - smooth.inverse(q, qd, [0.0] * 5)
    np.testing.assert_allclose(added, expected_torque, atol=ROUNDING)


def test_accelerations_solve_the_system_of_coefficients() -> None:
    """(20): D qdd = F - sum D_ijk qd_j qd_k - D_i."""
    robot = ad.load("irb6")
    rng = np.random.default_rng(2)
    q, qd, F = rng.uniform(-0.3, 0.3, 5), rng.uniform(-1, 1, 5), rng.uniform(-50, 50, 5)
    D = coefficients(robot, q.tolist())
    C = F - D.forces(qd.tolist(), [0.0] * 5)
    ours = ad.Dynamics(robot, "exact", friction=False).forward(q, qd, F)
    np.testing.assert_allclose(solve(D.inertia, C.tolist()), ours, rtol=ROUNDING)


# The page about the paper ---------------------------------------------------------------------


@pytest.fixture
def generator(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], ModuleType]:
    """The modules that write the page."""
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "docs" / "generators"))
    return importlib.import_module


@pytest.mark.slow
def test_the_page_has_a_row_for_every_equation(generator: Callable[[str], ModuleType]) -> None:
    """Its verdicts are conditional on checks that raise: a page that is written holds."""
    page = generator("szkodny1995").page()
    for equation in range(1, 23):
        assert re.search(rf"^\| \(?[^|]*\({equation}\)", page, re.MULTILINE), equation
    assert page.count("equal, to 1e-10") > 10
    assert "| 326.0805 | 138.0402 | 122.5000 | 0.0 % |" in page
    assert "proves nothing" in page
    assert "not yet" not in page


def test_a_verdict_that_is_not_true_is_not_written(generator: Callable[[str], ModuleType]) -> None:
    verdicts = generator("verdicts")
    assert verdicts.proven("right", True, np.True_) == "right"
    assert verdicts.agreeing([1e-12, 1e-14]) == "equal, to 1e-10"
    for attempt in (
        lambda: verdicts.proven("right", True, False),
        lambda: verdicts.proven("right"),
        lambda: verdicts.agreeing([1e-12, 1e-9]),
        lambda: verdicts.agreeing([math.nan]),
        lambda: verdicts.differing([1e-12], "wrong by"),
    ):
        with pytest.raises(AssertionError):
            attempt()


def test_a_wrong_form_stops_the_page(
    generator: Callable[[str], ModuleType], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(generator("szkodny1995_coefficients"), "BEYOND_AXES", IN_AXES)
    with pytest.raises(AssertionError, match="equal: differs by"):
        generator("szkodny1995_coefficients").beyond_axes_claims()


def test_the_page_speaks_of_the_arms_that_are_tested(generator: Callable[[str], ModuleType]) -> None:
    arms = generator("szkodny1995_arms")
    assert arms.belt() == belt_arm()
    assert arms.in_axes() == arm_with_motors_in_axes()
    assert arms.gyroscope() == gyroscope()
    assert arms.gyroscope(BASE) == gyroscope(BASE)
    assert arms.differential_wrist() == differential_wrist()
    assert arms.belt_with_wheels() == belt_with_wheels()

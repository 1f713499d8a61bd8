"""Controllers: the laws they are, on one state and on many, and what the arm makes of them."""

from collections.abc import Callable

import numpy as np
import pytest

import armdyn as ad
from armdyn.dynamics import Dynamics
from armdyn.errors import InputError, ShapeError
from armdyn.scalars import Array
from armdyn.simulation.acting import Acting
from armdyn.simulation.control import controllers, references
from armdyn.simulation.control.called import of_function
from armdyn.simulation.control.compensation import without_dry_friction
from armdyn.simulation.control.gains import error_gains, gains, integral_gain
from armdyn.simulation.control.servo import measured_servo, servo

EXACT = 1e-9
"""[rad/s2] Accelerations through the mass matrix and back."""
ROUNDED = 1e-11


def arm(name: str) -> Dynamics:
    return Dynamics(ad.load(name))


def states(dyn: Dynamics, count: int, seed: int) -> tuple[Array, Array]:
    rng = np.random.default_rng(seed)
    return rng.uniform(-1, 1, (count, dyn.n)), rng.uniform(-2, 2, (count, dyn.n))


def swinging(dyn: Dynamics, w: float = 3.0) -> references.Reference:
    """All joints swing from rest around home, with other phases."""
    home, j = np.array(dyn.robot.home), np.arange(dyn.n)

    def motion(t: float) -> tuple[Array, Array, Array]:
        s, c = np.sin(w * t + j), np.cos(w * t + j)
        return home + 0.4 * s, 0.4 * w * c, -0.4 * w * w * s

    return references.of_function(motion, dyn.n)


def law_of(acting: Acting) -> Callable[..., tuple[Array, Array]]:
    return acting.between(0.0, 10.0)


def followed(dyn: Dynamics, acting: Acting, reference: references.Reference, until: float, h: float) -> Array:
    """(t, n) the errors of a run from the reference's own start, classical Runge-Kutta."""
    law = law_of(acting)
    q, qd, _ = (x[0] for x in reference.at(np.zeros(1)))
    x, z = np.concatenate([q, qd]), np.zeros(acting.states)

    def rates(t: float, x: Array, z: Array) -> tuple[Array, Array]:
        q, qd = x[: dyn.n].copy(), x[dyn.n :].copy()
        tau, zd = law(t, q, qd, z)
        return np.concatenate([qd, dyn.forward(q, qd, tau)]), zd

    errors = []
    for k in range(round(until / h)):
        t = k * h
        x1, z1 = rates(t, x, z)
        x2, z2 = rates(t + h / 2, x + h / 2 * x1, z + h / 2 * z1)
        x3, z3 = rates(t + h / 2, x + h / 2 * x2, z + h / 2 * z2)
        x4, z4 = rates(t + h, x + h * x3, z + h * z3)
        x, z = x + h / 6 * (x1 + 2 * x2 + 2 * x3 + x4), z + h / 6 * (z1 + 2 * z2 + 2 * z3 + z4)
        errors.append(reference.at(np.array([t + h]))[0][0] - x[: dyn.n])
    return np.array(errors)


# PD and gravity -------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["ur5", "lola15", "panda", "irb6"])
def test_pd_with_gravity_holds_any_posture(name: str) -> None:
    dyn = arm(name)
    for q in states(dyn, 5, 1)[0]:
        law = law_of(controllers.pd_gravity(dyn, references.fixed(q), kp=100, kv=10))
        tau, _ = law(3.0, q, np.zeros(dyn.n), np.empty(0))
        np.testing.assert_array_equal(tau, dyn.gravity(q))
        assert np.abs(dyn.forward(q, np.zeros(dyn.n), tau)).max() < EXACT


def test_pd_with_gravity_pulls_and_brakes() -> None:
    dyn = arm("ur5")
    q, qd = (x[0] for x in states(dyn, 1, 2))
    law = law_of(controllers.pd_gravity(dyn, references.fixed(q + 0.1), kp=50, kv=np.arange(6.0)))
    tau, _ = law(0.0, q, qd, np.empty(0))
    np.testing.assert_allclose(tau, 5 - np.arange(6) * qd + dyn.gravity(q), atol=ROUNDED)


# PID ------------------------------------------------------------------------------------------


def test_pid_is_its_formula() -> None:
    dyn, (q, qd) = arm("ur5"), states(arm("ur5"), 4, 3)
    reference = swinging(dyn)
    r, rd, rdd = reference.between(0, 1)(0.3)
    z, kp, ki = np.full((4, 6), 0.2), 100 + np.arange(6.0), np.array([0, 1.0, 2, 3, 4, 5])
    plain = controllers.pid(dyn, reference, kp=kp, kv=7, ki=ki)
    assert plain.states == 6
    tau, zd = law_of(plain)(0.3, q, qd, z)
    np.testing.assert_allclose(tau, kp * (r - q) - 7 * qd + ki * z, atol=ROUNDED)
    np.testing.assert_array_equal(zd, r - q)
    full = controllers.pid(dyn, reference, kp=kp, kv=7, ki=ki, velocity_reference=True, feedforward=True)
    tau, _ = law_of(full)(0.3, q, qd, z)
    ahead = dyn.inverse(r, rd, rdd)
    np.testing.assert_allclose(tau, kp * (r - q) + 7 * (rd - qd) + ki * z + ahead, atol=1e-9)


def test_pid_without_integral_has_no_states() -> None:
    dyn = arm("ur5")
    acting = controllers.pid(dyn, references.fixed(np.zeros(6)), kp=1, kv=1)
    assert acting.states == 0
    assert law_of(acting)(0.0, np.zeros((3, 6)), np.zeros((3, 6)), np.empty((3, 0)))[1].shape == (3, 0)


def test_integral_removes_what_gravity_leaves() -> None:
    dyn = Dynamics(ad.load("pendulum"), friction=True)
    reference = references.fixed([0.5])
    kp, kv = gains(dyn, 10.0)
    sag, none = (
        followed(dyn, controllers.pid(dyn, reference, kp=kp, kv=kv, ki=ki), reference, 20.0, 0.01)[-1, 0]
        for ki in (0.0, 2.0 * kp)
    )
    q = np.array([0.5 - sag])
    np.testing.assert_allclose(kp * sag, dyn.gravity(q), rtol=1e-6)
    assert abs(sag) > 1e-3
    assert abs(none) < 1e-9


@pytest.mark.parametrize("damping", [0.4, 1.0, 2.0])
def test_step_of_a_lone_joint_is_that_of_its_servo(damping: float) -> None:
    dyn = Dynamics(ad.load("pendulum").with_gravity((0, 0, 0)), friction=False)
    step = references.of_function(lambda t: [[0.3 if t > 0 else 0.0], [0.0], [0.0]], 1)
    kp, kv = gains(dyn, 8.0, damping)
    errors = followed(dyn, controllers.pid(dyn, references.fixed([0.3]), kp=kp, kv=kv), step, 2.0, 2e-3)
    found = measured_servo(2e-3 * np.arange(1001), np.append(0.0, 0.3 - errors[:, 0]), 0.3)
    assert found.frequency == pytest.approx(8, rel=1e-6)
    assert found.damping == pytest.approx(damping, rel=1e-6)


def test_feedforward_is_all_that_following_takes() -> None:
    dyn = arm("ur5")
    reference = swinging(dyn)
    kp, kv = gains(dyn, 20.0)
    acting = controllers.pid(dyn, reference, kp=kp, kv=kv, velocity_reference=True, feedforward=True)
    assert np.abs(followed(dyn, acting, reference, 1.0, 2e-3)).max() < 1e-6


# Computed torque ------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["ur5", "panda", "pendulum", "jpl_rrp"])
def test_computed_torque_makes_errors_linear(name: str) -> None:
    dyn = arm(name)
    q, qd = states(dyn, 20, 4)
    reference = swinging(dyn)
    r, rd, rdd = reference.between(0, 1)(0.7)
    tau, _ = law_of(controllers.computed_torque(dyn, reference, kp=25, kv=10))(0.7, q, qd, np.empty((20, 0)))
    demanded = rdd + 10 * (rd - qd) + 25 * (r - q)
    np.testing.assert_allclose(dyn.forward(q, qd, tau), demanded, atol=EXACT)


@pytest.mark.parametrize("name", ["lola15", "irb6", "puma560"])
@pytest.mark.parametrize("moving", [True, False])
def test_computed_torque_with_all_friction_is_exact_in_motion_and_from_rest(name: str, moving: bool) -> None:
    dyn = arm(name)
    q, qd = states(dyn, 20, 5)
    qd *= moving
    reference = swinging(dyn)
    r, rd, rdd = reference.between(0, 1)(0.7)
    acting = controllers.computed_torque(dyn, reference, kp=25, kv=10, friction="all")
    tau, _ = law_of(acting)(0.7, q, qd, np.empty((20, 0)))
    demanded = rdd + 10 * (rd - qd) + 25 * (r - q)
    np.testing.assert_allclose(dyn.forward(q, qd, tau), demanded, atol=1e-7)


def test_dry_friction_of_the_reference_is_exact_along_it() -> None:
    dyn = arm("lola15")
    reference = swinging(dyn)
    q, qd, qdd = reference.between(0, 1)(0.7)
    acting = controllers.computed_torque(dyn, reference, kp=25, kv=10, friction="reference")
    tau, _ = law_of(acting)(0.7, q, qd, np.empty(0))
    np.testing.assert_allclose(tau, dyn.inverse(q, qd, qdd), rtol=1e-12)
    smooth, _ = law_of(controllers.computed_torque(dyn, reference, kp=25, kv=10))(0.7, q, qd, np.empty(0))
    np.testing.assert_allclose(smooth, without_dry_friction(dyn).inverse(q, qd, qdd), rtol=1e-12)
    assert np.abs(tau - smooth).max() > 1


def test_dry_friction_of_the_reference_is_that_of_its_own_motion() -> None:
    """Off the reference, too: the arm runs another way, elsewhere, and what is added stays the same."""
    dyn = arm("lola15")
    smooth, reference = without_dry_friction(dyn), swinging(dyn)
    r, rd, rdd = reference.between(0, 1)(0.7)
    q, qd = r + 0.3, -2 * rd
    acting = controllers.computed_torque(dyn, reference, kp=25, kv=10, friction="reference")
    tau, _ = law_of(acting)(0.7, q, qd, np.empty(0))
    demanded = rdd + 10 * (rd - qd) + 25 * (r - q)
    dry = dyn.inverse(r, rd, rdd) - smooth.inverse(r, rd, rdd)
    np.testing.assert_allclose(tau, smooth.inverse(q, qd, demanded) + dry, rtol=1e-10)
    measured = dyn.inverse(q, qd, rdd) - smooth.inverse(q, qd, rdd)
    assert np.abs(dry - measured).max() > 1


def test_viscous_friction_is_all_that_is_left() -> None:
    dyn = arm("irb6")
    smooth = without_dry_friction(dyn)
    assert smooth.motors == dyn.motors
    assert [point.friction.viscous for point in smooth.friction_points] == [
        point.friction.viscous for point in dyn.friction_points
    ]
    assert not any(point.friction.dry for point in smooth.friction_points)
    assert without_dry_friction(smooth) is smooth


@pytest.mark.parametrize(
    ("name", "friction", "most"),
    [
        ("ur5", "viscous", 1e-8),
        ("lola15", "viscous", 1e-2),
        ("lola15", "reference", 1e-7),
        ("lola15", "all", 1e-7),
    ],
)
def test_computed_torque_follows(name: str, friction: controllers.Compensated, most: float) -> None:
    dyn = arm(name)
    reference = swinging(dyn)
    acting = controllers.computed_torque(dyn, reference, kp=400, kv=40, friction=friction)
    assert np.abs(followed(dyn, acting, reference, 2.0, 2e-3)).max() < most


@pytest.mark.parametrize("friction", ["viscous", "reference", "all"])
def test_computed_torque_holds_a_posture_with_friction(friction: controllers.Compensated) -> None:
    dyn = arm("lola15")
    for q in states(dyn, 5, 8)[0]:
        acting = controllers.computed_torque(dyn, references.fixed(q), kp=400, kv=40, friction=friction)
        tau, _ = law_of(acting)(1.0, q, np.zeros(6), np.empty(0))
        np.testing.assert_allclose(tau, dyn.gravity(q), atol=1e-9)
        assert not dyn.forward(q, np.zeros(6), tau).any()


def test_wrong_payload_of_the_model_leaves_an_error() -> None:
    robot = ad.load("ur5")
    dyn, model = Dynamics(robot.with_payload(mass=3.0)), Dynamics(robot)
    reference = swinging(dyn)
    right = controllers.computed_torque(dyn, reference, kp=400, kv=40)
    wrong = controllers.computed_torque(dyn, reference, kp=400, kv=40, model=model)
    off = np.abs(followed(dyn, wrong, reference, 1.0, 2e-3)).max()
    assert off > 1e-3
    assert np.abs(followed(dyn, right, reference, 1.0, 2e-3)).max() < 1e-3 * off


# All ------------------------------------------------------------------------------------------


def makers(dyn: Dynamics, reference: references.Reference) -> list[Acting]:
    return [
        controllers.pid(dyn, reference, kp=30, kv=3, ki=2, feedforward=True, velocity_reference=True),
        controllers.pd_gravity(dyn, reference, kp=30, kv=3),
        controllers.computed_torque(dyn, reference, kp=30, kv=3),
        controllers.computed_torque(dyn, reference, kp=30, kv=3, friction="reference"),
        controllers.computed_torque(dyn, reference, kp=30, kv=3, friction="all"),
    ]


@pytest.mark.parametrize("name", ["lola15", "ur5"])
def test_many_states_are_one_after_another(name: str) -> None:
    dyn = arm(name)
    q, qd = (x.reshape(2, 3, dyn.n) for x in states(dyn, 6, 6))
    for acting in makers(dyn, swinging(dyn)):
        law, z = law_of(acting), np.full((2, 3, acting.states), 0.3)
        tau, zd = law(0.4, q, qd, z)
        assert tau.shape == q.shape
        assert zd.shape == z.shape
        for k in np.ndindex(2, 3):
            one, rates = law(0.4, q[k], qd[k], z[k])
            np.testing.assert_allclose(one, tau[k], rtol=1e-13, atol=1e-11)
            np.testing.assert_array_equal(rates, zd[k])


def test_breaks_and_end_are_the_references() -> None:
    dyn = arm("ur5")
    reference = references.of_function(lambda t: [t] * 6, 6, breaks=[1.0, 2.0], end=5.0, source="path.csv")
    acting = controllers.pid(dyn, reference, kp=1, kv=1)
    assert acting.end == 5
    assert acting.breaks.tolist() == [1, 2]
    assert acting.source == "the PID controller along path.csv"


def test_gains_give_the_frequency_and_damping() -> None:
    dyn = arm("lola15")
    q = np.array(dyn.robot.home)
    inertia = np.diagonal(dyn.mass_matrix(q))
    found = servo(inertia, *gains(dyn, 12.0, 0.7))
    np.testing.assert_allclose(found.frequency, 12, rtol=1e-12)
    np.testing.assert_allclose(found.damping, 0.7, rtol=1e-12)
    elsewhere, _ = gains(dyn, np.arange(1.0, 7.0), q=q + 0.5)
    wanted = np.arange(1.0, 7.0) ** 2 * np.diagonal(dyn.mass_matrix(q + 0.5))
    np.testing.assert_allclose(elsewhere, wanted, rtol=1e-12)


def test_gains_of_errors_have_no_inertia() -> None:
    """w^2 and 2 zeta w, with which errors are those of a servo of inertia 1."""
    dyn, w = arm("lola15"), np.arange(1.0, 7.0)
    kp, kv = error_gains(dyn, w, 0.7)
    found = servo(1.0, kp, kv)
    np.testing.assert_allclose(found.frequency, w, rtol=1e-12)
    np.testing.assert_allclose(found.damping, 0.7, rtol=1e-12)
    assert [x.tolist() for x in error_gains(dyn, 10.0)] == [[100.0] * 6, [20.0] * 6]
    with pytest.raises(InputError, match="damping is -1"):
        error_gains(dyn, 10.0, -1)


def test_gain_of_the_integral_is_slow() -> None:
    dyn = arm("lola15")
    kp, w = np.arange(1.0, 7.0), np.arange(10.0, 70.0, 10.0)
    np.testing.assert_allclose(integral_gain(dyn, w, kp), kp**2, rtol=1e-12)
    with pytest.raises(InputError, match="frequency is nan"):
        integral_gain(dyn, float("nan"), kp)


def test_wrong_gains_are_refused() -> None:
    dyn, still = arm("ur5"), references.fixed(np.zeros(6))
    with pytest.raises(
        ShapeError, match=r'kp has shape \(5,\); robot "ur5" has 6 joints, expected a number or'
    ):
        controllers.pid(dyn, still, kp=np.ones(5), kv=1)
    with pytest.raises(InputError, match="kv is -1 for joint 3, expected a finite number, 0 or above"):
        controllers.pd_gravity(dyn, still, kp=1, kv=[0, 0, -1, 0, 0, 0])
    with pytest.raises(InputError, match="ki is nan"):
        controllers.pid(dyn, still, kp=1, kv=1, ki=float("nan"))
    with pytest.raises(InputError, match="kp is 'high'"):
        controllers.pid(dyn, still, kp="high", kv=1)
    with pytest.raises(InputError, match="frequency is -2"):
        gains(dyn, -2)
    with pytest.raises(ShapeError, match="q has shape"):
        gains(dyn, 2, q=[1.0])


def test_wrong_references_and_models_are_refused() -> None:
    dyn = arm("ur5")
    with pytest.raises(InputError, match='the reference moves 2 joints, robot "ur5" has 6'):
        controllers.pid(dyn, references.fixed([0, 0]), kp=1, kv=1)
    places = references.of_function(lambda t: [t] * 6, 6)
    controllers.pd_gravity(dyn, places, kp=1, kv=1)
    with pytest.raises(InputError, match="gives positions alone, the computed-torque controller needs"):
        controllers.computed_torque(dyn, places, kp=1, kv=1)
    with pytest.raises(InputError, match="positions alone"):
        controllers.pid(dyn, places, kp=1, kv=1, feedforward=True)
    with pytest.raises(InputError, match='the model "panda" has 7 joints'):
        controllers.computed_torque(dyn, swinging(dyn), kp=1, kv=1, model=arm("panda"))
    with pytest.raises(InputError, match="friction is 'dry'"):
        controllers.computed_torque(dyn, swinging(dyn), kp=1, kv=1, friction="dry")  # pyright: ignore[reportArgumentType]


# Functions ------------------------------------------------------------------------------------


def test_function_as_a_controller() -> None:
    law = law_of(of_function(lambda t, q, qd: t - 2 * q - qd, 2))
    for q in (np.ones(2), np.ones((3, 2))):
        tau, _ = law(0.5, q, 3 * q, np.empty((*q.shape[:-1], 0)))
        np.testing.assert_array_equal(tau, -4.5 * q)


def test_function_with_states_of_its_own() -> None:
    law = law_of(of_function(lambda t, q, qd, z: (z.sum() - q, np.array([t])), 2, states=1))
    tau, zd = law(0.5, np.zeros(2), np.zeros(2), np.array([4.0]))
    assert (tau == 4).all()
    assert zd == 0.5


def test_wrong_functions_are_refused() -> None:
    q, none = np.zeros(2), np.empty(0)
    with pytest.raises(
        ShapeError, match=r"the controller: torques has shape \(3,\); at 1 s, expected \(2,\)"
    ):
        law_of(of_function(lambda t, q, qd: [1, 2, 3], 2))(1.0, q, q, none)
    with pytest.raises(InputError, match="no numbers at 1 s"):
        law_of(of_function(lambda t, q, qd: ["a", "b"], 2))(1.0, q, q, none)
    with pytest.raises(InputError, match="1 state of its own and returns no pair at 1 s"):
        law_of(of_function(lambda t, q, qd, z: q, 2, states=1))(1.0, q, q, np.zeros(1))

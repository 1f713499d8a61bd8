"""Varied parameters give what a robot with those parameters gives: in motion, at rest, on both engines."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from armdyn.dynamics import Dynamics
from armdyn.dynamics.quantities import QUANTITIES
from armdyn.dynamics.variation import checked_rubbing, frictions, inertias, own_rubbing, payloads
from armdyn.errors import InertiaError, InputError, ShapeError
from armdyn.formats import load
from armdyn.mechanics.body_parameters import parameters_of
from armdyn.robot import Friction, Robot
from armdyn.spatial import Inertia
from armdyn.spatial.vector import scale_matrix, vector

SAME = 1e-9
"""Relative to the largest: another tree and another order of operations."""
SEED = 3
STATES = 40

TENSOR = (0.05, 0.04, 0.03, 0.002, -0.001, 0.003)


def with_joint_friction(robot: Robot) -> Robot:
    """The robot with viscous and dry friction at its joints, none at the second."""
    bodies = [
        replace(body, joint=replace(body.joint, friction=Friction(0.4 + k, 3.0, 3.0 + k, 0.0)))
        if k != 1
        else body
        for k, body in enumerate(robot.bodies)
    ]
    return replace(robot, bodies=tuple(bodies))


def rubbing_ur5() -> Robot:
    return with_joint_friction(load("ur5"))


ARMS: dict[str, tuple[Robot, dict[str, Any]]] = {
    "lola15, friction under load": (load("lola15"), {}),
    "irb6, rotors as bodies": (load("irb6"), {}),
    "ur5 with joint friction": (rubbing_ur5(), {"motors": "none", "friction": True}),
    "planar2 without friction": (load("planar2"), {"friction": False}),
}


LONG = ("irb6, rotors as bodies", "ur5 with joint friction")


@pytest.fixture(
    scope="module",
    params=[pytest.param(name, marks=pytest.mark.slow if name in LONG else ()) for name in ARMS],
)
def arm(request: pytest.FixtureRequest) -> tuple[Robot, dict[str, Any]]:
    return ARMS[request.param]


@pytest.fixture(params=["quick", "0"], ids=["compiled", "NumPy"])
def engine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARMDYN_NATIVE", request.param)


@contextmanager
def by_numpy() -> Iterator[None]:
    """What the changed robots give: the engine under test need not compile each of them."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setenv("ARMDYN_NATIVE", "0")
        yield


def states(dyn: Dynamics) -> dict[str, tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """q, qd and tau: all in motion, some joints at rest, all at rest near what holds them."""
    rng = np.random.default_rng(SEED)
    q, qd, qdd, share = rng.uniform(-1, 1, (4, STATES, dyn.n))
    some = np.where(rng.random(qd.shape) < 0.5, 0.0, qd)
    return {
        "in motion": (q, qd, dyn.inverse(q, qd, qdd)),
        "partly at rest": (q, some, dyn.inverse(q, some, qdd) * (1 + 0.3 * share)),
        "at rest": (q, 0 * qd, dyn.gravity(q) * (1 + 0.5 * share)),
    }


def assert_same(found: np.ndarray, expected: np.ndarray) -> None:
    assert np.isfinite(expected).all()
    assert np.abs(found - expected).max() <= SAME * np.abs(expected).max(initial=1e-300)


def assert_varied(dyn: Dynamics, changed: Dynamics, **varied: Any) -> None:
    """The varied arm accelerates and takes torques as the changed one does."""
    with by_numpy():
        expected = [
            ((q, qd, tau), changed.forward(q, qd, tau), changed.inverse(q, qd, tau / 10))
            for q, qd, tau in states(changed).values()
        ]
    for (q, qd, tau), acceleration, torque in expected:
        assert_same(dyn.forward(q, qd, tau, **varied), acceleration)
        assert_same(dyn.forward(q[0], qd[0], tau[0], **varied), acceleration[0])
        assert_same(dyn.inverse(q, qd, tau / 10, **varied), torque)


# Inertias -------------------------------------------------------------------------------------


@pytest.mark.usefixtures("engine")
def test_a_payload_is_added(arm: tuple[Robot, dict[str, Any]]) -> None:
    robot, options = arm
    com = (0.1, -0.05, 0.2)
    changed = Dynamics(robot.with_payload(2.5, com, TENSOR), **options)
    assert_varied(Dynamics(robot, **options), changed, added=payloads(robot, 2.5, com, TENSOR))


FELT = tuple(
    name for name, entry in QUANTITIES.items() if "added" in entry.optional and hasattr(Dynamics, name)
)
"""Quantities that feel what is added."""
EXACT = 1e-12
"""Relative to the largest element: what a sweep's rows may be off."""


def results_of(dyn: Dynamics, name: str, **options: Any) -> list[np.ndarray]:
    """What a quantity is in some states: all its results."""
    n, rng = dyn.n, np.random.default_rng(SEED)
    inputs = {k: rng.uniform(-1, 1, (7, n)) for k in ("q", "qd", "qdd", "tau", "ways")}
    inputs["ways"] = np.tile(np.arange(len(dyn.friction_points)) % 2, (7, 1)).astype(float)
    asked = {k: inputs[k] for k in QUANTITIES[name].inputs}
    if name == "operational_space":
        found = dyn.operational_space(**asked, task="x", **options)
        return [found.inertia, found.bias, found.coriolis, found.gravity]
    found = getattr(dyn, name)(**asked, **options)
    parts = found.values() if isinstance(found, dict) else found if isinstance(found, tuple) else [found]
    return list(parts)


def assert_felt(name: str, robot: Robot, **options: Any) -> None:
    """A payload that is added is that of a robot that holds it, and is felt at all."""
    com, dyn = (0.1, -0.05, 0.2), Dynamics(robot, **options)
    expected = results_of(Dynamics(robot.with_payload(2.5, com, TENSOR), **options), name)
    found = results_of(dyn, name, added=payloads(robot, np.full(7, 2.5), com, TENSOR))
    for a, b in zip(found, expected, strict=True):
        assert np.abs(a - b).max() <= EXACT * np.abs(b).max(initial=1e-300)
    felt = any((a != b).any() for a, b in zip(found, results_of(dyn, name), strict=True))
    assert felt == (name != "resistances" or any(point.friction.load for point in dyn.friction_points))


@pytest.mark.numpy
@pytest.mark.parametrize("robot", ["irb6", "lola15"])
@pytest.mark.parametrize("name", FELT)
def test_every_quantity_that_feels_inertia_takes_payloads(name: str, robot: str) -> None:
    assert_felt(name, load(robot))


@pytest.mark.numpy
@pytest.mark.parametrize("name", ["bias", "gravity", "mass_matrix", "velocity_coefficients", "terms"])
@pytest.mark.parametrize("method", ["lagrange_euler", "mrnea", "dalembert", "articulated_body"])
def test_every_formulation_takes_payloads(name: str, method: Any) -> None:
    assert_felt(name, load("planar3"), method=method)


@pytest.mark.parametrize("name", ["gravity", "mass_matrix", "potential_energy"])
def test_compiled_payloads_are_the_same_alone_and_in_a_batch(name: str) -> None:
    robot = load("planar2")
    dyn, q = Dynamics(robot), np.random.default_rng(SEED).uniform(-3, 3, (9, 2))
    added = payloads(robot, np.linspace(0, 4, 9), (0.1, 0.0, 0.0))
    batch = getattr(dyn, name)(q, added=added)
    for k in range(9):
        assert np.array_equal(getattr(dyn, name)(q[k], added=added[k]), batch[k])


@pytest.mark.usefixtures("engine")
def test_bodies_heavier_moved_and_larger(arm: tuple[Robot, dict[str, Any]]) -> None:
    robot, options = arm
    shift, heavier, larger = (0.01, 0.02, -0.01), 1.2, 1.1
    body = robot.bodies[-1]
    varied = Inertia(
        heavier * body.inertia.mass,
        vector(a + b for a, b in zip(body.inertia.com, shift, strict=True)),
        scale_matrix(heavier * larger**2, body.inertia.tensor),
    )
    bodies = (*robot.bodies[:-1], replace(body, inertia=varied))
    added = inertias(robot, {body.name: heavier}, {body.name: shift}, {body.name: larger})
    changed = Dynamics(replace(robot, bodies=bodies), **options)
    assert_varied(Dynamics(robot, **options), changed, added=added)


def test_each_state_has_its_own_payload() -> None:
    robot = rubbing_ur5()
    dyn = Dynamics(robot, "none", friction=True)
    mass = np.linspace(0.0, 5.0, 7)
    added = payloads(robot, mass, (0.0, 0.0, 0.1))
    assert added.shape == (7, 10 * len(robot.bodies))
    q, qd, tau = (x[:7] for x in states(dyn)["partly at rest"])
    found = dyn.forward(q, qd, tau, added=added)
    for k, m in enumerate(mass):
        changed = Dynamics(robot.with_payload(m, (0.0, 0.0, 0.1)), "none", friction=True)
        with by_numpy():
            assert_same(found[k], changed.forward(q[k], qd[k], tau[k]))


def test_what_is_fixed_to_the_base_is_felt_by_nobody() -> None:
    robot = load("panda").locked({1: 0.3})
    dyn = Dynamics(robot)
    q, qd, tau = states(dyn)["in motion"]
    heavier = inertias(robot, {robot.bodies[0].name: 5.0})
    assert heavier.any()
    assert_same(dyn.forward(q, qd, tau, added=heavier), dyn.forward(q, qd, tau))


def test_nothing_added_is_zero_to_the_bit() -> None:
    assert not inertias(load("puma560"), np.ones(3)).any()


def test_a_scaled_body_stays_physical() -> None:
    """Its pseudo-inertia matrix [[S, h], [h^T, m]] stays positive semidefinite, S = tr(I)/2 1 - I."""
    robot = load("puma560")
    added = inertias(robot, 0.7, (0.02, 0.0, 0.01), 0.8).reshape(-1, 10)
    own = np.array([parameters_of(body.inertia) for body in robot.bodies], dtype=float)
    for body, (m, hx, hy, hz, xx, xy, xz, yy, yz, zz) in zip(robot.bodies, added + own, strict=True):
        t = (xx + yy + zz) / 2
        second = [[t - xx, -xy, -xz, hx], [-xy, t - yy, -yz, hy], [-xz, -yz, t - zz, hz], [hx, hy, hz, m]]
        assert body.accept_unphysical or np.linalg.eigvalsh(second).min() > -SAME


# Friction -------------------------------------------------------------------------------------


def scaled(friction: Friction, viscous: float, dry: float, load: float) -> Friction:
    starting = None if friction.starting is None else dry * friction.starting
    return replace(
        friction,
        viscous=viscous * friction.viscous,
        coulomb=dry * friction.coulomb,
        starting=starting,
        load=load * friction.load,
    )


def with_scaled_friction(robot: Robot, *factors: float) -> Robot:
    bodies = tuple(
        replace(body, joint=replace(body.joint, friction=scaled(body.joint.friction, *factors)))
        for body in robot.bodies
    )
    drives = tuple(replace(drive, friction=scaled(drive.friction, *factors)) for drive in robot.drives)
    return replace(robot, bodies=bodies, drives=drives)


@pytest.mark.usefixtures("engine")
@pytest.mark.parametrize("name", [name for name in ARMS if "without" not in name])
def test_friction_is_scaled(name: str) -> None:
    robot, options = ARMS[name]
    dyn = Dynamics(robot, **options)
    changed = Dynamics(with_scaled_friction(robot, 0.5, 1.7, 0.8), **options)
    assert_varied(dyn, changed, rubbing=frictions(dyn, viscous=0.5, dry=1.7, load=0.8))


@pytest.mark.usefixtures("engine")
def test_payload_and_friction_together() -> None:
    robot = load("lola15")
    dyn, changed = Dynamics(robot), Dynamics(with_scaled_friction(robot, 0.6, 0.6, 0.6).with_payload(4.0))
    assert_varied(dyn, changed, rubbing=frictions(dyn, 0.6), added=payloads(robot, 4.0))


def test_a_friction_for_each_state_and_point() -> None:
    dyn = Dynamics(rubbing_ur5(), "none", friction=True)
    factors = np.random.default_rng(SEED).uniform(0.5, 2, (STATES, len(dyn.friction_points)))
    rubbing = frictions(dyn, factors)
    q, qd, tau = states(dyn)["partly at rest"]
    together = dyn.forward(q, qd, tau, rubbing=rubbing)
    for k in range(0, STATES, 10):
        assert_same(dyn.forward(q[k], qd[k], tau[k], rubbing=rubbing[k]), together[k])
    assert np.abs(together - dyn.forward(q, qd, tau)).max() > SAME


def test_friction_may_be_taken_away() -> None:
    robot = rubbing_ur5()
    dyn, free = Dynamics(robot, "none", friction=True), Dynamics(robot, "none", friction=False)
    q, qd, tau = states(dyn)["in motion"]
    assert_same(dyn.forward(q, qd, tau, rubbing=frictions(dyn, 0.0)), free.forward(q, qd, tau))


def test_own_terms_are_the_robots() -> None:
    dyn = Dynamics(load("irb6"))
    assert np.array_equal(frictions(dyn), own_rubbing(dyn.friction_points).reshape(-1))
    assert own_rubbing(dyn.friction_points)[0].tolist() == [0.0002, 0.04, 0.06, 0.0]


# What is refused ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("k", "value", "message"),
    [
        (3, 0.1, r'friction of motor "\w+": load is 0.1, expected 0: the robot has no such friction'),
        (0, -1.0, r"viscous is -1, expected 0 or more"),
        (1, 0.5, r"starting is 0.06, expected no less than coulomb"),
    ],
)
def test_friction_that_cannot_be(k: int, value: float, message: str) -> None:
    dyn = Dynamics(load("irb6"))
    rubbing = frictions(dyn)
    rubbing[k] = value
    still = np.zeros(dyn.n)
    with pytest.raises(InputError, match=message):
        dyn.forward(still, still, still, rubbing=rubbing)
    with pytest.raises(InputError, match=message):
        dyn.inverse(still, still, still, rubbing=rubbing)


def test_friction_that_would_jam() -> None:
    dyn = Dynamics(load("lola15"))
    with pytest.raises(InputError, match=r"load is \d.*, expected less than 1"):
        frictions(dyn, load=10.0)


def test_nan_spoils_its_own_row_only() -> None:
    dyn = Dynamics(rubbing_ur5(), "none", friction=True)
    q, qd, tau = states(dyn)["in motion"]
    rubbing = np.tile(frictions(dyn), (STATES, 1))
    rubbing[3, 1] = np.nan
    assert checked_rubbing(dyn.friction_points, rubbing) is rubbing
    found = dyn.forward(q, qd, tau, rubbing=rubbing)
    assert np.isnan(found[3]).all()
    assert np.isfinite(np.delete(found, 3, axis=0)).all()


def test_what_cannot_be_varied() -> None:
    robot = load("ur5")
    with pytest.raises(InertiaError, match="mass -1 kg is negative"):
        payloads(robot, [1.0, -1.0])
    with pytest.raises(InertiaError, match="larger than the sum of the others"):
        payloads(robot, 1.0, inertia=(1.0, 0.1, 0.1, 0.0, 0.0, 0.0))
    with pytest.raises(InputError, match='no body "hand" in robot "ur5"'):
        payloads(robot, 1.0, body="hand")
    with pytest.raises(InputError, match='no body "hand" in robot "ur5"'):
        inertias(robot, {"hand": 1.1})
    with pytest.raises(InputError, match=r"mass is -0.1, expected a factor of 0 or more"):
        inertias(robot, -0.1)
    with pytest.raises(ShapeError, match=r"com has shape \(2,\)"):
        payloads(robot, 1.0, (0.0, 1.0))
    dyn = Dynamics(rubbing_ur5(), "none", friction=True)
    with pytest.raises(ShapeError, match=r"scale has shape \(3,\); there are 5 friction points"):
        frictions(dyn, np.ones(3))
    with pytest.raises(ShapeError, match=r"added has shape \(3,\); robot \"ur5\" has 60 body parameters"):
        dyn.forward(*np.zeros((3, 6)), added=np.zeros(3))

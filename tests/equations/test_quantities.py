"""Derived quantities beside compiled ones, for every robot of the catalog."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import armdyn as ad
from armdyn.equations import quantities
from armdyn.equations.setting import Setting

TOLERANCE = 1e-12
CATALOG = list(ad.catalog())
SHORT = [name for name in CATALOG if name != "panda"]


def _state(arm: ad.Robot, seed: int = 0) -> Any:
    q, qd, qdd = np.random.default_rng(seed).uniform(-1, 1, (3, arm.n))
    return q + np.array(arm.home), qd, qdd


def _values(setting: Setting, state: Any) -> dict[str, Any]:
    """Every symbol's number at a state of the joints."""
    named = dict(setting.values)
    for suffix, row in zip(("", "d", "dd"), state, strict=True):
        coordinates = np.linalg.solve(np.array(setting.slopes, dtype=float), row)
        named |= {f"{setting.stem}{suffix}{i + 1}": x for i, x in enumerate(coordinates)}
    return named


def _expected(dyn: ad.Dynamics, slopes: Any, state: Any, quantity: str) -> Any:
    q, qd, qdd = state
    S = np.array(slopes, dtype=float)
    match quantity:
        case "mass_matrix":
            return S.T @ dyn.mass_matrix(q) @ S
        case "gravity":
            return S.T @ dyn.gravity(q)
        case "velocity":
            return np.einsum("ijk,ia,jb,kc->abc", dyn.velocity_coefficients(q), S, S, S)
        case "coriolis_matrix":
            return S.T @ dyn.coriolis_matrix(q, qd) @ S
        case "torque":
            return S.T @ dyn.inverse(q, qd, qdd)
        case "kinetic_energy":
            return np.asarray(dyn.kinetic_energy(q, qd))
        case "potential_energy":
            return np.asarray(dyn.potential_energy(q))
        case "pose":
            return dyn.pose(q)
        case _:
            return dyn.jacobian(q) @ S


def _difference(arm: ad.Robot, quantity: str, **options: Any) -> float:
    setting, state = Setting.of(arm, **options), _state(arm)
    expected = _expected(
        ad.Dynamics(arm, options.get("motors"), friction=False), setting.slopes, state, quantity
    )
    values, found = _values(setting, state), np.zeros_like(expected)
    filled = np.zeros(expected.shape, dtype=bool)
    for _, index, h in quantities.of(setting, quantity):
        at = tuple(i - 1 for i in index)
        found[at], filled[at] = h.evaluate(values), True
        if quantities.QUANTITIES[quantity].symmetric:
            mirrored = (*at[:-2], at[-1], at[-2])
            found[mirrored], filled[mirrored] = found[at], True
    assert filled.all()
    return float(np.abs(found - expected).max() / max(np.abs(expected).max(), 1e-3))


NUMERIC = (
    "mass_matrix",
    "gravity",
    "velocity",
    "torque",
    "kinetic_energy",
    "potential_energy",
    "pose",
    "jacobian",
)


@pytest.mark.parametrize("quantity", NUMERIC)
@pytest.mark.parametrize("name", SHORT)
def test_numbers(name: str, quantity: str) -> None:
    assert _difference(ad.load(name), quantity) < TOLERANCE


@pytest.mark.parametrize("quantity", ["mass_matrix", "gravity", "jacobian"])
def test_numbers_of_a_seven_axis_arm(quantity: str) -> None:
    assert _difference(ad.load("panda"), quantity) < TOLERANCE


@pytest.mark.parametrize("quantity", ["mass_matrix", "gravity", "velocity", "kinetic_energy", "jacobian"])
@pytest.mark.parametrize("inertia", ["gyration", "origin", "centre"])
@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=pytest.mark.slow if n in ("lola15", "puma560") else ()) for n in SHORT]
)
def test_symbols(name: str, inertia: str, quantity: str) -> None:
    if inertia != "gyration" and quantity not in ("mass_matrix", "gravity"):
        return
    assert _difference(ad.load(name), quantity, parameters="symbolic", inertia=inertia) < TOLERANCE


@pytest.mark.parametrize(
    "quantity", ["mass_matrix", "gravity", "velocity", "coriolis_matrix", "torque", "jacobian"]
)
@pytest.mark.parametrize("name", ["planar2", "planar3", "ur5", "puma560", "scara", "irb6", "jpl_rrp"])
def test_absolute_angles(name: str, quantity: str) -> None:
    """[Siciliano2009] Problem 7.6, for any arm with parallel axes."""
    assert _difference(ad.load(name), quantity, coordinates="absolute") < TOLERANCE


@pytest.mark.parametrize("motors", ["exact", "augmented", "coupled", "reflected", "none"])
@pytest.mark.parametrize("name", ["planar2", "irb6", "scara"])
@pytest.mark.parametrize("parameters", ["numeric", "symbolic"])
def test_motor_models(name: str, motors: str, parameters: str) -> None:
    arm = ad.load(name)
    for quantity in ("mass_matrix", "torque"):
        assert _difference(arm, quantity, motors=motors, parameters=parameters) < TOLERANCE


def test_locked_joints_are_constants() -> None:
    arm = ad.load("jpl_rrp").locked({4: 0.0, 5: 0.0, 6: 0.0})
    assert _difference(arm, "mass_matrix", parameters="symbolic") < TOLERANCE
    assert _difference(arm, "gravity") < TOLERANCE


def test_a_payload_in_symbols_stands_apart() -> None:
    arm, mass = ad.load("jpl_rrp"), 1.8
    held = arm.with_payload(mass, (0.0, 0.0, 0.03), (0.01, 0.02, 0.025, 0.0, 0.0, 0.0))
    tensor: Any = held.payloads[0].inertia.tensor_about_origin
    setting, state = Setting.of(arm, payload=True), _state(arm)
    values = _values(setting, state) | {"mL": mass, "xL": 0.0, "yL": 0.0, "zL": 0.03}
    values |= {f"kL{a}{a}": np.sqrt(tensor[k][k] / mass) for k, a in enumerate("xyz")}
    expected = ad.Dynamics(held, friction=False).mass_matrix(state[0])
    for _, (i, j), h in quantities.of(setting, "mass_matrix"):
        assert float(h.evaluate(values)) == pytest.approx(expected[i - 1, j - 1], rel=1e-12, abs=1e-12)
        if i == j == 1:
            assert {"mL", "xL", "yL", "zL", "kLxx", "kLyy", "kLzz"} <= h.names


def test_partial_derivatives_are_those_of_poses() -> None:
    arm = ad.load("puma560")
    setting, state = Setting.of(arm), _state(arm)
    values, dyn, step = _values(setting, state), ad.Dynamics(arm), 1e-6
    for _, (body, joint, row, column), h in quantities.of(setting, "partial_derivatives"):
        ends = []
        for side in (1, -1):
            q = state[0].copy()
            q[joint - 1] += side * step
            ends.append(dyn.pose(q, frame=arm.bodies[body - 1].name)[row - 1, column - 1])
        assert float(h.evaluate(values)) == pytest.approx((ends[0] - ends[1]) / (2 * step), abs=1e-8)


def test_partial_derivatives_by_absolute_angles() -> None:
    """The last column of the hand's U_i is the Jacobian's, in the same coordinates."""
    arm = ad.load("planar3")
    setting, state = Setting.of(arm, coordinates="absolute"), _state(arm)
    values = _values(setting, state)
    J = {index: float(h.evaluate(values)) for _, index, h in quantities.of(setting, "jacobian")}
    for _, (body, joint, row, column), h in quantities.of(setting, "partial_derivatives"):
        if body == len(arm.bodies) and column == 4 and row < 3:
            assert float(h.evaluate(values)) == pytest.approx(J[row, joint], abs=1e-12)


def test_the_recursion_ends_in_the_torques() -> None:
    arm = ad.load("planar2")
    setting, state = Setting.of(arm), _state(arm)
    values = _values(setting, state)
    steps = list(quantities.of(setting, "newton_euler"))
    assert [name for name, index, _ in steps if index[-1] == 1][:4] == [
        "angular_velocity",
        "angular_acceleration",
        "acceleration",
        "acceleration_of_centre",
    ]
    torque = [float(h.evaluate(values)) for name, _, h in steps if name == "torque"]
    assert torque == pytest.approx(ad.Dynamics(arm, friction=False).inverse(*state), rel=1e-12)
    forces = {index: float(h.evaluate(values)) for name, index, h in steps if name == "force"}
    reactions = ad.Dynamics(arm, friction=False).reactions(*state)
    for (body, axis), value in forces.items():
        assert value == pytest.approx(reactions[body - 1][axis - 1], rel=1e-10, abs=1e-9)


def test_vectors_of_mrnea_give_the_mass_matrix() -> None:
    arm = ad.load("lola15")
    setting, state = Setting.of(arm, "none"), _state(arm)
    values = _values(setting, state)
    vectors: dict[tuple[str, tuple[int, ...]], float] = {}
    for name, index, h in quantities.of(setting, "mrnea"):
        if name in ("n_ia1", "n_ia2"):
            vectors[name, index] = float(h.evaluate(values))
    H = ad.Dynamics(arm, "none").mass_matrix(state[0])
    for i in (1, 3):
        frame = ad.Dynamics(arm).pose(state[0], frame=arm.bodies[i - 2].name) if i > 1 else np.eye(4)
        moment = [sum(vectors[name, (i, 1, axis)] for name in ("n_ia1", "n_ia2")) for axis in (1, 2, 3)]
        assert float(frame[:3, 2] @ moment) == pytest.approx(H[i - 1, 0], rel=1e-11)

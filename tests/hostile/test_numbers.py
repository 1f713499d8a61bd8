"""Numbers that are abused: what comes out is right, or not finite where no number is, or a sentence.

Methods of `Dynamics` follow IEEE arithmetic, as NumPy does: NaN in a row gives NaN in that row. All that
reads, simulates, plans or estimates refuses what is not finite.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import mpmath
import numpy as np
import pytest

import armdyn as ad
from armdyn.errors import ArmdynError
from armdyn.robot import Joint, Robot
from armdyn.studies.growth import random_chain
from command_line import called
from hostile.abused import chain
from pinocchio_model import ProjectedTree

ROUNDING = 1e-12
"""Relative to the largest number of a result: some hundred operations in double precision."""
NOT_FINITE = (np.nan, np.inf, -np.inf)
PLANAR2 = ad.load("planar2")
DYN = ad.Dynamics(PLANAR2)
REST = np.zeros(2)


def off(found: Any, expected: Any) -> float:
    found, expected = np.asarray(found, dtype=float), np.asarray(expected, dtype=float)
    return float(np.abs(found - expected).max() / max(float(np.abs(expected).max()), 1e-300))


def agrees(robot: Robot, tolerance: float = ROUNDING) -> None:
    """Torques, mass matrix and accelerations beside Pinocchio's."""
    dyn, oracle = ad.Dynamics(robot, "none"), ProjectedTree(robot, rotors=False)
    q, qd, qdd = np.random.default_rng(1).uniform(-1, 1, (3, robot.n))
    tau, H = oracle.inverse(q, qd, qdd), oracle.mass_matrix(q)
    assert off(dyn.inverse(q, qd, qdd), tau) < tolerance
    assert off(dyn.mass_matrix(q), H) < tolerance
    found = dyn.forward(q, qd, tau)
    assert np.isfinite(found).all()
    # what the accelerations are off is felt as torque: rounding alone, however ill the matrix is
    assert off(H @ found, H @ qdd) < 1e3 * tolerance


# States ------------------------------------------------------------------------------------------

EVALUATED = {
    "inverse": DYN.inverse,
    "forward": DYN.forward,
    "bias": lambda q, qd, _: DYN.bias(q, qd),
    "mass_matrix": lambda q, *_: DYN.mass_matrix(q),
    "pose": lambda q, *_: DYN.pose(q),
    "jacobian": lambda q, *_: DYN.jacobian(q),
    "kinetic_energy": lambda q, qd, _: DYN.kinetic_energy(q, qd),
    "regressor": DYN.regressor,
}


@pytest.mark.parametrize("bad", NOT_FINITE)
@pytest.mark.parametrize("name", EVALUATED)
def test_what_is_not_finite_stays_in_its_row(name: str, bad: float) -> None:
    state = np.random.default_rng(0).uniform(-1, 1, (3, 5, 2))
    right = np.asarray(EVALUATED[name](*state))
    state[0, 3, :] = bad
    found = np.asarray(EVALUATED[name](*state))
    others = [0, 1, 2, 4]
    assert np.array_equal(found[others], right[others])
    assert not np.isfinite(found[3]).all()


@pytest.mark.parametrize("angle", [1e3, 1e8, 1e15, 1e22, 1e155, 1e308, -1e308, 5e-324, -5e-324, 2.2e-308])
def test_angles_of_any_size_are_right(angle: float) -> None:
    with mpmath.workprec(2200):  # 1e308 has 1024 bits before its point
        cosine, sine = (float(f(mpmath.mpf(angle))) for f in (mpmath.cos, mpmath.sin))
    pose = DYN.pose(np.array([angle, 0.0]))
    assert off([pose[0, 0], pose[1, 0], pose[0, 3]], [cosine, sine, 2 * cosine]) < 1e-15


@pytest.mark.parametrize("size", [1e150, 1e300, 1e-300, 5e-324])
def test_torques_of_huge_and_tiny_accelerations_are_right(size: float) -> None:
    """Linear in qdd: the mass matrix in higher precision times it, to the last bits of a denormal."""
    H = DYN.mass_matrix(REST).astype(np.longdouble)
    qdd = np.array([size, -size])
    expected = (H @ qdd.astype(np.longdouble)).astype(float)
    found = DYN.inverse(REST, REST, qdd) - (0 if size > 1 else DYN.inverse(REST, REST, REST))
    if size > 1:
        assert off(found, expected) < ROUNDING
    else:
        assert np.abs(found).max() <= 1e-12  # gravity's last bit


@pytest.mark.parametrize("speed", [1e155, 1e308])
def test_forces_beyond_all_numbers_are_not_finite(speed: float) -> None:
    assert not np.isfinite(DYN.bias(REST + 0.3, np.array([speed, speed]))).all()


@pytest.mark.parametrize("option", ["--qd=1e308,1e308", "--qdd=1e308,1e308", "--gravity=0,1e308,0"])
def test_a_command_says_that_forces_are_beyond_all_numbers(
    option: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    said = called(monkeypatch, capsys, ("dynamics", "planar2", "--q=0.1,0.2", option))
    assert (said.code, said.out) == (2, "")
    assert "beyond the largest number" in said.err


# Who refuses -------------------------------------------------------------------------------------

MOTION = np.linspace(0, 1, 40)[:, None] * np.ones(2)
TIME = np.linspace(0, 1, 40)


def _log(**changes: Any) -> Any:
    from armdyn.identification.logs import Log

    given: dict[str, Any] = {"time": TIME, "q": np.sin(3 * MOTION), "tau": 5 + np.cos(3 * MOTION), **changes}
    return Log.of(PLANAR2, given.pop("time"), given.pop("q"), **given)


REFUSED = {
    "simulate q": lambda x: ad.simulate(PLANAR2, 0.01, q=[x, 0.0]),
    "simulate qd": lambda x: ad.simulate(PLANAR2, 0.01, qd=[x, 0.0]),
    "simulate torque": lambda x: ad.simulate(PLANAR2, 0.01, torque=[x, 0.0]),
    "simulate duration": lambda x: ad.simulate(PLANAR2, x),
    "simulate dt": lambda x: ad.simulate(PLANAR2, 0.01, integrator="rk4", dt=x),
    "payload mass": lambda x: PLANAR2.with_payload(mass=x),
    "payload centre": lambda x: PLANAR2.with_payload(mass=1.0, com=(x, 0.0, 0.0)),
    "gravity": lambda x: PLANAR2.with_gravity((0.0, x, 0.0)),
    "lock": lambda x: PLANAR2.locked({1: x}),
    "mass": lambda x: chain((x, 1.0, 1.0)),
    "moment": lambda x: chain((1.0, x, 1.0)),
    "length": lambda x: chain((1.0, 1.0, x)),
    "axis": lambda x: Joint("j", axis=(0.0, 0.0, x)),
    "log position": lambda x: _log(q=np.where(TIME[:, None] == TIME[5], x, np.sin(3 * MOTION))),
    "log torque": lambda x: _log(tau=np.where(TIME[:, None] == TIME[5], x, 5 + np.cos(3 * MOTION))),
    "log time": lambda x: _log(time=np.where(TIME[5] == TIME, x, TIME)),
    "retimed path": lambda x: ad.path_through(PLANAR2, [[0.0, 0.0], [x, 0.0]]),
}


@pytest.mark.parametrize("bad", NOT_FINITE)
@pytest.mark.parametrize("name", REFUSED)
def test_what_is_not_finite_is_refused(name: str, bad: float) -> None:
    with pytest.raises(ArmdynError) as caught:
        REFUSED[name](bad)
    assert str(caught.value).strip()


@pytest.mark.parametrize("mass", [-1.0, -5e-324, 1e308])
def test_masses_that_no_body_has_are_refused(mass: float) -> None:
    with pytest.raises(ArmdynError, match="inertia is not physical"):
        chain((mass, 1.0, 1.0))


# Robots ------------------------------------------------------------------------------------------

EXTREME = {
    "coincident joints": [(1.0, 0.1, 0.0)] * 4,
    "a million to one": [(1e3, 10.0, 0.5), (1.0, 0.01, 0.5), (1e-3, 1e-5, 0.5)],
    "one to a million": [(1e-3, 1e-5, 0.5), (1.0, 0.01, 0.5), (1e3, 10.0, 0.5)],
    "tiny": [(1e-9, 1e-15, 1e-3)] * 3,
    "huge": [(1e9, 1e15, 1e3)] * 3,
    "a body without mass between": [(1.0, 0.1, 0.5), (0.0, 0.0, 0.5), (1.0, 0.1, 0.5)],
}


@pytest.mark.parametrize("name", EXTREME)
def test_extreme_arms_agree_with_pinocchio(name: str) -> None:
    agrees(chain(*EXTREME[name]))


def test_an_arm_without_mass_has_no_acceleration() -> None:
    """Its mass matrix is zero: what moves it is not finite, which `armdyn dynamics` says in words."""
    dyn = ad.Dynamics(chain((0.0, 0.0, 1.0), (0.0, 0.0, 1.0)), "none")
    assert not dyn.mass_matrix(REST).any()
    assert not np.isfinite(dyn.forward(REST, REST, np.ones(2))).any()


def test_denormal_masses_give_torques_to_their_last_bits() -> None:
    tiny = 2.0**-1060  # so small that a float has fourteen bits left for it
    light, heavy = (ad.Dynamics(chain((m, 0.0, 1.0), (m, 0.0, 1.0)), "none") for m in (tiny, 1.0))
    q = np.array([0.3, 0.4])
    assert np.abs(light.gravity(q) - heavy.gravity(q) * tiny).max() < 64 * 5e-324


def test_a_singular_posture_says_so_or_is_right() -> None:
    """Stretched out, the tool cannot move along the arm: no finite inertia is felt there."""
    stretched = np.zeros(2)
    jacobian = DYN.jacobian(stretched)
    assert np.linalg.matrix_rank(jacobian[:2]) == 1
    assert np.isfinite(DYN.forward(stretched, REST, np.ones(2))).all()
    exact = ProjectedTree(PLANAR2, rotors=True)
    assert off(DYN.mass_matrix(stretched), exact.mass_matrix(stretched)) < ROUNDING


@pytest.mark.slow
def test_a_chain_of_200_joints_agrees_with_pinocchio(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rounding grows with the chain: 200 bodies, each a hundred operations, and a matrix of condition 1e8."""
    monkeypatch.setenv("ARMDYN_NATIVE", "1")
    agrees(random_chain(200), 1e-10)


def test_a_chain_of_200_joints_is_written_and_read(tmp_path: Path) -> None:
    robot = random_chain(200)
    ad.save(robot, tmp_path / "chain.toml")
    again = ad.load(tmp_path / "chain.toml")
    assert (again.n, again.joint_names) == (200, robot.joint_names)
    assert replace(again, source="", notes=()).bodies[150].inertia == robot.bodies[150].inertia

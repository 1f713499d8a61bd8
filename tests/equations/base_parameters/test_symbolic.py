"""Symbolic base parameters: as numbers find them, as polynomials, and as people write them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import armdyn as ad
from armdyn.dynamics import Dynamics
from armdyn.equations.base_parameters import symbolic_base_parameters
from armdyn.equations.base_parameters.elimination import Row, added
from armdyn.equations.base_parameters.expansion import Expansion
from armdyn.errors import InputError
from armdyn.formats import catalog, load
from armdyn.identification.base_parameters import base_parameters
from armdyn.robot import BaseMotion, Coupling, Robot

SAME = 1e-9
"""Relative to the largest coefficient: a least-squares solution over thousands of torques."""
LOADED = ("lola15",)
"""Friction that depends on the load: only without friction."""
BAR = ("m", "mcx", "Izz", "I")
"""What a planar arm of symmetric links feels."""


@pytest.mark.parametrize("name", catalog())
def test_numbers_of_torques_give_the_same(name):
    """Torques of Newton-Euler, looked at by least squares, know nothing of energies and symbols."""
    dyn = Dynamics(load(name), friction=name not in LOADED)
    symbolic, numeric = symbolic_base_parameters(dyn), base_parameters(dyn)
    assert symbolic.parameters == numeric.parameters
    assert symbolic.independent.tolist() == numeric.independent.tolist()
    largest = np.abs(numeric.grouping).max()
    np.testing.assert_allclose(symbolic.grouping, numeric.grouping, rtol=0, atol=SAME * largest)


@pytest.mark.parametrize("name", ["planar3", "parallelogram", "scara", "stanford", "puma560", "ur5"])
def test_what_is_counted_acts_alike_as_polynomials(name):
    """Without rounding: actions of a parameter less those it is counted in have no term left."""
    found = symbolic_base_parameters(load(name), friction=True)
    columns = Expansion(found.setting, found.parameters, range(len(found.parameters))).columns
    kept = found.independent.tolist()
    for other in set(columns) - set(kept):
        left: dict[object, Row] = {state: {0: x} for state, x in columns[other].items()}
        for own, row in zip(kept, found.rows, strict=True):
            if other in row:
                for state, x in columns[own].items():
                    left[state] = added(left.get(state, {}), {0: x}, -row[other])
        assert not any(left.values()), found.parameters[other].name


def test_the_planar_arm_has_five():
    """[Siciliano2009] (7.83), Problem 7.4, in symbols."""
    found = symbolic_base_parameters(load("planar2"), among=BAR)
    assert found.names == (
        "link1.mcx + a1 link1.m + a1 link2.m",
        "link1.Izz - a1^2 link1.m - a1^2 link2.m + kr1^2 motor1.I",
        "link2.mcx + a2 link2.m",
        "link2.Izz - a2^2 link2.m",
        "motor2.I",
    )
    assert found.short_names == ("link1.mcx", "link1.Izz", "link2.mcx", "link2.Izz", "motor2.I")
    assert found.symbols == {"a1": 1.0, "a2": 1.0, "kr1": 100.0}
    assert found.latex[2] == r"mc_{x,\mathrm{link2}} + a_2 m_{\mathrm{link2}}"


@pytest.mark.parametrize(("name", "count"), {"puma560": 36, "stanford": 33, "panda": 43, "ur5": 36}.items())
def test_known_robots_have_the_known_number(name, count):
    """PUMA 560: Mayeda et al. 1990; Panda: Gaz et al. 2019."""
    assert len(symbolic_base_parameters(load(name), "none")) == count


def test_combinations_of_the_puma():
    """The mass of link 3 and all beyond it, on the axes of joints 2 and 3."""
    names = symbolic_base_parameters(load("puma560"), "none").names
    assert "link3.mcx + a3 link3.m + a3 link4.m + a3 link5.m + a3 link6.m" in names
    assert "link4.mcy + link3.mcz + d4 link4.m + d4 link5.m + d4 link6.m" in names
    assert any("- (a3^2 + d4^2) link5.m" in name for name in names)


def test_a_gear_that_turns_backwards_rubs_all_the_same():
    names = symbolic_base_parameters(load("puma560"), friction=True).names
    assert {"joint1.viscous + kr1^2 motor1.viscous", "joint2.coulomb + kr2 motor2.coulomb"} <= set(names)
    assert "joint1.coulomb - kr1 motor1.coulomb" in names  # kr1 is negative


def test_weight_on_a_sliding_joint_is_an_offset():
    names = symbolic_base_parameters(load("cartesian2"), friction=True).names
    assert "joint1.offset + g link1.m + g link2.m" in names


def test_a_gear_that_works_on_a_sum_of_joints_has_one_ratio():
    found = symbolic_base_parameters(load("irb6"))
    assert {name for name in found.symbols if name.startswith("kr")} == {"kr1", "kr4"}


def test_other_lengths_and_gears():
    arm = load("planar2")
    bodies = [
        replace(body, joint=replace(body.joint, frame=replace(body.joint.frame, translation=(a, 0.0, 0.0))))
        for body, a in zip(arm.bodies, (0.7, 0.4), strict=True)
    ]
    drive = replace(arm.drives[0], coupling=Coupling.of({"joint1": -30.0}))
    other = replace(arm, bodies=tuple(bodies), drives=(drive, *arm.drives[1:]))
    expected = base_parameters(Dynamics(other, friction=False)).grouping
    found = symbolic_base_parameters(arm).evaluate(a1=0.7, a2=0.4, kr1=-30.0)
    np.testing.assert_allclose(found, expected, atol=SAME * np.abs(expected).max())
    with pytest.raises(InputError, match='no symbol "a3"'):
        symbolic_base_parameters(arm).evaluate(a3=1.0)


def test_sympy_has_the_same_numbers():
    found = symbolic_base_parameters(load("planar3"))
    G = found.sympy()
    numbers = G.subs({symbol: found.symbols[symbol.name] for symbol in G.free_symbols})
    np.testing.assert_allclose(np.array(numbers, dtype=float), found.grouping, rtol=1e-14)


def test_values_are_those_of_the_robots_own_parameters():
    dyn = Dynamics(load("stanford"), friction=False)
    found = symbolic_base_parameters(dyn)
    q, qd, qdd = np.random.default_rng(3).uniform(-1, 1, (3, 20, dyn.n))
    tau = dyn.regressor(q, qd, qdd)[..., found.independent] @ found.values(dyn.parameter_values)
    expected = dyn.inverse(q, qd, qdd)
    np.testing.assert_allclose(tau, expected, atol=1e-11 * np.abs(expected).max())


def test_derived_in_numbers_or_symbols():
    arm = load("parallelogram")
    symbolic = ad.derive(arm, "base_parameters", parameters="symbolic")
    assert str(symbolic[4]) == "base_parameters[4] = l4x*link3p.mcx/l3x + link1pp.mcx"
    numeric = ad.derive(arm, "base_parameters")
    for one, other in zip(symbolic, numeric, strict=True):
        assert one.evaluate() == pytest.approx(other.evaluate(), abs=1e-12)
    found = symbolic_base_parameters(arm)
    pi = Dynamics(arm, friction=False).parameter_values
    assert [float(e.evaluate()) for e in symbolic] == pytest.approx(found.values(pi).tolist(), abs=1e-12)


def test_what_energies_do_not_tell_of_is_refused():
    with pytest.raises(InputError, match=r'friction of "joint1" depends on the load.*friction=False'):
        symbolic_base_parameters(load("lola15"), friction=True)
    moving = replace(load("planar2"), base_motion=BaseMotion(angular_velocity=(0.0, 0.0, 1.0)))
    with pytest.raises(InputError, match="base that moves"):
        symbolic_base_parameters(moving)


def _geared(name: str, *ratios: dict[str, float]) -> Robot:
    """The arm with its last gears on several joints."""
    arm = load(name)
    drives = list(arm.drives)
    for k, ratio in enumerate(ratios, start=arm.n - len(ratios)):
        drives[k] = replace(drives[k], coupling=Coupling.of(ratio))
    return replace(arm, drives=tuple(drives))


def test_a_coincidence_of_gear_ratios_is_refused():
    """Two gears on the same two joints, one with half the ratios of the other."""
    arm = _geared("planar3", {"joint2": 50.0, "joint3": 100.0}, {"joint2": 25.0, "joint3": 50.0})
    with pytest.raises(InputError, match=r"motor3\.I is counted in depends on a coincidence"):
        symbolic_base_parameters(arm, "coupled")


def test_a_quotient_of_sums_is_refused():
    """q1^2, (q1 + q2)^2, (50 q1 + 100 q2)^2 and (20 q1 + 50 q2)^2 are four in a space of three."""
    arm = _geared("planar2", {"joint1": 50.0, "joint2": 100.0}, {"joint1": 20.0, "joint2": 50.0})
    with pytest.raises(InputError, match=r"motor2\.I is counted in is no sum of products"):
        symbolic_base_parameters(arm, "coupled")

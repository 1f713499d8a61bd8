"""`derive`: elements, forms, and what is printed says what is computed."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import armdyn as ad
from armdyn.equations.expression import evaluate
from armdyn.errors import InputError
from armdyn.spatial import Inertia

CATALOG = list(ad.catalog())


def _state(arm: ad.Robot) -> Any:
    return np.random.default_rng(1).uniform(-1, 1, arm.n) + np.array(arm.home)


def _named(arm: ad.Robot, q: Any, **values: float) -> dict[str, Any]:
    return {f"q{i + 1}": x for i, x in enumerate(q)} | values


@pytest.mark.parametrize("parameters", ["numeric", "symbolic"])
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.slow if name in ("lola15", "puma560") else ())
        for name in CATALOG
        if name not in ("panda", "irb6")
    ],
)
def test_what_is_read_is_what_is_computed(name: str, parameters: Any) -> None:
    """Readable expressions of every robot's mass matrix and gravity, beside the compiled ones: 1e-12."""
    arm = ad.load(name)
    q, dyn = _state(arm), ad.Dynamics(arm, friction=False)
    for quantity, expected in (("mass_matrix", dyn.mass_matrix(q)), ("gravity", dyn.gravity(q))):
        scale = max(np.abs(expected).max(), 1e-3)
        found = ad.derive(arm, quantity, parameters=parameters)
        for equation in found:
            value = evaluate(equation.expression, _named(arm, q, **found.setting.values))
            at = tuple(i - 1 for i in equation.index)
            assert abs(float(value) - expected[at]) <= 1e-12 * scale, equation.name
            assert float(equation.evaluate(q=q)) == pytest.approx(expected[at], abs=1e-12 * scale)


def test_python_of_a_robot_with_ball_screws_runs() -> None:
    arm = ad.load("irb6")
    q = _state(arm) + np.array([[0.0], [0.1], [-0.2]])
    found = ad.derive(arm, "mass_matrix")
    space: dict[str, Any] = {}
    exec(found.python(), space)
    H = ad.Dynamics(arm, friction=False).mass_matrix(q)
    assert space["mass_matrix"](q) == pytest.approx(H, rel=1e-12, abs=1e-12 * np.abs(H).max())
    assert r"\sqrt" in found.latex()


def test_elements() -> None:
    arm = ad.load("ur5")
    assert [e.index for e in ad.derive(arm, "mass_matrix", (2, 1))] == [(1, 2)]
    assert [e.index for e in ad.derive(arm, "gravity", 3)] == [(3,)]
    assert len(ad.derive(arm, "mass_matrix")) == 21
    assert len(ad.derive(arm, "velocity", 2)) == 21
    H = ad.derive(arm, "mass_matrix")
    assert H[3, 1] is H[1, 3]
    with pytest.raises(KeyError):
        H[1, 7]


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        (("masmatrix",), {}, 'did you mean "mass_matrix"'),
        (("mass_matrix", (1, 9)), {}, "no element 1,9"),
        (("mass_matrix", (0, 1)), {}, "no element 0,1"),
        (("gravity", (1, 1)), {}, "no element 1,1"),
        (("mass_matrix",), {"parameters": "symbols"}, "expected one of numeric, symbolic"),
        (("mass_matrix",), {"inertia": "com"}, "expected one of gyration, origin, centre"),
        (("mass_matrix",), {"coordinates": "world"}, "expected one of relative, absolute"),
        (("mrnea",), {"coordinates": "absolute"}, "relative coordinates"),
        (("mass_matrix",), {"motors": "exact"}, "no drive gives an inertia"),
    ],
)
def test_bad_input_is_one_sentence(arguments: Any, options: Any, message: str) -> None:
    with pytest.raises(ad.ArmdynError, match=message) as caught:
        ad.derive(ad.load("ur5"), *arguments, **options)
    assert "\n" not in str(caught.value)


def test_a_name_is_no_robot() -> None:
    with pytest.raises(InputError, match=r"ad\.load"):
        ad.derive("ur5", "gravity")  # pyright: ignore[reportArgumentType]


def test_forms() -> None:
    found = ad.derive(
        ad.load("planar2"), "mass_matrix", parameters="symbolic", inertia="centre", motors="none"
    )
    assert found.written("latex").startswith("\\begin{aligned}\nH_{11} &= m_1")
    assert found._repr_latex_().startswith("$\\displaystyle")
    assert found[1, 1]._repr_latex_().startswith("$\\displaystyle H_{11} = ")
    assert found.written("markdown").count("$$") == 6
    assert "void mass_matrix(" in found.written("c")
    matrix = found.sympy()
    assert matrix.shape == (2, 2)
    assert matrix[0, 1] == matrix[1, 0]
    assert json.loads(json.dumps(found.document()))["equations"][0]["index"] == [1, 1]
    with pytest.raises(InputError, match="expected one of text"):
        found.written("fortran")  # pyright: ignore[reportArgumentType]


def test_problem_7_6_absolute_angles_of_the_planar_arm() -> None:
    """[Siciliano2009] Problem 7.6: H12 alone depends on the posture, by the angles' difference."""
    found = ad.derive(
        ad.load("planar2"), "mass_matrix", parameters="symbolic", motors="none", coordinates="absolute"
    )
    assert "cos(phi1 - phi2)" in str(found[1, 2])
    for index in ((1, 1), (2, 2)):
        assert not {"phi1", "phi2"} & found[index].harmonic.names
    velocity = ad.derive(ad.load("planar2"), "velocity", motors="none", coordinates="absolute")
    assert [e.index for e in velocity if e.harmonic.terms] == [(1, 2, 2), (2, 1, 1)], "no Coriolis torques"


def test_masses_are_collected_outermost() -> None:
    (D11,) = ad.derive(
        ad.load("jpl_rrp"), "mass_matrix", (1, 1), parameters="symbolic", motors="none", payload=True
    )
    text = str(D11).split(" = ")[1]
    for mass in ("m1", "m2", "m3", "m4", "m5", "m6", "mL"):
        assert text.count(f"{mass}*") == 1


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda H: H[1, 2].evaluate(), "depends on q2"),
        (lambda H: H[1, 2].evaluate(q=[1.0]), r"shape \(1,\)"),
        (lambda H: H[1, 2].evaluate(q=[0.0, 1.0, 5.0]), r"shape \(3,\)"),
        (lambda H: H[1, 2].evaluate(q="ab"), "expected numbers"),
        (lambda H: H.simplified("a"), "tolerance is 'a'"),
        (lambda H: H.simplified(operations=2.5), "expected a whole number"),
        (lambda H: H.simplified(operations=True), "expected a whole number"),
        (lambda H: H.simplified(0.1, effort="x"), "expected a whole number"),
        (lambda H: H.simplified(0.1, measure="max"), "expected one of mean, range"),
        (lambda H: H.simplified(0.1)[0].written("fortran"), "expected one of text"),
    ],
)
def test_wrong_types_are_one_sentence(call: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        call(ad.derive(ad.load("planar2"), "mass_matrix"))


@pytest.mark.slow
def test_more_than_nine_joints_have_names_of_their_own() -> None:
    """q1 + q2 and q12 are two angles: in code and in LaTeX."""
    body = replace(ad.load("planar2").bodies[0], inertia=Inertia(1.0, (0.1, 0.2, 0.3)))
    bodies: list[Any] = []
    for i in range(12):
        joint = replace(body.joint, name=f"j{i}", axis=(0.0, 1.0, 0.0) if i in (2, 11) else (0.0, 0.0, 1.0))
        parent = bodies[-1].name if bodies else "base"
        bodies.append(replace(body, name=f"b{i}", joint=joint, parent=parent))
    wide = ad.Robot("wide", tuple(bodies), gravity=(0.0, -9.81, 0.0))
    q = np.random.default_rng(2).uniform(-1, 1, 12)
    (element,) = ad.derive(wide, "gravity", 12)
    space: dict[str, Any] = {}
    exec(ad.derive(wide, "gravity", 12).python(), space)
    expected = ad.Dynamics(wide).gravity(q)[11]
    assert float(space["gravity_12"](q)) == pytest.approx(expected, rel=1e-11)
    assert float(element.evaluate(q=q)) == pytest.approx(expected, rel=1e-11)

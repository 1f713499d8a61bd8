"""Quantities of a state: what the library says of the same states, to the last bit."""

from typing import Any

import numpy as np
import pytest

import armdyn as ad
from armdyn.dynamics.quantities import QUANTITIES
from armdyn.dynamics.result_names import result_names
from armdyn.dynamics.variation import frictions, inertias, payloads
from armdyn.errors import InputError
from armdyn.native.setting import left_to_numpy
from armdyn.sweep.designs import Points
from armdyn.sweep.quantities import evaluator
from armdyn.sweep.quantities.states import OF_MOTION, state_quantities
from armdyn.sweep.quantities.variants import Arms
from sweep_studies import a_study, evaluated, rows_of, same

Q = "[axes.q1]\nvalues = [-0.4, 0.3, 1.1]\n[axes.q2]\nvalues = [0.2, -0.7]\n"
AXES = {"tau": "[axes.tau1]\nvalues = [1.0, 2.0]\n", "q": Q}


def vectors(points, *heads, n=2):
    """(m, n) inputs, zero where no axis gives them."""
    rows = len(next(iter(points.values())))
    return [
        np.stack([points.get(f"{head}{k + 1}", np.zeros(rows)) for k in range(n)], axis=1).astype(float)
        for head in heads
    ]


DEAR = {"linearisation", *(name for name in state_quantities() if name.endswith("_derivatives"))}
"""Long equations, which take long to make."""


@pytest.mark.numpy
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[pytest.mark.slow] if name in DEAR - {"inverse_derivatives"} else [])
        for name in state_quantities()
        if name != "operational_space"
    ],
)
def test_every_quantity_is_what_its_method_gives(name):
    """Of an arm with drives whose motors are known: irb6 has currents and voltages."""
    entry = QUANTITIES[name]
    axis = "[axes.q2]\nvalues = [0.1, 0.4]\n" if "q" in entry.inputs else AXES["tau"]
    points, found = evaluated("irb6", name, axis)
    assert set(found["error"]) == {None}
    dyn = ad.Dynamics(ad.load("irb6"))
    n = dyn.n
    names = ("q", "qd", "qdd", "tau")
    given: dict[str, Any] = dict(zip(names, vectors(points, *names, n=n), strict=True))
    home = np.array(dyn.robot.home)
    given["q"] = np.where(np.arange(n) == 1, given["q"], home) if "q" in entry.inputs else given["q"]
    if name in OF_MOTION:
        given["tau"] = dyn.inverse(given["q"], given["qd"], given["qdd"])
    for limit, value in (("lower", -np.inf), ("upper", np.inf)):
        given[limit] = np.full((2, n), value)
    for drive in ("current", "voltage", "motor_torque"):
        given[drive] = np.zeros((2, len(dyn.robot.drives)))
    expected = getattr(dyn, name)(*(given[key] for key in entry.inputs))
    parts = list(expected.values()) if name == "terms" else expected
    parts = list(parts) if isinstance(parts, tuple | list) else [parts]
    flat = [part.reshape(2, -1) for part in parts]
    columns = [column for column in found if column != "error"]
    if not any(column.endswith(("_norm", "_largest")) for column in columns):
        assert same(np.stack([found[column] for column in columns], axis=1), np.concatenate(flat, axis=1))
        return
    kept = [part if part.shape[1] <= 64 else None for part in flat]
    for label, part, small in zip(result_names(name), flat, kept, strict=True):
        if small is None:
            assert same(found[f"{label}_largest"], np.abs(part).max(axis=1))
            assert found[f"{label}_norm"] == pytest.approx(np.linalg.norm(part, axis=1))


def test_compiled_rows_are_the_librarys_to_the_last_bit():
    axes = Q + "[axes.qd1]\nvalues = [0.0, 2.0]\n[axes.qdd2]\nvalues = [0.0, 3.0]\n"
    points, found = evaluated("planar2", "inverse", axes)
    expected = ad.Dynamics(ad.load("planar2")).inverse(*vectors(points, "q", "qd", "qdd"))
    assert same(np.stack([found["tau1"], found["tau2"]], axis=1), expected)


def test_operational_space_gives_the_parts_asked_for():
    options = 'task = "x,y"\nresults = ["inertia", "gravity"]\n'
    points, found = evaluated("planar2", "operational_space", Q, options)
    space = ad.Dynamics(ad.load("planar2")).operational_space(*vectors(points, "q"), task="x,y")
    assert same(found["inertia_1_2"], space.inertia[:, 0, 1])
    assert same(found["gravity2"], space.gravity[:, 1])
    assert "jacobian_1_1" not in found


def test_payloads_masses_and_friction_are_inputs_of_one_kernel():
    """Not robots: the numbers are those of `added` and `rubbing`."""
    axes = (
        '[axes."payload.mass"]\nvalues = [0, 3]\n[axes."payload.z"]\nvalues = [0.1]\n'
        '[axes.mass]\nvalues = [0.9]\n[axes."mass.link2"]\nvalues = [1.1]\n'
        '[axes."friction.load"]\nvalues = [0.5]\n'
    )
    moving = "qd = [0.1, 0.2, 0.3, 0.1, 0.2, 0.3]\nqdd = [1, 1, 1, 1, 1, 1]\n"
    points, found = evaluated("lola15", "inverse", axes, moving)
    arm = ad.load("lola15")
    dyn = ad.Dynamics(arm)
    com = np.stack([np.zeros(2), np.zeros(2), points["payload.z"]], axis=1)
    factors: dict[str, Any] = dict.fromkeys(arm.body_names, points["mass"])
    factors["link2"] = points["mass"] * points["mass.link2"]
    added = payloads(arm, points["payload.mass"], com) + inertias(arm, mass=factors)
    rubbing = frictions(dyn, load=points["friction.load"][:, None])
    qd, qdd = np.array([0.1, 0.2, 0.3] * 2), np.ones(6)
    q = np.array([arm.home] * 2)
    expected = dyn.inverse(q, qd, qdd, added=added, rubbing=rubbing)
    assert same(np.stack([found[f"tau{k + 1}"] for k in range(6)], axis=1), expected)


@pytest.mark.numpy
def test_robots_are_made_where_a_quantity_takes_no_payload():
    points, found = evaluated("planar2", "linearisation", '[axes."payload.mass"]\nvalues = [1, 4]\n' + Q)
    arm = ad.load("planar2")
    for mass in (1.0, 4.0):
        rows = points["payload.mass"] == mass
        q = np.stack([points["q1"], points["q2"]], axis=1)[rows].astype(float)
        A, _ = ad.Dynamics(arm.with_payload(mass)).linearisation(q, 0 * q, 0 * q)
        assert same(found["A_3_1"][rows], A[:, 2, 0])


TAKEN = ("gravity", "bias", "mass_matrix", "terms", "potential_energy", "reactions", "effective_inertia")


@pytest.mark.parametrize("name", TAKEN)
def test_payloads_cost_no_robot_and_are_those_of_one(name, monkeypatch):
    """Rows are those of a robot that holds the payload, to 1e-12 of the largest of a column."""
    axes = Q + '[axes."payload.mass"]\nvalues = [0, 2.5, 7]\n[axes."payload.x"]\nvalues = [0.0, 0.3]\n'
    study = a_study("planar2", name, axes)
    made = evaluator(study)
    monkeypatch.setattr(Arms, "robot", lambda *_: pytest.fail("a robot was made"))
    points, found = rows_of(study, made)
    columns = [column.name for column in made.columns]
    monkeypatch.undo()
    arm = ad.load("planar2")
    for mass, x in {*zip(points["payload.mass"].tolist(), points["payload.x"].tolist(), strict=True)}:
        rows = (points["payload.mass"] == mass) & (points["payload.x"] == x)
        at = {axis: values[rows] for axis, values in points.items()}
        q, still = np.stack([at["q1"], at["q2"]], axis=1).astype(float), np.zeros((rows.sum(), 2))
        with left_to_numpy():
            held = ad.Dynamics(arm.with_payload(mass, (x, 0.0, 0.0)))
            given = {"q": q, "qd": still, "qdd": still}
            whole = getattr(held, name)(**{k: given[k] for k in QUANTITIES[name].inputs})
        parts = (
            np.concatenate([p.reshape(len(q), -1) for p in whole.values()], 1) if name == "terms" else whole
        )
        expected = np.asarray(parts).reshape(len(q), -1)
        rowwise = np.stack([found[column][rows] for column in columns], axis=1).astype(float)
        assert np.abs(rowwise - expected).max() <= 1e-12 * np.abs(expected).max()


def test_few_rows_of_a_robot_are_left_to_numpy_whatever_the_chunk():
    """Compiled code differs in the last bits: the choice is made for the study."""
    axes = '[axes."factor.joints.2.a"]\nvalues = [0.9, 1]\n[axes.q2]\nrange = [-1, 1]\nn = 20\n'
    study = a_study("lola15", "mass_matrix", axes)
    made = evaluator(study)
    points, whole = rows_of(study, made)
    one = made.evaluate({name: values[30:31] for name, values in points.items()})
    arm = ad.load("lola15")
    q = np.tile(arm.home, (20, 1))
    q[:, 1] = points["q2"][20:]
    with left_to_numpy():
        plain = ad.Dynamics(arm).mass_matrix(q).reshape(20, -1)
    names = [column.name for column in made.columns]
    assert same(np.stack([whole[name][20:] for name in names], axis=1), plain)
    assert same([one[name][0] for name in names], plain[10])
    assert not same(plain, ad.Dynamics(arm).mass_matrix(q).reshape(20, -1))


@pytest.mark.parametrize("size", [1, 5, 8])
@pytest.mark.parametrize(("quantity", "columns"), [("forward", ("qdd1", "qdd2")), ("gravity", ("g1", "g2"))])
def test_rows_do_not_depend_on_how_they_are_cut(size, quantity, columns):
    axes = Q + '[axes."payload.mass"]\nrange = [0, 3]\n'
    axes += "[axes.tau1]\nrange = [-9, 9]\n" if quantity == "forward" else ""
    axes = axes.replace("values = [-0.4, 0.3, 1.1]", "range = [-3, 3]").replace(
        "values = [0.2, -0.7]", "range = [-3, 3]"
    )
    study = a_study("planar2", quantity, axes, design='kind = "random"\nn = 40')
    made, drawn = evaluator(study), Points(study)
    whole = made.evaluate(drawn.rows(0, 40))
    parts = [made.evaluate(drawn.rows(k, min(40, k + size))) for k in range(0, 40, size)]
    for name in columns:
        assert same(whole[name], np.concatenate([part[name] for part in parts]))


@pytest.mark.numpy
def test_a_motors_currents_are_those_of_the_motion():
    points, found = evaluated(
        "irb6", "motor_current", "[axes.q2]\nvalues = [0.1, 0.4]\n[axes.qdd1]\nvalues = [0, 1]\n"
    )
    dyn = ad.Dynamics(ad.load("irb6"))
    q = np.tile(dyn.robot.home, (4, 1))
    q[:, 1] = points["q2"]
    qdd = np.zeros_like(q)
    qdd[:, 0] = points["qdd1"]
    expected = dyn.motor_current(q, dyn.inverse(q, 0 * q, qdd))
    assert same(found["motor_current1"], expected[:, 0])


@pytest.mark.numpy
class TestElements:
    def test_those_asked_for_become_columns_with_units(self):
        made = evaluator(a_study("planar2", "mass_matrix", Q, 'elements = ["1,1", "2,1"]\n'))
        assert [(column.name, column.unit) for column in made.columns] == [
            ("H_1_1", "kg m2"),
            ("H_2_1", "kg m2"),
        ]

    def test_norms_take_the_place_of_elements(self):
        _, found = evaluated("planar2", "mass_matrix", Q, "norms = true\n")
        assert list(found) == ["H_norm", "H_largest", "error"]

    @pytest.mark.parametrize(
        ("options", "said"),
        [
            ('elements = ["3,1"]', 'elements: "3,1", but H has 2 x 2; expected indices from 1'),
            ('results = ["G"]', 'results: no "G", expected of H'),
            ("elemnts = [1]", 'mass_matrix has no option "elemnts"; did you mean "elements"?'),
            ("qd = [1, 2]", 'mass_matrix has no option "qd"'),
            ("q = [1]", "option q is [1], expected a list of 2 numbers"),
            ('motors = "exct"', "option motors: 'exct', did you mean \"exact\"?"),
        ],
    )
    def test_what_there_is_not_is_refused(self, options, said):
        with pytest.raises(InputError) as raised:
            evaluator(a_study("planar2", "mass_matrix", Q, options))
        assert said in str(raised.value)


@pytest.mark.numpy
class TestRowsWithoutAnAnswer:
    def test_say_why_and_leave_the_others_alone(self):
        _, found = evaluated("planar2", "inverse", Q + '[axes."payload.mass"]\nvalues = [-1, 1]\n')
        assert np.isnan(found["tau1"][::2]).all()
        assert np.isfinite(found["tau1"][1::2]).all()
        assert "mass -1 kg is negative" in found["error"][0]
        assert found["error"][1] is None

    def test_of_a_robot_that_cannot_be_name_its_part(self):
        _, found = evaluated("planar2", "gravity", Q + '[axes."robot.links.link1.mass"]\nvalues = [-2, 50]\n')
        assert 'body "link1"' in found["error"][0]
        assert np.isfinite(found["g1"][1::2]).all()

    def test_of_a_singular_task_say_so(self):
        options = 'task = "x,y"\nresults = ["inertia"]\n'
        _, found = evaluated("planar2", "operational_space", "[axes.q2]\nvalues = [0, 1]\n", options)
        assert "a direction of the task is lost" in found["error"][0]
        assert found["error"][1] is None


def test_an_unknown_quantity_lists_all():
    with pytest.raises(InputError) as raised:
        evaluator(a_study("planar2", "inverze", Q))
    assert 'no quantity "inverze"; did you mean "inverse"? expected one of ' in str(raised.value)
    assert "verify" in str(raised.value)


def test_data_that_the_robot_lacks_are_asked_for_at_once():
    with pytest.raises(InputError, match="torque constant is not given"):
        evaluator(a_study("lola15", "motor_current", "[axes.q2]\nvalues = [0, 1]\n"))

"""Dynamics: shapes and batches, what is refused and how it is said, and reactions in their axes."""

import math
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from armdyn.dynamics import Dynamics
from armdyn.errors import ArmdynError, InputError, MissingDataError, ShapeError
from armdyn.formats import load
from armdyn.robot import Body, Joint, Robot, Tool
from armdyn.spatial import Inertia, Transform

ROUNDING = 1e-12
"""Relative to the largest torque: the same sums in another order."""

SEED = 4
TERMS = ["inertia", "velocity", "gravity", "friction", "contact"]


@pytest.fixture(scope="module")
def ur5() -> Dynamics:
    return Dynamics(load("ur5"))


@pytest.fixture(scope="module")
def lola() -> Dynamics:
    return Dynamics(load("lola15"))


def random_states(*batch: int, n: int = 6) -> np.ndarray:
    """q, qd and a third array, each (*batch, n)."""
    return np.random.default_rng(SEED).uniform(-1, 1, (3, *batch, n))


QUANTITIES: dict[str, tuple[Callable[..., Any], tuple[int, ...]]] = {
    "inverse": (lambda d, q, v, a, **run: d.inverse(q, v, a, **run), (6,)),
    "forward": (lambda d, q, v, a, **run: d.forward(q, v, a, **run), (6,)),
    "bias": (lambda d, q, v, a, **run: d.bias(q, v, **run), (6,)),
    "gravity": (lambda d, q, v, a, **run: d.gravity(q, **run), (6,)),
    "mass_matrix": (lambda d, q, v, a, **run: d.mass_matrix(q, **run), (6, 6)),
    "coriolis_matrix": (lambda d, q, v, a, **run: d.coriolis_matrix(q, v, **run), (6, 6)),
    "reactions": (lambda d, q, v, a, **run: d.reactions(q, v, a, **run), (6, 6)),
    "kinetic_energy": (lambda d, q, v, a, **run: d.kinetic_energy(q, v, **run), ()),
    "potential_energy": (lambda d, q, v, a, **run: d.potential_energy(q, **run), ()),
    "momentum": (lambda d, q, v, a, **run: d.momentum(q, v, **run), (6,)),
    "pose": (lambda d, q, v, a, **run: d.pose(q, **run), (4, 4)),
    "jacobian": (lambda d, q, v, a, **run: d.jacobian(q, **run), (6, 6)),
    "twist": (lambda d, q, v, a, **run: d.twist(q, v, **run), (6,)),
    "acceleration": (lambda d, q, v, a, **run: d.acceleration(q, v, a, **run), (6,)),
    "gear_matrix": (lambda d, q, v, a, **run: d.gear_matrix(q, **run), (6, 6)),
    "motor_position": (lambda d, q, v, a, **run: d.motor_position(q, **run), (6,)),
    "motor_velocity": (lambda d, q, v, a, **run: d.motor_velocity(q, v, **run), (6,)),
    "motor_torque": (lambda d, q, v, a, **run: d.motor_torque(q, a, **run), (6,)),
}
every_quantity = pytest.mark.parametrize("name", QUANTITIES)


# Shapes and batches ---------------------------------------------------------------------------


@every_quantity
@pytest.mark.parametrize("batch", [(), (1,), (5,), (2, 3), (0,), (2, 0)])
def test_results_have_the_shape_of_the_batch(lola: Dynamics, name: str, batch: tuple[int, ...]) -> None:
    evaluate, shape = QUANTITIES[name]
    assert evaluate(lola, *random_states(*batch)).shape == (*batch, *shape)


@every_quantity
def test_a_batch_is_its_rows(lola: Dynamics, name: str) -> None:
    evaluate, _ = QUANTITIES[name]
    x = random_states(2, 3)
    rows = [[evaluate(lola, *x[:, i, j]) for j in range(3)] for i in range(2)]
    whole = evaluate(lola, *x)
    assert np.abs(whole - rows).max() <= 1e3 * ROUNDING * np.abs(whole).max()  # forward solves by iteration


@every_quantity
def test_lists_are_arrays_too(lola: Dynamics, name: str) -> None:
    evaluate, _ = QUANTITIES[name]
    x = random_states(2)
    assert np.array_equal(evaluate(lola, *x.tolist()), evaluate(lola, *x))


@every_quantity
def test_out_is_filled_and_returned(lola: Dynamics, name: str) -> None:
    evaluate, shape = QUANTITIES[name]
    x = random_states(3)
    out = np.full((3, *shape), math.nan)
    assert evaluate(lola, *x, out=out) is out
    assert np.array_equal(out, evaluate(lola, *x))


@every_quantity
@pytest.mark.parametrize("out", [np.empty((2, 2)), np.empty((3, 6), np.float32)], ids=["shape", "type"])
def test_an_out_that_does_not_fit_is_refused(lola: Dynamics, name: str, out: np.ndarray) -> None:
    with pytest.raises(InputError, match=r"^out has shape \(\d, \d\) and type float\d\d, expected \(3"):
        QUANTITIES[name][0](lola, *random_states(3), out=out)


@every_quantity
def test_threads_change_nothing(lola: Dynamics, name: str) -> None:
    evaluate, _ = QUANTITIES[name]
    x = random_states(5000)  # more than one chunk
    assert np.array_equal(evaluate(lola, *x, threads=3), evaluate(lola, *x, threads=1))


@pytest.mark.parametrize("threads", [0, -2, "many"])
def test_a_number_of_threads_that_is_none_is_refused(ur5: Dynamics, threads: Any) -> None:
    sentence = rf"^threads is {threads}, expected a whole number of one or more$"
    with pytest.raises(InputError, match=sentence):
        ur5.gravity(np.zeros(6), threads=threads)


def test_batches_broadcast(ur5: Dynamics) -> None:
    q, qd, qdd = random_states(4, 3)
    wide = ur5.inverse(q[:, :1], qd[0], qdd[0, 0])
    assert wide.shape == (4, 3, 6)
    assert wide[2, 1] == pytest.approx(ur5.inverse(q[2, 0], qd[0, 1], qdd[0, 0]), rel=ROUNDING)


@pytest.mark.parametrize(
    "evaluate",
    [
        pytest.param(lambda d, two, three, one: d.inverse(two, three, one), id="inverse"),
        pytest.param(lambda d, two, three, one: d.forward(two, three, one), id="forward"),
        pytest.param(lambda d, two, three, one: d.forward(two, one, three), id="forward, tau"),
        pytest.param(lambda d, two, three, one: d.motor_torque(two, three), id="motor_torque"),
    ],
)
@pytest.mark.parametrize("name", ["planar2", "lola15"])
def test_batches_that_do_not_broadcast_are_refused(name: str, evaluate: Callable[..., Any]) -> None:
    dyn = Dynamics(load(name))
    two, three, one = np.zeros((2, dyn.n)), np.zeros((3, dyn.n)), np.zeros(dyn.n)
    with pytest.raises(InputError, match=r"^batches do not broadcast: "):
        evaluate(dyn, two, three, one)


def test_no_argument_is_written_to(lola: Dynamics) -> None:
    x = random_states(3)
    before = x.copy()
    for evaluate, _ in QUANTITIES.values():
        evaluate(lola, *x)
    assert np.array_equal(x, before)


# What is refused ------------------------------------------------------------------------------


def test_a_wrong_shape_names_array_robot_and_expectation(ur5: Dynamics) -> None:
    with pytest.raises(ShapeError) as caught:
        ur5.inverse(np.zeros(6), np.zeros(5), np.zeros(6))
    assert str(caught.value) == 'qd has shape (5,); robot "ur5" has 6 joints, expected (..., 6)'
    assert (caught.value.name, caught.value.shape, caught.value.expected) == ("qd", (5,), "(..., 6)")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"q": 0.0}, 'q has shape (); robot "ur5" has 6 joints, expected (..., 6)'),
        ({"q": np.zeros((6, 1))}, 'q has shape (6, 1); robot "ur5" has 6 joints, expected (..., 6)'),
        ({"qdd": []}, 'qdd has shape (0,); robot "ur5" has 6 joints, expected (..., 6)'),
        ({"wrench": np.zeros(5)}, "wrench has shape (5,); "),
        ({"base": np.zeros((2, 6))}, "base has shape (2, 6); "),
        ({"q": "abc"}, "q is not an array of real numbers, expected shape (..., 6)"),
        ({"qd": ["a"] * 6}, "qd is not an array of real numbers, expected shape (..., 6)"),
        ({"q": [1j] * 6}, "q is not an array of real numbers, expected shape (..., 6)"),
        ({"q": np.full(6, 1j)}, "q is not an array of real numbers, expected shape (..., 6)"),
        ({"q": [[0.0] * 6, [0.0] * 5]}, "q is not an array of real numbers, expected shape (..., 6)"),
        ({"q": None}, "q "),
        ({"at": (0.0, 0.0)}, "at has shape (2,); at has 3 elements, expected (..., 3)"),
        ({"at": 5}, "at has shape (); at has 3 elements, expected (..., 3)"),
        ({"at": "xyz"}, "at is not an array of real numbers, expected shape (..., 3)"),
        ({"threads": 2.5}, "threads is 2.5, expected a whole number of one or more"),
    ],
    ids=lambda x: x if isinstance(x, str) else "",
)
def test_a_wrong_argument_is_refused_in_one_sentence(
    ur5: Dynamics, arguments: dict[str, Any], sentence: str
) -> None:
    given: dict[str, Any] = {"q": np.zeros(6), "qd": np.zeros(6), "qdd": np.zeros(6), "wrench": np.zeros(6)}
    with pytest.raises(InputError) as caught:
        ur5.inverse(**(given | arguments))
    assert str(caught.value).startswith(sentence)


@pytest.mark.parametrize(
    ("ask", "sentence"),
    [
        (lambda d: d.reactions(*np.zeros((3, 6)), axes="tool"), 'axes "tool", expected body, parent or base'),
        (
            lambda d: d.pose(np.zeros(6), "elbow"),
            'no body "elbow" in robot "ur5", expected one of base,',
        ),
        (lambda d: d.jacobian(np.zeros(6), angles="xyz"), 'angles "xyz", expected zyx or zyz'),
    ],
)
def test_an_unknown_word_is_met_with_the_known_ones(
    ur5: Dynamics, ask: Callable[..., Any], sentence: str
) -> None:
    with pytest.raises(InputError, match=re.escape(sentence)):
        ask(ur5)


def test_a_model_the_data_do_not_support_is_refused_at_once() -> None:
    with pytest.raises(MissingDataError, match=r'motors "exact" for robot "ur5": no drive gives an inertia'):
        Dynamics(load("ur5"), "exact")


def test_a_robot_without_drives_has_no_motor_torques(ur5: Dynamics) -> None:
    assert ur5.motor_velocity(np.zeros(6), np.zeros(6)).shape == (0,)
    with pytest.raises(MissingDataError, match=r'^robot "ur5": no drives for 6 joints'):
        ur5.motor_torque(np.zeros(6), np.zeros(6))


@every_quantity
def test_a_state_that_is_not_a_number_spoils_only_its_own_row(lola: Dynamics, name: str) -> None:
    evaluate, _ = QUANTITIES[name]
    x = random_states(4)
    good = evaluate(lola, *x)
    x[:, 2, 1] = math.nan
    spoilt = evaluate(lola, *x)
    assert np.array_equal(np.delete(spoilt, 2, 0), np.delete(good, 2, 0))


def test_everything_refused_derives_from_one_root() -> None:
    assert issubclass(ShapeError, InputError)
    assert issubclass(InputError, ArmdynError)


# What it says about itself --------------------------------------------------------------------


def test_it_says_what_it_is(ur5: Dynamics, lola: Dynamics) -> None:
    assert repr(ur5) == 'Dynamics(ur5, n=6, motors="none", friction=False)'
    assert repr(lola) == 'Dynamics(lola15, n=6, motors="coupled", friction=True)'
    assert repr(Dynamics(ur5.robot, method="mrnea")).endswith(', friction=False, method="mrnea")')
    assert (lola.n, lola.motors, lola.friction, lola.robot.name) == (6, "coupled", True, "lola15")


@pytest.mark.parametrize(
    ("motors", "friction", "expected"),
    [(None, None, True), ("none", None, False), ("none", True, True), ("coupled", False, False)],
)
def test_friction_is_on_unless_motors_are_none_or_it_is_said(
    motors: Any, friction: bool | None, expected: bool
) -> None:
    assert Dynamics(load("lola15"), motors, friction).friction is expected


# Terms, contact, base -------------------------------------------------------------------------


def test_terms_are_named_and_sum_to_the_torque(lola: Dynamics) -> None:
    q, qd, qdd = random_states(7)
    wrench = np.array([100.0, 50.0, -150.0, 1.0, 2.0, 3.0])
    base = np.random.default_rng(1).uniform(-1, 1, (7, 12))
    terms = lola.terms(q, qd, qdd, wrench, at=(0.1, 0.2, 0.3), base=base)
    assert list(terms) == TERMS
    torque = lola.inverse(q, qd, qdd, wrench, at=(0.1, 0.2, 0.3), base=base)
    assert np.abs(sum(terms.values()) - torque).max() <= ROUNDING * np.abs(torque).max()


def test_each_term_is_what_its_name_says(lola: Dynamics) -> None:
    q, qd, qdd = random_states(7)
    wrench = np.array([100.0, 50.0, -150.0, 1.0, 2.0, 3.0])
    terms = lola.terms(q, qd, qdd, wrench)
    expected = {
        "inertia": (lola.mass_matrix(q) @ qdd[..., None])[..., 0],
        "velocity": (lola.coriolis_matrix(q, qd) @ qd[..., None])[..., 0],
        "gravity": lola.gravity(q),
        "contact": np.swapaxes(lola.jacobian(q), -1, -2) @ wrench,
    }
    for name, values in expected.items():
        assert np.abs(terms[name] - values).max() <= 10 * ROUNDING * np.abs(values).max(), name


def test_terms_fill_an_array_of_five_rows(lola: Dynamics) -> None:
    x, out = random_states(2), np.empty((2, 5, 6))
    terms = lola.terms(*x, out=out)
    assert all(np.shares_memory(term, out) for term in terms.values())
    assert np.array_equal(out[:, 2], lola.gravity(x[0]))


def test_a_contact_acts_at_the_tool_or_where_it_is_said(lola: Dynamics) -> None:
    q = random_states()[0]
    zero, force = np.zeros(6), np.array([10.0, -20.0, 30.0, 0.0, 0.0, 0.0])
    body, offset = lola.robot.tool.body, np.array(lola.robot.tool.placement.translation, float)
    at_tool = lola.bias(q, zero, force)
    assert lola.bias(q, zero, force, at=offset.tolist()) == pytest.approx(at_tool, rel=ROUNDING)
    lever = lola.pose(q, body)[:3, :3] @ offset
    moved = force - [0, 0, 0, *np.cross(lever, force[:3])]  # the same force, through the body's origin
    assert lola.bias(q, zero, moved) == pytest.approx(lola.bias(q, zero, force, at=(0, 0, 0)), rel=1e-10)


def test_a_contact_adds_its_own_torque(ur5: Dynamics) -> None:
    q, qd, qdd = random_states()
    wrench = np.arange(1.0, 7.0)
    added = ur5.inverse(q, qd, qdd, wrench) - ur5.inverse(q, qd, qdd)
    assert added == pytest.approx(ur5.jacobian(q).T @ wrench, rel=1e-10)


def test_a_base_that_falls_is_a_base_without_gravity(ur5: Dynamics) -> None:
    falling = np.zeros(12)
    falling[6:9] = np.array(ur5.robot.gravity, float)
    q, qd, qdd = random_states(3)
    weightless = Dynamics(ur5.robot.with_gravity((0.0, 0.0, 0.0)))
    expected = weightless.inverse(q, qd, qdd)
    assert ur5.inverse(q, qd, qdd, base=falling) == pytest.approx(expected, rel=1e-9, abs=1e-11)


def test_a_base_at_rest_is_no_base_motion(ur5: Dynamics) -> None:
    x = random_states(3)
    still = ur5.inverse(*x)
    assert np.abs(ur5.inverse(*x, base=np.zeros((3, 12))) - still).max() <= ROUNDING * np.abs(still).max()


# Reactions ------------------------------------------------------------------------------------


def test_reactions_are_the_same_vectors_in_every_axes(ur5: Dynamics) -> None:
    q, qd, qdd = random_states()
    wrench = np.arange(1.0, 7.0)
    in_axes = {a: ur5.reactions(q, qd, qdd, wrench, axes=a) for a in ("body", "parent", "base")}
    for k, body in enumerate(ur5.robot.bodies):
        R_body, R_parent = (ur5.pose(q, frame)[:3, :3] for frame in (body.name, body.parent))
        for part in (slice(0, 3), slice(3, 6)):
            expected = in_axes["base"][k, part]
            size = np.abs(in_axes["base"]).max()
            assert np.abs(R_body @ in_axes["body"][k, part] - expected).max() <= ROUNDING * size
            assert np.abs(R_parent @ in_axes["parent"][k, part] - expected).max() <= ROUNDING * size


def test_the_base_carries_the_whole_weight_at_rest(ur5: Dynamics) -> None:
    q = random_states()[0]
    force = ur5.reactions(q, np.zeros(6), np.zeros(6), axes="base")[0, :3]
    assert force == pytest.approx([0.0, 0.0, 9.81 * ur5.robot.total_mass], rel=ROUNDING, abs=1e-10)


def test_a_joints_torque_is_the_reactions_moment_about_its_axis() -> None:
    dyn = Dynamics(load("ur5"), "none", friction=False)
    q, qd, qdd = random_states()
    reactions, torque = dyn.reactions(q, qd, qdd), dyn.inverse(q, qd, qdd)
    for k, body in enumerate(dyn.robot.bodies):
        axis = np.array(body.joint.frame.rotation, float).T @ np.array(body.joint.axis, float)
        assert reactions[k, 3:] @ axis == pytest.approx(torque[k], rel=1e-10, abs=1e-10)


def test_what_the_tool_presses_comes_back_through_the_base(ur5: Dynamics) -> None:
    q, qd, qdd = random_states()
    pressing = np.array([10.0, 20.0, 30.0, 0.0, 0.0, 0.0])
    added = ur5.reactions(q, qd, qdd, pressing, axes="base") - ur5.reactions(q, qd, qdd, axes="base")
    assert added[:, :3] == pytest.approx(np.array([pressing[:3]] * 6), rel=1e-9)


def test_what_is_no_robot_or_argument_is_refused_at_the_door() -> None:
    name: Any = "lola15"
    with pytest.raises(InputError, match=r"robot is a str, expected a Robot; ad.load"):
        Dynamics(name)
    misspelt: Any = {"thread": 2}
    with pytest.raises(InputError, match="unknown argument thread, expected out, threads or losses"):
        Dynamics(load("pendulum")).gravity([0.0], **misspelt)
    with pytest.raises(InputError, match="there is none; give wrench"):
        Dynamics(load("pendulum")).bias([0.0], [0.0], at=(0.0, 0.0, 0.0))
    matrix: Any = np.eye(4)
    with pytest.raises(InputError, match="placement is a ndarray, expected a Transform"):
        load("pendulum").placed(matrix)


def test_a_massless_tip_gives_no_number_and_no_fault() -> None:
    bodies = (Body("a", Joint("j1"), inertia=Inertia(1.0, (0.5, 0.0, 0.0))), Body("b", Joint("j2"), "a"))
    qdd = Dynamics(Robot("tip", bodies)).forward(np.zeros((2, 2)), np.zeros((2, 2)), np.ones((2, 2)))
    assert not np.isfinite(qdd).all(axis=-1).any()


def test_a_body_may_be_called_tool() -> None:
    beyond = Joint("j2", placement=Transform(translation=(1, 0, 0)))
    bodies = (Body("tool", Joint("j1")), Body("hand", beyond, "tool"))
    dyn = Dynamics(Robot("two", bodies, tool=Tool("hand")))
    assert dyn.pose([0.0, 0.0], "tool")[0, 3] == 0.0
    assert dyn.pose([0.0, 0.0])[0, 3] == 1.0


def test_any_point_of_a_frame_has_pose_twist_and_acceleration(lola: Dynamics) -> None:
    """The point is the tool of a robot whose tool is moved there."""
    q, qd, qdd = np.random.default_rng(2).uniform(-1, 1, (3, 5, 6))
    point = (0.1, -0.2, 0.3)
    moved = Dynamics(lola.robot.with_tool(lola.robot.tool.placement @ Transform(translation=point)))
    assert lola.pose(q, at=point) == pytest.approx(moved.pose(q), rel=ROUNDING, abs=ROUNDING)
    assert lola.jacobian(q, at=point) == pytest.approx(moved.jacobian(q), rel=ROUNDING, abs=ROUNDING)
    assert lola.twist(q, qd, at=point) == pytest.approx(moved.twist(q, qd), rel=ROUNDING, abs=ROUNDING)
    assert lola.acceleration(q, qd, qdd, at=point) == pytest.approx(
        moved.acceleration(q, qd, qdd), rel=ROUNDING, abs=ROUNDING
    )


def test_results_may_overwrite_their_own_input(lola: Dynamics) -> None:
    q, qd, qdd = np.random.default_rng(3).uniform(-1, 1, (3, 7, 6))
    expected = lola.inverse(q, qd, qdd)
    assert lola.inverse(q, qd, qdd, out=q) is q
    assert np.array_equal(q, expected)
    wide = np.zeros((7, 12))
    assert np.array_equal(lola.gravity(qd, out=wide[:, ::2]), lola.gravity(qd))

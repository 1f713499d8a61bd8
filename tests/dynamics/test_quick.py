"""Builtins that take over methods, and what must not change when they do."""

import copy
import inspect
import pickle
import sys
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context

import numpy as np
import pytest

import armdyn as ad
from armdyn.errors import InputError, ShapeError
from armdyn.native import interpreter

Q, QD, QDD = np.random.default_rng(0).uniform(-1, 1, (3, 6))


@pytest.fixture
def dyn() -> ad.Dynamics:
    return ad.Dynamics(ad.load("ur5"), "none")


needs_builtins = pytest.mark.skipif(interpreter.layout() is None, reason="no builtins on this Python")


@needs_builtins
def test_the_second_call_is_a_builtin_with_the_same_face(dyn: ad.Dynamics) -> None:
    method = dyn.inverse
    first = method(Q, QD, QDD)
    assert inspect.isbuiltin(dyn.inverse)
    assert np.array_equal(dyn.inverse(Q, QD, QDD), first)
    assert dyn.inverse.__name__ == "inverse"
    assert inspect.getdoc(dyn.inverse) == inspect.getdoc(ad.Dynamics.inverse)
    assert list(inspect.signature(dyn.inverse).parameters) == list(inspect.signature(method).parameters)


@needs_builtins
def test_the_builtin_does_what_has_been_needed(dyn: ad.Dynamics) -> None:
    batch = np.tile(Q, (20, 1))
    kernel = dyn._traced.kernel("gravity")
    dyn.gravity(batch[:2])
    assert not inspect.isbuiltin(dyn.gravity)
    dyn.gravity(batch)
    batches_only = dyn.gravity
    assert inspect.isbuiltin(batches_only)
    one = dyn.gravity(Q)
    assert dyn.gravity is not batches_only
    assert kernel.has_builtin(one_state=True)
    assert np.array_equal(dyn.gravity(batch), np.tile(one, (20, 1)))


def test_everything_else_still_works(dyn: ad.Dynamics) -> None:
    expected = dyn.inverse(Q, QD, QDD)
    assert np.array_equal(dyn.inverse(list(Q), QD, QDD), expected)
    assert np.array_equal(dyn.inverse(q=Q, qd=QD, qdd=QDD), expected)
    assert dyn.inverse(Q[None], QD, QDD[None, None]).shape == (1, 1, 6)
    assert dyn.inverse(Q, QD, QDD, np.zeros(6)) == pytest.approx(expected, rel=1e-12)  # another program
    out = np.empty(6)
    assert dyn.inverse(Q, QD, QDD, out=out) is out
    assert np.array_equal(out, expected)
    assert np.isnan(dyn.inverse(Q * np.nan, QD, QDD)).all()
    with pytest.raises(ShapeError, match=r"q has shape \(5,\)"):
        dyn.inverse(Q[:5], QD, QDD)
    with pytest.raises(InputError, match="unknown argument speed"):
        dyn.inverse(Q, QD, QDD, speed=9)  # pyright: ignore[reportCallIssue]
    with pytest.raises(TypeError, match="missing"):
        dyn.inverse(Q)  # pyright: ignore[reportCallIssue]
    with pytest.raises(InputError, match="q is not an array of real numbers"):
        dyn.inverse(["a"] * 6, QD, QDD)


def test_results_that_share_memory_are_refused(dyn: ad.Dynamics) -> None:
    memory = np.zeros((4, 6, 6))
    for outs in ((memory[0], memory[0], memory[1]), (memory[0], memory[1], memory[0:1].reshape(6, 6))):
        with pytest.raises(InputError, match=r"out: arrays 1 and \d share memory"):
            dyn.inverse_derivatives(Q, QD, QDD, out=outs)
    found = dyn.inverse_derivatives(Q, QD, QDD, out=(memory[0], memory[1], memory[2]))
    assert all(np.array_equal(a, b) for a, b in zip(found, dyn.inverse_derivatives(Q, QD, QDD), strict=True))


def test_what_counts_losses_is_a_losses(dyn: ad.Dynamics) -> None:
    for wrong in (3, ad.Losses):
        with pytest.raises(InputError, match="expected a Losses"):
            dyn.inverse(Q, QD, QDD, losses=wrong)  # pyright: ignore[reportArgumentType]
    with pytest.raises(InputError, match=r"frame is \['x'\], expected a name"):
        dyn.pose(Q, ["x"])  # pyright: ignore[reportArgumentType]


def test_threads_may_meet_at_the_first_call() -> None:
    """Whoever comes second finds the builtin that the first put there."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        for _ in range(20):
            assert_agree_on_first_calls(ad.Dynamics(ad.load("pendulum")))
    finally:
        sys.setswitchinterval(before)


def assert_agree_on_first_calls(fresh: ad.Dynamics) -> None:
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: fresh.gravity(np.array([0.3])), range(8)))
    assert all(np.array_equal(a, found[0]) for a in found)


def test_options_by_default_and_others(dyn: ad.Dynamics) -> None:
    tool = dyn.pose(Q)
    assert np.array_equal(dyn.pose(Q), tool)
    body = dyn.robot.bodies[1].name
    assert not np.allclose(dyn.pose(Q, body), tool)
    assert not np.allclose(dyn.pose(Q, frame=body), dyn.pose(Q))
    assert dyn.jacobian(Q).shape == dyn.jacobian(Q, angles="zyx").shape
    C = dyn.coriolis_matrix(Q, QD)
    assert not np.allclose(dyn.coriolis_matrix(Q, QD, choice="lagrange"), C)
    assert np.array_equal(dyn.coriolis_matrix(Q, QD), C)


def test_a_subclass_keeps_its_own_method() -> None:
    class Doubled(ad.Dynamics):
        def gravity(self, q, **run):
            return 2 * super().gravity(q, **run)

    double, plain = Doubled(ad.load("ur5"), "none"), ad.Dynamics(ad.load("ur5"), "none")
    for _ in range(3):
        assert np.array_equal(double.gravity(Q), 2 * plain.gravity(Q))


def test_copies_and_pickles(dyn: ad.Dynamics) -> None:
    expected = dyn.gravity(Q)
    dyn.gravity(Q)
    for twin in (copy.copy(dyn), copy.deepcopy(dyn), pickle.loads(pickle.dumps(dyn))):
        assert np.array_equal(twin.gravity(Q), expected)
    assert np.array_equal(pickle.loads(pickle.dumps(dyn.gravity))(Q), expected)
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        (found,) = pool.map(dyn.gravity, [Q])
    assert np.array_equal(found, expected)


def test_states_without_an_answer_are_counted() -> None:
    arm = ad.load("planar2")
    losses = ad.Losses()
    q, qd, tau = np.zeros((3, 30, 2))
    tau[4, 1] = np.nan
    dyn = ad.Dynamics(arm, "none")
    assert np.isfinite(dyn.forward(q, qd, tau, losses=losses)).all(axis=-1).sum() == 29
    assert losses.rows == 0
    massless = ad.Dynamics(_without_second_link(arm), "none")
    assert np.isnan(massless.forward(q, qd, tau, losses=losses)).all()
    assert losses.rows == 29
    assert np.isnan(massless.forward(q[0], qd[0], tau[0])).all()


def _without_second_link(arm: ad.Robot) -> ad.Robot:
    """The arm with a last link that has neither mass nor inertia: H is singular everywhere."""
    from dataclasses import replace

    from armdyn.spatial import Inertia

    first, last = arm.bodies
    light = replace(last, inertia=Inertia(0.0), accept_unphysical="a test")
    return replace(arm, bodies=(first, light), drives=())


def test_numpy_does_the_same(monkeypatch: pytest.MonkeyPatch, dyn: ad.Dynamics) -> None:
    expected = dyn.inverse(Q, QD, QDD)
    monkeypatch.setenv("ARMDYN_NATIVE", "0")
    plain = ad.Dynamics(ad.load("ur5"), "none")
    assert plain.inverse(Q, QD, QDD) == pytest.approx(expected, rel=1e-12)
    assert not inspect.isbuiltin(plain.inverse)
    monkeypatch.setenv("ARMDYN_NATIVE", "perhaps")
    with pytest.raises(InputError, match="ARMDYN_NATIVE is perhaps, expected 1"):
        ad.Dynamics(ad.load("ur5"), "none").inverse(Q, QD, QDD)

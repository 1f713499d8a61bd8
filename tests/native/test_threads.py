"""One Dynamics in many threads, many in many, and in processes that fork or are started anew."""

import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from multiprocessing import get_context
from typing import Any

import numpy as np
import pytest

import armdyn as ad
from armdyn.robot import Robot

THREADS = 8
ROWS = 5000
"""More than are run without other threads."""


def questions(n: int) -> list[tuple[str, tuple[np.ndarray, ...]]]:
    """Several quantities, of one state and of many."""
    one, many = (
        np.random.default_rng(0).uniform(-1, 1, (3, n)),
        np.random.default_rng(1).uniform(-1, 1, (3, ROWS, n)),
    )
    return [
        (name, tuple(x[:count]))
        for x in (one, many)
        for name, count in (("inverse", 3), ("gravity", 1), ("mass_matrix", 1), ("bias", 2))
    ]


def answers(dyn: ad.Dynamics, **how: Any) -> list[bytes]:
    return [getattr(dyn, name)(*inputs, **how).tobytes() for name, inputs in questions(dyn.n)]


def all_at_once(work: Callable[[int], Any], count: int = THREADS) -> list[Any]:
    """What so many threads give that begin at the same moment."""
    start = threading.Barrier(count)

    def begin(k: int) -> Any:
        start.wait()
        return work(k)

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(begin, range(count)))


@pytest.fixture
def uncached(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARMDYN_CACHE_LIMIT", "0")


@pytest.mark.usefixtures("uncached")
def test_threads_that_share_one_dynamics_get_the_same_bits() -> None:
    """The first calls trace and compile, later ones are builtins; some threads split their batches."""
    arm = ad.load("planar3")
    shared, expected = ad.Dynamics(arm), answers(ad.Dynamics(arm))
    found = all_at_once(lambda k: [answers(shared, threads=1 + k % 2) for _ in range(3)])
    assert all(one == expected for some in found for one in some)


@pytest.mark.usefixtures("uncached")
def test_every_thread_fills_arrays_of_its_own() -> None:
    dyn = ad.Dynamics(ad.load("planar2"))
    q = np.random.default_rng(2).uniform(-1, 1, (THREADS, ROWS, 2))
    expected = [ad.Dynamics(dyn.robot).gravity(x).tobytes() for x in q]

    def fill(k: int) -> bytes:
        out = np.empty((ROWS, 2))
        for _ in range(20):
            assert dyn.gravity(q[k], out=out, threads=2) is out
        return out.tobytes()

    assert all_at_once(fill) == expected


def test_every_thread_may_make_a_dynamics_of_its_own() -> None:
    arms, q = [ad.load(name) for name in ("planar2", "pendulum", "cartesian2")], np.linspace(-1, 1, ROWS)

    def gravity(k: int) -> bytes:
        arm = arms[k % 3]
        return ad.Dynamics(arm, "none").gravity(np.tile(q[:, None], arm.n), threads=2).tobytes()

    assert all_at_once(gravity) == [gravity(k) for k in range(THREADS)]


# Processes ------------------------------------------------------------------------------------

needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")


def in_a_child(work: Callable[[], bool]) -> bool:
    """Whether a forked process does the work well, and in time."""
    child = os.fork()
    if child == 0:
        signal.alarm(20)
        done = 1
        try:
            done = 0 if work() else 1
        finally:
            os._exit(done)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


@needs_fork
def test_a_child_goes_on_where_its_parent_was() -> None:
    """Builtins, kernels and pools of threads; then something that neither has compiled."""
    dyn = ad.Dynamics(ad.load("planar3"))
    expected = answers(dyn, threads=2)
    assert in_a_child(lambda: answers(dyn, threads=2) == expected)
    other = ad.Dynamics(ad.load("planar2"), "none")
    assert in_a_child(lambda: answers(other, threads=2) == answers(ad.Dynamics(other.robot, "none")))
    assert answers(dyn, threads=2) == expected


@contextmanager
def held_by_another_thread(lock: Any) -> Iterator[None]:
    held, done = threading.Event(), threading.Event()

    def hold() -> None:
        with lock:
            held.set()
            done.wait()

    other = threading.Thread(target=hold)
    other.start()
    held.wait()
    try:
        yield
    finally:
        done.set()
        other.join()


@needs_fork
def test_a_child_forgets_who_was_computing_a_property() -> None:
    """Before Python 3.12 a cached property has one lock for all objects of its class."""
    lock = getattr(vars(Robot)["joints"], "lock", None)
    if lock is None:
        pytest.skip("cached properties have no locks here")
    with held_by_another_thread(lock):
        assert in_a_child(lambda: len(ad.load("planar3").joints) == 3)


@pytest.mark.parametrize("method", ["fork", "forkserver", pytest.param("spawn", marks=pytest.mark.slow)])
def test_workers_get_a_dynamics_as_it_is(method: str) -> None:
    dyn = ad.Dynamics(ad.load("planar2"))
    q = np.random.default_rng(3).uniform(-1, 1, (ROWS, 2))
    expected = dyn.gravity(q, threads=2)
    with ProcessPoolExecutor(2, mp_context=get_context(method)) as pool:
        for found in pool.map(partial(dyn.gravity, threads=2), [q] * 4):
            assert np.array_equal(found, expected)

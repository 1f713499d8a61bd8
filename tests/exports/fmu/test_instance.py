"""An instance of an FMU: its phases, its state as a whole, and what it answers to bad use."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fmpy import read_model_description
from fmpy.fmi1 import FMICallException
from fmpy.fmi3 import FMU3Slave, fmi3Discard, fmi3Error

import armdyn as ad
from armdyn.simulation import simulate
from fmu_instances import FmuInstance, instance, instances

START = (0.4, -0.3, 0.2)


@pytest.fixture(scope="module")
def planar3(exported: Callable[..., Path]) -> Path:
    return exported("planar3", payload=True)


def steps(fmu: FmuInstance, start: int, count: int, length: float = 0.01) -> np.ndarray:
    """Positions and velocities after some steps."""
    for k in range(start, start + count):
        fmu.fmu.doStep(k * length, length)
    return np.concatenate([fmu.get("q"), fmu.get("qd")])


# What it does -----------------------------------------------------------------------------------------


def test_instances_do_not_know_one_another(planar3: Path) -> None:
    starts = [np.array(START) * k for k in range(3)]
    with instances(planar3, 3) as arms:
        for arm, start in zip(arms, starts, strict=True):
            arm.start(q_start=start)
        for k in range(10):  # in turn
            for arm in arms:
                arm.fmu.doStep(k * 0.01, 0.01)
        found = [arm.get("q") for arm in arms]
    for start, q in zip(starts, found, strict=True):
        with instance(planar3) as alone:
            alone.start(q_start=start)
            np.testing.assert_array_equal(steps(alone, 0, 10)[:3], q)


def test_goes_back_to_a_state(planar3: Path) -> None:
    with instance(planar3) as arm:
        arm.start(q_start=START)
        steps(arm, 0, 5)
        kept = arm.fmu.getFMUState()
        first = steps(arm, 5, 10)
        arm.set("payload.mass", 3.0)
        steps(arm, 15, 3)
        arm.fmu.setFMUState(kept)
        assert arm.get("time")[0] == pytest.approx(0.05)
        np.testing.assert_array_equal(steps(arm, 5, 10), first)
        arm.fmu.freeFMUState(kept)


def test_a_state_goes_through_bytes_into_another_instance(planar3: Path) -> None:
    with instances(planar3, 2) as (one, other):
        one.start(q_start=START)
        steps(one, 0, 5)
        state = one.fmu.getFMUState()
        kept = one.fmu.serializeFMUState(state)
        first = steps(one, 5, 10)
        read = other.fmu.deserializeFMUState(kept)
        other.fmu.setFMUState(read)
        np.testing.assert_array_equal(steps(other, 5, 10), first)
        with pytest.raises(FMICallException):
            other.fmu.deserializeFMUState(b"x" * len(kept))
        assert "no state of this FMU" in other.said[-1]
        one.fmu.freeFMUState(state)
        other.fmu.freeFMUState(read)


def test_a_reset_instance_is_a_new_one(planar3: Path) -> None:
    with instance(planar3) as arm:
        arm.start()
        first = steps(arm, 0, 5)
        arm.set("payload.mass", 2.0)
        arm.set("tau", (1.0, 2.0, 3.0))
        steps(arm, 5, 5)
        arm.fmu.reset()
        assert arm.get("payload.mass")[0] == 0
        arm.start()
        np.testing.assert_array_equal(steps(arm, 0, 5), first)


def test_outputs_follow_parameters_before_it_starts(planar3: Path) -> None:
    dyn = ad.Dynamics(ad.load("planar3"))
    with instance(planar3) as arm:
        arm.fmu.enterInitializationMode(startTime=2.0)
        arm.set("q_start", START)
        np.testing.assert_array_equal(arm.get("q"), START)
        np.testing.assert_allclose(arm.get("tool_position"), dyn.pose(START)[:3, 3], atol=1e-12)
        np.testing.assert_allclose(arm.get("qdd"), dyn.forward(START, np.zeros(3), np.zeros(3)), rtol=1e-10)
        arm.fmu.exitInitializationMode()
        arm.fmu.doStep(2.0, 0.1)
        assert arm.get("time")[0] == pytest.approx(2.1)


# Bad use ----------------------------------------------------------------------------------------------


def refused(status: int, said: str, fmu: FmuInstance, call: Callable[[], Any]) -> None:
    """A call fails, and the instance says why."""
    count = len(fmu.said)
    with pytest.raises(FMICallException) as error:
        call()
    assert error.value.status == status
    assert said in " ".join(fmu.said[count:])


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_numbers_that_are_none_change_nothing(planar3: Path, bad: float) -> None:
    with instance(planar3) as arm:
        arm.start(q_start=START, tau=(1.0, 2.0, 3.0))
        refused(fmi3Discard, "tau[2] is", arm, lambda: arm.set("tau", (9.0, bad, 9.0)))
        assert arm.get("tau").tolist() == [1.0, 2.0, 3.0]
        refused(fmi3Discard, "no less than 0", arm, lambda: arm.set("payload.mass", -1.0))
        steps(arm, 0, 1)


def test_variables_that_there_are_not_or_that_cannot_be_set(planar3: Path) -> None:
    with instance(planar3) as arm:
        far = 10_000
        refused(fmi3Error, "value reference 10000", arm, lambda: arm.fmu.getFloat64([far]))
        refused(fmi3Error, "value reference 10000", arm, lambda: arm.fmu.setFloat64([far], [1.0]))
        refused(fmi3Error, "follows from others", arm, lambda: arm.set("q", START))
        refused(fmi3Error, "follows from others", arm, lambda: arm.set("time", 1.0))
        refused(fmi3Error, "does not have that", arm, lambda: arm.fmu.getInt32([0]))
        refused(fmi3Error, "one each", arm, lambda: arm.fmu.getFloat64([1, 2], 3))
        arm.start()
        refused(fmi3Error, "cannot be set any more", arm, lambda: arm.set("q_start", START))


@pytest.mark.parametrize(
    ("point", "length", "said"),
    [
        (0.0, -0.1, "above 0"),
        (0.0, 0.0, "above 0"),
        (0.0, np.nan, "above 0"),
        (0.5, 0.1, "the instance is at 0 s"),
        (np.nan, 0.1, "the instance is at 0 s"),
        (0.0, 1.1, "beyond the stop time 1 s"),
    ],
)
def test_steps_that_cannot_be(planar3: Path, point: float, length: float, said: str) -> None:
    with instance(planar3) as arm:
        arm.fmu.enterInitializationMode(startTime=0.0, stopTime=1.0)
        arm.fmu.exitInitializationMode()
        refused(fmi3Error, said, arm, lambda: arm.fmu.doStep(point, length))
        steps(arm, 0, 1)


def test_calls_out_of_turn(planar3: Path) -> None:
    with instance(planar3) as arm:
        refused(fmi3Error, "while the instance is instantiated", arm, lambda: arm.fmu.doStep(0.0, 0.1))
        refused(fmi3Error, "fmi3Terminate", arm, arm.fmu.terminate)
        refused(fmi3Error, "fmi3ExitInitializationMode", arm, arm.fmu.exitInitializationMode)
        arm.start()
        refused(fmi3Error, "does not have that", arm, arm.fmu.enterEventMode)
        arm.fmu.terminate()
        refused(fmi3Error, "while the instance is terminated", arm, lambda: arm.fmu.doStep(0.0, 0.1))
        refused(fmi3Error, "terminated", arm, lambda: arm.set("tau", START))
        assert arm.get("q").shape == (3,)  # results can still be read


def test_a_step_that_fails_leaves_all_as_it_was(planar3: Path) -> None:
    with instance(planar3) as arm:
        arm.start(q_start=START)
        before = steps(arm, 0, 2)
        arm.set("tau", (1e12, 0.0, 0.0))
        refused(fmi3Discard, "smaller solver_step", arm, lambda: arm.fmu.doStep(0.02, 0.1))
        np.testing.assert_array_equal(steps(arm, 0, 0), before)
        assert arm.get("time")[0] == pytest.approx(0.02)
        arm.set("tau", (0.0, 0.0, 0.0))
        steps(arm, 2, 2)


def test_says_nothing_where_it_shall_not(planar3: Path) -> None:
    with instance(planar3) as arm:
        arm.fmu.setDebugLogging(False, [])
        with pytest.raises(FMICallException):
            arm.fmu.doStep(0.0, 0.1)
        assert not arm.said


def test_the_token_of_another_fmu(planar3: Path, tmp_path: Path) -> None:
    from fmpy import extract

    description: Any = read_model_description(planar3)
    extract(planar3, tmp_path)
    fmu = FMU3Slave(
        guid="{another}",
        unzipDirectory=str(tmp_path),
        modelIdentifier=description.coSimulation.modelIdentifier,
        instanceName="arm",
    )
    said: list[str] = []
    with pytest.raises(Exception, match="instantiate"):
        fmu.instantiate(logMessage=lambda *given: said.append(given[-1].decode()))
    assert "token" in said[-1]


def test_agrees_after_bad_use(planar3: Path) -> None:
    with instance(planar3) as arm:
        arm.start(q_start=START)
        for _ in range(3):
            refused(fmi3Discard, "finite", arm, lambda: arm.set("tau", (np.nan, 0.0, 0.0)))
        found = steps(arm, 0, 10)
    run = simulate("planar3", 0.1, q=START, integrator="rk4", dt=1e-3)
    np.testing.assert_allclose(found[:3], run.q[-1], rtol=0, atol=1e-12)

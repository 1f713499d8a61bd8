"""Compiled code against the reference scalars: every quantity, on the catalog and on random trees."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from armdyn.dynamics import Dynamics
from armdyn.dynamics.quantities import QUANTITIES
from armdyn.dynamics.traced import Traced
from armdyn.formats import catalog, load
from armdyn.native import kernel
from armdyn.robot import Robot
from random_robots import robots

STATES = 21  # more than a vector holds, and not a multiple of it
AGREEMENT = 1e-12
"""Relative to the largest element of a result: kernels round fused products once, have their own sines."""
DERIVATIVES = 1e-10
"""Longer chains of operations, and inverses of the mass matrix."""
KINDS = ("irb6", "jpl_rrp", "parallelogram")
"""Arms that have together what arms can have: screws and coupled motors, a sliding joint, joints that follow
others, quantities that are compiled for few joints only. Other arms are slow."""
LONG = {"velocity_coefficients", "gamma", "euler step", "semi_implicit step", "rk4 step"}
"""Compiled for few joints only."""


def limit(name: str) -> float:
    long = ("linearisation", "forward", "motion_in_ways", "stopped_velocity")
    return DERIVATIVES if "derivatives" in name or name in long else AGREEMENT


ELECTRIC = {"motor_current", "motor_voltage", "torque_of_currents", "torque_of_voltages"}


def names(robot: Robot) -> list[str]:
    """What the robot's data support."""
    missing = {"operational_space"}  # few arms can move a whole pose: dynamics/test_operational_space
    if not all(drive.motor.torque_constant and drive.motor.resistance for drive in robot.drives):
        missing |= ELECTRIC
    if not robot.drives:
        missing |= {
            name for name in QUANTITIES if "motor" in name or "drives" in str(QUANTITIES[name].results)
        }
        missing |= ELECTRIC
    return [name for name in QUANTITIES if name not in missing]


def inputs(traced: Traced, name: str, seed: int, with_optional: bool) -> dict[str, np.ndarray]:
    generator = np.random.default_rng(seed)
    quantity = QUANTITIES[name]
    optional = quantity.optional if with_optional else ()
    if name.endswith(" step"):
        optional = ("ways",) if traced.can_stick else ()
    given_names = (*quantity.inputs, *optional)
    given_arrays = {k: generator.uniform(-2, 2, (STATES, traced._input_size(k))) for k in given_names}
    if "ways" in given_arrays:
        given_arrays["ways"] = np.rint(given_arrays["ways"] / 2)
    if "rubbing" in given_arrays:  # no more than a joint that does not jam has
        given_arrays["rubbing"] = np.abs(given_arrays["rubbing"]) / 20
    if "added" in given_arrays:  # less than there is
        given_arrays["added"] *= 1e-4
    if "lower" in given_arrays:  # limits that leave something between them
        given_arrays["lower"] = -20 * np.abs(given_arrays["lower"])
        given_arrays["upper"] = 20 * np.abs(given_arrays["upper"])
    return given_arrays


def assert_engines_agree(robot: Robot, name: str, with_optional: bool, monkeypatch: Any) -> None:
    traced, results = Traced(robot, None, None), []
    given_arrays = inputs(traced, name, 0, with_optional)
    for native in ("0", "1"):
        monkeypatch.setenv("ARMDYN_NATIVE", native)
        results.append(traced.results(name, QUANTITIES[name].defaults, {}, **given_arrays))
    for expected, found in zip(*results, strict=True):
        scale = np.abs(expected).max(axis=tuple(range(1, expected.ndim)), keepdims=True, initial=0.0)
        if name in ("stopped_velocity", "motion_in_ways"):  # where everything rests, rounding is left
            scale = np.maximum(scale, 1e-6 * scale.max())
        assert np.array_equal(np.isnan(found), np.isnan(expected))
        assert np.nanmax(np.abs(found - expected) / (scale + 1e-300), initial=0.0) <= limit(name)


@pytest.mark.parametrize(
    "robot",
    [pytest.param(name, marks=() if name in KINDS else pytest.mark.slow) for name in catalog()],
)
def test_every_quantity_of_every_catalog_robot(robot: str, monkeypatch: pytest.MonkeyPatch) -> None:
    arm = load(robot)
    for name in names(arm):
        if name not in LONG or arm.n <= 3:
            assert_engines_agree(arm, name, False, monkeypatch)


@pytest.mark.parametrize(
    "robot",
    [pytest.param(name, marks=() if name == "pendulum" else pytest.mark.slow) for name in catalog()],
)
def test_every_quantity_as_a_tape(robot: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel, "LONGEST", 0)
    arm = load(robot)
    for name in names(arm):
        if name not in LONG or arm.n <= 3:
            assert_engines_agree(arm, name, False, monkeypatch)


@pytest.mark.parametrize("name", ["inverse", "forward", "bias", "inverse_derivatives", "acceleration"])
def test_with_wrench_point_and_moving_base(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert_engines_agree(load("scara"), name, True, monkeypatch)


@settings(max_examples=8)
@given(robots(), st.data())
def test_random_trees(robot: Robot, data: st.DataObject) -> None:
    with pytest.MonkeyPatch.context() as monkeypatch:
        name = data.draw(st.sampled_from(names(robot)))
        assert_engines_agree(robot, name, data.draw(st.booleans()), monkeypatch)


@pytest.mark.parametrize(
    "robot", [*(pytest.param(name, marks=pytest.mark.slow) for name in ("ur5", "lola15")), "irb6"]
)
def test_one_state_a_batch_and_any_place_give_the_same_bits(robot: str) -> None:
    """The builtins, the kernel for few rows, that for many, its overlapping last block, and threads."""
    dyn = Dynamics(load(robot))
    for name in names(dyn.robot):
        if not QUANTITIES[name].bare or name in LONG:
            continue
        arrays = list(inputs(dyn._traced, name, 1, False).values())
        method = getattr(Dynamics, name).__get__(dyn)
        whole = in_turn(method(*arrays))
        on_threads = in_turn(method(*arrays, threads=3))
        assert all(np.array_equal(a, b) for a, b in zip(on_threads, whole, strict=True)), name
        for row in (0, 5, STATES - 1):
            for _ in range(2):  # the second call is the builtin's
                one = in_turn(getattr(dyn, name)(*(x[row].copy() for x in arrays)))
                assert all(np.array_equal(a, b[row]) for a, b in zip(one, whole, strict=True)), name
        for first, last in ((0, 3), (5, 13), (3, STATES)):
            part = in_turn(getattr(dyn, name)(*(x[first:last].copy() for x in arrays)))
            assert all(np.array_equal(a, b[first:last]) for a, b in zip(part, whole, strict=True)), name


def in_turn(found: Any) -> tuple[np.ndarray, ...]:
    return found if isinstance(found, tuple) else (found,)

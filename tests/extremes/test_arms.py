"""Inertia and gravity of arms: extremes at least as extreme as random states, and bounds that hold there."""

from functools import cache

import numpy as np
import pytest

import armdyn as ad
from armdyn.equations import quantities
from armdyn.equations.setting import Setting
from armdyn.extremes import Terms, extremes, ratio_extremes
from armdyn.extremes.of_harmonics import terms_of
from armdyn.robot import Robot
from extremes.random_terms import random_points

ROUNDING = 1e-10
"""Between two ways to the same number, relative to its largest."""
STATES = [20_000, pytest.param(1_000_000, marks=pytest.mark.slow)]
LOAD = {"mass": 1.8, "com": [0.02, 0.01, 0.1], "inertia": [0.01, 0.012, 0.008, 0.001, 0.0005, 0.0008]}
PART = 20_000
"""States evaluated at once."""


@cache
def arm(name: str, loaded: bool) -> Robot:
    return ad.load(name).with_payload(**LOAD) if loaded else ad.load(name)


@cache
def functions(name: str, loaded: bool) -> dict[str, Terms]:
    """H_ij and g_i as sums of waves."""
    setting = Setting.of(arm(name, loaded), ad.Dynamics(arm(name, loaded)).motors)
    found = {
        f"H{i + 1}{j + 1}": element
        for i, row in enumerate(quantities.mass_matrix(setting))
        for j, element in enumerate(row)
        if i <= j
    }
    found |= {f"g{i + 1}": element for i, element in enumerate(quantities.gravity(setting))}
    names = list(setting.names())
    return {key: terms_of(quantities.harmonic(setting, f), names) for key, f in found.items()}


def workspace(robot: Robot) -> np.ndarray:
    """Full turns, and the ranges of lengths."""
    ranges = [
        joint.limits.position if joint.kind == "prismatic" else (-np.pi, np.pi) for joint in robot.joints
    ]
    return np.array(ranges, dtype=float)


def sampled(robot: Robot, states: int) -> dict[str, tuple[float, float]]:
    """The lowest and the highest of every element at random states, by compiled or interpreted dynamics."""
    dyn, box, rng = ad.Dynamics(robot), workspace(robot), np.random.default_rng(0)
    upper = [(i, j) for i in range(robot.n) for j in range(i, robot.n)]
    low, high = np.full(len(upper) + robot.n, np.inf), np.full(len(upper) + robot.n, -np.inf)
    for _ in range(states // PART):
        q = random_points(rng, box, PART)
        H = dyn.mass_matrix(q)
        rows = np.concatenate([np.stack([H[:, i, j] for i, j in upper], axis=1), dyn.gravity(q)], axis=1)
        low, high = np.minimum(low, rows.min(axis=0)), np.maximum(high, rows.max(axis=0))
    names = [f"H{i + 1}{j + 1}" for i, j in upper] + [f"g{i + 1}" for i in range(robot.n)]
    return dict(zip(names, zip(low.tolist(), high.tolist(), strict=True), strict=True))


@pytest.mark.parametrize("states", STATES)
@pytest.mark.parametrize("name", ["jpl_rrp", "puma560", "ur5"])
def test_inertia_and_gravity_over_the_workspace(name: str, states: int) -> None:
    robot = arm(name, False)
    box = workspace(robot)
    for key, (low, high) in sampled(robot, states).items():
        f = functions(name, False)[key]
        found = extremes(f, box)
        slack = ROUNDING * max(abs(low), abs(high), 1e-3)
        assert found.minimum.certified, key
        assert found.maximum.certified, key
        assert found.minimum.bound - slack <= found.minimum.value <= low + slack, key
        assert found.maximum.bound + slack >= found.maximum.value >= high - slack, key


@pytest.mark.parametrize("name", ["jpl_rrp", "ur5"])
def test_bounds_with_a_load_hold_with_little_effort(name: str) -> None:
    robot = arm(name, True)
    box, states = workspace(robot), sampled(robot, PART)
    for key in ("H11", "H12", "g2"):
        low, high = states[key]
        found = extremes(functions(name, True)[key], box, effort=5_000)
        slack = ROUNDING * max(abs(low), abs(high), 1e-3)
        assert found.minimum.bound - slack <= found.minimum.value <= low + slack, key
        assert found.maximum.bound + slack >= found.maximum.value >= high - slack, key
        assert found.maximum.bound - found.minimum.bound <= 3 * (high - low), key


@pytest.mark.slow
@pytest.mark.parametrize("name", ["jpl_rrp", "puma560", "ur5"])
def test_with_a_load_that_turns_every_joint_to_account(name: str) -> None:
    robot = arm(name, True)
    box = workspace(robot)
    for key, (low, high) in sampled(robot, 1_000_000).items():
        found = extremes(functions(name, True)[key], box)
        slack = ROUNDING * max(abs(low), abs(high), 1e-3)
        assert found.minimum.certified, key
        assert found.maximum.certified, key
        assert found.minimum.value <= low + slack, key
        assert found.maximum.value >= high - slack, key


@pytest.mark.parametrize("name", ["jpl_rrp", "puma560", "ur5"])
def test_coupling_over_the_workspace(name: str) -> None:
    robot = arm(name, False)
    box, terms = workspace(robot), functions(name, False)
    q = random_points(np.random.default_rng(1), box, 20_000)
    for key in ("H12", "H13", "H23"):
        below = terms[f"H{key[1] * 2}"]
        found = ratio_extremes(terms[key], below, box)
        ratios = terms[key](q) / below(q)
        assert found.minimum.certified, key
        assert found.maximum.certified, key
        assert found.minimum.value <= ratios.min(), key
        assert found.maximum.value >= ratios.max(), key


def test_the_smallest_second_inertia_of_the_jpl_arm() -> None:
    # errata: the true minimum of D22 is 3.47, where Bejczy1974's chosen posture has 3.589
    robot = arm("jpl_rrp", False)
    found = extremes(functions("jpl_rrp", False)["H22"], workspace(robot))
    assert found.minimum.value == pytest.approx(3.47, abs=5e-3)

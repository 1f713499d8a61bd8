"""Studies, exports and simulations with abused numbers."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import armdyn as ad
from armdyn.errors import SimulationError
from armdyn.robot import Friction, Robot
from armdyn.studies.growth import random_chain
from hostile.abused import LIMITED, MASSLESS, PLANAR2, chain, not_finite, refused
from limited_arms import with_friction, with_limits

NOWHERE = (np.nan, np.inf, -np.inf)
TIME = np.linspace(0, 1, 50)
MOTION = np.stack([np.sin(TIME), np.cos(TIME)], axis=1)
KINDS: dict[str, dict[str, Any]] = {
    "inertia": {"effort": 100},
    "gravity": {"effort": 100},
    "coupling": {"effort": 100, "velocity": 1.0},
    "servo": {"effort": 100, "natural_frequency": 10.0},
    "reactions": {"effort": 100, "velocity": 1.0},
    "manipulability": {"effort": 100, "cells": 3},
}

# Studies -----------------------------------------------------------------------------------------

STUDIES: dict[str, tuple[str, dict[str, Any], str]] = {
    **{
        f"{kind} effort {value}": (kind, {"effort": value}, "effort is")
        for kind in ("gravity", "manipulability")
        for value in (*NOWHERE, 0, -1, 2.5)
    },
    **{
        f"{kind} range {value:g}": (kind, {"ranges": {1: (0.0, value)}}, "range of joint 1")
        for kind in ("inertia", "coupling")
        for value in (*NOWHERE, -1.0, 5e-324, 1e308)
    },
    **{
        f"{kind} {name} {value:g}": (kind, {name: value}, f"{name} ")
        for kind, name in (
            ("coupling", "velocity"),
            ("coupling", "acceleration"),
            ("coupling", "share"),
            ("reactions", "velocity"),
            ("reactions", "acceleration"),
            ("servo", "natural_frequency"),
            ("servo", "damping"),
        )
        for value in (*NOWHERE, 5e-324, 1e308)
    },
    **{f"cells {value}": ("manipulability", {"cells": value}, "cells") for value in (*NOWHERE, 0, -1, 1e308)},
    **{
        f"{name} {x:g}": ("sizing", {"motions": (TIME * t, MOTION * x)}, sentence)
        for name, t, x, sentence in (
            ("positions", 1, np.nan, "finite"),
            ("positions", 1, 1e300, ""),
            ("no time", 0, 1, "expected increasing instants"),
            ("backwards", -1, 1, "expected increasing instants"),
        )
    },
}


@pytest.mark.parametrize("name", STUDIES)
def test_a_study_of_abused_numbers_is_refused(name: str) -> None:
    kind, options, sentence = STUDIES[name]
    refused(lambda: ad.study(LIMITED, kind, **{**KINDS.get(kind, {}), **options}), sentence)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("gravity", [1e150, 1e300])
def test_gravity_that_has_no_square_is_refused(kind: str, gravity: float) -> None:
    heavy = PLANAR2.with_gravity((0, -gravity, 0))
    refused(lambda: ad.study(heavy, kind, **KINDS[kind]), "gravity is")


ROBOTS: dict[str, Robot] = {
    "no gravity": PLANAR2.with_gravity((0, 0, 0)),
    "a denormal payload": PLANAR2.with_payload(5e-324),
    "weak joints": with_limits(PLANAR2, effort=1e-30),
    "unknown limits": with_limits(LIMITED, effort=0.0, velocity=0.0, acceleration=0.0),
    "jammed": with_friction(PLANAR2, Friction(viscous=1e100, coulomb=1e100)),
    "coincident joints": chain((1.0, 0.1, 0.0), (1.0, 0.1, 0.0), (1.0, 0.1, 0.0)),
    "a million to one": chain((1e3, 10.0, 0.5), (1.0, 0.01, 0.5), (1e-3, 1e-5, 0.5)),
}


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "manipulability"])
@pytest.mark.parametrize("name", ROBOTS)
def test_a_study_has_numbers(kind: str, name: str) -> None:
    options = {key: value for key, value in KINDS[kind].items() if key != "velocity"}
    found = ad.study(ROBOTS[name], kind, **options).document()
    assert found["rows"]
    assert not_finite(found["rows"]) == []


def test_reactions_grow_with_gravity() -> None:
    """As far as gravity may go: beyond it they had come out as 0."""
    usual, heavy = (
        ad.study(PLANAR2.with_gravity((0, -g, 0)), "reactions", effort=100).document()["rows"]
        for g in (1.0, 1e12)
    )
    assert heavy[0]["maximum"] == pytest.approx(1e12 * usual[0]["maximum"], rel=1e-9)


@pytest.mark.parametrize(
    ("kind", "sentence"),
    [("servo", "feels no inertia"), ("manipulability", "is no number in any posture")],
)
def test_a_study_needs_mass(kind: str, sentence: str) -> None:
    refused(lambda: ad.study(MASSLESS, kind, **KINDS[kind]), sentence)


def test_a_servo_feels_inertia_under_every_load() -> None:
    """With 1e30 kg on axis 1 rounding leaves nothing of what the joint feels beside it."""
    heavy = PLANAR2.with_payload(1e30)
    refused(lambda: ad.study(heavy, "servo", **KINDS["servo"]), "feels no inertia")


@pytest.mark.slow
def test_a_chain_of_200_joints_has_too_many_terms() -> None:
    ranges = dict.fromkeys(range(1, 201), (-1.0, 1.0))
    options = {"ranges": ranges, "joints": [200], "effort": 10}
    refused(lambda: ad.study(random_chain(200), "inertia", **options), "terms in one place")


def test_equations_that_would_fill_the_memory_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("armdyn.scalars.harmonic.MOST_TERMS", 100)
    refused(lambda: ad.study(random_chain(5), "inertia", effort=10), "terms in one place, expected 100")
    refused(lambda: ad.derive(random_chain(5), "mass_matrix"), "lock joints")


# Exports -----------------------------------------------------------------------------------------

EXPORTED = {
    **ROBOTS,
    "1e30 kg": PLANAR2.with_payload(1e30),
    "gravity 1e300": PLANAR2.with_gravity((0, -1e300, 0)),
    "endless limits": with_limits(PLANAR2, effort=1e300, velocity=1e300),
    "no mass": MASSLESS,
}


@pytest.mark.parametrize("name", EXPORTED)
def test_an_export_says_the_same(name: str, tmp_path: Path) -> None:
    robot = EXPORTED[name]
    (file,) = ad.export(robot, "toml", tmp_path).files
    q = np.full(robot.n, 0.3)
    written, given = (ad.Dynamics(each, "none").mass_matrix(q) for each in (ad.load(file), robot))
    assert np.array_equal(written, given)


@pytest.mark.parametrize("name", ["1e30 kg", "gravity 1e300", "a million to one", "no mass"])
def test_exported_code_has_numbers(name: str, tmp_path: Path) -> None:
    """None that is written as inf or nan, which no compiler knows."""
    files = ad.export(EXPORTED[name], "c", tmp_path, quantities=["inverse", "gravity"], friction=False).files
    code = "".join(Path(file).read_text() for file in files if str(file).endswith((".c", ".h")))
    assert re.findall(r"[-+*/(=, ](?:nan|inf)[;,) ]", code) == []


@pytest.mark.parametrize("dt", [*NOWHERE, 0.0, -1.0])
def test_a_step_of_an_fmu_is_refused(dt: float, tmp_path: Path) -> None:
    refused(lambda: ad.export(PLANAR2, "fmu", tmp_path, dt=dt, build=False), "dt")


# Simulations -------------------------------------------------------------------------------------

RUNS: dict[str, tuple[dict[str, Any], str]] = {
    **{
        f"{name} {value:g}": ({name: value}, f"{name} is")
        for name, values in {
            "dt": (*NOWHERE, 0.0, -1.0),
            "sample": (*NOWHERE, 0.0, -1.0, 1e308, 5e-324),
            "rtol": (*NOWHERE, 0.0, -1.0, 1e308, 5e-324),
            "atol": (*NOWHERE, 0.0, -1.0, 1e308, 5e-324),
        }.items()
        for value in values
    },
    **{f"q {value:g}": ({"q": [value, 0.0]}, "q is") for value in (1e308, 1e30, 1e15)},
    **{f"at {value:g}": ({"wrench": [1.0] * 6, "at": [value] * 3}, "at is") for value in NOWHERE},
}
THROWN: dict[str, dict[str, Any]] = {
    **{f"qd {value:g}": {"qd": [value, 0.0]} for value in (1e308, 1e150, 1e30, 1e15)},
    **{f"torque {value:g}": {"torque": [value, 0.0]} for value in (1e308, 1e150, 1e30, 1e15)},
    "wrench": {"wrench": [1e150] * 6},
    "at": {"wrench": [1.0] * 6, "at": [1e150, 0.0, 0.0]},
    "a function": {"torque": lambda _: [1e30, 0.0]},
    "a controller": {"controller": lambda *_: [1e30, 0.0]},
    "a moving base": {"base": [1e150] * 12},
}


@pytest.mark.parametrize("name", RUNS)
def test_a_run_of_abused_numbers_is_refused(name: str) -> None:
    options, sentence = RUNS[name]
    refused(lambda: ad.simulate(PLANAR2, 0.02, **options), sentence)


@pytest.mark.parametrize("integrator", ["dop853", "lsoda", "rk4"])
@pytest.mark.parametrize("name", THROWN)
def test_what_is_thrown_faster_than_anything_stops(name: str, integrator: Any) -> None:
    with pytest.raises(SimulationError, match=r"^joint \d .*(reaches|velocity is no number)") as caught:
        ad.simulate(PLANAR2, 0.02, integrator=integrator, **THROWN[name])
    assert not_finite(caught.value.result.q) == []


@pytest.mark.parametrize("gravity", [1e30, 1e150, 1e300])
def test_gravity_that_throws_an_arm_stops(gravity: float) -> None:
    with pytest.raises(SimulationError, match="reaches"):
        ad.simulate(PLANAR2.with_gravity((0, -gravity, 0)), 0.02)


@pytest.mark.parametrize("name", ["no gravity", "a denormal payload", "jammed", "a million to one"])
def test_a_run_has_numbers(name: str) -> None:
    assert not_finite(ad.simulate(ROBOTS[name], 0.02).q) == []


def test_many_runs_are_refused_likewise() -> None:
    dyn = ad.Dynamics(PLANAR2)
    many: Callable[..., Any] = ad.simulate_many
    refused(lambda: many(dyn, 0.02, q=[[1e15, 0.0], [0.0, 0.0]]), "q has 1e+15")
    refused(lambda: many(PLANAR2, 0.02, q=[[0.0, 0.0]]), "expected a Dynamics")

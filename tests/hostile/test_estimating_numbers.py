"""Logs and experiments with abused numbers: `identify`, `identify_payload` and `excite`."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest

import armdyn as ad
from armdyn.identification.excitation.criterion import quality, smooth_quality
from armdyn.identification.logs import Log
from armdyn.robot import Friction, Robot
from armdyn.studies.growth import random_chain
from hostile.abused import LIMITED, PLANAR2, not_finite, refused
from limited_arms import with_friction, with_limits

TIME = np.linspace(0, 4, 401)
Q = np.stack(
    [0.6 * np.sin(2 * TIME) + 0.3 * np.sin(5 * TIME), 0.5 * np.cos(3 * TIME) + 0.2 * np.sin(7 * TIME)], 1
)
RESTING = np.full_like(Q, 0.3)
NOWHERE = (np.nan, np.inf, -np.inf)


@cache
def torques() -> Any:
    qd = np.gradient(Q, TIME, axis=0)
    return ad.Dynamics(PLANAR2).inverse(Q, qd, np.gradient(qd, TIME, axis=0))


def log(robot: Robot = PLANAR2, **changes: Any) -> Log:
    given: dict[str, Any] = {"time": TIME, "q": Q, "tau": torques(), **changes}
    return Log.of(robot, given.pop("time"), given.pop("q"), **given)


# Logs --------------------------------------------------------------------------------------------

LOGS: dict[str, tuple[Callable[[], dict[str, Any]], str]] = {
    "nothing": (lambda: {"time": TIME[:0], "q": Q[:0], "tau": torques()[:0]}, "no samples, expected 20"),
    "one row": (lambda: {"time": TIME[:1], "q": Q[:1], "tau": torques()[:1]}, "1 sample, expected 20"),
    "one instant": (lambda: {"time": 0 * TIME}, "expected increasing instants"),
    "one instant twice": (lambda: {"time": np.where(TIME[9] == TIME, TIME[8], TIME)}, "expected increasing"),
    "backwards": (lambda: {"time": -TIME}, "expected increasing instants"),
    "denormal steps": (lambda: {"time": 5e-324 * np.arange(401)}, "1e-12 s or more apart"),
    "steps of 1e-302 s": (lambda: {"time": 1e-300 * TIME}, "1e-12 s or more apart"),
    "steps of 1e150 s": (lambda: {"time": 1e152 * TIME}, "expected a finite number"),
    "nobody moves": (lambda: {"q": RESTING}, "no joint moves"),
    "hardly anybody moves": (lambda: {"q": 1e-300 * Q}, "no joint moves"),
    "constant torques": (lambda: {"tau": np.ones_like(Q)}, "expected"),
    "no torques": (lambda: {"tau": np.zeros_like(Q)}, "expected"),
    "NaN in all": (lambda: {"tau": np.nan * Q, "drop_invalid": True}, "none is left"),
    "positions of 1e150": (lambda: {"q": 1e150 * Q}, "expected a finite number"),
    "torques of 1e150": (lambda: {"tau": 1e150 * torques()}, "expected a finite number"),
    "torques of 1e30": (lambda: {"tau": 1e27 * torques()}, "look at the units of the log"),
    "wrench of 1e300": (lambda: {"wrench": np.full((401, 6), 1e300)}, "expected a finite number"),
}


@pytest.mark.parametrize("name", LOGS)
def test_a_log_of_abused_numbers_is_refused(name: str) -> None:
    changes, sentence = LOGS[name]
    refused(lambda: ad.identify(PLANAR2, log(**changes())), sentence)


@pytest.mark.parametrize("name", ["one row", "nobody moves", "no torques", "torques of 1e150"])
def test_a_log_of_a_payload_is_refused_likewise(name: str) -> None:
    changes, sentence = LOGS[name]
    refused(lambda: ad.identify_payload(PLANAR2, log(**changes())), sentence)


OPTIONS: dict[str, tuple[dict[str, Any], str]] = {
    **{
        f"{name} {value}": ({name: value}, f"{name} is")
        for name, values in {
            "cutoff": (np.nan, -np.inf, 0.0, -1.0, 1e308),
            "decimate": (*NOWHERE, 0, -1, 2.5, 1e308, True),
            "prior": (*NOWHERE, 0.0, -1.0, 5e-324, 1e-300),
        }.items()
        for value in values
    },
    **{
        f"damping {value}": ({"damping": value, "method": "damped"}, "damping is")
        for value in (*NOWHERE, 0.0, -1.0, 1e308)
    },
}


@pytest.mark.parametrize("name", OPTIONS)
def test_an_option_of_identification_is_refused(name: str) -> None:
    options, sentence = OPTIONS[name]
    refused(lambda: ad.identify(PLANAR2, log(), **options), sentence)


def test_a_log_to_validate_with_shows_a_motion() -> None:
    refused(lambda: ad.identify(PLANAR2, log(), validate=log(q=RESTING)), "validate with another log")


@pytest.mark.parametrize("gravity", [1e150, 1e300])
def test_gravity_that_has_no_square_is_refused(gravity: float) -> None:
    heavy = PLANAR2.with_gravity((0, -gravity, 0))
    refused(lambda: ad.identify(heavy, log(heavy)), "gravity is")
    refused(lambda: ad.identify_payload(heavy, log(heavy)), "gravity is")
    refused(lambda: ad.excite(heavy), "gravity is")


def test_a_chain_of_200_joints_has_too_many_parameters() -> None:
    robot = random_chain(200)
    q = np.sin(np.outer(TIME, np.arange(1, 201)) / 50)
    ranges: Any = dict.fromkeys(range(1, 201), (-1.0, 1.0))
    refused(lambda: ad.identify(robot, Log.of(robot, TIME, q, tau=q)), "parameters, expected 500 at most")
    refused(lambda: ad.excite(robot, ranges=ranges), "parameters, expected 500 at most")


# Experiments -------------------------------------------------------------------------------------

FEW: dict[str, Any] = {"random": 4, "starts": 1, "steps": 3}
EXPERIMENTS: dict[str, tuple[dict[str, Any], str]] = {
    **{
        f"{name} {value}": ({name: value}, f"{name} ")
        for name, values in {
            "duration": (*NOWHERE, 0.0, -1.0),
            "velocity": (*NOWHERE, 0.0, -1.0, 5e-324, 1e308),
            "acceleration": (*NOWHERE, 0.0, -1.0, 5e-324, 1e308),
            "noise": (*NOWHERE, 0.0, -1.0, 5e-324, 1e308),
            "share": (*NOWHERE, 0.0, -1.0, 5e-324, 2.0),
            "random": (*NOWHERE, 0, -1, 2.5, 1e308, True),
            "starts": (*NOWHERE, 0, -1, 5),
            "steps": (*NOWHERE, 0, 2.5),
            "seed": (*NOWHERE, -1, 2.5, 1e308),
        }.items()
        for value in values
    },
    **{f"harmonics {value}": ({"harmonics": value}, "harmonics") for value in (*NOWHERE, 0, 2.5, 1e308)},
    **{
        f"range {value:g}": ({"ranges": {1: (0.0, value)}}, "joint 1")
        for value in (*NOWHERE, -1.0, 0.0, 5e-324, 1e308)
    },
    **{
        f"workspace {value:g}": ({"workspace": ((-value, value),) * 3}, "workspace")
        for value in (*NOWHERE, 0.0, 5e-324, 1e-300, 1e308)
    },
    "a speck": ({"ranges": {1: (0.0, 1e-9), 2: (0.0, 1e-9)}}, "shows"),
    "a crawl": ({"velocity": 1e-9, "acceleration": 1e-9}, "shows"),
    "an age": ({"duration": 1e6}, "shows"),
}


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_an_experiment_of_abused_numbers_is_refused(name: str) -> None:
    options, sentence = EXPERIMENTS[name]
    refused(lambda: ad.excite(LIMITED, **{**FEW, **options}), sentence)


@pytest.mark.parametrize("A", [np.zeros((2, 2)), np.diag([1.0, 0.0]), np.diag([1.0, -1e-20])])
def test_a_motion_that_shows_nothing_has_no_quality(A: Any) -> None:
    for criterion in ("condition", "d_optimal"):
        assert quality(criterion, A) == np.inf
        assert smooth_quality(criterion, A, 4)[0] == np.inf


ROBOTS: dict[str, tuple[Robot, str]] = {
    "endless speed": (with_limits(LIMITED, velocity=1e300), "velocity limit of joint 1 is 1e+300"),
    "endless acceleration": (with_limits(LIMITED, acceleration=1e300), "acceleration limit of joint 1"),
    "weak joints": (with_limits(LIMITED, effort=1e-30), "no posture within the joints' ranges"),
    "jammed joints": (with_friction(LIMITED, Friction(viscous=1e100, coulomb=1e100)), "shows as"),
}


@pytest.mark.parametrize("name", ROBOTS)
def test_an_experiment_on_an_abused_robot_is_refused(name: str) -> None:
    robot, sentence = ROBOTS[name]
    refused(lambda: ad.excite(robot, **FEW), sentence)


@pytest.mark.parametrize(
    "robot",
    [
        LIMITED.with_gravity((0, 0, 0)),
        with_limits(LIMITED, effort=None).with_payload(1e30),
        LIMITED.with_payload(5e-324),
    ],
    ids=["no gravity", "1e30 kg", "a denormal payload"],
)
def test_an_experiment_that_can_be_has_numbers(robot: Robot) -> None:
    found = ad.excite(robot, **FEW)
    assert found.document()["condition_number"] >= 1
    assert not_finite(found.document()) == []

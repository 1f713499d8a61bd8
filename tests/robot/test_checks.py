"""Checks of the parts of a robot: what is no number gets a sentence, too."""

from typing import Any

import numpy as np
import pytest

from armdyn.errors import RobotError
from armdyn.robot import Friction, Motor
from armdyn.robot.checks import finite, not_negative, positive

SHOWN = [
    ("a", '"a"'),
    ("b" * 99, f'"{"b" * 37}..."'),
    ([1.0], "of type list"),
    (1j, "of type complex"),
    (10**400, "too large a number"),
]


@pytest.mark.parametrize(("value", "text"), SHOWN, ids=["text", "long text", "list", "complex", "huge"])
def test_what_is_no_number_is_refused(value: Any, text: str) -> None:
    with pytest.raises(RobotError) as caught:
        positive("motor", speed=value)
    assert str(caught.value) == f"motor: speed is {text}, expected a finite number above zero"
    with pytest.raises(RobotError) as caught:
        not_negative("friction", load=value)
    assert str(caught.value) == f"friction: load is {text}, expected a finite number of zero or more"
    with pytest.raises(RobotError) as caught:
        finite("home", [0.0, value])
    assert str(caught.value) == f"home: {text} is not a finite number"


def test_numbers_of_any_kind_pass() -> None:
    numbers: Any = (1, 1.0, np.float32(1), np.int64(1), np.array(1.0))
    for value in numbers:
        positive("motor", speed=value)
        not_negative("motor", speed=value)
        finite("motor", [value])


def test_parts_pass_it_on() -> None:
    text: Any = "a"
    with pytest.raises(RobotError, match=r'^friction: viscous is "a", expected a finite number of zero'):
        Friction(viscous=text)
    with pytest.raises(RobotError, match=r'^motor: peak_torque is "a", expected a finite number above zero$'):
        Motor(peak_torque=text)


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"coulomb": None}, "friction: coulomb is None, expected a number"),
        (
            {"load_includes_friction": "no"},
            "friction: load_includes_friction is 'no', expected True or False",
        ),
    ],
)
def test_friction_takes_numbers_and_a_yes_or_no(values: dict[str, Any], sentence: str) -> None:
    with pytest.raises(RobotError) as caught:
        Friction(**values)
    assert str(caught.value) == sentence

"""Motors as data: signs are checked, and what is unknown stays unknown."""

import math
from dataclasses import fields
from typing import Any

import pytest

from armdyn.errors import RobotError
from armdyn.robot import Drive, Motor
from armdyn.robot.coupling import Coupling

FIELDS = [field.name for field in fields(Motor)]


def test_nothing_is_known_by_default() -> None:
    assert set(vars(Motor()).values()) == {None}
    assert Motor().back_emf_constant is None


@pytest.mark.parametrize("name", FIELDS)
@pytest.mark.parametrize(
    ("value", "text"), [(0.0, "0"), (-2.5, "-2.5"), (math.nan, "nan"), (math.inf, "inf")]
)
def test_a_value_that_no_motor_has_is_refused(name: str, value: float, text: str) -> None:
    given: dict[str, Any] = {name: value}
    with pytest.raises(RobotError, match=rf"^motor: {name} is {text}, expected a finite number above zero$"):
        Motor(**given)


def test_an_ideal_motor_has_one_constant() -> None:
    assert Motor(torque_constant=0.1).back_emf_constant == 0.1
    assert Motor(torque_constant=0.1, back_emf=0.12).back_emf_constant == 0.12
    assert Motor(back_emf=0.12).back_emf_constant == 0.12


def test_a_drive_of_which_nothing_is_known_has_such_a_motor() -> None:
    assert Drive("m1", "j1", Coupling.of({"j1": 1.0})).motor == Motor()

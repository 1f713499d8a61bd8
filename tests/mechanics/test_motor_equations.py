"""The electric motor: by hand, there and back, over graph nodes, and a sentence for what is missing."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from armdyn.errors import MissingDataError
from armdyn.mechanics.motor_equations import current_of_torque, torque_of_current, voltage_of
from armdyn.robot import Coupling, Drive, Motor
from armdyn.scalars import Graph, Tally, program

ROUNDING = 1e-14
"""Relative: one or two operations."""
FULL = Motor(torque_constant=0.1, back_emf=0.12, resistance=0.6)

constants = st.floats(1e-3, 1e3)
values = st.floats(-1e3, 1e3)


def drive(motor: Motor) -> Drive:
    return Drive("m2", "j1", Coupling.of({"j1": 1.0}), motor=motor)


def test_hand_and_pencil() -> None:
    m2 = drive(FULL)
    assert torque_of_current(m2, 5.0) == pytest.approx(0.5, rel=ROUNDING)
    assert current_of_torque(m2, 0.5) == pytest.approx(5.0, rel=ROUNDING)
    assert voltage_of(m2, 5.0, 100.0) == pytest.approx(0.6 * 5 + 0.12 * 100, rel=ROUNDING)
    assert voltage_of(m2, -5.0, 100.0) == pytest.approx(-0.6 * 5 + 0.12 * 100, rel=ROUNDING)


def test_the_torque_constant_serves_for_the_back_emf() -> None:
    ideal = drive(Motor(torque_constant=0.1, resistance=0.6))
    assert voltage_of(ideal, 5.0, 100.0) == pytest.approx(0.6 * 5 + 0.1 * 100, rel=ROUNDING)


@given(k=constants, current=values)
def test_torque_and_current_there_and_back(k: float, current: float) -> None:
    m2 = drive(Motor(torque_constant=k))
    assert current_of_torque(m2, torque_of_current(m2, current)) == pytest.approx(current, rel=ROUNDING)


@given(k=constants, R=constants, current=values, speed=values)
def test_an_ideal_motor_loses_no_power_but_heat(k: float, R: float, current: float, speed: float) -> None:
    """V i = torque w + R i^2: what the supply gives is what the shaft takes, and heat."""
    m2 = drive(Motor(torque_constant=k, resistance=R))
    shaft, heat = torque_of_current(m2, current) * speed, R * current**2
    electric = voltage_of(m2, current, speed) * current
    assert electric == pytest.approx(shaft + heat, abs=10 * ROUNDING * (abs(shaft) + heat))


def test_batches_and_graph_nodes_give_the_same() -> None:
    m2 = drive(FULL)
    torque, speed = np.array([0.5, -0.2, 0.0]), np.array([10.0, 200.0, -30.0])
    graph = Graph()
    (t,), (w,) = graph.inputs("t", 1), graph.inputs("w", 1)
    current = current_of_torque(m2, t)
    traced = program([current, voltage_of(m2, current, w), torque_of_current(m2, current)])
    expected = np.column_stack(
        [
            current_of_torque(m2, torque),
            voltage_of(m2, current_of_torque(m2, torque), speed),
            torque,
        ]
    )
    found = np.empty_like(expected)
    traced.run({"t": torque[:, None], "w": speed[:, None]}, found)
    np.testing.assert_allclose(found, expected, rtol=10 * ROUNDING)


def test_a_voltage_takes_two_products() -> None:
    tally = Tally()
    voltage_of(drive(FULL), tally.number(1.0), tally.number(2.0))
    assert (tally.multiplications, tally.additions) == (2, 1)


# What is missing ------------------------------------------------------------------------------


def test_a_missing_torque_constant_is_named() -> None:
    sentence = (
        r'^drive "m2": torque constant is not given, currents need it; '
        r"add motor\.torque_constant to the robot file$"
    )
    for call in (current_of_torque, torque_of_current):
        with pytest.raises(MissingDataError, match=sentence):
            call(drive(Motor(back_emf=0.1, resistance=1.0)), 1.0)


def test_a_missing_resistance_is_named() -> None:
    sentence = (
        r'^drive "m2": resistance is not given, voltages need it; add motor\.resistance to the robot file$'
    )
    with pytest.raises(MissingDataError, match=sentence):
        voltage_of(drive(Motor(torque_constant=0.1)), 1.0, 1.0)


def test_a_missing_back_emf_is_named() -> None:
    sentence = (
        r'^drive "m2": back-EMF and torque constant are not given, voltages need one of them; '
        r"add motor\.back_emf to the robot file$"
    )
    with pytest.raises(MissingDataError, match=sentence):
        voltage_of(drive(Motor(resistance=1.0)), 1.0, 1.0)

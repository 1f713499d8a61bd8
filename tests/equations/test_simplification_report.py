"""[Bejczy1974] VII.D: the report's simplified equations beside ours, on the same postures."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import armdyn as ad
from armdyn.equations.expression import (
    Cosine,
    Expression,
    Number,
    Power,
    Product,
    Sine,
    Sum,
    Symbol,
    evaluate,
    operations,
)
from armdyn.equations.simplification import Simplified, simplify
from armdyn.mechanics import composite_body, newton_euler
from armdyn.mechanics.tree import tree
from armdyn.scalars.harmonic import Harmonic, Ring

NAMES = tuple(f"q{i + 1}" for i in range(6))
FULL_TURN = (-np.pi, np.pi)
BOX = np.array([FULL_TURN, FULL_TURN, (0.1, 1.1176), FULL_TURN, FULL_TURN, FULL_TURN])

LOAD_MASS = 1.8
"""kg, a cube of 442 cm^3 with its centre at the hand's origin"""
LOAD_INERTIA = LOAD_MASS * 442e-6 ** (2 / 3) / 6

S2, C2 = Sine((("q2", 1),)), Cosine((("q2", 1),))
S4, C4 = Sine((("q4", 1),)), Cosine((("q4", 1),))
S5, C5 = Sine((("q5", 1),)), Cosine((("q5", 1),))
R3 = Symbol("q3")
G = 9.81
POSTURES = 200_000
MILLION, CHUNK = 1_000_000, 50_000
SEED = 1974


@dataclass(frozen=True)
class Printed:
    """An equation of the report: as printed and in its shortest form, without and with load."""

    as_printed: tuple[Expression, Expression]
    shortest: tuple[Expression, Expression]


def times(*factors: Expression | float) -> Product:
    return Product(tuple(f if isinstance(f, Expression) else Number(f) for f in factors))


def plus(*terms: Expression | float) -> Sum:
    return Sum(tuple(t if isinstance(t, Expression) else Number(t) for t in terms))


def eq_120(b4: float, b5: float) -> tuple[Expression, Expression]:
    """D11 = b1 + [b2 + (b3 + b5 c5) r3 + b4 r3^2] s2^2."""
    b1, b2, b3 = 1.423, 2.51, -5.49
    bracket = plus(b2, times(plus(b3, times(b5, C5)), R3), times(b4, Power(R3, 2)))
    nested = plus(b2, times(R3, plus(b3, times(b5, C5), times(b4, R3))))
    return plus(b1, times(bracket, Power(S2, 2))), plus(b1, times(nested, Power(S2, 2)))


def eq_122(b4: float, b5: float) -> tuple[Expression, Expression]:
    """D22 = b13 + (b3 + b5 c5) r3 + b4 r3^2."""
    b13, b3 = 4.72, -5.49
    return (
        plus(b13, times(plus(b3, times(b5, C5)), R3), times(b4, Power(R3, 2))),
        plus(b13, times(R3, plus(b3, times(b5, C5), times(b4, R3)))),
    )


def eq_124(b15: float) -> tuple[Expression, Expression]:
    """D44 = b14 + b15 s5^2."""
    equation = plus(0.107, times(b15, Power(S5, 2)))
    return equation, equation


def eq_128(d2: float, d3: float) -> tuple[Expression, Expression]:
    """D2 = g (d1 + d2 r3) s2 + g d3 (s2 c5 + c2 s4 s5)."""
    d1 = -2.788
    printed = plus(
        times(Symbol("g"), plus(d1, times(d2, R3)), S2),
        times(Symbol("g"), d3, plus(times(S2, C5), times(C2, S4, S5))),
    )
    ratio = times(plus(d1 / d3, times(d2 / d3, R3), C5), S2)
    return printed, times(G * d3, plus(ratio, times(C2, S4, S5)))


def eq_130(d3: float) -> tuple[Expression, Expression]:
    """D4 = g d3 s2 c4 s5."""
    return times(Symbol("g"), d3, S2, C4, S5), times(G * d3, S2, C4, S5)


def both(without: tuple[Expression, Expression], loaded: tuple[Expression, Expression]) -> Printed:
    return Printed((without[0], loaded[0]), (without[1], loaded[1]))


REPORT = {  # b5 with load is 1.123: 0.396, as printed, has lost a factor 2 and the load's place
    "(120)": both(eq_120(6.48, 0.232), eq_120(8.27, 1.123)),
    "(122)": both(eq_122(6.48, 0.232), eq_122(8.27, 1.123)),
    "(124)": both(eq_124(0.015), eq_124(0.127)),
    "(128)": both(eq_128(6.47, 0.116), eq_128(8.28, 0.566)),
    "(130)": both(eq_130(0.116), eq_130(0.566)),
}


@pytest.fixture(scope="module")
def quantities() -> dict[str, list[Harmonic]]:
    """The exact quantities without and with load, motors reflected; D2, D4 are minus gravity's torques."""
    arm = ad.load("jpl_rrp")
    loaded = arm.with_payload(LOAD_MASS, inertia=np.eye(3) * LOAD_INERTIA)
    ring = Ring()
    q = ring.symbols("q", 6)
    trees = [tree(robot, motors="reflected") for robot in (arm, loaded)]
    H = [composite_body.mass_matrix(built, q) for built in trees]
    g = [newton_euler.inverse_dynamics(built, q, None, None).torque for built in trees]
    return {
        "(120)": [h[0][0] for h in H],
        "(122)": [h[1][1] for h in H],
        "(124)": [h[3][3] for h in H],
        "(128)": [-x[1] for x in g],
        "(130)": [-x[3] for x in g],
    }


def postures(seed: int, count: int) -> dict[str, Any]:
    """Random values of the joints, and gravity's."""
    q = np.random.default_rng(seed).uniform(BOX[:, 0], BOX[:, 1], (count, 6))
    return dict(zip(NAMES, q.T, strict=True)) | {"g": G}


@pytest.fixture(scope="module")
def exactly(quantities: dict[str, list[Harmonic]]) -> dict[str, list[np.ndarray]]:
    """The cases on postures that belong to no fit."""
    values = postures(SEED, POSTURES)
    return {
        equation: [np.asarray(case.evaluate(values)) for case in cases]
        for equation, cases in quantities.items()
    }


def mean_errors(exact: Sequence[np.ndarray], equations: Sequence[Expression]) -> list[float]:
    """Mean |error| of each case, on the same postures."""
    values = postures(SEED, POSTURES)
    return [
        float(np.abs(case - evaluate(equation, values)).mean())
        for case, equation in zip(exact, equations, strict=True)
    ]


@pytest.fixture(scope="module")
def ours(quantities: dict[str, list[Harmonic]]) -> dict[str, Simplified]:
    """What is found with as many operations as the report's equation takes in its shortest form."""
    return {
        equation: simplify(
            cases, NAMES, BOX, operations=operations(REPORT[equation].shortest[0]).total, tried=600
        )
        for equation, cases in quantities.items()
    }


@pytest.mark.parametrize("equation", REPORT)
def test_both_forms_of_the_reports_equation_are_the_same(equation: str, exactly: dict[str, list[np.ndarray]]):
    printed = REPORT[equation]
    assert mean_errors(exactly[equation], printed.as_printed) == pytest.approx(
        mean_errors(exactly[equation], printed.shortest)
    )
    assert operations(printed.shortest[0]).total <= operations(printed.as_printed[0]).total


@pytest.mark.parametrize("equation", REPORT)
def test_less_error_without_and_with_load_for_no_more_operations(
    equation: str, exactly: dict[str, list[np.ndarray]], ours: dict[str, Simplified]
):
    printed, short = REPORT[equation], ours[equation]
    assert short.operations.total <= operations(printed.shortest[0]).total
    assert short.operations.total <= operations(printed.as_printed[0]).total
    theirs = mean_errors(exactly[equation], printed.shortest)
    for mine, other in zip(mean_errors(exactly[equation], short.expressions), theirs, strict=True):
        assert mine < other


def test_largest_errors_are_certified(ours: dict[str, Simplified]):
    assert all(errors.certified for short in ours.values() for errors in short.errors)


@pytest.mark.parametrize("equation", [pytest.param("(120)", marks=pytest.mark.slow), "(128)"])
def test_bounds_hold_with_load_on_a_million_states(
    equation: str, quantities: dict[str, list[Harmonic]], ours: dict[str, Simplified]
):
    exact, simplified, errors = (
        quantities[equation][1],
        ours[equation].expressions[1],
        ours[equation].errors[1],
    )
    worst = 0.0
    for seed in range(MILLION // CHUNK):
        values = postures(seed, CHUNK)
        worst = max(worst, float(np.abs(exact.evaluate(values) - evaluate(simplified, values)).max()))
    assert 0.9 * errors.maximum < worst <= errors.bound


def test_d11_is_a_few_percent_off_and_some_of_its_parameters_do_not_feel_the_load(
    ours: dict[str, Simplified],
):
    without, loaded = ours["(120)"].errors
    assert without.relative_mean < 0.011  # the report's equation: 0.0132
    assert loaded.relative_mean < 0.042  # the report's equation: 0.0582
    assert not all(parameter.changes for parameter in ours["(120)"].parameters)

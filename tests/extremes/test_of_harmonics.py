"""Harmonics as terms: the same function, angles at no whole number of times, what has no terms."""

import numpy as np
import pytest

from armdyn.errors import InputError
from armdyn.extremes.of_harmonics import has_terms, terms_of
from armdyn.scalars.harmonic import Harmonic, Ring
from armdyn.scalars.protocol import cos, reciprocal, sin, sqrt

NAMES = ("q1", "q2", "q3")
ROUNDING = 1e-13
SEED = 3


def joints() -> list[Harmonic]:
    return Ring().symbols("q", 3)


def agrees(f: Harmonic) -> bool:
    q = np.random.default_rng(SEED).uniform(-3.0, 3.0, (50, 3))
    expected = np.broadcast_to(f.evaluate({name: q[:, k] for k, name in enumerate(NAMES)}), (50,))
    return bool(np.allclose(terms_of(f, NAMES)(q), expected, rtol=ROUNDING, atol=ROUNDING))


def test_same_function() -> None:
    a, b, r = joints()
    assert agrees(3.0 + 2.0 * r * r * cos(a + 2 * b) - r * sin(b) * sin(a) + 0.5 * cos(a) ** 2)


def test_angle_at_no_whole_number_of_times() -> None:
    a, b, r = joints()
    f = r * cos(1.5 * a - 0.25 * b) + sin(a)
    assert agrees(f)
    assert 0.25 in np.abs(terms_of(f, NAMES).frequencies)


def test_zero_and_constant() -> None:
    a, *_ = joints()
    assert len(terms_of(a - a, NAMES).cosine) == 0
    assert terms_of(a - a + 2.5, NAMES)(np.zeros(3)) == 2.5


def test_squares_merge() -> None:
    a, *_ = joints()
    assert terms_of(cos(a) ** 2 + sin(a) ** 2, NAMES).variables.tolist() == [False] * 3


@pytest.mark.parametrize("kind", ["root", "reciprocal", "parameter"])
def test_what_has_no_terms(kind: str) -> None:
    a, b, r = joints()
    f = {
        "root": sqrt(2.0 + cos(a)) * b,
        "reciprocal": reciprocal(r) * cos(a),
        "parameter": a.ring.symbol("m4") * cos(a),
    }[kind]
    assert not has_terms(f, NAMES)
    with pytest.raises(InputError, match="expected whole powers and angles of q1, q2, q3"):
        terms_of(f, NAMES)

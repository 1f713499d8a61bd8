"""Downhill, beside SciPy."""

from importlib import import_module
from typing import Any

import numpy as np
import pytest

from armdyn.identification.excitation.descent import descend

optimize: Any = import_module("scipy.optimize")


def test_it_finds_what_scipy_finds():
    start = np.array([1.3, 0.7, 0.8, 1.9, 1.2])
    found = descend(optimize.rosen, optimize.rosen_der, start, 500, 1e-14, lambda step: False)
    other = optimize.minimize(optimize.rosen, start, jac=optimize.rosen_der, method="BFGS")
    assert found.x == pytest.approx(other.x, abs=1e-4)
    assert found.value < 1e-9


def test_it_stays_before_a_wall():
    def value(x):
        return float(x @ x - 1e-6 * np.log(x[0] - 0.5)) if x[0] > 0.5 else np.inf

    def gradient(x):
        return 2 * x - np.array([1e-6 / (x[0] - 0.5), 0.0])

    seen = []
    found = descend(
        value, gradient, np.array([2.0, 2.0]), 300, 1e-12, lambda step: seen.append(step.x) or False
    )
    assert found.x == pytest.approx([0.5, 0.0], abs=2e-3)
    assert all(x[0] > 0.5 for x in seen)


def test_it_ends_when_it_is_told_to():
    start = np.array([-1.2, 1.0])
    found = descend(optimize.rosen, optimize.rosen_der, start, 500, 1e-12, lambda step: step.number == 3)
    assert found.number == 3
    assert found.value < optimize.rosen(start)

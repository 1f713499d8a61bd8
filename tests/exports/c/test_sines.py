"""Sine and cosine in C, against arithmetic of many digits."""

import ctypes
from pathlib import Path

import mpmath
import numpy as np
import pytest

from armdyn.exports.c.precision import NUMBERS, Precision
from armdyn.exports.c.sines import MACRO, sines_text
from c_compilers import COMPILERS, built, needs_compiler

pytestmark = needs_compiler
ULPS = 2.0
"""What the header promises."""
KINDS = {"double": np.float64, "single": np.float32}
LARGEST = {"double": 1e5, "single": 2000.0}


class Sines:
    """`sine_cosine` of many angles."""

    def __init__(self, folder: Path, precision: Precision, *flags: str) -> None:
        kind = NUMBERS[precision].type
        head = f"void many(const {kind} *x, {kind} *s, {kind} *c, int n)"
        loop = "{ int k; for (k = 0; k < n; k++) { sine_cosine(x[k], s + k, c + k); } }"
        source = f"#include <math.h>\n{sines_text(precision)}\n{head};\n{head} {loop}\n"
        (folder / "many.c").write_text(source)
        self.kind = KINDS[precision]
        library = built(folder, ["many.c"], COMPILERS[0], "-shared", "-fPIC", "-O2", *flags)
        self.function = ctypes.CDLL(str(library)).many

    def __call__(self, angles: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The angles in this precision, their sines and cosines."""
        x = np.ascontiguousarray(angles, dtype=self.kind)
        s, c = np.empty_like(x), np.empty_like(x)
        self.function(*(ctypes.c_void_p(a.ctypes.data) for a in (x, s, c)), len(x))
        return x, s, c


def near_right_angles(largest: float) -> np.ndarray:
    turns = np.unique(np.random.default_rng(1).integers(1, int(0.6 * largest), 400))
    with mpmath.workdps(40):
        return np.array([float(int(k) * mpmath.pi / 2) for k in turns])


@pytest.mark.parametrize("precision", ["double", "single"])
def test_within_two_ulps(precision: Precision, tmp_path: Path) -> None:
    largest = LARGEST[precision]
    sines, rng = Sines(tmp_path, precision), np.random.default_rng(0)
    spread = [rng.uniform(-a, a, 300) for a in (1e-3, 1.0, 10.0, 1e3, largest, 8 * largest)]
    edges = [0.0, 1e-30, np.pi / 4, -np.pi / 4, largest, 2 * largest]
    found = sines(np.concatenate([*spread, near_right_angles(largest), -near_right_angles(largest), edges]))
    with mpmath.workdps(60):
        for x, s, c in zip(*found, strict=True):
            angle = mpmath.mpf(float(x))
            for value, exact in ((s, mpmath.sin(angle)), (c, mpmath.cos(angle))):
                ulp = float(np.spacing(sines.kind(abs(float(exact)))))
                assert abs(mpmath.mpf(float(value)) - exact) <= ULPS * ulp, f"at {float(x)!r}"


def test_what_is_no_angle_is_no_number(tmp_path: Path) -> None:
    _, s, c = Sines(tmp_path, "double")(np.array([np.nan, np.inf, -np.inf]))
    assert np.isnan([s, c]).all()


def test_the_library_serves_on_request(tmp_path: Path) -> None:
    angles = np.random.default_rng(2).uniform(-10, 10, 100)
    _, s, c = Sines(tmp_path, "double", f"-D{MACRO}")(angles)
    np.testing.assert_allclose([s, c], [np.sin(angles), np.cos(angles)], rtol=0, atol=2e-16)

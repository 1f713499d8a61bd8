"""Sine and cosine of the kernels, against 200-digit arithmetic."""

import math

import mpmath
import numpy as np
import pytest

from armdyn.native.kernel import Kernel
from armdyn.native.processor import Processor, host
from armdyn.native.signature import Signature
from armdyn.native.sines import LARGE
from armdyn.scalars import Graph, cos, program, sin
from armdyn.scalars.batch import run_batch

ULPS = 2.0
"""What the kernels promise."""


@pytest.fixture(scope="module")
def sine_kernel():
    return kernel()


def kernel(processor: Processor | None = None, width: int | None = None) -> Kernel:
    (x,) = Graph().inputs("x", 1)
    traced = program([sin(x), cos(x)])
    return Kernel(Signature((("x", 1),), ((2,),)), lambda: traced, processor=processor, width=width)


def errors_in_ulps(compiled: Kernel, angles: np.ndarray) -> np.ndarray:
    found = run_batch(compiled, {"x": angles[:, None]}, (2,))
    worst = np.zeros(len(angles))
    with mpmath.workdps(400):  # an angle of 1e308 needs its 308 digits before the comma
        for k, (x, row) in enumerate(zip(angles, found, strict=True)):
            exact = (mpmath.sin(mpmath.mpf(float(x))), mpmath.cos(mpmath.mpf(float(x))))
            pairs = zip(row, exact, strict=True)
            worst[k] = max(abs(float((mpmath.mpf(float(a)) - b) / math.ulp(float(b)))) for a, b in pairs)
    return worst


def near_right_angles() -> np.ndarray:
    """The doubles next to multiples of pi/2, where most digits cancel."""
    generator = np.random.default_rng(1)
    k = np.unique(np.concatenate([np.arange(1, 300), generator.integers(1, int(LARGE / 2), 1200)]))
    with mpmath.workdps(60):
        centres = np.array([float(n * mpmath.pi / 2) for n in map(int, k)])
    return np.concatenate([centres, np.nextafter(centres, np.inf), np.nextafter(centres, 0), -centres])


@pytest.mark.parametrize("largest", [1e-3, 1.0, 10.0, 1e3, 1e6, LARGE, 4 * LARGE, 1e12, 1e22, 1e300])
def test_within_two_ulps_at_every_size(sine_kernel, largest):
    angles = np.random.default_rng(0).uniform(-largest, largest, 1000)
    assert errors_in_ulps(sine_kernel, angles).max() <= ULPS


def test_within_two_ulps_where_digits_cancel(sine_kernel):
    assert errors_in_ulps(sine_kernel, near_right_angles()).max() <= ULPS


def test_within_two_ulps_at_special_angles(sine_kernel):
    tiny = [0.0, 5e-324, 1e-310, 1e-200, 1e-17, 1e-8]
    edges = [math.pi / 4, np.nextafter(math.pi / 4, 1), LARGE, np.nextafter(LARGE, np.inf), 1.7e308]
    assert errors_in_ulps(sine_kernel, np.array([*tiny, *edges])).max() <= ULPS
    zero = run_batch(sine_kernel, {"x": np.array([[-0.0], [0.0]])}, (2,))
    assert zero.tolist() == [[0.0, 1.0], [0.0, 1.0]]


def test_without_fused_multiply_add_the_library_serves():
    plain = kernel(baseline(), 2)
    angles = np.random.default_rng(2).uniform(-20, 20, 501)
    assert errors_in_ulps(plain, angles).max() <= ULPS


def test_a_large_angle_leaves_its_neighbours_alone(sine_kernel):
    """The lanes beside a large angle keep the bits they have without it."""
    angles = np.random.default_rng(3).uniform(-3, 3, (64, 1))
    alone = run_batch(sine_kernel, {"x": angles}, (2,))
    for row in range(0, 64, 5):
        mixed = angles.copy()
        mixed[row] = 1e9
        beside = run_batch(sine_kernel, {"x": mixed}, (2,))
        others = np.arange(64) != row
        assert np.array_equal(beside[others], alone[others])
        assert beside[row] == pytest.approx([math.sin(1e9), math.cos(1e9)], rel=1e-15)


def baseline() -> Processor:
    """The host as if it had neither AVX nor fused multiply-add."""
    if host().name and "sse2" not in host().features:
        pytest.skip("only x86 processors may lack fused multiply-add")
    return Processor("x86-64", "", 2, fused=False)

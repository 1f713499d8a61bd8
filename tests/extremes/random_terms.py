"""Random sums of waves, as those of arms: few joints, small frequencies, now and then a length."""

import numpy as np

from armdyn.extremes import Terms


def random_terms(rng: np.random.Generator, n: int | None = None, *, powers: bool = False) -> Terms:
    """A function of n joints, by default 1 to 3, with whole frequencies up to 2 and powers up to 2."""
    joints = int(rng.integers(1, 4)) if n is None else n
    count = int(rng.integers(1, 8))
    k = rng.integers(-2, 3, (count, joints)).astype(float)
    p = rng.integers(0, 3, (count, joints)) * (rng.random((count, joints)) < 0.4) * powers
    return Terms(k, p, rng.normal(size=count), rng.normal(size=count))


def random_points(rng: np.random.Generator, box: np.ndarray, count: int) -> np.ndarray:
    """(count, n) points all over a box: (n, 2)."""
    return box[:, 0] + (box[:, 1] - box[:, 0]) * rng.random((count, len(box)))

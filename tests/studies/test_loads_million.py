"""A million random postures find nothing beyond a study's bounds, nor more than its extremes."""

from __future__ import annotations

import numpy as np
import pytest

import armdyn as ad

POSTURES, CHUNK = 1_000_000, 100_000


@pytest.mark.parametrize("name", ["jpl_rrp", "puma560", "ur5"])
def test_a_million_postures(name: str) -> None:
    arm = ad.load(name)
    inertia, gravity = (ad.study(arm, kind) for kind in ("inertia", "gravity"))
    box = np.array(list(inertia.settings["ranges"].values()))
    assert box.shape == (arm.n, 2)
    dyn, generator = ad.Dynamics(arm, friction=False), np.random.default_rng(8)
    lowest, highest = np.full((2, arm.n), np.inf), np.full((2, arm.n), -np.inf)
    for _ in range(POSTURES // CHUNK):
        q = generator.uniform(box[:, 0], box[:, 1], (CHUNK, arm.n))
        for k, values in enumerate((np.einsum("...ii->...i", dyn.mass_matrix(q)), dyn.gravity(q))):
            lowest[k] = np.minimum(lowest[k], values.min(axis=0))
            highest[k] = np.maximum(highest[k], values.max(axis=0))
    for k, study in enumerate((inertia, gravity)):
        rows = [row for row in study.rows if row.quantity == study.kind]
        assert [row.joint for row in rows] == list(range(1, arm.n + 1))
        rounding = 1e-13 * max(abs(row.extremes.maximum.value) for row in rows)  # as compiled sums round
        for row in rows:
            low, high = row.extremes.minimum, row.extremes.maximum
            j = row.joint - 1
            assert low.bound <= low.value <= lowest[k, j] + rounding
            assert high.bound >= high.value >= highest[k, j] - rounding
            assert low.certified
            assert high.certified
            for end in (low, high):
                assert np.all((end.q >= box[:, 0] - 1e-12) & (end.q <= box[:, 1] + 1e-12))
                at = dyn.mass_matrix(end.q)[j, j] if k == 0 else dyn.gravity(end.q)[j]
                assert at == pytest.approx(end.value, abs=10 * rounding), "attained where it says"

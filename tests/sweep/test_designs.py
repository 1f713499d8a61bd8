"""Designs: a row depends on its number only."""

from pathlib import Path

import numpy as np
import pytest

from armdyn.sweep.designs import Points
from armdyn.sweep.study import Study
from armdyn.sweep.study_file import study_of

N = 1024
AXES = """
[axes.linear]
range = [-1, 3]

[axes.log]
range = [1e-3, 10]
spacing = "log"

[axes.word]
values = ["a", "b", "c"]
"""
DRAWN = """
[axes.normal]
distribution = "normal"
mean = 2
deviation = 0.5

[axes.cut]
distribution = "normal"
mean = 0
deviation = 1
range = [0, 2]

[axes.lognormal]
distribution = "lognormal"
median = "2 mm"
deviation = 0.3
range = [1e-3, 1]
"""


def study(kind: str, seed: int = 5) -> Study:
    n = "n = 8" if kind == "grid" else f"n = {N}"
    axes = AXES if kind == "grid" else AXES + DRAWN
    return study_of(
        f'[study]\nrobot = "r"\nquantity = "q"\nseed = {seed}\n[design]\nkind = "{kind}"\n{n}\n{axes}\n'
        '[output]\nfolder = "out"\n',
        Path(),
    )


@pytest.mark.parametrize("kind", ["grid", "random", "sobol"])
@pytest.mark.parametrize("rows", [1, 7, 100])
def test_rows_do_not_depend_on_how_they_are_cut(kind, rows):
    asked = study(kind)
    total = asked.total
    whole = Points(asked).rows(0, total)
    points = Points(asked)
    parts = [points.rows(first, min(total, first + rows)) for first in range(0, total, rows)]
    for name, values in whole.items():
        assert np.array_equal(np.concatenate([part[name] for part in parts]), values)


@pytest.mark.parametrize("kind", ["grid", "random", "sobol"])
def test_rows_do_not_depend_on_the_order_they_are_asked_in(kind):
    asked = study(kind)
    whole, points = Points(asked).rows(0, asked.total), Points(asked)
    for first in (150, 3, 100, 0, 101):
        for name, values in points.rows(first, first + 5).items():
            assert np.array_equal(values, whole[name][first : first + 5])


@pytest.mark.parametrize("kind", ["random", "sobol"])
def test_another_seed_gives_other_points(kind):
    here, there = (Points(study(kind, seed)).rows(0, 4) for seed in (5, 6))
    assert not np.array_equal(here["linear"], there["linear"])


def test_a_grid_has_every_combination_once_the_last_axis_fastest():
    rows = Points(study("grid")).rows(0, 8 * 8 * 3)
    combinations = set(zip(*(values.tolist() for values in rows.values()), strict=True))
    assert len(combinations) == 8 * 8 * 3
    assert rows["word"][:4].tolist() == ["a", "b", "c", "a"]
    assert rows["linear"][0] == -1.0
    assert rows["linear"][-1] == 3.0
    assert rows["log"][0] == 1e-3
    assert rows["log"][-1] == 10.0


@pytest.mark.parametrize("kind", ["random", "sobol"])
def test_values_are_distributed_as_asked(kind):
    rows = Points(study(kind)).rows(0, N)
    assert -1 <= rows["linear"].min() < -0.9
    assert 2.9 < rows["linear"].max() < 3
    assert np.median(rows["log"]) == pytest.approx(0.1, rel=0.3)
    assert all((rows["word"] == word).mean() == pytest.approx(1 / 3, abs=0.06) for word in "abc")
    assert rows["normal"].mean() == pytest.approx(2, abs=0.06)
    assert rows["normal"].std() == pytest.approx(0.5, abs=0.05)
    assert rows["cut"].min() >= 0
    assert rows["cut"].max() <= 2
    assert np.median(rows["lognormal"]) == pytest.approx(2e-3, rel=0.1)
    assert rows["lognormal"].min() >= 1e-3


def test_a_sobol_sequence_fills_evenly():
    values = Points(study("sobol")).rows(0, N)["linear"]
    counts, _ = np.histogram(values, bins=64, range=(-1, 3))
    assert set(counts) == {N // 64}


def test_no_number_is_infinite_where_a_quantile_would_be():
    axis = study("random").axes[3]
    assert np.isfinite(axis.at_quantiles(np.array([0.0, 1.0 - 2**-53]))).all()

"""Summaries: what NumPy says of the whole table."""

import json
import math

import numpy as np
import pytest

from armdyn.errors import InputError
from armdyn.sweep.study_file import read_study
from armdyn.sweep.summary import blocks, numbers, summarised
from armdyn.sweep.summary.figures import write_figure
from armdyn.sweep.summary.report import report, write_report
from armdyn.sweep.sweep import sweep
from sweep_studies import study_text

AXES = (
    '[axes."payload.mass"]\nvalues = [-1, 0, 2]\n'
    "[axes.q1]\nrange = [-3, 3]\nn = 7\n[axes.q2]\nrange = [-2, 2]\nn = 5\n"
)


@pytest.fixture(scope="module")
def swept(tmp_path_factory):
    """A small sweep in many files; a third of its rows have no answer."""
    base = tmp_path_factory.mktemp("summary")
    (base / "study.toml").write_text(study_text("planar2", "inverse", AXES), encoding="utf-8")
    return sweep(read_study(base / "study.toml"), workers=1, chunk_rows=16)


@pytest.fixture(scope="module")
def table(swept):
    return {
        name: np.array(column, dtype=object if name == "error" else float)
        for name, column in swept.table().to_pydict().items()
    }


def test_rows_are_counted_and_reasons_told(swept):
    found = summarised(swept.output)
    assert (found.total, found.rows, found.missing, found.without_answer) == (105, 105, 0, 35)
    (why,) = found.sentences
    assert "mass -1 kg is negative" in why.text
    assert (why.rows, why.first) == (35, 0)


def test_extremes_have_their_rows_and_places(swept, table):
    one = summarised(swept.output).result("tau1")
    assert one.maximum is not None
    assert one.minimum is not None
    row = int(np.nanargmax(table["tau1"]))
    assert one.maximum.value == table["tau1"][row]
    assert one.maximum.index == table["index"][row]
    assert one.maximum.at == {axis: table[axis][row] for axis in ("payload.mass", "q1", "q2")}
    assert one.minimum.value == np.nanmin(table["tau1"])


def test_means_and_quantiles_are_numpys(swept, table):
    one, values = summarised(swept.output).result("tau2"), table["tau2"]
    assert one.count == 70
    assert one.exact
    assert one.mean == pytest.approx(np.nanmean(values), abs=1e-12)
    assert one.deviation == pytest.approx(np.nanstd(values, ddof=1))
    assert list(one.quantiles.values()) == np.nanquantile(values, list(one.quantiles)).tolist()
    edges, counts = one.histogram
    assert counts.tolist() == np.histogram(values[np.isfinite(values)], edges)[0].tolist()


def test_long_sweeps_are_counted_in_parts_of_the_span(swept, table, monkeypatch):
    monkeypatch.setattr(numbers, "EXACT", 10)
    one, values = summarised(swept.output).result("tau1"), table["tau1"]
    assert not one.exact
    span = np.nanmax(values) - np.nanmin(values)
    held = sorted(values[np.isfinite(values)])
    for share, found in one.quantiles.items():
        near = [
            held[math.floor(share * 69)],
            held[math.ceil(share * 69)],
            held[min(69, math.floor(share * 70))],
        ]
        assert min(near) - span / numbers.FINE <= found <= max(near) + span / numbers.FINE
    assert one.histogram[1].sum() == 70


def test_curves_and_maps_gather_all_rows_of_a_cell(swept, table):
    found = summarised(swept.output)
    curve = next(one for one in found.curves if one.result == "tau1" and one.over[0].axis == "q1")
    plane = next(
        one
        for one in found.maps
        if one.result == "tau1" and [cells.axis for cells in one.over] == ["payload.mass", "q2"]
    )
    for k, q1 in enumerate(curve.over[0].middles):
        mine = table["tau1"][table["q1"] == q1]
        assert curve.largest[k] == np.nanmax(mine)
        assert curve.mean[k] == pytest.approx(np.nanmean(mine), abs=1e-12)
    assert np.isnan(plane.largest[0]).all()
    assert plane.count[0].sum() == 0
    corner = table["tau1"][(table["payload.mass"] == 2) & (table["q2"] == 2)]
    assert plane.smallest[2, 4] == corner.min()


def test_the_same_rows_in_other_files_give_the_same_summary(swept, tmp_path, monkeypatch):
    """Sums are made of blocks of one size, not of files."""
    monkeypatch.setattr(blocks, "BLOCK", 32)
    (tmp_path / "study.toml").write_text(study_text("planar2", "inverse", AXES), encoding="utf-8")
    other = sweep(read_study(tmp_path / "study.toml"), workers=1, chunk_rows=41)
    documents = [{**summarised(one.output).document(), "folder": ""} for one in (swept, other)]
    assert json.dumps(documents[0]) == json.dumps(documents[1])


@pytest.mark.slow
def test_shares_words_and_texts_of_programs(tmp_path):
    text = study_text(
        "ur5", "verify", '[axes."payload.mass"]\nvalues = [1, 10]\n', 'program = "ur5_palletising"\n'
    )
    (tmp_path / "study.toml").write_text(text, encoding="utf-8")
    done = sweep(read_study(tmp_path / "study.toml"), workers=1, chunk_rows=2)
    found = summarised(done.output, results=["feasible"])
    assert found.result("feasible").mean == 0.5
    assert [one.text for one in found.words["first_quantity"]] == ["motor_torque"]
    assert "share of feasible" in report(found)


@pytest.mark.slow
def test_documents_are_json_and_pages_the_same_each_time(swept, tmp_path):
    found = summarised(swept.output, results=["tau1"])
    json.dumps(found.document(), allow_nan=False)
    write_report(found, tmp_path / "one.html")
    assert (tmp_path / "one.html").read_text(encoding="utf-8") == report(
        summarised(swept.output, results=["tau1"])
    )
    write_figure(found, tmp_path / "figure.png")
    assert (tmp_path / "figure.png").stat().st_size > 10_000


def test_results_that_there_are_not_are_refused(swept):
    with pytest.raises(InputError, match='no result "tau9"; did you mean "tau'):
        summarised(swept.output, results=["tau9"])

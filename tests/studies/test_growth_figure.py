"""The figure of the growth: the same every time, and refused where it cannot be written."""

from dataclasses import replace
from pathlib import Path

import pytest

from armdyn.errors import InputError
from armdyn.studies.growth import growth
from armdyn.studies.growth_figure import STYLES, _apart, drawn_text, save_growth_figure


@pytest.fixture(scope="module")
def curves():
    return growth(["newton_euler", "mrnea", "articulated_body"])


@pytest.mark.parametrize("suffix", [".svg", ".png", ".pdf"])
def test_figure_depends_on_the_curves_alone(curves, tmp_path, suffix):
    first, second = tmp_path / f"a{suffix}", tmp_path / f"b{suffix}"
    save_growth_figure(curves, first)
    save_growth_figure(curves, second)
    assert first.read_bytes() == second.read_bytes()
    assert len(first.read_bytes()) > 5000


def test_a_figure_says_what_it_draws(curves, tmp_path):
    save_growth_figure(curves, tmp_path / "growth.svg")
    inverse = drawn_text([curves[0]])
    first = f"newton_euler, inverse: 2:{curves[0].operations[0]} 3:"
    assert inverse.startswith(first)
    assert inverse.endswith("(10:2426)"), "printed: 132 n + 111 n - 4"
    assert inverse in (tmp_path / "growth.svg").read_text(encoding="utf-8")
    changed = replace(curves[0], operations=(1, *curves[0].operations[1:]))
    assert drawn_text([changed]) != inverse


def test_one_quantity_needs_one_panel(curves, tmp_path):
    save_growth_figure([c for c in curves if c.quantity == "inverse"], tmp_path / "inverse.svg")
    assert (tmp_path / "inverse.svg").exists()


def test_every_formulation_has_a_style():
    assert {curve.formulation for curve in growth(sizes=(4, 5))} <= set(STYLES)
    assert len(set(STYLES.values())) == len(STYLES)


@pytest.mark.parametrize(
    ("file", "sentence"),
    [
        ("growth.gif", r'growth.gif" ends in ".gif", expected .svg, .png, .pdf$'),
        ("growth", r'growth" ends in "", expected'),
        ("nowhere/growth.svg", r'growth.svg": there is no folder ".*nowhere"; make it first$'),
    ],
)
def test_files_that_cannot_be(curves, tmp_path, file, sentence):
    with pytest.raises(InputError, match=sentence):
        save_growth_figure(curves, tmp_path / file)


def test_labels_keep_their_distance_and_order():
    heights = _apart([0.0, 0.1, 0.2, 5.0, 5.0], 1.0)
    assert heights == pytest.approx([-0.9, 0.1, 1.1, 4.5, 5.5])
    assert _apart([0.0, 0.9, 1.8], 1.0) == pytest.approx([-0.1, 0.9, 1.9])


def test_a_folder_is_no_figure(curves, tmp_path):
    (tmp_path / "taken.svg").mkdir()
    with pytest.raises(InputError, match=r"taken\.svg"):
        save_growth_figure(curves, Path(tmp_path / "taken.svg"))

"""Study files: what they say, and one sentence with its line for every mistake."""

import math
from pathlib import Path

import pytest

from armdyn.errors import InputError
from armdyn.sweep.study_file import LARGEST_FILE, read_study, study_of

GOOD = """[study]
robot = "lola15"
quantity = "gravity"
seed = 7

[design]
kind = "random"
n = 100

[axes.q2]
range = ["-90 deg", "90 deg"]

[axes."payload.mass"]
values = [0, 5, "2 lb"]

[axes.program]
values = ["a.lirl", "b.lirl"]

[options]
motors = "none"

[output]
folder = "loads"
"""


def grid(text: str = GOOD) -> str:
    return text.replace('kind = "random"\nn = 100', 'kind = "grid"').replace('90 deg"]', '90 deg"]\nn = 19')


def test_a_study(tmp_path):
    study = study_of(GOOD, tmp_path)
    assert (study.robot, study.quantity, study.seed, study.total) == ("lola15", "gravity", 7, 100)
    assert study.options == {"motors": "none"}
    assert study.folder == tmp_path / "loads"
    assert [axis.name for axis in study.axes] == ["q2", "payload.mass", "program"]
    q2, mass, program = study.axes
    assert (q2.low, q2.high, q2.measures) == (-math.pi / 2, math.pi / 2, ("angle",))
    assert mass.values == (0.0, 5.0, pytest.approx(0.90718474))
    assert mass.measures == ("mass",)
    assert program.text
    assert program.values == ("a.lirl", "b.lirl")


def test_a_grid_has_the_product_of_its_axes(tmp_path):
    assert study_of(grid(), tmp_path).total == 19 * 3 * 2


def test_a_grid_may_say_once_how_many_values_ranges_have(tmp_path):
    text = GOOD.replace('kind = "random"\nn = 100', 'kind = "grid"\nn = 4')
    assert study_of(text, tmp_path).total == 4 * 3 * 2


def test_a_file_and_names_beside_it(tmp_path):
    (tmp_path / "study.toml").write_text(GOOD)
    (tmp_path / "a.lirl").write_text("")
    study = read_study(tmp_path / "study.toml")
    assert study.source("a.lirl") == str(tmp_path / "a.lirl")
    assert study.source("lola15") == "lola15"


def test_a_sobol_design_says_which_numbers_of_rows_are_balanced(tmp_path):
    text = GOOD.replace('"random"', '"sobol"')
    assert "n = 128" in study_of(text, tmp_path).notes[0]
    assert study_of(text.replace("n = 100", "n = 128"), tmp_path).notes == ()


MISTAKES = [
    ('robot = "lola15"\n', "", "study.robot: is missing"),
    ("seed = 7", "sed = 7", 'line 4: study.sed: unknown field; did you mean "seed"?'),
    ("seed = 7", "seed = -1", "line 4: study.seed: -1"),
    ("seed = 7", "seed = 1.5", "line 4: study.seed: 1.5"),
    ('kind = "random"', 'kind = "latin"', "line 7: design.kind: 'latin'"),
    ("n = 100", "", "line 6: design.n: is missing; a random design needs a number of rows"),
    ("n = 100", "n = 0", "line 8: design.n: 0"),
    ("n = 100", "n = true", "line 8: design.n: True"),
    ('["-90 deg", "90 deg"]', '["-90 deg"]', "line 11: axes.q2.range"),
    ('["-90 deg", "90 deg"]', '["90 deg", "-90 deg"]', "line 11: axes.q2.range: 1.5708 is not below -1.5708"),
    ('["-90 deg", "90 deg"]', '["-90 deg", "90 mm"]', 'line 11: axes.q2.range: "90 mm" is not in rad'),
    ('["-90 deg", "90 deg"]', '["-90 deg", "wide"]', 'line 11: axes.q2.range: "wide" is not a quantity'),
    ('["-90 deg", "90 deg"]', "[0, inf]", "line 11: axes.q2.range"),
    ('["-90 deg", "90 deg"]', '[0, 1]\nspacing = "log"', "line 11: axes.q2.range: 0 has no logarithm"),
    ('["-90 deg", "90 deg"]', "[0, 1]\nspan = 3", "line 12: axes.q2.span: unknown field"),
    ('["-90 deg", "90 deg"]', "[0, 1]\nn = 3", "line 12: axes.q2.n: a random design has design.n rows"),
    ('range = ["-90 deg", "90 deg"]', "", "line 10: axes.q2.range: is missing"),
    ('[0, 5, "2 lb"]', "[]", "axes.payload.mass.values"),
    ('[0, 5, "2 lb"]', "[0]\nn = 3", "values say it all"),
    ('[0, 5, "2 lb"]', "[true]", "axes.payload.mass.values"),
    ('[0, 5, "2 lb"]', '["a.lirl", 3]', "3.0 is a number beside texts"),
    ('["-90 deg", "90 deg"]', "[0, 1]\nmean = 3", "axes.q2.mean: a uniform axis has none"),
    ('["-90 deg", "90 deg"]', '[0, 1]\ndistribution = "normal"', "axes.q2.mean: is missing"),
    (
        '["-90 deg", "90 deg"]',
        '[0, 1]\ndistribution = "normal"\nmean = 1\ndeviation = 0',
        "line 14: axes.q2.deviation: 0.0 is no deviation",
    ),
    (
        '["-90 deg", "90 deg"]',
        '[10, 11]\ndistribution = "normal"\nmean = 0\ndeviation = 1',
        "more than 6 deviations from the mean",
    ),
    (
        '["-90 deg", "90 deg"]',
        '[0, 1]\ndistribution = "lognormal"\nmedian = -1\ndeviation = 1',
        "axes.q2.median: -1 has no logarithm",
    ),
    ('[axes."payload.mass"]', "[axes.payload.mass]", 'needs quotes; write [axes."payload.mass"]'),
    ("[axes.q2]", "[axes.robot.joints.2.a]", "line 10: axes.robot.joints.2.a: a name with dots needs quotes"),
    ('[output]\nfolder = "loads"\n', "", "output: is missing"),
    ('folder = "loads"', "folder = 3", "line 23: output.folder: 3"),
    ('folder = "loads"', 'folder = "a\\u0000b"', "output.folder: no folder can have this name"),
    ("[options]", "[option]", "line 19: option: unknown field"),
    ("seed = 7", "seed = ", "not valid TOML"),
    ("[axes.q2]", "[axes.a.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p.q.r.s.t.u.v]", "nested too deeply to be a study"),
]


@pytest.mark.parametrize(("right", "wrong", "sentence"), MISTAKES)
def test_a_mistake_gives_one_sentence_with_its_line(tmp_path, right, wrong, sentence):
    assert right in GOOD
    with pytest.raises(InputError) as refused:
        study_of(GOOD.replace(right, wrong), tmp_path, "study.toml")
    assert str(refused.value).startswith("study.toml")
    assert sentence in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_range_of_a_grid_needs_a_number_of_values(tmp_path):
    with pytest.raises(InputError, match=r"axes.q2.n: is missing"):
        study_of(grid().replace("n = 19", ""), tmp_path)


def test_a_grid_has_no_distributions(tmp_path):
    text = grid().replace("n = 19", 'distribution = "normal"\nmean = 0\ndeviation = 1')
    with pytest.raises(InputError, match=r"axes.q2.distribution: a grid has none"):
        study_of(text, tmp_path)


def test_a_grid_of_too_many_rows(tmp_path):
    axes = "".join(f"[axes.q{k}]\nrange = [0, 1]\nn = 1000\n" for k in range(4, 10))
    with pytest.raises(InputError, match=r"line 6: design: the grid has 1\d+ rows, expected at most 1e15"):
        study_of(grid() + axes, tmp_path)


def test_files_that_are_no_studies(tmp_path):
    with pytest.raises(InputError, match="no such file"):
        read_study(tmp_path / "study.toml")
    with pytest.raises(InputError, match="cannot be read"):
        read_study(tmp_path)
    (tmp_path / "binary.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(InputError, match="not UTF-8"):
        read_study(tmp_path / "binary.toml")
    (tmp_path / "large.toml").write_bytes(b"#" * (LARGEST_FILE + 1))
    with pytest.raises(InputError, match="larger than 1 MiB"):
        read_study(tmp_path / "large.toml")


def test_names_start_at_the_folder_of_the_file():
    assert study_of(GOOD, Path("/somewhere")).folder == Path("/somewhere/loads")


def test_files_are_looked_for_beside_the_study_only(tmp_path, monkeypatch):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "arm.toml").touch()
    monkeypatch.chdir(tmp_path / "elsewhere")
    study = study_of(GOOD, tmp_path)
    assert study.source("arm.toml") == str(tmp_path / "arm.toml")
    assert study.source("lola15") == "lola15"

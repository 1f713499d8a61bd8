"""The report of an identification: what it says, that it stands alone, and that nothing enters it."""

import re
from dataclasses import replace
from html.parser import HTMLParser
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import armdyn as ad
from armdyn.errors import InputError
from armdyn.identification.centroidal_errors import centroidal_errors
from armdyn.identification.identified import Identified
from armdyn.identification.identify import identify
from armdyn.identification.quality import joint_fits, known
from armdyn.identification.report import report, write_report
from armdyn.identification.report.numbers import DIGIT, POINT, aligned, with_error, without_rounding
from armdyn.identification.report.words import alike_text, is_good, knowledge, validation_text, verdict
from armdyn.identification.robot_parameters import inertia_of
from identified_arms import identified, log_of

EVIL = "</script><script>alert(1)</script><img src=x onerror=alert(2)>&\"' $x_1$"
SECTIONS = [
    "settings",
    "torques",
    "base",
    "apart",
    "parameters",
    "payload",
    "validation",
    "residuals",
    "notes",
]


class Outline(HTMLParser):
    """Tags, names, links and texts of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.sections: list[str] = []
        self.texts: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        given = dict(attrs)
        self.ids += [name] if (name := given.get("id")) else []
        self.sections += [given.get("id") or ""] if tag == "section" else []
        self.links += [value for name in ("href", "src", "xlink:href") if (value := given.get(name))]

    def handle_data(self, data: str) -> None:
        self.texts.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.texts).split())


@pytest.fixture(scope="module")
def found() -> Identified:
    return identified()


@pytest.fixture(scope="module")
def page(found: Identified) -> str:
    return report(found)


@pytest.fixture(scope="module")
def bare() -> Identified:
    """One log and nothing else."""
    arm = ad.load("pendulum")
    return identify(arm, log_of(arm, 0))


def test_the_page_has_its_sections_and_figures(page: str, found: Identified) -> None:
    outline = Outline(page)
    assert outline.sections == ["verdict", *SECTIONS]
    assert outline.tags.count("svg") == outline.tags.count("figure") == found.prior.n + 4
    assert f"Computed with armdyn {metadata.version('armdyn')}." in outline.text


@pytest.fixture(scope="module")
def bare_page(bare: Identified) -> str:
    return report(bare)


def test_what_is_not_there_has_no_section(bare_page: str) -> None:
    outline = Outline(bare_page)
    assert "payload" not in outline.sections
    assert "No second log was given." in outline.text


def test_the_page_says_what_was_found(page: str, found: Identified) -> None:
    text = Outline(page).text
    assert "Identified parameters of planar2" in text
    assert "The torques of another log are predicted to within" in text
    for words in ("run0.csv, run1.csv", "the torques of run3.csv", "Hz, zero phase", "(7.85)", "(7.86)"):
        assert words in text
    for warning in found.warnings:
        assert warning in text
    assert text.index("Before you trust it") < text.index("Settings")
    for short in found.base.short_names:
        assert short in text
    for parameter in found.dyn.parameters:
        assert parameter.name in text
    assert text.count("● essential") == len(found.essential)


def test_the_page_stands_alone(page: str) -> None:
    outline = Outline(page)
    assert all(link.startswith("#") for link in outline.links)
    assert {link[1:] for link in outline.links} <= set(outline.ids)
    assert len(set(outline.ids)) == len(outline.ids)
    assert not {"script", "img", "link", "iframe", "image"} & set(outline.tags)
    assert "default-src 'none'; style-src 'unsafe-inline'" in page
    assert not re.findall(r"url\((?!#)", page)


def test_nothing_from_outside_becomes_markup(found: Identified) -> None:
    assert found.validation is not None
    assert found.payload is not None
    evil = replace(
        found,
        prior=replace(found.prior, name=EVIL, description=EVIL),
        warnings=(EVIL,),
        notes=(EVIL,),
        logs=(EVIL,),
        base=replace(found.base, parameters=tuple(replace(p, owner=EVIL) for p in found.base.parameters)),
        seen=tuple((EVIL, each) for _, each in found.seen),
        validation=replace(found.validation, name=EVIL),
        payload=replace(found.payload, source=EVIL),
    )
    outline = Outline(report(evil, title=EVIL))
    assert not {"script", "img"} & set(outline.tags)
    assert outline.text.count(EVIL) >= 7


def test_the_same_identification_gives_the_same_bytes(
    bare: Identified, bare_page: str, tmp_path: Path
) -> None:
    bare.write_report(tmp_path / "a.html")
    assert (tmp_path / "a.html").read_bytes() == bare_page.encode()


def test_reports_are_refused_where_they_cannot_be(found: Identified, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"expected \.html"):
        write_report(found, tmp_path / "a.pdf")
    with pytest.raises(InputError, match="there is no folder"):
        write_report(found, tmp_path / "none" / "a.html")


# Words ----------------------------------------------------------------------------------------


def test_the_verdict_names_the_worst_joint(found: Identified) -> None:
    fits = joint_fits(found)
    worst = max(fits, key=lambda fit: fit.validation_share)
    assert f"joint {worst.number} is worst" in verdict(found)
    assert "explained to within" in verdict(replace(found, validation=None))
    for fit, log in zip(fits, found.residual_rms, strict=True):
        assert fit.rms == log
        assert 0 < fit.share < 0.01  # the noise is a hundredth, most of it filtered away


def test_what_does_not_carry_over_is_not_good(found: Identified) -> None:
    assert is_good(found)
    assert "as well as those it was identified from" in validation_text(found)
    assert found.validation is not None
    seen = found.validation.observed
    shifted = replace(seen.observations, tau=seen.observations.tau + np.array([1e3, 0.0]))
    off = replace(found.validation, observed=replace(seen, observations=shifted))
    bad = replace(found, validation=off)
    assert not is_good(bad)
    assert "at joint 1: the model does not carry over there" in validation_text(bad)
    assert not is_good(replace(found, misfit=1e4))


def test_base_parameters_are_counted_by_how_well_they_are_known(found: Identified) -> None:
    share = [0.05, 0.3, 0.7, np.inf]
    beta = np.ones(len(found.base))
    error = np.array([share[k % 4] for k in range(len(beta))])
    rest = len(found.estimate.beta) - len(beta)
    estimate = replace(
        found.estimate, beta=np.append(beta, np.ones(rest)), standard_error=np.append(error, np.ones(rest))
    )
    made = replace(found, estimate=estimate)
    assert known(made)[:4] == ("well", "roughly", "hardly", "not told")
    said = knowledge(made)
    assert f"Of {len(beta)} base parameters" in said
    assert "not told by the data" in said


def test_pairs_that_are_alike_are_named() -> None:
    assert "told apart: no correlation" in alike_text([])
    many: Any = [("a", "b", -0.987)] * 10
    assert "a and b (-0.99); " in alike_text(many)
    assert "and 2 other pairs." in alike_text(many)


# Numbers --------------------------------------------------------------------------------------


def test_values_have_the_digits_that_are_known() -> None:
    assert with_error(1.23456, 0.0123) == ("1.235", "0.012")
    assert with_error(1234.6, 56.0) == ("1235", "56")
    assert with_error(2.0, np.inf) == ("2", "not told")
    assert with_error(1e-12, 1e-11) == ("1.000e-12", "1.0e-11")
    assert with_error(2.0, 0.0) == ("2", "0")


def test_points_stand_below_one_another() -> None:
    column = aligned(["1.5", "12", "-0.125", "not told"])
    assert column == [f"1.5{DIGIT * 2}", f"12{POINT}{DIGIT * 3}", "-0.125", "not told"]


def test_rounding_is_zero_to_a_reader() -> None:
    found = without_rounding(np.array([1.0, 1e-12, 1e-12]), ["kg", "kg", "m"])
    np.testing.assert_array_equal(found, [1.0, 0.0, 1e-12])


def test_errors_of_centre_and_tensor_are_those_of_small_changes() -> None:
    """Beside differences of armdyn.spatial's own conversion, with a random covariance."""
    rng = np.random.default_rng(4)
    pi = np.array([2.0, 0.2, -0.1, 0.3, 0.4, 0.01, -0.02, 0.5, 0.03, 0.3])
    root = rng.normal(size=(10, 10)) * 0.01
    covariance = root @ root.T

    def centroidal(x: Any) -> Any:
        body = inertia_of(x)
        return np.concatenate([np.array(body.com), np.array(body.tensor)[np.triu_indices(3)]])

    step = 1e-6
    J = np.stack(
        [(centroidal(pi + step * e) - centroidal(pi - step * e)) / (2 * step) for e in np.eye(10)], axis=1
    )
    expected = np.sqrt(np.diag(J @ covariance @ J.T))
    centre, tensor = centroidal_errors(inertia_of(pi), covariance, np.ones(10, dtype=bool))
    np.testing.assert_allclose([*centre, *tensor[np.triu_indices(3)]], expected, rtol=1e-6)
    told = np.ones(10, dtype=bool)
    told[3] = False  # m cz
    centre, tensor = centroidal_errors(inertia_of(pi), covariance, told)
    assert np.isfinite(centre[:2]).all()
    assert np.isinf(centre[2])
    assert np.isinf(tensor[0, 0])
    assert np.isfinite(tensor[2, 2])

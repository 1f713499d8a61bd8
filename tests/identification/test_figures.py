"""Figures of an identification: what they show, and that nothing is drawn that was not measured."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from armdyn.errors import InputError
from armdyn.identification.estimation.observations import Held
from armdyn.identification.figures import draw_torques, joint_pictures, pictures
from armdyn.identification.figures.correlations import alike, correlations
from armdyn.identification.figures.courses import LONGEST, POINTS, Course, short
from armdyn.identification.figures.parameters import NORMAL, draw_parameters, sized
from armdyn.identification.figures.residuals import draw_autocorrelations, draw_histograms
from armdyn.identification.figures.torques import courses, draw_joints
from armdyn.identification.identified import Identified
from armdyn.identification.quality import prior_parameters
from armdyn.report.drawing import new_figure
from identified_arms import identified


@pytest.fixture(scope="module")
def found() -> Identified:
    return identified()


def labels(figure: Any) -> set[str]:
    return {text.get_text() for legend in figure.legends for text in legend.get_texts()}


# Courses --------------------------------------------------------------------------------------


def test_every_log_is_compared_with_its_own_time(found: Identified) -> None:
    assert [log.name for log in found.compared] == ["run0.csv", "run1.csv", "run3.csv"]
    assert sum(len(log.predicted) for log in found.compared) == len(found.observations)
    left = np.concatenate([log.residuals for log in found.compared])
    np.testing.assert_allclose(left, found.estimate.residuals, atol=1e-9)
    for log in found.compared:
        assert len(log.observed.samples.time) == len(log.predicted)


def test_gaps_and_logs_are_not_joined(found: Identified) -> None:
    fitted, second = courses(found)
    time, torque = fitted.measured(0)
    segments = sum(len(log.observed.observations.segments) for log in fitted.logs)
    assert segments == 4  # the first log has a gap
    assert np.count_nonzero(np.isnan(torque)) == np.count_nonzero(np.isnan(time)) == segments
    steps = np.diff(time)
    assert np.nanmax(steps) < 0.5
    assert np.nanmin(steps) > 0
    assert second.is_validation
    assert second.starts == (second.logs[0].observed.samples.time[0],)


def test_logs_stand_one_after_the_other(found: Identified) -> None:
    (course, _) = courses(found)
    ends = [
        start + np.ptp(log.observed.samples.time)
        for log, start in zip(course.logs, course.starts, strict=True)
    ]
    assert course.starts[0] == 0.0
    assert all(end < start for end, start in zip(ends, course.starts[1:], strict=False))
    assert course.end == pytest.approx(ends[-1])


def test_long_logs_are_drawn_with_few_points_and_all_peaks(found: Identified) -> None:
    log = found.compared[1]
    seen = log.observed.observations
    many = 5 * POINTS
    x = np.random.default_rng(0).normal(size=(many, seen.n))
    samples = replace(log.observed.samples, time=np.arange(many) * 0.01)
    nothing = Held(np.zeros((many, seen.n, seen.unknowns)))
    long = replace(seen, tau=x, regressor=nothing, used=np.abs(x) > 0.01, segments=(slice(0, many),))
    shown = replace(log.observed, samples=samples, observations=long, measured=x)
    course = Course((replace(log, observed=shown),))
    time, torque = course.measured(0)
    assert len(time) <= POINTS + 2
    assert (np.nanmin(torque), np.nanmax(torque)) == (x[:, 0].min(), x[:, 0].max())
    assert np.nanmax(time) <= samples.time[-1]
    assert course.largest_residual(0) == np.abs(x[:, 0]).max()


def test_rows_that_do_not_count_are_left_out_of_what_is_left(found: Identified) -> None:
    log = found.compared[1]
    seen = log.observed.observations
    used = seen.used.copy()
    used[10:20, 0] = False
    course = Course((replace(log, observed=replace(log.observed, observations=replace(seen, used=used))),))
    counted, every = course.residual(0, counting=True)[1], course.residual(0, counting=False)[1]
    assert np.isnan(counted[10:20]).all()
    assert np.isfinite(every[10:20]).all()
    rests = course.resting(0)[1]
    np.testing.assert_array_equal(rests[:-1], ~used[:, 0])


def test_long_names_keep_their_ends() -> None:
    assert short("run.csv") == "run.csv"
    assert short("a" * 50 + "run.csv").endswith("arun.csv")
    assert len(short("a" * 50)) == LONGEST


# Panels ---------------------------------------------------------------------------------------


def test_a_joint_has_two_panels_a_log(found: Identified) -> None:
    sheet = new_figure((10.0, 3.0))
    draw_joints(sheet, found, [1])
    assert len(sheet.axes) == 4
    assert {"measured", "predicted", "measured - predicted", "± 2 sigma of noise"} <= labels(sheet)
    titles = [panel.get_title(loc="left") for panel in sheet.axes]
    assert titles[0].startswith("joint 2 (joint2)\nrms ")
    assert titles[1].startswith("validation, run2.csv\nrms ")
    assert sheet.axes[2].get_ylim() == sheet.axes[3].get_ylim()


def test_the_band_is_two_sigma(found: Identified) -> None:
    sheet = new_figure((10.0, 3.0))
    draw_joints(sheet, found, [0])
    (band,) = sheet.axes[2].patches
    np.testing.assert_allclose(2 * found.estimate.noise.deviation[0], band.get_y() + band.get_height())


def test_parameters_are_brought_to_one_size(found: Identified) -> None:
    value, half, prior = sized(found)
    assert (value >= 0).all()
    largest = np.maximum.reduce([value, half, np.abs(prior)])
    np.testing.assert_allclose(largest[largest > 0], 1.0)
    told = found.standard_error > 0
    np.testing.assert_allclose(
        (half / np.maximum(value, 1e-300))[told], NORMAL * found.relative_deviation[told], rtol=1e-9
    )
    own = found.base.values(prior_parameters(found))
    np.testing.assert_allclose(np.sign(prior), np.sign(own) * np.where(found.beta < 0, -1, 1))


def test_essential_parameters_are_bold_and_hidden_ones_marked(found: Identified) -> None:
    error = found.estimate.standard_error.copy()
    error[0] = np.inf
    hidden = replace(found, estimate=replace(found.estimate, standard_error=error))
    sheet = new_figure((10.0, 4.0))
    draw_parameters(sheet, hidden)
    bold = [tick.get_text() for tick in sheet.axes[0].get_yticklabels() if tick.get_fontweight() == "bold"]
    assert bold == [found.base.short_names[k] for k in found.essential]
    assert {"robot file", "not told by the data"} <= labels(sheet)


def test_residuals_have_a_panel_for_each_joint(found: Identified) -> None:
    for draw in (draw_histograms, draw_autocorrelations):
        sheet = new_figure((10.0, 3.0))
        draw(sheet, found)
        assert len(sheet.axes) == found.prior.n
        assert labels(sheet)


def test_correlations_are_those_of_the_covariance(found: Identified) -> None:
    shown, rho = correlations(found)
    np.testing.assert_allclose(np.diag(rho), 1.0)
    assert np.abs(rho).max() <= 1 + 1e-9
    names = [found.base.short_names[int(k)] for k in shown]
    for first, second, size in alike(found, 0.5):
        assert rho[names.index(first), names.index(second)] == size
        assert abs(size) >= 0.5


# Files ----------------------------------------------------------------------------------------


def test_pictures_have_titles_and_keys_of_their_own(found: Identified) -> None:
    every = [*joint_pictures(found), *pictures(found).values()]
    assert len({each.key for each in every}) == len(every)
    assert all(each.title and each.height > 1 for each in every)


def test_figures_are_written_the_same_each_time(found: Identified, tmp_path: Path) -> None:
    found.draw(tmp_path / "a.svg")
    draw_torques(found, tmp_path / "b.svg")
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()


def test_bad_figure_files_are_refused(found: Identified, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r'ends in "\.gif"'):
        draw_torques(found, tmp_path / "a.gif")
    with pytest.raises(InputError, match="there is no folder"):
        draw_torques(found, tmp_path / "none" / "a.svg")

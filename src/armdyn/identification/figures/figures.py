"""The figures of an identification: a picture each for a page, torques as a file."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from armdyn.identification.figures import correlations, parameters, residuals, torques
from armdyn.identification.identified import Identified
from armdyn.report.drawing import PLAIN, check_figure, drawing, new_figure, save
from armdyn.report.pictures import WIDTH, Picture

WIDER = 1.35
"""Of a file with a second log beside the first."""


def draw_torques(found: Identified, path: str | os.PathLike[str]) -> None:
    """Write measured against predicted torques, joint by joint, as a figure: .svg, .png or .pdf."""
    check_figure(path)
    width = WIDTH if found.validation is None else WIDER * WIDTH
    with drawing("identification", PLAIN):
        sheet = new_figure((width, torques.torques_height(found.prior.n) + 0.3))
        torques.draw_joints(sheet, found, range(found.prior.n))
        title = f"{found.prior.name}: measured and predicted torques"
        sheet.suptitle(title, fontsize=10, x=0.01, ha="left", fontweight="bold")
        save(sheet, Path(path))


def joint_pictures(found: Identified) -> Iterator[Picture]:
    """Torques, a picture for each joint."""
    for j, name in enumerate(found.prior.joint_names):
        yield Picture(
            f"torque{j + 1}",
            f"Joint {j + 1}: {name}",
            "",
            torques.torques_height(1),
            lambda figure, j=j: torques.draw_joints(figure, found, [j]),
        )


def pictures(found: Identified) -> dict[str, Picture]:
    """The others, by key."""
    count, n = len(found.base), found.prior.n
    every = [
        Picture(
            "parameters",
            "Base parameters beside the robot file",
            "Each parameter is divided by the largest of its estimate, half its interval and the robot "
            "file's value, and has the sign that makes the estimate positive. An interval that reaches 0 is "
            "a parameter that may as well be none; one that does not reach the mark of the robot file says, "
            "19 times in 20, that the file is off there. Essential parameters are bold.",
            parameters.parameters_height(count),
            lambda figure: parameters.draw_parameters(figure, found),
        ),
        Picture(
            "histograms",
            "How residuals are spread",
            "Residuals that are noise alone follow the normal distribution. What is beyond the ends stands "
            "in the last bars.",
            residuals.residuals_height(n),
            lambda figure: residuals.draw_histograms(figure, found),
        ),
        Picture(
            "autocorrelations",
            "How residuals hang together in time",
            "The low-pass makes neighbouring residuals alike, which is known; what they show beyond that is "
            "something that the model lacks. Standard errors count both.",
            residuals.residuals_height(n),
            lambda figure: residuals.draw_autocorrelations(figure, found),
        ),
    ]
    many = len(correlations.correlations(found)[0])
    if many > 1:
        every.append(
            Picture(
                "correlations",
                "What is told apart",
                "Correlations of the errors of base parameters. Two with one near 1 or -1 are known "
                "together, as a difference or a sum, much better than each by itself. Pairs below "
                f"{correlations.LEVELS[0]:g} have no cell, and parameters without any pair no row.",
                correlations.map_height(many),
                lambda figure: correlations.draw_correlations(figure, found),
            )
        )
    return {each.key: each for each in every}

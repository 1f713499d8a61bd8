"""Studies for tests: a text from its parts, and its rows evaluated."""

from pathlib import Path
from typing import Any

import numpy as np

from armdyn.sweep.designs import Points
from armdyn.sweep.quantities import Evaluator, evaluator
from armdyn.sweep.study import Study
from armdyn.sweep.study_file import study_of


def study_text(
    robot: str,
    quantity: str,
    axes: str,
    options: str = "",
    design: str = 'kind = "grid"',
    folder: str = "out",
) -> str:
    head = f'[study]\nrobot = "{robot}"\nquantity = "{quantity}"\nseed = 3\n[design]\n{design}\n'
    return f'{head}{axes}\n[options]\n{options}\n[output]\nfolder = "{folder}"\n'


def a_study(
    robot: str, quantity: str, axes: str, options: str = "", base: Path = Path(), **more: Any
) -> Study:
    return study_of(study_text(robot, quantity, axes, options, **more), base)


def rows_of(study: Study, made: Evaluator | None = None) -> tuple[dict[str, Any], dict[str, Any]]:
    """The points of a study, and what they give."""
    points = Points(study).rows(0, study.total)
    return points, (made or evaluator(study)).evaluate(points)


def evaluated(robot: str, quantity: str, axes: str, options: str = "", **more: Any) -> Any:
    return rows_of(a_study(robot, quantity, axes, options, **more))


def same(found: Any, expected: Any) -> bool:
    """To the last bit."""
    return np.array_equal(np.asarray(found, dtype=float), np.asarray(expected, dtype=float), equal_nan=True)

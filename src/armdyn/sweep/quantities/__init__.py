"""What a study evaluates: axes understood for a robot and a quantity, and rows of results.

columns        what an evaluator fills
table          quantities by name
meanings       axes: states, payloads, friction, numbers of the robot file, places, programs, seeds
variants       robots that differ, made once each
states         every quantity of `Dynamics`; verification, retiming, simulation, .. the others
"""

from __future__ import annotations

from armdyn.errors import ArmdynError, InputError
from armdyn.sweep.quantities.axis_units import axis_units
from armdyn.sweep.quantities.columns import ERROR, Column, Evaluator
from armdyn.sweep.quantities.table import maker_of, quantity_names
from armdyn.sweep.study import Study

__all__ = ["ERROR", "Column", "Evaluator", "axis_units", "evaluator", "quantity_names"]


def evaluator(study: Study) -> Evaluator:
    """What evaluates the rows of a study; axes and options that mean nothing are refused in one sentence."""
    make = maker_of(study.quantity)
    try:
        return make(study)
    except InputError:
        raise
    except ArmdynError as error:
        raise InputError(str(error)) from error

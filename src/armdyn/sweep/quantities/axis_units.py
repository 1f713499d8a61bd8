"""The units of the axes of a study, those of plain numbers, too."""

from __future__ import annotations

from armdyn.sweep.quantities.meanings import Takes, understood
from armdyn.sweep.quantities.options import Options
from armdyn.sweep.quantities.variants import Arms, Setting
from armdyn.sweep.study import Study

INPUTS = ("q", "qd", "qdd", "tau", "lower", "upper", "current", "voltage", "motor_torque")
ANY = Takes(INPUTS, wrench=True, tool=True, programs=True, seed=True)


def axis_units(study: Study) -> dict[str, str]:
    """Axis -> unit, "" where it has none or it is not known: a number of the robot file."""
    setting = Setting.of(study, Options(study.options, study.quantity))
    robot = Arms(setting, ()).base
    found = understood(study.axes, robot, setting.document, study.quantity, ANY)
    return {one.axis: one.unit or _written(study, one.axis) for one in found}


def _written(study: Study, name: str) -> str:
    """What the units in the file measure."""
    from armdyn.formats.units import SI

    axis = next(axis for axis in study.axes if axis.name == name)
    return SI[axis.measures[0]].replace("*", " ").replace("^", "") if axis.measures else ""

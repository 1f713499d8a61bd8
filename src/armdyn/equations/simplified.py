"""Equations made short with a known error, with empty hands and with what the robot holds at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from numbers import Integral, Real
from typing import Any

from armdyn.equations import printing
from armdyn.equations.derive import derive
from armdyn.equations.equations import FORMS, Equation, Equations, Form, functions_of
from armdyn.equations.simplification import Errors, Simplified, simplify, trade_off
from armdyn.equations.simplification.refining import Measure
from armdyn.errors import InputError
from armdyn.extremes.workspace import Ranges, Workspace, loads, workspace
from armdyn.scalars.harmonic import Harmonic

Progress = Callable[[str, float], None]
MEASURES = ("mean", "range")


@dataclass(frozen=True, eq=False)
class SimplifiedEquation:
    """An element, its short form, and what that misses under every load."""

    equation: Equation
    """The exact one, of the robot with what it holds."""
    loads: tuple[str, ...]
    """`none`, and `payload` where the robot holds something; the short form has one case for each."""
    short: Simplified

    @property
    def error(self) -> Errors:
        """That of the load under which the mean error is largest beside the values."""
        return max(self.short.errors, key=lambda errors: errors.relative_mean)

    def latex(self) -> str:
        """The short form under every load."""
        held = [f"^{{\\mathrm{{{load}}}}}" for load in self.loads] if len(self.loads) > 1 else [""]
        rows = [
            f"{self.equation.left_side}{load} &\\approx {printing.to_latex(expression)}"
            for load, expression in zip(held, self.short.expressions, strict=True)
        ]
        return "\\begin{aligned}\n" + " \\\\\n".join(rows) + "\n\\end{aligned}"

    def written(self, form: Form = "text") -> str:
        """The short form under every load, in a form that people or compilers read."""
        return written_short((self,), form)

    def __str__(self) -> str:
        return self.written()

    def _repr_latex_(self) -> str:
        return f"$\\displaystyle {self.latex()}$"

    def document(self) -> dict[str, Any]:
        """As JSON has it."""
        each = zip(self.loads, self.short.expressions, self.short.errors, strict=True)
        return {
            **self.equation.document(),
            "error": _error(self.error),
            "simplified": {
                "operations": {**self.short.operations._asdict(), "total": self.short.operations.total},
                "exact": self.short.exact,
                "note": self.short.note,
                "cases": [
                    {
                        "load": load,
                        "expression": printing.to_text(expression),
                        "latex": printing.to_latex(expression),
                        "error": _error(errors),
                    }
                    for load, expression, errors in each
                ],
            },
        }


def written_short(found: Sequence[SimplifiedEquation], form: Form = "text") -> str:
    """Short forms under every load, in a form that people or compilers read."""
    match form:
        case "python":
            return "\n\n".join(printing.to_python(function) for function in _functions(found))
        case "c":
            return "\n".join(printing.to_c(function) for function in _functions(found))
        case "latex":
            return "\n".join(each.latex() for each in found)
        case "markdown":
            return "\n".join(f"$$\n{each.latex()}\n$$\n" for each in found)
        case "text" | "sympy":
            return "\n".join(_lines(found, form))
    raise InputError(f"form {form!r}, expected one of {', '.join(FORMS)}")


def _lines(found: Sequence[SimplifiedEquation], form: Form) -> Iterator[str]:
    for each in found:
        for load, expression in zip(each.loads, each.short.expressions, strict=True):
            plain = form == "text"
            text = printing.to_text(expression, digits=6) if plain else printing.to_sympy(expression)
            held = "" if len(each.loads) == 1 else f" ({load})"
            yield f"{each.equation.name}{held} ~ {text}"


def _functions(found: Sequence[SimplifiedEquation]) -> list[printing.Function]:
    """Short forms as functions to be written in code, one for each quantity and load."""
    setting, quantity = found[0].equation.setting, found[0].equation.quantity
    made: list[printing.Function] = []
    for k, load in enumerate(found[0].loads):
        elements = {each.equation.index: each.short.expressions[k] for each in found}
        suffix = "" if len(found[0].loads) == 1 else f"_{load}"
        made += [
            replace(
                function,
                name=f"{function.name}{suffix}",
                description=f"{function.description}, short, load: {load}",
            )
            for function in functions_of(setting, quantity, elements)
        ]
    return made


def _error(errors: Errors) -> dict[str, Any]:
    return {
        "mean": errors.mean,
        "p95": errors.p95,
        "maximum": errors.maximum,
        "bound": errors.bound,
        "certified": errors.certified,
        "q_maximum": [float(x) for x in errors.q],
        "relative_mean": errors.relative_mean,
        "relative_range": errors.relative_range,
    }


def simplified(
    equations: Equations,
    tolerance: float | None = None,
    *,
    operations: int | None = None,
    ranges: Ranges | None = None,
    measure: Measure = "mean",
    double_angles: bool = False,
    effort: int | None = None,
    progress: Progress | None = None,
) -> tuple[SimplifiedEquation, ...]:
    """Every equation as short as a tolerance allows, or as good as so many operations allow.

    Args:
        equations: of mass_matrix, gravity or anything that depends on the joints alone, in numbers.
        tolerance: mean |error| over mean |value|, or largest |error| over the range; of the worst load.
        operations: multiplications and additions at most, sines and cosines given, instead.
        ranges: where joints may stand, by number or name; by default their position limits.
        measure: "mean" or "range", what the tolerance is about.
        double_angles: whether sines and cosines of double angles may appear.
        effort: boxes that the search for the largest error may look at.
        progress: called with what is done and the fraction done.
    """
    _check(tolerance, operations, measure, effort)
    results: list[SimplifiedEquation] = []
    for k, (equation, names, cases, place) in enumerate(_questions(equations, ranges)):
        told = _told(progress, equation.name, k, len(equations))
        short = simplify(
            cases,
            names,
            place.box,
            tolerance=tolerance,
            operations=operations,
            measure=measure,
            parallel=equations.setting.parallel,
            double_angles=double_angles,
            effort=effort,
            progress=told,
        )
        results.append(SimplifiedEquation(equation, _load_names(equations), short))
    return tuple(results)


def trade_offs(
    equations: Equations,
    *,
    ranges: Ranges | None = None,
    measure: Measure = "mean",
    double_angles: bool = False,
    certify: bool = False,
    progress: Progress | None = None,
) -> tuple[tuple[SimplifiedEquation, ...], ...]:
    """For every equation operations against error, from a constant to exact."""
    _check(measure=measure)
    curves: list[tuple[SimplifiedEquation, ...]] = []
    for k, (equation, names, cases, place) in enumerate(_questions(equations, ranges)):
        points = trade_off(
            cases,
            names,
            place.box,
            measure=measure,
            parallel=equations.setting.parallel,
            double_angles=double_angles,
            certify=certify,
            progress=_told(progress, equation.name, k, len(equations)),
        )
        curves.append(tuple(SimplifiedEquation(equation, _load_names(equations), point) for point in points))
    return tuple(curves)


def _check(
    tolerance: float | None = None,
    operations: int | None = None,
    measure: str = "mean",
    effort: int | None = None,
) -> None:
    """Refuse what is no number, or no measure."""
    if measure not in MEASURES:
        raise InputError(f"measure {measure!r}, expected one of {', '.join(MEASURES)}")
    if tolerance is not None and (isinstance(tolerance, bool) or not isinstance(tolerance, Real)):
        raise InputError(f"tolerance is {tolerance!r}, expected a fraction such as 0.05")
    for name, value in (("operations", operations), ("effort", effort)):
        if value is not None and (isinstance(value, bool) or not isinstance(value, Integral)):
            raise InputError(f"{name} is {value!r}, expected a whole number")


def _questions(
    equations: Equations, ranges: Ranges | None
) -> list[tuple[Equation, list[str], list[Harmonic], Workspace]]:
    """(equation, joints, the quantity under every load, workspace) of every equation."""
    setting = equations.setting
    if setting.parameters != "numeric" or setting.coordinates != "relative":
        raise InputError(
            "simplification needs numbers: derive with numeric parameters and relative coordinates"
        )
    place = workspace(setting.robot, ranges)
    names = setting.names()
    under = [
        equations
        if arm is setting.robot
        else derive(arm, equations.quantity, None, motors=setting.tree.motors)
        for _, arm in loads(setting.robot)
    ]
    found: list[tuple[Equation, list[str], list[Harmonic], Workspace]] = []
    for equation in equations:
        _check_joints_alone(equation, names)
        found.append((equation, names, [each[equation.index].harmonic for each in under], place))
    return found


def _check_joints_alone(equation: Equation, names: list[str]) -> None:
    """Refuse what depends on more than where the joints stand, or on roots of it."""
    others = sorted(equation.harmonic.names - set(names))
    if any(name in equation.setting.ring.definitions for name in others):
        raise InputError(
            f'{equation.name} of robot "{equation.setting.robot.name}" holds square roots or quotients '
            "(ball screws); simplification is for sums of sines and cosines"
        )
    if others:
        raise InputError(
            f"{equation.quantity} depends on {', '.join(others)}; "
            "simplification is over joint positions alone"
        )


def _load_names(equations: Equations) -> tuple[str, ...]:
    return tuple(name for name, _ in loads(equations.setting.robot))


def _told(progress: Progress | None, name: str, k: int, count: int) -> Callable[[float], None] | None:
    if progress is None:
        return None
    return lambda fraction: progress(name, (k + fraction) / count)

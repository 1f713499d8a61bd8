"""A program as a `casadi.Function`: the same operations, in CasADi's scalars.

CasADi differentiates them, maps them over batches, and hands them to its solvers. What stands here is not
needed by anything else of armdyn: CasADi is an extra.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any

from armdyn.errors import MissingDataError
from armdyn.native.signature import Signature
from armdyn.scalars import Program

Shape = tuple[int, ...]


def imported_casadi() -> Any:
    """CasADi, its types unknown; where it is not installed one sentence says how to get it."""
    try:
        return import_module("casadi")
    except ImportError as error:
        raise MissingDataError(
            "functions for CasADi need casadi; install it with: pip install 'armdyn[casadi]'"
        ) from error


def casadi_function(name: str, program: Program, signature: Signature, results: Sequence[str]) -> Any:
    """The program as a `casadi.Function` with named inputs and results.

    Inputs are columns. A result of shape (a,) is a column, one of shape (a, b) a matrix as it is, a number is
    1 x 1; more axes than two become a x (b c), the last axis running fastest, as NumPy's reshape does.

    Args:
        name: of the function, one that CasADi allows: letters, digits, no two underscores in a row.
        program: what it computes.
        signature: inputs and results of the program.
        results: a name for each result.
    """
    casadi = imported_casadi()
    inputs = {k: casadi.SX.sym(k, size) for k, size in signature.inputs}
    values = _values(casadi, program, inputs)
    outputs = iter([values[position] for position in program.outputs])
    matrices = [_matrix(casadi, [next(outputs) for _ in range(math.prod(s))], s) for s in signature.results]
    return casadi.Function(name, list(inputs.values()), matrices, list(inputs), list(results))


def matrix_shape(shape: Shape) -> tuple[int, int]:
    """Rows and columns that a result takes in CasADi, which knows no other arrays than matrices."""
    return (shape[0], math.prod(shape[1:])) if shape else (1, 1)


def _matrix(casadi: Any, elements: Sequence[Any], shape: Shape) -> Any:
    """A matrix of the elements row by row; CasADi itself counts column by column."""
    rows, columns = matrix_shape(shape)
    if not elements:
        return casadi.SX(rows, columns)
    return casadi.reshape(casadi.densify(casadi.vertcat(*elements)), columns, rows).T


def _values(casadi: Any, program: Program, inputs: Mapping[str, Any]) -> list[Any]:
    """Every operation of the program, in its order."""
    elements = {name: casadi.vertsplit(vector) for name, vector in inputs.items()}
    operators = _operators(casadi)
    values: list[Any] = []
    for kind, *arguments in program.operations:
        if kind == "const":
            values.append(casadi.SX(arguments[0]))
        elif kind == "input":
            values.append(elements[arguments[0]][arguments[1]])
        else:
            values.append(operators[kind](*(values[a] for a in arguments)))
    return values


def _operators(casadi: Any) -> dict[str, Callable[..., Any]]:
    def select(condition: Any, a: Any, b: Any) -> Any:
        """Both sides are computed, and the one that is not taken adds nothing, even if it is no number."""
        return casadi.if_else(condition > 0, a, b)

    return {
        "add": casadi.plus,
        "sub": casadi.minus,
        "mul": casadi.times,
        "div": casadi.rdivide,
        "neg": operator.neg,
        "sin": casadi.sin,
        "cos": casadi.cos,
        "sqrt": casadi.sqrt,
        "select": select,
    }

"""Expressions as text, LaTeX, Markdown, SymPy objects, Python and C."""

from armdyn.equations.printing.c import to_c
from armdyn.equations.printing.function import Function
from armdyn.equations.printing.latex import definitions, to_latex
from armdyn.equations.printing.markdown import aligned, to_markdown
from armdyn.equations.printing.python import to_python
from armdyn.equations.printing.sympy_objects import to_sympy
from armdyn.equations.printing.text import to_text

__all__ = [
    "Function",
    "aligned",
    "definitions",
    "to_c",
    "to_latex",
    "to_markdown",
    "to_python",
    "to_sympy",
    "to_text",
]

"""What equations are evaluated on: one protocol, six kinds of scalar.

- real: Python floats, a readable reference;
- symbolic (`armdyn.scalars.symbolic`, on symengine): any expression, as it was computed;
- harmonic (`armdyn.scalars.harmonic`): sums in a canonical form, from which state equations are written;
- forms (`armdyn.scalars.forms`): what a motion takes before it is known how fast it goes;
- counting (`Tally`, `Counted`): operation counts as written;
- graph (`Graph`, `Node`, `program`): structure exploited, derivatives, speed.
"""

from armdyn.scalars.counting import Counted, Tally
from armdyn.scalars.graph import Graph, Node
from armdyn.scalars.program import Array, Program, program
from armdyn.scalars.protocol import Scalar, absolute, cos, is_literal, reciprocal, select, sign, sin, sqrt
from armdyn.scalars.real import cos_sin, exact_cos_sin, quarter_turns

__all__ = [
    "Array",
    "Counted",
    "Graph",
    "Node",
    "Program",
    "Scalar",
    "Tally",
    "absolute",
    "cos",
    "cos_sin",
    "exact_cos_sin",
    "is_literal",
    "program",
    "quarter_turns",
    "reciprocal",
    "select",
    "sign",
    "sin",
    "sqrt",
]

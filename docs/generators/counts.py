"""docs/counts.md: the operations of every formulation, beside the counts that the documents print."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from counts_growth import growth_section
from counts_tables import name, of_count, of_graph, of_printed, rows

import armdyn as ad
from armdyn.mechanics.tree import tree
from armdyn.mechanics.tree.common_normals import on_common_normals
from armdyn.mechanics.tree.links import Tree
from armdyn.mechanics.tree.reduction import for_inertia, for_motion, reduced
from armdyn.robot import Robot
from armdyn.scalars import Graph, Program, program
from armdyn.scalars.factoring import LONG, factored
from armdyn.studies.counts import Equations, equations
from armdyn.studies.growth import Growth, growth, random_chain
from armdyn.studies.growth_figure import save_growth_figure
from armdyn.studies.published import published, published_beside

ROBOTS = ("lola15", "ur5", "puma560", "panda")

INTRODUCTION = """\
# Operation counts

`armdyn counts ROBOT` counts the multiplications, divisions, additions (with subtractions) and sines or
cosines that every formulation takes for one state. This page is written by the same code.

**As written** counts the equations as they stand in `mechanics/`, on the robot's frames as its file gives
them: every product and sum that an equation names is counted, also where a parameter of this robot is zero.
Only structure is free: the zeros and ones of an equation itself, right angles, a base at rest. A change of
sign is no operation. **Optimised** counts the expression graph that `Dynamics` runs. Every optimised
graph on this page is tested to give the numbers of Newton-Euler on the unchanged robot, to 1e-10 relative.

A formulation is listed with what it gives by itself. Whatever gives torques gives the bias (no accelerations)
and gravity (no motion), too. Forward dynamics by way of the mass matrix H solves H qdd = tau - bias by
L^T D L; Walker and Orin's methods take their bias from Newton-Euler, composite bodies and mRNEA have
their own. Friction is not part of a formulation and not counted, and the counts here are without motors.
"""

HOW = """\
## How the optimised numbers are reached

The equations are not changed; they are traced on a tree that costs less. Link frames are put on the common
normals of the joint axes, so that positions and rotations have most zeros. Inertial parameters that act only
in sums are regrouped into base parameters: the part of a link that lies on its joint's axis moves with the
link before, and is counted there. For recursions, the axes of last links and of links with a parallel joint
after them stay still while the link turns in them: turning an inertia once is cheaper than turning every
vector of the motion, and the angles of parallel joints are added instead. One length of the robot becomes the
unit of length, so that products with it disappear. The graph merges what would be computed twice, folds
constants and drops what no output needs; last, common factors are taken out of sums, and pairs of terms that
several sums share are added once. No term is left out: the graphs are exact. But the numbers are those of
these robots: they live on the zeros, right angles and equal lengths of each arm. {generic}
"""

WRITTEN = """\
The printed counts are for any arm of six joints with general parameters. armdyn's Lagrange-Euler is far below
the printed one because products are kept (U_ij and U_ijk come from their neighbours by one product each),
symmetric coefficients are computed once, and zeros in the structure of the matrices cost nothing. Without
accelerations d'Alembert and mRNEA still make the mass matrix, as written; in the graph it is gone.
"""

C1 = """\
## [Kvrgic2020] Table C.1

mRNEA for Lola 15, row by row. Its items, rows and totals contradict one another:
"""


def built(robot: str | Robot) -> Tree:
    """The tree of a robot without motors."""
    return tree(ad.load(robot) if isinstance(robot, str) else robot, "none")


# Optimised ------------------------------------------------------------------------------------


def optimised_table() -> str:
    """Every formulation on every robot, with the printed counts for as many joints."""
    trees = [built(robot) for robot in ROBOTS]
    body = [
        [chosen.quantity, name(chosen), *(_optimised(chosen, on) for on in trees), *_beside(chosen)]
        for chosen in equations()
    ]
    return rows(("quantity", "formulation", *ROBOTS, "printed, n = 6", "printed, n = 7"), body)


def _beside(chosen: Equations) -> list[str | None]:
    counts = [published_beside(chosen.method.name, chosen.quantity, n) for n in (6, 7)]
    return [None if count is None or chosen.variant else of_printed(count) for count in counts]


def _optimised(chosen: Equations, on: Tree) -> str:
    graph = chosen.optimised(on)
    return of_graph(graph.counts()) + (" ¹" if len(graph.operations) > LONG else "")


def best() -> str:
    """The smallest count of Lola 15's forward dynamics beside the smallest printed one."""
    found = [chosen.count(built("lola15"), "optimised") for chosen in equations(["forward"])]
    ours = min(found, key=lambda count: count.operations)
    counts = [c for c in published(6) if c.quantity == "forward" and c.n == 6 and not c.part]
    least = min(counts, key=lambda count: count.multiplications + count.additions)
    share = 100 * ours.operations / (least.multiplications + least.additions)
    return (
        f"Lola 15's accelerations take {of_count(ours)} operations by {ours.formulation}. The smallest count "
        f"that a document prints for six joints is {of_printed(least)} ([{least.source}] {least.table}, for "
        f"the same robot); armdyn's is {share:.0f} % of it.\n"
    )


def generic() -> str:
    """What the same equations cost where there is nothing to exploit."""
    chain = built(random_chain(6))
    inverse, forward = _usual()
    return (
        f"A chain of six turning joints without any takes {_optimised(inverse, chain)} operations "
        f"for inverse and {_optimised(forward, chain)} for forward dynamics."
    )


def _usual() -> tuple[Equations, Equations]:
    (inverse,) = equations(["inverse"], ["newton_euler"])
    (forward,) = equations(["forward"], ["newton_euler"])
    return inverse, forward


STEPS = (
    "as written",
    "traced on the frames of the robot file",
    "frames on common normals",
    "base parameters",
    "axes that stay still",
    "own unit of length",
    "factored and shared",
)


def steps_table() -> str:
    """What each step saves for Lola 15."""
    inverse, forward = _usual()
    columns = [_steps(inverse, for_motion), _steps(forward, for_inertia)]
    header = ("step", f"inverse, {inverse.method.name}", f"forward, {forward.method.name}")
    return rows(header, zip(STEPS, *columns, strict=True))


def _steps(chosen: Equations, lighter: Callable[..., Tree]) -> list[str]:
    whole = built("lola15")
    trees = [whole, on_common_normals(whole), reduced(whole), lighter(whole, closed=False), lighter(whole)]
    graphs = [_traced(chosen, on) for on in trees]
    graphs.append(factored(graphs[-1]))
    return [of_count(chosen.count(whole, "as_written")), *(of_graph(graph.counts()) for graph in graphs)]


def _traced(chosen: Equations, on: Tree) -> Program:
    """The graph of the equations on a tree, as it comes."""
    graph = Graph()
    return program(chosen(on, *(graph.inputs(x, on.n) for x in ("q", "qd", "last"))))


# As written -----------------------------------------------------------------------------------


def written_table() -> str:
    """Lola 15 as written, beside what documents print for six joints."""
    body: list[list[Any]] = []
    for chosen in equations():
        count = chosen.count(built("lola15"), "as_written")
        beside = None if chosen.variant else published_beside(count.formulation, count.quantity, 6)
        numbers = (count.multiplications, count.divisions, count.additions, count.trigonometric)
        where = (of_printed(beside), f"[{beside.source}] {beside.table}") if beside else (None, None)
        body.append([count.quantity, name(count), *numbers, *where])
    header = ("quantity", "formulation", "multiplications", "divisions", "additions", "sin, cos", "printed")
    return rows((*header, "where"), body)


def table_c1() -> str:
    """[Kvrgic2020] Table C.1 row by row, with the sums of its items."""
    parts = [count for count in published(6) if count.table == "Table C.1" and count.part]
    (total,) = (count for count in published(6) if count.table == "Table C.1" and not count.part)
    (text,) = (count for count in published(6) if count.table == "section 6")
    body: list[list[Any]] = []
    for part in parts:
        items = of_printed(*part.items) if part.items else None
        wrong = "not the sum of its items" if items not in (None, of_printed(part)) else None
        body.append([f"`{part.row}`", of_printed(part), items, wrong])
    everything = [item for part in parts for item in part.items or (part,)]
    body += [
        ["sum of the rows", of_printed(*parts), of_printed(*everything), None],
        ["total as printed", of_printed(total), None, "neither sum"],
        ["total in section 6", of_printed(text), None, f"without `r_cm`, `p_e`, `I_cm`; {text.note}"],
    ]
    return rows(("row", "printed", "its items", "remark"), body)


# The page -------------------------------------------------------------------------------------


def page(curves: Sequence[Growth] | None = None) -> str:
    """The whole page as MyST Markdown."""
    return "\n".join(
        [
            INTRODUCTION,
            "## Optimised\n",
            "Multiplications with divisions + additions; sines and cosines are not in these sums.\n",
            optimised_table(),
            f"¹ A graph of more than {LONG} operations is left as traced, not factored.\n",
            best(),
            HOW.format(generic=generic()),
            "Step by step, for Lola 15:\n",
            steps_table(),
            "## As written, for Lola 15\n",
            written_table(),
            WRITTEN,
            C1,
            table_c1(),
            growth_section(growth() if curves is None else curves),
        ]
    )


def write(folder: Path) -> None:
    """Write counts.md and figures/growth.svg into a folder of the documentation."""
    curves = growth()
    (folder / "figures").mkdir(parents=True, exist_ok=True)
    save_growth_figure(curves, folder / "figures" / "growth.svg")
    (folder / "counts.md").write_text(page(curves), encoding="utf-8")

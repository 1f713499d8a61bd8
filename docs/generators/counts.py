"""docs/counts.md: the operations of every formulation, beside the counts that the documents print."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import counts_c1
from counts_growth import growth_section
from counts_tables import name, of_count, of_four, of_graph, of_printed, rows
from verdicts import proven

import armdyn as ad
from armdyn.mechanics.methods import method
from armdyn.mechanics.tree import tree
from armdyn.mechanics.tree.common_normals import on_common_normals
from armdyn.mechanics.tree.links import Tree
from armdyn.mechanics.tree.reduction import for_inertia, for_motion, reduced
from armdyn.scalars import Graph, Program, program
from armdyn.scalars.factoring import LONG, factored
from armdyn.studies.counts import Equations, OperationCount, equations, given_by
from armdyn.studies.growth import Growth, growth, random_chain
from armdyn.studies.growth_figure import save_growth_figure
from armdyn.studies.published import PublishedCount, published, published_beside

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
L^T D L. Walker and Orin's methods 1 and 2 take their bias from Newton-Euler. Their method 3, later called the
composite-rigid-body algorithm, has H from composite bodies and the bias from Newton-Euler: that is
`newton_euler` here, while `composite_body` takes the bias from its composite bodies as well. mRNEA has a bias
of its own, too. Friction is not part of a formulation and not counted; the counts here are without motors.
"""

OPTIMISED = """\
## Optimised

Multiplications / divisions / additions / sines and cosines. Printed counts are multiplications with divisions
+ additions; their sines and cosines are not counted.
"""

DEFAULT = """\
Without `method=`, `Dynamics` takes accelerations from `newton_euler` up to 11 joints and from
`articulated_body` beyond. That comes close to the fewest operations of all, and its divisions wait less for
one another:
"""

HOW = """\
## How the optimised numbers are reached

The equations are not changed; they are traced on a tree that costs less. Link frames are put on the common
normals of the joint axes, so that positions and rotations have most zeros. Inertial parameters that act only
in sums are regrouped into base parameters: the part of a link that lies on its joint's axis moves with the
link before, and is counted there. The axes of last links and of links with a parallel joint after them stay
still while the link turns in them: turning an inertia once is cheaper than turning every vector of the
motion, and the angles of parallel joints are added instead. One length of the robot becomes the unit of
length, so that products with it disappear. The graph merges what would be computed twice, folds constants and
drops what no output needs; last, common factors are taken out of sums, and pairs of terms that several sums
share are added once. No term is left out: the graphs are exact. But the numbers are those of
these robots: they live on the zeros, right angles and equal lengths of each arm. {generic}
"""

WRITTEN = """\
The printed counts are for any arm of six joints with general parameters, but for those of mRNEA, which are of
Lola 15 itself, its zeros and right angles used, and without the `r_cm`, `p_e` and `I_cm` that the document
takes as given. armdyn's Lagrange-Euler is far below the printed one because products are kept (U_ij and U_ijk
come from their neighbours by one product each), symmetric coefficients are computed once, and zeros in the
structure of the matrices cost nothing. Without accelerations d'Alembert and mRNEA still make the mass matrix,
as written; in the graph it is gone.
"""

PRINTED = """\
## All that is printed

Every printed total beside armdyn's numbers for as many joints: for Lola 15 where the document says so, else
for a chain of turning joints with general parameters, in which there is nothing to exploit.
"""


# Counting, each thing once --------------------------------------------------------------------

Arm = str | int
"""A robot of the catalog, or a general chain of so many turning joints."""


@cache
def built(arm: Arm) -> Tree:
    """The tree of an arm without motors."""
    return tree(ad.load(arm) if isinstance(arm, str) else random_chain(arm), "none")


@cache
def everything() -> tuple[Equations, ...]:
    """All quantities by all formulations."""
    return tuple(equations())


@cache
def optimised(chosen: Equations, arm: Arm) -> Program:
    """The graph that is counted."""
    return chosen.optimised(built(arm))


@cache
def written(chosen: Equations, arm: Arm) -> OperationCount:
    """The count as written."""
    return chosen.count(built(arm), "as_written")


def plain(quantity: str, formulation: str) -> Equations:
    """A quantity by a formulation without variants."""
    wanted = (quantity, formulation, None)
    (chosen,) = (e for e in everything() if (e.quantity, e.method.name, e.variant) == wanted)
    return chosen


def total(graph: Program) -> int:
    """Multiplications, divisions and additions."""
    counts = graph.counts()
    return counts["multiplications"] + counts["divisions"] + counts["additions"]


# Optimised ------------------------------------------------------------------------------------


def optimised_table() -> str:
    """Every formulation on every robot, with the printed counts for as many joints."""
    body = [
        [chosen.quantity, name(chosen), *(_four(chosen, robot) for robot in ROBOTS), *_beside(chosen)]
        for chosen in everything()
    ]
    return rows(("quantity", "formulation", *ROBOTS, "printed, n = 6", "printed, n = 7"), body)


def _beside(chosen: Equations) -> list[str | None]:
    counts = [published_beside(chosen.method.name, chosen.quantity, n) for n in (6, 7)]
    return [None if count is None or chosen.variant else of_printed(count) for count in counts]


def _four(chosen: Equations, robot: str) -> str:
    graph = optimised(chosen, robot)
    return of_four(graph.counts()) + (" ¹" if len(graph.operations) > LONG else "")


def _two(chosen: Equations, arm: Arm) -> str:
    return of_graph(optimised(chosen, arm).counts())


def fewest(robot: str) -> Equations:
    """What gives accelerations by the fewest operations."""
    forward = [chosen for chosen in everything() if chosen.quantity == "forward"]
    return min(forward, key=lambda chosen: total(optimised(chosen, robot)))


def default_table() -> str:
    """The fewest operations of forward dynamics over all formulations, and what `Dynamics` takes."""
    body: list[list[Any]] = []
    for robot in ROBOTS:
        least = fewest(robot)
        taken = plain("forward", ad.Dynamics(ad.load(robot), motors="none").method_of("forward"))
        body.append([robot, name(least), _two(least, robot), name(taken), _two(taken, robot)])
    return rows(("robot", "fewest of all", "operations", "`Dynamics` takes", "operations"), body)


def best() -> str:
    """The smallest count of Lola 15's forward dynamics beside the smallest printed one."""
    ours = fewest("lola15")
    counts = [c for c in published(6) if c.quantity == "forward" and c.n == 6 and not c.part]
    least = min(counts, key=lambda count: count.multiplications + count.additions)
    share = 100 * total(optimised(ours, "lola15")) / (least.multiplications + least.additions)
    smaller = proven(f"armdyn's is {share:.0f} % of it", share < 100, least.robot == "lola15")
    return (
        f"Lola 15's accelerations take {_two(ours, 'lola15')} operations by {name(ours)}. The smallest count "
        f"that a document prints for six joints is {of_printed(least)} ([{least.source}] {least.table}, for "
        f"the same robot); {smaller}.\n"
    )


# How ------------------------------------------------------------------------------------------


def generic() -> str:
    """What the same equations cost where there is nothing to exploit."""
    inverse, forward = (_two(plain(quantity, "newton_euler"), 6) for quantity in ("inverse", "forward"))
    return (
        f"A chain of six turning joints without any takes {inverse} operations "
        f"for inverse and {forward} for forward dynamics by newton_euler."
    )


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
    inverse, forward = (plain(quantity, "newton_euler") for quantity in ("inverse", "forward"))
    columns = [_steps(inverse, for_motion), _steps(forward, for_inertia)]
    header = ("step", f"inverse, {inverse.method.name}", f"forward, {forward.method.name}")
    return rows(header, zip(STEPS, *columns, strict=True))


def _steps(chosen: Equations, lighter: Callable[..., Tree]) -> list[str]:
    whole = built("lola15")
    trees = [whole, on_common_normals(whole), reduced(whole), lighter(whole, closed=False), lighter(whole)]
    graphs = [_traced(chosen, on) for on in trees]
    graphs.append(factored(graphs[-1]))
    return [of_count(written(chosen, "lola15")), *(of_graph(graph.counts()) for graph in graphs)]


def _traced(chosen: Equations, on: Tree) -> Program:
    """The graph of the equations on a tree, as it comes."""
    graph = Graph()
    return program(chosen(on, *(graph.inputs(x, on.n) for x in ("q", "qd", "last"))))


# As written, and printed ----------------------------------------------------------------------


def written_table() -> str:
    """Lola 15 as written, beside what documents print for six joints."""
    body: list[list[Any]] = []
    for chosen in everything():
        count = written(chosen, "lola15")
        beside = None if chosen.variant else published_beside(count.formulation, count.quantity, 6)
        numbers = (count.multiplications, count.divisions, count.additions, count.trigonometric)
        where = (of_printed(beside), f"[{beside.source}] {beside.table}") if beside else (None, None)
        body.append([count.quantity, name(count), *numbers, *where])
    header = ("quantity", "formulation", "multiplications", "divisions", "additions", "sin, cos", "printed")
    return rows((*header, "where"), body)


def printed_table() -> str:
    """Tables 1 and 2 of [Kvrgic2020] and Table 3 of [Milicevic2007], row by row."""
    shown = [c for c in published(6) if c.table in ("Table 1", "Table 2", "Table 3")]
    header = ("where", "row", "joints", "printed", "armdyn", "for", "as written", "optimised")
    return rows(header, [_printed_row(count) for count in shown])


def _printed_row(count: PublishedCount) -> list[Any]:
    printed = [f"[{count.source}] {count.table}", count.row, count.n, of_printed(count)]
    if count.formulation is None or count.quantity not in given_by(method(count.formulation)):
        return [*printed, "not in armdyn", None, None, None]
    chosen = plain(count.quantity, count.formulation)
    arm = count.robot or count.n
    kind = "chain" if count.robot is None else count.robot
    return [*printed, name(chosen), kind, of_count(written(chosen, arm)), _two(chosen, arm)]


# The page -------------------------------------------------------------------------------------


def page(curves: Sequence[Growth] | None = None) -> str:
    """The whole page as MyST Markdown."""
    return "\n".join(
        [
            INTRODUCTION,
            OPTIMISED,
            optimised_table(),
            f"¹ A graph of more than {LONG} operations is left as traced, not factored.\n",
            best(),
            DEFAULT,
            default_table(),
            HOW.format(generic=generic()),
            "Step by step, for Lola 15:\n",
            steps_table(),
            "## As written, for Lola 15\n",
            written_table(),
            WRITTEN,
            PRINTED,
            printed_table(),
            counts_c1.section(),
            growth_section(growth() if curves is None else curves),
        ]
    )


def write(folder: Path) -> None:
    """Write counts.md and figures/growth.svg into a folder of the documentation."""
    curves = growth()
    (folder / "figures").mkdir(parents=True, exist_ok=True)
    save_growth_figure(curves, folder / "figures" / "growth.svg")
    (folder / "counts.md").write_text(page(curves), encoding="utf-8")

"""[Kvrgic2020] Table C.1, the operations of mRNEA for Lola 15 row by row, beside armdyn's."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from counts_tables import of_graph, of_printed, rows

import armdyn as ad
from armdyn.mechanics.force_vectors import about_centre, about_origin
from armdyn.mechanics.linear_system import solve
from armdyn.mechanics.loads import Contact
from armdyn.mechanics.modified_newton_euler import Recursion, vectors
from armdyn.mechanics.tree import tree
from armdyn.scalars import Graph, Tally, program
from armdyn.spatial import Wrench
from armdyn.spatial.vector import vector
from armdyn.studies.published import PublishedCount, published

TEXT = """\
## [Kvrgic2020] Table C.1

mRNEA for Lola 15, row by row. Its items, rows and totals contradict one another. armdyn's numbers are of the
same vectors about the same centres of mass, with the contact that the document has, traced on the frames of
the robot file: a row is what it adds to the operations of all rows above it, and what is computed already,
zero or a plain number costs nothing. *Needed* is what H and the bias take here: sums over rates go without
b_ikj and d_ikj, and the lower half of H without n'_ia3. *All* makes all vectors that the table names as well,
and all of H. The table does not count rotations, axes and angular rates, which armdyn's first row has; `p_e`
is counted with n'_ic here. The solution is Gaussian elimination there, L^T D L here.
"""

ABOUT = """\
`mrnea` in the other tables takes moments about the origins of the links, where the document takes them about
centres of mass: all vectors are then linear in mass, first and second moments, and a link needs no mass. For
Lola 15, H and the bias as written take {origin} operations about origins and {centre} about centres of mass.
"""


@dataclass(frozen=True)
class Row:
    """What one row of the table makes: graph nodes, those that H and the bias need and those beyond."""

    name: str
    needed: Sequence[Any]
    beyond: Sequence[Any] = ()


def section() -> str:
    """The section of the page."""
    about = ABOUT.format(origin=_written(about_origin), centre=_written(about_centre))
    return "\n".join([TEXT, _table(), about])


def _table() -> str:
    parts = [count for count in published(6) if count.table == "Table C.1" and count.part]
    made = _rows()
    needed = _increments(row.needed for row in made)
    everything = _increments([*row.needed, *row.beyond] for row in made)
    ours = {row.name: [of_graph(a), of_graph(b)] for row, a, b in zip(made, needed, everything, strict=True)}
    unprinted = [name for name in ours if name not in {part.row for part in parts}]
    body: list[list[Any]] = [[name, None, None, *ours[name], "not in the table"] for name in unprinted]
    body += [[f"`{part.row}`", *_printed(part), *ours[part.row], _remark(part)] for part in parts]
    sums = [of_graph(_sum(counts)) for counts in (needed, everything)]
    header = ("row", "printed", "its items", "armdyn, needed", "armdyn, all", "remark")
    return rows(header, [*body, *_totals(parts, sums)])


def _printed(part: PublishedCount) -> list[str | None]:
    return [of_printed(part), of_printed(*part.items) if part.items else None]


def _remark(part: PublishedCount) -> str | None:
    return "not the sum of its items" if part.items and of_printed(part) != of_printed(*part.items) else None


def _totals(parts: Sequence[PublishedCount], ours: Sequence[str]) -> list[list[Any]]:
    (total,) = (count for count in published(6) if count.table == "Table C.1" and not count.part)
    (text,) = (count for count in published(6) if count.table == "section 6")
    everything = [item for part in parts for item in part.items or (part,)]
    without = f"without `r_cm`, `p_e`, `I_cm`; {text.note}"
    return [
        ["sum of the rows", of_printed(*parts), of_printed(*everything), *ours, None],
        ["total as printed", of_printed(total), None, None, None, "neither sum"],
        ["total in section 6", of_printed(text), None, None, None, without],
    ]


# armdyn's -------------------------------------------------------------------------------------


def _rows() -> list[Row]:
    """All rows of armdyn's, in the order of the table, as nodes of one graph."""
    built, graph = tree(ad.load("lola15"), "none"), Graph()
    q, qd, tau, pressed = (graph.inputs(name, 6) for name in ("q", "qd", "tau", "wrench"))
    contact = Contact(Wrench(vector(pressed[:3]), vector(pressed[3:])), built.tool)
    found = vectors(built, q, qd, contact=contact)
    H, bias = found.mass(), found.bias()
    net = [t - b for t, b in zip(tau, bias, strict=True)]
    return [
        *_placements(found),
        *_link_rows(found),
        *_moments(found),
        Row("u_i", _flat([*H, bias]), _flat(found.row(i).values() for i in range(built.n))),
        Row("qdd", solve(H, net)),
    ]


def _placements(found: Recursion) -> list[Row]:
    joints, links = found.forces.joints, found.forces.links
    stances = [[*_flat(j.rotation), *j.omega, *j.alpha, *j.swing] for j in joints]
    return [
        Row("rotations, axes, angular rates", _flat(stances)),
        Row("r_i_cm, p_e, l_i, p_i*", _flat([*(j.step for j in joints), *(link.l_i for link in links)])),
        Row("I_i_cm", _flat(row for link in links for row in link.S_i)),
    ]


def _link_rows(found: Recursion) -> Iterator[Row]:
    """b, e and d of every link."""
    forces = found.forces
    for i, link in enumerate(forces.links):
        yield Row(f"b_{i + 1}k, b_{i + 1}kj", _flat(link.b_ik.values()), _flat(forces.b_ikj(i).values()))
    for i, link in enumerate(forces.links):
        yield Row(f"e_{i + 1}, e_{i + 1}k", _flat([link.e_i, *link.e_ik.values()]))
    for i, link in enumerate(forces.links):
        own = _flat([link.d_i, *link.d_ik.values()])
        yield Row(f"d_{i + 1}, d_{i + 1}k, d_{i + 1}kj", own, _flat(forces.d_ikj(i).values()))


def _moments(found: Recursion) -> list[Row]:
    """n'_ic, n'_ia1, n'_ia2, n'_ia3 of all links; with the joints beyond a link for all of H only."""
    loads = found.loads
    beyond = [found.columns(i) for i in range(len(loads))]
    first, second, third = (_flat(c for of in beyond for c in of[k].values()) for k in range(3))
    return [
        Row("n'_ic", _flat(x for load in loads for x in (load.E_i, load.n_ic))),
        Row("n'_ia1", _flat(n for load in loads for n in load.n_ia1.values()), first),
        Row("n'_ia2", _flat(n for load in loads for n in load.n_ia2.values()), second),
        Row("n'_ia3", [], third),
    ]


def _flat(rows: Iterable[Iterable[Any]]) -> list[Any]:
    return [element for row in rows for element in row]


# Counting -------------------------------------------------------------------------------------


def _increments(made: Iterable[Iterable[Any]]) -> list[dict[str, int]]:
    """What each row adds to the operations of all rows before it."""
    outputs: list[Any] = []
    counts = [dict.fromkeys(program([]).counts(), 0)]
    for row in made:
        outputs += row
        counts.append(program(outputs).counts())
    return [{kind: b[kind] - a[kind] for kind in a} for a, b in pairwise(counts)]


def _sum(counts: Sequence[dict[str, int]]) -> dict[str, int]:
    return {kind: sum(count[kind] for count in counts) for kind in counts[0]}


def _written(about: Any) -> str:
    """H and bias of Lola 15 as written, about links' origins or centres of mass."""
    tally, built = Tally(), tree(ad.load("lola15"), "none").at_rest()
    q, qd = ([tally.number(0.1 * (k + 1)) for k in range(built.n)] for _ in range(2))
    found = vectors(built.with_numbers(tally.number), q, qd, about=about)
    found.mass()
    found.bias()
    return of_graph(vars(tally))

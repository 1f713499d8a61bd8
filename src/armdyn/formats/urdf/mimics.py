"""Mimic joints: each becomes a coupling to an independent joint."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from armdyn.formats.urdf.elements import Element, add, attribute, blaming, child, mistake
from armdyn.formats.urdf.numbers import number_text, read_number
from armdyn.formats.urdf.topology import Edge
from armdyn.formats.urdf.wording import listed, quoted, unknown
from armdyn.robot import Coupling


def read_couplings(edges: Sequence[Edge]) -> dict[str, Coupling]:
    """For every mimic joint its coupling to an independent joint, through any joints between."""
    by_name = {edge.name: edge for edge in edges}
    found = ((edge.name, child(edge.element, "mimic")) for edge in edges if edge.moves)
    mimics = {name: mimic for name, mimic in found if mimic is not None}
    solved: dict[str, Coupling] = {}
    for name in mimics:
        for follower in reversed(_path(name, mimics, by_name, solved)):
            solved[follower] = _coupling(mimics[follower], solved)
    return solved


def _path(
    name: str, mimics: Mapping[str, Element], by_name: Mapping[str, Edge], solved: Mapping[str, Coupling]
) -> list[str]:
    """From a mimic joint through the mimic joints that it follows, up to one that is known."""
    path: dict[str, None] = {}
    while name in mimics and name not in solved:
        if name in path:
            ring = listed([*path][[*path].index(name) :])
            raise mistake(mimics[name], f"joints {ring} mimic each other, expected one that moves by itself")
        path[name] = None
        name = _leader(mimics[name], by_name)
    return [*path]


def _leader(mimic: Element, by_name: Mapping[str, Edge]) -> str:
    name = attribute(mimic, "joint")
    if name not in by_name:
        moving = [edge.name for edge in by_name.values() if edge.moves]
        raise mistake(mimic, unknown("joint", name, moving))
    if not by_name[name].moves:
        raise mistake(mimic, f"joint {quoted(name)} is fixed, expected one that moves; remove the mimic")
    return name


def _coupling(mimic: Element, solved: Mapping[str, Coupling]) -> Coupling:
    """theta = a x + b after x = w q + c: theta = (a w) q + (a c + b)."""
    leader = attribute(mimic, "joint")
    a, b = read_number(mimic, "multiplier", 1.0), read_number(mimic, "offset", 0.0)
    above = solved.get(leader, Coupling(((leader, 1.0),)))
    with blaming(mimic):
        return Coupling.of({name: a * w for name, w in above.weights}, a * above.offset + b)


def add_mimic(joint: Element, leader: str, weight: float, offset: float) -> None:
    """Make a joint follow another: theta = weight q + offset."""
    add(joint, "mimic", joint=leader, multiplier=number_text(weight), offset=number_text(offset))

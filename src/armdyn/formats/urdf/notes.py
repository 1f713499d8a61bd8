"""What a user should know of a file that is read: what was guessed or left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from armdyn.errors import counted
from armdyn.formats.urdf.elements import (
    Element,
    child,
    children,
    listed,
    local,
    quoted,
)
from armdyn.formats.urdf.joints import has_zero_limits, lacks_position_limits
from armdyn.formats.urdf.links import unknown_shapes
from armdyn.formats.urdf.topology import Topology
from armdyn.robot import BASE

_REDUCTION = "mechanicalReduction"


def notes_on(robot: Element, topology: Topology, names: Mapping[str, str]) -> list[str]:
    """One sentence for everything that was guessed, renamed or left out."""
    return [
        *_notes_on_limits(topology),
        *_notes_on_shapes(topology),
        *_notes_on_names(names),
        *_notes_on_masses(topology),
        *_notes_on_gears(robot),
    ]


def _notes_on_limits(topology: Topology) -> Iterable[str]:
    if zero := [edge.name for edge in topology.edges if has_zero_limits(edge)]:
        yield f"limits of 0 for velocity or effort were read as unknown (joints {listed(zero)})"
    if without := [edge.name for edge in topology.edges if lacks_position_limits(edge)]:
        yield f"no position limits given for joints {listed(without)}: read as unlimited"


def _notes_on_shapes(topology: Topology) -> Iterable[str]:
    order = (topology.root, *(edge.child for edge in topology.edges))
    undrawn = Counter(shape for link in order for shape in unknown_shapes(topology.links[link]))
    for shape, count in undrawn.items():
        yield f"URDF knows no shape {quoted(shape)}: {counted(count, 'visual')} left out"


def _notes_on_names(names: Mapping[str, str]) -> Iterable[str]:
    if (renamed := names.get(BASE, BASE)) != BASE:
        yield f'link "{BASE}" is called "{renamed}" here, "{BASE}" is what the robot stands on'


def _notes_on_masses(topology: Topology) -> Iterable[str]:
    """Of moving links without <inertial>, unless a link fixed on them has one."""
    carrier, given = {topology.root: topology.root}, set[str]()
    for edge in topology.edges:
        carrier[edge.child] = edge.child if edge.moves else carrier[edge.parent]
        if child(topology.links[edge.child], "inertial") is not None:
            given.add(carrier[edge.child])
    if massless := [edge.child for edge in topology.edges if edge.moves and edge.child not in given]:
        yield f"no inertia given for {listed(massless)}: dynamics may be wrong"


def _notes_on_gears(robot: Element) -> Iterable[str]:
    transmissions = children(robot, "transmission")
    if geared := sum(any(local(part) == _REDUCTION for part in t.iter()) for t in transmissions):
        where = counted(geared, "transmission")
        yield f"{_REDUCTION} of {where} is not used: URDF gives no rotor inertia with it"

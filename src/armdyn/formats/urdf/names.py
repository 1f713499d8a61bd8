"""Names of bodies and joints: kept wherever they can be."""

from __future__ import annotations

from collections.abc import Container

from armdyn.formats.urdf.topology import Topology
from armdyn.robot import BASE


def body_names(topology: Topology) -> dict[str, str]:
    """For every link its body: links keep their names, only the base itself is called "base"."""
    names = {name: name for name in topology.links}
    if BASE in names and not (topology.root == BASE and topology.is_empty(BASE)):
        names[BASE] = free_name(f"{BASE}_link", topology.links)
    return names


def free_name(wanted: str, taken: Container[str]) -> str:
    """The wanted name, with a number if it is taken."""
    name, number = wanted, 2
    while name in taken:
        name, number = f"{wanted}_{number}", number + 1
    return name

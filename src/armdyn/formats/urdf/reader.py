"""URDF in: one file of bytes becomes a Robot, and nothing else is ever opened.

Bodies stand depth first, branches in the order in which the file writes their joints; q is the
independent joints in that order (for a serial chain: as the joints follow each other).
The root link is a body fixed on the base, unless it is an empty link called "base".
The tool is an empty link called "tool" on a fixed joint (armdyn writes one), otherwise the end of
the branch with the most moving joints (of several such, the first).
"""

from __future__ import annotations

from pathlib import PurePath

from armdyn.errors import FormatError
from armdyn.formats.urdf.document import parse
from armdyn.formats.urdf.elements import Element, MistakeError, blaming, child
from armdyn.formats.urdf.joints import nearest_to_zero, read_axis, read_couplings, read_friction, read_limits
from armdyn.formats.urdf.links import read_colors, read_inertia, read_origin, read_visuals
from armdyn.formats.urdf.notes import notes_on
from armdyn.formats.urdf.right_angles import RightAngles
from armdyn.formats.urdf.topology import Edge, Topology, body_names, free_name, read_topology
from armdyn.robot import BASE, Body, Joint, Robot, Tool
from armdyn.spatial import Inertia


def read_urdf(
    data: bytes, file: str = "robot.urdf", *, literal: bool = False, accept_unphysical: str | None = None
) -> Robot:
    """The robot that a URDF describes; messages name `file` and the line.

    Args:
        data: the file's bytes.
        file: its name, for messages and as the robot's source.
        literal: keep 1.5707963268 as written instead of reading it as a right angle.
        accept_unphysical: why inertias that no body can have are accepted.
    """
    try:
        return _Reader(parse(data), file, literal, accept_unphysical).robot()
    except MistakeError as mistake:
        raise FormatError(str(mistake), file=file, line=mistake.line) from mistake.__cause__


class _Reader:
    """Turns the elements of a file into a Robot; counts the right angles on the way."""

    def __init__(self, root: Element, file: str, literal: bool, accept_unphysical: str | None) -> None:
        self.root, self.file, self.accept = root, file, accept_unphysical
        self.topology = read_topology(root)
        self.couplings = read_couplings(self.topology.edges)
        self.colors = read_colors(root)
        self.names = body_names(self.topology)
        self.right_angles = RightAngles(literal)

    def robot(self) -> Robot:
        bodies = self._bodies()
        with blaming(self.root):
            return Robot(
                (self.root.get("name") or "").strip() or PurePath(self.file).stem,
                bodies,
                tool=Tool(self.names[_tool_link(self.topology)]),
                home=tuple(nearest_to_zero(body.joint.limits) for body in bodies if body.joint.independent),
                source=PurePath(self.file).name,
                notes=(*self.right_angles.notes(), *notes_on(self.root, self.topology, self.names)),
            )

    def _bodies(self) -> tuple[Body, ...]:
        root, edges = self.topology.root, self.topology.edges
        bodies: list[Body] = []
        if self.names[root] != BASE:
            joint = free_name(f"{self.names[root]}_fixed", {edge.name for edge in edges})
            bodies.append(self._body(root, Joint(joint, "fixed"), BASE))
        bodies += (self._body(edge.child, self._joint(edge), self.names[edge.parent]) for edge in edges)
        return tuple(bodies)

    def _body(self, link: str, joint: Joint, parent: str) -> Body:
        element = self.topology.links[link]
        inertial = child(element, "inertial")
        inertia = Inertia() if inertial is None else self._inertia(inertial)
        visuals = read_visuals(element, self.colors)
        place = f"{self.file}, line {(element if inertial is None else inertial).sourceline}"
        with blaming(element):
            return Body(self.names[link], joint, parent, inertia, visuals, self.accept, place)

    def _inertia(self, inertial: Element) -> Inertia:
        return read_inertia(inertial).seen_from(self.right_angles.placement(read_origin(inertial)))

    def _joint(self, edge: Edge) -> Joint:
        place = self.right_angles.placement(read_origin(edge.element))
        with blaming(edge.element):
            if not edge.moves:  # files write any axis, limits and dynamics on fixed joints: they mean nothing
                return Joint(edge.name, "fixed", placement=place)
            return Joint(
                edge.name,
                edge.kind,
                self.right_angles.axis(read_axis(edge.element)),
                place,
                coupling=self.couplings.get(edge.name),
                limits=read_limits(edge),
                friction=read_friction(edge.element),
            )


def _tool_link(topology: Topology) -> str:
    """See the module's first lines."""
    depth = {topology.root: 0}
    for edge in topology.edges:
        depth[edge.child] = depth[edge.parent] + edge.moves
        if edge.child == "tool" and not edge.moves and topology.is_empty("tool"):
            return "tool"
    ends = depth.keys() - {edge.parent for edge in topology.edges}
    return max((link for link in depth if link in ends), key=lambda end: depth[end])

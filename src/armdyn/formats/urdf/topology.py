"""The tree: links, the joints between them, the order in which they are read, and their names."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass

from armdyn.errors import suggestion
from armdyn.formats.urdf.elements import (
    Element,
    MistakeError,
    attribute,
    child,
    children,
    listed,
    mistake,
    needed,
    quoted,
    unknown,
)
from armdyn.robot import BASE
from armdyn.robot.joint import JointKind

MOST_LINKS = 10_000
"""No robot has more links, or more joints, than this."""

_KINDS: Mapping[str, JointKind] = {
    "revolute": "revolute",
    "continuous": "revolute",
    "prismatic": "prismatic",
    "fixed": "fixed",
}
_REPLACEMENTS = {
    "floating": 'an arm stands on a base; make it type="fixed"',
    "planar": "replace it by two prismatic joints and a continuous one",
}


@dataclass(frozen=True)
class Edge:
    """A joint of the file, between two links."""

    element: Element
    name: str
    type: str
    parent: str
    child: str

    @property
    def kind(self) -> JointKind:
        """What the robot calls its type."""
        return _KINDS[self.type]

    @property
    def moves(self) -> bool:
        """Whether the joint is more than a weld."""
        return self.type != "fixed"


@dataclass(frozen=True)
class Topology:
    """The links by name, the root among them, and the joints depth first."""

    links: Mapping[str, Element]
    root: str
    edges: Sequence[Edge]

    def is_empty(self, link: str) -> bool:
        """Whether a link is a mere frame, with nothing to feel or to see."""
        return all(child(self.links[link], part) is None for part in ("inertial", "visual"))


def read_topology(robot: Element) -> Topology:
    """The one tree that all links and joints of the file make up."""
    links = _named(robot, "link")
    if not links:
        raise mistake(robot, "the robot has no links, expected at least two and a joint between them")
    edges = [_edge(name, element, links) for name, element in _named(robot, "joint").items()]
    above = _above(edges)
    root = _root(links, above)
    order = depth_first(root, ((edge.parent, edge.child) for edge in edges))
    if unreached := above.keys() - order:
        raise _circle(next(link for link in above if link in unreached), above)
    return Topology(links, root, [above[link] for link in order])


def depth_first(root: str, pairs: Iterable[tuple[str, str]]) -> list[str]:
    """What hangs on the root by pairs (parent, child): branch after branch, in the order of the pairs."""
    below: dict[str, list[str]] = defaultdict(list)
    for parent, hanging in pairs:
        below[parent].append(hanging)
    order: list[str] = []
    waiting = below[root][::-1]
    while waiting:
        order.append(waiting.pop())
        waiting.extend(below[order[-1]][::-1])
    return order


# Links and joints -----------------------------------------------------------------------------


def _named(robot: Element, what: str) -> dict[str, Element]:
    """Links or joints by their names."""
    elements = children(robot, what)
    if len(elements) > MOST_LINKS:
        message = f"the file has {len(elements)} {what}s, expected at most {MOST_LINKS}"
        raise MistakeError(message, elements[MOST_LINKS].sourceline)
    named: dict[str, Element] = {}
    for element in elements:
        first = named.setdefault(attribute(element, "name"), element)
        if first is not element:
            line = first.sourceline
            raise mistake(element, f"another {what} (line {line}) has this name, expected one of its own")
    return named


def _edge(name: str, element: Element, links: Mapping[str, Element]) -> Edge:
    kind = attribute(element, "type")
    if kind in _REPLACEMENTS:
        raise mistake(element, f'type "{kind}" is not supported; {_REPLACEMENTS[kind]}')
    if kind not in _KINDS:
        hint = suggestion(kind, _KINDS)
        raise mistake(element, f"type {quoted(kind)}; {hint}expected one of {', '.join(_KINDS)}")
    ends = [_end(needed(element, end, f'<{end} link="..."/>'), links) for end in ("parent", "child")]
    return Edge(element, name, kind, *ends)


def _end(element: Element, links: Mapping[str, Element]) -> str:
    name = attribute(element, "link")
    if name not in links:
        raise mistake(element, unknown("link", name, links))
    return name


# One tree -------------------------------------------------------------------------------------


def _above(edges: Sequence[Edge]) -> dict[str, Edge]:
    """For every link the joint that it hangs on."""
    above: dict[str, Edge] = {}
    for edge in edges:
        first = above.setdefault(edge.child, edge)
        if first is not edge:
            raise mistake(
                edge.element,
                f"its child {quoted(edge.child)} hangs on joint {quoted(first.name)} too "
                f"(line {first.element.sourceline}), expected one parent; URDF has no closed loops",
            )
    return above


def _root(links: Mapping[str, Element], above: Mapping[str, Edge]) -> str:
    """The one link that hangs on no joint."""
    roots = [name for name in links if name not in above]
    if len(roots) > 1:
        message = f"links {listed(roots)} hang on no joint, expected one root; join the others to it"
        raise MistakeError(message, links[roots[1]].sourceline)
    if not roots:
        raise _circle(next(iter(above)), above)
    return roots[0]


def _circle(link: str, above: Mapping[str, Edge]) -> MistakeError:
    """The complaint about links that hang on each other, found by climbing from one of them."""
    climbed: dict[str, None] = {}
    while link not in climbed:
        climbed[link] = None
        link = above[link].parent
    ring = [*climbed][[*climbed].index(link) :]
    names = listed(reversed(ring))
    message = f"links {names} hang on each other in a circle, expected a tree; remove a joint"
    return MistakeError(message, above[link].element.sourceline)


# Names: kept wherever they can be -------------------------------------------------------------


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

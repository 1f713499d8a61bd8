"""URDF in: one file of bytes becomes a Robot, and nothing else is ever opened.

Bodies stand depth first, branches in the order in which the file writes their joints; q is the
independent joints in that order (for a serial chain: as the joints follow each other).
The root link is a body fixed on the base, unless it is an empty link called "base".
The tool is an empty link called "tool" on a fixed joint (armdyn writes one), otherwise the end of
the branch with the most moving joints (of several such, the first).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Any, NoReturn

from lxml import etree

from armdyn.errors import ArmdynError, FormatError, InertiaError, suggestion
from armdyn.formats.files import LARGEST_FILE
from armdyn.robot import BASE, Body, Coupling, Friction, Joint, Limits, Robot, Tool, Visual
from armdyn.robot.joint import JointKind
from armdyn.spatial import Inertia, Transform, Vec3
from armdyn.spatial.rotation import from_rpy, snap, unit
from armdyn.spatial.vector import Mat3, vector

Element = etree._Element  # pyright: ignore[reportPrivateUsage]  # lxml has no public name for it

MOST_LINKS = 10_000
"""No robot has more links, or more joints, than this."""
RIGHT_ANGLE_TOLERANCE = 1e-9
"""Entries of a rotation this near to 0 or +-1 are a right angle written in decimals."""
UNCHANGED = 1e-15
"""Rounding alone moves an entry by this much; it is not worth a note."""


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
        return _Reader(_parse(data), file, literal, accept_unphysical).robot()
    except _MistakeError as mistake:
        raise FormatError(str(mistake), file=file, line=mistake.line) from mistake.__cause__


class _MistakeError(Exception):
    """What is wrong with an element; the subject is found by looking outwards from it."""

    def __init__(self, element: Element | None, message: str, line: int | None = None) -> None:
        self.line = line if element is None else element.sourceline
        subject = "" if element is None else _subject(element)
        super().__init__(f"{subject}: {message}" if subject else message)


def _subject(element: Element) -> str:
    """For example `joint "elbow", origin`: the named part, and the element in it."""
    inner: list[str] = []
    here: Element | None = element
    while here is not None and _local(here) not in ("link", "joint", "robot"):
        inner.insert(0, _local(here))
        here = here.getparent()
    if here is None or _local(here) == "robot":
        return " ".join(inner)
    name = here.get("name")
    outer = f"{_local(here)} {_quoted(name)}" if name else _local(here)
    return ", ".join([outer, " ".join(inner)] if inner else [outer])


@contextmanager
def _blaming(element: Element) -> Generator[None]:
    """Give a complaint of the robot's parts the file's place; an inertia's has its own."""
    try:
        yield
    except InertiaError:
        raise
    except (ArmdynError, ArithmeticError, ValueError) as error:
        raise _MistakeError(element, _short(str(error), 400)) from error


# XML, hardened --------------------------------------------------------------------------------

_HARDENED: Mapping[str, Any] = {
    "resolve_entities": False,
    "no_network": True,
    "load_dtd": False,
    "dtd_validation": False,
    "huge_tree": False,
    "recover": False,
}
_XINCLUDE = "http://www.w3.org/2001/XInclude"


def _parse(data: bytes) -> Element:
    """The <robot> element of a document that refers to nothing outside itself."""
    if len(data) > LARGEST_FILE:
        raise _MistakeError(None, f"larger than {LARGEST_FILE // 2**20} MiB, no robot file is")
    if not data.strip():
        raise _MistakeError(None, "the file is empty, expected XML with a <robot>", 1)
    try:
        _refuse_doctype(data)
        root = etree.fromstring(data, etree.XMLParser(**_HARDENED))
    except etree.XMLSyntaxError as error:
        raise _MistakeError(None, _syntax_message(error), error.lineno) from error
    _refuse_inclusions(root)
    if _local(root) != "robot":
        raise _MistakeError(root, f"the outermost element is <{_short(_local(root))}>, expected <robot>")
    return root


class _DoctypeFoundError(Exception):
    """The document has a type declaration."""


class _RootFoundError(Exception):
    """The document's first element is reached: no type declaration can follow."""


class _Prolog:
    """Looks at what stands before the first element, then stops the parser."""

    def doctype(self, *_: str | None) -> NoReturn:
        raise _DoctypeFoundError

    def start(self, *_: Any) -> NoReturn:
        raise _RootFoundError

    def close(self) -> None:
        """Nothing to give back."""


def _refuse_doctype(data: bytes) -> None:
    """Refuse a document type before the parser reads its entities, which may expand or point outside."""
    prolog: Any = _Prolog()
    try:
        etree.fromstring(data, etree.XMLParser(target=prolog, **_HARDENED))
    except _RootFoundError:
        return
    except _DoctypeFoundError:
        text = data.replace(b"\0", b"")  # of two-byte characters the half that matters
        line = text[: max(text.find(b"<!DOCTYPE"), 0)].count(b"\n") + 1
        message = "a document type declaration (<!DOCTYPE ...>), which a robot file never needs; remove it"
        raise _MistakeError(None, message, line) from None


def _syntax_message(error: etree.XMLSyntaxError) -> str:
    """What the parser says, on one line and without the place, which stands in front already."""
    reason = re.sub(r", line \d+, column \d+.*$", "", " ".join((error.msg or "it breaks off").split()))
    if reason.startswith("Excessive depth"):
        return "elements are nested more than 256 deep, no robot file is; remove what is not a robot"
    reason = re.sub(", (try|use) XML_PARSE_HUGE.*$", "", reason)
    return f"not XML, {_short(reason, 200)}; mend it there, or export the file anew"


def _refuse_inclusions(root: Element) -> None:
    """Refuse what asks for another file; macros are named, for their remedy is known."""
    for node in (*root.itersiblings(preceding=True), *root.iter()):
        if (message := _inclusion(node)) is not None:
            raise _MistakeError(None, message, node.sourceline)


def _inclusion(node: Element) -> str | None:
    """What the node asks for beyond the file, or None."""
    tag: Any = node.tag
    if tag is etree.PI and re.search("href|src|include|import", f"{node}"):
        return "a processing instruction that names another file, expected none; remove it"
    if not isinstance(tag, str) or not tag.startswith("{"):
        return None
    space, _, name = tag[1:].partition("}")
    if space == _XINCLUDE:
        return "XInclude, expected a robot file that stands alone; paste the other file in"
    if "xacro" in space:
        return f"a macro (xacro:{_short(name)}), expected plain URDF; run xacro first"
    return None


# Elements and numbers ---------------------------------------------------------------------------


def _local(element: Element) -> str:
    """The element's name without its namespace; nothing for a comment."""
    tag: Any = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def _children(element: Element, name: str) -> list[Element]:
    """The children of a name, in the namespace of their parent."""
    tag = element.tag.removesuffix(_local(element)) + name
    return [child for child in element if child.tag == tag]


def _child(element: Element, name: str) -> Element | None:
    return next(iter(_children(element, name)), None)


def _needed(element: Element, name: str, example: str) -> Element:
    child = _child(element, name)
    if child is None:
        raise _MistakeError(element, f"<{name}> is missing, expected for example {example}")
    return child


def _attribute(element: Element, name: str) -> str:
    value = (element.get(name) or "").strip()
    if not value:
        raise _MistakeError(element, f'{name} is missing, expected {name}="..."')
    return value


_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?", re.ASCII)
_LONGEST_NUMBER = 100


def _numbers(
    element: Element, name: str, count: int, default: Sequence[float] | None = None
) -> tuple[float, ...]:
    """The numbers of an attribute; without a default it must be there."""
    text = element.get(name)
    if text is None and default is not None:
        return tuple(default)
    words = _attribute(element, name).split()
    expected = "a number" if count == 1 else f"{count} numbers"
    if len(words) != count:
        raise _MistakeError(
            element, f'{name}="{_short(text or "")}" has {len(words)} values, expected {expected}'
        )
    return tuple(_number(element, name, word) for word in words)


def _number(element: Element, name: str, word: str) -> float:
    if len(word) > _LONGEST_NUMBER or not _NUMBER.fullmatch(word):
        hint = "; run xacro first" if "${" in word else ""
        raise _MistakeError(
            element, f'{name} has "{_short(word)}", expected a finite number such as 0.25{hint}'
        )
    value = float(word)
    if abs(value) == float("inf"):
        raise _MistakeError(
            element, f'{name} has "{_short(word)}", which is too large, expected a finite number'
        )
    return value


def _one(element: Element, name: str, default: float | None = None) -> float:
    return _numbers(element, name, 1, None if default is None else (default,))[0]


def _short(text: str, most: int = 60) -> str:
    """Text that is fit for a message: one line, not long."""
    text = " ".join(text.split())
    return text if len(text) <= most else f"{text[: most - 3]}..."


def _quoted(name: str) -> str:
    return f'"{_short(name)}"'


def _listed(names: Iterable[str], most: int = 8) -> str:
    """Names for a sentence, not more than a reader takes in."""
    quoted = [_quoted(name) for name in names]
    more = f" and {len(quoted) - most} more" if len(quoted) > most else ""
    return ", ".join(quoted[:most]) + more


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _free(wanted: str, taken: Iterable[str]) -> str:
    """The wanted name, with a number if it is taken."""
    names, number, name = set(taken), 2, wanted
    while name in names:
        name, number = f"{wanted}_{number}", number + 1
    return name


# The tree ---------------------------------------------------------------------------------------

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
class _Edge:
    """A joint of the file, between two links."""

    element: Element
    name: str
    type: str
    parent: str
    child: str

    @property
    def kind(self) -> JointKind:
        return _KINDS[self.type]

    @property
    def moves(self) -> bool:
        return self.type != "fixed"


def _named(root: Element, what: str) -> dict[str, Element]:
    """Links or joints by their names."""
    elements = _children(root, what)
    if len(elements) > MOST_LINKS:
        message = f"the file has {len(elements)} {what}s, expected at most {MOST_LINKS}"
        raise _MistakeError(None, message, elements[MOST_LINKS].sourceline)
    named: dict[str, Element] = {}
    for element in elements:
        name = _attribute(element, "name")
        if name in named:
            line = named[name].sourceline
            raise _MistakeError(
                element, f"another {what} (line {line}) has this name, expected one of its own"
            )
        named[name] = element
    return named


def _edge(name: str, element: Element, links: Mapping[str, Element]) -> _Edge:
    kind = _attribute(element, "type")
    if kind in _REPLACEMENTS:
        raise _MistakeError(element, f'type "{kind}" is not supported; {_REPLACEMENTS[kind]}')
    if kind not in _KINDS:
        hint = suggestion(kind, _KINDS)
        raise _MistakeError(element, f"type {_quoted(kind)}; {hint}expected one of {', '.join(_KINDS)}")
    ends = [_end(_needed(element, end, f'<{end} link="..."/>'), links) for end in ("parent", "child")]
    return _Edge(element, name, kind, *ends)


def _end(element: Element, links: Mapping[str, Element]) -> str:
    name = _attribute(element, "link")
    if name not in links:
        hint = suggestion(name, links) or f"known: {_listed(links)}"
        raise _MistakeError(element, f"no link {_quoted(name)}; {hint.rstrip()}")
    return name


def _root_link(edges: Sequence[_Edge], links: Mapping[str, Element]) -> str:
    """The one link that hangs on no joint."""
    above: dict[str, _Edge] = {}
    for edge in edges:
        if edge.child in above:
            first = above[edge.child]
            line = first.element.sourceline
            raise _MistakeError(
                edge.element,
                f"its child {_quoted(edge.child)} hangs on joint {_quoted(first.name)} too (line {line}), "
                "expected one parent; URDF has no closed loops",
            )
        above[edge.child] = edge
    roots = [name for name in links if name not in above]
    if len(roots) > 1:
        message = f"links {_listed(roots)} hang on no joint, expected one root; join the others to it"
        raise _MistakeError(None, message, links[roots[1]].sourceline)
    if not roots:
        raise _circle(edges[0].child, above)
    return roots[0]


def _circle(link: str, above: Mapping[str, _Edge]) -> _MistakeError:
    """The complaint about links that hang on each other, found by climbing from one of them."""
    climbed: dict[str, None] = {}
    while link not in climbed:
        climbed[link] = None
        link = above[link].parent
    ring = [*climbed][[*climbed].index(link) :]
    names = _listed(reversed(ring))
    message = f"links {names} hang on each other in a circle, expected a tree; remove a joint"
    return _MistakeError(None, message, above[link].element.sourceline)


def _depth_first(root: str, edges: Sequence[_Edge]) -> list[_Edge]:
    """The joints parents first, branch after branch, branches in the order of the file."""
    below: dict[str, list[_Edge]] = defaultdict(list)
    for edge in edges:
        below[edge.parent].append(edge)
    order: list[_Edge] = []
    waiting = below[root][::-1]
    while waiting:
        order.append(waiting.pop())
        waiting.extend(below[order[-1].child][::-1])
    if len(order) < len(edges):
        reached = {edge.name for edge in order}
        lost = next(edge for edge in edges if edge.name not in reached)
        raise _circle(lost.child, {edge.child: edge for edge in edges})
    return order


# Mimic joints -----------------------------------------------------------------------------------


def _couplings(edges: Sequence[_Edge]) -> dict[str, Coupling]:
    """For every mimic joint its coupling to an independent joint, through any joints between."""
    by_name = {edge.name: edge for edge in edges}
    found = ((edge.name, _child(edge.element, "mimic")) for edge in edges if edge.moves)
    mimics = {name: mimic for name, mimic in found if mimic is not None}
    solved: dict[str, Coupling] = {}
    for name in mimics:
        path = _mimic_path(name, mimics, by_name, solved)
        for follower in reversed(path):
            solved[follower] = _follow(mimics[follower], solved)
    return solved


def _mimic_path(
    name: str, mimics: Mapping[str, Element], by_name: Mapping[str, _Edge], solved: Mapping[str, Coupling]
) -> list[str]:
    """From a mimic joint through the mimic joints that it follows, up to one that is known."""
    path: dict[str, None] = {}
    while name in mimics and name not in solved:
        if name in path:
            ring = _listed([*path][[*path].index(name) :])
            raise _MistakeError(
                mimics[name], f"joints {ring} mimic each other, expected one that moves by itself"
            )
        path[name] = None
        name = _leader(mimics[name], by_name)
    return [*path]


def _leader(mimic: Element, by_name: Mapping[str, _Edge]) -> str:
    name = _attribute(mimic, "joint")
    if name not in by_name:
        moving = [edge.name for edge in by_name.values() if edge.moves]
        hint = suggestion(name, moving) or f"known: {_listed(moving)}"
        raise _MistakeError(mimic, f"no joint {_quoted(name)}; {hint.rstrip()}")
    if not by_name[name].moves:
        raise _MistakeError(
            mimic, f"joint {_quoted(name)} is fixed, expected one that moves; remove the mimic"
        )
    return name


def _follow(mimic: Element, solved: Mapping[str, Coupling]) -> Coupling:
    """theta = a x + b after x = w q + c: theta = (a w) q + (a c + b)."""
    leader, a, b = _attribute(mimic, "joint"), _one(mimic, "multiplier", 1.0), _one(mimic, "offset", 0.0)
    above = solved.get(leader, Coupling(((leader, 1.0),)))
    with _blaming(mimic):
        return Coupling.of({name: a * w for name, w in above.weights}, a * above.offset + b)


# Right angles -----------------------------------------------------------------------------------


@dataclass
class _RightAngles:
    """Makes decimals of right angles exact, unless the file is to be taken literally, and counts."""

    literal: bool
    count: int = 0
    largest: float = 0.0

    def rotation(self, written: Mat3) -> Mat3:
        return written if self.literal else self._counted(written, snap(written, RIGHT_ANGLE_TOLERANCE))

    def axis(self, written: Vec3) -> Vec3:
        if self.literal:
            return written
        rows = self._counted(
            (written, (0, 0, 0), (0, 0, 0)), snap((written, (0, 0, 0), (0, 0, 0)), RIGHT_ANGLE_TOLERANCE)
        )
        return unit(rows[0])

    def _counted(self, written: Mat3, exact: Mat3) -> Mat3:
        a: Any = written
        b: Any = exact
        change = max(abs(a[i][j] - b[i][j]) for i in range(3) for j in range(3))
        if change > UNCHANGED:
            self.count, self.largest = self.count + 1, max(self.largest, change)
        return exact

    def notes(self) -> list[str]:
        if not self.count:
            return []
        return [
            f"right angles written as decimals were read as exact ({_counted(self.count, 'rotation')}, "
            f"largest change {self.largest:.1g}); literal=True or --literal keeps them as written"
        ]


# The robot --------------------------------------------------------------------------------------


@dataclass
class _Findings:
    """What the reader wants to tell about the file."""

    zero_limits: list[str] = field(default_factory=list[str])
    no_position: list[str] = field(default_factory=list[str])
    undrawn: dict[str, int] = field(default_factory=lambda: defaultdict[str, int](int))

    def notes(self) -> list[str]:
        notes: list[str] = []
        if self.zero_limits:
            joints = _listed(self.zero_limits)
            notes.append(f"limits of 0 for velocity or effort were read as unknown (joints {joints})")
        if self.no_position:
            joints = _listed(self.no_position)
            notes.append(f"no position limits given for joints {joints}: read as unlimited")
        for shape, count in self.undrawn.items():
            notes.append(f"URDF knows no shape {_quoted(shape)}: {_counted(count, 'visual')} left out")
        return notes


class _Reader:
    """Turns the checked elements into a Robot."""

    def __init__(self, root: Element, file: str, literal: bool, accept_unphysical: str | None) -> None:
        self.root, self.file, self.accept = root, file, accept_unphysical
        self.right_angles, self.findings = _RightAngles(literal), _Findings()
        self.links = _named(root, "link")
        if not self.links:
            raise _MistakeError(
                root, "the robot has no links, expected at least two and a joint between them"
            )
        edges = [_edge(name, element, self.links) for name, element in _named(root, "joint").items()]
        self.root_link = _root_link(edges, self.links)
        self.edges = _depth_first(self.root_link, edges)
        self.couplings = _couplings(self.edges)
        self.colors = _colors(root)
        self.names = self._body_names()

    def robot(self) -> Robot:
        root = [] if self.names[self.root_link] == BASE else [self._root_body()]
        bodies = (*root, *(self._body(edge) for edge in self.edges))
        name = (self.root.get("name") or "").strip() or PurePath(self.file).stem
        with _blaming(self.root):
            return Robot(
                name,
                bodies,
                tool=Tool(self.names[self._tool_link()] if self.edges else ""),
                home=tuple(_nearest_to_zero(body.joint.limits) for body in bodies if body.joint.independent),
                source=PurePath(self.file).name,
                notes=tuple(self._notes()),
            )

    def _body_names(self) -> dict[str, str]:
        """Links keep their names; only the base itself is called "base"."""
        names = {name: name for name in self.links}
        if BASE in names and not (self.root_link == BASE and self._is_empty(BASE)):
            names[BASE] = _free(f"{BASE}_link", self.links)
        return names

    def _is_empty(self, link: str) -> bool:
        return all(_child(self.links[link], part) is None for part in ("inertial", "visual"))

    # Bodies and joints ------------------------------------------------------------------------

    def _root_body(self) -> Body:
        name = self.names[self.root_link]
        joint = Joint(_free(f"{name}_fixed", (edge.name for edge in self.edges)), "fixed")
        return self._on(BASE, self.root_link, joint)

    def _body(self, edge: _Edge) -> Body:
        return self._on(self.names[edge.parent], edge.child, self._joint(edge))

    def _on(self, parent: str, link: str, joint: Joint) -> Body:
        element = self.links[link]
        inertial = _child(element, "inertial")
        place = f"{self.file}, line {(element if inertial is None else inertial).sourceline}"
        inertia = Inertia() if inertial is None else self._inertia(inertial)
        visuals = [self._visual(visual) for visual in _children(element, "visual")]
        drawn = tuple(visual for visual in visuals if visual is not None)
        with _blaming(element):
            return Body(self.names[link], joint, parent, inertia, drawn, self.accept, place)

    def _joint(self, edge: _Edge) -> Joint:
        place = self._snapped_origin(edge.element)
        with _blaming(edge.element):
            if not edge.moves:  # files write any axis, limits and dynamics on fixed joints: they mean nothing
                return Joint(edge.name, "fixed", placement=place)
            return Joint(
                edge.name,
                edge.kind,
                self._axis(edge.element),
                place,
                coupling=self.couplings.get(edge.name),
                limits=self._limits(edge),
                friction=_friction(edge.element),
            )

    def _axis(self, joint: Element) -> Vec3:
        axis = _child(joint, "axis")
        if axis is None:
            return (1.0, 0.0, 0.0)
        values = vector(_numbers(axis, "xyz", 3))
        try:
            return self.right_angles.axis(unit(values))
        except ArmdynError:
            written = _short(axis.get("xyz") or "")
            message = f'xyz="{written}" has no direction, expected a vector other than zero, such as "0 0 1"'
            raise _MistakeError(axis, message) from None

    def _limits(self, edge: _Edge) -> Limits:
        limit = _child(edge.element, "limit")
        if limit is None:
            if edge.type != "continuous":
                self.findings.no_position.append(edge.name)
            return Limits()
        velocity, effort = (_unlimited(limit, name) for name in ("velocity", "effort"))
        if 0 in (velocity, effort):
            self.findings.zero_limits.append(edge.name)
        with _blaming(limit):
            return Limits(self._position(edge, limit), velocity=velocity or None, effort=effort or None)

    def _position(self, edge: _Edge, limit: Element) -> tuple[float, float] | None:
        if edge.type == "continuous":
            return None
        if limit.get("lower") is None and limit.get("upper") is None:
            self.findings.no_position.append(edge.name)
            return None
        lower, upper = _unlimited(limit, "lower", 0.0), _unlimited(limit, "upper", 0.0)
        if lower is None or upper is None:
            if lower is not None or upper is not None:
                raise _MistakeError(limit, "one of lower and upper is infinite, expected both or neither")
            return None
        if lower > upper:
            message = f"lower {lower:g} is above upper {upper:g}, expected lower <= upper; exchange them"
            raise _MistakeError(limit, message)
        return lower, upper

    # Placements, inertias, shapes -------------------------------------------------------------

    def _snapped_origin(self, element: Element) -> Transform:
        written = _origin(element)
        return Transform(self.right_angles.rotation(written.rotation), written.translation)

    def _inertia(self, inertial: Element) -> Inertia:
        mass = _one(_needed(inertial, "mass", '<mass value="1.5"/>'), "value")
        tensor = _needed(inertial, "inertia", '<inertia ixx="0.1" iyy="0.1" izz="0.1"/>')
        xx, yy, zz = (_one(tensor, name) for name in ("ixx", "iyy", "izz"))
        xy, xz, yz = (_one(tensor, name, 0.0) for name in ("ixy", "ixz", "iyz"))
        about_com = Inertia(mass, tensor=((xx, xy, xz), (xy, yy, yz), (xz, yz, zz)))
        return about_com.seen_from(self._snapped_origin(inertial))

    def _visual(self, visual: Element) -> Visual | None:
        """A shape, or None for one that URDF does not know (capsules and the like)."""
        geometry = _needed(visual, "geometry", '<geometry><sphere radius="0.1"/></geometry>')
        shape = next((child for child in geometry if _local(child)), None)
        if shape is None:
            raise _MistakeError(geometry, "is empty, expected a box, cylinder, sphere or mesh")
        if _local(shape) not in _SIZES and _local(shape) != "mesh":
            self.findings.undrawn[_local(shape)] += 1
            return None
        with _blaming(shape):
            return _shape(shape, _origin(visual), _color(visual, self.colors))

    # Tool and notes ---------------------------------------------------------------------------

    def _tool_link(self) -> str:
        """See the module's first lines."""
        depth = {self.root_link: 0}
        for edge in self.edges:
            depth[edge.child] = depth[edge.parent] + edge.moves
            if edge.child == "tool" and not edge.moves and self._is_empty("tool"):
                return "tool"
        inner = {edge.parent for edge in self.edges}
        return max((edge.child for edge in self.edges if edge.child not in inner), key=lambda end: depth[end])

    def _notes(self) -> list[str]:
        notes = [*self.right_angles.notes(), *self.findings.notes()]
        if self.names.get(BASE, BASE) != BASE:
            renamed = self.names[BASE]
            notes.append(f'link "{BASE}" is called "{renamed}" here, "{BASE}" is what the robot stands on')
        if massless := self._massless():
            notes.append(f"no inertia given for {_listed(massless)}: dynamics may be wrong")
        transmissions = _children(self.root, "transmission")
        if geared := sum(any(_local(e) == _REDUCTION for e in t.iter()) for t in transmissions):
            where = _counted(geared, "transmission")
            notes.append(f"{_REDUCTION} of {where} is not used: URDF gives no rotor inertia with it")
        return notes

    def _massless(self) -> list[str]:
        """Moving links without <inertial>, unless a link fixed on them has one."""
        carrier, given = {self.root_link: self.root_link}, set[str]()
        for edge in self.edges:
            carrier[edge.child] = edge.child if edge.moves else carrier[edge.parent]
            if _child(self.links[edge.child], "inertial") is not None:
                given.add(carrier[edge.child])
        return [edge.child for edge in self.edges if edge.moves and edge.child not in given]


_REDUCTION = "mechanicalReduction"
_SIZES: Mapping[str, tuple[tuple[str, int], ...]] = {
    "box": (("size", 3),),
    "cylinder": (("radius", 1), ("length", 1)),
    "sphere": (("radius", 1),),
}


def _origin(element: Element) -> Transform:
    origin = _child(element, "origin")
    if origin is None:
        return Transform()
    roll, pitch, yaw = _numbers(origin, "rpy", 3, (0.0, 0.0, 0.0))
    return Transform(from_rpy(roll, pitch, yaw), vector(_numbers(origin, "xyz", 3, (0.0, 0.0, 0.0))))


def _unlimited(limit: Element, name: str, default: float = 0.0) -> float | None:
    """A limit, or None for an infinite one, which some files write for none."""
    text = (limit.get(name) or "").strip().lower()
    return None if text.lstrip("+-") in ("inf", "infinity") else _one(limit, name, default)


def _friction(joint: Element) -> Friction:
    dynamics = _child(joint, "dynamics")
    if dynamics is None:
        return Friction()
    with _blaming(dynamics):
        return Friction(_one(dynamics, "damping", 0.0), _one(dynamics, "friction", 0.0))


def _nearest_to_zero(limits: Limits) -> float:
    lower, upper = limits.position or (0.0, 0.0)
    return min(max(0.0, lower), upper)


def _shape(shape: Element, place: Transform, color: tuple[float, float, float, float] | None) -> Visual:
    kind: Any = _local(shape)
    if kind == "mesh":
        scale = _numbers(shape, "scale", 3) if shape.get("scale") else ()
        return Visual("mesh", scale, _attribute(shape, "filename"), place, color)
    sizes = (x for name, count in _SIZES[kind] for x in _numbers(shape, name, count))
    return Visual(kind, tuple(sizes), None, place, color)


def _colors(root: Element) -> dict[str, tuple[float, float, float, float]]:
    """Colours by the names of materials: of the robot first, then of the visuals that define them."""
    visuals = (v for link in _children(root, "link") for v in _children(link, "visual"))
    colors: dict[str, tuple[float, float, float, float]] = {}
    for owner in (root, *visuals):
        for material in _children(owner, "material"):
            if (color := _own_color(material)) is not None:
                colors.setdefault(material.get("name") or "", color)
    return colors


def _own_color(material: Element) -> tuple[float, float, float, float] | None:
    color = _child(material, "color")
    if color is None:
        return None
    r, g, b, a = _numbers(color, "rgba", 4)
    return r, g, b, a


def _color(
    visual: Element, colors: Mapping[str, tuple[float, float, float, float]]
) -> tuple[float, float, float, float] | None:
    material = _child(visual, "material")
    if material is None:
        return None
    return _own_color(material) or colors.get(material.get("name") or "")

"""Mistakes in files: one sentence each, with the line."""

from __future__ import annotations

from pathlib import Path

import pytest

from armdyn.errors import FormatError
from armdyn.formats import load
from formats.urdf.samples import arm, joint, link, one_sentence, urdf

TWO = link("l0") + link("l1")
MISTAKES = {
    "empty": (b"", 1, "the file is empty, expected XML with a <robot>"),
    "blank": (b" \n \n", 1, "the file is empty"),
    "binary": (bytes(range(256)) * 10, 1, "not XML"),
    "text": (b"hello\n", 1, "not XML"),
    "truncated": (arm()[:-40], 5, "not XML"),
    "crossed tags": (b"<robot>\n<link name='a'>\n</robot>", 3, "mismatch: link line 2 and robot"),
    "not UTF-8": (b"<robot>\n<link name='\xff'/></robot>", 2, "not XML"),
    "undeclared prefix": (b"<robot>\n<a:b/></robot>", 2, "Namespace prefix a on b is not defined"),
    "another root": (b"\n<sdf/>", 2, "the outermost element is <sdf>, expected <robot>"),
    "no links": (b"<robot name='r'/>", 1, "the robot has no links"),
    "no joint": (urdf(link("l0")), 2, "has no joint that can move"),
    "nameless link": (urdf("<link/>"), 3, 'link: name is missing, expected name="..."'),
    "two links of a name": (urdf(TWO, link("l0")), 5, 'link "l0": another link (line 3) has this name'),
    "two joints of a name": (
        arm(extra=joint("a", "l1", "l2") + link("l2")),
        7,
        'joint "a": another joint (line 5) has this name',
    ),
    "unknown link": (
        urdf(link("shoulder"), link("elbow"), joint("a", "sholder", "elbow")),
        5,
        'joint "a", parent: no link "sholder"; did you mean "shoulder"?',
    ),
    "unknown link, no guess": (
        urdf(TWO, joint("a", "l0", "zzz")),
        5,
        'child: no link "zzz"; known: "l0", "l1"',
    ),
    "no child": (
        urdf(TWO, '<joint name="a" type="fixed"><parent link="l0"/></joint>'),
        5,
        "<child> is missing",
    ),
    "no parent": (
        urdf(TWO, '<joint name="a" type="fixed"><child link="l0"/></joint>'),
        5,
        "<parent> is missing",
    ),
    "two parents": (
        arm(extra=joint("b", "l2", "l1") + joint("c", "l0", "l2") + link("l2")),
        7,
        'joint "b": its child "l1" hangs on joint "a" too (line 5), expected one parent',
    ),
    "circle": (
        urdf(TWO, joint("a", "l0", "l1"), joint("b", "l1", "l0")),
        5,
        'links "l0", "l1" hang on each other in a circle',
    ),
    "circle beside the root": (
        arm(extra=joint("b", "l2", "l3") + joint("c", "l3", "l2") + link("l2") + link("l3")),
        7,
        "hang on each other in a circle, expected a tree",
    ),
    "on itself": (arm(extra=joint("b", "l2", "l2") + link("l2")), 7, 'links "l2" hang on each other'),
    "several roots": (arm(extra=link("l2")), 7, 'links "l0", "l2" hang on no joint, expected one root'),
    "no type": (urdf(TWO, '<joint name="a"/>'), 5, 'joint "a": type is missing'),
    "unknown type": (arm(kind="revolut"), 5, 'type "revolut"; did you mean "revolute"? expected one of'),
    "floating": (
        arm(kind="floating"),
        5,
        'joint "a": type "floating" is not supported; an arm stands on a base',
    ),
    "planar": (arm(kind="planar"), 5, 'type "planar" is not supported; replace it by two prismatic joints'),
    "two values": (
        arm('<origin xyz="0 1"/>'),
        6,
        'joint "a", origin: xyz="0 1" has 2 values, expected 3 numbers',
    ),
    "word": (arm('<origin rpy="0 0 pi"/>'), 6, 'rpy has "pi", expected a finite number'),
    "nan": (arm('<origin xyz="0 nan 1"/>'), 6, 'xyz has "nan", expected a finite number'),
    "infinite": (arm('<axis xyz="0 inf 1"/>'), 6, 'axis: xyz has "inf", expected a finite number'),
    "too large": (arm('<axis xyz="0 1e999 1"/>'), 6, 'xyz has "1e999", which is too large'),
    "underscore": (arm('<axis xyz="0 1_0 1"/>'), 6, 'xyz has "1_0"'),
    "comma": (arm('<axis xyz="0,1 0 1"/>'), 6, 'xyz has "0,1"'),
    "macro in a number": (
        arm('<axis xyz="${x} 0 1"/>'),
        6,
        'xyz has "${x}", expected a finite number such as 0.25; run',
    ),
    "endless number": (arm(f'<axis xyz="{"1" * 10**6} 0 1"/>'), 6, 'xyz has "1111'),
    "no axis": (arm('<axis xyz="0 0 0"/>'), 6, 'joint "a", axis: xyz="0 0 0" has no direction'),
    "lower above upper": (
        arm('<limit lower="2" upper="1" effort="1" velocity="1"/>', "revolute"),
        6,
        'joint "a", limit: lower 2 is above upper 1, expected lower <= upper',
    ),
    "negative effort": (
        arm('<limit effort="-1" velocity="1"/>'),
        6,
        'joint "a", limit: limits: effort is -1',
    ),
    "half infinite": (
        arm('<limit lower="0" upper="inf" effort="1" velocity="1"/>', "revolute"),
        6,
        "one of lower and upper is infinite, expected both or neither",
    ),
    "negative damping": (arm('<dynamics damping="-1"/>'), 6, 'joint "a", dynamics: friction: viscous is -1'),
    "mimic of nothing": (arm('<mimic joint="b"/>'), 6, 'joint "a", mimic: no joint "b"; known: "a"'),
    "mimic of itself": (arm('<mimic joint="a"/>'), 6, 'joints "a" mimic each other'),
    "mimics of each other": (
        arm('<mimic joint="b"/>', extra=joint("b", "l1", "l2", '<mimic joint="a"/>') + link("l2")),
        6,
        'joints "a", "b" mimic each other, expected one that moves by itself',
    ),
    "mimic of a fixed joint": (
        arm('<mimic joint="b"/>', extra=joint("b", "l1", "l2", kind="fixed") + link("l2")),
        6,
        'joint "b" is fixed, expected one that moves',
    ),
    "mimic overflow": (
        arm(
            extra=joint("b", "l1", "l2", '<mimic joint="a" multiplier="1e308"/>')
            + link("l2")
            + joint("c", "l2", "l3", '<mimic joint="b" multiplier="1e308"/>')
            + link("l3")
        ),
        11,
        "is not a finite number",
    ),
    "no mass": (
        arm(extra=joint("b", "l1", "l2") + link("l2", "<inertial/>")),
        9,
        'link "l2", inertial: <mass> is',
    ),
    "no tensor": (
        arm(extra=joint("b", "l1", "l2") + link("l2", '<inertial><mass value="1"/></inertial>')),
        9,
        "<inertia> is missing, expected for example",
    ),
    "half a tensor": (
        arm(
            extra=joint("b", "l1", "l2")
            + link("l2", '<inertial><mass value="1"/><inertia ixx="1"/></inertial>')
        ),
        9,
        'link "l2", inertial inertia: iyy is missing',
    ),
    "no geometry": (arm(extra=joint("b", "l1", "l2") + link("l2", "<visual/>")), 9, "<geometry> is missing"),
    "negative size": (
        arm(
            extra=joint("b", "l1", "l2")
            + link("l2", '<visual><geometry><sphere radius="-1"/></geometry></visual>')
        ),
        9,
        'link "l2", visual geometry sphere: visual sphere: size1 is -1',
    ),
    "colour": (
        urdf('<material name="x"><color rgba="1 0 0"/></material>', TWO, joint("a", "l0", "l1")),
        3,
        'material color: rgba="1 0 0" has 3 values, expected 4 numbers',
    ),
    "macro": (
        urdf('<xacro:include xmlns:xacro="http://www.ros.org/wiki/xacro"/>'),
        3,
        "a macro (xacro:include), expected plain URDF; run xacro first",
    ),
    "too many links": (
        urdf(*(f'<link name="{k}"/>\n' for k in range(10_001))),
        10_003,
        "10001 links, expected at most 10000",
    ),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_mistakes_are_told_in_one_sentence_with_their_line(name: str, tmp_path: Path) -> None:
    data, line, fact = MISTAKES[name]
    path = tmp_path / "arm.urdf"
    path.write_bytes(data)
    with pytest.raises(FormatError) as caught:
        load(path)
    message = one_sentence(caught)
    assert message.startswith(f"{path}, line {line}: ")
    assert fact in message
    assert (caught.value.file, caught.value.line) == (str(path), line)

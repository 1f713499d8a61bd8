"""Where a field stands in a TOML text."""

import pytest

from armdyn.formats.lines import line_of

TEXT = """\
# name = "not this one"
name = "arm"          # = a comment
"gravity" = [0, 0, 0]

[[bodies]]
name = "upper" # [[bodies]]

[bodies.joint]        # the first joint
  kind = "revolute"
    [bodies.joint.limits]
    velocity = 3

[[ bodies ]]
name = "fore"
inertia = { mass = 1, tensor = { xx = 1 } }
[bodies.joint]
kind = "prismatic"
[[bodies.visuals]]
shape = "box"
[[bodies.visuals]]
shape = "sphere"

[[drives]]
motor.peak_torque = 3
coupling.weights = {
    a = 1 }
"""


@pytest.mark.parametrize(
    ("path", "line"),
    [
        (("name",), 2),
        (("gravity",), 3),
        (("gravity", 2), 3),
        (("bodies", 0), 5),
        (("bodies", 0, "name"), 6),
        (("bodies", 0, "joint"), 8),
        (("bodies", 0, "joint", "kind"), 9),
        (("bodies", 0, "joint", "limits"), 10),
        (("bodies", 0, "joint", "limits", "velocity"), 11),
        (("bodies", 0, "joint", "limits", "effort"), 10),
        (("bodies", 1), 13),
        (("bodies", 1, "name"), 14),
        (("bodies", 1, "inertia", "tensor", "yy"), 15),
        (("bodies", 1, "joint", "kind"), 17),
        (("bodies", 1, "visuals", 0, "shape"), 19),
        (("bodies", 1, "visuals", 1), 20),
        (("bodies", 1, "visuals", 1, "shape"), 21),
        (("drives", 0), 23),
        (("drives", 0, "motor", "peak_torque"), 24),
        (("nothing",), None),
        ((), None),
    ],
)
def test_a_field_is_found_or_what_contains_it(path: tuple[str | int, ...], line: int | None) -> None:
    assert line_of(TEXT, path) == line


def test_the_row_of_a_matrix_is_no_table() -> None:
    text = """\
[[bodies]]
[bodies.joint.placement]
rotation = [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1]
]
xyz = [0, 0, 0]
"""
    assert line_of(text, ("bodies", 0, "joint", "placement", "xyz")) == 8


@pytest.mark.parametrize("quotes", ['"""', "'''"])
def test_what_stands_in_a_long_string_is_no_field(quotes: str) -> None:
    text = f"""\
description = {quotes}
[[bodies]]
name = "an example"
{quotes}
[[bodies]]
name = "upper"
"""
    assert line_of(text, ("bodies", 0)) == 5
    assert line_of(text, ("bodies", 0, "name")) == 6


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_lines_are_those_that_editors_count(newline: str) -> None:
    odd = "# \u2028 \u0085 are no newlines to TOML or editors"
    assert line_of(newline.join([odd, 'name = "a"']), ("name",)) == 2

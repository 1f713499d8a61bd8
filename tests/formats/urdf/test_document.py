"""The document: encodings, and hostile, large and damaged files."""

from __future__ import annotations

import builtins
import contextlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from armdyn.errors import FormatError, InertiaError
from armdyn.formats import load
from armdyn.formats.urdf import read_urdf, write_urdf
from formats.urdf.samples import MASS, arm, joint, link, one_sentence, random_urdf, seeds, urdf


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_encodings(encoding: str) -> None:
    text = arm().decode().replace("l1", "bras_levé").encode(encoding)
    assert read_urdf(text).tool.body == "bras_levé"


def test_comments_namespaces_and_a_missing_name_do_not_matter(tmp_path: Path) -> None:
    text = arm().replace(
        b'<robot name="r">', b'<!-- <!DOCTYPE x> --><robot xmlns="http://ros.org"><!-- hello -->'
    )
    (tmp_path / "my_arm.urdf").write_bytes(text)
    assert load(tmp_path / "my_arm.urdf").name == "my_arm"


SECRET = "the secret of the house"
BILLION_LAUGHS = (
    '<!DOCTYPE lolz [<!ENTITY lol "lol">'
    + "".join(f'<!ENTITY lol{k} "{f"&lol{k - 1};" * 10}">' for k in range(2, 10)).replace("&lol1;", "&lol;")
    + ']>\n<robot name="&lol9;"><link name="&lol9;"/></robot>'
)


@pytest.fixture
def nothing_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    """No file is opened from Python while a test reads bytes."""

    def refuse(*args: Any, **options: Any) -> None:
        raise AssertionError(f"opened {args[0]}")

    monkeypatch.setattr(builtins, "open", refuse)
    monkeypatch.setattr(Path, "open", refuse)


def hostile(tmp_path: Path) -> dict[str, tuple[bytes, str]]:
    secret = tmp_path / "secret.txt"
    secret.write_text(SECRET)
    external = f'<!DOCTYPE robot [<!ENTITY x SYSTEM "{secret.as_uri()}">]>\n'
    parameter = f'<!DOCTYPE robot [<!ENTITY % x SYSTEM "{secret.as_uri()}"> %x;]>\n'
    include = (
        f'<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="{secret.as_uri()}" parse="text"/>'
    )
    declaration = "a document type declaration (<!DOCTYPE ...>)"
    return {
        "laughs": (BILLION_LAUGHS.encode(), declaration),
        "laughs in UTF-16": (BILLION_LAUGHS.encode("utf-16"), declaration),
        "external entity": (f"{external}<robot name='r'>&x;</robot>".encode(), declaration),
        "parameter entity": (f"{parameter}<robot name='r'/>".encode(), declaration),
        "external type": (f'<!DOCTYPE robot SYSTEM "{secret.as_uri()}"><robot/>'.encode(), declaration),
        "bare type": (b"<!DOCTYPE robot><robot/>", declaration),
        "inclusion": (b'<robot name="r">' + include.encode() + b"</robot>", "XInclude"),
        "style sheet": (
            f'<?xml-stylesheet href="{secret.as_uri()}"?><robot/>'.encode(),
            "a processing instruction that names another file",
        ),
        "undeclared entity": (b"<robot name='r'>&x;</robot>", "not XML, Entity 'x' not defined"),
        "deep": (b"<robot>" * 10**5, "nested more than 256 deep"),
        "deep and closed": (b"<robot>" * 10**5 + b"</robot>" * 10**5, "nested more than 256 deep"),
        "long attribute": (b'<robot name="' + b"a" * (7 * 2**20) + b'"/>', "the robot has no links"),
    }


@pytest.mark.parametrize(
    "name",
    [
        "laughs",
        "laughs in UTF-16",
        "external entity",
        "parameter entity",
        "external type",
        "bare type",
        "inclusion",
        "style sheet",
        "undeclared entity",
        "deep",
        "deep and closed",
        "long attribute",
    ],
)
def test_hostile_files_are_refused(name: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    data, fact = hostile(tmp_path)[name]
    request.getfixturevalue("nothing_opened")
    with pytest.raises(FormatError) as caught:
        read_urdf(data, "evil.urdf")
    assert one_sentence(caught).startswith("evil.urdf, line 1: ")
    assert fact in str(caught.value)
    assert SECRET not in str(caught.value)


def test_the_line_of_a_document_type_is_found() -> None:
    for encoding in ("utf-8", "utf-16"):
        with pytest.raises(FormatError, match=r"robot\.urdf, line 3: a document type"):
            read_urdf(
                '<?xml version="1.0"?>\n\n<!DOCTYPE robot [\n<!ENTITY a "b">]>\n<robot/>'.encode(encoding)
            )


@pytest.mark.parametrize("size", [12 * 2**20, 8 * 2**20 + 1])
def test_large_files_are_refused(size: int, tmp_path: Path) -> None:
    path = tmp_path / "large.urdf"
    path.write_bytes(arm() + b" " * size)
    for read in (lambda: load(path), lambda: read_urdf(path.read_bytes(), str(path))):
        with pytest.raises(FormatError) as caught:
            read()
        assert one_sentence(caught) == f"{path}: larger than 8 MiB, no robot file is"


@pytest.mark.usefixtures("nothing_opened")
@pytest.mark.parametrize(
    "mesh",
    ["../../../etc/passwd", "file:///etc/passwd", "http://localhost:1/a.stl", "\\\\host\\share", "C:\\a.stl"],
)
def test_mesh_names_are_only_text(mesh: str) -> None:
    visual = f'<visual><geometry><mesh filename="{mesh}"/></geometry></visual>'
    robot = read_urdf(urdf(link("l0"), link("l1", MASS + visual), joint("a", "l0", "l1")))
    assert robot.bodies[1].visuals[0].mesh == mesh
    assert read_urdf(write_urdf(robot)[0].encode()).bodies[1].visuals[0].mesh == mesh


@given(seeds, st.integers(0, 30))
def test_damaged_files_are_read_or_refused_politely(seed: int, damage: int) -> None:
    rng = np.random.default_rng(seed)
    data = bytearray(random_urdf(seed, 3, mimics=True).encode())
    for _ in range(damage):
        at = rng.integers(len(data))
        data[at : at + rng.integers(0, 4)] = rng.bytes(int(rng.integers(0, 4)))
    with contextlib.suppress(FormatError, InertiaError):  # anything else is a crash
        read_urdf(bytes(data))

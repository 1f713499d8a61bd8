"""Every dependency says a licence that may be used where it is used."""

from email.message import Message

import pytest

from locked_dependencies import generator

licences = generator("licences")
allowed = generator("licences_allowed").allowed
stated = generator("licences_stated").stated


def test_every_dependency_may_be_used_where_it_is() -> None:
    assert licences.refusals(licences.used()) == []


@pytest.mark.parametrize(
    ("expression", "use"),
    [
        ("MIT", "run time"),
        ("GPL-2.0-only OR MIT", "run time"),
        ("(MIT OR GPL-2.0-only) AND BSD-3-Clause", "run time"),
        ("BSD-2-Clause AND Apache-2.0 WITH LLVM-exception", "run time"),
        ("LGPL-3.0-or-later", "extra"),
        ("MPL-2.0 AND MIT", "development"),
        ("LGPL-3.0-or-later", "development"),
    ],
)
def test_allowed(expression, use) -> None:
    assert allowed(expression, use)


@pytest.mark.parametrize(
    ("expression", "use"),
    [
        ("GPL-3.0-only", "development"),
        ("GPL-3.0-or-later", "extra"),
        ("LGPL-3.0-or-later", "run time"),
        ("MPL-2.0", "run time"),
        ("MIT AND GPL-2.0-only", "run time"),
        ("MIT AND (GPL-2.0-only OR LGPL-3.0-or-later)", "run time"),
        ("Apache-2.0 WITH Commons-Clause", "run time"),
    ],
)
def test_refused(expression, use) -> None:
    assert not allowed(expression, use)


@pytest.mark.parametrize("terms", [None, "GPL-3.0-only"])
def test_a_package_with_another_licence_or_none_is_named(terms) -> None:
    (sentence,) = licences.refusals([licences.Used("fresh", "1.0", terms, "run time", "Python")])
    assert "fresh 1.0" in sentence


def metadata(**fields: str) -> Message:
    said = Message()
    for name, value in fields.items():
        said[name.replace("_", "-")] = value
    return said


def test_a_licence_is_read_as_it_is_stated() -> None:
    assert stated(metadata(License_Expression="MIT OR ISC", License="BSD")) == "MIT OR ISC"
    assert stated(metadata(License="MIT License\n\nCopyright ..")) == "MIT"
    assert stated(metadata(Classifier="License :: OSI Approved :: Apache Software License")) == "Apache-2.0"


def test_what_is_vague_is_no_licence() -> None:
    assert stated(metadata(License="BSD")) is None
    assert stated(metadata(Classifier="License :: OSI Approved :: BSD License")) is None
    assert stated(metadata(Name="silent")) is None


def test_the_page_is_held_to_what_every_user_installs() -> None:
    """The studio's page is passed on with armdyn: what it holds is of the strictest kind."""
    assert {package.use for package in licences.bundled_packages()} == {"run time"}
    assert {package.name for package in licences.bundled_packages()} >= {"three", "katex"}

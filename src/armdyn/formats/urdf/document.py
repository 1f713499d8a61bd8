"""The XML document, parsed with distrust: it refers to nothing outside itself and expands nothing."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, NoReturn

from lxml import etree

from armdyn.formats.files import LARGEST_FILE
from armdyn.formats.urdf.elements import Element, MistakeError, local, mistake, short

_HARDENED: Mapping[str, Any] = {
    "resolve_entities": False,
    "no_network": True,
    "load_dtd": False,
    "dtd_validation": False,
    "huge_tree": False,
    "recover": False,
}
_XINCLUDE = "http://www.w3.org/2001/XInclude"


def parse(data: bytes) -> Element:
    """The <robot> element of a document."""
    if len(data) > LARGEST_FILE:
        raise MistakeError(f"larger than {LARGEST_FILE // 2**20} MiB, no robot file is")
    if not data.strip():
        raise MistakeError("the file is empty, expected XML with a <robot>", 1)
    try:
        _refuse_doctype(data)
        root = etree.fromstring(data, etree.XMLParser(**_HARDENED))
    except etree.XMLSyntaxError as error:
        raise MistakeError(_syntax_message(error), error.lineno) from error
    _refuse_inclusions(root)
    if local(root) != "robot":
        raise mistake(root, f"the outermost element is <{short(local(root))}>, expected <robot>")
    return root


def _syntax_message(error: etree.XMLSyntaxError) -> str:
    """What the parser says, on one line and without the place, which stands in front already."""
    reason = re.sub(r", line \d+, column \d+.*$", "", " ".join((error.msg or "it breaks off").split()))
    if reason.startswith("Excessive depth"):
        return "elements are nested more than 256 deep, no robot file is; remove what is not a robot"
    reason = re.sub(", (try|use) XML_PARSE_HUGE.*$", "", reason)
    return f"not XML, {short(reason, 200)}; mend it there, or export the file anew"


# Document types -------------------------------------------------------------------------------


class _PrologOverError(Exception):
    """All is seen that stands before the first element."""


class _Prolog:
    """Looks at what stands before the first element, then stops the parser."""

    has_doctype = False

    def doctype(self, *_: str | None) -> NoReturn:
        self.has_doctype = True
        raise _PrologOverError

    def start(self, *_: Any) -> NoReturn:
        raise _PrologOverError

    def close(self) -> None:
        """Nothing to give back."""


def _refuse_doctype(data: bytes) -> None:
    """Refuse a document type before the parser reads its entities, which may expand or point outside."""
    prolog: Any = _Prolog()
    with suppress(_PrologOverError):
        etree.fromstring(data, etree.XMLParser(target=prolog, **_HARDENED))
    if prolog.has_doctype:
        text = data.replace(b"\0", b"")  # of two-byte characters the half that matters
        line = text[: max(text.find(b"<!DOCTYPE"), 0)].count(b"\n") + 1
        message = "a document type declaration (<!DOCTYPE ...>), which a robot file never needs; remove it"
        raise MistakeError(message, line)


# Inclusions -----------------------------------------------------------------------------------


def _refuse_inclusions(root: Element) -> None:
    """Refuse what asks for another file; macros are named, for their remedy is known."""
    for node in (*root.itersiblings(preceding=True), *root.iter()):
        if (message := _inclusion(node)) is not None:
            raise MistakeError(message, node.sourceline)


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
        return f"a macro (xacro:{short(name)}), expected plain URDF; run xacro first"
    return None

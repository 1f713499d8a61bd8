"""Reports as files of their own: one HTML page that fetches nothing."""

from __future__ import annotations

import base64
import hashlib
import os
from collections.abc import Iterable
from importlib import metadata, resources
from pathlib import Path
from string import Template

from armdyn.errors import InputError
from armdyn.formats.whole_file import whole_file
from armdyn.report.markup import Markup, element, joined, text

SUFFIX = ".html"


def check_report(path: str | os.PathLike[str]) -> None:
    """Refuse a file that no report can be written to, before anything is computed for it."""
    file = Path(path)
    if file.suffix.lower() != SUFFIX:
        raise InputError(f'report "{file}" ends in "{file.suffix}", expected {SUFFIX}')
    if not file.parent.is_dir():
        raise InputError(f'report "{file}": there is no folder "{file.parent}"; make it first')


def write_page(page: str, path: str | os.PathLike[str]) -> None:
    """Write a page, all of the file or nothing."""
    check_report(path)
    with whole_file(Path(path)) as file:
        file.write(page.encode("utf-8", "replace"))


def policy(script: str = "") -> str:
    """What a browser may do with the page: run this one script if there is one, and fetch nothing."""
    allowed = "default-src 'none'; style-src 'unsafe-inline'"
    if not script:
        return allowed
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return f"{allowed}; script-src 'sha256-{digest}'"


def style() -> str:
    """What all pages look like: colours in light, dark and print, letters, tables, lists of facts."""
    return (resources.files("armdyn.report") / "page.css").read_text(encoding="utf-8")


def page(
    title: str,
    asked: str,
    head: tuple[str, str, Markup],
    sections: Iterable[tuple[str, str, Markup]],
    more_style: str = "",
) -> str:
    """A page without scripts.

    Args:
        title: of the page.
        asked: the question that it answers.
        head: anchor, name and body of what stands above the contents.
        sections: anchor, heading and body of each, in their order.
        more_style: rules of this kind of page.
    """
    shown = list(sections)
    template = (resources.files("armdyn.report") / "page.html").read_text(encoding="utf-8")
    return Template(template).substitute(
        title=text(title),
        asked=text(asked),
        style=style() + more_style,
        policy=policy(),
        head=element("section", head[2], id=head[0], aria_label=head[1]),
        contents=joined(element("li", element("a", heading, href=f"#{key}")) for key, heading, _ in shown),
        sections=joined(
            element("section", element("h2", heading), body, id=key, aria_label=heading)
            for key, heading, body in shown
        ),
        version=text(metadata.version("armdyn")),
    )


def fact_list(facts: Iterable[tuple[str, str]]) -> Markup:
    """Names and what they are."""
    pairs = (element("div", element("dt", name), element("dd", value)) for name, value in facts)
    return element("dl", *pairs, class_="facts")

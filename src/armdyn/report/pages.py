"""Reports as files of their own: one HTML page that fetches nothing."""

from __future__ import annotations

import base64
import hashlib
import os
from importlib import resources
from pathlib import Path

from armdyn.errors import InputError
from armdyn.formats.whole_file import whole_file

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

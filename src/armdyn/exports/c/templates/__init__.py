"""Files of C that numbers and names are put into."""

from __future__ import annotations

from importlib import resources
from string import Template


def filled(template: str, **values: object) -> str:
    """A template with its values; `$name` stands for one."""
    text = (resources.files("armdyn.exports.c.templates") / template).read_text(encoding="utf-8")
    return Template(text).substitute(values)

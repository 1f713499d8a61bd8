"""How Sphinx builds these pages: from Markdown, with nothing fetched from elsewhere."""

import re
from importlib.metadata import version as installed_version
from typing import Any

from sphinx.ext.napoleon import Config, GoogleDocstring

project = "armdyn"
author = "the armdyn authors"
copyright = "the armdyn authors, Apache-2.0"
version = release = installed_version("armdyn")

extensions = ["myst_parser", "sphinx.ext.autodoc"]
exclude_patterns = ["_*"]
myst_heading_anchors = 3
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_default_options = {"members": True}
autodoc_preserve_defaults = True
autodoc_type_aliases = {name: name for name in ("Array", "ArrayLike", "Mat3", "Scalar", "Vec3")}

html_theme = "furo"
html_title = f"armdyn {release}"
html_show_sphinx = False

# Docstrings are plain text with `code`, lists, Google sections and indented formulas ----------

SECTION = re.compile(r"(Args|Attributes|Examples?|Raises|Returns|Yields):$")
CODE = re.compile(r"(`[^`]+`)")
NAPOLEON = Config(napoleon_google_docstring=True)
MARKUP = re.compile(r"[\\*|]|_\b")


def as_restructured_text(app: Any, what: str, name: str, obj: Any, options: Any, lines: list[str]) -> None:
    """Rewrite a docstring so that Sphinx reads it as meant: indented text is literal, |x| no markup."""
    result: list[str] = []
    block = "text"
    for line in lines:
        if line and not line.startswith(" "):
            if block == "literal":
                result.append("")
            block = "section" if SECTION.match(line) else "list" if line.startswith("- ") else "text"
        elif line and block == "text":
            block = "literal"
            result += ["", "::", ""]
        result.append(line if block == "literal" else _escaped(line))
    kind = "object" if what in ("attribute", "data") else what  # "X: text" of an attribute is text, no type
    lines[:] = GoogleDocstring(result, NAPOLEON, app, kind, name, obj, options).lines()


def _escaped(line: str) -> str:
    """`code` stays code, all else is text."""
    parts = CODE.split(line)
    parts[::2] = [MARKUP.sub(r"\\\g<0>", text) for text in parts[::2]]
    parts[1::2] = [f"``{code.strip('` ')}``" for code in parts[1::2]]
    return "".join(parts)


def with_plain_aliases(app: Any, what: str, name: str, obj: Any, options: Any, *signature: str | None) -> Any:
    """Write an aliased type in a union by its name: Sphinx leaves `TypeAliasForwardRef('Array')` there."""
    return tuple(text and re.sub(r"TypeAliasForwardRef\('(\w+)'\)", r"\1", text) for text in signature)


def setup(app: Any) -> None:
    """Read docstrings our way."""
    app.connect("autodoc-process-signature", with_plain_aliases)
    app.connect("autodoc-process-docstring", as_restructured_text)

"""`armdyn robots`: the catalog."""

from __future__ import annotations

from armdyn.cli.options import JsonOption
from armdyn.cli.output import print_json, print_table
from armdyn.formats import catalog, load


def robots(json: JsonOption = False) -> None:
    """List the built-in robots."""
    rows = [load(name) for name in catalog()]
    if json:
        print_json(
            {
                "robots": [
                    {"name": r.name, "joints": r.n, "source": r.source, "description": r.description}
                    for r in rows
                ]
            }
        )
        return
    print_table(
        "robots", ("name", "joints", "what", "source"), [(r.name, r.n, r.description, r.source) for r in rows]
    )

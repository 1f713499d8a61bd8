"""The pages of docs/ that are computed are those that the code computes today.

This is the one place that computes whole pages; what else tests say of a page they read from docs/.
"""

import html
import re
import sys
from importlib import import_module
from pathlib import Path

import pytest

from armdyn.studies.growth import growth
from armdyn.studies.growth_figure import drawn_text

DOCS = Path(__file__).parent.parent / "docs"
PAGES = {
    "counts": "counts.md",
    "licences": "licences.md",
    "speed": "speed.md",
    "bejczy1974": "papers/bejczy1974.md",
    "kvrgic2020": "papers/kvrgic2020.md",
    "milicevic2007": "papers/milicevic2007.md",
    "siciliano2009": "papers/siciliano2009.md",
    "szkodny1995": "papers/szkodny1995.md",
    "simulation_examples": "simulation-examples.md",
    "retiming_lola15": "retiming-lola15.md",
}
COMPILED = ("kvrgic2020", "simulation_examples", "retiming_lola15", "siciliano2009")
"""Pages that run whole programs or simulations: minutes without compiled kernels."""


@pytest.mark.parametrize("name", PAGES)
def test_the_page_is_up_to_date(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(DOCS / "generators"))
    if name in COMPILED:
        monkeypatch.setenv("ARMDYN_NATIVE", "quick")
    for module in [m for m in sys.modules if (DOCS / "generators" / f"{m}.py").exists()]:
        monkeypatch.delitem(sys.modules, module)
    written = (DOCS / PAGES[name]).read_text(encoding="utf-8")
    assert import_module(name).page() == written, "run `make pages`"


def test_the_figure_of_the_growth_is_up_to_date() -> None:
    """By the numbers that it says it draws: how they are drawn depends on the version of matplotlib."""
    figure = (DOCS / "figures" / "growth.svg").read_text(encoding="utf-8")
    said = re.search(r"<dc:description>(.*?)</dc:description>", figure, re.DOTALL)
    assert said is not None, "run `make pages`"
    assert html.unescape(said[1]) == drawn_text(growth()), "run `make pages`"

"""The pages of docs/ that are computed are those that the code computes today."""

import sys
from importlib import import_module
from pathlib import Path

import pytest

DOCS = Path(__file__).parent.parent / "docs"
PAGES = {
    "counts": "counts.md",
    "milicevic2007": "papers/milicevic2007.md",
    "szkodny1995": "papers/szkodny1995.md",
}


@pytest.mark.parametrize("name", PAGES)
def test_the_page_is_up_to_date(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(DOCS / "generators"))
    for module in [m for m in sys.modules if (DOCS / "generators" / f"{m}.py").exists()]:
        monkeypatch.delitem(sys.modules, module)
    written = (DOCS / PAGES[name]).read_text(encoding="utf-8")
    assert import_module(name).page() == written, "run `make pages`"

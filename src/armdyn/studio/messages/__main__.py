"""`python -m armdyn.studio.messages`: write the page's types into web/src/messages.ts."""

from __future__ import annotations

from pathlib import Path

from armdyn.studio.messages.typescript import typescript

if __name__ == "__main__":
    Path("web/src/messages.ts").write_text(typescript(), encoding="utf-8")

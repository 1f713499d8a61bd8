"""`python -m armdyn.studio.messages [FILE]`: write the page's types, by default into web/src/messages.ts."""

from __future__ import annotations

import sys
from pathlib import Path

from armdyn.studio.messages.typescript import typescript

PAGE = Path("web/src/messages.ts")

if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else PAGE
    target.write_text(typescript(), encoding="utf-8")

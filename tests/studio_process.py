"""`armdyn studio` as a process, started and stopped by tests."""

from __future__ import annotations

import re
import subprocess
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


class StudioProcess:
    """`armdyn studio` in a folder of its own."""

    def __init__(self, folder: Path, environment: dict[str, str] | None = None) -> None:
        self.folder = folder
        self.environment = environment
        self.process: subprocess.Popen[str] | None = None
        self.url = ""

    def start(self, *arguments: str) -> None:
        command = [sys.executable, "-m", "armdyn", "studio", "--no-open", *arguments]
        self.process = subprocess.Popen(
            command, cwd=self.folder, env=self.environment, stdout=subprocess.PIPE, text=True
        )
        assert self.process.stdout is not None
        for line in self.process.stdout:
            found = re.search(r"http://\S+", line)
            if found:
                self.url = found.group()
                return
        raise AssertionError("the studio ended before it told its address")

    def stop(self) -> None:
        if self.process is not None:
            self.process.terminate()
            self.process.wait(timeout=30)
            assert self.process.stdout is not None
            self.process.stdout.close()
            self.process = None

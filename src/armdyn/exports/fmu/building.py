"""The binary of an FMU, by the C compiler of this machine."""

from __future__ import annotations

import os
import platform
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path

COMPILERS = ("cc", "gcc", "clang")
FLAGS = ("-std=c99", "-O2", "-fPIC", "-shared", "-fvisibility=hidden", "-ffp-contract=off")
"""No product joins a sum as one operation: results are the same on every processor."""
TIMEOUT = 600
"""[s]"""
_SYSTEMS = {"Linux": ("linux", ".so"), "Darwin": ("darwin", ".dylib")}
_PROCESSORS = {"amd64": "x86_64", "x86_64": "x86_64", "arm64": "aarch64", "aarch64": "aarch64"}


class NotBuilt(Exception):  # noqa: N818  no error of armdyn's users: the export says it in `lost`
    """There is no binary."""


def binary(identifier: str, sources: Mapping[str, str]) -> dict[str, bytes]:
    """The binary by its place in an FMU; `NotBuilt` says why there is none."""
    system, suffix = _SYSTEMS.get(platform.system(), (None, ""))
    processor = _PROCESSORS.get(platform.machine().lower())
    if system is None or processor is None:
        raise NotBuilt(f"binaries for {platform.system()} on {platform.machine()} are not built here")
    with tempfile.TemporaryDirectory() as folder:
        for name, text in sources.items():
            Path(folder, name).write_text(text, encoding="ascii")
        built = Path(folder, f"{identifier}{suffix}")
        files = [name for name in sources if name.endswith(".c")]
        _run([*_compiler(), *FLAGS, *files, "-lm", "-o", built.name], folder)
        return {f"binaries/{processor}-{system}/{built.name}": built.read_bytes()}


def _compiler() -> list[str]:
    """The compiler that the variable CC names, or the first that there is."""
    asked = shlex.split(os.environ.get("CC", ""))
    for command in [asked] if asked else [[name] for name in COMPILERS]:
        if found := shutil.which(command[0]):
            return [found, *command[1:]]
    looked = asked[0] if asked else ", ".join(COMPILERS)
    raise NotBuilt(f"no C compiler is found (looked for {looked})")


def _run(command: list[str], folder: str) -> None:
    try:
        done = subprocess.run(  # noqa: S603  the user's own compiler
            command,
            cwd=folder,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=TIMEOUT,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise NotBuilt(f"{command[0]} did not run: {error}") from error
    if done.returncode:
        said = next((line for line in done.stderr.splitlines() if "error" in line), "no word why")
        raise NotBuilt(f"{command[0]} failed: {said}")

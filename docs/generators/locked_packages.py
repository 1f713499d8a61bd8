"""What requirements/dev.txt locks: versions, hashes, who asks for a package, and where it is used."""

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parent.parent.parent
LOCK = ROOT / "requirements" / "dev.txt"
DEVELOPMENT = ("test", "docs", "fuzz", "bench", "dev")
"""The extras that a user never needs."""

Use = Literal["run time", "extra", "development"]
USES: tuple[Use, ...] = ("run time", "extra", "development")
"""From what every user installs to what only developers do."""


@dataclass(frozen=True)
class Locked:
    """One requirement of the lock.

    Attributes:
        requirement: name, version and marker.
        hashes: of the files that may be installed.
        asked_by: the packages that need it; "armdyn" where pyproject.toml names it.
    """

    requirement: Requirement
    hashes: tuple[str, ...]
    asked_by: tuple[str, ...]

    @property
    def name(self) -> str:
        """The normalised name."""
        return canonicalize_name(self.requirement.name)

    @property
    def version(self) -> str:
        """The one version."""
        return str(self.requirement.specifier).removeprefix("==")


def locked(text: str | None = None) -> tuple[Locked, ...]:
    """The lock's requirements, in its order."""
    text = LOCK.read_text(encoding="utf-8") if text is None else text
    entries = re.split(r"^(?=[^\s#])", text, flags=re.MULTILINE)
    return tuple(_entry(entry) for entry in entries if entry and not entry.startswith("#"))


def _entry(text: str) -> Locked:
    head = text.splitlines()[0].removesuffix("\\").strip()
    below = re.findall(r"^ +#(?: via)?(?: +(\S+).*)?$", text, flags=re.MULTILINE)
    return Locked(
        Requirement(head),
        tuple(re.findall(r"--hash=(\S+)", text)),
        tuple(canonicalize_name(name) for name in below if name),
    )


def asked() -> dict[Use, list[Requirement]]:
    """What pyproject.toml asks for, armdyn's own extras left out."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    found: dict[Use, list[str]] = {use: [] for use in USES}
    found["run time"] += project["dependencies"]
    for extra, needs in project["optional-dependencies"].items():
        found["development" if extra in DEVELOPMENT else "extra"] += needs
    return {
        use: [need for need in map(Requirement, needs) if need.name != "armdyn"]
        for use, needs in found.items()
    }


def uses() -> dict[str, Use]:
    """Where each locked package is used: the widest use of those that ask for it."""
    askers: dict[str, set[str]] = {}
    for package in locked():
        askers.setdefault(package.name, set()).update(package.asked_by)
    found: dict[str, Use] = {}
    for use, needs in asked().items():
        reached = {canonicalize_name(need.name) for need in needs}
        while reached:
            found |= {name: use for name in reached if name not in found}
            reached = {name for name in askers if name not in found and askers[name] & set(found)}
    return found

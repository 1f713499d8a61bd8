"""docs/licences.md: everything that armdyn stands on, with its licence."""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from licences_allowed import ALLOWED, allowed
from licences_stated import licence
from locked_packages import ROOT, USES, Use, locked, uses

NOTICES = ROOT / "src" / "armdyn" / "studio" / "static" / "notices.txt"
NPM_LOCK = ROOT / "web" / "package-lock.json"

TITLES: dict[Use, str] = {
    "run time": "Whoever installs armdyn",
    "extra": "Whoever chooses an extra: `armdyn[studio]`, `[identify]`, `[opcua]`, `[casadi]`, `[cluster]`",
    "development": "Whoever works on armdyn: tests, docs, benchmarks, builds",
}

HEAD = """# Licences

armdyn is Apache-2.0. This is all that it stands on, direct and indirect, as locked in
`requirements/dev.txt` and `web/package-lock.json`, with what each package states as its licence
([SPDX](https://spdx.org/licenses/) names). armdyn's own files hold none of the Python packages: `pip`
installs them from their authors. The studio's page does hold parts of packages; their notices go with it,
in `studio/static/notices.txt`.

The tests compare this page with what is installed. A package that is new here and whose licence is on none
of the lists below, or which does not say its licence, fails them. `make pages` writes the page.

Wheels may carry libraries of others beside the package's own files, under licences of their own: those of
NumPy and SciPy the runtime library of GCC (GPL-3.0 with the exception for what it compiles), those of
symengine GMP, MPFR, MPC and FLINT (LGPL), those of casadi its solvers. Whoever passes these wheels on passes
those libraries on, too.
"""


@dataclass(frozen=True)
class Used:
    """A package, its licence and where it is used."""

    name: str
    version: str
    licence: str | None
    use: Use
    kind: str


def used() -> list[Used]:
    """Every package, Python's first."""
    return [*python_packages(), *bundled_packages(), *npm_packages()]


def python_packages() -> list[Used]:
    """What the lock names; versions that depend on the Python at hand stand together."""
    use = uses()
    versions: dict[str, list[str]] = {}
    for package in locked():
        versions.setdefault(package.name, []).append(package.version)
    return [Used(name, ", ".join(v), licence(name), use[name], "Python") for name, v in versions.items()]


def bundled_packages() -> list[Used]:
    """What the studio's page holds parts of: the build writes it into the notices."""
    notices = NOTICES.read_text(encoding="utf-8")
    heads = re.findall(r"^={80}\n(\S+) (\S+) \((.+)\)\n={80}$", notices, flags=re.MULTILINE)
    return [Used(name, version, terms, "run time", "page") for name, version, terms in heads]


def npm_packages() -> list[Used]:
    """What builds, lints and tests the page, and does not go into it."""
    bundled = {package.name for package in bundled_packages()}
    packages = json.loads(NPM_LOCK.read_text(encoding="utf-8"))["packages"]
    found = [(path.split("node_modules/")[-1], entry) for path, entry in packages.items() if path]
    return [
        Used(name, entry["version"], entry.get("license"), "development", "npm")
        for name, entry in found
        if name not in bundled
    ]


def refusals(packages: Iterable[Used]) -> list[str]:
    """A sentence for each package that may not be used, and what to do."""
    return [_refusal(package) for package in packages if not _may_be_used(package)]


def _may_be_used(package: Used) -> bool:
    return package.licence is not None and allowed(package.licence, package.use)


def _refusal(package: Used) -> str:
    subject = f"{package.kind} package {package.name} {package.version} ({package.use})"
    if package.licence is None:
        return f"{subject} is not installed or states no licence; read it, add it to licences_stated.py"
    return f"{subject}: {package.licence} is not allowed there; see docs/generators/licences_allowed.py"


def page() -> str:
    """The whole page."""
    packages = used()
    parts = [HEAD]
    for use in USES:
        parts.append(f"## {TITLES[use]}\n")
        parts += [_table(rows, kind) for kind, rows in _by_kind(packages, use).items() if rows]
        parts.append(_reasons(use))
    return "\n".join(parts)


def _by_kind(packages: Iterable[Used], use: Use) -> dict[str, list[Used]]:
    here = [package for package in packages if package.use == use]
    return {kind: [p for p in here if p.kind == kind] for kind in ("Python", "page", "npm")}


def _table(rows: list[Used], kind: str) -> str:
    titles = {"Python": "Python package", "page": "part of the studio's page", "npm": "npm package"}
    lines = sorted({f"| {row.name} | {row.version} | {row.licence} |" for row in rows})
    return "\n".join([f"| {titles[kind]} | version | licence |", "|---|---|---|", *lines]) + "\n"


def _reasons(use: Use) -> str:
    added = {"run time": "Allowed:", "extra": "Allowed beside these:", "development": "Allowed beside these:"}
    lines = [f"| {name} | {reason} |" for name, reason in ALLOWED[use].items()]
    return "\n".join([f"{added[use]}\n", "| licence | why |", "|---|---|", *lines]) + "\n"


def write(folder: Path) -> None:
    """Write the page into docs/."""
    (folder / "licences.md").write_text(page(), encoding="utf-8")

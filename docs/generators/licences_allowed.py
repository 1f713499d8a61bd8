"""The licences that what armdyn stands on may have, and why."""

import re

from locked_packages import USES, Use

PERMISSIVE = "use, change and pass on, with the notice kept"
ALLOWED: dict[Use, dict[str, str]] = {
    "run time": {
        "0BSD": "use without any condition",
        "Apache-2.0": PERMISSIVE,
        "Apache-2.0 WITH LLVM-exception": "Apache-2.0 without the notice in what is compiled",
        "BSD-2-Clause": PERMISSIVE,
        "BSD-3-Clause": PERMISSIVE,
        "CC0-1.0": "given to the public",
        "ISC": PERMISSIVE,
        "LicenseRef-matplotlib": "matplotlib's own, made after PSF-2.0: permissive",
        "MIT": PERMISSIVE,
        "MIT-0": "MIT without the notice",
        "MIT-CMU": PERMISSIVE,
        "PSF-2.0": PERMISSIVE,
        "Zlib": PERMISSIVE,
    },
    "extra": {
        "LGPL-3.0-or-later": "a library that the user chooses to install, imported unchanged, replaceable; "
        "armdyn holds none of its code and passes none of it on",
    },
    "development": {
        "BlueOak-1.0.0": PERMISSIVE,
        "BSL-1.0": PERMISSIVE,
        "GPL-3.0-or-later": "a file of docutils for an editor, not in its wheel; a tool, no part of armdyn",
        "LicenseRef-public-domain": "given to the public",
        "MPL-2.0": "binds changes of its own files; a tool, no part of armdyn",
        "Qhull": "permissive; changes must be marked",
    },
}
"""By use; what is allowed for a wider use is allowed for a narrower one, too."""

_WORD = re.compile(r"\(|\)|AND\b|OR\b|(?:(?!AND\b|OR\b)[^\s()]+(?: WITH [^\s()]+)?)")


def allowed(expression: str, use: Use) -> bool:
    """Whether one may use by it: all of what AND joins is allowed, or one of what OR joins."""
    known = {name for wider in USES[: USES.index(use) + 1] for name in ALLOWED[wider]}
    words = _WORD.findall(expression)
    answer = _any(words, known)
    assert not words, f"{expression!r} is no SPDX expression"
    return answer


def _any(words: list[str], known: set[str]) -> bool:
    answer = _all(words, known)
    while words and words[0] == "OR":
        words.pop(0)
        answer = _all(words, known) or answer
    return answer


def _all(words: list[str], known: set[str]) -> bool:
    answer = _one(words, known)
    while words and words[0] == "AND":
        words.pop(0)
        answer = _one(words, known) and answer
    return answer


def _one(words: list[str], known: set[str]) -> bool:
    word = words.pop(0)
    if word != "(":
        return word in known
    answer = _any(words, known)
    assert words.pop(0) == ")"
    return answer

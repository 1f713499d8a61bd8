"""The licence of an installed package, as an SPDX expression: as it states it, or as read by hand.

Packages that state no expression say it in older ways, some too vague ("BSD") or not at all; what their
licence files say stands in BY_HAND. A package that is new and vague has no licence here until somebody has
read it.
"""

from importlib.metadata import PackageMetadata, PackageNotFoundError, metadata

OLD_WAYS = {
    "0BSD": "0BSD",
    "Apache 2.0": "Apache-2.0",
    "Apache License, Version 2.0": "Apache-2.0",
    "Apache Software License": "Apache-2.0",
    "Apache-2.0": "Apache-2.0",
    "BSD 2-Clause License": "BSD-2-Clause",
    "BSD 3-Clause License": "BSD-3-Clause",
    "BSD-2-Clause": "BSD-2-Clause",
    "BSD-3-Clause": "BSD-3-Clause",
    "GNU Lesser General Public License v3 or later": "LGPL-3.0-or-later",
    "GNU Lesser General Public License v3 or later (LGPLv3+)": "LGPL-3.0-or-later",
    "ISC License": "ISC",
    "ISC License (ISCL)": "ISC",
    "MIT": "MIT",
    "MIT License": "MIT",
    "MPL-2.0": "MPL-2.0",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    "MPL-2.0 AND MIT": "MPL-2.0 AND MIT",
    "PSF-2.0": "PSF-2.0",
}
"""What the first line of `License` or the only classifier may say, and what it means without doubt."""

BY_HAND = {
    "alabaster": "BSD-3-Clause",
    "atheris": "Apache-2.0",
    "catkin-pkg": "BSD-3-Clause",
    "cmake": "Apache-2.0 AND BSD-3-Clause",  # the wheel's scripts and CMake itself
    "cmeel-qhull": "Qhull",
    "colorama": "BSD-3-Clause",  # on Windows only
    "cycler": "BSD-3-Clause",
    "docutils": "LicenseRef-public-domain AND BSD-2-Clause AND BSD-3-Clause AND GPL-3.0-or-later",
    "flexcache": "BSD-3-Clause",
    "fmpy": "BSD-2-Clause",
    "gitdb": "BSD-3-Clause",
    "importlib-metadata": "Apache-2.0",  # before Python 3.12 only
    "jinja2": "BSD-3-Clause",
    "kiwisolver": "BSD-3-Clause",
    "lazy-importer": "Apache-2.0",  # before Python 3.12 only
    "lz4": "BSD-3-Clause",
    "matplotlib": "LicenseRef-matplotlib",
    "mpmath": "BSD-3-Clause",
    "nodeenv": "BSD-3-Clause",
    "partd": "BSD-3-Clause",
    "pint": "BSD-3-Clause",
    "pyopengl": "BSD-3-Clause",
    "rospkg": "BSD-3-Clause",
    "scipy": "BSD-3-Clause",
    "sphinxcontrib-applehelp": "BSD-2-Clause",
    "sphinxcontrib-devhelp": "BSD-2-Clause",
    "sphinxcontrib-htmlhelp": "BSD-2-Clause",
    "sphinxcontrib-jsmath": "BSD-2-Clause",
    "sphinxcontrib-qthelp": "BSD-2-Clause",
    "sphinxcontrib-serializinghtml": "BSD-2-Clause",
    "sympy": "BSD-3-Clause",
    "wait-for2": "Apache-2.0",  # before Python 3.12 only
    "xacro": "BSD-3-Clause",
    "zict": "BSD-3-Clause",
    "zipp": "MIT",  # before Python 3.12 only
}
"""Read in the packages' licence files. Five of sphinxcontrib, pyopengl and rospkg have none in their wheels
(their classifier says BSD), and colorama is for Windows only: as their projects state them."""


def licence(name: str) -> str | None:
    """SPDX expression of a package's licence: as stated, as read by hand; None where nobody can say."""
    try:
        said = metadata(name)
    except PackageNotFoundError:
        return BY_HAND.get(name)
    return _expression(said) or BY_HAND.get(name) or stated(said)


def stated(said: PackageMetadata) -> str | None:
    """What a package's metadata say beyond doubt."""
    return _expression(said) or _in_old_ways(said)


def _expression(said: PackageMetadata) -> str | None:
    return next(iter(said.get_all("License-Expression", [])), None)


def _in_old_ways(said: PackageMetadata) -> str | None:
    text = "".join(said.get_all("License", [])).strip()
    classifiers = [
        line.split("::")[-1].strip()
        for line in said.get_all("Classifier", [])
        if line.startswith("License ::")
    ]
    words = text.splitlines()[0].strip() if text else classifiers[0] if len(classifiers) == 1 else ""
    return OLD_WAYS.get(words)

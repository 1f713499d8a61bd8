"""How the random tests draw their examples, and on which engine tests run.

"ci" draws the same examples in every run, so that a red run speaks of the change under test;
"thorough" (`make slow`) draws new ones and many more. Both print what reproduces a failure.
HYPOTHESIS_PROFILE chooses; the default is "ci".

Tests of equations draw hundreds of robots and would spend their time compiling each: they are
evaluated with NumPy, unless they are thorough. Those in COMPILED are compiled, but for the ones marked
`numpy`, and quickly: the bits are those of the best code, which takes twice as long to make. Those in
AS_USERS_DO run the best code, and agreement/test_kernels.py compares the two engines on every quantity.

Beside those marked where they stand, the tests that long_tests.txt names are slow.
"""

import atexit
import gc
import os
import shutil
import tempfile

import pytest
from hypothesis import settings

from long_tests import LIST, UNKNOWN, beginnings

COMPILED = (
    "native/",
    "dynamics/",
    "cli/",
    "motion/",
    "feasibility/",
    "exports/",
    "identification/",
    "retiming/",
    "simulation/",
    "studio/",
    "studio/live/",
    "sweep/",
    "studies/test_loads",
    "oracles/test_simulation",
    "oracles/test_kvrgic2020",
    "oracles/test_large_robots",
    "agreement/test_kernels",
    "test_documents",
)

LONG = beginnings(LIST.read_text(encoding="utf-8").splitlines())

AS_USERS_DO = ("native/", "agreement/test_kernels", "cli/test_cli")

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # workers share the processors: threads would only wait

if "ARMDYN_CACHE" not in os.environ:  # workers find it set: one folder for all
    os.environ["ARMDYN_CACHE"] = tempfile.mkdtemp(prefix="armdyn-tests-")
    atexit.register(shutil.rmtree, os.environ["ARMDYN_CACHE"], ignore_errors=True)


def pytest_xdist_auto_num_workers() -> int:
    return (os.cpu_count() or 1) + 1  # one of them waits for a browser most of the time


@pytest.hookimpl(tryfirst=True)  # before those that are not asked for are left out
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    unknown = set(LONG)
    for item in items:
        if f"{item.nodeid}[".startswith(LONG):
            item.add_marker(pytest.mark.slow)
            unknown -= {line for line in unknown if f"{item.nodeid}[".startswith(line)}
    if config.args == config.getini("testpaths"):
        config.stash[UNKNOWN] = unknown


def pytest_collection_finish() -> None:
    gc.freeze()  # what was imported stays: the collector need not look at it again and again


def pytest_runtest_setup(item: pytest.Item) -> None:
    thorough = os.environ.get("HYPOTHESIS_PROFILE") == "thorough"
    name = item.nodeid.removeprefix("tests/")
    compiled = name.startswith(COMPILED) and item.get_closest_marker("numpy") is None
    if thorough or name.startswith(AS_USERS_DO):
        os.environ["ARMDYN_NATIVE"] = "1"
    else:
        os.environ["ARMDYN_NATIVE"] = "quick" if compiled else "0"


settings.register_profile("ci", max_examples=10, deadline=None, derandomize=True, print_blob=True)
settings.register_profile("thorough", max_examples=1000, deadline=None, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))

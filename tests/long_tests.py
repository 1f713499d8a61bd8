"""Which tests take long, named in long_tests.txt: `make test` leaves them to `make slow`.

    PYTHONPATH=tests pytest -n auto -p long_tests    measures processor time, into build/processor_times
    python tests/long_tests.py                       adds what takes long to the list

Of a test with several cases the quickest always stays, and all that take less than LONG seconds. A test that
has one case alone is not added: it is made quicker, or named by hand above the measured ones if others go the
same ways. So are pages and examples: those that a new user sees first stay.
"""

from __future__ import annotations

import os
import shutil
from collections import defaultdict
from collections.abc import Generator
from pathlib import Path

import pytest

LONG = 0.4
"""[s]"""
BY_HAND = ("tests/browser/", "tests/test_documents.py", "tests/test_package.py")
MEASURED = "# measured: see long_tests.py"
LIST = Path(__file__).with_name("long_tests.txt")
ROOT = Path(__file__).parent.parent
TIMES = ROOT / "build" / "processor_times"
UNKNOWN = pytest.StashKey[set[str]]()
"""Lines of the list that name no test, where all were collected."""


def beginnings(lines: list[str]) -> tuple[str, ...]:
    """How tests begin that the list names, one "[" behind their names: all cases of a test, or some."""
    return tuple(line if "[" in line else f"{line}[" for line in lines if line.startswith("tests/"))


# Measuring ------------------------------------------------------------------------------------


def pytest_sessionstart() -> None:
    """Forget what was measured before."""
    if _worker() is None:
        shutil.rmtree(TIMES, ignore_errors=True)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Measure one test, and the processes that have ended in it."""
    before = os.times()
    result = yield
    passed = sum(os.times()[:4]) - sum(before[:4])
    TIMES.mkdir(parents=True, exist_ok=True)
    with (TIMES / f"{_worker() or 'alone'}.tsv").open("a", encoding="utf-8") as file:
        file.write(f"{item.nodeid}\t{passed:.3f}\n")
    return result


def _worker() -> str | None:
    return os.environ.get("PYTEST_XDIST_WORKER")


# Choosing -------------------------------------------------------------------------------------


def long_cases(times: dict[str, float], named: tuple[str, ...]) -> list[str]:
    """Cases that others of the same test stand for, beside those that are named already."""
    tests: defaultdict[str, list[str]] = defaultdict(list)
    for case in times:
        if not case.startswith(BY_HAND) and not f"{case}[".startswith(named):
            tests[case.partition("[")[0]].append(case)
    rest = (case for cases in tests.values() for case in sorted(cases, key=times.__getitem__)[1:])
    return [case.partition(str(ROOT))[0].rstrip() for case in rest if times[case] > LONG]


def main() -> None:
    """Add to the list."""
    text = LIST.read_text(encoding="utf-8")
    by_hand, _, measured = text.partition(MEASURED)
    rows = [line.split("\t") for file in TIMES.glob("*.tsv") for line in file.read_text("utf-8").splitlines()]
    times = {case: float(passed) for case, passed in rows}
    named = sorted({*measured.split("\n"), *long_cases(times, beginnings(text.split("\n")))} - {""})
    LIST.write_text("\n".join([by_hand + MEASURED, *named, ""]), encoding="utf-8")


if __name__ == "__main__":
    main()

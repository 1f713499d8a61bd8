"""The list of long tests: it names what there is, and leaves something of every test."""

import pytest

from long_tests import ROOT, UNKNOWN, beginnings, long_cases


def test_every_line_names_a_test(request: pytest.FixtureRequest) -> None:
    if UNKNOWN not in request.config.stash:
        pytest.skip("not all tests were collected")
    assert not request.config.stash[UNKNOWN]


def test_the_quickest_case_stays_however_often_is_measured() -> None:
    first = long_cases({"tests/a.py::t[1]": 0.5, "tests/a.py::t[2]": 0.6, "tests/a.py::t[3]": 3.0}, ())
    assert first == ["tests/a.py::t[2]", "tests/a.py::t[3]"]
    again = {"tests/a.py::t[1]": 0.9, "tests/a.py::t[2]": 0.6, "tests/a.py::t[3]": 3.0}
    assert long_cases(again, beginnings(first)) == []


def test_what_is_not_added() -> None:
    alone = {"tests/a.py::t": 9.0}
    by_hand = {"tests/browser/a.py::t[1]": 9.0, "tests/browser/a.py::t[2]": 9.0}
    quick = {"tests/b.py::t[1]": 0.1, "tests/b.py::t[2]": 0.3}
    assert long_cases({**alone, **by_hand, **quick}, ()) == []


def test_names_hold_in_every_folder() -> None:
    cases = {f"tests/a.py::t[verify {ROOT}/a.csv]": 0.5, "tests/a.py::t[none]": 0.1}
    assert long_cases(cases, ()) == ["tests/a.py::t[verify"]

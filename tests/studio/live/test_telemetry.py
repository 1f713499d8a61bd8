"""The format: text and binary say the same, and what is wrong is one sentence."""

import json
import math
from typing import Any

import numpy as np
import pytest

from armdyn.errors import InputError
from armdyn.studio.live.telemetry import (
    Sample,
    hello_of,
    layout_of,
    record_of,
    sample_of_text,
    samples_of_bytes,
)

LAYOUT = layout_of(("q", "tau"), 2, 0, "planar2")
GOOD: dict[str, Any] = {"sequence": 7, "time": 0.5, "q": [1, 2.5], "tau": [-3.0, 1e-3]}


def refused(content: Any) -> str:
    with pytest.raises(InputError) as caught:
        sample_of_text(content if isinstance(content, str) else json.dumps(content), LAYOUT)
    return str(caught.value)


def test_text_and_binary_say_the_same() -> None:
    by_text = sample_of_text(json.dumps(GOOD), LAYOUT)
    assert (by_text.sequence, by_text.time, by_text.values.tolist()) == (7, 0.5, [1.0, 2.5, -3.0, 1e-3])
    data = record_of(by_text, LAYOUT)
    assert len(data) == 16 + 4 * 8
    (by_bytes,) = samples_of_bytes(data, LAYOUT)
    assert isinstance(by_bytes, Sample)
    assert (by_bytes.sequence, by_bytes.time) == (7, 0.5)
    assert np.array_equal(by_bytes.values, by_text.values)


def test_a_frame_has_many_records_and_a_bad_one_stays_alone() -> None:
    samples = [Sample(k, k / 100, np.array([k, 0.0, math.nan if k == 1 else 0.0, 0.0])) for k in range(3)]
    found = samples_of_bytes(b"".join(record_of(each, LAYOUT) for each in samples), LAYOUT)
    assert [isinstance(each, Sample) for each in found] == [True, False, True]
    assert str(found[1]) == "sample 1: tau1 is no number, expected a finite number"
    with pytest.raises(
        InputError, match=r"frame has 47 bytes; a record of q, tau has 48, expected a multiple"
    ):
        samples_of_bytes(b"x" * 47, LAYOUT)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"q": [1]}, "sample 7: q has 1 element, expected a list of 2 numbers"),
        ({"q": 3}, 'sample 7: q is "3", expected a list of 2 numbers'),
        ({"q": [1, "x"]}, 'sample 7: q has "x", expected a list of 2 numbers'),
        ({"q": [1, True]}, 'sample 7: q has "True", expected a list of 2 numbers'),
        ({"q": [1, 10**400]}, "sample 7: q has too large a number, expected a list of 2 numbers"),
        ({"q": [1, math.nan]}, "sample 7: q2 is no number, expected a finite number"),
        ({"tau": [math.inf, 0]}, "sample 7: tau1 is inf, expected a finite number"),
        ({"time": -1}, "sample 7: time is -1, expected seconds from 0 on"),
        ({"time": math.nan}, "sample 7: time is nan, expected seconds from 0 on"),
        ({"time": None}, 'sample 7: time is "None", expected seconds'),
        ({"sequence": -1}, 'sample: sequence is "-1", expected a whole number of 0 or more'),
        ({"sequence": 1.5}, 'sample: sequence is "1.5", expected a whole number of 0 or more'),
        ({"qd": [0, 0]}, 'sample 7: "qd" is unknown; expected sequence, time, q, tau'),
    ],
)
def test_bad_samples_are_one_sentence(change: dict[str, Any], sentence: str) -> None:
    assert refused({**GOOD, **change}) == sentence


def test_what_is_no_sample_is_one_sentence() -> None:
    assert refused("{") == 'message "{" is not JSON, expected an object'
    assert refused("[" * 100_000).endswith("is not JSON, expected an object")
    assert refused("[1]") == 'message "[1]" is not an object, expected one'
    assert refused({k: v for k, v in GOOD.items() if k != "q"}) == (
        'sample 7: "q" is missing; expected sequence, time, q, tau'
    )


def test_hellos_say_what_comes() -> None:
    assert hello_of('{"hello": 1, "robot": "ur5", "fields": ["q"]}').name is None
    for text, sentence in [
        ('{"hello": 2, "robot": "ur5", "fields": ["q"]}', "hello: hello: Input should be 1"),
        ('{"hello": 1, "robot": "ur5", "fields": ["p"]}', "hello: fields.0: Input should be 'q'"),
        ('{"hello": 1, "robot": "ur5", "fields": ["q"], "x": 1}', "hello: x: Extra inputs"),
    ]:
        with pytest.raises(InputError) as caught:
            hello_of(text)
        assert str(caught.value).startswith(sentence)
    for fields, sentence in [
        (("tau",), "hello: fields are tau; expected q, each once"),
        (("q", "q"), "hello: fields are q, q; expected q, each once"),
        (("q", "tau", "current"), "hello: tau and current are given, expected one of them"),
        (("q", "current"), 'hello: current is given, robot "ur5" has no drives; send tau'),
    ]:
        with pytest.raises(InputError) as caught:
            layout_of(fields, 6, 0, "ur5")
        assert str(caught.value) == sentence

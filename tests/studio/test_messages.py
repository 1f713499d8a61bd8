"""The schema of the messages, and the page's types."""

from pathlib import Path
from typing import Any, get_args

import numpy as np
import pytest
from pydantic import ValidationError

from armdyn.studio.frames import Frame, packed, places, unpacked
from armdyn.studio.launch import parts
from armdyn.studio.messages import EVENTS, REQUESTS, RESULTS
from armdyn.studio.messages.run import TermsResult
from armdyn.studio.messages.typescript import typescript
from armdyn.studio.router import Router

PAGE = Path(__file__).parents[2] / "web" / "src" / "messages.ts"


def test_the_page_has_the_types_of_the_schema() -> None:
    assert PAGE.read_text(encoding="utf-8") == typescript(), "run `python -m armdyn.studio.messages`"


def test_every_request_has_a_result_and_someone_who_answers() -> None:
    assert REQUESTS.keys() == RESULTS.keys()
    answered = {name for part in parts() for name in part.handlers}
    assert answered == REQUESTS.keys()


@pytest.mark.parametrize("name", REQUESTS)
def test_requests_say_what_they_do(name: str) -> None:
    field: Any = REQUESTS[name].model_fields["do"]
    assert get_args(field.annotation) == (name,)


@pytest.mark.parametrize("name", EVENTS)
def test_events_say_what_they_are(name: str) -> None:
    field: Any = EVENTS[name].model_fields["event"]
    assert get_args(field.annotation) == (name,)


@pytest.mark.parametrize("name", REQUESTS)
def test_requests_take_nothing_that_the_schema_does_not_name(name: str) -> None:
    with pytest.raises(ValidationError, match="extra_forbidden"):
        REQUESTS[name].model_validate({"id": 1, "do": name, "strange": 1})


def test_a_router_says_what_is_wrong_with_a_request() -> None:
    router = Router(parts())
    for text, said in (
        ("{", "not JSON"),
        ("[]", "no object"),
        ('{"id": 1, "do": "fly"}', 'no request "fly"'),
        ('{"id": 1, "do": "state", "robot": "ur5", "q": "x"}', 'request "state", q'),
        ('{"id": 1, "do": "state", "robot": "ur5", "q": [NaN]}', "finite"),
    ):
        with pytest.raises(Exception, match=said):
            router.understood(text)


def test_a_frame_comes_back_as_it_was() -> None:
    arrays = {"time": np.arange(3.0), "tau": np.arange(6.0).reshape(3, 2)}
    frame = Frame(TermsResult(channels=[], arrays=places(arrays)), arrays)
    text, data = unpacked(frame.encoded(7))
    assert text.startswith('{"id":7,"result":{')
    assert len(text) % 4 == 0
    assert np.array_equal(np.frombuffer(data, "<f4"), [0, 1, 2, 0, 1, 2, 3, 4, 5])


def test_what_is_no_frame_is_refused() -> None:
    with pytest.raises(ValueError, match="no frame"):
        unpacked(packed("{}", {})[1:] + b"x")

"""Telemetry through a real server: bad messages, abrupt ends, slow pages, recordings, alarms."""

import json
import socket
import struct
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

import armdyn as ad
from armdyn.errors import InputError
from armdyn.identification.logs import read_log
from armdyn.studio.access import Access
from armdyn.studio.live import Telemetry
from armdyn.studio.live.client import address
from armdyn.studio.live.endpoint import Allowance
from armdyn.studio.live.telemetry import LARGEST_FRAME, MOST_PER_SECOND
from live_studio import PATIENCE, Page, moving, running_studio, until

T, Q, _, TAU = moving("planar2", 40.0)
HELLO = {"hello": 1, "robot": "planar2", "name": "arm", "fields": ["q", "tau"]}


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Access, Path]]:
    folder = tmp_path_factory.mktemp("studio")
    with running_studio(folder) as access:
        yield access, folder


@pytest.fixture
def page(studio: tuple[Access, Path]) -> Iterator[Page]:
    found = Page(studio[0])
    yield found
    found.close()


@contextmanager
def sender(access: Access, hello: Any = HELLO, **headers: str) -> Iterator[ClientConnection]:
    """A connection to /telemetry that has said its hello."""
    given = headers or {"Authorization": f"Bearer {access.token}"}
    url = f"ws://127.0.0.1:{access.port}/telemetry"
    with connect(url, additional_headers=given, compression=None, proxy=None, close_timeout=1) as found:
        found.send(json.dumps(hello) if not isinstance(hello, bytes) else hello)
        yield found


def said(connection: ClientConnection) -> dict[str, Any]:
    return json.loads(connection.recv(timeout=PATIENCE))


def records(first: int, last: int, tau: Any = TAU) -> bytes:
    rows = (struct.pack("<Qd4d", k, T[k], *Q[k], *tau[k]) for k in range(first, last))
    return b"".join(rows)


def watched(page: Page, name: str = "arm") -> Any:
    found = page.ask("live_watch", on=True, stream=name, seconds=0)
    assert found["watching"]["stream"]["name"] == name, found
    return found["watching"]


def status(page: Page, condition: Any) -> Any:
    event, _ = page.hear(lambda event, _: bool(event.get("status")) and condition(event["status"]))
    return event["status"]


# Who may send ---------------------------------------------------------------------------------


def test_only_programs_with_the_token_may_send(studio: tuple[Access, Path]) -> None:
    access, _ = studio
    cookie = f"{access.cookie_name}={access.cookie}"
    origin = f"http://127.0.0.1:{access.port}"
    for headers in (
        {"X-Nothing": "1"},
        {"Authorization": "Bearer wrong"},
        {"Cookie": cookie},
        {"Cookie": cookie, "Origin": origin},  # a page that is logged in is no controller
        {"Authorization": f"Bearer {access.token}", "Origin": "http://evil.example"},
        {"Authorization": f"Bearer {access.token}", "Host": "evil.example"},
    ):
        with pytest.raises((InvalidStatus, ConnectionClosed)), sender(access, **headers) as connection:
            said(connection)


@pytest.mark.parametrize(
    ("hello", "sentence"),
    [
        (b"\x00", "the first message is binary, expected a hello as JSON text"),
        ({}, "hello: hello: Field required"),
        ({**HELLO, "robot": "planar99"}, 'no robot "planar99"; did you mean'),
        ({**HELLO, "robot": "../../etc/passwd.toml"}, "is not below the folder of the studio"),
        ({**HELLO, "fields": ["q", "tau", "current"]}, "hello: tau and current are given"),
        ({**HELLO, "name": "x" * 81}, "hello: name: String should have at most 80 characters"),
    ],
)
def test_bad_hellos_are_refused_in_one_sentence(
    studio: tuple[Access, Path], hello: Any, sentence: str
) -> None:
    with sender(studio[0], hello) as connection:
        answer = said(connection)
        assert sentence in answer["problem"]
        assert answer["refused"]
        with pytest.raises(ConnectionClosed):
            said(connection)


def test_only_so_many_robots_send_at_once(
    studio: tuple[Access, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("armdyn.studio.live.hub.MOST_STREAMS", 2)
    access, _ = studio
    with sender(access, {**HELLO, "name": "first"}) as first:
        assert said(first)["welcome"]
        with sender(access, {**HELLO, "name": "second"}) as second, sender(access) as third:
            assert said(second)["welcome"]
            assert "2 robots send telemetry already; stop one of them first" in said(third)["problem"]
    with sender(access) as third:  # it takes the place of one that has gone
        assert said(third)["welcome"]


def test_links_and_addresses() -> None:
    assert address("http://h:1/login?token=abc", None) == ("ws://h:1/telemetry", "abc")
    assert address("ws://h:1", "abc") == ("ws://h:1/telemetry", "abc")
    with pytest.raises(InputError, match="no token is given"):
        address("http://h:1/", None)
    with pytest.raises(InputError, match="expected the link that `armdyn studio` prints"):
        address("h:1", "abc")


# What is sent ---------------------------------------------------------------------------------


def test_bad_messages_are_answered_and_the_stream_goes_on(studio: tuple[Access, Path], page: Page) -> None:
    with sender(studio[0]) as connection:
        assert said(connection)["welcome"]["widths"] == {"q": 2, "tau": 2}
        watched(page)
        connection.send(records(0, 50))
        for bad, sentence in [
            ("{", 'message "{" is not JSON, expected an object'),
            (
                struct.pack("<Qd4d", 9, 1.0, np.nan, 0, 0, 0),
                "sample 9: q1 is no number, expected a finite number",
            ),
            (b"\x00" * (LARGEST_FRAME + 1), f"expected {LARGEST_FRAME} or less; send fewer at once"),
        ]:
            time.sleep(1.05)  # sentences come once a second
            connection.send(bad)
            assert sentence in said(connection)["problem"]
        connection.send(records(50, 100))
        found = status(page, lambda status: status["received"] == 100)
        assert found["refused"] == 2
        assert (found["lost"], found["gaps"], found["late"]) == (0, 0, 0)


def test_sentences_do_not_come_more_often_than_once_a_second(studio: tuple[Access, Path]) -> None:
    with sender(studio[0], {**HELLO, "name": "chatter"}) as connection:
        said(connection)
        for _ in range(200):
            connection.send("{}")
        assert said(connection)["count"] == 1
        with pytest.raises(TimeoutError):
            connection.recv(timeout=0.3)
        time.sleep(1.0)
        connection.send("{}")
        assert said(connection)["count"] == 200


def test_samples_have_an_allowance() -> None:
    allowance = Allowance()
    now = time.monotonic() + 100
    assert sum(allowance.take(now) for _ in range(5000)) == MOST_PER_SECOND
    assert sum(allowance.take(now + 0.5) for _ in range(5000)) == MOST_PER_SECOND // 2
    assert all(allowance.take(now + 1 + k / MOST_PER_SECOND) for k in range(10 * MOST_PER_SECOND))


def test_abrupt_ends_and_reconnections(studio: tuple[Access, Path], page: Page) -> None:
    access, _ = studio
    hello = {**HELLO, "name": "abrupt"}
    with sender(access, hello) as connection:
        said(connection)
        scene = watched(page, "abrupt")
        connection.send(records(0, 100))
        status(page, lambda status: status["received"] == 100)
        raw = connection.socket
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        raw.shutdown(socket.SHUT_RD)
        raw.close()  # a reset, not a goodbye
    assert not status(page, lambda status: not status["connected"])["connected"]
    with sender(access, hello) as again:
        said(again)
        again.send(records(103, 200))
        found = status(page, lambda status: status["received"] == 197)
        assert (found["connected"], found["lost"]) == (True, 3)
        with sender(access, hello) as third:
            other = said(third)
        assert other["problem"] == '"abrupt" is sent by another connection, expected another name='
    with sender(access, {**hello, "fields": ["q"]}) as different:  # of another kind: another stream
        said(different)
        streams = page.ask("live_watch", on=True)["streams"]
        assert streams[0]["name"] == "abrupt"
        assert streams[0]["number"] > scene["stream"]["number"]


# What pages see -------------------------------------------------------------------------------


def test_pages_get_batches_alarms_and_settings(studio: tuple[Access, Path], page: Page) -> None:
    tau = TAU.copy()
    tau[300:400, 1] += 100.0
    with sender(studio[0], {**HELLO, "name": "shown"}) as connection:
        said(connection)
        scene = watched(page, "shown")
        assert scene["threshold"]["limits"] == [None, None]  # the largest torques of planar2 are not known
        assert page.ask("live_alarm", absolute=[20.0]) == {"limits": [20.0, 20.0], "duration": 0.1}
        connection.send(records(0, 250, tau))
        event, arrays = page.hear(lambda event, arrays: len(arrays.get("time", ())))
        assert arrays["measured"].shape == (len(arrays["time"]), 2)
        assert arrays["poses"].shape == (len(ad.load("planar2").bodies) + 1, 7)
        k = round((event["begin"] + float(arrays["time"][-1])) * 100)
        assert np.allclose(arrays["q"][-1], Q[k], atol=1e-3)
        assert np.abs(arrays["residual"]).max() < 1e-3 * np.abs(TAU).max()
        connection.send(records(250, 500, tau))
        event, _ = page.hear(lambda event, _: any(one["kind"] == "over" for one in event.get("events", ())))
        told = [
            one for batch, _ in page.events for one in batch.get("events", ()) if one["kind"] != "connection"
        ]
        assert [(one["kind"], one["joint"]) for one in told] == [("alarm", 1), ("over", 1)]
        assert told[0]["time"] == pytest.approx(3.0, abs=0.05)
        heavy = page.ask("live_settings", settings={"payload": {"mass": 20.0}}, window=0.2)
        assert (heavy["settings"]["payload"]["mass"], heavy["window"]) == (20.0, 0.2)
        connection.send(records(500, 1000))
        assert any(status(page, lambda status: any(status["alarm"]))["alarm"])
        assert "expected none of them locked" in page.ask("live_settings", settings={"locked": {"joint1": 0}})
        assert page.ask("live_alarm", share=-1).startswith("share is -1, expected more than 0")
        assert page.ask("live_watch", on=True, stream="shwn").startswith(
            'no stream "shwn"; did you mean "shown"?'
        )
        assert page.ask("live_watch", on=False)["watching"] is None


def test_a_page_that_comes_later_is_told_of_the_past(studio: tuple[Access, Path], page: Page) -> None:
    with sender(studio[0], {**HELLO, "name": "past"}) as connection:
        said(connection)
        connection.send(records(0, 1000))
        until(lambda: page.ask("live_watch", on=True, stream="past", seconds=2.0)["watching"])
        status(page, lambda now: now["received"] == 1000)
        page.events.clear()
        page.ask("live_watch", on=True, stream="past", seconds=2.0)
        _, arrays = page.hear(lambda event, arrays: len(arrays.get("time", ())))
        assert len(arrays["time"]) == 200


def test_a_slow_page_holds_up_nobody_and_loses_samples(studio: tuple[Access, Path], page: Page) -> None:
    access, _ = studio
    slow = socket.create_connection(("127.0.0.1", access.port))
    slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    asked = json.dumps({"id": 1, "do": "live_watch", "on": True, "stream": "crowd"}).encode()
    with sender(access, {**HELLO, "name": "crowd"}) as connection:
        said(connection)
        slow.sendall(
            "\r\n".join(
                (
                    "GET /ws HTTP/1.1",
                    f"Host: 127.0.0.1:{access.port}",
                    "Upgrade: websocket",
                    "Connection: Upgrade",
                    "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
                    "Sec-WebSocket-Version: 13",
                    f"Authorization: Bearer {access.token}",
                    "\r\n",
                )
            ).encode()
        )
        masked = bytes([0x81, 0x80 | 126]) + struct.pack(">H", len(asked)) + bytes(4) + asked
        slow.sendall(masked)  # and never reads again
        watched(page, "crowd")
        for k in range(0, 4000, 100):
            connection.send(records(k, k + 100))
            time.sleep(0.06)
        found = status(page, lambda status: status["received"] == 4000)
        assert found["refused"] == 0
        total = sum(len(arrays["time"]) for event, arrays in page.events if event["event"] == "live")
        assert total == 4000 - 10 - 20
    slow.close()


def test_recordings_are_begun_and_finished_by_pages(studio: tuple[Access, Path], page: Page) -> None:
    access, folder = studio
    with sender(access, {**HELLO, "name": "kept"}) as connection:
        said(connection)
        watched(page, "kept")
        assert page.ask("live_record", on=False) == "nothing is being recorded; begin a recording first"
        assert "is not below the folder" in page.ask("live_record", on=True, path="../run.mcap")
        assert "expected .mcap" in page.ask("live_record", on=True, path="run.csv")
        assert page.ask("live_record", on=True, path="run.mcap")["open"]
        assert page.ask("live_record", on=True) == "run.mcap is being recorded; stop it first"
        connection.send(records(0, 500))
        status(page, lambda status: status["recording"]["samples"] == 500)
        done = page.ask("live_record", on=False)
        assert (done["path"], done["samples"], done["lost"], done["failure"]) == ("run.mcap", 500, 0, None)
        files, _ = (
            page.events[-1]
            if page.events[-1][0]["event"] == "files"
            else page.hear(lambda event, _: event["event"] == "files")
        )
        assert "run.mcap" in [file["path"] for file in files["files"]]
        assert page.ask("live_record", on=False) == "nothing is being recorded; begin a recording first"
        told = status(page, lambda status: not status["recording"]["open"])["recording"]  # it stays known
        assert (told["path"], told["samples"]) == ("run.mcap", 500)
    log = read_log(folder / "run.mcap", ad.load("planar2"))
    assert np.array_equal(log.q, Q[:500])
    assert np.array_equal(log.effort, TAU[:500])


def test_a_server_that_ends_finishes_its_recordings(tmp_path: Path) -> None:
    with running_studio(tmp_path) as access:
        page = Page(access)
        with sender(access) as connection:
            said(connection)
            watched(page)
            page.ask("live_record", on=True, path="run.mcap")
            connection.send(records(0, 300))
            status(page, lambda status: status["received"] == 300)
    log = read_log(tmp_path / "run.mcap", ad.load("planar2"))
    assert len(log.time) == 300
    assert not any("its end is missing" in note for note in log.notes)


# The client -----------------------------------------------------------------------------------


def test_the_client_survives_a_studio_that_goes_and_comes(tmp_path: Path) -> None:
    problems: list[str] = []
    with running_studio(tmp_path) as access:
        telemetry = Telemetry(access.login_url, robot="planar2", waiting=50, on_problem=problems.append)
        for k in range(100):
            telemetry.send(T[k], Q[k], tau=TAU[k])
            time.sleep(0.001)
        until(lambda: telemetry.state.sent + telemetry.state.dropped == 100)
        assert telemetry.connected
    until(lambda: not telemetry.connected)
    begun = time.perf_counter()
    for k in range(100, 300):
        telemetry.send(T[k], Q[k], tau=TAU[k])  # nobody listens: returns at once, the oldest go
    assert time.perf_counter() - begun < PATIENCE
    assert telemetry.state.dropped >= 149
    with pytest.raises(
        InputError, match=r"sample has q \(1\), tau \(2\), expected q \(2\), tau \(2\) as the first"
    ):
        telemetry.send(0.0, Q[0][:1], tau=TAU[0])
    state = telemetry.close(within=0.1)
    assert problems
    assert state.connections == 1


def test_a_client_with_a_wrong_token_or_robot_says_so(studio: tuple[Access, Path]) -> None:
    access, _ = studio
    for url, robot, sentence in [
        (access.url + "login?token=wrong", "planar2", "the studio does not know this token"),
        (access.login_url, "planar99", 'no robot "planar99"'),
    ]:
        problems: list[str] = []
        telemetry = Telemetry(url, robot=robot, on_problem=problems.append)
        telemetry.send(T[0], Q[0], tau=TAU[0])
        until(problems.copy)
        telemetry.close(within=0)
        assert sentence in problems[0]


def test_a_hundred_samples_a_second_are_held(studio: tuple[Access, Path], page: Page) -> None:
    with Telemetry(studio[0].login_url, robot="planar2", name="steady") as telemetry:
        telemetry.send(T[0], Q[0], tau=TAU[0])
        until(lambda: telemetry.connected)
        watched(page, "steady")
        begun = time.monotonic()
        for k in range(1, 300):
            telemetry.send(T[k], Q[k], tau=TAU[k])
            time.sleep(max(0.0, begun + k / 100 - time.monotonic()))
        found = status(page, lambda status: status["received"] == 300)
    assert (telemetry.state.dropped, found["lost"], found["gaps"], found["refused"]) == (0, 0, 0, 0)
    shown = [arrays for event, arrays in page.events if event["event"] == "live"]
    assert sum(len(arrays["time"]) for arrays in shown) == 300 - 10 - 20
    assert len(shown) <= 50 * 4 + 5  # no more than 50 batches a second

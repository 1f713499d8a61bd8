"""Many clients at once, while others are cut off: all answers come, and nothing is left behind."""

import json
import socket
import struct
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import armdyn as ad
from armdyn.studio.clients import MOST_EVENTS
from armdyn.studio.messages.answers import FileEntry
from armdyn.studio.messages.events import FilesChanged
from armdyn.studio.studio import THREADS
from studio_pages import PATIENCE, RunningStudio

CLIENTS = 20
ROBOT = "planar2"
CLOSE_AT_ONCE = struct.pack("ii", 1, 0)
TEXT, MASKED = 0x81, 0x80


def _asking(studio: RunningStudio, seed: int, count: int) -> int:
    """How many answers are right of one client that asks for one posture after the other."""
    dyn = ad.Dynamics(ad.load(ROBOT))
    random = np.random.default_rng(seed)
    right = 0
    with studio.page() as page:
        for _ in range(count):
            q = random.uniform(-3, 3, 2)
            found = page.ask("state", robot=ROBOT, q=q.tolist(), want=["gravity"])
            right += np.allclose(found["gravity"], dyn.gravity(q))
    return right


def _upgraded(studio: RunningStudio) -> socket.socket:
    """A plain socket on which a websocket was agreed: nothing beside the test reads or closes it."""
    raw = socket.create_connection(("127.0.0.1", studio.access.port), PATIENCE)
    lines = (
        "GET /ws HTTP/1.1",
        f"Host: {studio.address}",
        f"Origin: {studio.url}",
        f"Cookie: {studio.cookie}",
        "Connection: Upgrade",
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
    )
    raw.sendall("\r\n".join((*lines, "", "")).encode())
    assert raw.recv(4096).startswith(b"HTTP/1.1 101")
    return raw


def _frame(text: str) -> bytes:
    """A request as it is on the wire, masked by zeros."""
    data = text.encode()
    return struct.pack("!BBH4x", TEXT, MASKED | 126, len(data)) + data


def _cut_off(studio: RunningStudio, k: int) -> None:
    """Leave in one of four ways: at once, within a frame, with a request under way, with one half closed."""
    request = _frame(json.dumps({"id": 1, "do": "state", "robot": ROBOT, "q": [0.1, 0.2]}))
    sent = (b"", request[: len(request) // 2], request, request)[k % 4]
    with _upgraded(studio) as raw:
        raw.sendall(sent)
        if k % 4 == 3:
            raw.shutdown(socket.SHUT_WR)
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, CLOSE_AT_ONCE)


def _all_have_left(studio: RunningStudio) -> bool:
    end = time.monotonic() + PATIENCE
    while studio.launched.studio.clients and time.monotonic() < end:
        time.sleep(0.05)
    return not studio.launched.studio.clients


@pytest.mark.parametrize(("count", "cuts"), [(10, 8), pytest.param(500, 400, marks=pytest.mark.slow)])
def test_twenty_clients_while_others_are_cut_off(studio: RunningStudio, count: int, cuts: int) -> None:
    with ThreadPoolExecutor(CLIENTS + 1) as threads:
        asking = [threads.submit(_asking, studio, seed, count) for seed in range(CLIENTS)]
        cutting = threads.submit(lambda: [_cut_off(studio, k) for k in range(cuts)])
        right = [one.result(10 * PATIENCE) for one in asking]
        cutting.result(10 * PATIENCE)
    assert right == [count] * CLIENTS
    assert _all_have_left(studio)


def test_a_page_that_takes_nothing_misses_events_and_holds_up_no_other(studio: RunningStudio) -> None:
    entries = [FileEntry(path=f"{k:0100d}.lirl", kind="program", size=1, changed=0.0) for k in range(20_000)]
    event = FilesChanged(files=entries)  # megabytes, more than sockets hold
    with _upgraded(studio), studio.page() as page:
        page.ask("files")
        for _ in range(MOST_EVENTS + 20):
            studio.publish(event)
            assert len(page.receive()[0]["files"]) == len(entries)
        dropped = sorted(client.dropped for client in studio.launched.studio.clients)
        assert dropped[0] == 0
        assert dropped[-1] >= 10
    assert _all_have_left(studio)


def test_a_state_that_takes_no_time_waits_for_no_thread(studio: RunningStudio) -> None:
    busy = threading.Event()
    with studio.page() as page:
        for _ in range(5):  # compiled, then timed
            page.ask("state", robot=ROBOT, q=[0.1, 0.2], want=["gravity"])
        for _ in range(THREADS):
            studio.launched.studio.in_background(lambda: busy.wait(PATIENCE))
        try:
            number = page.send("state", robot=ROBOT, q=[0.3, 0.4], want=["gravity"])
            assert json.loads(page.socket.recv(timeout=30.0))["id"] == number
        finally:
            busy.set()

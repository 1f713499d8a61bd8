"""An hour at 100 Hz, as fast as the server takes it: nothing is lost, and memory stays where it was."""

import json
import struct
import time
from pathlib import Path

import numpy as np
import pytest
from websockets.sync.client import connect

import armdyn as ad
from armdyn.identification.logs import read_log
from armdyn.studio.live.telemetry import MOST_PER_SECOND
from live_studio import Page, moving, running_studio

HOUR = 360_000
TOGETHER = 100
GROWTH = 40.0
"""[MB] The index of the recording and what an allocator keeps; all samples would be 290."""


def memory() -> float:
    text = Path("/proc/self/status").read_text()
    return next(int(line.split()[1]) for line in text.splitlines() if line.startswith("VmRSS")) / 1024


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="memory is read from /proc")
def test_an_hour_of_samples(tmp_path: Path) -> None:
    _, q, _, tau = moving("planar2", 10.0)
    with running_studio(tmp_path) as access:
        page = Page(access)
        with connect(
            f"ws://127.0.0.1:{access.port}/telemetry",
            additional_headers={"Authorization": f"Bearer {access.token}"},
            compression=None,
            proxy=None,
        ) as sender:
            sender.send(json.dumps({"hello": 1, "robot": "planar2", "fields": ["q", "tau"]}))
            sender.recv(timeout=60)
            page.ask("live_watch", on=True, seconds=0)
            page.ask("live_record", on=True, path="hour.mcap")
            begun = time.monotonic()
            grown = 0.0
            for first in range(0, HOUR, TOGETHER):
                rows = (
                    struct.pack("<Qd4d", k, k / 100, *q[k % len(q)], *tau[k % len(q)])
                    for k in range(first, first + TOGETHER)
                )
                sender.send(b"".join(rows))
                if first == 60_000:
                    grown = -memory()
                page.events.clear()
                page.hear(lambda event, _: event["event"] == "live")  # a page that keeps up
                time.sleep(max(0.0, begun + first / (0.8 * MOST_PER_SECOND) - time.monotonic()))
            event, _ = page.hear(lambda event, _: (event.get("status") or {}).get("received") == HOUR)
            grown += memory()
            done = page.ask("live_record", on=False)
        page.close()
    status = event["status"]
    assert (status["lost"], status["gaps"], status["late"], status["refused"]) == (0, 0, 0, 0)
    assert (done["samples"], done["lost"], done["failure"]) == (HOUR, 0, None)
    assert grown < GROWTH
    log = read_log(tmp_path / "hour.mcap", ad.load("planar2"))
    assert len(log.time) == HOUR
    assert np.array_equal(log.q[-len(q) :], q)

"""A running robot, watched: rate held, time from the sender to a page, processor and memory of the server.

The server is a process of its own, as `armdyn studio` starts it, that records all the while; the sender is
`Telemetry`, the page a websocket that takes every batch. First in real time at 100 Hz, then an hour's worth
of samples as fast as the studio allows, to see what memory does (`python benchmarks/telemetry.py --real-time`
takes the hour that a robot takes). The frames of the page itself are counted in
a browser, if there is one.
"""

import json
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import threading
import time
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from websockets.sync.client import connect

import armdyn as ad
from armdyn.studio.live import Telemetry

RATE = 100.0
SECONDS, QUICK_SECONDS = 30.0, 5.0
HOUR, QUICK_HOUR = 360_000, 20_000
FASTER = 1000.0
"""[Hz] At which an hour's worth is sent: below what the studio refuses."""
BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
FLAGS = [
    "--no-sandbox",
    "--use-gl=angle",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--ignore-gpu-blocklist",
    "--disable-gpu-compositing",
    "--disable-gpu-rasterization",
    "--disable-accelerated-2d-canvas",
]
SERVER = """
import sys
from pathlib import Path
from armdyn.studio.launch import Asked, launched
found = launched(Asked(folder=Path(sys.argv[1]), port=0, workers=1))
found.run(lambda: print(found.studio.access.login_url, flush=True))
"""


PIECES = 6
"""Of the hour, memory is looked at after each."""


def run(*, quick: bool = False, hour_rate: float = FASTER) -> list[dict[str, object]]:
    """Rows of quantity, value and unit."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["ARMDYN_STATE"] = folder
        server = subprocess.Popen([sys.executable, "-c", SERVER, folder], stdout=subprocess.PIPE, text=True)
        assert server.stdout is not None
        try:
            link = server.stdout.readline().strip()
            return _measured(link, server.pid, quick=quick, hour_rate=hour_rate)
        finally:
            server.terminate()
            server.wait()
            server.stdout.close()


def _measured(link: str, server: int, *, quick: bool, hour_rate: float) -> list[dict[str, object]]:
    page = Page(link)
    seconds, hour = (QUICK_SECONDS, QUICK_HOUR) if quick else (SECONDS, HOUR)
    with Telemetry(link, robot="ur5") as telemetry:
        motion = Motion(telemetry)
        while not telemetry.connected:  # the robot is compiled the first time
            motion.send(1.0, RATE)
        page.watch()
        motion.send(1.0, RATE)
        page.forget()
        used, begun = _processor(server), time.perf_counter()
        motion.send(seconds, RATE)
        share = (_processor(server) - used) / (time.perf_counter() - begun)
        time.sleep(0.5)
        delays = page.delays(motion.sent)
        rows = [
            _row("rate held at the page", page.rate(seconds), "Hz"),
            _row("batches to the page", page.batches / (seconds + 0.5), "1/s"),
            _row("to the page", page.bytes / (seconds + 0.5) / 1000, "kB/s"),
            _row("from send to page, median, without the filter's delay", 1e3 * np.median(delays), "ms"),
            _row(
                "from send to page, 99 %, without the filter's delay", 1e3 * np.quantile(delays, 0.99), "ms"
            ),
            _row("processor of the server, recording", 100 * share, "% of a core"),
        ]
        rows += _frames_per_second(link, motion)
        rows.append(_row("memory of the server before", memory_of(server), "MB"))
        for piece in range(1, PIECES + 1):
            motion.send(hour / hour_rate / PIECES, hour_rate)
            time.sleep(1.0)
            rows.append(_row(f"memory after {piece}/{PIECES} of an hour's samples", memory_of(server), "MB"))
        rows += [
            _row("samples in all", motion.count, ""),
            _row("lost, dropped or refused", telemetry.state.dropped + page.lost, ""),
        ]
    page.close()
    return rows


def _row(quantity: str, value: float, unit: str) -> dict[str, object]:
    return {"quantity": quantity, "value": round(float(value), 3), "unit": unit}


class Motion:
    """An arm that swings in sines, sent in real time."""

    def __init__(self, telemetry: Telemetry) -> None:
        """Nothing is sent yet."""
        self.telemetry, self.count, self.time = telemetry, 0, 0.0
        self.sent: dict[int, float] = {}
        self._dyn = ad.Dynamics(ad.load("ur5"))

    def send(self, seconds: float, rate: float) -> None:
        """Samples at a rate [Hz]; when each was sent is kept by its instant [ms]."""
        begun = time.perf_counter()
        w = 2 * np.pi * np.array([0.11, 0.17, 0.23, 0.19, 0.29, 0.13])
        for k in range(round(seconds * rate)):
            t = self.time + k / rate
            q, qd, qdd = 0.5 * np.sin(w * t), 0.5 * w * np.cos(w * t), -0.5 * w**2 * np.sin(w * t)
            tau = self._dyn.inverse(q, qd, qdd)
            time.sleep(max(0.0, begun + k / rate - time.perf_counter()))
            if rate == RATE:
                self.sent[round(1000 * t)] = time.perf_counter()
            self.telemetry.send(t, q.tolist(), tau=tau.tolist())
            self.count += 1
        self.time += seconds


class Page:
    """What a page takes, without a browser: when each sample came."""

    def __init__(self, link: str) -> None:
        """Connected, watching nothing yet."""
        token = link.partition("token=")[2]
        self._opening = connect(
            link.replace("http", "ws", 1).partition("login")[0] + "ws",
            additional_headers={"Authorization": f"Bearer {token}"},
            compression=None,
            proxy=None,
            max_size=None,
        )
        self._socket = self._opening.__enter__()
        self.came: dict[int, float] = {}
        self.batches = self.bytes = self.lost = self.skipped = 0
        self.delay = 0.1

    def watch(self) -> None:
        """Take batches from now on, in a thread; and record."""
        self._socket.send(json.dumps({"id": 1, "do": "live_watch", "on": True, "seconds": 0}))
        self._socket.send(json.dumps({"id": 2, "do": "live_record", "on": True}))
        threading.Thread(target=self._take, daemon=True).start()

    def _take(self) -> None:
        for message in self._socket:
            if isinstance(message, str):
                continue
            now = time.perf_counter()
            _, length = struct.unpack_from("<II", message)
            said = json.loads(message[8 : 8 + length])
            count = said["arrays"][0]["shape"][0]
            times = said["begin"] + np.frombuffer(message, "<f4", count, 8 + length)
            self.came.update((round(1000 * float(t)), now) for t in times)
            self.batches += 1
            self.bytes += len(message)
            self.skipped += said["skipped"]
            if status := said["status"]:
                self.delay = status["delay"]
                self.lost = status["lost"] + status["refused"] + status["late"] + self.skipped

    def forget(self) -> None:
        """Count from now on."""
        self.came.clear()
        self.batches = self.bytes = 0

    def rate(self, seconds: float) -> float:
        """[Hz] of the samples that came."""
        return len(self.came) / seconds

    def delays(self, sent: dict[int, float]) -> np.ndarray:
        """[s] from the sending of the sample that completes a filter's window to the page."""
        later = round(1000 * self.delay)
        return np.array([now - sent[t + later] for t, now in self.came.items() if t + later in sent])

    def close(self) -> None:
        """Leave."""
        self._socket.close()


def _frames_per_second(link: str, motion: Motion) -> list[dict[str, object]]:
    """Frames that a browser draws while telemetry comes; nothing where there is no browser."""
    if BROWSER is None or find_spec("playwright") is None:
        return []
    from playwright.sync_api import sync_playwright

    count = """() => new Promise((done) => {
        let n = 0;
        const begun = performance.now();
        const next = () => {
            n += 1;
            const t = performance.now() - begun;
            t > 4000 ? done(1000 * n / t) : requestAnimationFrame(next);
        };
        requestAnimationFrame(next);
    })"""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=BROWSER, args=FLAGS)
        page = browser.new_page(viewport={"width": 1400, "height": 850})
        page.goto(link)
        page.get_by_role("tab", name="Live").click()
        sending = threading.Thread(target=motion.send, args=(9.0, RATE))
        sending.start()
        page.get_by_role("figure", name="Residual").wait_for()
        page.wait_for_timeout(2000)
        frames = page.evaluate(count)
        browser.close()
        sending.join()
    return [_row("frames of the page, drawn by software", frames, "1/s")]


def _processor(process: int) -> float:
    """[s] of processor that a process has used."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory_of(process: int) -> float:
    """[MB] that a process has in memory."""
    text = Path(f"/proc/{process}/status").read_text()
    return next(int(line.split()[1]) for line in text.splitlines() if line.startswith("VmRSS")) / 1024


if __name__ == "__main__":
    hour_rate = RATE if "--real-time" in sys.argv else FASTER
    for row in run(quick="--quick" in sys.argv, hour_rate=hour_rate):
        print(f"{row['quantity']:60} {row['value']:>12} {row['unit']}")

"""How quick the studio is: its server over a real socket, and its page in a real browser.

The server is a process of its own, as `armdyn studio` starts it. Its figures are from a request sent to its
answer read: of one client, and of twenty at once, which are threads of this process and wait for one another,
too. Those of the page come from Chromium without a graphics card, 1400x850, if there is one. `spike` is what
the first trial of the technology had, on another machine; the bare page is what the same browser does here
with a page that does nothing. `telemetry` has the figures of a running robot.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import resources
from importlib.util import find_spec
from pathlib import Path
from statistics import median, quantiles
from threading import Barrier
from typing import Any

from bare_page import bare_page
from telemetry import BROWSER, FLAGS, memory_of
from websockets.sync.client import connect

Row = dict[str, Any]
REPEATS, QUICK_REPEATS = 400, 50
LOLA = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]
STATES = {
    "state": ["gravity", "mass_matrix"],
    "state with motors": ["gravity", "mass_matrix", "motor"],
    "state with ellipsoid": ["ellipsoid"],
    "state with polytope": ["polytope"],
    "state with reactions": ["reactions"],
}
CLIENTS = 20
SECONDS, QUICK_SECONDS = 10.0, 1.0
"""For which they ask."""
PATIENCE = 120_000
"""[ms]"""


@dataclass(frozen=True)
class Studio:
    """A studio that runs: its login link, and its process."""

    link: str
    process: int


def run(*, quick: bool = False) -> list[Row]:
    """Rows of part, quantity, value, unit, and what the first trial had."""
    with tempfile.TemporaryDirectory() as folder, _studio(Path(folder)) as studio:
        rows = [*_server(studio.link, QUICK_REPEATS if quick else REPEATS)]
        rows += [*_crowd(studio, QUICK_SECONDS if quick else SECONDS), *_bundle()]
        if BROWSER is None or find_spec("playwright") is None:
            return rows
        return [*rows, *_page(studio.link)]


def _row(part: str, quantity: str, value: float, unit: str, spike: float | None = None) -> Row:
    return {"part": part, "quantity": quantity, "value": value, "unit": unit, "spike": spike}


@contextmanager
def _studio(folder: Path) -> Iterator[Studio]:
    """A studio that runs as long as it is needed."""
    command = [sys.executable, "-m", "armdyn", "studio", "lola15", "--no-open", "--folder", str(folder)]
    state = {**os.environ, "ARMDYN_STATE": str(folder / ".state")}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=state) as running:
        assert running.stdout is not None
        link = next(found.group() for line in running.stdout if (found := re.search(r"http://\S+", line)))
        yield Studio(link, running.pid)
        running.terminate()


# The server -----------------------------------------------------------------------------------


class Client:
    """A program that asks one thing after the other."""

    def __init__(self, socket: Any) -> None:
        """Over a websocket."""
        self.socket = socket

    def ask(self, do: str, **request: Any) -> str | bytes:
        """The answer as it comes."""
        self.socket.send(json.dumps({"id": 1, "do": do, **request}))
        while True:
            data = self.socket.recv()
            if isinstance(data, bytes) or not data.startswith(('{"id":1,"progress"', '{"event"')):
                return data


@contextmanager
def _client(link: str) -> Iterator[Client]:
    """A client of a studio."""
    address, token = link.split("/login?token=")
    bearer = {"Authorization": f"Bearer {token}"}
    url = f"{address.replace('http', 'ws')}/ws"
    with connect(url, additional_headers=bearer, max_size=None, compression=None) as socket:
        yield Client(socket)


def _server(link: str, repeats: int) -> Iterator[Row]:
    with _client(link) as client:
        client.ask("robot", robot="lola15")
        for name, want in STATES.items():
            yield from _latencies(name, lambda k, want=want: _ask_state(client, k, want), repeats)
        text = json.loads(client.ask("read", path="lola15"))["result"]["text"]
        yield from _latencies("check of a program", lambda _: client.ask("check", text=text), repeats // 10)
        yield from _verification(client, text)


def _ask_state(client: Client, k: int, want: list[str]) -> object:
    return client.ask("state", robot="lola15", q=[LOLA[0] + 1e-4 * k, *LOLA[1:]], want=want)


def _latencies(name: str, ask: Callable[[int], object], repeats: int) -> Iterator[Row]:
    for k in range(3):
        ask(-k)
    times: list[float] = []
    for k in range(repeats):
        start = time.perf_counter()
        ask(k)
        times.append(1e3 * (time.perf_counter() - start))
    yield _row("server", f"{name}, median", median(times), "ms")
    yield _row("server", f"{name}, 95 %", quantiles(times, n=20)[-1], "ms")


def _crowd(studio: Studio, seconds: float) -> Iterator[Row]:
    """Many clients that ask for one state after the other, all at once."""
    before, ready = memory_of(studio.process), Barrier(CLIENTS)
    with ThreadPoolExecutor(CLIENTS) as threads:
        asking = [threads.submit(_asking, studio.link, ready, seconds) for _ in range(CLIENTS)]
        times = [passed for one in asking for passed in one.result()]
    yield _row(f"{CLIENTS} clients", "states in all", len(times) / seconds, "1/s")
    yield _row(f"{CLIENTS} clients", "state, median", median(times), "ms")
    yield _row(f"{CLIENTS} clients", "state, 99 %", quantiles(times, n=100)[-1], "ms")
    yield _row(f"{CLIENTS} clients", "memory of the server before", before, "MB")
    yield _row(f"{CLIENTS} clients", "memory of the server after", memory_of(studio.process), "MB")


def _asking(link: str, ready: Barrier, seconds: float) -> list[float]:
    """[ms] for each answer of one client, from when all are connected."""
    times: list[float] = []
    with _client(link) as client:
        _ask_state(client, 0, STATES["state"])
        ready.wait()
        end = time.perf_counter() + seconds
        while (start := time.perf_counter()) < end:
            _ask_state(client, len(times), STATES["state"])
            times.append(1e3 * (time.perf_counter() - start))
    return times


def _verification(client: Client, text: str) -> Iterator[Row]:
    """New each time, so that nothing is known of it."""
    data = client.ask("verify", text=text)
    times: list[float] = []
    for k in range(5):
        start = time.perf_counter()
        client.ask("verify", text=text + " " * (k + 1))
        times.append(1e3 * (time.perf_counter() - start))
    yield _row("server", "verification of Lola 15, best", min(times), "ms")
    yield _row("server", "its run, 1152 samples", len(data) / 1e6, "MB")


def _bundle() -> Iterator[Row]:
    folder = Path(str(resources.files("armdyn.studio") / "static"))
    size = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
    page = (folder / "index.html").read_text(encoding="utf-8")
    shared = set(re.findall(r'modulepreload" href="([\w./-]+)"', page))  # others come later
    first = sum((folder / name).stat().st_size for name in ("index.html", "studio.js", "style.css", *shared))
    yield _row("bundle", "all files", size / 1e6, "MB")
    yield _row("bundle", "what a page needs first", first / 1e6, "MB")


# The page -------------------------------------------------------------------------------------

SLIDE = """([slider, status]) => new Promise((done) => {
  const times = [];
  const step = () => {
    const before = status.textContent, start = performance.now();
    const seen = new MutationObserver(() => {
      if (status.textContent === before) return;
      seen.disconnect();
      times.push(performance.now() - start);
      if (times.length < 60) setTimeout(step, 30); else done(times);
    });
    seen.observe(status, { childList: true, characterData: true, subtree: true });
    const range = Number(slider.max) - Number(slider.min);
    slider.value = String(Number(slider.min) + range * (0.3 + 0.4 * ((times.length * 7) % 11) / 11));
    slider.dispatchEvent(new Event("input", { bubbles: true }));
  };
  step();
})"""
"""[ms] From the move of a slider to another torque in the page, again and again."""
FRAMES = """() => new Promise((done) => {
  const start = performance.now();
  let frames = 0;
  const frame = () => {
    frames += 1;
    const passed = performance.now() - start;
    if (passed < 5000) requestAnimationFrame(frame); else done((1000 * frames) / passed);
  };
  requestAnimationFrame(frame);
})"""
"""Frames per second, counted for five seconds."""


def _page(link: str) -> list[Row]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=BROWSER, args=FLAGS)
        try:
            page = browser.new_page(viewport={"width": 1400, "height": 850})
            page.set_default_timeout(PATIENCE)
            rows = [*_ready(page, link), *_slider(page), *_playback(page), *_memory(page)]
            page.close()
            return [*rows, *_bare(browser.new_page(viewport={"width": 1400, "height": 850}))]
        finally:
            browser.close()


def _bare(page: Any) -> Iterator[Row]:
    with bare_page() as address:
        times: list[float] = []
        for _ in range(3):
            page.goto("about:blank")
            start = time.perf_counter()
            page.goto(address)
            page.locator("body[data-ready]").wait_for()
            times.append(time.perf_counter() - start)
        yield _row("bare page", "page ready, best of 3", min(times), "s")
        slider, told = page.get_by_role("slider"), page.get_by_role("status")
        slid = page.evaluate(SLIDE, [slider.element_handle(), told.element_handle()])
        yield _row("bare page", "slider to text, median", median(slid), "ms")
        yield _row("bare page", "slider to text, 95 %", quantiles(slid, n=20)[-1], "ms")
        page.keyboard.press("p")
        yield _row("bare page", "playback", page.evaluate(FRAMES), "frames/s")


def _ready(page: Any, link: str) -> Iterator[Row]:
    """From the link to the arm in the picture."""
    times: list[float] = []
    for _ in range(3):
        page.goto("about:blank")
        start = time.perf_counter()
        page.goto(link)
        page.get_by_role("button", name="Choose robot, now lola15").wait_for()
        page.wait_for_function("() => document.querySelector('.stage canvas').width > 300")
        times.append(time.perf_counter() - start)
    yield _row("page", "page ready, best of 3", min(times), "s", 1.3)


def _slider(page: Any) -> Iterator[Row]:
    page.get_by_role("status", name="Verdict").wait_for()  # the run of what was opened takes the arm along
    page.get_by_role("tab", name="Pose").first.click()
    slider = page.get_by_role("slider", name=re.compile("joint2")).first.element_handle()
    status = page.get_by_role("status", name="Torque of joint2")
    status.filter(has_text=re.compile(r"\d")).wait_for()
    times = page.evaluate(SLIDE, [slider, status.element_handle()])
    yield _row("page", "slider to torque, median", median(times), "ms", 3.4)
    yield _row("page", "slider to torque, 95 %", quantiles(times, n=20)[-1], "ms")


def _playback(page: Any) -> Iterator[Row]:
    page.get_by_role("tab", name="Program").first.click()
    page.get_by_role("button", name="Run", exact=True).click()
    page.get_by_role("status", name="Verdict").wait_for()
    page.get_by_role("button", name="Play", exact=True).click()
    yield _row("page", "playback", page.evaluate(FRAMES), "frames/s", 60.0)


def _memory(page: Any) -> Iterator[Row]:
    used = page.evaluate("() => performance.memory ? performance.memory.usedJSHeapSize : 0")
    yield _row("page", "JavaScript memory with a run", used / 1e6, "MB")

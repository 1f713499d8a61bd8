"""OPC UA: a real server, a real subscription, and the studio behind it; mappings in one sentence."""

import asyncio
import json
import re
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest

from armdyn.errors import InputError
from armdyn.studio.live import Telemetry
from armdyn.studio.live.mapping import read_mapping
from armdyn.studio.live.merging import Rows
from armdyn.studio.live.opcua import Bridge
from armdyn.studio.server import bound
from command_line import called
from live_studio import Page, moving, running_studio, until

asyncua = pytest.importorskip("asyncua", reason="OPC UA is an extra")

ROOT = Path(__file__).parents[3]
T, Q, _, TAU = moving("planar2", 30.0, rate=50.0)
MAPPING = """
robot = "planar2"
name = "cell"
url = "{url}"
period = 0.02

[nodes]
q = "ns=2;s=q"
tau = ["ns=2;s=tau1", "ns=2;s=tau2"]

[units]
q = "deg"
tau = "N*mm"
"""


# From nodes to rows ---------------------------------------------------------------------------


def test_values_of_one_instant_become_one_row() -> None:
    rows = Rows(2, 0.01)
    assert rows.put(0, 1.000, "a") == []
    assert rows.put(1, 1.001, "x") == [(1.000, ["a", "x"])]
    assert rows.put(1, 1.011, "y") == []
    assert rows.put(0, 1.010, "b") == [(1.011, ["b", "y"])]


def test_rows_that_come_in_bursts_are_told_apart() -> None:
    rows = Rows(2, 0.01)
    assert [rows.put(0, k / 100, f"a{k}") for k in range(4)] == [[]] * 4
    found = [row for k in range(4) for row in rows.put(1, k / 100 + 0.002, f"b{k}")]
    assert found == [(k / 100, [f"a{k}", f"b{k}"]) for k in range(4)]


def test_what_has_not_changed_is_not_waited_for_long() -> None:
    rows = Rows(2, 0.01)
    assert rows.put(0, 0.0, "a") == []
    assert rows.put(1, 0.0, "x") == [(0.0, ["a", "x"])]
    found = [row for k in range(1, 10) for row in rows.put(0, k / 100, f"a{k}")]
    assert found == [(k / 100, [f"a{k}", "x"]) for k in range(1, 4)]
    assert rows.put(1, 0.005, "late") == []  # its row has gone


# Mappings -------------------------------------------------------------------------------------


def mapping_of(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "mapping.toml"
    path.write_text(text)
    return path


def test_the_mapping_of_the_example_is_read() -> None:
    mapping = read_mapping(ROOT / "examples/live/opcua.toml")
    assert (mapping.robot, len(mapping.fields["q"]), len(mapping.fields["tau"])) == ("ur5", 1, 6)
    assert mapping.factors["q"] == (pytest.approx(np.pi / 180),)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (("[nodes]", "[nodes"), "not valid TOML"),
        (("opc.tcp", "http"), "url: 'http://h:1': expected the address of an OPC UA server"),
        (('q = "ns=2;s=q"', ""), "fields are tau; expected q, each once"),
        (('"deg"', '"N"'), 'units.q is "N", expected a unit of angle or length'),
        (('"deg"', '"parsnip"'), 'units.q is "parsnip", expected a unit of angle or length'),
        (("period = 0.02", "period = 0"), "period: 0: expected a number greater than or equal to 0.001"),
        (('name = "cell"', 'nmae = "cell"'), 'nmae: unknown field; did you mean "name"'),
    ],
)
def test_bad_mappings_are_one_sentence(tmp_path: Path, change: tuple[str, str], sentence: str) -> None:
    path = mapping_of(tmp_path, MAPPING.format(url="opc.tcp://h:1").replace(*change))
    with pytest.raises(InputError) as caught:
        read_mapping(path)
    assert re.match(rf"{re.escape(str(path))}(, line \d+)?: ", str(caught.value))
    assert sentence in str(caught.value)


# All of it ------------------------------------------------------------------------------------


class Robot:
    """An OPC UA server in a thread that writes a motion again and again."""

    def __init__(self, port: int) -> None:
        self.url = f"opc.tcp://127.0.0.1:{port}"
        self.stop = threading.Event()
        self.writing = threading.Event()
        self.thread = threading.Thread(target=lambda: asyncio.run(self._run()))
        self.thread.start()
        assert self.writing.wait(20)

    async def _run(self) -> None:
        ua = asyncua.ua
        server = asyncua.Server()
        await server.init()
        server.set_endpoint(self.url)
        space = await server.register_namespace("urn:test")
        objects = server.nodes.objects
        q = await objects.add_variable(ua.NodeId("q", space), "q", [0.0, 0.0])
        tau = [await objects.add_variable(ua.NodeId(f"tau{k}", space), f"tau{k}", 0.0) for k in (1, 2)]
        async with server:
            begun = time.time()
            self.writing.set()
            for k in range(len(T)):
                if self.stop.is_set():
                    return
                await asyncio.sleep(max(0.0, begun + T[k] - time.time()))
                stamp = datetime.fromtimestamp(begun + T[k], UTC)
                values = [np.degrees(Q[k]).tolist(), *(1000 * TAU[k]).tolist()]
                for node, value in zip([q, *tau], values, strict=True):
                    await node.write_value(ua.DataValue(ua.Variant(value), SourceTimestamp=stamp))

    def close(self) -> None:
        self.stop.set()
        self.thread.join(20)
        assert not self.thread.is_alive()


@contextmanager
def robot(port: int) -> Iterator[Robot]:
    found = Robot(port)
    try:
        yield found
    finally:
        found.close()


def free_port() -> int:
    listening = bound("127.0.0.1", 0)
    port = listening.getsockname()[1]
    listening.close()
    return port


@pytest.mark.filterwarnings("ignore")  # asyncua leaves tasks behind when it ends
def test_nodes_arrive_at_the_studio(tmp_path: Path) -> None:
    port = free_port()
    mapping = read_mapping(mapping_of(tmp_path, MAPPING.format(url=f"opc.tcp://127.0.0.1:{port}")))

    async def bridged(telemetry: Telemetry) -> None:
        running = asyncio.create_task(Bridge(mapping, telemetry).run())
        while telemetry.state.sent < 100:
            await asyncio.sleep(0.02)
        running.cancel()

    with running_studio(tmp_path) as access, robot(port):
        page = Page(access)
        with Telemetry(access.login_url, robot=mapping.robot, name=mapping.name) as telemetry:
            thread = threading.Thread(target=lambda: asyncio.run(bridged(telemetry)))
            thread.start()
            until(lambda: page.ask("live_watch", on=True)["watching"])
            said, _ = page.hear(lambda event, _: (event.get("status") or {}).get("received", 0) >= 100)
            thread.join()
        page.close()
    batches = [arrays for _, arrays in page.events if "measured" in arrays]
    assert np.nanmax(np.abs(np.concatenate([each["measured"] for each in batches]))) > 100  # N m, not N mm
    largest = 0.02 * np.abs(TAU).max()
    assert np.nanmax(np.abs(np.concatenate([each["residual"] for each in batches]))) < largest
    assert (said["status"]["lost"], telemetry.state.dropped) == (0, 0)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_the_command_goes_on_after_a_restart_of_the_server(tmp_path: Path) -> None:
    port = free_port()
    path = mapping_of(tmp_path, MAPPING.format(url=f"opc.tcp://127.0.0.1:{port}"))
    with running_studio(tmp_path) as access:
        command = [sys.executable, "-m", "armdyn", "telemetry", str(path), access.login_url, "--json"]
        bridge = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        try:
            page = Page(access)
            with robot(port):
                until(lambda: page.ask("live_watch", on=True)["watching"])
                said, _ = page.hear(lambda event, _: (event.get("status") or {}).get("received", 0) >= 100)
            before = said["status"]["received"]
            with robot(port):
                page.hear(lambda event, _: (event.get("status") or {}).get("received", 0) >= before + 100)
            page.close()
        finally:
            bridge.terminate()
            out, err = bridge.communicate(timeout=20)
    document = json.loads(out)
    assert (bridge.returncode, document["dropped"]) == (0, 0)
    assert document["sent"] >= 200
    assert f"opc.tcp://127.0.0.1:{port}" in err  # it was away for a while


def test_bad_input_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = mapping_of(tmp_path, MAPPING.format(url="opc.tcp://h:1"))
    for arguments, sentence in [
        (
            (str(tmp_path / "none.toml"), "http://h:1/login?token=x"),
            "none.toml: no such file",
        ),
        ((str(path), "nowhere"), 'url is "nowhere", expected the link that `armdyn studio` prints'),
        ((str(path), "http://h:1/"), "no token is given"),
    ]:
        done = called(monkeypatch, capsys, ["telemetry", *arguments])
        assert (done.code, done.out) == (2, "")
        assert sentence in done.err
        assert done.err.count("\n") == 1

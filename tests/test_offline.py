"""armdyn asks nobody: no command, no call and no page needs a network, and none tries to reach one.

Processes run watched (`watched/sitecustomize.py`): what they ask of the network is written down and refused.
Where the system allows it they run again where there is no network at all.
"""

import shlex
import shutil
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from websockets.sync.client import connect

from armdyn.cli.main import COMMANDS
from studio_pages import Page
from studio_process import StudioProcess
from watched_processes import WITHOUT_NETWORK, Watch, can_be_without_network

ROOT = Path(__file__).parent.parent

SHORT = (
    "robots",
    "show planar3",
    "dynamics planar3 --q 0,0.1,0.2 --qdd 1,1,1",
    "coefficients planar3 --q 0,0.1,0.2",
    "derive planar3 gravity",
    "counts planar3 --quantity gravity",
    "motors lola15 examples/motions/lola15_swing.csv",
    "simulate planar3 --controller pd_gravity --duration 0.02",
    "export planar3 --to urdf --out urdf",
    "cache",
)
LONG = (
    "verify panda --report report.html",
    "study planar3 gravity",
    "retime panda --mode uniform",
    "excite planar3 --steps 2 --out excitation.csv",
    "identify planar3 examples/logs/planar3_check.csv --out found.toml",
    "export planar3 --to c --out c",
    "export planar3 --to casadi --out casadi",
    "export planar3 --to fmu --out fmu",
    "bench --robot planar2 --quick",
    "sweep study.toml --workers 1 --summary",
    "demo",
)
TALKING = ("studio", "telemetry")
"""Verbs whose job is to talk: the studio to this machine, telemetry to the two servers it is given."""

OWN_PROGRAMS = {"python", "python3", "cc", "as", "ld", "fc-list"}
"""What may be started: workers, the C compiler of `export --to fmu`, and matplotlib's look for fonts."""

IN_ONE_PROCESS = """
import sys
from armdyn.cli.main import main
for line in LINES:
    sys.argv = ["armdyn", *line]
    try:
        main()
    except SystemExit as leave:
        assert leave.code == 0, (line, leave.code)
"""

LIBRARY = """
import numpy as np
import armdyn as ad
arm = ad.load("planar3")
dyn = ad.Dynamics(arm)
q = np.zeros((4, arm.n))
dyn.forward(q, q, dyn.inverse(q, q, q))
dyn.inverse_derivatives(q, q, q)
dyn.jacobian(q)
ad.derive(arm, "gravity", 2)
ad.simulate(arm, 0.01, torque=[0.0] * arm.n)
"""


@pytest.fixture
def watch(tmp_path: Path) -> Watch:
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    shutil.copy(ROOT / "examples" / "studies" / "first.toml", tmp_path / "study.toml")
    return Watch(tmp_path)


def commands_in_one_process(lines: tuple[str, ...]) -> str:
    return f"LINES = {[shlex.split(line) for line in lines]}\n{IN_ONE_PROCESS}"


def test_every_verb_is_tried_here() -> None:
    tried = {line.split()[0] for line in SHORT + LONG} | set(TALKING)
    verbs = set(COMMANDS)
    assert tried == verbs, "a new verb needs a line in SHORT or LONG"


def test_commands_and_calls_ask_nobody(watch: Watch, tmp_path: Path) -> None:
    watch.python("-c", LIBRARY + commands_in_one_process(SHORT), folder=tmp_path)
    assert watch.asked == []
    assert watch.started <= OWN_PROGRAMS


ASKS = """
import socket
try:
    socket.create_connection(({host!r}, 9), 1)
except OSError as error:
    print(type(error).__name__, error.strerror)
"""


def test_who_asks_is_seen_and_refused(watch: Watch, tmp_path: Path) -> None:
    """By name and by address, in a process and in one that it starts: the watch sees what it is there for."""
    by_name, by_address = (ASKS.format(host=host) for host in ("nobody.invalid", "192.0.2.1"))
    child = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {by_address!r}], check=True)"
    assert watch.python("-c", by_name, folder=tmp_path).startswith("PermissionError")
    assert watch.python("-c", child, folder=tmp_path).startswith("PermissionError")
    assert {event.arguments[0] for event in watch.asked if not event.own} == {
        "nobody.invalid",
        "192.0.2.1",
    }


def test_the_studio_talks_to_this_machine_alone(watch: Watch, tmp_path: Path) -> None:
    """Server and worker, with a page that asks for a state and for a job."""
    studio = StudioProcess(tmp_path, watch.environment)
    studio.start("planar3", "--workers", "1")
    link = urlsplit(studio.url)
    token = {"Authorization": f"Bearer {parse_qs(link.query)['token'][0]}"}
    try:
        with connect(f"ws://{link.netloc}/ws", additional_headers=token, proxy=None) as socket:
            page = Page(socket)
            assert page.ask("state", robot="planar3", q=[0, 0.1, 0.2])["torque"]
            assert page.ask("derive", robot="planar3", quantity="gravity")["equations"]
    finally:
        studio.stop()
    bound = [event.arguments[0] for event in watch.asked if event.event == "socket.bind"]
    assert bound == [str(("127.0.0.1", 0))]  # any port that is free
    assert [event for event in watch.asked if not event.own] == []
    assert watch.started <= OWN_PROGRAMS


@pytest.mark.slow
@pytest.mark.parametrize("line", SHORT + LONG)
def test_each_command_asks_nobody(line: str, watch: Watch, tmp_path: Path) -> None:
    watch.python("-m", "armdyn", *shlex.split(line), folder=tmp_path)
    assert watch.asked == []
    assert {name.rstrip("0123456789.") for name in watch.started} <= OWN_PROGRAMS


@pytest.mark.slow
@pytest.mark.skipif(not can_be_without_network(), reason="this system takes the network away from nobody")
@pytest.mark.parametrize("line", SHORT + LONG)
def test_each_command_works_where_there_is_no_network(line: str, watch: Watch, tmp_path: Path) -> None:
    watch.python("-m", "armdyn", *shlex.split(line), folder=tmp_path, before=WITHOUT_NETWORK)


@pytest.mark.slow
@pytest.mark.skipif(not can_be_without_network(), reason="this system takes the network away from nobody")
def test_there_is_no_network_where_there_is_none(tmp_path: Path) -> None:
    """Not even this machine's own address can be reached there."""
    said = Watch(tmp_path).python(
        "-c", ASKS.format(host="127.0.0.1"), folder=tmp_path, before=WITHOUT_NETWORK
    )
    assert said == "OSError Network is unreachable\n"

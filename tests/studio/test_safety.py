"""Attacks: refused, and the studio goes on serving."""

import json
import os
import socket
import stat
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from websockets.exceptions import ConnectionClosed, InvalidStatus

from armdyn.errors import InputError
from armdyn.studio.access import Access, is_loopback
from armdyn.studio.folder import Folder
from armdyn.studio.launch import Asked, launched
from armdyn.studio.remembered import Remembered, remember, remembered
from armdyn.studio.server import LARGEST_MESSAGE
from armdyn.studio.studio import MOST_CLIENTS
from studio_pages import PATIENCE, Failed, Page, RunningStudio


@pytest.fixture(autouse=True)
def still_serving(studio: RunningStudio) -> Any:
    """Whatever was done to it, the next page is served."""
    yield
    with studio.page() as page:
        assert page.ask("hello")["robots"]


# Who asks -------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["/", "/index.html", "/ws", "/mesh/a/b/c.stl", "/download/x", "/nothing"])
def test_nothing_without_a_login(studio: RunningStudio, path: str) -> None:
    assert httpx.get(studio.url + path).status_code == 403
    wrong = {"Cookie": f"{studio.access.cookie_name}=wrong"}
    assert httpx.get(studio.url + path, headers=wrong).status_code == 403


def test_the_login_link_sets_a_cookie_that_scripts_do_not_see(studio: RunningStudio) -> None:
    with httpx.Client(follow_redirects=False) as browser:
        answer = browser.get(studio.access.login_url)
        assert answer.status_code == 303
        assert answer.headers["location"] == "/"
        said = answer.headers["set-cookie"].lower()
        assert "httponly" in said
        assert "samesite=strict" in said
        assert studio.access.token.lower() not in said
        assert browser.get(studio.url + "/").status_code == 200


@pytest.mark.parametrize("token", ["", "wrong", "é", "a" * 5000])
def test_a_wrong_token_is_refused(studio: RunningStudio, token: str) -> None:
    answer = httpx.get(f"{studio.url}/login", params={"token": token})
    assert answer.status_code == 403
    assert "set-cookie" not in answer.headers


def test_the_page_may_run_its_own_scripts_alone(studio: RunningStudio) -> None:
    answer = httpx.get(studio.url + "/", headers={"Cookie": studio.cookie})
    policy = dict(part.strip().split(" ", 1) for part in answer.headers["content-security-policy"].split(";"))
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == "'self'"
    assert policy["frame-ancestors"] == "'none'"
    assert "unsafe" not in policy["style-src"]
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert "server" not in answer.headers


@pytest.mark.parametrize(
    "headers",
    [
        {"Cookie": ""},
        {"Cookie": "armdyn_studio_1=x"},
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": ""},
        {"Origin": "http://localhost"},
        {"Cookie": "", "Authorization": "Bearer wrong"},
    ],
)
def test_foreign_websockets_are_refused(studio: RunningStudio, headers: dict[str, str]) -> None:
    with pytest.raises(InvalidStatus) as told:
        studio.connection(**headers)
    assert told.value.response.status_code == 403


def test_a_token_in_a_browser_is_no_login(studio: RunningStudio) -> None:
    bearer = f"Bearer {studio.access.token}"
    with pytest.raises(InvalidStatus):
        studio.connection(Cookie="", Authorization=bearer, Origin="http://evil.example")
    with studio.connection(Cookie="", Authorization=bearer, Origin="") as program:
        assert Page(program).ask("files")["complete"]


@pytest.mark.parametrize("host", ["evil.example", "evil.example:{port}", "127.0.0.1:1", "", "localhost"])
def test_foreign_names_are_refused(studio: RunningStudio, host: str) -> None:
    """A page of another site cannot reach the studio by a name of its own that leads here."""
    sent = host.format(port=studio.access.port)
    headers = {"Host": sent, "Cookie": studio.cookie}
    assert httpx.get(studio.url + "/", headers=headers).status_code in (400, 421)
    assert httpx.get(studio.access.login_url, headers=headers).status_code in (400, 421)


def test_own_names_are_known() -> None:
    local = Access("t", "127.0.0.1", 80)
    assert [local.knows_host(host) for host in ("localhost:80", "[::1]:80", "x:80")] == [True, True, False]
    assert local.knows_host("localhost")  # browsers leave out port 80
    assert not Access("t", "127.0.0.1", 8080).knows_host("localhost")
    everywhere = Access("t", "0.0.0.0", 80)
    assert everywhere.knows_host("192.168.1.7:80")
    assert everywhere.knows_host(f"{socket.gethostname()}:80")
    assert not everywhere.knows_host("evil.example:80")
    assert [is_loopback(host) for host in ("127.0.0.2", "::1", "localhost", "0.0.0.0", "example.org")] == [
        *(True, True, True, False, False)
    ]


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS"])
def test_http_changes_nothing(studio: RunningStudio, method: str) -> None:
    answer = httpx.request(method, studio.url + "/", headers={"Cookie": studio.cookie})
    assert answer.status_code == 405


def test_other_machines_need_a_word(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="--allow-remote"):
        launched(Asked(folder=tmp_path, host="0.0.0.0"))


# What is sent ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    ["", "{", "null", "[]", "7", '"x"', "{}", '{"id":1}', '{"do":"hello"}', '{"id":1,"do":7}', "\x00"],
)
def test_what_is_no_request_is_answered_by_a_sentence(page: Page, text: str) -> None:
    page.socket.send(text)
    message, _ = page.receive()
    assert message["error"]["message"]


@pytest.mark.parametrize("depth", [100, 100_000])
def test_deep_messages_are_refused(page: Page, depth: int) -> None:
    page.socket.send('{"id":1,"do":"study","robot":"ur5","kind":"x","options":' + "[" * depth)
    assert page.receive()[0]["error"]["message"]


def _exchanged(page: Page, data: Any) -> None:
    page.socket.send(data)
    page.receive()


def test_large_messages_end_the_connection(studio: RunningStudio) -> None:
    """By their length, before they are here."""
    with closing(_raw_socket(studio)) as raw:
        raw.sendall(b"\x81\xff" + (LARGEST_MESSAGE + 1).to_bytes(8, "big") + bytes(4) + b"x")
        assert _closing_code(raw) == 1009


def test_large_messages_in_pieces_end_it_too(studio: RunningStudio) -> None:
    piece = b"\xfe" + (60000).to_bytes(2, "big") + bytes(4) + b"x" * 60000
    with closing(_raw_socket(studio)) as raw:
        raw.sendall(b"\x01" + piece)
        for _ in range(LARGEST_MESSAGE // 60000 - 1):
            raw.sendall(b"\x00" + piece)
        raw.sendall(b"\x00\xff" + (120000).to_bytes(8, "big"))
        assert _closing_code(raw) == 1009


def _closing_code(raw: socket.socket) -> int:
    """Of the frame with which the server ends a connection."""
    raw.settimeout(PATIENCE)
    stream = raw.makefile("rb")
    while stream.readline().strip():  # what is left of the handshake
        pass
    head = stream.read(2)
    assert head[0] == 0x88
    return int.from_bytes(stream.read(2), "big")


def test_large_texts_are_refused(page: Page) -> None:
    with pytest.raises(Failed, match="text: too long, expected at most 1048576 characters"):
        page.ask("check", text="x" * (2**20 + 1))


def test_binary_messages_end_the_connection(studio: RunningStudio) -> None:
    with studio.page() as page, pytest.raises(ConnectionClosed) as told:
        _exchanged(page, b"hello")
    assert told.value.rcvd is not None
    assert told.value.rcvd.code == 1003


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
NAMES = st.sampled_from(
    ["hello", "state", "robot", "solve", "check", "read", "write", "slow", "cancel", "files", "live_watch"]
)
FIELDS = st.sampled_from(
    ["robot", "q", "text", "path", "settings", "want", "matrix", "shares", "of", "job", "overwrite", "on"]
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(do=NAMES | JSON, number=st.integers() | JSON, more=st.dictionaries(FIELDS, JSON, max_size=4))
def test_any_message_has_an_answer(page: Page, do: Any, number: Any, more: dict[str, Any]) -> None:
    page.socket.send(json.dumps({**more, "id": number, "do": do}))
    message: dict[str, Any] = {"event": ""}
    while "event" in message:
        message, _ = page.receive()
    assert "error" in message or "result" in message
    assert "fault" not in json.dumps(message.get("error"))


def test_too_many_pages_are_told_to_come_later(studio: RunningStudio) -> None:
    with ExitStack() as stack:
        pages = [stack.enter_context(studio.page()) for _ in range(MOST_CLIENTS)]
        pages[0].ask("files")
        one_more = stack.enter_context(studio.page())
        with pytest.raises(ConnectionClosed) as told:
            one_more.ask("files")
        assert told.value.rcvd is not None
        assert told.value.rcvd.code == 1013


def test_a_page_that_does_not_read_holds_up_no_other(studio: RunningStudio, page: Page) -> None:
    request = json.dumps({"id": 1, "do": "robot", "robot": "lola15"}) + " " * 60000
    raw = _raw_socket(studio)
    try:
        raw.settimeout(0.5)
        with pytest.raises(TimeoutError):  # its answers pile up until it is not listened to any more
            raw.sendall(2000 * _masked(request))
        assert page.ask("state", robot="pendulum", q=[0.1])["torque"]
    finally:
        raw.close()


def _raw_socket(studio: RunningStudio) -> socket.socket:
    """A websocket by hand, whose receiving side is small and never read."""
    raw = socket.socket()
    raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    raw.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
    raw.connect(("127.0.0.1", studio.access.port))
    lines = (
        "GET /ws HTTP/1.1",
        f"Host: {studio.address}",
        f"Origin: {studio.url}",
        f"Cookie: {studio.cookie}",
        "Upgrade: websocket",
        "Connection: Upgrade",
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
        "Sec-WebSocket-Version: 13",
    )
    raw.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
    assert b"101" in raw.recv(20)
    return raw


def _masked(text: str) -> bytes:
    data = text.encode()
    return b"\x81\xfe" + len(data).to_bytes(2, "big") + bytes(4) + data


# Files ----------------------------------------------------------------------------------------

OUTSIDE = [
    "../secret.lirl",
    "/etc/passwd.lirl",
    "a/../../secret.lirl",
    "..\\secret.lirl",
    "C:\\secret.lirl",
    "link.lirl",
    "way_out/secret.lirl",
    "./../secret.lirl",
    "file:///etc/passwd.lirl",
    "\x00.lirl",
    "a\nb.lirl",
]


@pytest.mark.parametrize("path", OUTSIDE)
def test_files_outside_the_folder_are_out_of_reach(page: Page, path: str) -> None:
    with pytest.raises(Failed, match="not below the folder"):
        page.ask("read", path=path)
    with pytest.raises(Failed, match="not below the folder"):
        page.ask("write", path=path, text="x", overwrite=True)
    with pytest.raises(Failed, match="not below the folder"):
        page.ask("verify", file=path, robot="ur5")


@pytest.mark.parametrize("path", ["passwd", ".bashrc", "x.py", "x.lirl.exe", "..", "/", "x.csv"])
def test_other_kinds_of_files_are_out_of_reach(page: Page, path: str) -> None:
    with pytest.raises(Failed, match="expected"):
        page.ask("read", path=path)
    with pytest.raises(Failed, match="expected"):
        page.ask("write", path=path, text="x")


@pytest.mark.parametrize(
    "path",
    [
        "/../pyproject.toml",
        "/%2e%2e/%2e%2e/server.py",
        "/..%2f..%2fserver.py",
        "/static/../server.py",
        "/%00",
        "//etc/passwd",
        "/mesh/x/Lw/etc/passwd.stl",
    ],
)
def test_no_address_leads_out(studio: RunningStudio, path: str) -> None:
    with socket.create_connection(("127.0.0.1", studio.access.port)) as raw:  # httpx would tidy it up
        head = f"GET {path} HTTP/1.1\r\nHost: {studio.address}\r\nCookie: {studio.cookie}\r\n"
        raw.sendall(f"{head}Connection: close\r\n\r\n".encode())
        answer = raw.makefile("rb").read()
    assert answer.split(b" ", 2)[1] in (b"400", b"404")
    assert b"import" not in answer


def test_a_folder_must_be_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is none"):
        Folder.of(tmp_path / "missing")
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match="is a file"):
        Folder.of(tmp_path / "file")


# What is remembered ---------------------------------------------------------------------------


def test_token_and_port_are_kept_for_the_user_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARMDYN_STATE", str(tmp_path / "state"))
    first = remembered(tmp_path)
    assert first.port is None
    assert remembered(tmp_path) != first
    remember(tmp_path, Remembered(first.token, 8123))
    assert remembered(tmp_path) == Remembered(first.token, 8123)
    (file,) = (tmp_path / "state" / "studio").iterdir()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    file.chmod(0o644)
    assert remembered(tmp_path).token != first.token  # others could have read it
    file.chmod(0o600)
    file.write_text('{"token": "short", "port": 1}')
    assert remembered(tmp_path).port is None


@pytest.mark.skipif(os.getuid() == 0, reason="root may write everywhere")
def test_where_nothing_can_be_kept_each_start_is_new(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARMDYN_STATE", "/proc/nothing")
    remember(tmp_path, Remembered("t", 1))
    assert remembered(tmp_path).port is None

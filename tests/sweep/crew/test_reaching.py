"""Addresses where nobody is are told at once."""

import socket
import time
from threading import Thread

import pytest

from armdyn.sweep.crew.reaching import unreachable
from command_line import assert_refused, called
from sweep_runs import study_file


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


@pytest.mark.parametrize(
    ("said", "found"),
    [
        (b"hello", None),
        (b"", "the connection is closed at once"),
        (None, "somebody listens, but says nothing"),
    ],
    ids=["speaks", "closes", "is silent"],
)
def test_who_listens_must_speak(said: bytes | None, found: str | None) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        speaker = Thread(target=lambda: speak(server, said), daemon=True)
        speaker.start()
        why = unreachable("127.0.0.1", server.getsockname()[1], greeting=0.2)
    assert why == found or (found and why and why.startswith(found))


def speak(server: socket.socket, said: bytes | None) -> None:
    connected, _ = server.accept()
    with connected:
        if said is None:
            connected.recv(1)  # until the other one leaves
        else:
            connected.sendall(said)


def test_who_need_not_speak_is_there() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        assert unreachable("127.0.0.1", server.getsockname()[1], greeting=None) is None


def test_who_refuses_is_told_by_the_system() -> None:
    assert unreachable("127.0.0.1", free_port()) == "Connection refused"


@pytest.mark.parametrize("host", ["a" * 70, "a..b"])
def test_a_name_that_nobody_has(host: str) -> None:
    assert unreachable(host, 1)


def test_a_name_that_is_looked_up_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    def slow(*_args: object, **_options: object) -> None:
        time.sleep(1)
        raise OSError("nobody")

    monkeypatch.setattr(socket, "create_connection", slow)
    begun = time.monotonic()
    assert unreachable("head", 8786, seconds=0.05, greeting=None) == "no answer within 0.05 s"
    assert time.monotonic() - begun < 0.9


@pytest.mark.parametrize(
    ("address", "sentence"),
    [
        ("a..b:1", "no Dask cluster with workers answers at a..b:1: "),
        ("tcp://127.0.0.1:{port}", "Connection refused; start one, or take --dask local"),
    ],
)
def test_a_sweep_asks_no_client_where_nobody_is(
    address: str, sentence: str, tmp_path, monkeypatch: pytest.MonkeyPatch, capsys
) -> None:
    """A client would try for a minute."""
    distributed = pytest.importorskip("distributed")
    monkeypatch.setattr(distributed, "Client", lambda *_args, **_options: pytest.fail("a client was made"))
    words = ("sweep", str(study_file(tmp_path, 20)), "--dask", address.format(port=free_port()))
    assert_refused(called(monkeypatch, capsys, words), sentence)

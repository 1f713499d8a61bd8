"""A studio starts, is left and found again."""

import json
import subprocess
import sys
from pathlib import Path

import httpx
import pytest
from websockets.exceptions import ConnectionClosed

from armdyn.errors import InputError
from armdyn.studio.launch import Asked, launched
from studio_pages import RunningStudio


def test_a_page_finds_its_studio_again_after_a_restart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ARMDYN_STATE", str(tmp_path / "state"))
    with RunningStudio(tmp_path) as before, before.page() as page:
        page.ask("files")
        login, cookie = before.access.login_url, before.cookie
    with pytest.raises(ConnectionClosed):
        page.receive()
    with RunningStudio(tmp_path) as after:
        assert (after.access.login_url, after.cookie) == (login, cookie)
        with after.page() as again:
            again.ask("files")
        with RunningStudio(tmp_path) as beside:  # its port is taken: another one, the same token
            assert beside.access.port != after.access.port
            assert beside.access.token == after.access.token
    with RunningStudio(tmp_path, new_login=True) as renewed:
        assert renewed.access.port == after.access.port
        assert httpx.get(login).status_code == 403


def test_pages_have_their_own_robots(studio: RunningStudio) -> None:
    with studio.page() as one, studio.page() as other:
        first = one.send("state", robot="pendulum", q=[0.1], settings={"gravity": [0, -1, -1]})
        second = other.send("state", robot="pendulum", q=[0.1], settings={"gravity": [0, -2, -2]})
        light, heavy = one.answer(first)[0], other.answer(second)[0]
    assert heavy["gravity"][0] == pytest.approx(2 * light["gravity"][0])
    assert light["gravity"][0]


@pytest.mark.parametrize(
    ("name", "kind"), [("lola15", "program"), ("ur5", "robot"), ("panda.lirl", "program")]
)
def test_what_a_studio_opens(name: str, kind: str, folder: Path) -> None:
    file = str(folder / name) if "." in name else name
    found = launched(Asked(file=file, folder=folder, port=0))
    found.socket.close()
    assert found.studio.opened is not None
    assert (found.studio.opened.kind, found.studio.opened.name) == (kind, name)


def test_a_page_that_is_loaded_again_has_the_program_as_it_was_saved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ARMDYN_STATE", str(tmp_path / "state"))
    file = tmp_path / "again.lirl"
    file.write_text("program Before;")
    with RunningStudio(tmp_path, file=str(file)) as running, running.page() as page:
        opened = page.ask("hello")["opened"]
        page.ask("write", path="again.lirl", text="program After;", known=opened["digest"])
        assert page.ask("hello")["opened"]["text"] == "program After;"
        file.unlink()
        assert page.ask("hello")["opened"]["text"] == "program Before;"


def test_what_cannot_be_opened(tmp_path: Path, folder: Path) -> None:
    for file, said in (("nothing", "nothing is called"), ("x.lirl", "no such file")):
        with pytest.raises(InputError, match=said):
            launched(Asked(file=file, folder=tmp_path))
    with pytest.raises(InputError, match="not below the folder"):
        launched(Asked(file=str(folder / "panda.lirl"), folder=tmp_path))
    with pytest.raises(InputError, match="cannot listen"):
        launched(Asked(folder=tmp_path, host="192.0.2.1", allow_remote=True))


def test_the_command_prints_one_document_and_ends_quietly(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "armdyn", "studio", "ur5", "--no-open", "--json", "--workers", "1"]
    with subprocess.Popen(
        [*command, "--folder", str(tmp_path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**_environment(), "ARMDYN_STATE": str(tmp_path / "state")},
        text=True,
    ) as running:
        assert running.stdout is not None
        text = ""
        while not text.rstrip().endswith("\n}"):
            text += running.stdout.readline()
        told = json.loads(text)
        assert httpx.get(told["url"]).status_code == 303
        assert told["opened"] == {"kind": "robot", "name": "ur5"}
        running.send_signal(2)
        out, err = running.communicate(timeout=60)
        assert (running.returncode, out, err) == (0, "", "")


def _environment() -> dict[str, str]:
    import os

    return dict(os.environ)

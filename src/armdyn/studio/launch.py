"""Starting a studio: which folder, which address, what to open."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path, PurePath

from armdyn.errors import InputError
from armdyn.formats import catalog
from armdyn.program.files import example_names, example_program, read_text
from armdyn.studio.access import Access, is_loopback, new_token
from armdyn.studio.folder import KINDS, Folder
from armdyn.studio.messages.answers import Opened
from armdyn.studio.parts import parts
from armdyn.studio.remembered import Remembered, remember, remembered
from armdyn.studio.server import bound, uvicorn_server
from armdyn.studio.studio import Studio

LOOPBACK = "127.0.0.1"


@dataclass(frozen=True)
class Asked:
    """How a studio is to start."""

    file: str | None = None
    """Robot, program or run: a file, or a name of the catalog or of an example"""
    folder: Path | None = None
    """Whose files are shown; by default that of the file, or the current one"""
    host: str = LOOPBACK
    port: int | None = None
    """By default the one of last time if it is free, else any"""
    allow_remote: bool = False
    new_login: bool = False
    """Whether links and logins of earlier starts shall not be valid any more"""
    workers: int | None = None


@dataclass(frozen=True)
class Launched:
    """A studio that is ready to run."""

    studio: Studio
    socket: socket.socket

    @property
    def is_local(self) -> bool:
        """Whether only this machine can reach it."""
        return is_loopback(self.studio.access.host)

    def run(self, ready: Callable[[], None]) -> None:
        """Serve until interrupted, which is how a studio ends."""
        with contextlib.suppress(KeyboardInterrupt):
            asyncio.run(self.serve(ready))

    async def serve(self, ready: Callable[[], None], end: asyncio.Event | None = None) -> None:
        """The same, in a loop that is there already, until it is told to end."""
        server = uvicorn_server(self.studio)
        serving = asyncio.ensure_future(server.serve(sockets=[self.socket]))
        while not (server.started or serving.done()):
            await asyncio.sleep(0.01)
        if not serving.done():
            ready()
        if end is not None:
            await end.wait()
            server.should_exit = True
        await serving


def launched(asked: Asked) -> Launched:
    """Find the folder, what to open, and an address; nothing runs yet."""
    if not is_loopback(asked.host) and not asked.allow_remote:
        raise InputError(
            f'--host "{asked.host}" can be reached from other machines, which may then read and write the '
            "files of the folder; add --allow-remote if that is what you want"
        )
    folder, opened = _opened(asked)
    known = remembered(folder.root)
    if asked.new_login:
        known = Remembered(new_token(), known.port)
    listening = _listening(asked, known.port)
    port = listening.getsockname()[1]
    if asked.port is not None or known.port in (None, port):
        remember(folder.root, Remembered(known.token, port))
    access = Access(known.token, asked.host, port)
    return Launched(Studio(folder, access, parts(), opened, asked.workers), listening)


def _listening(asked: Asked, before: int | None) -> socket.socket:
    if asked.port is not None:
        return bound(asked.host, asked.port)
    if before is not None:
        try:
            return bound(asked.host, before)
        except InputError:  # taken meanwhile
            pass
    return bound(asked.host, 0)


def _opened(asked: Asked) -> tuple[Folder, Opened | None]:
    """The folder, and what the page begins with."""
    folder = asked.folder
    if asked.file is None:
        return Folder.of(folder or Path()), None
    suffix = PurePath(asked.file).suffix.lower()
    if suffix not in KINDS:
        return Folder.of(folder or Path()), _named(asked.file)
    file = Path(asked.file)
    if not file.is_file():
        raise InputError(f"{file}: no such file")
    below = Folder.of(folder or file.parent)
    name = below.name_of(file)
    kind = KINDS[suffix]
    if kind != "program":
        return below, Opened(kind=kind, name=name)
    found = below.read(name)
    return below, Opened(kind=kind, name=name, text=found.text, digest=found.digest)


def _named(name: str) -> Opened:
    """An example program, which brings its robot, or a robot of the catalog."""
    if name in example_names():
        return Opened(kind="program", name=name, text=read_text(example_program(name)))
    if name in catalog():
        return Opened(kind="robot", name=name)
    known = ", ".join(dict.fromkeys((*catalog(), *example_names())))
    kinds = ", ".join(KINDS)
    raise InputError(f'nothing is called "{name}"; expected a file ({kinds}) or one of {known}')

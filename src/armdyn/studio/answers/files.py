"""What there is, and files: listed, read, saved."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from functools import cache
from importlib.metadata import version
from pathlib import Path

from armdyn.equations.quantities import QUANTITIES
from armdyn.errors import InputError
from armdyn.formats import catalog, load
from armdyn.program.files import example_names, example_program, read_text
from armdyn.studies.loads.study import KINDS, options_of
from armdyn.studio.answers.first import first_robot
from armdyn.studio.clients import Client
from armdyn.studio.folder import WRITTEN, Folder
from armdyn.studio.messages.answers import CatalogRobot, Done, Files, FileText, Hello, Opened, Written
from armdyn.studio.messages.events import FilesChanged
from armdyn.studio.messages.requests import (
    CancelRequest,
    FilesRequest,
    HelloRequest,
    ReadRequest,
    WriteRequest,
)
from armdyn.studio.router import Handler, Part
from armdyn.studio.studio import Studio

INNER = ("progress",)
"""Options of studies that no page gives."""


async def hello(client: Client, request: HelloRequest) -> Hello:  # noqa: ARG001  as handlers are called
    """What there is."""
    return await client.studio.in_thread(lambda: _hello(client))


def _hello(client: Client) -> Hello:
    studio = client.studio
    files, _ = studio.folder.listing()
    return Hello(
        version=version("armdyn"),
        folder=str(studio.folder.root),
        robots=_catalog(),
        examples=list(example_names()),
        files=files,
        opened=_as_it_is_now(studio),
        studies={kind: [name for name in options_of(kind) if name not in INNER] for kind in KINDS},
        quantities=list(QUANTITIES),
        first=first_robot(studio),
    )


def _as_it_is_now(studio: Studio) -> Opened | None:
    """What the studio was started with: a program that was saved since is read again."""
    opened = studio.opened
    if opened is None or opened.digest is None:
        return opened
    try:
        found = studio.folder.read(opened.name)
    except InputError:  # it is gone: the text is all that is left of it
        return opened
    return opened.model_copy(update={"text": found.text, "digest": found.digest})


@cache
def _catalog() -> list[CatalogRobot]:
    found = (load(name) for name in catalog())
    return [
        CatalogRobot(name=robot.name, joints=robot.n, source=robot.source, description=robot.description)
        for robot in found
    ]


async def files(client: Client, request: FilesRequest) -> Files:  # noqa: ARG001  as handlers are called
    """The files below the folder."""
    found, complete = await client.studio.in_thread(client.studio.folder.listing)
    return Files(files=found, complete=complete)


async def read(client: Client, request: ReadRequest) -> FileText:
    """The text of a file below the folder, or of an example."""
    folder = client.studio.folder
    return await client.studio.in_thread(lambda: _read(folder, request.path))


def _read(folder: Folder, path: str) -> FileText:
    if not Path(path).suffix and path in example_names():
        return FileText(path=path, text=read_text(example_program(path)), writable=False)
    found = folder.read(path)
    writable = path.lower().endswith(WRITTEN)
    return FileText(path=path, text=found.text, writable=writable, digest=found.digest)


async def write(client: Client, request: WriteRequest) -> Written:
    """Save a file, and tell all pages."""
    studio = client.studio
    replaced, digest = await studio.in_thread(
        lambda: studio.folder.write(
            request.path, request.text, known=request.known, overwrite=request.overwrite
        )
    )
    found, _ = await studio.in_thread(studio.folder.listing)
    studio.publish(FilesChanged(files=found))
    return Written(path=request.path, replaced=replaced, digest=digest)


async def cancel(client: Client, request: CancelRequest) -> Done:
    """End a job."""
    if not client.cancel(request.job):
        raise InputError(f"no job {request.job} is under way; it has ended already")
    return Done()


@asynccontextmanager
async def _warmed(studio: Studio) -> AsyncGenerator[None]:
    """The catalog and the first robot are read while the browser starts."""
    studio.in_background(_catalog)
    studio.in_background(lambda: first_robot(studio))
    yield


PART = Part(
    {
        "hello": Handler(hello),
        "files": Handler(files),
        "read": Handler(read),
        "write": Handler(write),
        "cancel": Handler(cancel),
    },
    running=_warmed,
)

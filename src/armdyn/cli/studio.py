"""`armdyn studio`: armdyn in a browser."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from armdyn.cli.options import JsonOption
from armdyn.cli.output import print_json, print_line

if TYPE_CHECKING:
    from armdyn.studio.launch import Launched

NEEDED = ("starlette", "uvicorn", "websockets")
"""What the extra `armdyn[studio]` brings."""


def studio(
    file: Annotated[
        str | None,
        typer.Argument(
            metavar="[ROBOT | PROGRAM | RUN]",
            help="What to open: a robot (catalog name, .toml, .urdf), a robot program (.lirl, or an example: "
            "lola15, panda, ur5_palletising), or a run (.parquet, .mcap, .csv).",
        ),
    ] = None,
    folder: Annotated[
        Path | None,
        typer.Option(
            "--folder",
            metavar="DIR",
            help="Whose files are shown, opened and saved [default: that of the file, or the current one].",
        ),
    ] = None,
    no_open: Annotated[bool, typer.Option("--no-open", help="Print the link, but open no browser.")] = False,
    port: Annotated[
        int | None,
        typer.Option(
            "--port", min=0, max=65535, help="To listen on [default: the one of last time, or any]."
        ),
    ] = None,
    host: Annotated[str, typer.Option("--host", help="Address to listen on.")] = "127.0.0.1",
    allow_remote: Annotated[
        bool, typer.Option("--allow-remote", help="Let --host be one that other machines can reach.")
    ] = False,
    new_login: Annotated[
        bool, typer.Option("--new-login", help="Links and logins of earlier starts are not valid any more.")
    ] = False,
    workers: Annotated[
        int | None,
        typer.Option("--workers", min=1, max=64, help="Processes for long work [default: 3, or fewer]."),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Open a robot, a program or a run in a browser: see it move, where its motors saturate, and mend it."""
    _check_installed()
    # what serves takes long to import, and every other command would wait for it
    from armdyn.studio.launch import Asked, launched

    found = launched(Asked(file, folder, host, port, allow_remote, new_login, workers))
    found.run(lambda: _tell(found, json=json, open_page=not no_open))


def _check_installed() -> None:
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        from armdyn.errors import MissingDataError

        raise MissingDataError(
            f'the studio needs {", ".join(missing)}, not installed; pip install "armdyn[studio]" brings it'
        )


def _tell(found: Launched, *, json: bool, open_page: bool) -> None:
    """Say where the studio is, once it can be reached."""
    access, opened = found.studio.access, found.studio.opened
    if not found.is_local:
        print(
            f"armdyn: {access.host} can be reached from other machines: whoever has the link may read and "
            "write the files of the folder, and nothing is encrypted; a tunnel (ssh -L) is safer",
            file=sys.stderr,
        )
    if json:
        document: dict[str, Any] = {
            "url": access.login_url,
            "address": access.url,
            "folder": str(found.studio.folder.root),
            "opened": None if opened is None else {"kind": opened.kind, "name": opened.name},
        }
        print_json(document)
    else:
        print_line(f"studio of {found.studio.folder.root}, Ctrl-C ends it")
        print_line(access.login_url)
    sys.stdout.flush()
    if open_page:
        import webbrowser

        webbrowser.open(access.login_url)

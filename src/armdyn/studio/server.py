"""All of the studio behind one address."""

from __future__ import annotations

import os
import socket
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from importlib import resources
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.background import BackgroundTask
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp
from starlette.websockets import WebSocket

from armdyn.errors import InputError
from armdyn.studio.clients import TRY_AGAIN_LATER, Client
from armdyn.studio.guard import LOGIN, Guard
from armdyn.studio.scenes.meshes import mesh_file
from armdyn.studio.studio import MOST_CLIENTS, Studio

LARGEST_MESSAGE = 4 * 2**20
"""Bytes that a client may send at once: a program twice over, and what stands around it."""
NONCE = "__CSP_NONCE__"
SANDBOX = "sandbox; default-src 'none'"
NO_PAGE = """<!doctype html><html lang="en"><title>armdyn studio</title>
<p>The page of the studio is not built: run <code>npm ci && npm run build</code> in web/.</p></html>"""


def application(studio: Studio) -> ASGIApp:
    """What uvicorn serves."""
    routes = [
        Route(LOGIN, _login),
        Route("/", _page),
        Route("/download/{key}", _download),
        Route("/mesh/{key}/{root}/{path:path}", _mesh),
        WebSocketRoute("/ws", _connected),
        *(route for part in studio.parts for route in part.routes),
        Mount("/", StaticFiles(directory=_static())),
    ]
    app = Starlette(routes=routes, lifespan=_running)
    app.state.studio = studio
    return Guard(app, studio.access)


def _static() -> Path:
    return Path(str(resources.files("armdyn.studio") / "static"))


@asynccontextmanager
async def _running(app: Starlette) -> AsyncGenerator[None]:
    """Workers and parts run as long as the server does."""
    studio: Studio = app.state.studio
    async with AsyncExitStack() as stack:
        stack.callback(studio.close)
        stack.enter_context(studio.downloads.kept())
        await stack.enter_async_context(studio.workers.running())
        for part in studio.parts:
            await stack.enter_async_context(part.running(studio))
        yield


# Pages ----------------------------------------------------------------------------------------


async def _login(request: Request) -> Response:
    """Set the cookie of a browser that knows the token."""
    access = _studio(request).access
    if not access.is_token(request.query_params.get("token", "")):
        said = "This link is not valid: open the one that `armdyn studio` has printed last.\n"
        return PlainTextResponse(said, 403)
    answer = RedirectResponse("/", 303, {"Cache-Control": "no-store"})
    answer.set_cookie(access.cookie_name, access.cookie, httponly=True, samesite="strict", path="/")
    return answer


async def _page(request: Request) -> Response:
    file = _static() / "index.html"
    page = file.read_text(encoding="utf-8") if file.exists() else NO_PAGE
    return HTMLResponse(page.replace(NONCE, request.scope["nonce"]))


async def _download(request: Request) -> Response:
    """A file, once; a page in it could run nothing here."""
    waiting = (
        None if request.method == "HEAD" else _studio(request).downloads.take(request.path_params["key"])
    )
    if waiting is None:
        return PlainTextResponse("No such file: it was fetched already, or is too old.\n", 404)
    headers = {"Content-Security-Policy": SANDBOX, "Cache-Control": "no-store"}
    gone = BackgroundTask(waiting.file.unlink, missing_ok=True)
    return FileResponse(
        waiting.file, headers=headers, media_type=waiting.media_type, filename=waiting.name, background=gone
    )


async def _mesh(request: Request) -> Response:
    """A mesh, or what it refers to, of a robot that was asked for."""
    file = mesh_file(_studio(request).mesh_signature, **request.path_params)
    if file is None:
        return PlainTextResponse("No such mesh.\n", 404)
    return FileResponse(file, headers={"Content-Security-Policy": SANDBOX})


def _studio(connection: Request | WebSocket) -> Studio:
    return connection.app.state.studio


# Clients --------------------------------------------------------------------------------------


async def _connected(socket: WebSocket) -> None:
    studio = _studio(socket)
    await socket.accept()
    if len(studio.clients) >= MOST_CLIENTS:
        await socket.close(TRY_AGAIN_LATER, f"{MOST_CLIENTS} pages are open already")
        return
    client = Client(socket, studio)
    studio.clients.add(client)
    try:
        await client.serve()
    finally:
        studio.clients.discard(client)


# Running --------------------------------------------------------------------------------------


def bound(host: str, port: int) -> socket.socket:
    """A socket that listens; port 0 is any that is free."""
    found: socket.socket | None = None
    try:
        family, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        found = socket.socket(family, socket.SOCK_STREAM)
        if os.name == "posix":  # elsewhere this would let two servers have one port
            found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        found.bind(address)
        found.listen(128)
    except (OSError, OverflowError) as error:
        if found is not None:
            found.close()
        why = getattr(error, "strerror", None) or str(error)
        raise InputError(f"cannot listen on {host} port {port}: {why}; choose another --port") from error
    return found


def uvicorn_server(studio: Studio) -> Any:
    """A server that is not yet running: `serve(sockets=[..])` runs it."""
    import uvicorn

    config = uvicorn.Config(
        application(studio),
        ws="websockets-sansio",
        ws_max_size=LARGEST_MESSAGE,
        ws_per_message_deflate=False,
        log_level="warning",
        access_log=False,
        server_header=False,
        date_header=False,
        timeout_graceful_shutdown=2,
        limit_concurrency=4 * MOST_CLIENTS,
        lifespan="on",
    )
    return uvicorn.Server(config)

"""What stands before everything else: checks who asks, and tells browsers what to forbid."""

from __future__ import annotations

import secrets
from collections.abc import Mapping

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocketClose

from armdyn.studio.access import Access

LOGIN = "/login"
NOT_LOGGED_IN = "Not logged in: open the link that `armdyn studio` has printed.\n"
FOREIGN_HOST = "This server is not called so: open the link that `armdyn studio` has printed.\n"
NOTHING = "default-src 'none'; frame-ancestors 'none'"
ONLY_READ = ("GET", "HEAD")
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Embedder-Policy": "require-corp",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(), usb=(), serial=()",
}


def policy(host: str, nonce: str) -> str:
    """What the page may do: its own scripts, no others, and talk to this server alone.

    Editor and formulas set styles: sheets by a nonce, attributes freely. They cannot fetch or run anything.
    """
    rules: Mapping[str, str] = {
        "default-src": "'none'",
        "script-src": "'self'",
        "style-src": f"'self' 'nonce-{nonce}'",
        "style-src-attr": "'unsafe-inline'",
        "img-src": "'self' blob: data:",
        "font-src": "'self'",
        "connect-src": f"'self' ws://{host} blob:",
        "base-uri": "'none'",
        "form-action": "'none'",
        "frame-ancestors": "'none'",
    }
    return "; ".join(f"{name} {value}" for name, value in rules.items())


class Guard:
    """An application behind checks."""

    def __init__(self, app: ASGIApp, access: Access) -> None:
        """Let in who has access."""
        self._app, self._access = app, access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or refuse it."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        scope["nonce"] = secrets.token_urlsafe(16)
        refusal = self._refusal(scope, headers)
        telling = _with_headers(send, NOTHING if refusal else policy(headers["host"], scope["nonce"]))
        if refusal is None:
            await self._app(scope, receive, telling)
        elif scope["type"] == "websocket":
            await WebSocketClose(reason=refusal[1].strip())(scope, receive, send)
        else:
            await PlainTextResponse(refusal[1], refusal[0])(scope, receive, telling)

    def _refusal(self, scope: Scope, headers: Headers) -> tuple[int, str] | None:
        """Status and sentence, None for what is welcome."""
        access = self._access
        if not access.knows_host(headers.get("host", "")):
            return 421, FOREIGN_HOST
        if scope["type"] == "http" and scope["method"] not in ONLY_READ:
            return 405, "Nothing here is changed by HTTP requests.\n"
        if scope["type"] == "http" and scope["path"] == LOGIN:
            return None
        if access.has_token(headers) and "origin" not in headers:  # no browser: those send no token
            return None
        if not access.has_cookie(HTTPConnection(scope)):
            return 403, NOT_LOGGED_IN
        if scope["type"] == "websocket" and not access.is_own_page(headers):
            return 403, "A page of another server may not connect.\n"
        return None


def _with_headers(send: Send, content_policy: str) -> Send:
    async def telling(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers[name] = value
            headers.setdefault("Content-Security-Policy", content_policy)
            headers.setdefault("Cache-Control", "no-cache")
        await send(message)

    return telling

"""Who may talk to the studio: those who know its token, from its own pages, under its own names.

A browser brings the cookie that the login link has set; a program brings the token itself, in the header
`Authorization: Bearer TOKEN`. Websockets of browsers must come from a page of this very server (Origin), and
every request must be addressed to a name that this server has (Host), so that no foreign page can reach it
through the browser of someone who is logged in.
"""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
import secrets
import socket
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from starlette.datastructures import Headers
from starlette.requests import HTTPConnection

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
PLAIN_PORT = 80
BEARER = "bearer "


def new_token() -> str:
    """256 random bits."""
    return secrets.token_urlsafe(32)


def signed(secret: str, what: str) -> str:
    """What only those who know a secret can make of a text."""
    return hmac.new(secret.encode(), what.encode(), hashlib.sha256).hexdigest()


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach an address to listen on."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


@dataclass(frozen=True)
class Access:
    """The token, and the address under which the studio is reached."""

    token: str
    host: str
    """What it listens on"""
    port: int

    @property
    def url(self) -> str:
        """Where the page is."""
        return f"http://{self._shown_host}:{self.port}/"

    @property
    def login_url(self) -> str:
        """The link that logs a browser in."""
        return f"{self.url}login?token={self.token}"

    @property
    def _shown_host(self) -> str:
        if self._everywhere:
            return socket.gethostname()
        return f"[{self.host}]" if ":" in self.host else self.host

    # Names ----------------------------------------------------------------------------------

    @cached_property
    def _everywhere(self) -> bool:
        """Whether it listens on all addresses of the machine."""
        try:
            return ipaddress.ip_address(self.host).is_unspecified
        except ValueError:
            return False

    @cached_property
    def _names(self) -> frozenset[str]:
        own = {self._shown_host.lower()}
        if is_loopback(self.host) or self._everywhere:
            own.update(LOOPBACK)
        if self._everywhere:
            own.update((socket.gethostname().lower(), socket.getfqdn().lower()))
        return frozenset(own)

    def knows_host(self, header: str) -> bool:
        """Whether a Host header names this server: a foreign name would be someone's trick with DNS."""
        known = header.lower()
        if self.port == PLAIN_PORT and not known.endswith(f":{PLAIN_PORT}"):
            known = f"{known}:{PLAIN_PORT}"  # browsers leave it out
        name, colon, port = known.rpartition(":")
        if not colon or port != str(self.port):
            return False
        return name in self._names or (self._everywhere and _is_address(name))

    def is_own_page(self, headers: Headers) -> bool:
        """Whether a websocket is opened by a page of this server."""
        return headers.get("origin", "").lower() == f"http://{headers.get('host', '').lower()}"

    # Secrets --------------------------------------------------------------------------------

    @property
    def cookie_name(self) -> str:
        """Its own for each port: browsers give cookies to all ports of a host."""
        return f"armdyn_studio_{self.port}"

    @cached_property
    def cookie(self) -> str:
        """What a browser that is logged in knows: not the token, from which it is made."""
        return self.signature("cookie")

    def signature(self, what: str) -> str:
        """What only this server can make of a text."""
        return signed(self.token, what)

    def is_token(self, given: str) -> bool:
        """Whether this is the token, in the same time whatever is given."""
        return secrets.compare_digest(given.encode("utf-8", "replace"), self.token.encode())

    def has_cookie(self, connection: HTTPConnection) -> bool:
        """Whether a browser is logged in."""
        given = connection.cookies.get(self.cookie_name, "")
        return secrets.compare_digest(given.encode("utf-8", "replace"), self.cookie.encode())

    def has_token(self, headers: Mapping[str, str]) -> bool:
        """Whether a program brings the token."""
        given = headers.get("authorization", "")
        return given[: len(BEARER)].lower() == BEARER and self.is_token(given[len(BEARER) :].strip())


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name.removeprefix("[").removesuffix("]"))
    except ValueError:
        return False
    return True

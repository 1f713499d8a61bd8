"""Whether a scheduler answers at an address, told within seconds: a client of Dask tries for a minute.

Where a port is open but nobody speaks, a client waits for ever. A scheduler speaks first.
"""

from __future__ import annotations

import socket
from threading import Thread

SECONDS = 4.0
"""For a name to be found and a connection to be made."""
GREETING = 10.0
"""[s] for a scheduler, which may be busy, to say its first word."""


def unreachable(
    host: str, port: int, seconds: float = SECONDS, *, greeting: float | None = GREETING
) -> str | None:
    """Why there is no scheduler, in a few words; None if one speaks there.

    In a thread that is left behind where it takes longer: looking up a name cannot be interrupted.

    Args:
        host: name or number.
        port: of the scheduler.
        seconds: for the connection.
        greeting: [s] for the first word; None if it need not come, as where the client speaks first (TLS).
    """
    found: list[str | None] = []
    thread = Thread(target=lambda: found.append(_tried(host, port, seconds, greeting)), daemon=True)
    thread.start()
    thread.join(seconds + (greeting or 0.0))
    return found[0] if found else _silent(seconds)


def _tried(host: str, port: int, seconds: float, greeting: float | None) -> str | None:
    try:
        with socket.create_connection((host, port), timeout=seconds) as connected:
            return None if greeting is None else _unspoken(connected, greeting)
    except socket.gaierror:
        return f'there is no host "{host}"'
    except TimeoutError:
        return _silent(seconds)
    except (OSError, UnicodeError) as error:
        return getattr(error, "strerror", None) or str(error)


def _unspoken(connected: socket.socket, seconds: float) -> str | None:
    """Why nobody speaks on a connection; None if somebody does."""
    connected.settimeout(seconds)
    try:
        return None if connected.recv(1) else "the connection is closed at once"
    except TimeoutError:
        return f"somebody listens, but says nothing for {seconds:g} s"


def _silent(seconds: float) -> str:
    return f"no answer within {seconds:g} s"

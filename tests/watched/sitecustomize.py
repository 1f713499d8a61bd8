"""Every Python process with this folder on its path writes down when it asks for the network, and is refused.

Python imports a module of this name when it starts. Processes that such a process starts inherit it.
WATCHED_EVENTS names the file. This machine itself may be talked to: that is written down, but not refused.
"""

import ipaddress
import json
import os
import sys
import urllib.parse

WHERE = {
    "socket.connect": 1,
    "socket.bind": 1,
    "socket.sendto": 1,
    "socket.sendmsg": 1,
    "socket.getaddrinfo": 0,
    "socket.gethostbyname": 0,
    "socket.gethostbyaddr": 0,
    "socket.getnameinfo": 0,
    "urllib.Request": 0,
    "http.client.connect": 1,
    "ftplib.connect": 1,
    "smtplib.connect": 1,
    "imaplib.open": 1,
    "poplib.connect": 1,
    "nntplib.connect": 1,
    "telnetlib.Telnet.open": 1,
    "webbrowser.open": 0,
}
"""The audit events that ask for a network, and which of their arguments says whom."""
STARTING = ("subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.spawn")


def _is_own(event, whom):
    """Whether it stays on this machine: a loopback address, or a socket that is a file."""
    if (
        event.startswith("socket.")
        and event[7:] in ("connect", "bind", "sendto")
        and not isinstance(whom, tuple)
    ):
        return True
    if event == "socket.sendmsg" and whom is None:
        return True  # the socket is connected: that was asked before
    host = whom[0] if isinstance(whom, tuple) else whom
    if event in ("urllib.Request", "webbrowser.open"):
        host = urllib.parse.urlsplit(host).hostname
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _watch(event, arguments):
    if event in STARTING:
        _write(event, [str(arguments[0])], True)
    elif event in WHERE:
        whom = arguments[WHERE[event]]
        own = _is_own(event, whom)
        _write(event, [str(whom)], own)
        if not own:
            raise PermissionError(f"{event} {whom!r}: the network is not to be asked")


def _write(event, arguments, own):
    line = json.dumps({"event": event, "arguments": arguments, "own": own}) + "\n"
    file = os.open(os.environ["WATCHED_EVENTS"], os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    os.write(file, line.encode())
    os.close(file)


sys.addaudithook(_watch)

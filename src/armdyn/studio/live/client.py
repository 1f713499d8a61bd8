"""The client of telemetry: what a controller's program calls in its loop.

    from armdyn.studio.live import Telemetry

    with Telemetry("http://127.0.0.1:8765/login?token=..", robot="ur5") as telemetry:
        while running:
            telemetry.send(time, q, tau=tau)

`send` puts a sample into a bounded queue and returns; a thread of its own connects, sends, and connects again
whenever the studio is away. What waits too long makes room for what is new, and is counted.
"""

from __future__ import annotations

import json
import threading
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from time import monotonic
from types import TracebackType
from typing import Any, Self
from urllib.parse import parse_qs, urlsplit, urlunsplit

from numpy.typing import NDArray

from armdyn.errors import InputError, MissingDataError
from armdyn.studio.live.telemetry import EFFORTS, PATH, VERSION, Layout, Sample

WAITING = 1000
"""Samples that may wait: ten seconds at 100 Hz."""
TOGETHER = 200
"""Samples in one frame."""
SHORTEST, LONGEST = 0.1, 5.0
"""[s] between tries to connect."""
PATIENCE = 5.0
"""[s] within which a connection is there, or is given up."""

Numbers = Sequence[float] | NDArray[Any]


@dataclass
class Sent:
    """What became of samples."""

    sent: int = 0
    dropped: int = 0
    """Made room for newer ones, as the studio was away or too slow"""
    connections: int = 0
    problem: str | None = None
    """What the studio, or the way to it, said last"""


class Telemetry:
    """A stream of samples to a studio.

    Args:
        url: the link that `armdyn studio` prints, or `ws://host:port` with a token apart.
        token: the studio's, unless the link has it.
        robot: catalog name, or a file below the studio's folder.
        name: what the studio calls the stream; by default the robot's name.
        waiting: samples that may wait while the studio is away.
        on_problem: called in the thread with each sentence that the studio complains with.
    """

    def __init__(
        self,
        url: str,
        token: str | None = None,
        *,
        robot: str,
        name: str | None = None,
        waiting: int = WAITING,
        on_problem: Callable[[str], None] | None = None,
    ) -> None:
        """Start the thread that connects; nothing waits for it."""
        _library()  # is it there?
        self._url, self._token = address(url, token)
        self._robot, self._name, self._on_problem = robot, name, on_problem
        self._queue: deque[Sample] = deque(maxlen=waiting)
        self._layout: Layout | None = None
        self._sequence = 0
        self._new, self._closing = threading.Event(), threading.Event()
        self._given_up = 0.0
        self._connected = False
        self.state = Sent()
        self._thread = threading.Thread(target=self._run, name="telemetry", daemon=True)
        self._thread.start()

    @property
    def connected(self) -> bool:
        """Whether the studio takes samples right now."""
        return self._connected

    def send(
        self,
        time: float,
        q: Numbers,
        qd: Numbers | None = None,
        *,
        tau: Numbers | None = None,
        motor_torque: Numbers | None = None,
        current: Numbers | None = None,
    ) -> int:
        """Queue a sample, SI; returns its sequence number at once.

        The first call says which fields the stream has and how many numbers each; the others must agree.

        Args:
            time: [s] by the controller's clock, 0 or more.
            q: (n) joint positions [rad or m].
            qd: (n) joint velocities, if they are measured.
            tau: (n) joint torques [N m or N]; or
            motor_torque: (drives) [N m]; or
            current: (drives) [A].
        """
        given = {"q": q, "qd": qd, "tau": tau, "motor_torque": motor_torque, "current": current}
        fields = {name: values for name, values in given.items() if values is not None}
        widths = {name: len(values) for name, values in fields.items()}
        if self._layout is None:
            if len([name for name in fields if name in EFFORTS]) > 1:
                raise InputError(f"sample has {', '.join(fields)}, expected one of {', '.join(EFFORTS)}")
            self._layout = Layout(widths)
        elif widths != self._layout.widths:
            raise InputError(
                f"sample has {_said(widths)}, expected {_said(self._layout.widths)} as the first one"
            )
        values: Any = [float(x) for row in fields.values() for x in row]
        sample = Sample(self._sequence, float(time), values)
        self._sequence += 1
        if len(self._queue) == self._queue.maxlen:
            self.state.dropped += 1
        self._queue.append(sample)
        self._new.set()
        return sample.sequence

    def close(self, within: float = 1.0) -> Sent:
        """Send what waits, as far as that is done within some seconds, and end the thread."""
        self._given_up = monotonic() + within
        self._closing.set()
        self._new.set()
        self._thread.join(within + PATIENCE)
        return self.state

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # The thread -------------------------------------------------------------------------------

    def _run(self) -> None:
        """Connect and send, again and again, until closed."""
        library = _library()
        wait = SHORTEST
        while not self._done():
            if self._layout is None:
                self._new.wait(0.5)
                self._new.clear()
                continue
            before = self.state.sent
            try:
                self._connection(library)
            except (OSError, library.exceptions.WebSocketException, TimeoutError) as error:
                self._complain(f"{self._url}: {_reason(error)}")
            self._connected = False
            wait = SHORTEST if self.state.sent > before else min(2 * wait, LONGEST)
            self._closing.wait(0 if self._done() else wait)

    def _done(self) -> bool:
        return self._closing.is_set() and (not self._queue or monotonic() > self._given_up)

    def _connection(self, library: Any) -> None:
        """One connection: the hello, then samples until it breaks or all is said."""
        with library.sync.client.connect(
            self._url,
            additional_headers={"Authorization": f"Bearer {self._token}"},
            compression=None,
            proxy=None,
            open_timeout=PATIENCE,
            close_timeout=1.0,
        ) as socket:
            assert self._layout is not None
            hello = {"hello": VERSION, "robot": self._robot, "fields": list(self._layout.widths)}
            socket.send(json.dumps(hello | ({"name": self._name} if self._name else {})))
            self._hear(socket.recv(timeout=60.0))  # a robot seen for the first time is compiled first
            self.state.connections += 1
            self._connected = True
            while not self._done():
                self._new.wait(0.5)
                self._new.clear()
                self._send_waiting(socket)
                self._hear_waiting(socket)

    def _send_waiting(self, socket: Any) -> None:
        assert self._layout is not None
        record = self._layout.record
        while self._queue:
            taken = [self._queue.popleft() for _ in range(min(len(self._queue), TOGETHER))]
            try:
                socket.send(b"".join(record.pack(each.sequence, each.time, *each.values) for each in taken))
            except BaseException:
                room = (self._queue.maxlen or 0) - len(self._queue)
                self.state.dropped += max(0, len(taken) - room)
                self._queue.extendleft(reversed(taken[max(0, len(taken) - room) :]))
                raise
            self.state.sent += len(taken)

    def _hear_waiting(self, socket: Any) -> None:
        try:
            while True:
                self._hear(socket.recv(timeout=0))
        except TimeoutError:
            return

    def _hear(self, message: str | bytes) -> None:
        """What the studio says: a welcome, or a problem."""
        said: Any = json.loads(message)
        if problem := said.get("problem"):
            self._complain(str(problem))
        if said.get("refused"):
            raise OSError(str(problem))

    def _complain(self, sentence: str) -> None:
        if sentence == self.state.problem:
            return
        self.state.problem = sentence
        if self._on_problem is not None:
            self._on_problem(sentence)


def address(url: str, token: str | None) -> tuple[str, str]:
    """Where telemetry goes and the token, from a link or from both."""
    parts = urlsplit(url)
    schemes = {"http": "ws", "https": "wss", "ws": "ws", "wss": "wss"}
    if parts.scheme not in schemes or not parts.netloc:
        raise InputError(f'url is "{url[:100]}", expected the link that `armdyn studio` prints')
    found = token if token is not None else next(iter(parse_qs(parts.query).get("token", [])), None)
    if not found:
        raise InputError("no token is given, expected that of the studio: the link that it prints has it")
    return urlunsplit((schemes[parts.scheme], parts.netloc, PATH, "", "")), found


def _library() -> Any:
    try:
        for module in ("websockets.sync.client", "websockets.exceptions"):
            import_module(module)
        return import_module("websockets")
    except ImportError as error:
        raise MissingDataError('telemetry needs websockets: pip install "armdyn[studio]"') from error


def _said(widths: Any) -> str:
    return ", ".join(f"{name} ({width})" for name, width in widths.items())


def _reason(error: Exception) -> str:
    """Why a connection failed, in few words."""
    status: Any = getattr(getattr(error, "response", None), "status_code", None)
    if status in (401, 403):
        return "the studio does not know this token"
    return f"{type(error).__name__}: {error}" if not str(error) else str(error)

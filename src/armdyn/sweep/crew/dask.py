"""The workers of a Dask cluster: a bounded number of chunks on their way, results come back as files."""

from __future__ import annotations

import logging
import queue
from collections.abc import Generator
from contextlib import contextmanager
from importlib import import_module
from time import monotonic
from typing import Any

from armdyn.errors import ArmdynError, InputError, MissingDataError
from armdyn.sweep.chunks import Chunk
from armdyn.sweep.crew.cluster import LocalCluster
from armdyn.sweep.crew.messages import computed_of, setup_bytes
from armdyn.sweep.crew.outcomes import CrewLostError, Faulty, Lost, Outcome
from armdyn.sweep.crew.reaching import GREETING, unreachable
from armdyn.sweep.crew.remote import computed_remotely, plain_chunk
from armdyn.sweep.manifest import Manifest
from armdyn.sweep.study import Study

LOCAL = "local"
SOCKETS = ("tcp", "tls")
"""Kinds of addresses that are a host and a port."""
PATIENCE = 60.0
"""[s] for a scheduler to answer and a first worker to be there."""
LOOK_AGAIN = 5.0
"""[s] between two looks at how many workers there are."""
TOO_OFTEN = 3
"""So many clusters on this machine lost, one after the other without an answer, and the crew gives up."""


class DaskCrew:
    """The workers of a cluster, that of an address or one of our own on this machine."""

    def __init__(self, study: Study, manifest: Manifest, workers: int, address: str) -> None:
        """Connect; a cluster of our own is started."""
        self._distributed = _distributed()
        self._setup = setup_bytes(study, manifest)
        self._files = {name: place.read_bytes() for name, place in study.files.items()}
        self._workers, self._address = workers, _checked(address)
        self._held: dict[Any, Chunk] = {}
        self._said: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._lost = 0
        self.cluster: LocalCluster | None = None
        self._client: Any = None
        self._connect()

    @property
    def size(self) -> int:
        """How many chunks the cluster works on at the same time, as far as is known."""
        if self.cluster is not None:
            return self._workers
        if monotonic() - self._looked > LOOK_AGAIN:
            self._look()
        return max(1, self._threads)

    def submit(self, chunk: Chunk) -> None:
        """Hand over a chunk, with all that is needed to compute it."""
        future: Any = self._client.submit(
            computed_remotely, self._setup, self._files, plain_chunk(chunk), pure=False
        )
        self._held[future] = chunk
        future.add_done_callback(self._said.put)

    def outcomes(self, seconds: float) -> list[Outcome]:
        """What has become of chunks; waits no longer than this for the first."""
        if self.cluster is not None and not self.cluster.alive():
            return self._anew()
        try:
            future = self._said.get(timeout=seconds)
        except queue.Empty:
            return self._anew() if self._client.status != "running" else []
        if future not in self._held:
            return []
        if future.status not in ("finished", "error"):  # nobody cancels but who has lost the scheduler
            return self._anew()
        return [self._outcome(future, self._held.pop(future))]

    def end(self) -> None:
        """Leave the cluster; end it if it is ours."""
        try:
            if self._client is not None:
                self._client.close(timeout=2)
        finally:
            if self.cluster is not None:
                self.cluster.end()

    def _outcome(self, future: Any, chunk: Chunk) -> Outcome:
        try:
            data: bytes = future.result(timeout=PATIENCE)
        except self._distributed.KilledWorker:
            return Lost(chunk, suspect=True, why="was lost by the cluster")
        except ArmdynError as error:
            raise InputError(f"a Dask worker refuses the study: {error}") from error
        except (OSError, self._distributed.CancelledError):  # on its way from a worker that has died
            return Lost(chunk, suspect=False, why="died while it answered")
        except Exception as error:  # noqa: BLE001  whatever a worker has raised
            return Faulty(chunk, f"{type(error).__name__}: {error}")
        self._lost = 0
        return computed_of(data)

    def _anew(self) -> list[Outcome]:
        """What a lost scheduler had is lost; on this machine another cluster is started."""
        if self.cluster is None:
            raise CrewLostError(f"the Dask scheduler at {self._address} is gone")
        self._lost += 1
        if self._lost > TOO_OFTEN:
            raise CrewLostError("Dask clusters on this machine are lost again and again")
        self.end()
        held, self._held, self._said = list(self._held.values()), {}, queue.SimpleQueue()
        self._connect()
        return [Lost(chunk, suspect=False, why="was lost with its cluster") for chunk in held]

    def _connect(self) -> None:
        self.cluster = LocalCluster(self._workers) if self._address == LOCAL else None
        address = self.cluster.address if self.cluster else self._address
        try:
            self._client = self._distributed.Client(address, timeout=PATIENCE, set_as_default=False)
            self._client.wait_for_workers(1, timeout=PATIENCE)
        except (OSError, ValueError, TimeoutError) as error:
            self.end()
            raise _nobody(address) from error
        self._look()

    def _look(self) -> None:
        try:
            self._threads = sum(self._client.nthreads().values())
        except OSError:  # it is gone, which the next outcome tells
            self._threads = 1
        self._looked = monotonic()


@contextmanager
def dask_crew(study: Study, manifest: Manifest, workers: int, address: str) -> Generator[DaskCrew]:
    """The workers of a cluster from here on."""
    crew = DaskCrew(study, manifest, workers, address)
    try:
        yield crew
    finally:
        crew.end()


def _checked(address: str) -> str:
    """An address at which somebody listens; with any other, a client of Dask waits for minutes."""
    if address == LOCAL:
        return address
    addressing: Any = import_module("distributed.comm.addressing")
    try:
        scheme, _ = addressing.parse_address(address)
        host, port = addressing.get_address_host_port(address)
    except ValueError as error:
        raise InputError(f'Dask address "{address}", expected one as tcp://head:8786, or local') from error
    if scheme in SOCKETS:
        why = unreachable(host, port, greeting=GREETING if scheme == "tcp" else None)
        if why is not None:
            raise _nobody(address, f": {why}")
    return address


def _nobody(address: str, why: str = "") -> InputError:
    return InputError(
        f"no Dask cluster with workers answers at {address}{why}; start one, or take --dask local"
    )


def _distributed() -> Any:
    try:
        distributed: Any = import_module("distributed")
    except ImportError as error:
        raise MissingDataError(
            "sweeps on a cluster need Dask; install it with: pip install 'armdyn[cluster]'"
        ) from error
    logging.getLogger("distributed").setLevel(logging.CRITICAL)  # what dies is replaced, and told by us
    return distributed

"""Sweeps on Dask clusters: the same rows, whoever dies."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

import armdyn as ad
from armdyn.errors import InputError
from armdyn.sweep.crew.cluster import LocalCluster
from armdyn.sweep.progress import Progress
from armdyn.sweep.sweep import sweep
from sweep_runs import assert_same_rows, burden, children, kill, study_file

pytestmark = pytest.mark.slow


@pytest.fixture
def burdened(monkeypatch):
    for name, value in burden(seconds=0.2).items():
        monkeypatch.setenv(name, value)


@contextmanager
def killing(role: str) -> Iterator[list[Progress]]:
    """What progress is told to, which kills a member of the cluster after the first rows."""

    class Killer(list[Progress]):
        killed = 0

        def append(self, at: Progress) -> None:
            super().append(at)
            if at.done and not self.killed:
                self.killed = next(pid for pid in children(os.getpid()) if role in command(pid))
                kill(self.killed)

    killer = Killer()
    yield killer
    assert killer.killed


def command(pid: int) -> str:
    with open(f"/proc/{pid}/cmdline", encoding="utf-8") as file:  # noqa: PTH123
        return file.read()


def test_files_travel_with_the_study(tmp_path):
    ad.save(ad.load("jpl_rrp"), tmp_path / "arm.toml")
    file = study_file(tmp_path, 500)
    file.write_text(file.read_text().replace('"jpl_rrp"', '"arm.toml"'))
    done = sweep(file, workers=2, dask="local", chunk_rows=64)
    assert (done.done, done.failed) == (500, ())
    assert_same_rows(file, 500)
    assert children(os.getpid()) == []


@pytest.mark.parametrize("role", ["scheduler", "worker"])
def test_what_dies_is_replaced(tmp_path, burdened, role):
    file = study_file(tmp_path, 300)
    with killing(role) as killer:
        done = sweep(file, workers=2, dask="local", chunk_rows=20, progress=killer.append)
    assert (done.done, done.failed) == (300, ())
    assert_same_rows(file, 300)


def test_a_worker_that_dies_has_another_in_its_place():
    cluster = LocalCluster(2)
    try:
        first, second = cluster.pids
        kill(first)
        until = time.monotonic() + 60.0
        while first in cluster.pids and time.monotonic() < until:
            assert cluster.alive()
            time.sleep(0.01)
        kept, new = cluster.pids
        assert kept == second
        assert new not in (first, second)
    finally:
        cluster.end()


@contextmanager
def cluster() -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """A scheduler with a worker, started by hand."""
    from armdyn.processes.pipe import read_part

    member = [sys.executable, "-m", "armdyn.sweep.crew.member"]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen([*member, "scheduler"], **pipes) as scheduler:  # pyright: ignore[reportCallIssue, reportArgumentType]
        assert scheduler.stdout is not None
        found = read_part(scheduler.stdout)
        assert found is not None
        address = found[1].decode()
        with subprocess.Popen([*member, "worker", address], **pipes) as worker:  # pyright: ignore[reportCallIssue, reportArgumentType]
            yield address, scheduler
            worker.kill()
        scheduler.kill()


def test_a_scheduler_elsewhere_that_dies_stops_the_sweep_in_good_order(tmp_path, burdened):
    file = study_file(tmp_path, 300)
    with cluster() as (address, scheduler):

        def kill_it(at: Progress) -> None:
            if at.done:
                scheduler.kill()

        done = sweep(file, dask=address, chunk_rows=20, progress=kill_it)
    assert done.stopped == f"the Dask scheduler at {address} is gone"
    assert 0 < done.done < 300
    assert sweep(file, workers=1, resume=True).done == 300
    assert_same_rows(file, 300)


@pytest.mark.parametrize("address", ["foo bar", "head", "tcp://head:abc", ""])
def test_an_address_that_is_none_is_refused_before_a_client_is_made(tmp_path, address):
    with pytest.raises(InputError, match=f'Dask address "{address}", expected one as tcp://head:8786'):
        sweep(study_file(tmp_path, 20), dask=address, chunk_rows=20)


def test_an_address_where_nobody_is(tmp_path):
    with pytest.raises(InputError, match=r"no Dask cluster with workers answers at tcp://127.0.0.1:9"):
        sweep(study_file(tmp_path), dask="tcp://127.0.0.1:9", chunk_rows=100)


def test_an_address_where_somebody_is_silent(tmp_path, monkeypatch):
    monkeypatch.setattr("armdyn.sweep.crew.dask.GREETING", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"tcp://127.0.0.1:{server.getsockname()[1]}"
        with pytest.raises(InputError, match=f"answers at {address}: somebody listens"):
            sweep(study_file(tmp_path), dask=address, chunk_rows=100)


def test_without_dask_the_extra_is_named(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(ad.ArmdynError, match=r"pip install 'armdyn\[cluster\]'"):
        sweep(study_file(tmp_path), dask="local", chunk_rows=100)

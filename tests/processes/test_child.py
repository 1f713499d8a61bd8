"""Processes that work for another one: gone when it is gone."""

import subprocess
import sys

from armdyn.processes.pipe import part

BUSY = """
import sys, time
from armdyn.processes.child import incoming, own_output
output, jobs = own_output(), incoming()
print("what is printed", flush=True)
output.write(jobs.get())
output.flush()
time.sleep(600)
"""
LONG = 60
"""[s] that ending never takes"""


def test_a_process_ends_with_who_started_it_whatever_it_is_doing():
    with subprocess.Popen(
        [sys.executable, "-c", BUSY], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        assert child.stderr is not None
        try:
            child.stdin.write(part(b"J", b"job"))
            child.stdin.flush()
            assert child.stdout.read(3) == b"job"
            child.stdin.close()
            assert child.wait(LONG) == 0
            assert child.stderr.read() == b"what is printed\n"
        finally:
            child.kill()

"""A process that makes one robot's first call, and further ones if asked: what others start and watch.

    python -m armdyn.studies.speed.first_call ROBOT QUANTITY STATES REPEATS

prints two times [ns]: loading LLVM and the engine, which a process does once, and then from the robot to
the first result of one state: tracing and compiling, or loading what was compiled before. After that it
evaluates a batch of states, as often as asked.
"""

from __future__ import annotations

import sys
import time
from importlib import import_module

import numpy as np

from armdyn.dynamics import Dynamics
from armdyn.studies.speed.contests import our_call
from armdyn.studies.speed.robots import subjects
from armdyn.studies.speed.rows import Contest


def first_call(robot: str, quantity: str, states: int, repeats: int) -> tuple[int, int]:
    """The times of loading the engine and of the first call [ns]; the batch is evaluated afterwards."""
    subject = subjects(robot)[0]
    inputs = [np.full(size, 0.3) for _, size in subject.signature(quantity).inputs]
    before = time.perf_counter_ns()
    import_module("armdyn.native.kernel")
    import_module("armdyn.native.processor").host()
    start = time.perf_counter_ns()
    getattr(Dynamics(subject.robot, subject.motors), quantity)(*inputs)
    taken = start - before, time.perf_counter_ns() - start
    if repeats:
        batch = our_call(Contest(subject, quantity, states, 1), subject.state(states))
        for _ in range(repeats):
            batch.once()
    return taken


if __name__ == "__main__":
    robot, quantity, states, repeats = sys.argv[1:]
    library, taken = first_call(robot, quantity, int(states), int(repeats))
    sys.stdout.write(f"{library} {taken}\n")

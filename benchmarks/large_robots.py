"""Large robots: chains of up to 60 joints and a tree of 40 bodies, from the equations to results.

How long tracing and making the code take from nothing (seconds of processor time, nothing on disk), for one
state and for batches, and how long a state then takes, beside Pinocchio's functions. Around the size where
tapes take over from straight-line code both are measured. Batches are measured on one thread.
"""

import os
import time
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np

from armdyn.native.kernel import LONGEST, Kernel
from armdyn.scalars import Program
from armdyn.studies.growth import random_tree
from armdyn.studies.speed.peers.pinocchio import PEER
from armdyn.studies.speed.robots import State, Subject, subjects
from armdyn.studies.speed.timing import Call, Effort, take_turns

CHAINS = (2, 4, 6, 10, 16, 24, 30, 40, 60)
QUANTITIES = ("inverse", "forward", "mass_matrix", "inverse_derivatives", "forward_derivatives")
BOTH = (LONGEST // 6, 2 * LONGEST)
"""Operations between which both strategies are measured."""
STATES = 1024
EFFORT = Effort(rounds=50, fewest=5, seconds=1.0, sample=3e-3)


def run() -> list[dict[str, Any]]:
    """Rows of robot, quantity, strategy, times of making it [s] and of a state [ns], the peer's beside."""
    os.environ["ARMDYN_CACHE_LIMIT"] = "0"
    robots = [*(subjects(f"chain{n}")[0] for n in CHAINS), Subject("tree40", random_tree(40))]
    return [row for subject in robots for quantity in QUANTITIES for row in _rows(subject, quantity)]


def _rows(subject: Subject, quantity: str) -> Iterator[dict[str, Any]]:
    start = time.process_time()
    program = subject.program(quantity)
    traced = time.process_time() - start
    count = STATES if len(program.operations) < BOTH[1] else STATES // 8
    states = [subject.state(1), subject.state(count)]
    peers = [_peer(subject, quantity, state) for state in states]
    for strategy in _strategies(program):
        made, times = _measured(subject, quantity, program, strategy, states)
        yield {
            "robot": subject.name,
            "joints": subject.robot.n,
            "quantity": quantity,
            "operations": len(program.operations),
            "strategy": strategy,
            "chosen": (strategy == "tape") == (len(program.operations) > LONGEST),
            "trace_s": traced,
            "compile_one_s": made[0],
            "compile_batch_s": made[1],
            "one_ns": times[0],
            "batch_ns": times[1],
            "pinocchio_one_ns": peers[0],
            "pinocchio_batch_ns": peers[1],
        }


def _strategies(program: Program) -> list[str]:
    length = len(program.operations)
    if BOTH[0] <= length <= BOTH[1]:
        return ["code", "tape"]
    return ["tape" if length > LONGEST else "code"]


def _measured(
    subject: Subject, quantity: str, program: Program, strategy: str, states: list[State]
) -> tuple[list[float], list[float]]:
    """Times of making the code, and of a state: one alone, and in a batch."""
    signature, longest = subject.signature(quantity), 0 if strategy == "tape" else len(program.operations)
    kernel = Kernel(signature, lambda: program, longest=longest)
    made: list[float] = []
    times: list[float] = []
    for state in states:
        given = {name: np.atleast_2d(getattr(state, name)) for name, _ in signature.inputs}
        results = [np.empty((state.count, size)) for size in signature.sizes]
        call = Call("kernel", kernel, "run", (given, *results))
        start = time.process_time()
        call.once()
        made.append(time.process_time() - start)
        if state.single and kernel.has_builtin(one_state=True):  # as `Dynamics` calls it
            alone = SimpleNamespace(call=kernel.builtin(quantity, "", call.once, one_state=True))
            call = Call("builtin", alone, "call", tuple(x[0] for x in given.values()))
        times.append(take_turns([call], EFFORT)[0].best / state.count)
    return made, times


def _peer(subject: Subject, quantity: str, state: State) -> float | None:
    """A state's time by Pinocchio [ns], if it is there and has such a function."""
    call = PEER.prepare(subject)(quantity, state, 1) if PEER.available() else None
    if call is None:
        return None
    call.once()
    return take_turns([call], EFFORT)[0].best / state.count

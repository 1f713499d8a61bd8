"""Sweeps: what a row costs, from its point to bytes of Parquet, in processor time of one core.

Rows are evaluated as workers do it: points, results, and the file of a chunk with its checksum, in this
process. Robots that differ are measured with compiled code and with NumPy, for few and for many rows of each:
where the two cost the same is what `quantities.engine` is set to. The last rows are what a folder of many
files costs a reader. Nothing here is wall time, so that other work on the machine does not count.
"""

import hashlib
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from armdyn.sweep.chunks import Chunk
from armdyn.sweep.designs import Points
from armdyn.sweep.evaluating import evaluated
from armdyn.sweep.manifest import Manifest
from armdyn.sweep.quantities import evaluator
from armdyn.sweep.row_files import parquet_bytes
from armdyn.sweep.study import Study
from armdyn.sweep.study_file import study_of

POSTURES = "".join(f"[axes.q{k}]\nrange = [-3, 3]\n" for k in range(1, 7))
MOTION = POSTURES + "".join(f"[axes.{v}{k}]\nrange = [-1, 1]\n" for v in ("qd", "qdd") for k in range(1, 7))
PAYLOAD = '[axes."payload.mass"]\nrange = [0, 5]\n'
PROGRAM = 'program = "ur5_palletising"\n'
TOOL = "[axes.x]\nrange = [-0.8, 0.8]\n[axes.y]\nrange = [-0.8, 0.8]\n[axes.z]\nrange = [-0.3, 0.8]\n"
SPREAD = 'duration = 1\ncontroller = "pd_gravity"\ngoal = [0.5, -1, 1, 0, 0, 0]\nspread = { mass = 0.1 }\n'
SEEDS = "[axes.seed]\nrange = [1, 1000]\n"
CASES = (
    ("gravity", "ur5", POSTURES, "", 1 << 18),
    ("inverse", "ur5", MOTION, "", 1 << 18),
    ("inverse, payloads", "ur5", POSTURES + PAYLOAD, "", 1 << 18),
    ("gravity, payloads", "ur5", POSTURES + PAYLOAD, "", 1 << 18),
    ("mass_matrix, payloads", "ur5", POSTURES + PAYLOAD, "", 1 << 16),
    ("inverse", "lola15", MOTION, "", 1 << 17),
    ("forward", "lola15", MOTION.replace("qdd", "tau"), "", 1 << 14),
    ("mass_matrix", "ur5", POSTURES, "", 1 << 16),
    ("manipulability", "ur5", POSTURES, "", 1 << 13),
    ("workspace", "ur5", TOOL, "", 1 << 8),
    ("workspace, turned", "ur5", TOOL, "rpy = [3.1, 0, 0]\n", 1 << 8),
    ("verify", "ur5", PAYLOAD, PROGRAM, 4),
    ("retime", "ur5", PAYLOAD, PROGRAM, 4),
)
"""What is measured: quantity, robot, axes, options, rows."""
ROBOT_EACH = 4
"""Cases of so few rows make a robot for each."""
ROBOTS = ("gravity", "inverse", "mass_matrix")
"""Quantities of robots that differ."""


def run(*, quick: bool = False) -> list[dict[str, Any]]:
    """One row for each case."""
    rows = [_case(*case, quick=quick) for case in CASES]
    for name in ROBOTS:
        for each in (1, 100, 10_000) if not quick else (1,):
            rows += [_robots(name, engine, each) for engine in ("native", "numpy")]
    return [*rows, *_files()]


def _study(robot: str, quantity: str, axes: str, options: str, rows: int) -> Study:
    head = f'[study]\nrobot = "{robot}"\nquantity = "{quantity}"\n[design]\nkind = "random"\nn = {rows}\n'
    return study_of(f'{head}{axes}[options]\n{options}[output]\nfolder = "x"\n', Path())


def _case(what: str, robot: str, axes: str, options: str, rows: int, *, quick: bool) -> dict[str, Any]:
    """Points, results and bytes of so many rows."""
    study = _study(
        robot, what.split(",", maxsplit=1)[0], axes, options, max(2, rows // 16) if quick else rows
    )
    made, points = evaluator(study), Points(study)
    if rows > ROBOT_EACH:  # what is compiled is compiled once
        evaluated(study, made, points, 0, min(study.total, 16))
    began = time.process_time()
    at, found = evaluated(study, made, points, 0, study.total)
    computed = time.process_time()
    columns = [{"name": a.name, "unit": "", "kind": "float", "role": "axis"} for a in study.axes]
    columns += [{"name": c.name, "unit": c.unit, "kind": c.kind, "role": "result"} for c in made.columns]
    manifest = Manifest(study.text, "", {}, study.total, study.total, tuple(columns), {}, "")
    data = parquet_bytes(manifest, Chunk(0, 0, study.total), at, found)
    hashlib.sha256(data).hexdigest()
    written = time.process_time()
    return _row(what, robot, study.total, computed - began, written - computed, len(data))


def _row(what: str, robot: str, rows: int, computing: float, writing: float, size: float) -> dict[str, Any]:
    return {
        "what": what,
        "robot": robot,
        "rows": rows,
        "computing_us": 1e6 * computing / rows,
        "writing_us": 1e6 * writing / rows,
        "bytes": size / rows,
    }


def _robots(quantity: str, engine: str, each: int) -> dict[str, Any]:
    """A robot made anew, and so many rows of it; nothing of it is on disk."""
    length = float(np.random.default_rng().uniform(0.5, 0.7))
    axes = f'[axes."robot.joints.2.a"]\nvalues = [{length}]\n{POSTURES}'
    study = _study("lola15", quantity, axes, f'engine = "{engine}"\n', each)
    made, points = evaluator(study), Points(study).rows(0, each)
    seconds = _spent(lambda: made.evaluate(points))
    return _row(f"{quantity}, a robot each {each} rows, {engine}", "lola15", each, seconds, 0.0, 0.0)


def _spent(call: Callable[[], object]) -> float:
    began = time.process_time()
    call()
    return time.process_time() - began


def _files() -> list[dict[str, Any]]:
    """What many files cost whoever looks for what is missing."""
    from armdyn.sweep.store.layout import chunk_files, chunk_name

    count = 20_000
    with tempfile.TemporaryDirectory() as folder:
        rows = Path(folder) / "rows"
        rows.mkdir()
        for k in range(count):
            (rows / chunk_name(k, f"{k:032x}")).touch()
        listed = _spent(lambda: list(chunk_files(Path(folder))))
    data = bytes(1 << 26)
    hashed = _spent(lambda: hashlib.sha256(data).digest())
    return [
        _row("a folder listed, of each file", "", count, listed, 0.0, 0.0),
        _row("a checksum, of each MiB", "", 64, hashed, 0.0, 1 << 20),
    ]

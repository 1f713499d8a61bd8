"""Run the benchmarks, and keep the figures with the machine's name in benchmarks/results/.

    python benchmarks/run.py [--quick] [speed] [startup] [friction] [simulation] [verification] [equations]
                             [retiming] [identification] [operational_space] [c_code] [fmu]
                             [telemetry] [studio] [large_robots] [sweep]

`speed` is what `armdyn bench` measures, with instructions counted where perf or valgrind can;
`startup` is how long until armdyn is there; `friction` is forward dynamics in motion and at rest;
`simulation` is many runs at once beside `mujoco.rollout`;
`verification` is a whole robot program against real time;
`equations` is explicit equations and extremes of six-axis arms;
`retiming` is time-optimal motion along a path beside toppra;
`identification` is parameters from a long log beside NumPy and Pinocchio;
`operational_space` is the dynamics of a task beside Pinocchio with NumPy around it;
`c_code` is exported C beside the C that CasADi generates;
`fmu` is a step of an exported FMU beside one of `simulate`;
`studio` is the studio's server and its page in a browser;
`telemetry` is a running robot watched in the studio: rate, delay, processor, memory;
`sweep` is a row of a large study, from its point to bytes of Parquet.
"""

import json
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import c_code
import fmu
import friction
import large_robots
import operational_space
import startup
import telemetry
import verification

import equations
import identification
import retiming
import simulation
import studio
import sweep
from armdyn.cli.bench import print_speed, watched
from armdyn.cli.output import print_table
from armdyn.studies.speed import benchmark
from armdyn.studies.speed.machine import machine
from armdyn.studies.speed.processes import instruction_counts, instruction_tool

RESULTS = Path(__file__).parent / "results"
COUNTED = ("ur5",), ("inverse", "forward")
"""Robots and quantities whose instructions are counted: slow under valgrind."""


def measured_speed(*, quick: bool) -> dict[str, Any]:
    """Armdyn beside its peers."""
    document = benchmark(quick=quick, progress=watched)
    tool = None if quick else instruction_tool()
    document["instructions"] = [] if tool is None else instruction_counts(*COUNTED, tool)
    if tool is None and not quick:
        document["notes"].append("instructions are not counted: neither perf nor valgrind works here")
    print_speed(document)
    return document


def measured_startup() -> dict[str, Any]:
    """Fresh processes."""
    return _document("startup", ("quantity", "ours_ns", "peer", "peer_ns", "ratio"), startup.run())


def measured_friction() -> dict[str, Any]:
    """Accelerations in motion and at rest."""
    return _document("friction", ("robot", "state", "states", "ours_ns", "peer", "ratio"), friction.run())


def measured_simulation() -> dict[str, Any]:
    """Many runs at once."""
    columns = ("state", "integrator", "threads", "at_rest", "ours_ns", "peer", "peer_ns", "ratio")
    return _document("a step of a run", columns, simulation.run())


def measured_verification() -> dict[str, Any]:
    """A robot program, from its text to the verdict."""
    columns = ("part", "cycle_s", "ours_ms", "real_time_s", "times_real_time")
    return _document("verification of the Lola 15 program", columns, verification.run())


def measured_equations() -> dict[str, Any]:
    """Equations in symbols, and extremes over the workspace."""
    return _document("mass matrix and gravity", ("robot", "part", "ms", "elements"), equations.run())


def measured_retiming() -> dict[str, Any]:
    """As fast as can be along a path."""
    columns = ("problem", "intervals", "part", "ours_ms", "peer", "peer_ms", "ratio")
    return _document("time-optimal motion along a path", columns, retiming.run())


def measured_identification() -> dict[str, Any]:
    """Parameters from a log."""
    columns = ("part", "robot", "samples", "ours_ms", "peer", "peer_ms", "ratio")
    return _document("identification", columns, identification.run())


def measured_operational_space() -> dict[str, Any]:
    """B_A, C_A xd, g_A and the consistent inverse."""
    columns = ("robot", "states", "ours_ns", "peer", "peer_ns", "ratio", "largest_difference")
    return _document("dynamics of a task", columns, operational_space.run())


def measured_c_code() -> dict[str, Any]:
    """A call of exported C."""
    columns = ("robot", "quantity", "code", "compiler", "instructions", "ns", "bytes")
    return _document("a call of exported C", columns, c_code.run())


def measured_fmu() -> dict[str, Any]:
    """A step of an FMU."""
    columns = ("robot", "integrator", "state", "ours_ns", "peer", "peer_ns", "ratio", "largest_difference")
    return _document("a step of an FMU", columns, fmu.run())


def measured_telemetry(*, quick: bool) -> dict[str, Any]:
    """A running robot, watched."""
    return _document("telemetry", ("quantity", "value", "unit"), telemetry.run(quick=quick))


def measured_studio(*, quick: bool) -> dict[str, Any]:
    """The studio's server, and its page in a browser."""
    return _document("studio", ("part", "quantity", "value", "unit", "spike"), studio.run(quick=quick))


def measured_large_robots() -> dict[str, Any]:
    """From equations to results, for many joints."""
    columns = (
        "robot",
        "quantity",
        "operations",
        "strategy",
        "trace_s",
        "compile_one_s",
        "one_ns",
        "batch_ns",
    )
    return _document("large robots", columns, large_robots.run())


def measured_sweep(*, quick: bool) -> dict[str, Any]:
    """A row of a large study."""
    columns = ("what", "robot", "rows", "computing_us", "writing_us", "bytes")
    return _document("a row of a sweep", columns, sweep.run(quick=quick))


def _document(title: str, columns: tuple[str, ...], rows: list[dict[str, Any]]) -> dict[str, Any]:
    print_table(title, columns, [[row[column] for column in columns] for row in rows])
    return {"measured": datetime.now(UTC).isoformat(timespec="seconds"), "machine": machine(), "rows": rows}


BENCHMARKS = {
    "speed": lambda quick: measured_speed(quick=quick),
    "startup": lambda _: measured_startup(),
    "friction": lambda _: measured_friction(),
    "simulation": lambda _: measured_simulation(),
    "verification": lambda _: measured_verification(),
    "equations": lambda _: measured_equations(),
    "retiming": lambda _: measured_retiming(),
    "identification": lambda _: measured_identification(),
    "operational_space": lambda _: measured_operational_space(),
    "large_robots": lambda _: measured_large_robots(),
    "c_code": lambda _: measured_c_code(),
    "fmu": lambda _: measured_fmu(),
    "telemetry": lambda quick: measured_telemetry(quick=quick),
    "studio": lambda quick: measured_studio(quick=quick),
    "sweep": lambda quick: measured_sweep(quick=quick),
}


def main() -> None:
    """Run the benchmarks named on the command line, or all."""
    words = sys.argv[1:]
    names = [word for word in words if word != "--quick"] or list(BENCHMARKS)
    if unknown := set(names) - BENCHMARKS.keys():
        sys.exit(f"no benchmark {', '.join(sorted(unknown))}, expected {', '.join(BENCHMARKS)}")
    RESULTS.mkdir(exist_ok=True)
    for name in names:
        document = BENCHMARKS[name]("--quick" in words)
        (RESULTS / f"{name}.json").write_text(kept_text(document), encoding="utf-8")


def kept_text(document: dict[str, Any]) -> str:
    """The document as JSON, six digits of every number, a line for every row."""
    short = json.loads(json.dumps(document), parse_float=lambda text: float(f"{float(text):.6g}"))
    return "{\n" + ",\n".join(f"{json.dumps(key)}: {_block(value)}" for key, value in short.items()) + "\n}\n"


def _block(value: Any) -> str:
    if not isinstance(value, list) or not value:
        return json.dumps(value)
    return "[\n" + ",\n".join(json.dumps(item) for item in value) + "\n]"


if __name__ == "__main__":
    main()

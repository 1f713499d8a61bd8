"""Run the benchmarks, print a table, and keep the figures in benchmarks/results/.

    python benchmarks/run.py [name ..]

A benchmark is a module beside this one with a function `run()` that returns rows: what was
measured, our time, a peer and its time [ns], and the ratio.
"""

import json
import os
import platform
import sys
from datetime import UTC, datetime
from importlib import import_module
from importlib.metadata import version
from pathlib import Path

from rich.console import Console
from rich.table import Table

HERE = Path(__file__).parent
RESULTS = HERE / "results"


def main() -> None:
    """Run the benchmarks named on the command line, or all."""
    for name in sys.argv[1:] or benchmarks():
        rows = import_module(name).run()
        show(name, rows)
        keep(name, rows)


def benchmarks() -> list[str]:
    """Names of the benchmark modules."""
    return sorted(file.stem for file in HERE.glob("*.py") if file.stem != "run")


def show(name: str, rows: list[dict[str, object]]) -> None:
    """Print the rows as a table, times in milliseconds or microseconds."""
    table = Table(title=name)
    for column in rows[0]:
        table.add_column(
            column.removesuffix("_ns"), justify="left" if isinstance(rows[0][column], str) else "right"
        )
    for row in rows:
        table.add_row(*(_cell(column, value) for column, value in row.items()))
    Console().print(table)


def _cell(column: str, value: object) -> str:
    if isinstance(value, (int, float)) and column.endswith("_ns"):
        return f"{value / 1e6:.1f} ms" if value >= 1e6 else f"{value / 1e3:.3f} us"
    return "" if value is None else str(value)


def keep(name: str, rows: list[dict[str, object]]) -> None:
    """Write the rows, and the machine they come from, to results/<name>.json."""
    machine = {
        "armdyn": version("armdyn"),
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "processor": _processor(),
        "cores": os.cpu_count(),
    }
    figures = {"measured": datetime.now(UTC).isoformat(timespec="seconds"), "machine": machine, "rows": rows}
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / f"{name}.json").write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")


def _processor() -> str:
    """The processor's own name, where the system tells it."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text(encoding="utf-8").splitlines() if info.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor()


if __name__ == "__main__":
    main()

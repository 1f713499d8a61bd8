"""How long until armdyn is there: wall time of fresh processes, best of several.

The goal is 0.3 s for both rows of armdyn. A bare interpreter and the imports of the peers that are
installed stand beside it.
"""

import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path

REPEATS = 9

PEERS = {
    "bare python": "pass",
    "numpy": "import numpy",
    "pinocchio": "import pinocchio",
    "mujoco": "import mujoco",
}


def run() -> list[dict[str, object]]:
    """Rows of quantity, ours_ns, peer, peer_ns and ratio (the peer's to ours)."""
    commands = {name: [sys.executable, "-c", code] for name, code in PEERS.items() if _installed(code)}
    commands["import armdyn"] = [sys.executable, "-c", "import armdyn"]
    commands["armdyn --help"] = [str(Path(sys.executable).with_name("armdyn")), "--help"]
    best = _best_times(commands)
    return [
        {
            "quantity": quantity,
            "ours_ns": best[quantity],
            "peer": peer,
            "peer_ns": best[peer],
            "ratio": round(best[peer] / best[quantity], 2),
        }
        for quantity in ("import armdyn", "armdyn --help")
        for peer in PEERS
        if peer in best
    ]


def _installed(code: str) -> bool:
    return code == "pass" or find_spec(code.removeprefix("import ")) is not None


def _best_times(commands: dict[str, list[str]]) -> dict[str, int]:
    """Best wall time of each command [ns]; they take turns, so that a busy moment hits all alike."""
    times: dict[str, list[int]] = {name: [] for name in commands}
    for _ in range(REPEATS):
        for name, command in commands.items():
            start = time.perf_counter_ns()
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            times[name].append(time.perf_counter_ns() - start)
    return {name: min(values) for name, values in times.items()}

"""Failures on disk: a robot file, the state beside it, and what runs it again.

PYTHONPATH=tests python -m engines.failures build/failures/inverse-mujoco-1a2b3c4d
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np

import armdyn as ad
from engines.armdyn_engine import Engine
from engines.cases import Case
from engines.comparison import Difference, Peer, differences, faults, peers
from engines.shrinking import shrunk

FOLDER = Path(__file__).parents[2] / "build" / "failures"
Peers = Callable[[Case], dict[str, Peer]]


class EnginesDifferError(AssertionError):
    """armdyn is wrong about a robot; the message names the folder that holds it, made small."""


def require_agreement(
    case: Case,
    engines: Iterable[Engine] = ("numpy",),
    *,
    derivatives: bool = True,
    others: Peers | None = None,
    folder: Path = FOLDER,
) -> list[Difference]:
    """All differences, none of which is armdyn's; a case in which one is gets shrunk and saved."""
    found = differences(case, engines, derivatives=derivatives, others=others(case) if others else None)
    wrong = faults(found)
    if wrong:
        place = save_failure(case, wrong[0], others, folder)
        raise EnginesDifferError(f"{wrong[0]}\nmade small in {place}; again: {command(place)}")
    return found


def save_failure(case: Case, wrong: Difference, others: Peers | None, folder: Path) -> Path:
    """Shrink a case and write robot.toml and case.json; the folder that they are in."""
    small = shrunk(case, lambda simpler: bool(_again(simpler, wrong, others)))
    (last,) = _again(small, wrong, others)[:1]
    state = {name: getattr(small, name).tolist() for name in ("q", "qd", "qdd")}
    about = {"motors": small.motors, "quantity": wrong.quantity, "engine": wrong.engine, "peer": wrong.peer}
    text = json.dumps({**about, **state, "found": str(last)}, indent=1)
    digest = hashlib.sha256(f"{small.robot!r} {small.robot.bodies} {text}".encode()).hexdigest()[:8]
    place = folder / f"{wrong.quantity}-{wrong.peer}-{digest}".replace(" ", "_")
    place.mkdir(parents=True, exist_ok=True)
    ad.save(small.robot, place / "robot.toml")
    (place / "case.json").write_text(text + "\n", encoding="utf-8")
    return place


def _again(case: Case, wrong: Difference, others: Peers | None) -> list[Difference]:
    """The faults of this case in the same quantity, on the same engine, beside the same peer."""
    engine: Engine = wrong.engine.removeprefix("armdyn ")  # pyright: ignore[reportAssignmentType]
    derivatives = " by " in wrong.quantity or wrong.quantity == "regressor"
    there = others(case) if others else peers(case, derivatives=derivatives)
    asked = {name: ask for name, ask in there.items() if name == wrong.peer}
    found = faults(differences(case, (engine,), derivatives=derivatives, others=asked))
    return [difference for difference in found if difference.quantity == wrong.quantity]


def load_failure(place: Path) -> tuple[Case, Difference]:
    """A saved case, and what was wrong."""
    found = json.loads((place / "case.json").read_text(encoding="utf-8"))
    q, qd, qdd = (np.array(found[name], float) for name in ("q", "qd", "qdd"))
    wrong = Difference(found["quantity"], found["engine"], found["peer"], 0.0, 0.0, "armdyn")
    return Case(ad.load(place / "robot.toml"), found["motors"], q, qd, qdd), wrong


def command(place: Path) -> str:
    """What runs a saved case again."""
    return f"PYTHONPATH=tests {Path(sys.executable).name} -m engines.failures {place}"


def main(arguments: list[str]) -> int:
    """Run saved cases again: 1 if one still fails."""
    failed = 0
    for argument in arguments:
        case, wrong = load_failure(Path(argument))
        found = _again(case, wrong, None)
        failed += bool(found)
        sys.stdout.write(f"{argument}: {found[0] if found else 'agrees'}\n")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

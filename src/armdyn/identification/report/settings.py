"""What an identification was asked, in words."""

from __future__ import annotations

import math
from collections.abc import Iterator

from armdyn.identification.identified import Identified
from armdyn.report.wording import MODELS, amount, listed

METHODS = {
    "ordinary": "ordinary least squares, every joint alike",
    "weighted": "least squares, each joint weighted by its noise",
    "reweighted": "least squares, each joint weighted by its noise, outliers less (Huber)",
    "damped": "damped least squares, near the robot file",
    "total": "total least squares: errors in the regressor, too",
    "sequential": "joint by joint, from the last to the first",
}


def facts(found: Identified) -> Iterator[tuple[str, str]]:
    """Name and value of each."""
    robot = found.prior
    yield "Robot", f"{robot.name}: {robot.description}" if robot.description else robot.name
    yield "Motor model", MODELS[found.dyn.motors]
    yield "Friction", "viscous, Coulomb and an offset at every joint" if found.dyn.friction else "left out"
    yield "Method", METHODS[found.estimate.method]
    yield "Logs", ", ".join(found.logs)
    if found.payload is not None:
        yield "Payload", f"told from {found.payload.source}"
    if found.validation is not None:
        yield "Validation", found.validation.name
    yield "Low-pass", cutoff_text(found)
    yield "Samples", _samples_text(found)
    yield "Unknowns", f"{len(found.base)} base parameters of {len(found.dyn.parameters)} parameters"
    yield "Condition number", condition_text(found)


def cutoff_text(found: Identified) -> str:
    """Where the low-pass of each log ends."""
    cutoffs = list(dict.fromkeys(each.samples.cutoff for _, each in found.seen))
    if all(map(math.isinf, cutoffs)):
        return "none"
    return f"{listed([amount(cutoff, 3) for cutoff in cutoffs])} Hz, zero phase"


def condition_text(found: Identified) -> str:
    """How much less the worst combination shows than the best."""
    number = found.condition_number
    return amount(number, 3) if math.isfinite(number) and number < 1e10 else "infinite"


def _samples_text(found: Identified) -> str:
    before, after = found.observed.samples.rate_before, found.observed.samples.rate
    seen = found.observations
    kept = f"{len(seen)}, at {amount(after, 3)} Hz of {amount(before, 4)} Hz recorded"
    idle = seen.used.size - int(seen.rows.sum())
    share = 100 * idle / max(seen.used.size, 1)
    return (
        f"{kept}; {amount(share, 2)} % of the rows do not count: their joint nearly rests" if idle else kept
    )

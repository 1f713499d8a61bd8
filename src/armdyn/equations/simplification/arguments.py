"""What simplification is asked, checked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from armdyn.equations.simplification.spelling import Groups
from armdyn.equations.simplification.waves import Joints, Waves, settled, waves
from armdyn.errors import InputError
from armdyn.extremes.arguments import checked_box
from armdyn.extremes.of_harmonics import terms_of
from armdyn.scalars.harmonic import Harmonic, Ring


@dataclass(frozen=True)
class Question:
    """The cases as sums of waves, over which joints, and which of their axes are parallel."""

    cases: tuple[Waves, ...]
    joints: Joints
    groups: Groups


def question(
    cases: Sequence[Harmonic | float], names: Sequence[str], box: ArrayLike, parallel: Sequence[Sequence[str]]
) -> Question:
    """Refuse what cannot be simplified; joints that cannot move become numbers."""
    if not cases:
        raise InputError("there is no case to simplify, expected one quantity or more")
    for group in parallel:
        for name in group:
            if name not in names:
                raise InputError(f'parallel has "{name}", expected joints among {", ".join(names)}')
    ring = next((case.ring for case in cases if isinstance(case, Harmonic)), Ring())
    lifted = [case if isinstance(case, Harmonic) else ring.constant(float(case)) for case in cases]
    for case in lifted:
        terms_of(case, names)
        if not np.isfinite(list(case.terms.values())).all():
            raise InputError("a quantity has a coefficient that is not finite, expected finite numbers")
    scaled = {name: parts for case in lifted for name, parts in case.ring.scaled.items()}
    joints = Joints(tuple(names), checked_box(box, len(names)), scaled)
    return Question(tuple(settled(waves(case.pruned()), joints) for case in lifted), joints, Groups(parallel))


def check_aim(tolerance: float | None, operations: int | None) -> None:
    """Refuse anything but one tolerance or one number of operations."""
    if (tolerance is None) == (operations is None):
        given = "neither" if tolerance is None else "both"
        raise InputError(f"{given} of tolerance and operations given, expected one of them")
    if tolerance is not None and not tolerance >= 0:
        raise InputError(f"tolerance is {tolerance}, expected a fraction of 0 or more; 0.05 is 5 %")
    if operations is not None and operations < 0:
        raise InputError(f"operations is {operations}, expected 0 or more; 0 gives a constant")

"""Harmonics of an arm as terms in its joints: what extremes are looked for in."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from armdyn.errors import InputError
from armdyn.extremes.terms import Terms
from armdyn.scalars.harmonic import Harmonic, RealTerm


def has_terms(f: Harmonic, names: Sequence[str]) -> bool:
    """Whether a harmonic is a sum of waves in the named joints: no other symbols, no roots, no quotients."""
    known = {*names, *f.ring.scaled}
    return all(name in known and (d > 0 or angle) for _, digits in f.digits() for name, angle, d in digits)


def terms_of(f: Harmonic, names: Sequence[str]) -> Terms:
    """A harmonic in the named joints, as the terms of a function of them in their order."""
    if not has_terms(f, names):
        others = sorted(f.names - {*names, *f.ring.scaled})
        raise InputError(
            f"a harmonic has {', '.join(others) or 'negative powers'}, expected whole powers and angles of "
            f"{', '.join(names)}; put numbers in place of other symbols, roots and quotients have no terms"
        )
    rows = f.real_terms()
    found = Terms(
        np.array([_frequencies(f, row, names) for row in rows]).reshape(-1, len(names)),
        np.array([[dict(row.powers).get(name, 0) for name in names] for row in rows], dtype=np.int64).reshape(
            -1, len(names)
        ),
        np.array([row.cosine for row in rows]),
        np.array([row.sine for row in rows]),
    )
    return found.merged()


def _frequencies(f: Harmonic, row: RealTerm, names: Sequence[str]) -> list[float]:
    """How often a term turns with each joint, angles that turn at no whole number of times resolved."""
    total = dict.fromkeys(names, 0.0)
    for name, d in row.frequencies:
        for joint, factor in f.ring.scaled.get(name, ((name, 1.0),)):
            total[joint] += d * factor
    return list(total.values())

"""What is measured, and how much work it is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from armdyn.errors import InputError, suggestion
from armdyn.native.signature import Signature

QUANTITIES = (
    "inverse",
    "forward",
    "mass_matrix",
    "bias",
    "gravity",
    "inverse_derivatives",
    "forward_derivatives",
)
"""Methods of `Dynamics` that take arrays alone."""


def chosen_quantities(names: Iterable[str]) -> list[str]:
    """The names, each a quantity that is measured."""
    wanted = list(dict.fromkeys(names))
    for name in wanted:
        if name not in QUANTITIES:
            hint = suggestion(name, QUANTITIES)
            raise InputError(f'quantity "{name}"; {hint}expected one of {", ".join(QUANTITIES)}')
    return wanted


def operations(counts: Mapping[str, int]) -> int:
    """Multiplications, additions and divisions."""
    return counts["multiplications"] + counts["additions"] + counts["divisions"]


def bytes_moved(signature: Signature) -> int:
    """What one state reads and writes at least."""
    return 8 * (sum(size for _, size in signature.inputs) + sum(signature.sizes))

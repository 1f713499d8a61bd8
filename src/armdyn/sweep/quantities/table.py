"""What a study can evaluate, by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module

from armdyn.errors import InputError, suggestion
from armdyn.sweep.quantities.columns import Evaluator
from armdyn.sweep.study import Study

Maker = Callable[[Study], Evaluator]

_OTHERS: Mapping[str, tuple[str, str]] = {
    "manipulability": ("manipulability", "Manipulability"),
    "workspace": ("workspace", "Workspace"),
    "simulate": ("simulation", "Simulations"),
    "verify": ("verification", "Verifications"),
    "retime": ("retiming", "Retimings"),
    **{
        f"study.{kind}": ("load_studies", "LoadStudies")
        for kind in ("inertia", "gravity", "coupling", "servo", "reactions", "sizing", "manipulability")
    },
}
"""Name -> module and class; each is imported only when it is asked for."""


def quantity_names() -> tuple[str, ...]:
    """All of them."""
    from armdyn.sweep.quantities.states import state_quantities

    return (*state_quantities(), *_OTHERS)


def maker_of(quantity: str) -> Maker:
    """What makes an evaluator of a quantity."""
    if quantity in _OTHERS:
        module, name = _OTHERS[quantity]
        return getattr(import_module(f"armdyn.sweep.quantities.{module}"), name)
    from armdyn.sweep.quantities.states import States, state_quantities

    if quantity in state_quantities():
        return States
    known = quantity_names()
    raise InputError(
        f'no quantity "{quantity}"; {suggestion(quantity, known)}expected one of {", ".join(known)}'
    )

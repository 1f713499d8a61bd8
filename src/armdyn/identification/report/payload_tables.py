"""What the robot holds: a body with errors, and the ten parameters it comes from."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from armdyn.identification.centroidal_errors import centroidal_errors
from armdyn.identification.payload import PayloadFound
from armdyn.identification.report.numbers import aligned, with_error, without_rounding
from armdyn.report.markup import Markup, element, joined, row, table
from armdyn.report.wording import amount

AXES = "xyz"


def payload_tables(held: PayloadFound) -> Markup:
    """Mass, centre and tensor, then the ten parameters by least squares."""
    said = (
        f"Held by {held.body}, told from {held.source}, in that body's frame. The tensor is about the "
        "payload's own centre of mass; what the data do not tell is the least that a body can have."
    )
    return joined([element("p", said), _body(held), _ten(held)])


def _body(held: PayloadFound) -> Markup:
    rows = [(name, *with_error(value, error), unit) for name, value, error, unit in _elements(held)]
    return _table("The payload", rows)


def _elements(held: PayloadFound) -> Iterator[tuple[str, float, float, str]]:
    body = held.inertia
    com = without_rounding(np.array(body.com, dtype=float), ["m"] * 3)
    about = without_rounding(np.array(body.tensor, dtype=float).ravel(), ["kg m2"] * 9).reshape(3, 3)
    centre, tensor = centroidal_errors(body, held.covariance, np.isfinite(held.standard_error))
    yield "mass", float(body.mass), float(held.standard_error[0]), "kg"
    for k, axis in enumerate(AXES):
        yield f"centre, {axis}", float(com[k]), float(centre[k]), "m"
    for i in range(3):
        for j in range(i, 3):
            yield f"I{AXES[i]}{AXES[j]}", float(about[i, j]), float(tensor[i, j]), "kg m2"


def _ten(held: PayloadFound) -> Markup:
    rows = [
        (each.name, amount(each.value), "not told", each.unit)
        if each.standard_error is None
        else (each.name, *with_error(each.value, each.standard_error), each.unit)
        for each in held.estimates
    ]
    return _table("Its ten parameters by least squares, tensor about the origin of the body's frame", rows)


def _table(caption: str, rows: list[tuple[str, str, str, str]]) -> Markup:
    values, errors = aligned([each[1] for each in rows]), aligned([each[2] for each in rows])
    written = [
        row(name, value, error, element("td", unit, class_="words"))
        for (name, _, _, unit), value, error in zip(rows, values, errors, strict=True)
    ]
    return table(caption, ("", "Value", "Standard error", "Unit"), written, class_="numbers held")

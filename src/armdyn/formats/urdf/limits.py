"""Limits of joints: a velocity or effort of 0, or too large to be meant, is unknown."""

from __future__ import annotations

from armdyn.formats.urdf.elements import Element, add, blaming, child, mistake
from armdyn.formats.urdf.numbers import number_text, read_number
from armdyn.formats.urdf.topology import Edge
from armdyn.robot import Limits

UNLIMITED = 1e9
"""What is written for an unknown velocity or effort: URDF demands a number, and 0 would forbid all motion."""


def read_limits(edge: Edge) -> Limits:
    """What the file says of a joint's limits."""
    limit = child(edge.element, "limit")
    if limit is None:
        return Limits()
    velocity, effort = (_bound(limit, name) for name in ("velocity", "effort"))
    with blaming(limit):
        return Limits(_position(edge, limit), velocity=velocity or None, effort=effort or None)


def _position(edge: Edge, limit: Element) -> tuple[float, float] | None:
    if edge.type == "continuous" or lacks_position_limits(edge):
        return None
    lower, upper = _bound(limit, "lower"), _bound(limit, "upper")
    if lower is None and upper is None:
        return None
    if lower is None or upper is None:
        raise mistake(limit, "one of lower and upper is infinite, expected both or neither")
    if lower > upper:
        message = f"lower {lower:g} is above upper {upper:g}, expected lower <= upper; exchange them"
        raise mistake(limit, message)
    return lower, upper


def _bound(limit: Element, name: str) -> float | None:
    """A limit (0 if missing), or None for an infinite one, which some files write for none."""
    text = (limit.get(name) or "").strip().lower()
    if text.lstrip("+-") in ("inf", "infinity"):
        return None
    bound = read_number(limit, name, 0.0)
    return bound if abs(bound) < UNLIMITED else None


def lacks_position_limits(edge: Edge) -> bool:
    """Whether a joint that should have position limits is given none."""
    limit = child(edge.element, "limit")
    given = () if limit is None else limit.keys()
    return edge.moves and edge.type != "continuous" and not {"lower", "upper"}.intersection(given)


def has_zero_limits(edge: Edge) -> bool:
    """Whether a moving joint is said to have no velocity or no effort."""
    limit = child(edge.element, "limit") if edge.moves else None
    return limit is not None and 0 in (_bound(limit, "velocity"), _bound(limit, "effort"))


def add_limit(joint: Element, limits: Limits) -> None:
    """Write a joint's limits."""
    bounds = {"effort": limits.effort or UNLIMITED, "velocity": limits.velocity or UNLIMITED}
    if limits.position is not None:
        bounds["lower"], bounds["upper"] = limits.position
    add(joint, "limit", **{name: number_text(value) for name, value in bounds.items()})

"""Dependencies between the parameters of a body and those of the body before it.

What a joint does not feel of its body might as well be part of the body that carries it, whatever the motion:
a part of the one, less the same part of the other as seen from there, does nothing.
"""

from __future__ import annotations

from typing import Any

from armdyn.equations.base_parameters.elimination import Row, added, tidy
from armdyn.mechanics.body_parameters import PARAMETERS, parameters_of_moments
from armdyn.mechanics.tree.base_parameters import unfelt_parts
from armdyn.mechanics.tree.links import Tree
from armdyn.robot import Robot
from armdyn.scalars.harmonic import Ring
from armdyn.spatial import Moments, Transform


def regrouping(robot: Robot, tree: Tree, ring: Ring) -> list[Row]:
    """Combinations of the bodies' parameters that do nothing; every body is a link of its own."""
    columns = {tree.frames[name][0]: len(PARAMETERS) * k for k, name in enumerate(robot.body_names)}
    rows: list[Row] = []
    for name in robot.body_names:
        index, T_link_body = tree.frames[name]
        link = tree.links[index]
        carrier = next((body for body in robot.body_names if tree.frames[body][0] == link.parent), None)
        for part in unfelt_parts(link.kind):
            # what a sliding or fixed joint does not feel is the same in any axes: the body's are simpler
            own = part if link.kind != "revolute" else part.seen_from(T_link_body.inverse())
            there = own.seen_from(T_link_body).seen_from(Transform(link.rotation, link.position))
            row = _row({}, own, columns[index], 1, ring)
            if carrier is not None:
                T_carrier = tree.frames[carrier][1].inverse()
                row = _row(row, there.seen_from(T_carrier), columns[link.parent], -1, ring)
            rows.append(row)
    return rows


def _row(row: Row, body: Moments, first: int, sign: int, ring: Ring) -> Row:
    values: tuple[Any, ...] = parameters_of_moments(body)
    for k, value in enumerate(values):
        row = added(row, {first + k: tidy(ring.constant(0.0) + value)}, ring.constant(float(sign)))
    return row

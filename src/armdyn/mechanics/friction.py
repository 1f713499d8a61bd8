"""Friction of one coordinate, a joint's or a motor's: one law, in motion and at rest.

A coordinate that moves at rate v under a load u resists with

    f = viscous v + sign(v) (coulomb + load |u|)

[Szkodny1995] (17), (18) in motion; [Kvrgic2020] (90) with |u|, because mu sign(v) u would drive the arm when
u v < 0. At rest friction takes whatever keeps the coordinate there, up to

    |f| <= starting + load |u|

and just that, against the motion to come, where this cannot hold it. (17) compares the motor's force alone
with the starting friction, which lets a resting arm fall; here friction balances the load, too.
"""

from __future__ import annotations

from typing import Any

from armdyn.robot import Friction
from armdyn.scalars import absolute, select, sign


def resistance(
    friction: Friction, rate: Any, load: Any, onset: Any = 0, *, moving: Any = None, way: Any = None
) -> Any:
    """What friction takes from a coordinate that moves at `rate` under `load`.

    At rest it takes what a motion in the direction of `onset`, the acceleration, has to overcome, and nothing
    where that is zero, too. `moving` is positive where the coordinate moves; by default where rate is not 0.
    `way`, 1 or -1, is the direction of what moves; by default the sign of its rate.
    """
    moving = absolute(rate) if moving is None else moving
    direction, level = select(moving, sign(rate) if way is None else way, sign(onset)), friction.coulomb
    if friction.at_rest != friction.coulomb:
        level = select(moving, friction.coulomb, friction.at_rest)
    return _directed(friction, direction, friction.viscous * rate + level * direction, load)


def bounds(friction: Friction, load: Any) -> tuple[Any, Any]:
    """The least and the most that friction can take from a coordinate at rest."""
    least, most = (_directed(friction, way, friction.at_rest * way, load) for way in (-1, 1))
    return least, most


def _directed(friction: Friction, direction: Any, steady: Any, load: Any) -> Any:
    """What friction takes against a direction (-1, 0 or 1); `steady` is what does not depend on the load."""
    if not friction.load:
        return steady
    share = friction.load * direction
    if not friction.load_includes_friction:
        return steady + share * absolute(load)
    # w = u + f solves w = u + steady + share |w|; w has the sign of u + steady, as |share| < 1, so that
    # w = (u + steady)/(1 - share sign(u + steady)) = (u + steady + share |u + steady|)/(1 - share^2)
    total = load + steady
    return (total + share * absolute(total)) / (1 - share * share) - load

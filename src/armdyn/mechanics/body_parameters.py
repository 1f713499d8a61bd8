"""The ten inertial parameters of each body, in which torques are linear.

pi = (m, m c, I): mass, first moment and the inertia tensor about the origin of the body's frame, in the
body's axes ([Siciliano2009] (7.81): tau = Y pi).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from armdyn.mechanics.tree.links import Tree
from armdyn.spatial import Inertia, Moments
from armdyn.spatial.inertia import tensor_to_second

PARAMETERS = ("m", "m cx", "m cy", "m cz", "Ixx", "Ixy", "Ixz", "Iyy", "Iyz", "Izz")
"""Their order; off-diagonal elements with true tensor signs, Ixy = - integral x y dm."""


def parameters_of(inertia: Inertia) -> tuple[Any, ...]:
    """The parameters of a body, in the order of PARAMETERS."""
    (xx, xy, xz), (_, yy, yz), (_, _, zz) = inertia.tensor_about_origin
    return (inertia.mass, *inertia.moment, xx, xy, xz, yy, yz, zz)


def parameters_of_moments(body: Moments) -> tuple[Any, ...]:
    """The parameters of a body whose moments are given in its own frame."""
    (xx, xy, xz), (_, yy, yz), (_, _, zz) = body.tensor
    return (body.mass, *body.first, xx, xy, xz, yy, yz, zz)


def moments_of(parameters: Sequence[Any]) -> Moments:
    """The moments of a body that has these parameters, in its own frame."""
    m, hx, hy, hz, xx, xy, xz, yy, yz, zz = parameters
    second = tensor_to_second(((xx, xy, xz), (xy, yy, yz), (xz, yz, zz)))
    return Moments(m, (hx, hy, hz), second)


def with_added(whole: Tree, added: Mapping[str, Sequence[Any]]) -> Tree:
    """The tree with parameters added to those of its bodies, each of which has a link of its own."""
    links = list(whole.links)
    for body, parameters in added.items():
        link, T_link_body = whole.frames[body]
        riding = moments_of(parameters).seen_from(T_link_body)
        links[link] = replace(links[link], inertia=links[link].inertia + riding)
    return replace(whole, links=tuple(links))

"""The tree that costs least: the same torques, mass matrix and accelerations from fewer operations.

Frames on common normals and base parameters serve every formulation. Recursions also gain from
axes that do not turn with their link: a last link's inertia is cheaper to turn than the
motion, and links on parallel axes share one set of axes, so that angles are added instead of
vectors turned. Whoever looks at link frames (poses, forces between links) uses the tree as built.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np

from armdyn.mechanics.tree.base_parameters import with_base_parameters
from armdyn.mechanics.tree.common_normals import on_common_normals
from armdyn.mechanics.tree.links import BaseState, Link, Tree
from armdyn.spatial import Moments, Vec3
from armdyn.spatial.rotation import IDENTITY
from armdyn.spatial.vector import scale, vector


def reduced(tree: Tree) -> Tree:
    """Frames on the common normals, base parameters only: fewer numbers for any formulation."""
    return with_base_parameters(on_common_normals(tree))


def for_motion(tree: Tree, *, closed: bool = True) -> Tree:
    """What inverse dynamics by recursion runs on.

    closed: nothing from outside (a contact, a base that moves as inputs say) enters in SI units.
    """
    light = _with_still_axes(reduced(tree), whole_groups=False)
    return _in_own_units(light) if closed else light


def for_inertia(tree: Tree, *, closed: bool = True) -> Tree:
    """What mass matrix and forward dynamics by recursion run on."""
    light = _with_still_axes(reduced(tree), whole_groups=True)
    return _in_own_units(light) if closed else light


def _with_still_axes(tree: Tree, whole_groups: bool) -> Tree:
    """Last links and links before a parallel joint in axes that stay; in whole groups those after one too.

    On the base nothing is gained: the first axes, and those parallel to them, see little motion.
    """
    parents = {link.parent for link in tree.links}
    after = {i for i, link in enumerate(tree.links) if _parallel(tree, link)}
    before = {tree.links[i].parent for i in after}
    first = _first_group(tree)

    def stays(i: int, link: Link) -> bool:
        if link.kind != "revolute" or link.axes != "turning" or link.parent < 0:
            return False
        return i not in first and (i in before or i not in parents or (whole_groups and i in after))

    links = (replace(link, axes="still") if stays(i, link) else link for i, link in enumerate(tree.links))
    return replace(tree, links=tuple(links))


def _parallel(tree: Tree, link: Link) -> bool:
    """Whether a joint turns about an axis parallel to that of the turning joint before it."""
    turning = link.parent >= 0 and link.kind == tree.links[link.parent].kind == "revolute"
    return turning and link.rotation == IDENTITY


def _first_group(tree: Tree) -> set[int]:
    """The links on the base, and those on axes parallel to theirs all the way."""
    group: set[int] = set()
    for i, link in enumerate(tree.links):
        if link.parent < 0 or (link.parent in group and _parallel(tree, link)):
            group.add(i)
    return group


def _in_own_units(tree: Tree) -> Tree:
    """The most frequent length as the unit of length, 1/length^2 as that of mass: torques stay the same.

    Products with that length disappear. Only where all lengths are the tree's own: nothing slides,
    the base rests.
    """
    placed = np.array([link.position for link in tree.links if link.parent >= 0], dtype=float)
    lengths: list[float] = np.abs(placed[placed != 0.0]).tolist()
    if not lengths or tree.base != BaseState() or any(link.kind != "revolute" for link in tree.links):
        return tree
    counted = Counter(reversed(lengths))  # of equally frequent ones the outermost
    unit = max(counted, key=lambda length: counted[length])
    links = tuple(
        replace(link, position=_divided(link.position, unit), inertia=_in_units(link.inertia, unit))
        for link in tree.links
    )
    return replace(tree, links=links, gravity=_divided(tree.gravity, unit))


def _divided(v: Vec3, unit: float) -> Vec3:
    return vector(x / unit for x in v)


def _in_units(body: Moments, unit: float) -> Moments:
    """m L^2, h L and S, each times the unit of mass 1/L^2 over powers of L."""
    return Moments(body.mass * unit * unit, scale(unit, body.first), body.second)

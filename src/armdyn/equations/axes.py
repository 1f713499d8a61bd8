"""What the coefficients of inertias are products of: how bodies turn, and their origins move, joint by joint.

[Siciliano2009] (7.32): in H_ij a tensor element I_ab of a body stands before w_i,a w_j,b + w_i,b w_j,a, with
w_i the body's turning, in its own axes, for a unit rate of joint i.
"""

from __future__ import annotations

from armdyn.equations.setting import Setting
from armdyn.mechanics.kinematics import angular_velocities, linear_velocities
from armdyn.mechanics.placed import placed
from armdyn.scalars.harmonic import Harmonic
from armdyn.spatial.vector import add, cross, times, transpose


def unit_motions(setting: Setting) -> list[Harmonic]:
    """The components of w_i and v_i of every body and joint, each once, constants left out."""
    tree = setting.tree.at_rest()
    links = placed(tree, setting.joints(), setting.joints("d"))
    omega = angular_velocities(tree, links)
    velocity = linear_velocities(tree, links, omega)
    rates = {f"{setting.stem}d{i + 1}" for i in range(setting.n)}
    found: dict[frozenset[int], Harmonic] = {}
    for body in setting.robot.bodies:
        link, T_link_body = tree.frames[body.name]
        if link < 0:
            continue
        to_body = transpose(T_link_body.rotation)
        moving = add(velocity[link], cross(omega[link], T_link_body.translation))
        for component in (*times(to_body, omega[link]), *times(to_body, moving)):
            if isinstance(component, Harmonic):
                for part in component.pruned().collected(rates).values():
                    if len(part.terms) > 1:
                        found.setdefault(frozenset(part.terms), part)
    return list(found.values())

"""What else moves with the arm  [Szkodny1995] (15), (16): drive elements, and a grasped object.

Both are changes of the coefficients, to be added to those of any form.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from armdyn.errors import InputError
from armdyn.mechanics.lagrangian.actuated_arm import ActuatedArm, ArmMatrices, arm_matrices
from armdyn.mechanics.lagrangian.coefficients import Coefficients, body_coefficients, no_coefficients
from armdyn.mechanics.lagrangian.matrix_jet import CONSTANT
from armdyn.robot import Payload
from armdyn.spatial import Moments
from armdyn.spatial.homogeneous import pseudo_inertia


def drive_elements(arm: ActuatedArm, q: Sequence[Any]) -> Coefficients:
    """(15): gear wheels as bodies of their own, T_0pl their matrices in the base.

        dD_ij  = sum_p sum_l Tr(dT_0pl/dq_i J_pl dT_0pl^T/dq_j)
        dD_ijk = sum_p sum_l Tr(d2T_0pl/dq_j dq_k J_pl dT_0pl^T/dq_i)
        dD_i   = -sum_p sum_l g^T dT_0pl/dq_i m_pl r_pl

    Printed is the sum over the elements T_0il of drive i alone: such a dD_ij is not symmetric, and
    it misses what an element of another drive does to joint i. Keeps everything of the elements.
    """
    return bodies(arm_matrices(arm, q), arm.elements)


def bodies(at: ArmMatrices, links: Sequence[int]) -> Coefficients:
    """The share of some links of the tree."""
    tree = at.arm.tree
    total = no_coefficients(tree.n)
    for p in links:
        J = pseudo_inertia(tree.links[p].inertia)
        total = total + body_coefficients(tree.n, at.T[p], J, tree.gravity)
    return total


def grasped_object(arm: ActuatedArm, q: Sequence[Any], payload: Payload) -> Coefficients:
    """(16): the change by an object that a body holds, dJ_N its pseudo-inertia in that body's link.

    dD_ij  = Tr(dT_N/dq_i dJ_N dT_N^T/dq_j)
    dD_ijk = Tr(d2T_N/dq_j dq_k dJ_N dT_N^T/dq_i)
    dD_i   = -m_P g^T dT_N/dq_i r_P
    """
    tree = arm.tree
    if payload.body not in tree.frames:
        raise InputError(f'payload on body "{payload.body}", expected one of {", ".join(tree.frames)}')
    link, T_link_body = tree.frames[payload.body]
    T_N = arm_matrices(arm, q).T[link] if link >= 0 else CONSTANT
    J = pseudo_inertia(Moments.of(payload.inertia.seen_from(T_link_body)))
    return body_coefficients(tree.n, T_N, J, tree.gravity)

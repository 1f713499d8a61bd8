"""[Siciliano2009] sec. 7.3.3: what the text says of the parallelogram arm beside the planar one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from siciliano2009_arms import BALANCED, CATALOG, EXAMPLE, G, Parallelogram, Planar, dynamics, states
from siciliano2009_tables import shown
from verdicts import EQUAL, Claim, gap, proven

from armdyn.mechanics.tree import tree
from armdyn.robot import Robot
from armdyn.scalars import Graph, cos, program, sin
from armdyn.scalars.factoring import factored
from armdyn.studies.counts import equations

Torques = Callable[[Sequence[Any], Sequence[Any], Sequence[Any]], list[Any]]


def claims() -> list[Claim]:
    """Decoupling, and how light the model is."""
    return [_claim_decoupling(), _claim_lighter()]


def _claim_decoupling() -> Claim:
    arm = replace(EXAMPLE, l2=0.0, k_r2=-EXAMPLE.I_l2 / EXAMPLE.I_m2)
    H = dynamics(arm.robot(), "exact").mass_matrix(states()[:, 0])
    return Claim(
        "7.3.3, decoupling",
        "not to be had with the planar arm, however its parameters are chosen",
        f"planar2 with l_2 = 0 and a gear that reverses, k_r2 = {shown(arm.k_r2)}: H is constant and "
        f"diagonal, {shown(H[0, 0, 0])} and {shown(H[0, 1, 1])} kg m2",
        proven(
            "holds for gears with k_r2 > 0, whose b_12 is I_l2 + k_r2 I_m2 > 0 where l_2 = 0 makes it "
            "constant; **not in general**",
            np.abs(H[:, 0, 1]).max() < EQUAL,
            gap(H, H[:1]) < EQUAL,
        ),
    )


# How light ------------------------------------------------------------------------------------


def _planar(p: Planar) -> Torques:
    """(7.82) without motors, constants collected."""
    x = p.m_l2 * p.a1 * p.l2
    b22 = p.I_l2 + p.m_l2 * p.l2**2
    b11 = p.I_l1 + p.m_l1 * p.l1**2 + p.m_l2 * p.a1**2 + b22
    first, second = (p.m_l1 * p.l1 + p.m_l2 * p.a1) * G, p.m_l2 * p.l2 * G

    def torques(q: Sequence[Any], qd: Sequence[Any], qdd: Sequence[Any]) -> list[Any]:
        xc, xs, outer = x * cos(q[1]), x * sin(q[1]), second * cos(q[0] + q[1])
        b12 = b22 + xc
        return [
            (b11 + 2 * xc) * qdd[0] + b12 * qdd[1] - xs * ((2 * qd[0] + qd[1]) * qd[1])
            + first * cos(q[0]) + outer,
            b12 * qdd[0] + b22 * qdd[1] + xs * (qd[0] * qd[0]) + outer,
        ]  # fmt: skip

    return torques


def _parallelogram(p: Parallelogram) -> Torques:
    """B_a qdd, its Christoffel terms and g_a, constants collected."""
    x = p.a1p * p.m2p * p.l2p - p.a1pp * p.m3p * p.lbar3p
    b11 = p.I1p + p.m1p * p.l1p**2 + p.m2p * p.a1p**2 + p.I3p + p.m3p * p.lbar3p**2
    b22 = p.I1pp + p.m1pp * p.l1pp**2 + p.I2p + p.m2p * p.l2p**2 + p.m3p * p.a1pp**2
    first = (p.m1p * p.l1p + p.m2p * p.a1p - p.m3p * p.lbar3p) * G
    second = (p.m1pp * p.l1pp + p.m2p * p.l2p + p.m3p * p.a1pp) * G
    if abs(x) < EQUAL:
        return lambda q, _, qdd: [b11 * qdd[0] + first * cos(q[0]), b22 * qdd[1] + second * cos(q[1])]

    def torques(q: Sequence[Any], qd: Sequence[Any], qdd: Sequence[Any]) -> list[Any]:
        b12, xs = x * cos(q[1] - q[0]), x * sin(q[1] - q[0])
        return [
            b11 * qdd[0] + b12 * qdd[1] - xs * (qd[1] * qd[1]) + first * cos(q[0]),
            b12 * qdd[0] + b22 * qdd[1] + xs * (qd[0] * qd[0]) + second * cos(q[1]),
        ]

    return torques


def _operations(torques: Torques, robot: Robot) -> int:
    """Multiplications and additions of closed torques, which are armdyn's."""
    dyn = dynamics(robot, "none")
    for q, qd, qdd in states():
        given = torques(q.tolist(), qd.tolist(), qdd.tolist())
        proven(f"torques of {robot.name}", gap(given, dyn.inverse(q, qd, qdd)) < EQUAL)
    graph = Graph()
    counts = factored(program(torques(*(graph.inputs(name, 2) for name in ("q", "qd", "qdd"))))).counts()
    return counts["multiplications"] + counts["additions"]


def _traced(robot: Robot) -> int:
    """The same of armdyn's recursion over the tree, traced."""
    (recursion,) = equations(["inverse"], ["newton_euler"])
    return recursion.count(tree(robot, "none"), "optimised").operations


def _claim_lighter() -> Claim:
    planar = _operations(_planar(EXAMPLE), EXAMPLE.robot())
    coupled, light = (_operations(_parallelogram(p), p.robot()) for p in (CATALOG, BALANCED))
    recursions = [_traced(robot) for robot in (EXAMPLE.robot(), CATALOG.robot())]
    return Claim(
        "7.3.3, last paragraph",
        "the model of the parallelogram arm is remarkably lighter than the planar arm's",
        f"multiplications and additions of both torques in closed form, without motors: planar arm {planar}, "
        f"parallelogram {coupled}, decoupled {light}",
        proven(
            "right if decoupled, else by little. armdyn's recursion does not know it: traced over the tree "
            f"it takes {recursions[0]} and {recursions[1]} operations",
            light < planar / 3,
            planar / 2 < coupled < planar,
            recursions[1] > recursions[0],
        ),
    )

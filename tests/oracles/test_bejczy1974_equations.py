"""The explicit equations of [Bejczy1974], corrected as errata say, are what is derived: term by term."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

import armdyn as ad
from armdyn.equations import quantities
from armdyn.equations.setting import Setting
from armdyn.scalars import cos, sin
from armdyn.scalars.harmonic import Harmonic
from armdyn.spatial import Inertia


def _arm(*, offset: bool = False) -> ad.Robot:
    """The JPL arm; with a centre of mass of the hand that is off its axis, as Appendix C has it."""
    arm = ad.load("jpl_rrp")
    if not offset:
        return arm
    hand = arm.bodies[-1]
    mass, (_, _, z) = hand.inertia.mass, hand.inertia.com
    tensor = hand.inertia.tensor_about_origin
    moved = replace(
        hand, inertia=Inertia.about_origin(mass, (0.01, -0.02, z), tensor), accept_unphysical="test"
    )
    return replace(arm, bodies=(*arm.bodies[:-1], moved))


class _Names:
    """The report's symbols: s2, c2 .., k411 for its square, y4, m4, r2, r3, r6, g."""

    def __init__(self, setting: Setting) -> None:
        self.ring = setting.ring

    def __getattr__(self, name: str) -> Any:
        symbol = self.ring.symbol
        if name[0] in "sc" and name[1:].isdigit():
            return (sin if name[0] == "s" else cos)(symbol(f"q{name[1:]}"))
        if name[0] == "k":
            axes = "".join("xyz"[int(i) - 1] for i in name[2:])
            return symbol(f"k{name[1]}{axes}") ** 2
        return symbol({"r2": "d2", "r3": "q3", "r6": "d6"}.get(name, name))


def _derived(quantity: str, *, offset: bool = False) -> tuple[_Names, dict[tuple[int, ...], Harmonic]]:
    setting = Setting.of(_arm(offset=offset), "none", parameters="symbolic")
    return _Names(setting), {index: h for _, index, h in quantities.of(setting, quantity)}


def _same(ours: Harmonic, printed: Harmonic) -> None:
    assert ours.is_close(printed, 1e-13)
    assert set(ours.terms) == set(printed.pruned().terms)


def test_58_inertia_of_joint_1() -> None:
    x, D = _derived("mass_matrix")
    s2, c2, s4, c4, s5, c5, s6, c6 = x.s2, x.c2, x.s4, x.c4, x.s5, x.c5, x.s6, x.c6
    r2, r3, r6 = x.r2, x.r3, x.r6
    four = (
        0.5 * x.k411 * (s2**2 * (2 * s4**2 - 1) + s2**2)
        + 0.5 * x.k422 * (1 + c2**2 - s2**2)
        + 0.5 * x.k433 * (s2**2 * (1 - 2 * s4**2) + s2**2)
        + r3**2 * s2**2
        + r2**2
        - 2 * x.y4 * r3 * s2**2
        + 2 * x.z4 * (r2 * s4 + r3 * s2 * c2 * c4)
    )
    five = (
        0.5 * (-x.k511 + x.k522 + x.k533) * ((s2 * s5 - c2 * s4 * c5) ** 2 + c4**2 * c5**2)
        + 0.5 * (x.k511 - x.k522 + x.k533) * (s4**2 + c2**2 * c4**2)
        + 0.5 * (x.k511 + x.k522 - x.k533) * ((s2 * c5 + c2 * s4 * s5) ** 2 + c4**2 * s5**2)
        + r3**2 * s2**2
        + r2**2
        + 2 * x.z5 * (r3 * (s2**2 * c5 + s2 * c2 * s4 * s5) - r2 * c4 * s5)
    )
    six = (
        0.5
        * (-x.k611 + x.k622 + x.k633)
        * ((s2 * s5 * c6 - c2 * s4 * c5 * c6 - c2 * c4 * s6) ** 2 + (c4 * c5 * c6 - s4 * s6) ** 2)
        + 0.5
        * (x.k611 - x.k622 + x.k633)
        * ((c2 * s4 * c5 * s6 - s2 * s5 * s6 - c2 * c4 * c6) ** 2 + (c4 * c5 * s6 + s4 * c6) ** 2)
        + 0.5 * (x.k611 + x.k622 - x.k633) * ((c2 * s4 * s5 + s2 * c5) ** 2 + c4**2 * s5**2)
        + (r6 * c2 * s4 * s5 + (r6 * c5 + r3) * s2) ** 2
        + (r6 * c4 * s5 - r2) ** 2
        + 2
        * x.z6
        * (
            r6 * (s2**2 * c5**2 + c4**2 * s5**2 + c2**2 * s4**2 * s5**2 + 2 * s2 * c2 * s4 * s5 * c5)
            + r3 * (s2 * c2 * s4 * s5 + s2**2 * c5)
            - r2 * c4 * s5
        )
    )
    printed = (
        x.m1 * x.k122
        + x.m2 * (x.k211 * s2**2 + x.k233 * c2**2 + r2 * (2 * x.y2 + r2))
        + x.m3 * (x.k322 * s2**2 + x.k333 * c2**2 + r3 * (2 * x.z3 + r3) * s2**2 + r2**2)
        + x.m4 * four
        + x.m5 * five
        + x.m6 * six
    )
    _same(D[1, 1], printed)


def test_60_inertia_of_joint_2() -> None:
    x, D = _derived("mass_matrix")
    s4, c4, s5, c5, s6, c6, r3, r6 = x.s4, x.c4, x.s5, x.c5, x.s6, x.c6, x.r3, x.r6
    common = s4**2 * c5**2 + s5**2 - c4**2
    six = (
        0.5 * x.k611 * ((s6**2 - c6**2) * common + c5 * (c5 - 4 * s4 * c4 * s6 * c6) + s4**2 * s5**2)
        + 0.5 * x.k622 * ((c6**2 - s6**2) * common + c5 * (c5 + 4 * s4 * c4 * s6 * c6) + s4**2 * s5**2)
        + x.k633 * c4**2 * s5**2
        + r3 * (2 * r6 * c5 + r3)
        + r6**2 * (s4**2 * s5**2 + c5**2)
        + 2 * x.z6 * ((r3 + r6 * c5) * c5 + r6 * s4**2 * s5**2)
    )
    printed = (
        x.m2 * x.k222
        + x.m3 * (x.k311 + r3 * (2 * x.z3 + r3))
        + x.m4 * (x.k411 * c4**2 + x.k433 * s4**2 + r3 * (r3 - 2 * x.y4))
        + x.m5
        * (x.k511 * c4**2 * c5**2 + x.k522 * s4**2 + x.k533 * c4**2 * s5**2 + r3 * (r3 + 2 * x.z5 * c5))
        + x.m6 * six
    )
    _same(D[2, 2], printed)


def test_62_to_68_inertias_of_the_other_joints() -> None:
    x, D = _derived("mass_matrix")
    s5, c5, s6, c6, r6 = x.s5, x.c5, x.s6, x.c6, x.r6
    _same(D[3, 3], x.m3 + x.m4 + x.m5 + x.m6)
    _same(
        D[4, 4],
        x.m4 * x.k422
        + x.m5 * (x.k511 * s5**2 + x.k533 * c5**2)
        + x.m6
        * (x.k611 * s5**2 * c6**2 + x.k622 * s5**2 * s6**2 + x.k633 * c5**2 + r6 * (2 * x.z6 + r6) * s5**2),
    )
    # (66) prints k611 c5^2 + k622 s5^2
    _same(
        D[5, 5],
        x.m5 * x.k522 + x.m6 * (x.k611 * s6**2 + x.k622 * c6**2 + r6 * (2 * x.z6 + r6)),
    )
    _same(D[6, 6], x.m6 * x.k633)


def test_48_to_56_gravity() -> None:
    """The explicit equations are the negatives of Eq. (1)'s term; ours stands on the left side, as there."""
    x, D = _derived("gravity")
    s2, c2, s4, c4, s5, c5, r3, r6, g = x.s2, x.c2, x.s4, x.c4, x.s5, x.c5, x.r3, x.r6, x.g
    two = (
        x.m2 * x.z2 * s2
        + x.m3 * (x.z3 + r3) * s2
        + x.m4 * (r3 * s2 - x.y4 * s2 + x.z4 * c2 * c4)
        + x.m5 * (x.z5 * (s2 * c5 + c2 * s4 * s5) + r3 * s2)
        + x.m6 * ((x.z6 + r6) * (c2 * s4 * s5 + s2 * c5) + r3 * s2)
    )
    four = (-x.m4 * x.z4 * s4 + x.m5 * x.z5 * c4 * s5 + x.m6 * (x.z6 + r6) * c4 * s5) * s2
    five = (x.m5 * x.z5 + x.m6 * (x.z6 + r6)) * (s2 * s4 * c5 + c2 * s5)
    _same(D[2,], -g * two)
    _same(D[3,], g * (x.m3 + x.m4 + x.m5 + x.m6) * c2)
    _same(D[4,], -g * four)
    _same(D[5,], -g * five)
    assert not D[1,].terms
    assert not D[6,].terms


def test_31_to_44_the_restricted_model() -> None:
    """D*: the wrist locked as Fig. 2 has it, its inertia part of link 3's.

    The report takes the wrist for symmetric, z4 = 0, which is true to 5 mm.
    """
    arm = ad.load("jpl_rrp").locked({4: 0.0, 5: 0.0, 6: 0.0})
    setting = Setting.of(arm, "none", parameters="symbolic")
    x = _Names(setting)
    zero = x.ring.constant(0.0)
    D, G = (
        {index: h.collected({"z4"}).get((), zero) for _, index, h in quantities.of(setting, quantity)}
        for quantity in ("mass_matrix", "gravity")
    )
    s2, c2, r2, r3, r6, g = x.s2, x.c2, x.r2, x.r3, x.r6, x.g
    # m3*, m3* z3*, m3* k3*^2: link 3 with the wrist, frames 4 and 6 turned by right angles
    mass = x.m3 + x.m4 + x.m5 + x.m6
    moment = x.m3 * x.z3 - x.m4 * x.y4 + x.m5 * x.z5 + x.m6 * (x.z6 + r6)
    hand = x.m6 * r6 * (2 * x.z6 + r6)
    k311 = x.m3 * x.k311 + x.m4 * x.k411 + x.m5 * x.k511 + x.m6 * x.k611 + hand
    k322 = x.m3 * x.k322 + x.m4 * x.k433 + x.m5 * x.k522 + x.m6 * x.k622 + hand
    k333 = x.m3 * x.k333 + x.m4 * x.k422 + x.m5 * x.k533 + x.m6 * x.k633
    _same(
        D[1, 1],
        x.m1 * x.k122
        + x.m2 * (x.k211 * s2**2 + x.k233 * c2**2 + r2 * (2 * x.y2 + r2))
        + k322 * s2**2
        + k333 * c2**2
        + r3 * s2**2 * (2 * moment + mass * r3)
        + mass * r2**2,
    )
    _same(D[2, 2], x.m2 * x.k222 + k311 + r3 * (2 * moment + mass * r3))
    _same(D[3, 3], mass)
    _same(D[1, 2], -(x.m2 * x.z2 * r2 + r2 * (moment + mass * r3)) * c2)
    _same(D[1, 3], -mass * r2 * s2)
    assert not D[2, 3].terms
    assert not G[1,].terms
    _same(G[2,], -g * (x.m2 * x.z2 + moment + mass * r3) * s2)
    _same(G[3,], g * mass * c2)


@pytest.mark.parametrize("joint", [2, 4, 5, 6])
def test_c1_to_c4_gravity_with_an_offset_hand(joint: int) -> None:
    x, D = _derived("gravity", offset=True)
    _, plain = _derived("gravity")
    s2, c2, s4, c4, s5, c5, s6, c6 = x.s2, x.c2, x.s4, x.c4, x.s5, x.c5, x.s6, x.c6
    added = {
        2: x.x6 * (c2 * s4 * c5 * c6 - s2 * s5 * c6 + c2 * c4 * s6)
        + x.y6 * (-c2 * s4 * c5 * s6 + s2 * s5 * s6 + c2 * c4 * c6),
        4: s2 * (x.x6 * (c4 * c5 * c6 - s4 * s6) - x.y6 * (c4 * c5 * s6 + s4 * c6)),
        5: x.x6 * c6 * (-s2 * s4 * s5 + c2 * c5) + x.y6 * s6 * (s2 * s4 * s5 - c2 * c5),
        6: -x.x6 * (s2 * s4 * c5 * s6 + c2 * s5 * s6 - s2 * c4 * c6)
        - x.y6 * (s2 * s4 * c5 * c6 + c2 * s5 * c6 + s2 * c4 * s6),
    }[joint]
    offset = D[joint,].collected({"x6", "y6"})
    _same(_with(offset, x), -x.g * x.m6 * added)
    assert len(offset.get((), plain[joint,]).terms) == len(plain[joint,].terms)


def test_c5_to_c7_inertia_with_an_offset_hand() -> None:
    x, D = _derived("mass_matrix", offset=True)
    s2, c2, s4, c4, s5, c5, s6, c6 = x.s2, x.c2, x.s4, x.c4, x.s5, x.c5, x.s6, x.c6
    r2, r3, r6 = x.r2, x.r3, x.r6
    _same(_with(D[4, 4].collected({"x6", "y6"}), x), 2 * x.m6 * r6 * s5 * c5 * (x.x6 * c6 - x.y6 * s6))
    # (C.6): the x6 term ends in s5 c6
    printed = x.x6 * (r6 * s4 * s5 * (c4 * s6 + s4 * c5 * c6) - (r6 * c5 + r3) * s5 * c6) + x.y6 * (
        s5 * s6 * (r6 * c5 + r3) - r6 * s4 * s5 * (s4 * c5 * s6 - c4 * c6)
    )
    _same(_with(D[2, 2].collected({"x6", "y6"}), x), 2 * x.m6 * printed)
    # (C.7): + r3 s2 in the x6 term, c4 c5 s6 + s4 c6 in the y6 term
    reach = r6 * (c2 * s4 * s5 + s2 * c5) + r3 * s2
    printed = x.x6 * (
        reach * (c2 * s4 * c5 * c6 - s2 * s5 * c6 + c2 * c4 * s6)
        + (r6 * c4 * s5 - r2) * (c4 * c5 * c6 - s4 * s6)
    ) + x.y6 * (
        reach * (s2 * s5 * s6 + c2 * c4 * c6 - c2 * s4 * c5 * s6)
        + (r2 - r6 * c4 * s5) * (c4 * c5 * s6 + s4 * c6)
    )
    _same(_with(D[1, 1].collected({"x6", "y6"}), x), 2 * x.m6 * printed)
    for i in (3, 5, 6):
        assert not {"x6", "y6"} & D[i, i].names


def _with(groups: dict[Any, Harmonic], x: _Names) -> Harmonic:
    """The terms with x6 or y6 put together again."""
    total = x.ring.constant(0.0)
    for powers, h in groups.items():
        if powers:
            ((name, power),) = powers
            total = total + x.ring.symbol(name) ** power * h
    return total

"""[Bejczy1974] V and VI, Appendix C: the printed formulas beside the harmonics that armdyn derives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
from bejczy1974_arm import angles, arm, dynamics, formula, parameters, states
from bejczy1974_coupling import MASS, MOMENT, TIP, locked
from bejczy1974_grid import grid
from bejczy1974_print import (
    DIAGONAL,
    GRAVITY,
    OFFSET_GRAVITY,
    OFFSET_INERTIA,
    RESTRICTED,
    RESTRICTED_GRAVITY,
    Printed,
)
from verdicts import Claim, proven

from armdyn.equations import quantities
from armdyn.equations.setting import Setting
from armdyn.robot import Robot
from armdyn.scalars import cos, sin
from armdyn.scalars.harmonic import Harmonic
from armdyn.spatial import Inertia

AXES = {"11": "xx", "22": "yy", "33": "zz"}


# Harmonics ------------------------------------------------------------------------------------


@cache
def beside() -> Robot:
    """The arm with its hand's centre of mass beside the axis, without products of inertia at the origin."""
    robot = arm()
    hand = robot.bodies[5]
    shifted = Inertia.about_origin(
        hand.inertia.mass, (0.013, -0.017, hand.inertia.com[2]), hand.inertia.tensor_about_origin
    )
    bodies = (*robot.bodies[:5], replace(hand, inertia=shifted, accept_unphysical="a trial"))
    return replace(robot, bodies=bodies)


@cache
def setting(offset: bool = False) -> Setting:
    """Links alone, every parameter a symbol."""
    return Setting.of(beside() if offset else arm(), "none", parameters="symbolic")


@cache
def symbols(offset: bool = False) -> Mapping[str, Any]:
    """The report's names as harmonics; what is zero for this arm is zero."""
    made = setting(offset)
    ring = made.ring
    found: dict[str, Any] = {"g": ring.symbol("g"), "r3": ring.symbol("q3")}
    found |= {"r2": ring.symbol("d2"), "r6": ring.symbol("d6")}
    for i in range(1, 7):
        found[f"m{i}"] = ring.symbol(f"m{i}")
        found |= {f"{a}{i}": ring.symbol(f"{a}{i}") if f"{a}{i}" in made.values else 0 for a in "xyz"}
        found |= {f"k{i}{digits}": ring.symbol(f"k{i}{axes}") ** 2 for digits, axes in AXES.items()}
        found |= {f"s{i}": sin(ring.symbol(f"q{i}")), f"c{i}": cos(ring.symbol(f"q{i}"))}
    return found


@cache
def derived(offset: bool = False) -> tuple[list[Harmonic], list[Harmonic]]:
    """D_ii and the report's explicit D_i, derived by armdyn."""
    made = setting(offset)
    H, g = quantities.mass_matrix(made), quantities.gravity(made)
    return (
        [quantities.harmonic(made, H[i][i]) for i in range(6)],
        [quantities.harmonic(made, -g[i]) for i in range(6)],
    )


def same(text: str, exact: Harmonic, *, offset: bool = False, added: Harmonic | None = None) -> bool:
    """Whether a formula is the derived harmonic, term by term."""
    value = formula(text, symbols(offset))
    value = quantities.harmonic(setting(offset), value)
    return (value if added is None else value + added).pruned().is_close(exact)


# Tables ---------------------------------------------------------------------------------------


def _shown(x: float, unit: str) -> str:
    return "0" if x < 1e-12 else f"{x:.2g} {unit}"


def _unit(printed: Printed) -> str:
    symbol = printed.symbol.strip("*")
    if len(symbol) == 2:
        return "N" if symbol == "D3" else "N m"
    return "kg m²" if "3" not in symbol else "kg" if symbol == "D33" else "kg m"


def _errata(printed: Printed) -> str:
    return "; ".join(f"`{wrong}` must be `{right}`" for wrong, right in printed.errata)


def complete_table() -> str:
    """(46) to (68): printed and mended, at random states and term by term."""
    rows = []
    inertias, loads = derived()
    for printed, exact in (*zip(GRAVITY, loads, strict=True), *zip(DIAGONAL, inertias, strict=True)):
        unit = _unit(printed)
        off = [_off(printed, loaded) for loaded in (False, True)]
        mended = proven("the same, term by term", same(printed.right, exact))
        whole = same(printed.text, exact)
        proven(f"({printed.equation}) is mended only where it must be", whole != bool(printed.errata))
        why = _errata(printed) or "nothing"
        if printed.errata and max(off) < 1e-12:
            why += "; unseen here, since k611 = k622"
        sizes = (_shown(x, unit) for x in off)
        rows.append((f"({printed.equation}) {printed.symbol}", *sizes, mended, why))
    return grid("equation | printed, off by up to | with load | mended | wrong in print", rows)


@cache
def _true(loaded: bool) -> dict[str, np.ndarray]:
    H, g = dynamics(loaded).mass_matrix(states()), dynamics(loaded).gravity(states())
    found = {f"D{i}{i}": H[:, i - 1, i - 1] for i in range(1, 7)}
    return found | {f"D{i}": -g[:, i - 1] for i in range(1, 7)}


def _off(printed: Printed, loaded: bool) -> float:
    values = formula(printed.text, {**parameters(loaded), **angles(states())})
    right = formula(printed.right, {**parameters(loaded), **angles(states())})
    true = _true(loaded)[printed.symbol]
    proven(f"({printed.equation}), mended", float(np.abs(right - true).max()) < 1e-10)
    return float(np.abs(values - true).max())


def restricted_table() -> str:
    """(29) to (44): the wrist locked in line with the boom."""
    numbers = dict(parameters())
    star = {
        "m3": MASS,
        "k311": f"m3 k311 + m4 k411 + m5 k511 + m6 k611 + {TIP}",
        "k322": f"m3 k322 + m4 k433 + m5 k522 + m6 k622 + {TIP}",
        "k333": "m3 k333 + m4 k422 + m5 k533 + m6 k633",
        "z3": MOMENT,
    }
    whole = {name: float(formula(text, numbers)) for name, text in star.items()}
    mass = whole["m3"]
    starred = numbers | {name: x if name == "m3" else x / mass for name, x in whole.items()}
    rows = []
    q = states()
    H, g = locked(drives=False).mass_matrix(q[:, :3]), locked(drives=False).gravity(q[:, :3])
    true = {f"D{i}{j}*": H[:, i - 1, j - 1] for i in (1, 2, 3) for j in (1, 2, 3)}
    true |= {f"D{i}*": -g[:, i - 1] for i in (1, 2, 3)}
    across = "exact but for m4 z4, which stands across the boom and is taken as zero"
    for printed in (*RESTRICTED_GRAVITY, *RESTRICTED):
        values = formula(printed.text, {**starred, **angles(q)})
        off = float(np.abs(values - true[printed.symbol]).max())
        unit = _unit(printed)
        verdict = "exact" if off < 1e-12 else proven(across, off < 0.06)
        size = float(np.abs(true[printed.symbol]).max())
        sizes = (_shown(off, unit), _shown(size, unit))
        rows.append((f"({printed.equation}) {printed.symbol}", *sizes, verdict))
    return grid("equation | off by up to | of | verdict", rows)


def offset_table() -> str:
    """(C.1) to (C.7): what x6 and y6 add."""
    rows = []
    inertias, loads = derived(True)
    plain_inertias, plain_loads = ([_without_offset(h) for h in harmonics] for harmonics in (inertias, loads))
    for printed, unit in (*((p, "N m") for p in OFFSET_GRAVITY), *((p, "kg m²") for p in OFFSET_INERTIA)):
        i = int(printed.symbol[1]) - 1
        exact, plain = (loads[i], plain_loads[i]) if unit == "N m" else (inertias[i], plain_inertias[i])
        whole = same(printed.text, exact, offset=True, added=plain)
        mended = proven("the same, term by term", same(printed.right, exact, offset=True, added=plain))
        proven(f"({printed.equation}) is mended only where it must be", whole != bool(printed.errata))
        where = f"({printed.equation}) added to {printed.symbol}"
        rows.append((where, _shown(_offset_off(printed), unit), mended, _errata(printed) or "nothing"))
    return grid("equation | printed, off by up to | mended | wrong in print", rows)


def offset_claim() -> Claim:
    """What x6 and y6 leave alone."""
    inertias, loads = derived(True)
    alone = [inertias[2], inertias[4], inertias[5], loads[0], loads[2]]
    return Claim(
        "Appendix C",
        "x6 and y6 change none of D1, D3, D33, D55, D66",
        "neither symbol is in any of the five derived expressions",
        proven("confirmed", *({"x6", "y6"}.isdisjoint(h.names) for h in alone)),
    )


def _without_offset(h: Harmonic) -> Harmonic:
    return h.collected({"x6", "y6"}).get((), h.ring.constant(0.0)).pruned()


def _offset_off(printed: Printed) -> float:
    """How far the print is from its mended form at x6 = 25.4 mm, y6 = 10 mm with the load in the hand."""
    names = {**parameters(True), **angles(states()), "x6": 0.0254, "y6": 0.01}
    return float(np.abs(formula(printed.text, names) - formula(printed.right, names)).max())

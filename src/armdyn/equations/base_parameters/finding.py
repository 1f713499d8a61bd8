"""How symbolic base parameters are found.

How many there are and which parameters are kept is seen from numbers, at other lengths than the robot's, so
that nothing holds by chance. What is counted in them follows exactly: from joint to joint by regrouping, and
for the few parameters that this leaves from the terms of their energies.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from armdyn.dynamics import Dynamics
from armdyn.equations.base_parameters.actions import bare
from armdyn.equations.base_parameters.elimination import Row, added, solved
from armdyn.equations.base_parameters.expansion import Expansion
from armdyn.equations.base_parameters.numbers import Pattern, Samples
from armdyn.equations.base_parameters.regrouping import regrouping
from armdyn.equations.base_parameters.symbolic import SymbolicBaseParameters
from armdyn.equations.setting import Setting
from armdyn.errors import InputError
from armdyn.mechanics.dependencies import columns_among, preference
from armdyn.mechanics.parameters import Parameter, parameters, resisting_points, values
from armdyn.mechanics.tree import tree
from armdyn.mechanics.tree.motors import MotorModel
from armdyn.robot import BaseMotion, Robot

SEED = 0
"""Of the random states and lengths."""
FROM_NUMBERS = "use base_parameters, which works with numbers"


def symbolic_base_parameters(
    robot: Robot | Dynamics,
    motors: MotorModel | None = None,
    *,
    friction: bool = False,
    among: Sequence[str] | None = None,
) -> SymbolicBaseParameters:
    """The base parameters of a robot, their coefficients as expressions in its lengths and gear ratios.

    A length that is zero is structure and stays zero, right angles are exact; other angles, and the ratios
    of joints that follow others and of gear stages, are decimals.

    Args:
        robot: the robot, or a `Dynamics` that says which motor model and whether friction counts.
        motors: how much of the drives counts; by default the best the data support.
        friction: whether friction and offsets are parameters too.
        among: names of the parameters that may differ from zero, or their endings (`Izz`); by default all.
    """
    if isinstance(robot, Dynamics):
        robot, motors, friction = robot.robot, robot.motors, robot.friction
    return of_setting(Setting.of(robot, motors, parameters="symbolic"), friction=friction, among=among)


def of_setting(
    setting: Setting, *, friction: bool = False, among: Sequence[str] | None = None
) -> SymbolicBaseParameters:
    """The base parameters of an arm in the symbols, or numbers, of a setting."""
    robot = setting.robot
    _check(robot, friction)
    known = parameters(robot, setting.whole, friction=friction)
    allowed = columns_among(known, among)
    pattern = _pattern(setting, known, set(allowed.tolist()))
    counted = _counted(setting, known, pattern)
    kept = [k for k in pattern.kept if k in set(allowed.tolist())]
    rows = {k: {k: setting.ring.constant(1.0)} for k in kept}
    for column in allowed.tolist():
        for k, x in counted.get(column, {}).items():
            rows[k][column] = x
    return SymbolicBaseParameters(setting, known, np.array(kept, dtype=np.intp), tuple(rows.values()))


def parameter_values(setting: Setting) -> dict[str, float]:
    """The robot's own parameters by name, friction left out."""
    built = tree(setting.robot, setting.tree.motors, lump=False)
    named = parameters(setting.robot, built, friction=False)
    own = values(setting.robot, built, friction=False)
    return {parameter.name: value for parameter, value in zip(named, own, strict=True)}


def _check(robot: Robot, friction: bool) -> None:
    """Refuse what energies do not describe."""
    if robot.base_motion != BaseMotion():
        raise InputError(
            f'robot "{robot.name}" stands on a base that moves, which energies at rest do not tell of; '
            + FROM_NUMBERS
        )
    loaded = [point.name for point in resisting_points(robot) if friction and point.friction.load]
    if loaded:
        raise InputError(
            f'friction of "{loaded[0]}" depends on the load, which links and rotors cause differently: '
            f"energies do not tell of it; ask with friction=False, or {FROM_NUMBERS}"
        )


def _pattern(setting: Setting, known: Sequence[Parameter], first: set[int]) -> Pattern:
    """What depends on what: for lengths in symbols whatever they are, and then for the robot's own too."""
    samples = Samples.of(setting.robot, setting.tree.motors, known)
    preferred = preference(known, first)
    own = samples.pattern(preferred, SEED, other_lengths=False)
    if setting.parameters == "numeric":
        return own
    general = samples.pattern(preferred, SEED, other_lengths=True)
    if general.kept != own.kept:
        by_chance = sorted(set(general.kept) ^ set(own.kept))
        raise InputError(
            f'robot "{setting.robot.name}": what {known[by_chance[0]].name} is counted in depends on a '
            f"coincidence of its lengths or gear ratios, which symbols do not know; {FROM_NUMBERS}"
        )
    return general


def _counted(setting: Setting, known: Sequence[Parameter], pattern: Pattern) -> dict[int, Row]:
    """Column that is not kept -> K of those that are."""
    others, ring = set(pattern.support), setting.ring
    found, left = solved(regrouping(setting.written, bare(setting.whole), ring), others, lambda k: -k)
    rest = sorted(others - set(found))
    expansion = Expansion(setting, known, {k for c in rest for k in (c, *pattern.support[c])})
    direct = {c: expansion.counted_in(c, pattern.support[c]) for c in rest}
    unsolved = [c for c, row in direct.items() if row is None]
    if left or unsolved:
        which = known[unsolved[0] if unsolved else min(left[0])].name
        raise InputError(
            f'robot "{setting.robot.name}": what {which} is counted in is no sum of products of lengths '
            f"and gear ratios; {FROM_NUMBERS}"
        )
    counted = {c: _negative(row, c) for c, row in direct.items() if row is not None}
    for column, row in found.items():
        mine: Row = {}
        for k, x in _negative(row, column).items():
            mine = added(mine, counted[k] if k in direct else {k: ring.constant(1.0)}, x)
        counted[column] = mine
    return counted


def _negative(row: Row, own: int) -> Row:
    """What a column equals, of a row that has it once and is zero."""
    return {k: -x for k, x in row.items() if k != own}

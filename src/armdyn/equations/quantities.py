"""What can be derived: every quantity as harmonics, element by element, from the equations of `mechanics`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement, product
from typing import Any

from armdyn.equations.base_parameters.finding import of_setting
from armdyn.equations.setting import Setting
from armdyn.mechanics import composite_body, energy, frames, kinematics, modified_newton_euler, newton_euler
from armdyn.mechanics.lagrange_euler import partial_derivatives
from armdyn.mechanics.placed import placed
from armdyn.mechanics.velocity_matrix import christoffel_matrix
from armdyn.robot import Robot
from armdyn.scalars.harmonic import Harmonic
from armdyn.spatial.vector import ZERO, add, times, transpose

Index = tuple[int, ...]
Elements = Iterator[tuple[str, Index, Any]]
"""(name of the quantity, index counted from 1, value)"""


@dataclass(frozen=True)
class Quantity:
    """A quantity that can be derived."""

    elements: Callable[[Setting], Elements]
    symbol: str
    """How it is written, its index left out: H, g, c."""
    indices: tuple[str, ...]
    """What its indices count."""
    symmetric: bool = False
    """Whether the first two indices can be exchanged (the last two where there are three)."""


def of(setting: Setting, quantity: str) -> Elements:
    """The elements of a quantity as harmonics."""
    for name, index, value in QUANTITIES[quantity].elements(setting):
        yield name, index, harmonic(setting, value)


def shape_of(robot: Robot, quantity: str) -> tuple[int, ...]:
    """How far each index of a quantity counts; of recursions, which have parts, none."""
    sizes = {"joint": robot.n, "body": len(robot.bodies)}
    rows = 6 if quantity == "jacobian" else 4
    return tuple(sizes.get(index, rows) for index in QUANTITIES[quantity].indices)


def harmonic(setting: Setting, value: Any) -> Harmonic:
    """A value of an equation as a harmonic without rounding left over."""
    return value.pruned() if isinstance(value, Harmonic) else setting.ring.constant(float(value))


# Dynamics -------------------------------------------------------------------------------------


def mass_matrix(setting: Setting) -> list[list[Any]]:
    """H over the coordinates: S^-T H S^-1."""
    H = composite_body.mass_matrix(setting.tree, setting.joints())
    half = [setting.on_coordinates(row) for row in H]
    return [setting.on_coordinates(column) for column in zip(*half, strict=True)]


def gravity(setting: Setting) -> list[Any]:
    """g, the term on the left side."""
    loads = newton_euler.inverse_dynamics(setting.tree.at_rest(), setting.joints(), None, None)
    return setting.on_coordinates(loads.torque)


def velocity_coefficients(setting: Setting) -> list[list[list[Harmonic]]]:
    """c_ijk as [i][j][k], symmetric in j and k: what stands before the rates' products in C qd.

    sum_jk c_ijk qd_j qd_k: the coefficient of qd_j qd_k is c_ijj, or 2 c_ijk where j and k differ.
    """
    n, rates = setting.n, [f"{setting.stem}d{i + 1}" for i in range(setting.n)]
    loads = newton_euler.inverse_dynamics(
        setting.tree.at_rest(), setting.joints(), setting.joints("d"), None, gravity=ZERO
    )
    zero = setting.ring.constant(0.0)
    c = [[[zero for _ in range(n)] for _ in range(n)] for _ in range(n)]
    for i, torque in enumerate(setting.on_coordinates(loads.torque)):
        for powers, value in harmonic(setting, torque).collected(set(rates)).items():
            j, k = (rates.index(name) for name, power in powers for _ in range(power))
            c[i][j][k] = c[i][k][j] = value if j == k else value * 0.5
    return c


def torque(setting: Setting) -> list[Any]:
    """tau of a motion: H qdd + C qd + g."""
    motion = (setting.joints(), setting.joints("d"), setting.joints("dd"))
    return setting.on_coordinates(newton_euler.inverse_dynamics(setting.tree.at_rest(), *motion).torque)


def _mass_matrix(setting: Setting) -> Elements:
    H = mass_matrix(setting)
    for i, j in combinations_with_replacement(range(setting.n), 2):
        yield "mass_matrix", (i + 1, j + 1), H[i][j]


def _gravity(setting: Setting) -> Elements:
    yield from _vector("gravity", gravity(setting))


def _velocity(setting: Setting) -> Elements:
    c = velocity_coefficients(setting)
    for i in range(setting.n):
        for j, k in combinations_with_replacement(range(setting.n), 2):
            yield "velocity", (i + 1, j + 1, k + 1), c[i][j][k]


def _coriolis_matrix(setting: Setting) -> Elements:
    C = christoffel_matrix(velocity_coefficients(setting), setting.coordinate("d"))
    yield from _matrix("coriolis_matrix", C)


def _torque(setting: Setting) -> Elements:
    yield from _vector("torque", torque(setting))


def _kinetic_energy(setting: Setting) -> Elements:
    value = energy.kinetic_energy(setting.whole.at_rest(), setting.joints(), setting.joints("d"))
    yield "kinetic_energy", (), value


def _potential_energy(setting: Setting) -> Elements:
    yield "potential_energy", (), energy.potential_energy(setting.whole, setting.joints())


def _base_parameters(setting: Setting) -> Elements:
    """beta = G pi, without friction as all the others."""
    for k, combination in enumerate(of_setting(setting).harmonics):
        yield "base_parameters", (k + 1,), combination


# Places ---------------------------------------------------------------------------------------


def _pose(setting: Setting) -> Elements:
    T = kinematics.pose_of(setting.tree, placed(setting.tree, setting.joints()), setting.tree.tool)
    rows = [(*row, p) for row, p in zip(T.rotation, T.translation, strict=True)]
    yield from _matrix("pose", [*rows, (0, 0, 0, 1)])


def _jacobian(setting: Setting) -> Elements:
    J = frames.jacobian(setting.tree, setting.joints(), setting.tree.tool)
    yield from _matrix("jacobian", [setting.on_coordinates(row) for row in J])


def _partial_derivatives(setting: Setting) -> Elements:
    """U_ji = d T_j/d (coordinate i) of the body frames that i moves; index: body, joint, row, column."""
    tree, links = setting.tree, placed(setting.tree, setting.joints())
    U = partial_derivatives(tree, setting.joints())
    for b, body in enumerate(setting.robot.bodies):
        frame = tree.frames[body.name]
        for i in range(setting.n):
            moved = [
                (slope * setting.slopes[joint][i], U.of_frame(frame, link))
                for link in sorted(tree.path(frame[0]))
                for joint, slope in links[link].coordinate.gradient
                if setting.slopes[joint][i]
            ]
            if not moved:
                continue
            for row, column in product(range(4), range(4)):
                value: Any = 0
                for slope, matrix in moved:
                    value = value + slope * matrix[row][column]
                yield "partial_derivatives", (b + 1, i + 1, row + 1, column + 1), value


# Recursions -----------------------------------------------------------------------------------


def _newton_euler(setting: Setting) -> Elements:
    """[Siciliano2009] 7.5.3: outwards (7.107)-(7.110), inwards (7.112)-(7.114), step by step.

    In the axes of each body's frame: how it turns, how its origin and its centre of mass accelerate with
    gravity felt as an acceleration, then force and moment of its parent on it, at the joint.
    """
    tree = setting.whole.at_rest()
    q, qd, qdd = setting.joints(), setting.joints("d"), setting.joints("dd")
    links = placed(tree, q, qd, qdd)
    omega = kinematics.angular_velocities(tree, links)
    motion = kinematics.accelerations(tree, links, omega, tree.gravity)
    loads = newton_euler.inverse_dynamics(tree, q, qd, qdd)
    for b, body in enumerate(setting.written.bodies):
        link, T_link_body = tree.frames[body.name]
        to_body = transpose(T_link_body.rotation)
        moving, centre = motion[link], T_link_body.apply(body.inertia.com)
        for name, vector in (
            ("angular_velocity", omega[link]),
            ("angular_acceleration", moving.angular),
            ("acceleration", add(moving.linear, times(moving.spread, T_link_body.translation))),
            ("acceleration_of_centre", add(moving.linear, times(moving.spread, centre))),
        ):
            yield from _vector(name, times(to_body, vector), b)
    for b, body in reversed(list(enumerate(setting.written.bodies))):
        link, T_link_body = tree.frames[body.name]
        wrench = loads.links[link].seen_from(transpose(T_link_body.rotation))
        yield from _vector("force", wrench.force, b)
        yield from _vector("moment", wrench.moment, b)
    yield from _vector("torque", setting.on_coordinates(loads.torque))


def _mrnea(setting: Setting) -> Elements:
    """[Kvrgic2020] (4)-(36): b_ik, e_ik, d_ik, e_i, d_i of every link, then the sums E and n'; base axes."""
    found = modified_newton_euler.vectors(setting.tree.at_rest(), setting.joints(), setting.joints("d"))
    for i, link in enumerate(found.forces.links):
        for name, columns in (("b_ik", link.b_ik), ("e_ik", link.e_ik), ("d_ik", link.d_ik)):
            for k, column in columns.items():
                yield from _vector(name, column, i, k)
        yield from _vector("e_i", link.e_i, i)
        yield from _vector("d_i", link.d_i, i)
    for i, load in enumerate(found.loads):
        yield from _vector("E_i", load.E_i, i)
        yield from _vector("n_ic", load.n_ic, i)
        for name, columns in (("E_ik", load.E_ik), ("n_ia1", load.n_ia1), ("n_ia2", load.n_ia2)):
            for k, column in columns.items():
                yield from _vector(name, column, i, k)


# Elements -------------------------------------------------------------------------------------


def _vector(name: str, values: Sequence[Any], *before: int) -> Elements:
    for k, value in enumerate(values):
        yield name, (*(i + 1 for i in before), k + 1), value


def _matrix(name: str, rows: Sequence[Sequence[Any]]) -> Elements:
    for i, row in enumerate(rows):
        yield from _vector(name, row, i)


QUANTITIES = {
    "mass_matrix": Quantity(_mass_matrix, "H", ("joint", "joint"), symmetric=True),
    "gravity": Quantity(_gravity, "g", ("joint",)),
    "velocity": Quantity(_velocity, "c", ("joint", "joint", "joint"), symmetric=True),
    "coriolis_matrix": Quantity(_coriolis_matrix, "C", ("joint", "joint")),
    "torque": Quantity(_torque, r"\tau", ("joint",)),
    "kinetic_energy": Quantity(_kinetic_energy, "T", ()),
    "potential_energy": Quantity(_potential_energy, "U", ()),
    "base_parameters": Quantity(_base_parameters, r"\beta", ()),
    "pose": Quantity(_pose, "T", ("row", "column")),
    "jacobian": Quantity(_jacobian, "J", ("row", "joint")),
    "partial_derivatives": Quantity(_partial_derivatives, "U", ("body", "joint", "row", "column")),
    "newton_euler": Quantity(_newton_euler, "", ()),
    "mrnea": Quantity(_mrnea, "", ()),
}

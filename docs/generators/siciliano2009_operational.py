"""[Siciliano2009] secs. 7.8 and 7.9, Problems 7.9 to 7.11: operational space and manipulability."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import numpy as np
from siciliano2009_tables import HEADER, Pair, Row, equal, rows, shown, unequal, written
from simulation_drawing import written as written_figure
from verdicts import Claim, gap, proven

import armdyn as ad
from armdyn.manipulability import acceleration_ellipsoid, acceleration_polytope, measures
from armdyn.manipulability.figures import drawn_on

Array = np.ndarray
COUNT = 6
TORQUE = 2000.0
"""[N m] What counts as one of a torque in the figure: with 1 N m the weight would move the ellipse away."""
REGULAR = 0.05
"""Least singular value of the states that are compared."""


@dataclass(frozen=True)
class Case:
    """An arm at a state; what formulas are given: B, C, g, J and Jdot."""

    dyn: ad.Dynamics
    task: str
    q: Array
    qd: Array

    @cached_property
    def ours(self) -> Any:
        """What armdyn says."""
        return self.dyn.operational_space(self.q, self.qd, task=self.task)

    @cached_property
    def given(self) -> tuple[Array, ...]:
        """B, C, g, J, and Jdot by central differences of J."""
        dyn, q, qd = self.dyn, self.q, self.qd
        step = 1e-4
        near = [self._J(q + k * step * qd) for k in (-2, -1, 1, 2)]
        Jdot = (near[0] - 8 * near[1] + 8 * near[2] - near[3]) / (12 * step)  # misses step^4
        return dyn.mass_matrix(q), dyn.coriolis_matrix(q, qd), dyn.gravity(q), self._J(q), Jdot

    def _J(self, q: Array) -> Array:
        rows = [("x", "y", "z", "rx", "ry", "rz").index(axis) for axis in self.ours.axes]
        return self.dyn.jacobian(q)[rows]

    @property
    def square(self) -> bool:
        """Whether the arm is not redundant."""
        return len(self.ours.axes) == self.dyn.n


@cache
def cases() -> tuple[Case, ...]:
    """planar3 and panda are redundant, planar2 and ur5 are not; planar3 comes first and is shown."""
    found: list[Case] = []
    arms = (("planar3", "x,y"), ("planar2", "x,y"), ("ur5", "pose"), ("panda", "pose"))
    for name, task in arms:
        dyn = ad.Dynamics(ad.load(name), "none", friction=False)
        drawn = np.random.default_rng(2009).uniform(-1.5, 1.5, (200, 2, dyn.n))
        if name.startswith("planar"):
            drawn[0] = np.stack([dyn.robot.home, 0.5 * np.ones(dyn.n)])
        values = dyn.operational_space(drawn[:, 0], task=task).directions.values[:, -1]
        found += [Case(dyn, task, q, qd) for q, qd in drawn[values > REGULAR][:COUNT]]
    return tuple(found)


# 7.8 ------------------------------------------------------------------------------------------


def _B(c: Case) -> Array:
    B, _, _, J, _ = c.given
    return np.linalg.inv(J @ np.linalg.inv(B) @ J.T)


def _C(c: Case) -> Array:
    B, C, _, J, Jdot = c.given
    return _B(c) @ J @ np.linalg.solve(B, C @ c.qd) - _B(c) @ Jdot @ c.qd


def _g(c: Case) -> Array:
    B, _, g, J, _ = c.given
    return _B(c) @ J @ np.linalg.solve(B, g)


def _Jbar(c: Case) -> Array:
    B, _, _, J, _ = c.given
    return np.linalg.inv(B) @ J.T @ _B(c)


def _gamma(c: Case) -> Array:
    return np.linspace(-40.0, 60.0, len(c.ours.axes))


def _xdd(c: Case) -> Array:
    B, C, g, J, Jdot = c.given
    pushed = J @ np.linalg.solve(B, J.T @ _gamma(c))
    return -J @ np.linalg.solve(B, C @ c.qd + g) + Jdot @ c.qd + pushed


def _tau(c: Case) -> Array:
    J, null = c.given[3], np.linspace(5.0, -20.0, c.dyn.n)
    return J.T @ _gamma(c) + (np.eye(c.dyn.n) - J.T @ _Jbar(c).T) @ null


def _moved(c: Case) -> Array:
    """The task's acceleration under (7.141), by forward dynamics of the joints."""
    _, _, _, J, Jdot = c.given
    return J @ c.dyn.forward(c.q, c.qd, _tau(c)) + Jdot @ c.qd


def _pairs(
    printed: Callable[[Case], Any], ours: Callable[[Case], Any], square: bool | None = None
) -> list[Pair]:
    return [(printed(c), ours(c)) for c in cases() if square is None or c.square == square]


def table() -> str:
    """(7.129) to (7.141), Problems 7.9 and 7.10."""
    return rows(HEADER, [*_model_rows(), *_square_rows(), *_redundant_rows()])


def _model_rows() -> list[Row]:
    return [
        equal(
            "(7.129)",
            "xdd = -J B^-1 C qd - J B^-1 g + Jdot qd + J B^-1 J^T gamma",
            _pairs(_xdd, lambda c: c.ours.acceleration(c.given[3].T @ _gamma(c))),
        ),
        equal("(7.130)", "B_A = (J B^-1 J^T)^-1", _pairs(_B, lambda c: c.ours.inertia)),
        equal("(7.131)", "C_A xd = B_A J B^-1 C qd - B_A Jdot qd", _pairs(_C, lambda c: c.ours.coriolis)),
        equal("(7.132)", "g_A = B_A J B^-1 g", _pairs(_g, lambda c: c.ours.gravity)),
        equal(
            "(7.133)",
            "B_A xdd + C_A xd + g_A = gamma",
            _pairs(lambda c: _B(c) @ _xdd(c) + _C(c) + _g(c), lambda c: c.ours.force(_xdd(c))),
        ),
    ]


def _square_rows() -> list[Row]:
    def back(c: Case, x: Array) -> Array:
        return np.linalg.solve(c.given[3].T, x)

    return [
        equal(
            "(7.134), planar2 and ur5",
            "B_A = J^-T B J^-1",
            _pairs(
                lambda c: back(c, c.given[0]) @ np.linalg.inv(c.given[3]),
                lambda c: c.ours.inertia,
                square=True,
            ),
        ),
        equal(
            "(7.135)",
            "C_A xd = J^-T C qd - B_A Jdot qd",
            _pairs(
                lambda c: back(c, c.given[1] @ c.qd) - _B(c) @ c.given[4] @ c.qd,
                lambda c: c.ours.coriolis,
                square=True,
            ),
        ),
        equal(
            "(7.136)",
            "g_A = J^-T g",
            _pairs(lambda c: back(c, c.given[2]), lambda c: c.ours.gravity, square=True),
        ),
    ]


def _redundant_rows() -> list[Row]:
    return [
        equal("(7.138)", "Jbar = B^-1 J^T B_A", _pairs(_Jbar, lambda c: c.ours.inverse)),
        equal(
            "(7.140)",
            "Jbar^T tau = gamma, tau of (7.141)",
            _pairs(_gamma, lambda c: c.ours.task_force(_tau(c))),
        ),
        equal(
            "(7.141)",
            "tau = J^T gamma + (1 - J^T Jbar^T) tau_0",
            _pairs(_tau, lambda c: c.ours.torque(_xdd(c), np.linspace(5.0, -20.0, c.dyn.n))),
        ),
        equal("(7.141), xdd", "tau_0 does not move the end effector", _pairs(_xdd, _moved)),
        equal(
            "Problem 7.10",
            "J^T is the right pseudo-inverse of Jbar^T weighted by B^-1: B Jbar (Jbar^T B Jbar)^-1",
            _pairs(
                lambda c: c.given[0] @ _Jbar(c) @ np.linalg.inv(_Jbar(c).T @ c.given[0] @ _Jbar(c)),
                lambda c: c.ours.jacobian.T,
            ),
        ),
        equal(
            "Problem 7.9",
            "w^T (B_A' - 2 C_A) w = 0 with C_A = (Jbar^T C - B_A Jdot) Jbar, w of ones",
            _pairs(lambda _: 0.0, _skew),
            "holds for redundant arms, too",
        ),
        equal(
            "Problem 7.9, nonredundant",
            "C_A xd of this C_A is (7.131)",
            _pairs(_C, lambda c: c.ours.coriolis_matrix @ c.ours.velocity, square=True),
        ),
        unequal(
            "Problem 7.9, redundant",
            "the same",
            _pairs(_C, lambda c: c.ours.coriolis_matrix @ c.ours.velocity, square=False),
            "(7.131) also has what motions inside the arm do: `internal`",
        ),
    ]


def _skew(c: Case) -> float:
    """B_A' exactly: Jbar^T B' Jbar - B_A Jdot Jbar - its transpose, B' = C + C^T."""
    _, C, _, _, Jdot = c.given
    Jbar, moved = _Jbar(c), _B(c) @ Jdot @ _Jbar(c)
    N = Jbar.T @ (C + C.T) @ Jbar - moved - moved.T - 2 * c.ours.coriolis_matrix
    return float(N.sum() / max(1.0, np.abs(c.ours.coriolis_matrix).max()))


def claims() -> list[Claim]:
    """Sentences of 7.8."""
    return [_claim_singular(), _claim_internal()]


def _claim_singular() -> Claim:
    dyn = cases()[0].dyn
    found = dyn.operational_space([0.4, 0.0, 0.0], task="x,y")
    damped = dyn.operational_space([0.4, 0.0, 0.0], task="x,y", damping=0.05)
    return Claim(
        "after (7.133)",
        "J B^-1 J^T can be inverted only where J has full rank",
        f'planar3 stretched: "{found.explained()}"',
        proven(
            "said, not divided by; with `damping=` B_A stays finite",
            bool(found.singular),
            bool(np.isnan(found.inertia).all()),
            bool(np.isfinite(damped.inertia).all()),
        ),
    )


def _claim_internal() -> Claim:
    c = cases()[0]
    tau = c.ours.torque(np.zeros(2))
    qdd = c.dyn.forward(c.q, c.qd, tau)
    least = c.ours.joint_acceleration(np.zeros(2))
    held = c.dyn.forward(c.q, c.qd, c.ours.torque(np.zeros(2), c.dyn.bias(c.q, c.qd)))
    return Claim(
        "before (7.137)",
        "torques J^T gamma alone do not generate internal motions",
        f"planar3, end effector without acceleration: qdd = {written(qdd)}; of least kinetic energy is "
        f"{written(least)}",
        proven(
            "they do not **drive** them, but gravity and velocities do: nothing holds the rest of the arm; "
            "tau_0 = C qd + g in (7.141) does",
            np.abs(qdd - least).max() > 0.1,
            gap(held, least) < 1e-8,
        ),
    )


# 7.9 ------------------------------------------------------------------------------------------


def ellipsoid_table() -> str:
    """(7.148), (7.149), Problem 7.11."""

    def core(c: Case) -> Array:
        B, _, _, J, _ = c.given
        return np.linalg.pinv(J).T @ B.T @ B @ np.linalg.pinv(J)

    def ours(c: Case, form: Any) -> Array:
        return acceleration_ellipsoid(c.dyn, c.q, task=c.task, form=form).core

    def w_d(c: Case) -> float:
        return float(measures(c.dyn, c.q, task=c.task, limited=False).dynamic_manipulability)

    def quotient(c: Case) -> float:
        J = c.given[3]
        return float(np.sqrt(np.linalg.det(J @ J.T)) / np.linalg.det(c.given[0]))

    def same(printed: Array, found: Array) -> Pair:
        """Relative: cores of large arms have large elements."""
        return printed / np.abs(printed).max(), found / np.abs(printed).max()

    square = [c for c in cases() if c.square]
    other = [c for c in cases() if not c.square]
    return rows(
        HEADER,
        [
            equal(
                "(7.148), centre",
                "-J B^-1 g",
                _pairs(
                    lambda c: -c.given[3] @ np.linalg.solve(c.given[0], c.given[2]),
                    lambda c: acceleration_ellipsoid(c.dyn, c.q, task=c.task).centre,
                ),
            ),
            equal(
                "(7.148), core",
                "J^+T B^T B J^+, relative to its largest element",
                [same(core(c), ours(c, "least_norm")) for c in cases()],
                "`form=least_norm`",
            ),
            unequal(
                "(7.148) as the image of (7.142), redundant",
                "the same",
                [same(core(c), ours(c, "exact")) for c in other],
                "**not all** accelerations that unit torques give: the exact core is (J B^-1 B^-T J^T)^-1, "
                "armdyn's default",
            ),
            equal(
                "(7.149)",
                "J^-T B^T B J^-1",
                [same(core(c), ours(c, "exact")) for c in square],
                "right: exact where J is square",
            ),
            equal(
                "Problem 7.11, nonredundant",
                "not printed; w_d = w/det B, w_d = sqrt det J B^-1 B^-T J^T, w = sqrt det J J^T (3.56)",
                [(1.0, w_d(c) / quotient(c)) for c in square],
                "the ratio of both is shown",
            ),
            unequal(
                "Problem 7.11, redundant",
                "the same",
                [(1.0, w_d(c) / quotient(c)) for c in other],
                "no such quotient",
            ),
        ],
    )


def ellipsoid_claims() -> list[Claim]:
    """Sentences of 7.9."""
    c = cases()[0]
    options: dict[str, Any] = {"task": "x,y", "torques": TORQUE}
    free, heavy, book = (
        acceleration_ellipsoid(c.dyn, c.dyn.robot.home, **options, **more)
        for more in ({"gravity": False}, {}, {"form": "least_norm"})
    )
    up, down = float(heavy.along([0, 1])), float(heavy.along([0, -1]))
    share = float(book.measure / heavy.measure)
    inside = np.linalg.eigvalsh(book.core - heavy.core).min() > -1e-9 * np.abs(heavy.core).max()
    return [
        Claim(
            "Fig. 7.15",
            "gravity moves the ellipsoid, and allows larger accelerations downward",
            f"planar3 at home, torques of {TORQUE:g} N m: {shown(up)} m/s2 up and {shown(down)} m/s2 down, "
            f"without gravity {shown(float(free.along([0, 1])))} m/s2 either way",
            proven("confirmed; the shape is the same", down > up, gap(free.radii, heavy.radii) < 1e-10),
        ),
        Claim(
            "(7.146), (7.147)",
            "accelerations in the null space of J may be neglected",
            f"planar3 at home: the area of (7.148) is {shown(100 * share, 3)} % of that of the exact image",
            proven(
                "an extra assumption: torques that also move the arm inside reach farther, (7.148) is inside",
                share < 1,
                bool(inside),
            ),
        ),
    ]


def write_figure(folder: Path) -> None:
    """Fig. 7.15, with the book's ellipse, the exact one, and the polytope of a box of torques."""
    dyn = cases()[0].dyn
    q = np.array(dyn.robot.home)

    def shapes(gravity: bool) -> dict[str, Any]:
        options: dict[str, Any] = {"task": "x,y", "gravity": gravity}
        return {
            "exact image of the torque sphere": acceleration_ellipsoid(dyn, q, torques=TORQUE, **options),
            "least-norm accelerations (7.148)": acceleration_ellipsoid(
                dyn, q, torques=TORQUE, form="least_norm", **options
            ),
            f"every torque within {TORQUE:g} N m": acceleration_polytope(
                dyn, q, limits=[TORQUE] * 3, **options
            ),
        }

    def draw(figure: Any) -> None:
        drawn_on(figure, dyn, q, {"without gravity": shapes(False), "with gravity": shapes(True)})

    written_figure(folder, "siciliano2009_fig15", draw, (8.5, 3.6))

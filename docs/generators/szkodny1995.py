"""docs/papers/szkodny1995.md: what [Szkodny1995] prints, what armdyn computes, and the verdict."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import simulation_irb6 as simulated
from szkodny1995_arms import (
    AXIAL,
    BELT_STATE,
    SPATIAL_STATE,
    K,
    belt,
    gyroscope,
    inertia,
    model,
    row,
    shown,
    velocity,
)
from szkodny1995_coefficients import (
    appendix_claims,
    beyond_axes_claims,
    in_axes_claims,
)
from szkodny1995_forces import force_claims
from szkodny1995_lagrangian import lagrangian_claims
from verdicts import EQUAL, Claim, agreeing, array, gap, proven, table

import armdyn as ad
from armdyn.mechanics.actuated_lagrangian import BEYOND_AXES, coefficients
from armdyn.mechanics.drives import drive_states, gear_matrix
from armdyn.robot import Robot

# The example and other claims -----------------------------------------------------------------

ANGLES, CURRENTS = simulated.ANGLES.tolist(), simulated.CURRENTS.tolist()


def example_claims() -> list[Claim]:
    """The static state of the IRb-6, and statements about sizes."""
    robot = ad.load("irb6")
    q = _posture(robot)
    gears = array(gear_matrix(robot, q))
    dyn = ad.Dynamics(robot, "exact")
    locked, free = dyn.effective_inertia(q), dyn.effective_inertia(q, others="free")
    return [
        Claim(
            "sec. 3, coordinates",
            "q_a = (-130, -66.7, -51, -199, -199) rad",
            f"q = ({_rounded(np.degrees(q), 1)}) deg",
            proven(
                "reachable by the catalog's irb6, whose encoder zeros are assumed", *_within_limits(robot, q)
            ),
        ),
        _claim_currents(robot, q, gears),
        Claim(
            "sec. 3, motion",
            "figures 3 and 4: currents in, actuator coordinates out, with sticking friction",
            "currents that take irb6 near the printed state, where friction holds it: "
            "[the example](../simulation-examples.md), computed and checked on its own page",
            "not judged: the figures are curves without numbers, the schedule is armdyn's own",
        ),
        Claim(
            "sec. 4, effective inertia",
            "follows from the models; no value printed",
            f"irb6 at that state, others locked: {row(locked)} kg m2; others free: {row(free)} kg m2",
            proven(
                "two meanings: the diagonal of K^-T D K^-1, and one over that of its inverse, `motors=exact`",
                gap(locked, _effective(gears, robot, q)) < EQUAL,
                *(free <= locked),
            ),
        ),
        Claim(
            "sec. 1",
            "Newton's equations give no such inertia",
            f"Newton-Euler at unit accelerations beside D_ij: {agreeing([_gap_of_columns(robot, q)])}",
            "too strong: no closed formula, but the same numbers",
        ),
        _claim_stanford(),
    ]


def _rounded(values: np.ndarray, digits: int) -> str:
    """With so many decimals, and no minus before zero."""
    return ", ".join(f"{x + 0.0:.{digits}f}" for x in np.round(values, digits))


def _posture(robot: Robot) -> list[float]:
    """The posture whose motor angles are ANGLES, by Newton's method from a nearby one."""
    q = np.array([0.8, 0.3, 0.0, -1.5, 0.0])
    for _ in range(30):
        at = q.tolist()
        angles = [theta.variable + theta.offset for theta in drive_states(robot, at)]
        if gap(angles, ANGLES) < EQUAL:
            return at
        q = q - np.linalg.solve(array(gear_matrix(robot, at)), np.subtract(angles, ANGLES))
    raise AssertionError(f"no posture of {robot.name} has the motor angles {ANGLES}")


def _within_limits(robot: Robot, q: list[float]) -> list[bool]:
    """Of every joint whose limits are known; irb6 knows all."""
    joints = {body.joint.name: body.joint for body in robot.bodies}
    limits = [joints[name].limits.position for name in robot.joint_names]
    return [bounds is not None and bounds[0] <= x <= bounds[1] for bounds, x in zip(limits, q, strict=True)]


def _claim_currents(robot: Robot, q: list[float], gears: np.ndarray) -> Claim:
    held = np.linalg.solve(gears.T, ad.Dynamics(robot, friction=False).gravity(q))
    currents = held / array([drive.motor.torque_constant for drive in robot.drives])
    return Claim(
        "sec. 3, currents",
        "(0, 3.18, -0.73, 0, 0) A",
        f"({_rounded(currents, 2)}) A",
        proven(
            "**proves nothing**: irb6's first moments and torque constant were fitted to these currents, "
            "the paper prints no parameters",
            np.abs(currents - CURRENTS).max() < 0.05,
        ),
    )


def _effective(gears: np.ndarray, robot: Robot, q: list[float]) -> np.ndarray:
    back = np.linalg.inv(gears)
    return np.diag(back.T @ inertia(coefficients(robot, q)) @ back)


def _gap_of_columns(robot: Robot, q: list[float]) -> float:
    dyn = ad.Dynamics(robot, "exact", friction=False)
    columns = dyn.inverse(q, [0.0] * robot.n, np.eye(robot.n)) - dyn.gravity(q)
    return gap(coefficients(robot, q).inertia, columns)


def _claim_stanford() -> Claim:
    robot = ad.load("stanford")
    felt = array([drive.joint_inertia for drive in robot.drives])
    links = ad.Dynamics(robot, "none")
    bent = [*robot.home[:4], math.pi / 2, robot.home[5]]
    at_home, at_bent = (felt / np.diag(links.mass_matrix(q)) for q in (robot.home, bent))
    return Claim(
        "after (14)",
        "Stanford arm: actuators' energy mostly ten times the links', 100 times on joint 4",
        f"I_a over the links' D_ii, wrist straight: {row(at_home)}; bent: joint 4 {shown(at_bent[3])}",
        proven(
            "does not hold for joints 1 to 3 of the catalog's arm (Paul's tables, mended); "
            "joint 4 depends on the posture",
            at_home[:3].max() < 2.0,
            at_bent[:3].max() < 2.0,
            at_home[3] > 5 * at_bent[3],
        ),
    )


# The belt and the gyroscope -------------------------------------------------------------------


def belt_table() -> str:
    """D_ij of the belt arm in every form and model."""
    robot, q = belt(), BELT_STATE
    cells = [
        ("`motors=exact`, (1)", inertia(coefficients(robot, q))),
        ("(8), stator's link, carried", inertia(coefficients(robot, q, BEYOND_AXES))),
        ("(8) as printed", inertia(coefficients(robot, q, BEYOND_AXES, reference="driven", carried=False))),
        ("`motors=coupled`", inertia(model(robot, q, "coupled"))),
        ("`motors=reflected`, k^2 I on the diagonal", inertia(model(robot, q, "reflected"))),
        ("`motors=none`", inertia(model(robot, q, "none"))),
    ]
    exact = cells[0][1]
    rows = ["| form | D_11 | D_12 | D_22 | D_12 missed by |", "|---|---|---|---|---|"]
    for name, D in cells:
        missed = 100 * (1 - D[0, 1] / exact[0, 1])
        rows.append(
            f"| {name} | {D[0, 0]:.4f} | {D[0, 1]:.4f} | {D[1, 1]:.4f} | {abs(round(missed, 1)):.1f} % |"
        )
    return "\n".join(rows) + "\n"


def gyroscope_table() -> str:
    """D_ijk of the gyroscope that couple all three joints."""
    robot, q = gyroscope(), SPATIAL_STATE
    cells = [
        ("`motors=exact`", model(robot, q)),
        ("`motors=augmented`", model(robot, q, "augmented")),
        ("appendix, carried", coefficients(robot, q)),
        ("(9), stator's link, carried", coefficients(robot, q, BEYOND_AXES)),
        ("`motors=coupled`", model(robot, q, "coupled")),
    ]
    spin = velocity(cells[0][1])[1, 0, 2] - velocity(cells[-1][1])[1, 0, 2]
    proven("adds k I cos(q2)/2 to D_213", gap(spin, 0.5 * K * AXIAL * math.cos(q[1])) < EQUAL)
    rows = ["| form | D_123 | D_213 | D_312 |", "|---|---|---|---|"]
    for name, parts in cells:
        c = velocity(parts)
        rows.append(f"| {name} | {shown(c[0, 1, 2])} | {shown(c[1, 0, 2])} | {shown(c[2, 0, 1])} |")
    return "\n".join(rows) + "\n"


# The page -------------------------------------------------------------------------------------

PAGE = """# Szkodny1995

T. Szkodny, *Dynamics of industrial robot manipulators*: Lagrange's equations of an arm with its actuators, in
the axes of the joints or beyond them, with drive elements, a grasped object, friction and a moving base.

This page is generated. armdyn's values are computed by `armdyn.mechanics.actuated_lagrangian`, which
follows the paper, and by the motor models, which use other equations (Newton-Euler, composite bodies).
"All robots", and rows that name none, are the catalog's robots whose rotors have a known place, and the arms
of this page.

Two choices are armdyn's. The paper takes the matrix `T_ai` of an actuator's effector relative to the link
that it **drives**; armdyn by default relative to the link that carries its **stator**, on which a rotor
does nothing but turn. And an effector is **carried**: it also counts as standing on its link, with its
weight, which (1) has and (2) drops. The exact coefficients do not depend on the first choice, the reduced
ones do.

## Lagrangian, (1)-(7)

{lagrangian}
## Coefficients, (8)-(12) and the appendix

{coefficients}
### A belt

Two links of 1 m, 50 kg and 10 kg m2; rotors of 5 kg and 0.01 kg m2, k = 100. Motor 1 drives joint 1, motor 2
stands on the base at (0.3, 0.1) and turns by `k (q1 + q2)`; q = (0.4, 0.9). The example is not the paper's.

{belt}
### A gyroscope

A column, an arm that tilts, a hand that rolls about the arm. The roll's motor (k = 100, 0.01 kg m2) spins
along the arm, so that its axis turns with column and arm, which adds `k I cos(q2)/2` to `D_213`;
q = (0.3, -0.7, 0.5).

{gyroscope}
## Forces, drive elements, friction, base, (13)-(22)

{forces}
## The example, and statements about sizes

{example}"""


def page() -> str:
    """The page as MyST Markdown."""
    return PAGE.format(
        lagrangian=table(lagrangian_claims()),
        coefficients=table([*appendix_claims(), *beyond_axes_claims(), *in_axes_claims()]),
        belt=belt_table(),
        gyroscope=gyroscope_table(),
        forces=table(force_claims()),
        example=table(example_claims()),
    )


def write(folder: Path) -> None:
    """Write papers/szkodny1995.md below the folder."""
    target = folder / "papers" / "szkodny1995.md"
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(page(), encoding="utf-8")

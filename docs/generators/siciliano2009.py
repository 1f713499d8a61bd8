"""docs/papers/siciliano2009.md: what [Siciliano2009] prints, what armdyn computes, and the verdict."""

from __future__ import annotations

from pathlib import Path

import siciliano2009_example as example
import siciliano2009_figures as figures
import siciliano2009_newton as newton
import siciliano2009_operational as operational
import siciliano2009_parallelogram as parallelogram
import siciliano2009_parameters as parameters
import siciliano2009_planar as planar
import siciliano2009_problems as problems
import siciliano2009_remarks as remarks
import siciliano2009_scaling as scaling
import siciliano2009_sentences as sentences
import siciliano2009_simple as simple
import siciliano2009_skew as skew
from siciliano2009_arms import FIRST, STATES
from siciliano2009_tables import written
from verdicts import EQUAL, table

PAGE = """# Siciliano2009

B. Siciliano, L. Sciavicco, L. Villani, G. Oriolo, *Robotics: Modelling, Planning and Control*, chapter 7,
Dynamics: Lagrange's equations with the motors, the notable properties, three arms of two joints worked out by
hand, the Newton-Euler recursion, operational space and the dynamic manipulability ellipsoid.

This page is generated. *Printed* is what stands in the copy that armdyn works from, which has lost the
figures and some signs: a slip may be the book's or the copy's. Formulas are evaluated as printed, in NumPy,
with nothing of armdyn's mechanics in them, and where one is wrong also mended. *Its value* and *armdyn* are
at one state. *Apart* is the largest difference at {states} states of every arm named; *none* is less than
{equal:.0e} of the largest element, or of 1. Units are SI; s_12 is the sine of theta_1 + theta_2, thetad and
thetadd are rates.

## Example 7.1

The catalog's `pendulum`; all of its values are armdyn's own.

{pendulum}
## Terms of the equations, 7.1

{statements}
## Two-link Cartesian arm, 7.3.1

The catalog's `cartesian2` and `cartesian2_45`, whose values are armdyn's own.

{cartesian}
## Two-link planar arm, 7.3.2

The values shown are those of `planar2`, with the data of Example 7.2, at
q = {q}, qd = {qd}, qdd = {qdd}; compared is also an arm in which no two values
are equal. Motors are bodies (`motors=exact`).

{planar}
### Skew symmetry, 7.2.1

{skew}
### Linearity in the parameters, 7.2.2

armdyn's column of a parameter is the change of the torques with it, the others held; w_i and e_i are
thetad_i and thetadd_i.

{regressor}
{parameters}
## Example 7.2

{example}
What the motions take, and what the contributions to the torques reach. The text gives the first motion
without a sense of rotation: both are listed, the second table and the figures have the positive one. *Motor*
is the largest torque that a motor gives.

{peaks}
{contributions}
![Positions, velocities, accelerations and torques, equal duration](../figures/siciliano2009_fig5.svg)

*Fig. 7.5: joint motions of equal duration, and the torques they take.*

![Contributions to the torques, equal duration](../figures/siciliano2009_fig6.svg)

*Fig. 7.6: contributions to those torques.*

![Positions, velocities, accelerations and torques, different duration](../figures/siciliano2009_fig7.svg)

*Fig. 7.7: joint motions of different duration, and the torques they take.*

![Contributions to the torques, different duration](../figures/siciliano2009_fig8.svg)

*Fig. 7.8: contributions to those torques.*

![Position, velocity and acceleration of the tip](../figures/siciliano2009_fig9.svg)

*Fig. 7.9: the tip on a straight line along x.*

![Positions, velocities, accelerations and torques, straight line](../figures/siciliano2009_fig10.svg)

*Fig. 7.10: joint motions with the tip on that line, and the torques they take.*

![Contributions to the torques, straight line](../figures/siciliano2009_fig11.svg)

*Fig. 7.11: contributions to those torques.*

### Problem 7.7

The same motions while a force f = (500, 500) N acts at the tip. The problem does not say on what: by (7.42)
the tip exerts it on its surroundings, which is armdyn's sense, too.

{pressed}
## Parallelogram arm, 7.3.3

The catalog's `parallelogram`, whose values are armdyn's own and are shown, and another with other values.
Links are 1', 2', 3' in one branch and 1'' in the other, as in the text; a_2' = a_1''.

{parallelogram}
{remarks}
## Newton-Euler, 7.5

The recursion in link frames on eight chains of two to six joints, turning and sliding, with motors anywhere
on the links and at any angle, at three states each:

{recursion}
### The example of 7.5.3

The planar arm step by step, beside armdyn's recursion on the same states as above. Vectors are in link axes,
accelerations have that of gravity in them; mu is the third element of the moment, the others are not printed.
For short, w_i and e_i are thetad_i and thetadd_i, w_12 = w_1 + w_2, e_12 = e_1 + e_2 and r_i = l_Ci + a_i;
m_i, l_Ci and Ibar_i are those of the augmented links, by (7.83).

{steps}
### Direct dynamics, 7.6

{direct}
How the operations grow with the number of joints is on the page of the [counts](../counts.md).

## Dynamic scaling, 7.7

On the motions of Example 7.2. `armdyn retime` does this for programs and samples, with friction, motors and
gears, move by move and time-optimally, too: [Retiming](../retiming.md).

{scaling}
The exact c beside the one that the joint with the largest excess gives, for limits that the motions exceed:

{factors}
## Operational space, 7.8

B, C, g and J are taken as armdyn has them, Jdot from differences of J; the formulas are evaluated as printed
on `planar3` and `planar2` (x, y of the tip), `ur5` and `panda` (whole pose), motors left out, at
{operational_states} states each. How to use it: [Operational space](../operational-space.md).

{operational}
{operational_claims}
## Dynamic manipulability ellipsoid, 7.9

{ellipsoids}
{ellipsoid_claims}
![Ellipsoids and polytope of planar3, without and with gravity](../figures/siciliano2009_fig15.svg)

*Fig. 7.15: three-link planar arm, motors left out, torques of {torque:g} N m. The cross is the centre.*

## Equations asked for in problems

As [`armdyn derive`](../equations.md) gives them, with masses m, centres of mass x, y, z in the links' frames
and inertias I about these, lengths a, d or l; c_ijk are Christoffel's symbols.

{problems}
## Not yet there

- 7.4, identification of the parameters from measured motions, (7.85) and (7.86).
"""


def page() -> str:
    """The page as MyST Markdown."""
    q, qd, qdd = (written(part) for part in FIRST)
    return PAGE.format(
        states=STATES,
        equal=EQUAL,
        q=q,
        qd=qd,
        qdd=qdd,
        pendulum=simple.pendulum_table(),
        statements=table(simple.statement_claims()),
        cartesian=simple.cartesian_table(),
        planar=planar.table(),
        skew=skew.table(),
        regressor=parameters.regressor_table(),
        parameters=table(parameters.parameter_claims()),
        example=table(sentences.claims()),
        peaks=example.peak_table(),
        contributions=example.contribution_table(),
        pressed=example.pressed_table(),
        parallelogram=parallelogram.table(),
        remarks=table(remarks.claims()),
        recursion=newton.recursion_table(),
        steps=newton.steps_table(),
        direct=newton.direct_table(),
        scaling=table(scaling.claims()),
        factors=scaling.factor_table(),
        operational_states=operational.COUNT,
        operational=operational.table(),
        operational_claims=table(operational.claims()),
        ellipsoids=operational.ellipsoid_table(),
        ellipsoid_claims=table(operational.ellipsoid_claims()),
        torque=operational.TORQUE,
        problems=problems.problems(),
    )


def write(folder: Path) -> None:
    """Write papers/siciliano2009.md and its figures below the folder."""
    target = folder / "papers" / "siciliano2009.md"
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(page(), encoding="utf-8")
    figures.write(folder)
    operational.write_figure(folder)

"""docs/papers/kvrgic2020.md: what [Kvrgic2020] prints, what armdyn computes, and the verdict."""

from __future__ import annotations

from pathlib import Path

import kvrgic2020_algorithm as algorithm
import kvrgic2020_data as data
import kvrgic2020_equations as equations
import kvrgic2020_figures as figures
import kvrgic2020_limits as limits
import kvrgic2020_listing as listing
import kvrgic2020_program as program
import kvrgic2020_targets as targets
from kvrgic2020_runs import ENGLISH, SERBIAN

PAGE = """# Kvrgic2020

V. Kvrgić and J. Vidaković, *ERFD: software for efficient robot forward dynamics* (a report, in Serbian)
and *Efficient method for robot forward dynamics computation* (the paper it rests on): mRNEA, which gives
H and the bias in one pass; Algorithm 1, which finds the motion that limited motors can do; and both on
the robot Lola 15.

This page is generated. The text that armdyn works from has lost its figures: of the curves of Figs. 4 to
7 only the sentences about them can be checked, and the figures below are armdyn's own. Where report and
paper differ, the row says which is meant; equation numbers are the paper's unless they have a letter
with a dot.

## The program of Lola 15, sec. 8

`lola15.lirl`, the listing of Fig. 8 with [its slips](#the-listing-fig-8) mended, is planned every 10 ms
from the robot's home; the tool exerts f_e = (100, 100, {serbian:g}) N at p_e all along. Lines are those
of that file. It is verified by

```console
$ armdyn verify lola15 --wrench 100,100,{serbian:g},0,0,0
```

{figure_claims}
![Path of the tool and its speed](../figures/kvrgic2020_fig4.svg)

*Fig. 4: path of the tool, programmed and achieved, and its speed.*

![Joint torques by RNEA and mRNEA](../figures/kvrgic2020_fig5.svg)

*Fig. 5: joint torques u_i, without drives and friction, by RNEA (lines) and mRNEA (dots).*

![Motor torques and joint accelerations with and without Algorithm 1](../figures/kvrgic2020_fig6.svg)

*Fig. 6: motor torques and joint accelerations with and without Algorithm 1 (armdyn's step 6, `--follow
position`).*

![Velocities and positions with and without Algorithm 1](../figures/kvrgic2020_fig7.svg)

*Fig. 7: joint velocities and positions with and without Algorithm 1, and how far the joints lag.*

### Why the motors saturate

Every path move turns the tool by a rule of its own, most of them (`o_var`) in proportion to the arc
length. Where one move runs into the next without stopping, the tool's speed is continuous, but its
turning is not: its angular velocity jumps within a cycle or two, and the accelerations that this takes
are those that the motors do not have. Nothing else in the program saturates a motor. *Turning* is the
tool's angular velocity just before and just after the junction, *cycles* those in which a motor is asked
for more than it has, the last column the worst motor there.

{junctions}
The document does not say how its planner turns the tool. With `--turn-acceleration 2` armdyn's changes
the turning gradually around such a junction, and nothing saturates.
{turning_costs}

{utilisation}
![Share of its torque that each motor needs, with both plans](../figures/kvrgic2020_utilisation.svg)

The sign of f_ez, which report ({serbian:g} N) and paper ({english:g} N) print differently, changes no
verdict.

## Algorithm 1

{algorithm}
The whole program at three cycle times. The demand at a jump grows as the cycle gets shorter; what the
arm does should not. As printed, motions shake between limits and amplify rounding: only bounds are
given.

{cycles}
## Limits, sec. 8 and Appendix E

Joint speed limits beside the speed that the motor gives through its gear while the other joints rest.
Both are kept as limits of their own in `lola15`, and the planner respects both.

{speeds}
Joint accelerations are printed as limits, too. PTP moves keep them; path moves are planned by the speed
and acceleration of the tool and go beyond them, for so long and up to so many times the limit:

{accelerations}
## The listing, Fig. 8

Lines are those of the printed listing, `lola15_as_printed.lirl`.

{listing}
{reach}
The integers of the targets beside the branch on which the arm passes them (lines of `lola15.lirl`):

{targets}
## Equations, secs. 4 and 5, Appendices B and E

{equations}
## Data, Appendices A, B, D and E

{data}
## Counts, sec. 6 and Appendix C

{counts}"""


def page() -> str:
    """The page as MyST Markdown."""
    return PAGE.format(
        serbian=SERBIAN,
        english=ENGLISH,
        figure_claims=program.figure_claims(),
        junctions=program.junctions(),
        turning_costs=program.turning_costs(),
        utilisation=program.utilisation(),
        algorithm=algorithm.claims(),
        cycles=algorithm.cycle_table(),
        speeds=limits.speed_table(),
        accelerations=limits.acceleration_table(),
        listing=listing.claims(),
        reach=targets.claims(),
        targets=targets.target_table(),
        equations=equations.claims(),
        data=data.claims(),
        counts=equations.count_claims(),
    )


def write(folder: Path) -> None:
    """Write papers/kvrgic2020.md and its figures below the folder."""
    target = folder / "papers" / "kvrgic2020.md"
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(page(), encoding="utf-8")
    figures.write(folder)

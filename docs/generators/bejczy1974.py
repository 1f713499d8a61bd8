"""docs/papers/bejczy1974.md: what [Bejczy1974] prints, what armdyn computes, and the verdict."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import bejczy1974_appendices as appendices
import bejczy1974_constants as constants
import bejczy1974_conventions as conventions
import bejczy1974_coupling as coupling
import bejczy1974_derived as derived
import bejczy1974_figures as figures
import bejczy1974_formulas as formulas
import bejczy1974_gravity as gravity
import bejczy1974_inertia as inertia
import bejczy1974_ratios as ratios
import bejczy1974_sentences as sentences
import bejczy1974_shortened as shortened
import bejczy1974_simplified as simplified
import bejczy1974_tables as tables
import bejczy1974_wrist as wrist
from bejczy1974_arm import STATES
from bejczy1974_numbers import Number
from verdicts import table

PAGE = """# Bejczy1974

A. K. Bejczy, *Robot arm dynamics and control*, JPL Technical Memorandum 33-669: the state equations of the
six-joint JPL RRP arm in explicit form, what inertia and gravity ask of every joint over the workspace, with
and without a load, and short equations in place of the long ones.

This page is generated. The arm is `jpl_rrp` of the catalog, the load the report's: a cube of 1.8 kg and
442 cm³ whose centre is the origin of the hand's frame. s2 and c2 are the sine and the cosine of theta2, k411
stands for the square of a radius of gyration, and r3 is joint 3, the boom. *Random states* are {states}
postures, all angles uniform over a turn, r3 uniform from 10 to 111.76 cm. The text that armdyn works from has
lost its figures: those below are armdyn's own, with the curves of the report's formulas and constants dashed.

A printed number **agrees** where armdyn's, rounded as printed, is the same; **but for the last digit** where
that is off by one; **within the digits of the data** where the difference is no larger than what the digits
of Appendix B leave open (its ounces have other digits than its kilograms). Anything else has a reason.

## Conventions and servo, II and III, (1)-(26)

{conventions}
## State equations, V and VI, (28)-(68)

Every formula is evaluated as printed at the random states, *off by* is its largest difference from armdyn's
value; then, mended, it is compared with what armdyn derives, in symbols and term by term.

{complete}
The restricted model, the wrist locked in line with the boom (m3, z3, k3.. are those of both together):

{restricted}
### As armdyn derives them

```console
$ armdyn derive jpl_rrp mass_matrix --symbolic --motors none
```

Operations as written, sines and cosines given. k4xx^2 is the report's k411; -D2 to -D5 are armdyn's gravity
terms, which stand on the left side.

{lengths}
{equations}
## Inertia at the joints, VII.A

### Joint 1

{inertia_1}
### Joint 2

{inertia_2}
### Joints 3 to 6

D66 with load: the report's 0.295 - 0.049 = 0.002 mixes oz in s² with kg m².

{inertia_3}
{inertia_claims}
### Table 1

(The load's 442 cm² of its footnote are cm³.)

{table_1}
The report chooses its postures by judgement. Over the whole workspace, by branch and bound (kg m², kg for
D33; degrees and cm, one of the postures that are mirror images; *bound*: nothing in the workspace is beyond
it; *certified*: both agree within 0.1 % of the range):

```console
$ armdyn study jpl_rrp inertia --payload 1.8,0,0,0,0.00174,0.00174,0.00174,0,0,0
```

{inertias}
![Largest inertia at every joint relative to the smallest](../figures/bejczy1974_fig3.svg)

*Fig. 3: largest inertia at the joints over the workspace, relative to the smallest without load; diamonds:
Table 1.*

## Gravity at the joints, VII.B

{gravity}
{gravity_claims}
### Table 2

{table_2}
{motors}
Over the whole workspace, g = 9.81 m/s²:

{loads}
## Coupling of the first three joints, VII.C

{coupling_constants}
{coupling_maxima}
{coupling_claims}
The largest ratios over theta2 and r3, by branch and bound:

{coupling_certified}
![R1 to R4 over theta2](../figures/bejczy1974_fig4_to_7.svg)

*Figs. 4 to 7: what the acceleration of another joint is worth beside that of the joint's own, for r3 = 111.8,
81.3 and 50.8 cm. Dashed: (104) to (107) with the printed a1 to a9.*

## Simplified equations, VII.D

{constants}
### Table 3

{table_3}
### Table 4

{table_4}
### What the equations miss

(119) is taken with its slips mended: `b1 +` in place of `b1 (`, `b8 s(2 theta2) s4 s5` in place of
`b8 s(2 theta4) s5`, `- b10`.

{exact}
Errors over the random states; *largest* is attained, *bound* holds for every posture of the workspace.
*Constants*: as printed, printed but for the b5 of the loaded arm, or all as the data give them.

{errors}
{extremes}
{claims}
### Shorter ones

armdyn's `simplify`, allowed as many operations as the report's equation has (g a part of the constants), one
structure for both loads; errors at the same states as the report's.

{ours}
{forms}
## Gravity against inertia, VII.E

With the load in the hand and the input inertias, per unit acceleration of the joint.

{ratio_numbers}
{ratio_claims}
{ratio_certified}
![K1 to K4 over theta2](../figures/bejczy1974_fig8_to_11.svg)

*Figs. 8 to 11: gravity against inertia with the load in the hand. Dashed: the simplified equations with the
printed constants. The two values of theta5 of Fig. 10 are armdyn's choice.*

## Appendix A: matrices U

U_ji, the derivative of the frame of link j by joint i. Every printed element is evaluated at five random
postures; what lacks a parenthesis counts as wrong.

{matrices}
## Appendix B: data

{data}
{factors}
## Appendix C: a load beside the hand's axis

*Off by*: at x6 = 25.4 mm, y6 = 10 mm, the load in the hand.

{offset}
{offset_claim}
## Appendix D: matrices that can be left out

{omission}"""


def _numbers(numbers: Iterable[Number]) -> str:
    return table(number.claim() for number in numbers)


def page() -> str:
    """The page as MyST Markdown."""
    return PAGE.format(
        states=f"{STATES:_}".replace("_", " "),
        conventions=table([tables.servo_claim(), *conventions.claims()]),
        complete=formulas.complete_table(),
        restricted=formulas.restricted_table(),
        lengths=derived.table(),
        equations=derived.blocks(),
        inertia_1=_numbers(inertia.joint_1()),
        inertia_2=_numbers(inertia.joint_2()),
        inertia_3=_numbers(wrist.joints_3_to_6()),
        inertia_claims=table(wrist.claims()),
        table_1=_numbers(tables.table_1()),
        inertias=tables.inertia_table(),
        gravity=_numbers(gravity.numbers()),
        gravity_claims=table(gravity.claims(tables.largest_loads())),
        table_2=_numbers(gravity.table_2()),
        motors=_numbers(gravity.motor_numbers()),
        loads=tables.gravity_table(),
        coupling_constants=_numbers(coupling.constants()),
        coupling_maxima=_numbers(coupling.maxima()),
        coupling_claims=table(coupling.claims()),
        coupling_certified=coupling.certified_table(),
        constants=_numbers(constants.numbers()),
        table_3=table(constants.table_3_claims()),
        table_4=_numbers(constants.table_4()),
        exact=table([simplified.exact_claim()]),
        errors=shortened.report_table(),
        extremes=_numbers(sentences.extreme_numbers()),
        claims=table(sentences.claims()),
        ours=shortened.our_table(),
        forms=shortened.our_forms(),
        ratio_numbers=_numbers(ratios.numbers()),
        ratio_claims=table(ratios.claims()),
        ratio_certified=ratios.certified_table(),
        matrices=appendices.matrix_table(),
        data=appendices.data_table(),
        factors=table([appendices.matrix_claim(), *(n.claim() for n in appendices.factor_numbers())]),
        offset=formulas.offset_table(),
        offset_claim=table([formulas.offset_claim()]),
        omission=table(appendices.omission_claims()),
    )


def write(folder: Path) -> None:
    """Write papers/bejczy1974.md and its figures below the folder."""
    target = folder / "papers" / "bejczy1974.md"
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(page(), encoding="utf-8")
    figures.write(folder)

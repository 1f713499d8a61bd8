"""docs/simulation-examples.md: simulations beside closed forms and the documents."""

from __future__ import annotations

from pathlib import Path

import simulation_irb6 as irb6
import simulation_pendulum as pendulum
import simulation_race as race
import simulation_servo as servo

PAGE = """# Simulation examples

This page is generated: every number is computed, and where a table says "less than" the page is not
written unless it is. How to simulate is told in [Simulation](simulation.md).

## The IRb-6 under armature currents

[Szkodny1995] shows currents of the five motors (Fig. 3) and the motor coordinates that follow from them
(Fig. 4), simulated with Euler steps of 1 ms. Printed in numbers is the end: where the motors stand, and
the currents that keep them there. `examples/motions/irb6_currents.toml` is a schedule of currents that
takes the catalog's `irb6` from home to there:

```console
$ armdyn simulate irb6 --input examples/motions/irb6_currents.toml --duration 12 --integrator euler
```

![Currents and motor coordinates over the first three seconds](figures/simulation_irb6.svg)

*In the manner of Figs. 3 and 4: the first {drawn:g} s. Nothing moves from {stop:.2f} s to the end at
{duration:g} s.*

{motors}
In both runs {verdict}.
*Friction takes* is what the friction of each motor has to hold at the end (dop853), *of at most* is its
starting friction.

What differs from the paper, and why:

- The currents are not those of Fig. 3, whose curves are not printed in numbers. Nor are masses, inertias
  and friction of the IRb-6: those of `irb6` are representative, and its first moments were fitted to the
  printed currents. So that these currents hold the arm there proves nothing; what is simulated is that it
  gets there, stops and stays.
- The paper prints about 0 A for motors 1, 4 and 5. Here 0.05 A is left: nothing else loads motors 1 and 5
  in this posture, and without current their friction would have nothing to hold.
- The arm tips over: what motor 2 is off grows about {growth:.0f} times in a second. The move is short for
  that reason, and another arm needs other currents.
- Euler's steps of 1 ms end up to {difference} from where dop853 does.

## A pendulum

A point mass of 2 kg on a rod of 0.6 m, let go at an angle; w = sqrt(g/l). Its period is an elliptic
integral.

{periods}
![Free swings, and a carriage that friction stops](figures/simulation_pendulum.svg)

With viscous friction (damping 0.05) small swings follow J q'' + b q' + m g l q = 0. What that misses
within 10 s grows with the cube of the amplitude A, as sin q = q - q³/6 says it must: it is the error of
the small angles, not of the integrator.

{damped}
With dry friction a closed form needs a linear spring: a carriage of 2 kg that slides with 0.5 N of
friction, held by 50 N/m. Each half cycle takes π/w and 2 F/k of the amplitude; the carriage stops at the
first turning point within F/k = 10 mm.

{rubbing}
## A servo whose inertia changes

[Bejczy1974] II: when the inertia of a critically damped position servo with velocity feedback falls by a
factor n, its damping and its natural frequency rise by sqrt(n); velocity feedback reduced by sqrt(n)
restores critical damping. Here it is measured on joint 1 of `jpl_rrp` in three postures, the other joints
locked, gravity off: the servo of second order whose response is nearest to that of a simulated step of
0.1 rad.

{servos}
![Step responses with one gain, and with gains that restore critical damping](figures/simulation_servo.svg)

## A race of integrators

A UR5 without friction is let go and swings for 1 s. The error is that of the worst joint at the end,
against `dop853` with a tolerance of 1e-13. Work is counted in evaluations of the equations of motion.

{orders}
What an error costs, in evaluations of the equations. Fixed steps go down to 0.125 ms, tolerances to 1e-12:

{costs}
![Error against evaluations of the equations](figures/simulation_race.svg)

At 1 ms, the step of [Szkodny1995], {euler}.
Wherever the table has numbers, {winner}.
"""


def page() -> str:
    """The page as MyST Markdown."""
    return PAGE.format(
        drawn=irb6.DRAWN,
        duration=irb6.DURATION,
        stop=irb6.last_stop(irb6.run()),
        motors=irb6.motor_table(),
        verdict=irb6.verdict(),
        difference=irb6.difference(),
        growth=irb6.growth(),
        periods=pendulum.period_table(),
        damped=pendulum.damped_table(),
        rubbing=pendulum.rubbing_table(),
        servos=servo.servo_table(),
        orders=race.order_table(),
        costs=race.cost_table(),
        euler=race.euler_at_the_printed_step(),
        winner=race.verdict(),
    )


def write(folder: Path) -> None:
    """Write simulation-examples.md and its figures below the folder."""
    (folder / "figures").mkdir(parents=True, exist_ok=True)
    (folder / "simulation-examples.md").write_text(page(), encoding="utf-8")
    irb6.draw(folder)
    for example in (pendulum, servo, race):
        example.write_figure(folder)

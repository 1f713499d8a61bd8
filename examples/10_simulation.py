"""Simulation: currents in, motion out; a servo that the posture changes; arms that are known only roughly.

First the IRb-6 of [Szkodny1995]: a schedule of armature currents takes it from home to a posture in which
friction holds every motor. Then the servo of one joint of the JPL arm, whose inertia falls when the boom is
drawn in ([Bejczy1974] II). Last, a Lola 15 that holds its posture, two hundred times, masses and friction
drawn.

Run it with a file name to get the figure of the docs: needs matplotlib.
"""

import sys
from pathlib import Path

import numpy as np

import armdyn as ad
from armdyn.simulation import gains, pd_gravity, pid
from armdyn.simulation.control.references import fixed
from armdyn.simulation.control.servo import critical_velocity_gain, measured_servo
from armdyn.simulation.files.figures import motor_figure
from armdyn.simulation.monte_carlo import Spread, monte_carlo

# Currents in, motion out ------------------------------------------------------------------------

schedule = Path(__file__).parent / "motions" / "irb6_currents.toml"
run = ad.simulate("irb6", 12.0, input=schedule, sample=0.01)
assert run.motor_position is not None
print("motors at the end [rad]:", np.round(run.motor_position[-1], 1))
for event in run.events:
    if event.kind == "sticks":
        print(f"  motor {event.motor} comes to rest at {event.time:.6f} s")
held = run.dyn.sticking(run.q[-1], run.qd[-1], run.tau[-1])
print("friction then holds [mN m]:", np.round(1e3 * held.resistances, 1))
moved = np.abs(run.q[run.time > 2] - run.q[-1]).max()
print(f"in the last 10 s it moves by {moved:g} rad; energy is off by {abs(run.energy_residual).max():.0e} J")

# A servo ------------------------------------------------------------------------------------------

jpl = ad.load("jpl_rrp").with_gravity((0, 0, 0))


def one_axis(boom: float) -> ad.Dynamics:
    """Joint 1 with the boom level and drawn out so far [m], the other joints locked."""
    return ad.Dynamics(
        jpl.locked({"joint2": np.pi / 2, "joint3": boom, "joint4": 0.0, "joint5": 0.0, "joint6": 0.0})
    )


nominal = one_axis(1.1176).mass_matrix([0.0])[0, 0]
kp = 5.0**2 * nominal
kv = critical_velocity_gain(nominal, kp)
for boom in (1.1176, 0.4):
    dyn = one_axis(boom)
    n = nominal / dyn.mass_matrix([0.0])[0, 0]
    for gain in (kv, kv / np.sqrt(n)):
        step = ad.simulate(dyn, 3.0, controller=pid(dyn, fixed([0.1]), kp=kp, kv=gain), q=[0.0])
        servo = measured_servo(step.time, step.q[:, 0], 0.1)
        print(f"boom {boom:.2f} m, kv {gain:.1f}: {servo.frequency:.3f} rad/s, damping {servo.damping:.3f}")

# Many arms ----------------------------------------------------------------------------------------

dyn = ad.Dynamics(ad.load("lola15"))
kp, kv = gains(dyn, frequency=20.0)
holds = pd_gravity(dyn, fixed(dyn.robot.home), kp=kp, kv=kv)
spread = Spread(q=0.02, mass=0.1, friction=0.3, payload=(0.0, 5.0))
found = monte_carlo(dyn, 0.5, draws=200, spread=spread, controller=holds, seed=1, dt=1e-3, sample=0.1)
lower, upper = found.q.band(0.95)
print("95 % of the arms end within [mrad]:", np.round(1e3 * (upper - lower)[-1], 1))

if len(sys.argv) > 1:
    motor_figure(sys.argv[1], ad.simulate("irb6", 3.0, input=schedule, integrator="euler"))

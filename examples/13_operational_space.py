"""The arm as its tool feels it: how heavy it is, what moves it, how fast the motors can accelerate it.

A redundant arm can move inside while its tool stands still. The equations of motion in operational space say
which torques do that, and what a push at the tool meets.
"""

import numpy as np

import armdyn as ad
from armdyn.manipulability import acceleration_ellipsoid, acceleration_polytope, measures
from armdyn.simulation import operational_space
from armdyn.simulation.control.references import fixed

arm = ad.load("panda")
dyn = ad.Dynamics(arm, friction=False)
q = np.array(arm.home)
found = dyn.operational_space(q, task="position")
print("a push at the tool meets", (1 / np.diag(found.mobility)).round(2), "kg along x, y, z;", end=" ")
print("held to that line", np.diag(found.inertia).round(2))

elbow = found.projector @ np.array([0, 0, 5.0, 0, 0, 0, 0])
qdd = dyn.forward(q, np.zeros(7), dyn.gravity(q) + elbow)
print(f"torques in the null space: joints up to {abs(qdd).max():.2f} rad/s2, tool", end=" ")
print(f"{abs(found.jacobian @ qdd).max():.0e} m/s2")

straight = ad.Dynamics(ad.load("ur5")).operational_space([0.3, -1.2, 1.4, 0.2, 0, 0])
print(f"a UR5 with its wrist straight: {straight.explained()}")

for load in (0.0, 3.0):
    held = ad.Dynamics(arm.with_payload(mass=load) if load else arm)
    polytope = acceleration_polytope(held, q)
    inside = acceleration_ellipsoid(held, q, torques="limits")
    up, ball = polytope.along([0, 0, 1]), inside.along([0, 0, 1])
    print(f"{load:g} kg: {polytope.inner_radius:.1f} m/s2 in every direction, {up:.1f} upwards ({ball:.1f})")

postures = np.random.default_rng(0).uniform(-1, 1, (2000, 7)) + q
best = measures(dyn, postures).acceleration
assert best is not None
print(f"of 2000 postures nearby the best has {best.max():.1f} m/s2, at {postures[best.argmax()].round(2)}")

there = q + np.array([0.3, 0, 0, 0.2, 0, 0, 0])
control = operational_space(dyn, fixed(there), kp=100, kv=20, task="position", posture_kp=0, posture_kv=5)
run = ad.simulate(dyn, 1.0, controller=control, q=q, integrator="rk4", dt=5e-3)
off = np.linalg.norm(dyn.pose(run.q[-1])[:3, 3] - dyn.pose(there)[:3, 3])
print(
    f"the tool is {1000 * off:.2f} mm from its place; joints are up to {abs(run.q[-1] - there).max():.2f} rad"
)

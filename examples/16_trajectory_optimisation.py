"""Trajectory optimisation: CasADi and IPOPT on armdyn's own equations; needs the extra `armdyn[casadi]`.

A UR5 swings 5 kg from one rest to another as fast as its joints can. First straight from posture to posture,
as a controller would: `ad.retime` finds the shortest time. Then on a better way, which IPOPT finds near it.
Every step of the motion is `dyn.casadi("rk4 step")`: one of Runge and Kutta through forward dynamics, with
exact first and second derivatives by CasADi. armdyn checks what comes out, without CasADi.
"""

import casadi
import numpy as np

import armdyn as ad
from armdyn.simulation import sampled

STRETCHES = 16
"""Of the motion; torques change linearly in each, and two steps of Runge and Kutta go through it."""
MARGIN = 0.97
"""Share of the speeds that may be used where steps end: between them they are a little higher."""

arm = ad.load("ur5").with_payload(5.0, com=(0.0, 0.06, 0.0))
dyn = ad.Dynamics(arm)
effort = np.array([joint.limits.effort for joint in arm.joints])
speed = np.array([joint.limits.velocity for joint in arm.joints])
start, end = np.radians([0, 30, 20, -50, 0, 0]), np.radians([90, -60, 80, -20, 40, 0])

# The straight line between the postures, as fast as can be ----------------------------------------

straight = ad.retime(ad.path_through(arm, [start, end], "straight"))

# A better way -------------------------------------------------------------------------------------

step = dyn.casadi("rk4 step")
problem = casadi.Opti()
q, qd = problem.variable(arm.n, STRETCHES + 1), problem.variable(arm.n, STRETCHES + 1)
share = problem.variable(arm.n, STRETCHES + 1)  # of the torques that the joints have
duration = problem.variable()
for k in range(STRETCHES):
    reached = {"q_next": q[:, k], "qd_next": qd[:, k]}
    for half in (0.0, 0.5):
        tau, tau_middle, tau_end = (
            effort * ((1 - x) * share[:, k] + x * share[:, k + 1]) for x in (half, half + 0.25, half + 0.5)
        )
        problem.subject_to(problem.bounded(-MARGIN * speed, reached["qd_next"], MARGIN * speed))
        reached = step(
            q=reached["q_next"],
            qd=reached["qd_next"],
            tau=tau,
            tau_middle=tau_middle,
            tau_end=tau_end,
            dt=duration / STRETCHES / 2,
        )
    problem.subject_to(q[:, k + 1] == reached["q_next"])
    problem.subject_to(qd[:, k + 1] == reached["qd_next"])
problem.subject_to(problem.bounded(-1, casadi.vec(share), 1))
for posture, k in ((start, 0), (end, STRETCHES)):
    problem.subject_to(q[:, k] == posture)
    problem.subject_to(qd[:, k] == 0)
problem.subject_to(duration >= 0.1)
# a little of how torques change keeps those apart that time alone leaves open
problem.minimize(duration + 1e-3 * casadi.sumsqr(share[:, 1:] - share[:, :-1]))

guess = np.linspace(0, 1, STRETCHES + 1)
problem.set_initial(duration, straight.duration)
problem.set_initial(q, start[:, None] + (end - start)[:, None] * (3 * guess**2 - 2 * guess**3))
problem.solver("ipopt", {"print_time": False}, {"print_level": 0, "sb": "yes", "max_iter": 300})
found = problem.solve()
shortest = float(found.value(duration))
torques = effort * np.array(found.value(share)).T

# armdyn's own verdict: the same torques, integrated finely; what the motion then takes ---------------

time = np.linspace(0, shortest, STRETCHES + 1)
run = ad.simulate(
    dyn, shortest, torque=sampled(time, torques), q=start, qd=np.zeros(arm.n), dt=shortest / 500
)
missed = np.abs(run.q[-1] - end).max()
taken = np.abs(dyn.inverse(run.q, run.qd, run.qdd)).max(axis=0) / effort
fastest = np.abs(run.qd).max(axis=0) / speed

print(f"straight between the postures: {straight.duration:.3f} s")
print(f"as IPOPT finds it:             {shortest:.3f} s, {found.stats()['iter_count']} iterations of IPOPT")
print(f"integrated by armdyn it ends {1e6 * missed:.0f} urad from the posture")
print("joint                 torque used   speed used")
for joint, torque, rate in zip(arm.joint_names, taken, fastest, strict=True):
    print(f"{joint:20} {torque:10.1%} {rate:12.1%}")
assert max(*taken, *fastest) <= 1 + 1e-6
detour = np.abs(run.q - (start + (end - start) * ((run.q[:, :1] - start[0]) / (end[0] - start[0])))).max()
print(f"it leaves the straight line by up to {np.degrees(detour):.0f} deg")

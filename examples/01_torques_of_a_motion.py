"""What a motion takes: torques of Lola 15 along a point-to-point move, term by term.

Run it with a file name to get the picture of the README: needs matplotlib.
"""

import sys

import numpy as np

import armdyn as ad

arm = ad.load("lola15")
dyn = ad.Dynamics(arm)

# A minimum-jerk move of all six joints in 1.1 s; every quantity has shape (samples, joints).
start, end = np.array([-0.8, 0.5, -0.9, 0.0, 0.4, 0.0]), np.array([0.8, -0.5, 0.3, 1.2, -0.6, 1.5])
duration = 1.1
t = np.linspace(0, duration, 401)
s = t / duration
q = start + np.outer(10 * s**3 - 15 * s**4 + 6 * s**5, end - start)
qd = np.outer(30 * s**2 - 60 * s**3 + 30 * s**4, end - start) / duration
qdd = np.outer(60 * s - 180 * s**2 + 120 * s**3, end - start) / duration**2

terms = dyn.terms(q, qd, qdd)
torque = dyn.inverse(q, qd, qdd)
motor_torque = dyn.motor_torque(q, torque)

for k, drive in enumerate(arm.drives):
    peak, limit = np.abs(motor_torque[:, k]).max(), drive.motor.peak_torque
    print(f"{drive.name}: {peak:6.2f} N m of {limit} N m, {100 * peak / limit:3.0f} %")

if len(sys.argv) > 1:
    import matplotlib.pyplot as plt

    figure, panels = plt.subplots(1, 3, figsize=(12, 3.6), layout="constrained")
    for panel, joint in zip(panels[:2], (1, 2), strict=True):
        for name, term in terms.items():
            if np.any(term):
                panel.plot(t, term[:, joint], label=name)
        panel.plot(t, torque[:, joint], "k", lw=2, label="torque")
        panel.set(title=f"Lola 15, joint {joint + 1}", xlabel="time [s]", ylabel="torque [N m]")
    panels[0].legend(fontsize="small", loc="upper left")
    limits = np.array([drive.motor.peak_torque for drive in arm.drives])
    for k, drive in enumerate(arm.drives):
        panels[2].plot(t, 100 * motor_torque[:, k] / limits[k], label=drive.name)
    panels[2].axhspan(-100, 100, color="0.93", zorder=0)
    panels[2].set(title="motors", xlabel="time [s]", ylabel="share of peak torque [%]")
    panels[2].legend(fontsize="small", ncols=2, loc="lower left")
    figure.savefig(sys.argv[1], dpi=130)

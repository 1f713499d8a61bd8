"""What friction holds: sticking of coupled axes is decided for all of them together.

Two carriages of 1 kg slide along the same rail, the second on the first, each with 1 N of friction. Whoever
asks each axis by itself whether its force is above its friction gets the wrong motion: when one carriage
starts, its reaction reaches the other. Then the drives of an IRb-6: currents in, accelerations out.

Run it with a file name to get the picture of the docs: needs matplotlib.
"""

import sys

import numpy as np

import armdyn as ad
from armdyn.robot import Body, Friction, Joint
from armdyn.spatial import Inertia

rail = {"kind": "prismatic", "axis": (1, 0, 0), "friction": Friction(coulomb=1.0)}
carriages = ad.Robot(
    "carriages",
    (
        Body("lower", Joint("first", **rail), inertia=Inertia(1.0)),
        Body("upper", Joint("second", **rail), parent="lower", inertia=Inertia(1.0)),
    ),
    gravity=(0, 0, 0),
)
dyn = ad.Dynamics(carriages, friction=True)
rest = np.zeros(2)


def axis_by_axis(force: np.ndarray) -> np.ndarray:
    """Which axes would start if each were asked by itself: -1, 0 or 1."""
    return np.sign(force) * (abs(force) > 1.0)


for force in ([0.5, 3.0], [1.5, 1.6], [0.9, -0.9]):
    found = dyn.sticking(rest, rest, force)
    print(
        f"forces {force}: axis by axis {axis_by_axis(np.array(force))}, together {found.acceleration}, "
        f"friction takes {found.friction}, sticks {found.sticks}"
    )

irb6 = ad.Dynamics(ad.load("irb6"))
q = np.array([0.2, 0.1, -0.3, 0.4, 0.1])
holding = irb6.motor_current(q, irb6.gravity(q))
for share in (1.0, 1.2, 2.0):
    torque = irb6.torque_of_currents(q, share * holding)
    found = irb6.sticking(q, 0 * q, torque)
    print(f"irb6, {share} of the holding currents: {found.acceleration}, motors that stick {found.sticks}")

if len(sys.argv) > 1:
    import matplotlib.pyplot as plt

    force = np.stack(np.meshgrid(*[np.linspace(-4, 4, 801)] * 2), axis=-1)
    together = np.sign(dyn.forward(rest, rest, force))
    titles = {"each axis asked by itself": axis_by_axis(force), "decided together": together}
    figure, panels = plt.subplots(1, 2, figsize=(9, 4.6), sharey=True, layout="constrained")
    for panel, (title, moves) in zip(panels, titles.items(), strict=True):
        kind = 3 * (moves[..., 0] + 1) + moves[..., 1] + 1
        panel.imshow(kind, origin="lower", extent=(-4, 4, -4, 4), cmap="Set3", vmin=0, vmax=11)
        panel.set(title=title, xlabel="force on the first axis [N]")
        for k in np.unique(kind):
            x, y = force[kind == k].mean(axis=0)
            signs = (("-", "0", "+")[int(way)] for way in divmod(k, 3))
            panel.text(x, y, " ".join(signs), ha="center", va="center", fontsize=13)
    panels[0].set_ylabel("force on the second axis [N]")
    figure.suptitle("Which of two coupled carriages start, and which way (first, second)")
    figure.savefig(sys.argv[1], dpi=130)

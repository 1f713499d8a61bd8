"""mRNEA on a pilot's trainer: forces as vectors times accelerations, so that one pass gives H and u'."""

import numpy as np

import armdyn as ad
from armdyn.mechanics import newton_euler
from armdyn.mechanics.linear_system import solve
from armdyn.mechanics.modified_newton_euler import mass_matrix_and_bias, vectors
from armdyn.mechanics.tree import tree

np.set_printoptions(precision=2, suppress=True)
arm = tree(ad.load("sdt4"), "none")  # an arm that carries a cabin in a yaw, pitch and roll gimbal
q, qd, qdd = [0.4, -0.9, 0.7, 1.2], [1.5, -0.3, 0.8, 0.6], [0.8, 0.5, -0.6, 0.7]

# Outwards: what each link takes for a unit acceleration of each joint, and for rates and weight.
found = vectors(arm, q, qd)
cabin = found.forces.links[3]
terms = {f"joint {k + 1}": (cabin.e_ik[k], cabin.d_ik[k]) for k in cabin.e_ik}
for name, (force, moment) in (terms | {"rates and weight": (cabin.e_i, cabin.d_i)}).items():
    print(f"cabin, {name}: force {np.array(force, float)} N, moment {np.array(moment, float)} N m")

# Inwards: the sums over all that a joint carries, seen along its axis, are a row of H and one of u'.
H, bias = mass_matrix_and_bias(arm, q, qd)
print("H =", np.array(H, float), "u' =", np.array(bias, float), sep="\n")

# The same torques as Newton-Euler's, and the accelerations back from them.
torque = newton_euler.inverse_dynamics(arm, q, qd, qdd).torque
print("torques differ by", np.abs(np.array(H) @ qdd + bias - torque).max(), "N m")
print("accelerations", np.array(solve(H, [u - b for u, b in zip(torque, bias, strict=True)])), "rad/s2")

"""Equations of motion: the same functions over symbols give expressions to read."""

import armdyn as ad
from armdyn.mechanics.composite_body import mass_matrix
from armdyn.mechanics.newton_euler import inverse_dynamics
from armdyn.mechanics.tree import tree
from armdyn.scalars.symbolic import number, symbols

arm = tree(ad.load("planar2"), "none").with_numbers(number)
q, qd, qdd = symbols("q", 2), symbols("v", 2), symbols("a", 2)

H = mass_matrix(arm, q)
g = inverse_dynamics(arm, q, None, None).torque
h = inverse_dynamics(arm, q, qd, None, gravity=(0, 0, 0)).torque

for i in range(2):
    for j in range(i + 1):
        print(f"H{i + 1}{j + 1} =", H[i][j].expand())
for i in range(2):
    print(f"velocity{i + 1} =", h[i].expand())
    print(f"gravity{i + 1} =", g[i].expand())

"""How much the rotors matter: one arm, five motor models."""

import numpy as np

import armdyn as ad

arm = ad.load("irb6")  # ball screws, a parallelogram, a coupled wrist: motors off the joint axes
for motors in ("exact", "augmented", "coupled", "reflected", "none"):
    H = ad.Dynamics(arm, motors).mass_matrix(arm.home)
    print(f"{motors:10s} second row of H: {np.array2string(H[1], precision=3)}")

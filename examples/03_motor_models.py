"""How much the rotors matter: one arm, four motor models."""

import numpy as np

import armdyn as ad

arm = ad.load("planar2")
q = [0.3, -0.8]
for motors in ("exact", "coupled", "reflected", "none"):
    H = ad.Dynamics(arm, motors).mass_matrix(q)
    print(f"{motors:10s} H = {np.array2string(H, precision=3).replace(chr(10), '')}")

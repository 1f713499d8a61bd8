"""Equations to read: a planar arm in symbols, short equations with a known error, code that runs."""

import runpy
import tempfile
from pathlib import Path

import numpy as np

import armdyn as ad

# The textbook's two-link arm, as the textbook writes it: inertias about the centres of mass, motors left out.
planar = ad.load("planar2")
for quantity in ("mass_matrix", "gravity", "velocity"):
    print(ad.derive(planar, quantity, parameters="symbolic", inertia="centre", motors="none"), "\n")

# With absolute angles there is no Coriolis torque, and only H12 depends on the posture.
print(ad.derive(planar, "mass_matrix", motors="none", coordinates="absolute"), "\n")

# What joint 1 of the JPL arm feels, exactly and shortly, with empty hands and with 1.8 kg.
arm = ad.load("jpl_rrp").with_payload(1.8)
exact = ad.derive(arm, "mass_matrix", (1, 1))
(short,) = exact.simplified(0.05)
print(short)
print(f"{exact[1, 1].operations.total} operations exactly, {short.short.operations.total} shortly;", end=" ")
print(f"mean error {short.error.mean:.2g} kg m2, none above {short.error.bound:.2g} kg m2 anywhere\n")

(curve,) = ad.derive(arm, "gravity", 2).trade_offs()
for point in curve:
    print(f"{point.short.operations.total:3} operations: {100 * point.short.relative_mean:5.2g} % mean error")

# The equations as a function in Python, which needs nothing but NumPy.
q = np.array(arm.home)
with tempfile.TemporaryDirectory() as folder:
    file = Path(folder) / "jpl_gravity.py"
    file.write_text(ad.derive(arm, "gravity").python())
    written = runpy.run_path(str(file))["gravity"](q)
print("\ngravity at home:", np.round(written, 3), "=", np.round(ad.Dynamics(arm).gravity(q), 3))

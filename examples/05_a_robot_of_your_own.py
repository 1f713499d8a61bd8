"""A robot file of one's own: units, a belt that couples two joints, a payload, and what comes of it."""

import tempfile
from pathlib import Path

import armdyn as ad

ROBOT = """
name = "belt_arm"
source = "an example"
gravity = [0, -9.81, 0]
dh = "standard"

[[bodies]]
name = "upper arm"
joint = { name = "shoulder", dh = { a = "400 mm" }, limits = { position = ["-90 deg", "90 deg"] } }
inertia = { mass = 4, com = ["-200 mm", 0, 0], tensor = { xx = 0.002, yy = 0.06, zz = 0.06 } }

[[bodies]]
name = "forearm"
joint = { name = "elbow", dh = { a = "350 mm" }, friction = { viscous = 0.1, coulomb = 0.4 } }
inertia = { mass = 2.5, com = ["-150 mm", 0, 0], tensor = { xx = 0.001, yy = 0.03, zz = 0.03 } }

[[drives]]
joint = "shoulder"
ratio = 50
rotor = { axial = "0.2 kg*cm^2" }
motor = { peak_torque = 1.2, maximum_speed = "3000 rpm" }

[[drives]] # sits on the base and works on the absolute angle of the forearm through a belt
joint = "elbow"
coupling = { weights = { shoulder = 50, elbow = 50 } }
rotor = { axial = "0.2 kg*cm^2" }
motor = { peak_torque = 1.2, maximum_speed = "3000 rpm" }
"""

with tempfile.TemporaryDirectory() as folder:
    file = Path(folder) / "belt_arm.toml"
    file.write_text(ROBOT, encoding="utf-8")
    arm = ad.load(file)

    loaded = ad.Dynamics(arm.with_payload(mass=1.5, com=(0.05, 0, 0)))
    print(loaded)
    tau = loaded.inverse([0.2, 0.5], [1.0, -0.5], [2.0, 1.0])
    print("joint torques", tau.round(3), "motor torques", loaded.motor_torque([0.2, 0.5], tau).round(4))
    print("mass matrix\n", loaded.mass_matrix([0.2, 0.5]).round(4))

    lost = ad.save(arm, Path(folder) / "belt_arm.urdf")
    print("what URDF cannot carry:", *lost, sep="\n- ")

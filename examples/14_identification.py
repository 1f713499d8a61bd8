"""From an experiment worth running to a robot file one can trust.

The robot file is wrong: links are heavier than it says, and nothing is known of friction. A motion is planned
that shows what can be told, the real arm (here another model) follows it, and its log tells the parameters.
"""

from dataclasses import replace
from tempfile import TemporaryDirectory

import numpy as np

import armdyn as ad
from armdyn.identification.logs import Log
from armdyn.robot import Friction

arm = ad.load("planar3")
heavier = (1.1, 1.25, 0.9)
real = replace(
    arm,
    bodies=tuple(
        replace(
            body,
            inertia=replace(body.inertia, mass=more * body.inertia.mass),
            joint=replace(body.joint, friction=Friction(viscous=20.0, coulomb=30.0)),
        )
        for body, more in zip(arm.bodies, heavier, strict=True)
    ),
)

# An experiment: joints move so that every base parameter shows in the torques, within all limits
motion = ad.excite(arm, random=100, starts=1, steps=30, friction=True)
random = motion.random_condition_number
print(f"condition number {motion.condition_number:.1f}, the best random motion has {random:.1f}")


def log_of(robot: ad.Robot, seed: int, scale: float = 1.0) -> Log:
    """What encoders and current sensors write down while the real arm follows the motion."""
    rng = np.random.default_rng(seed)
    time = np.arange(0.0, 2 * motion.trajectory.duration, 0.002)  # a Fourier series goes on without a stop
    q, qd, qdd = motion.trajectory.at(time % motion.trajectory.duration)
    home = q[0]
    q, qd, qdd = home + scale * (q - home), scale * qd, scale * qdd
    tau = ad.Dynamics(robot, friction=True).inverse(q, qd, qdd)
    step = 2 * np.pi / 2**18
    noisy = tau + rng.normal(size=tau.shape) * [20.0, 8.0, 3.0]
    return Log.of(robot, time, np.round(q / step) * step, tau=noisy, name=f"run {seed}")


held = real.with_payload(mass=12.0, com=(0.1, 0.0, 0.0))
found = ad.identify(arm, log_of(real, 1), validate=log_of(real, 2, 0.8), payload=log_of(held, 3))
print(f"{len(found.base)} base parameters, condition number {found.condition_number:.0f}")
for each, share in list(zip(found.base_estimates, found.relative_deviation, strict=True))[:6]:
    error = 1.96 * (each.standard_error or 0.0)
    print(f"  {each.name:60s} {each.value:9.2f} +- {error:7.2f} {each.unit}  ({share:.1%})")
assert found.validation is not None
assert found.payload is not None
print(
    "rms of torques, fitted and of a second log:", found.residual_rms.round(2), found.validation.rms.round(2)
)
print(f"payload: {found.payload.inertia.mass:.2f} kg +- {1.96 * found.payload.standard_error[0]:.2f} kg")
for warning in found.warnings:
    print("warning:", warning)

# The robot found loads like any other, with its uncertainties, and predicts what the real arm needs
with TemporaryDirectory() as folder:
    found.save(f"{folder}/identified.toml")
    found.write_report(f"{folder}/report.html")
    better = ad.load(f"{folder}/identified.toml")
q, qd, qdd = np.random.default_rng(0).uniform(-1, 1, (3, 100, arm.n))
needs = ad.Dynamics(held, friction=True).inverse(q, qd, qdd)
for name, robot in (("robot file before", arm), ("identified", better)):
    off = np.abs(ad.Dynamics(robot, friction=True).inverse(q, qd, qdd) - needs).max() / np.abs(needs).max()
    print(f"torques predicted to within {off:.1%} by the {name}")

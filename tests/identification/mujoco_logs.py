"""Logs of an arm that MuJoCo moves: encoders count in steps, torques are noisy, and nothing is armdyn's."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

import armdyn as ad
from armdyn.robot import Coupling, Drive, Friction

mujoco: Any = import_module("mujoco")  # its type information knows none of its names

STEP = 5e-4
"""[s] Of the simulation, by Runge and Kutta's fourth order; torques are held over a step."""
EVERY = 2
"""Steps between two samples of a log: 1 kHz."""
VISCOUS = (4.0, 5.0, 3.0, 0.6, 0.5, 0.4)
COULOMB = (6.0, 8.0, 5.0, 0.9, 0.8, 0.6)
"""Of the joints [N m s/rad, N m]: as of harmonic drives."""
ROTORS = (2.0, 2.0, 1.0, 0.2, 0.2, 0.15)
"""Inertias of the motors as felt at the joints [kg m2]."""
ENCODER = 2 * np.pi / 2**19
"""[rad] One step of an encoder."""
NOISE = (0.2, 0.7, 0.3, 0.03, 0.03, 0.015)
"""Deviation of the torques' noise [N m]: about one percent of each joint's largest torque."""


def driven_ur5() -> ad.Robot:
    """The UR5 with friction at its joints, and motors behind them."""
    arm = ad.load("ur5")
    friction = iter([Friction(v, c) for v, c in zip(VISCOUS, COULOMB, strict=True)])
    bodies = tuple(
        replace(body, joint=replace(body.joint, friction=next(friction))) if body.joint.independent else body
        for body in arm.bodies
    )
    drives = tuple(
        Drive(f"motor{k + 1}", name, Coupling.of({name: 1.0}), joint_inertia=inertia)
        for k, (name, inertia) in enumerate(zip(arm.joint_names, ROTORS, strict=True))
    )
    return replace(arm, bodies=bodies, drives=drives)


@dataclass(frozen=True)
class Motion:
    """What MuJoCo has done: exact positions and torques."""

    time: np.ndarray
    q: np.ndarray
    tau: np.ndarray

    def measured(self, rng: np.random.Generator, encoder: float = ENCODER) -> tuple[np.ndarray, np.ndarray]:
        """Positions and torques as a log has them; encoders begin to count anywhere within a step."""
        begin = rng.uniform(0, encoder, self.q.shape[1])
        steps = np.round((self.q - begin) / encoder) * encoder + begin
        return steps, self.tau + rng.normal(size=self.tau.shape) * NOISE


def simulated(arm: ad.Robot, reference: Any, duration: float) -> Motion:
    """MuJoCo's arm following a reference(t) -> q, qd, qdd by feedback and a crude feedforward."""
    model = _model(arm)
    data = mujoco.MjData(model)
    data.qpos[:], data.qvel[:] = reference(0.0)[:2]
    count = round(duration / STEP)
    time, q, applied = STEP * np.arange(count + 1), np.zeros((count + 1, arm.n)), np.zeros((count + 1, arm.n))
    friction, inertial = np.array(COULOMB), np.zeros(arm.n)
    for k in range(count + 1):
        target, rate, bend = reference(time[k])
        mujoco.mj_forward(model, data)
        pull = bend + 400.0 * (target - data.qpos) + 40.0 * (rate - data.qvel)
        mujoco.mj_mulM(model, data, inertial, pull)
        tau = inertial + data.qfrc_bias - data.qfrc_passive + friction * np.tanh(rate / 0.01)
        q[k], applied[k] = data.qpos, tau
        data.qfrc_applied[:] = tau
        mujoco.mj_step(model, data)
    # over a step the torque is held: at a sample it is the mean of what was held before and after it
    tau = 0.5 * (applied[:-1] + applied[1:])
    rows = slice(EVERY, count, EVERY)
    return Motion(time[rows], q[rows], tau[rows.start - 1 : count - 1 : EVERY])


def _model(arm: ad.Robot) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "arm.urdf"
        ad.save(arm, file)
        model = mujoco.MjModel.from_xml_path(str(file))
    model.opt.gravity[:] = arm.gravity
    model.dof_armature[:] = ROTORS
    model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_LIMIT | mujoco.mjtDisableBit.mjDSBL_CONTACT
    model.dof_solimp[:, :2], model.dof_solref[:] = 0.9999, (2 * STEP, 1.0)  # friction as hard as it can be
    model.opt.tolerance, model.opt.iterations = 1e-15, 200
    model.opt.timestep, model.opt.integrator = STEP, mujoco.mjtIntegrator.mjINT_RK4
    return model


def series(n: int, seed: int, size: float = 0.35, fundamental: float = 0.1) -> Any:
    """A reference: five harmonics of each joint about a posture away from singular ones."""
    rng = np.random.default_rng(seed)
    phase, weight = rng.uniform(0, 2 * np.pi, (5, n)), rng.uniform(0.3, 1.0, (5, n))
    centre = np.array([0.0, -1.2, 1.4, -0.5, 0.8, 0.0, 0.0])[:n]
    w = 2 * np.pi * fundamental * np.arange(1, 6)[:, None]

    def at(t: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        s, c = np.sin(w * t + phase), np.cos(w * t + phase)
        return (
            centre + size * (weight * s).sum(0),
            size * (weight * w * c).sum(0),
            -size * (weight * w * w * s).sum(0),
        )

    return at

"""What armdyn says of a case: evaluated with NumPy, as straight-line code, or as a tape."""

from __future__ import annotations

import os
from collections.abc import Generator
from contextlib import contextmanager
from typing import Literal

import numpy as np

import armdyn as ad
from armdyn.native import kernel
from engines.cases import Case
from engines.pinocchio_engine import Found

Engine = Literal["numpy", "compiled", "tape"]


@contextmanager
def evaluated_by(engine: Engine) -> Generator[None]:
    """Let a new Dynamics run on this engine; what is compiled is used once, and not kept on disk."""
    settings = {"ARMDYN_NATIVE": "0" if engine == "numpy" else "1", "ARMDYN_CACHE_LIMIT": "0"}
    before, longest = {name: os.environ.get(name) for name in settings}, kernel.LONGEST
    os.environ.update(settings)
    kernel.LONGEST = 0 if engine == "tape" else longest
    try:
        yield
    finally:
        kernel.LONGEST = longest
        for name, value in before.items():
            os.environ.pop(name)
            if value is not None:
                os.environ[name] = value


def torques(case: Case) -> np.ndarray:
    """What the states of a case take: the torques under which accelerations are compared."""
    with evaluated_by("numpy"):
        return ad.Dynamics(case.robot, case.motors, friction=True).inverse(case.q, case.qd, case.qdd)


def by_armdyn(case: Case, tau: np.ndarray, engine: Engine = "numpy", *, slopes: bool = True) -> Found:
    """Every quantity that is compared, (states, ...)."""
    with evaluated_by(engine):
        dyn = ad.Dynamics(case.robot, case.motors, friction=True)
        q, qd, qdd = case.q, case.qd, case.qdd
        found = {
            "inverse": dyn.inverse(q, qd, qdd),
            "forward": dyn.forward(q, qd, tau),
            "mass matrix": dyn.mass_matrix(q),
            "bias": dyn.bias(q, qd),
            "gravity": dyn.gravity(q),
            "velocity": np.einsum("kij,kj->ki", dyn.coriolis_matrix(q, qd), qd),
            "kinetic energy": dyn.kinetic_energy(q, qd),
            "potential energy": dyn.potential_energy(q),
            "pose": dyn.pose(q),
            "jacobian": dyn.jacobian(q),
        }
        if slopes:
            names = ("by q", "by qd")
            for quantity, parts in (
                ("inverse", dyn.inverse_derivatives(q, qd, qdd)),
                ("forward", dyn.forward_derivatives(q, qd, tau)),
            ):
                found |= {f"{quantity} {by}": part for by, part in zip(names, parts, strict=False)}
                if quantity == "forward":
                    found["forward by tau"] = parts[2]
            if not case.has_rotors:
                own = 10 * len(case.robot.bodies)
                found["regressor"] = dyn.regressor(q, qd, qdd)[..., :own]
        return found

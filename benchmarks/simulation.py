"""Many runs of one arm at once beside `mujoco.rollout`: the same arm, states, torques, steps and threads.

The arm is a UR5 with viscous and dry friction at its joints, which MuJoCo knows as `damping` and
`frictionloss`. Its Euler integrator is the semi-implicit one; it integrates damping implicitly by default,
which is switched off so that both do the same. Contacts and limits are switched off, results of every step
are kept by both, and its model and data are made before the clock starts. Without friction both must arrive
at the same states, which is checked before anything is timed.
"""

import tempfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Literal

import numpy as np

import armdyn as ad
from armdyn.robot import Friction
from armdyn.simulation.many import ManyRuns, simulate_many
from armdyn.studies.speed.timing import Call, Effort, take_turns

RUNS, STEPS, DT = 16384, 30, 1e-3
THREADS = (1, 2)
INTEGRATORS: dict[Literal["semi_implicit", "rk4"], str] = {"semi_implicit": "mjINT_EULER", "rk4": "mjINT_RK4"}
VISCOUS, DRY = (2.0, 2.0, 2.0, 0.3, 0.3, 0.3), (8.0, 8.0, 8.0, 1.0, 1.0, 1.0)
"""Friction at the joints [N m s/rad], [N m]."""
TURNS = Effort(rounds=3, fewest=3, seconds=30.0, sample=1e-3)
SAME = 1e-9
"""Largest difference of positions and velocities after all steps, without friction."""


@dataclass(frozen=True)
class Start:
    """Where runs start, and the torques that act on them: (runs, n) each."""

    q: np.ndarray
    qd: np.ndarray
    torque: np.ndarray


def run() -> list[dict[str, Any]]:
    """Rows of state, integrator and threads: ours_ns and peer_ns of a step of a run, ratio, share at rest."""
    dyn = ad.Dynamics(_rubbing_ur5(), "none", friction=True)
    peer = _Mujoco.of(dyn)
    differences = {} if peer is None else {name: _difference(dyn, peer, name) for name in INTEGRATORS}
    return [
        _row(dyn, peer, integrator, threads, state, start)
        | {"largest_difference": differences.get(integrator)}
        for state, start in _starts(dyn).items()
        for integrator in INTEGRATORS
        for threads in THREADS
    ]


def _rubbing_ur5() -> ad.Robot:
    arm, terms = ad.load("ur5"), iter(zip(VISCOUS, DRY, strict=True))
    bodies = tuple(
        replace(body, joint=replace(body.joint, friction=Friction(*next(terms))))
        if body.joint.independent
        else body
        for body in arm.bodies
    )
    return replace(arm, name="ur5 with joint friction", bodies=bodies)


def _starts(dyn: ad.Dynamics) -> dict[str, Start]:
    """Random runs: all joints kept in motion by their torques, coming to rest, and at rest at the start."""
    rng = np.random.default_rng(0)
    q, qd, share = rng.uniform(-1, 1, (3, RUNS, dyn.n))
    fast = np.copysign(1 + np.abs(qd), qd)
    kept = dyn.inverse(q, fast, 0 * q)
    held = dyn.gravity(q)
    return {
        "in motion": Start(q, fast, kept),
        "coming to rest": Start(q, qd, held + share * np.array(DRY)),
        "half of the joints at rest": Start(
            q, np.where(rng.random(qd.shape) < 0.5, 0.0, qd), held + share * np.array(DRY)
        ),
    }


def _ours(
    dyn: ad.Dynamics, integrator: Literal["semi_implicit", "rk4"], threads: int, start: Start
) -> Callable[[], ManyRuns]:
    out = np.empty((2, STEPS + 1, len(start.q), dyn.n))
    return lambda: simulate_many(
        dyn,
        STEPS * DT,
        q=start.q,
        qd=start.qd,
        torque=start.torque,
        dt=DT,
        integrator=integrator,
        threads=threads,
        out=out,
    )


def _row(
    dyn: ad.Dynamics,
    peer: "_Mujoco | None",
    integrator: Literal["semi_implicit", "rk4"],
    threads: int,
    state: str,
    start: Start,
) -> dict[str, Any]:
    ours = _ours(dyn, integrator, threads, start)
    runs = ours()
    assert not runs.lost.any(), "runs were lost"
    functions = [ours] if peer is None else [ours, peer.rollout(integrator, threads, start)]
    calls = [Call("run", SimpleNamespace(run=function), "run") for function in functions]
    for call in calls:
        call.once()
    each = [times.best / (RUNS * STEPS) for times in take_turns(calls, TURNS)]
    return {
        "robot": dyn.robot.name,
        "integrator": integrator,
        "threads": threads,
        "state": state,
        "runs": RUNS,
        "steps": STEPS,
        "dt_s": DT,
        "ours_ns": each[0],
        "peer": None if peer is None else "mujoco.rollout",
        "peer_ns": None if peer is None else each[1],
        "ratio": None if peer is None else each[1] / each[0],
        "at_rest": float((runs.qd == 0).any(axis=-1).mean()),
    }


def _difference(dyn: ad.Dynamics, peer: "_Mujoco", integrator: Literal["semi_implicit", "rk4"]) -> float:
    """How far apart both end without friction; more than rounding would be another race."""
    free = ad.Dynamics(dyn.robot, "none", friction=False)
    start = _starts(dyn)["in motion"]
    some = Start(start.q[:64], start.qd[:64], start.torque[:64])
    ours = _ours(free, integrator, 1, some)()
    theirs = peer.without_friction().rollout(integrator, 1, some)()[:, -1]
    found = np.concatenate([ours.q[-1], ours.qd[-1]], axis=-1)
    off = float(np.abs(theirs[:, 1:] - found).max())
    assert off < SAME, f"{integrator}: states differ by {off:g}"
    return off


@dataclass(frozen=True)
class _Mujoco:
    """MuJoCo with a model of the arm."""

    library: Any
    model: Any

    @classmethod
    def of(cls, dyn: ad.Dynamics) -> "_Mujoco | None":
        """The arm as a URDF of ours says it, if MuJoCo is there."""
        try:
            library: Any = import_module("mujoco")
        except ImportError:
            return None
        with tempfile.TemporaryDirectory() as folder:
            ad.save(dyn.robot, Path(folder) / "arm.urdf")
            model = library.MjModel.from_xml_path(str(Path(folder) / "arm.urdf"))
        assert np.allclose(model.dof_frictionloss, DRY), "MuJoCo has not read the friction"
        assert np.allclose(model.dof_damping, VISCOUS), "MuJoCo has not read the friction"
        model.opt.gravity[:] = dyn.robot.gravity
        model.opt.timestep = DT
        for name in ("LIMIT", "CONTACT", "EULERDAMP"):
            model.opt.disableflags |= getattr(library.mjtDisableBit, f"mjDSBL_{name}")
        return cls(library, model)

    def without_friction(self) -> "_Mujoco":
        """The same arm on free joints."""
        model = import_module("copy").copy(self.model)
        model.dof_frictionloss[:], model.dof_damping[:] = 0.0, 0.0
        return _Mujoco(self.library, model)

    def rollout(self, integrator: str, threads: int, start: Start) -> Callable[[], np.ndarray]:
        """What steps all runs: states (runs, steps, 1 + 2 n) of time, q and qd."""
        library, model = self.library, import_module("copy").copy(self.model)
        model.opt.integrator = getattr(library.mjtIntegrator, INTEGRATORS[integrator])  # pyright: ignore[reportArgumentType]
        initial = np.concatenate([np.zeros((len(start.q), 1)), start.q, start.qd], axis=1)
        control = np.repeat(start.torque[:, None], STEPS, axis=1)
        pool = import_module("mujoco.rollout").Rollout(nthread=threads if threads > 1 else 0)
        data = [library.MjData(model) for _ in range(threads)]
        applied = int(library.mjtState.mjSTATE_QFRC_APPLIED)
        return lambda: pool.rollout(model, data, initial, control, control_spec=applied)[0]

"""An FMU moves as `simulate` with the same integrator, step and inputs does."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fmpy import simulate_fmu
from hypothesis import given, settings
from hypothesis import strategies as st

import armdyn as ad
from armdyn.robot import BaseMotion, Friction, Robot
from armdyn.simulation import Grasp, simulate
from fmu_instances import SAME, Trial, assert_moves_as_simulated, fmu_motion, instance
from random_robots import Features, robots

DT = 1e-3
Exported = Callable[..., Path]


def rubbing(name: str, friction: Friction) -> Robot:
    """An arm with the same friction at all joints."""
    arm = ad.load(name)
    bodies = (replace(body, joint=replace(body.joint, friction=friction)) for body in arm.bodies)
    return replace(arm, bodies=tuple(bodies))


def holding(robot: Robot, share: float = 1.0) -> np.ndarray:
    """About the torques that hold the arm."""
    return share * (np.abs(ad.Dynamics(robot).gravity(robot.home)) + 1)


@pytest.mark.parametrize(
    ("robot", "integrator"),
    [
        (ad.load("planar3"), "rk4"),
        (ad.load("ur5"), "semi_implicit"),
        (ad.load("jpl_rrp"), "euler"),
        (rubbing("planar2", Friction(viscous=0.5)), "rk4"),
    ],
    ids=lambda x: getattr(x, "name", x),
)
def test_without_dry_friction(exported: Exported, robot: Robot, integrator: str) -> None:
    fmu = exported(robot, integrator=integrator)
    assert_moves_as_simulated(fmu, robot, Trial.of(robot, holding(robot)), integrator=integrator)


@pytest.mark.parametrize("integrator", ["rk4", "euler", "semi_implicit"])
def test_sticks_and_slips(exported: Exported, integrator: str) -> None:
    arm = ad.load("scara")
    run = assert_moves_as_simulated(
        exported(arm, integrator=integrator),
        arm,
        Trial.of(arm, holding(arm, 1.5), steps=60, seed=3),
        integrator=integrator,
    )
    assert {"sticks", "slips"} <= {event.kind for event in run.events}
    assert (run.qd == 0).any()  # exactly: friction holds it


def test_screws_and_couplings_stick(exported: Exported) -> None:
    arm = ad.load("irb6")
    trial = Trial.of(arm, holding(arm, 0.7), steps=40)
    run = assert_moves_as_simulated(exported(arm), arm, trial)
    assert "sticks" in {event.kind for event in run.events}


def test_friction_under_load_sticks(exported: Exported) -> None:
    arm = rubbing("planar2", Friction(viscous=1.0, coulomb=50.0, starting=60.0, load=0.1))
    trial = Trial.of(arm, holding(arm, 1.5), steps=60, seed=2)
    run = assert_moves_as_simulated(exported(arm, friction=True), arm, trial, friction=True)
    assert {"sticks", "slips"} <= {event.kind for event in run.events}


def test_stays_where_friction_holds_it(exported: Exported) -> None:
    arm = ad.load("scara")
    with instance(exported(arm)) as fmu:
        fmu.start(tau=ad.Dynamics(arm).gravity(arm.home))
        fmu.fmu.doStep(0.0, 0.5)
        assert fmu.get("q").tolist() == list(arm.home)
        assert not fmu.get("qd").any()
        assert not fmu.get("qdd").any()


@pytest.mark.parametrize(("driven_by", "size"), [("motor_torque", 1.0), ("current", 3.0), ("voltage", 10.0)])
def test_driven_by_motors(exported: Exported, driven_by: Any, size: float) -> None:
    arm = ad.load("irb6")
    trial = Trial.of(arm, np.full(len(arm.drives), size))
    options: Any = {"integrator": "euler", "friction": False}
    fmu = exported(arm, driven_by=driven_by, **options)
    assert_moves_as_simulated(fmu, arm, trial, driven_by=driven_by, **options)


def test_under_a_wrench_on_a_moving_base(exported: Exported) -> None:
    arm = ad.load("planar3").with_base_motion(BaseMotion(acceleration=(0.5, -1.0, 2.0)))
    wrench = np.array([3.0, -2.0, 5.0, 0.1, 0.2, -0.3])
    trial = Trial.of(arm, holding(arm))
    fmu = exported(arm, wrench=True)
    with instance(fmu) as one:
        one.start(q_start=trial.q, qd_start=trial.qd, wrench=wrench)
        for k, values in enumerate(trial.values):
            one.set("tau", values)
            one.fmu.doStep(k * trial.step, trial.step)
        q, energy = one.get("q"), one.get("kinetic_energy")[0] + one.get("potential_energy")[0]
    run = simulate(
        arm,
        trial.duration,
        torque=trial.signal,
        q=trial.q,
        qd=trial.qd,
        wrench=wrench,
        integrator="rk4",
        dt=DT,
    )
    np.testing.assert_allclose(q, run.q[-1], rtol=0, atol=SAME)
    assert energy == pytest.approx(run.energy[-1], rel=SAME)


def test_a_payload_is_taken_while_it_runs(exported: Exported) -> None:
    arm = ad.load("scara")
    held = (1.5, (0.02, -0.01, 0.1), (0.02, 0.03, 0.025, 0.001, -0.002, 0.003))
    trial = Trial.of(arm, holding(arm, 1.5), steps=40)
    grasp = Grasp(0.2, *held)
    with instance(exported(arm, payload=True)) as fmu:
        fmu.start(q_start=trial.q, qd_start=trial.qd)
        for k, values in enumerate(trial.values):
            if k == 20:
                fmu.set("payload.mass", held[0])
                fmu.set("payload.com", held[1])
                fmu.set("payload.inertia", held[2])
            fmu.set("tau", values)
            fmu.fmu.doStep(k * trial.step, trial.step)
        q, qd, kinetic = fmu.get("q"), fmu.get("qd"), fmu.get("kinetic_energy")[0]
    run = simulate(
        arm,
        trial.duration,
        torque=trial.signal,
        q=trial.q,
        qd=trial.qd,
        changes=[grasp],
        integrator="rk4",
        dt=DT,
    )
    np.testing.assert_allclose(q, run.q[-1], rtol=0, atol=1e-9)
    loaded = ad.Dynamics(arm.with_payload(*held))
    assert kinetic == pytest.approx(loaded.kinetic_energy(q, qd), rel=SAME)


def test_outputs_are_those_of_the_dynamics(exported: Exported) -> None:
    arm = ad.load("irb6")
    dyn, trial = ad.Dynamics(arm), Trial.of(arm, holding(arm))
    tau = trial.values[3]
    with instance(exported(arm)) as fmu:
        fmu.start(q_start=trial.q, qd_start=trial.qd)
        fmu.set("tau", tau)
        fmu.fmu.doStep(0.0, 0.05)
        q, qd = fmu.get("q"), fmu.get("qd")
        expected = {
            "qdd": dyn.forward(q, qd, tau),
            "tool_position": dyn.pose(q)[:3, 3],
            "tool_rotation": dyn.pose(q)[:3, :3].ravel(),
            "motor_position": dyn.motor_position(q),
            "motor_velocity": dyn.motor_velocity(q, qd),
            "motor_torque": dyn.motor_torque(q, tau),
            "kinetic_energy": dyn.kinetic_energy(q, qd),
            "potential_energy": dyn.potential_energy(q),
            "time": 0.05,
        }
        for name, value in expected.items():
            np.testing.assert_allclose(
                fmu.get(name), np.atleast_1d(value), rtol=1e-10, atol=1e-10, err_msg=name
            )


# Steps ---------------------------------------------------------------------------------------------


def test_any_communication_step_is_cut_into_equal_steps(exported: Exported) -> None:
    arm = ad.load("planar3")
    path = exported(arm, dt=0.01)
    start, tau = np.full(3, 0.3), holding(arm)
    for length, step in ((0.01, 0.01), (0.004, 0.004), (0.015, 0.0075), (0.03, 0.01), (0.031, 0.031 / 4)):
        with instance(path) as fmu:
            fmu.start(q_start=start, tau=tau)
            for k in range(3):
                fmu.fmu.doStep(k * length, length)
            run = simulate(arm, 3 * length, torque=tau, q=start, integrator="rk4", dt=step)
            np.testing.assert_allclose(fmu.get("q"), run.q[-1], rtol=0, atol=SAME, err_msg=f"{length}")
            assert fmu.get("time")[0] == pytest.approx(3 * length)


def test_the_step_of_the_solver_is_a_parameter(exported: Exported) -> None:
    arm = ad.load("planar2")
    trial = Trial.of(arm, holding(arm))
    path = exported(arm, integrator="euler", dt=0.01)
    options = {"integrator": "euler", "dt": 0.002, "parameters": {"solver_step": 0.002}}
    assert_moves_as_simulated(path, arm, trial, **options)


def test_fmpy_simulates_it(exported: Exported) -> None:
    arm = ad.load("planar2")
    tau = holding(arm)
    result = simulate_fmu(
        str(exported(arm)),
        stop_time=0.5,
        output_interval=0.01,
        start_values={"q_start[1]": 0.4, "q_start[2]": -0.2},
        input=np.array(
            [(0.0, *tau), (1.0, *tau)], dtype=[("time", float), ("tau[1]", float), ("tau[2]", float)]
        ),
        output=["q[1]", "q[2]"],
        validate=True,
    )
    run = simulate(arm, 0.5, torque=tau, q=[0.4, -0.2], integrator="rk4", dt=DT, sample=0.01)
    np.testing.assert_allclose(np.column_stack([result["q[1]"], result["q[2]"]]), run.q, rtol=0, atol=SAME)


# More arms -----------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("name", ["panda", "lola15", "irb6", "puma560", "scara", "sdt4", "centrifuge3"])
@pytest.mark.parametrize("integrator", ["rk4", "semi_implicit"])
def test_arms_of_the_catalog_over_seconds(exported: Exported, name: str, integrator: str) -> None:
    arm = ad.load(name)
    steps = 50 if name == "panda" else 200  # nothing damps it: rounding grows a million times in two seconds
    trial = Trial.of(arm, holding(arm, 1.5), steps=steps)
    options = {"integrator": integrator, "payload": name != "lola15"}
    assert_moves_as_simulated(exported(arm, **options), arm, trial, integrator=integrator)


@pytest.mark.slow
@settings(max_examples=30, deadline=None)
@given(robots(Features(bodies=4, friction=True)), st.sampled_from(["rk4", "euler", "semi_implicit"]))
def test_random_robots(exported: Exported, robot: Robot, integrator: str) -> None:
    path = exported(robot, integrator=integrator)
    trial = Trial.of(robot, holding(robot, 1.5), steps=20)
    assert_moves_as_simulated(path, robot, trial, integrator=integrator)


@pytest.mark.slow
def test_long_runs_conserve_energy(exported: Exported) -> None:
    path = exported("planar3", motors="none", friction=False)
    trial = Trial.of(ad.load("planar3"), np.zeros(3), steps=6000)
    motion = fmu_motion(path, trial, "tau")
    dyn = ad.Dynamics(ad.load("planar3"), motors="none", friction=False)
    energy = dyn.kinetic_energy(motion["q"], motion["qd"]) + dyn.potential_energy(motion["q"])
    assert np.ptp(energy) < 1e-4 * np.abs(energy).max()  # a minute of steps of fourth order

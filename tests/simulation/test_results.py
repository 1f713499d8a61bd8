"""What follows from the samples of a run, and what acted in each of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from armdyn.dynamics import Dynamics
from armdyn.formats import load
from armdyn.formats.motions import Motion
from armdyn.simulation import Grasp, Release, computed_torque, pid, prepared, sampled, simulate
from armdyn.simulation.control.references import of_motion

SWING = np.array([0.3, -0.5, 0.8, 0.2, 0.4, -0.3])
START = np.array([0.2, 0.1, -0.1, 0.2, 0.1])
"""Of irb6."""
SAME = 1e-12
"""Of numbers that one call or many give."""
INTEGRATORS = ("dop853", "rk4")
DT = 2e-3


@pytest.fixture(scope="module")
def ur5() -> Dynamics:
    return Dynamics(load("ur5"))


def straight(end: float, width: int) -> Any:
    """A signal that bends twice on the way."""
    rows = np.outer([0.0, 1.0, 5.0, -2.0], np.arange(1, width + 1) / width)
    return sampled([0.0, 0.4 * end, 0.8 * end, end], rows)


def same(one: Any, other: Any) -> bool:
    """But for rounding."""
    return bool(np.abs(one - other).max() <= SAME * np.abs(other).max())


# Every sample ---------------------------------------------------------------------------------


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_reactions_are_those_of_each_sample(ur5, integrator):
    at = [0.1, -0.05, 0.2]
    run = simulate(
        ur5,
        0.1,
        torque=ur5.gravity(SWING),
        q=SWING,
        wrench=straight(0.1, 6),
        at=at,
        base=straight(0.1, 12),
        integrator=integrator,
        dt=DT,
    )
    assert run.wrench is not None
    assert run.base is not None
    assert np.abs(run.wrench).max() == pytest.approx(5.0)
    for k in range(len(run.time)):
        alone = ur5.reactions(run.q[k], run.qd[k], run.qdd[k], run.wrench[k], at=at, base=run.base[k])
        assert same(run.reactions[k], alone)
    plain = ur5.reactions(run.q, run.qd, run.qdd)
    assert np.abs(run.reactions - plain).max() > 1.0


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_reactions_with_an_object_in_the_hand_are_those_of_the_arm_with_it(ur5, integrator):
    held = Dynamics(ur5.robot.with_payload(3.0, (0.0, 0.05, 0.1)))
    changes = [Grasp(0.04, 3.0, (0.0, 0.05, 0.1)), Release(0.08)]
    run = simulate(ur5, 0.1, q=SWING, changes=changes, integrator=integrator, dt=DT)
    ends = [0, 20, 40, 51]
    assert [(phase.first, phase.last) for phase in run.phases] == [(0, 20), (20, 40), (40, 51)]
    for dyn, first, last in zip((ur5, held, ur5), ends[:-1], ends[1:], strict=True):
        part = slice(first, last)
        assert same(run.reactions[part], dyn.reactions(run.q[part], run.qd[part], run.qdd[part]))
    assert np.abs(run.power_residual).max() < 1e-9


@pytest.mark.parametrize("integrator", INTEGRATORS)
@pytest.mark.parametrize("jump", [0.037, 0.039, 0.041, 0.043, 0.058])
def test_wrench_and_base_are_written_as_they_acted(ur5, integrator, jump):
    """A jump is at a sample but for rounding, on either side of it."""
    rows = np.array([1.0, -2.0, 0.0])
    wrench = sampled([0.0, jump, 1.0], np.outer(rows, np.ones(6)), "hold")
    base = sampled([0.0, jump, 1.0], np.outer(rows, [0] * 6 + [1] * 6), "hold")
    run = simulate(ur5, 0.06, q=SWING, wrench=wrench, base=base, integrator=integrator, dt=1e-3)
    assert run.wrench is not None
    assert run.base is not None
    k = round(jump / 1e-3)
    assert (run.wrench[:k] == 1.0).all()
    assert (run.wrench[k:] == -2.0).all()
    assert (run.base[:k, 6:] == 1.0).all()
    assert (run.base[k:, 6:] == -2.0).all()
    acted = ur5.forward(run.q, run.qd, run.tau, run.wrench, base=run.base)
    assert np.abs(run.qdd - acted).max() < 1e-9 * np.abs(acted).max()


# The last sample ------------------------------------------------------------------------------


@pytest.mark.parametrize("integrator", INTEGRATORS)
@pytest.mark.parametrize("end", [0.1, 0.3])
def test_the_last_sample_is_under_the_last_piece(ur5, integrator, end):
    run = simulate(
        ur5,
        end,
        q=SWING,
        torque=sampled([0, 0.4 * end, 0.8 * end, end], np.outer([0, 1, 5, -2.0], np.ones(6))),
        wrench=straight(end, 6),
        base=straight(end, 12),
        integrator=integrator,
        dt=DT,
    )
    assert run.wrench is not None
    assert run.base is not None
    assert run.time[-1] == pytest.approx(end, abs=1e-12)
    assert run.tau[-1] == pytest.approx(np.full(6, -2.0), abs=SAME * 1e2)
    assert run.wrench[-1] == pytest.approx(-2.0 * np.arange(1, 7) / 6)
    assert run.base[-1] == pytest.approx(-2.0 * np.arange(1, 13) / 12)
    last = run.q[-1], run.qd[-1], run.tau[-1]
    assert run.qdd[-1] == pytest.approx(ur5.forward(*last, run.wrench[-1], base=run.base[-1]), rel=1e-9)
    power = np.abs(run.tau * run.qd).sum(axis=1).max()
    assert abs(run.power_residual[-1]) < 1e-11 * power


@pytest.mark.parametrize("integrator", INTEGRATORS)
@pytest.mark.parametrize("name", ["torque", "wrench", "base"])
def test_what_jumps_at_the_end_has_no_say_in_the_last_sample(ur5, integrator, name):
    width = {"torque": 6, "wrench": 6, "base": 12}[name]
    signal = sampled([0.0, 0.04, 0.1, 0.2], np.outer([1.0, 3.0, -7.0, 0.0], np.ones(width)), "hold")
    acting: dict[str, Any] = {name: signal}
    run = simulate(ur5, 0.1, q=SWING, integrator=integrator, dt=DT, **acting)
    column = {"torque": run.tau, "wrench": run.wrench, "base": run.base}[name]
    assert column is not None
    assert (column[-1] == 3.0).all()
    assert abs(run.power_residual[-1]) < 1e-9
    outside = {} if name == "torque" else {name: column[-1]}
    expected = ur5.forward(run.q[-1], run.qd[-1], run.tau[-1], **outside)
    assert run.qdd[-1] == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_the_last_sample_follows_the_last_piece_of_a_reference(ur5, integrator):
    time = np.array([0.0, 0.04, 0.08, 0.1])
    way = np.outer([0.0, 0.02, 0.1, 0.05], np.ones(6))
    wanted = Motion(time, SWING + way, 3 * way, 40 * way, {})
    reference = of_motion(wanted)
    assert reference.end == 0.1
    controller = computed_torque(ur5, reference, kp=400.0, kv=40.0)
    run = simulate(ur5, 0.1, q=SWING, controller=controller, integrator=integrator, dt=DT)
    q, qd = run.q[-1], run.qd[-1]
    asked = wanted.qdd[-1] + 40.0 * (wanted.qd[-1] - qd) + 400.0 * (wanted.q[-1] - q)
    assert run.tau[-1] == pytest.approx(ur5.inverse(q, qd, asked), rel=1e-9)
    assert run.qdd[-1] == pytest.approx(asked, rel=1e-8)
    assert abs(run.power_residual[-1]) < 1e-10 * np.abs(run.tau * run.qd).sum(axis=1).max()


# Objects in the hand --------------------------------------------------------------------------


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_a_grasp_keeps_how_the_arm_is_seen(integrator):
    arm = load("irb6")
    dyn = Dynamics(arm, "none", friction=False, method="articulated_body")
    held = Dynamics(arm.with_payload(4.0, (0.0, 0.0, 0.1)), "none", friction=False, method="articulated_body")
    options: dict[str, Any] = {"torque": dyn.gravity(START), "integrator": integrator, "dt": DT}
    run = simulate(dyn, 0.1, q=START, changes=[Grasp(0.04, 4.0, (0.0, 0.0, 0.1))], **options)
    seen = [(phase.dyn.motors, phase.dyn.friction, phase.dyn.method) for phase in run.phases]
    assert seen == [(dyn.motors, dyn.friction, dyn.method)] * 2
    first = simulate(dyn, 0.04, q=START, **options)
    then = simulate(held, 0.06, q=first.q[-1], qd=first.qd[-1], **options)
    assert run.q[-1] == pytest.approx(then.q[-1], abs=1e-11)
    assert run.qd[-1] == pytest.approx(then.qd[-1], abs=1e-10)
    rubbing = Dynamics(held.robot)
    other = simulate(rubbing, 0.06, q=first.q[-1], qd=first.qd[-1], **options)
    assert np.abs(run.qd[-1] - other.qd[-1]).max() > 1e-3, "motors and friction make no difference here"


# Runs that are gone again ---------------------------------------------------------------------


@pytest.mark.parametrize("integrator", ["euler", "semi_implicit", "rk4", "dop853", "lsoda"])
def test_to_go_twice_changes_nothing(integrator):
    dyn = Dynamics(load("irb6"))
    rest = np.zeros((2, 5))
    reference = of_motion(Motion(np.array([0.0, 0.2]), np.array([START, START + 0.1]), rest, rest, {}))
    controller = pid(dyn, reference, kp=3e3, kv=3e2, ki=1e3)
    run = prepared(dyn, 0.1, q=START, controller=controller, integrator=integrator, dt=DT)
    once, again = run.go(), run.go()
    for name in ("time", "q", "qd", "qdd", "tau", "states", "work", "dissipated"):
        assert np.array_equal(getattr(again, name), getattr(once, name)), name
    assert again.events == once.events
    assert once.time == pytest.approx(np.arange(51) * DT)

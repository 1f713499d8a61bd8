"""Programs, simulations, load studies and workspaces: what the library says of the same rows."""

from dataclasses import replace
from typing import cast

import numpy as np
import pytest

import armdyn as ad
from armdyn.errors import InputError
from armdyn.feasibility import planned, verify
from armdyn.manipulability import measures
from armdyn.retiming import retime
from armdyn.retiming.uniform import slowed_plan
from armdyn.simulation import gains, pd_gravity, simulate_many
from armdyn.simulation.control.references import fixed
from armdyn.simulation.monte_carlo import Spread, draw
from armdyn.sweep.quantities import evaluator
from armdyn.sweep.quantities.simulation import _whole
from sweep_studies import a_study, evaluated, rows_of, same

PAYLOADS = '[axes."payload.mass"]\nvalues = [1, 10]\n'
SHORT = """program short;
act_rob planar3;
begin
  move_j (0.2, 0.1, 0.1);
end
"""


def test_programs_are_verified_with_every_payload():
    _, found = evaluated("ur5", "verify", PAYLOADS, 'program = "ur5_palletising"\n')
    assert found["error"].tolist() == [None, None]
    for k, mass in enumerate((1.0, 10.0)):
        arm = ad.load("ur5").with_payload(mass)
        direct = verify(planned("ur5_palletising", arm))
        assert found["feasible"][k] == direct.feasible
        assert found["achieved_time"][k] == direct.achieved_time
        assert found["path_deviation"][k] == direct.deviation.maximum
        assert found["violations"][k] == len(direct.violations)
        assert same([found[f"peak{j + 1}"][k] for j in range(6)], [use.peak for use in direct.utilisation])
    assert found["first_quantity"].tolist() == [None, "motor_torque"]
    assert np.isnan(found["first_line"][0])


def test_programs_run_at_multiples_of_their_speed():
    axes = '[axes.program]\nvalues = ["ur5_palletising"]\n[axes.speed]\nvalues = [0.5, -1]\n'
    _, found = evaluated("ur5", "verify", axes)
    work = planned("ur5_palletising", ad.load("ur5"))
    direct = verify(replace(work, plan=slowed_plan(work.plan, 0.5)))
    assert found["largest_share"][0] == max(use.peak or 0.0 for use in direct.utilisation)
    assert "speed is -1, expected a multiple" in found["error"][1]


def test_programs_are_retimed():
    _, found = evaluated("ur5", "retime", PAYLOADS, 'program = "ur5_palletising"\n')
    direct = retime(planned("ur5_palletising", ad.load("ur5").with_payload(10.0)), mode="uniform")
    assert found["after"][1] == direct.duration
    assert found["factor"][1] == direct.factor


@pytest.mark.parametrize(
    ("quantity", "axes", "options", "said"),
    [
        ("verify", PAYLOADS, "", "no program is given"),
        (
            "verify",
            "[axes.speed]\nvalues = [1]\n",
            'program = "a"\nspeed = 2\n',
            "axis and option speed are both given",
        ),
        (
            "retime",
            "[axes.speed]\nvalues = [1]\n",
            'program = "ur5_palletising"\nmode = "per-move"\n',
            "leave speed out",
        ),
        (
            "verify",
            '[axes.program]\nvalues = ["ur5_palletising", "no_such"]\n',
            "",
            'no example program "no_such"',
        ),
        ("retime", PAYLOADS, 'program = "no_such.lirl"\n', "no_such.lirl: no such file"),
        ("simulate", "[axes.q1]\nvalues = [1]\n", "", "simulate needs option duration"),
        ("simulate", "[axes.seed]\nvalues = [1]\n", "duration = 1\n", "add [options.spread]"),
        (
            "simulate",
            "[axes.q1]\nvalues = [1]\n",
            "duration = 1\ngoal = [0, 0, 0, 0, 0, 0]\n",
            "add controller",
        ),
        ("workspace", "[axes.roll]\nvalues = [1]\n", "", "add axes x, y, z"),
        (
            "workspace",
            "[axes.x]\nvalues = [1]\n[axes.yaw]\nvalues = [1]\n",
            "",
            "a turned tool has all of x, y, z",
        ),
        ("study.inertia", PAYLOADS, "speed = 2\n", 'has no option "speed"'),
    ],
)
def test_what_does_not_go_together_is_refused(quantity, axes, options, said):
    with pytest.raises(InputError) as raised:
        evaluator(a_study("ur5", quantity, axes, options))
    assert said in str(raised.value)


def test_arms_drawn_by_seed_are_those_of_monte_carlo():
    options = (
        'duration = 0.02\ncontroller = "pd_gravity"\ngoal = [0.4, 0.3]\nspread = { mass = 0.1, q = 0.05 }\n'
    )
    _, found = evaluated("planar2", "simulate", "[axes.seed]\nvalues = [4, 7, 0.5]\n", options)
    dyn = ad.Dynamics(ad.load("planar2"))
    drawn = draw(dyn, 2, Spread(mass=0.1, q=0.05), 7)
    assert drawn.added is not None
    kp, kv = gains(dyn, 20.0, 1.0, [0.4, 0.3])
    controller = pd_gravity(dyn, fixed([0.4, 0.3]), kp=kp, kv=kv)
    runs = simulate_many(
        dyn, 0.02, q=drawn.q[:1], qd=drawn.qd[:1], added=drawn.added[:1], controller=controller
    )
    assert found["end_q1"][1] == runs.q[-1, 0, 0]
    assert found["deviation2"][1] == np.abs(runs.q[:, 0, 1] - 0.3).max()
    assert found["lost"].tolist()[:2] == [0.0, 0.0]
    assert "seed is 0.5, expected a whole number" in found["error"][2]


def test_seeds_of_a_range_are_whole_up_to_rounding():
    """1 + 39 * 25/39 is 26.000000000000004."""
    assert [_whole(float(seed)) for seed in 1 + 39 * (np.arange(40) / 39)] == list(range(1, 41))


def test_free_runs_take_starts_torques_and_payloads():
    axes = '[axes.q1]\nvalues = [0.1, 0.2]\n[axes.tau2]\nvalues = [3]\n[axes."payload.mass"]\nvalues = [2]\n'
    _, found = evaluated("planar2", "simulate", axes, "duration = 0.01\n")
    arm = ad.load("planar2")
    q = np.array([[0.1, arm.home[1]], [0.2, arm.home[1]]])
    from armdyn.dynamics.variation import payloads

    runs = simulate_many(
        ad.Dynamics(arm), 0.01, q=q, torque=np.array([[0.0, 3.0]] * 2), added=payloads(arm, [2.0, 2.0])
    )
    assert same(found["end_qd1"], runs.qd[-1, :, 0])


@pytest.mark.numpy
def test_load_studies_of_designs():
    axes = '[axes."robot.joints.1.a"]\nvalues = [0.5, 1]\n'
    study = a_study("planar2", "study.inertia", axes, "effort = 50\n")
    made = evaluator(study)
    _, found = rows_of(study, made)
    rows = ad.study(ad.load("planar2"), "inertia", effort=50).rows
    first = next(row for row in rows if row.quantity == "inertia" and row.joint == 1)
    assert found["inertia1_maximum"][1] == first.extremes.maximum.value
    assert found["inertia1_maximum"][0] < found["inertia1_maximum"][1]
    assert found["certified"].tolist() == [1.0, 1.0]


def test_measures_of_postures():
    points, found = evaluated(
        "planar2", "manipulability", "[axes.q2]\nvalues = [0.1, 1.2]\n", 'task = "x,y"\nq = [0.3, 0]\n'
    )
    q = np.array([[0.3, 0.1], [0.3, 1.2]])
    direct = measures(ad.Dynamics(ad.load("planar2")), q, limited=False, task="x,y")
    assert same(found["isotropy"], direct.isotropy)
    assert "acceleration" not in found
    assert points["q2"].tolist() == [0.1, 1.2]


class TestWorkspace:
    def test_reach_of_two_links_is_a_disc(self):
        """Links of 1 m: what is nearer than 2 m is reached."""
        axes = "[axes.x]\nvalues = [0.5, 1.4, 1.6]\n[axes.y]\nvalues = [0.9, 1.3]\n"
        points, found = evaluated("planar2", "workspace", axes)
        near = np.hypot(points["x"].astype(float), points["y"].astype(float)) < 2
        assert (found["reachable"] == near).all()
        pose = ad.Dynamics(ad.load("planar2")).pose([[found["best_q1"][0], found["best_q2"][0]]])[0]
        assert pose[:2, 3] == pytest.approx([0.5, 0.9], abs=1e-6)

    @pytest.mark.slow
    def test_turned_tools_have_the_postures_of_inverse_kinematics(self):
        """What the motors can hold there is what statics says."""
        axes = "[axes.x]\nvalues = [-0.5, 3.0]\n"
        options = "place = [0, -0.2, 0.3]\nrpy = [3.0, 0.1, 0]\n"
        _, found = evaluated("ur5", "workspace", axes, options)
        assert found["reachable"].tolist() == [1.0, 0.0]
        assert found["postures"][0] == 8
        assert found["capable"].tolist() == [1.0, 0.0]
        assert 0 < found["margin"][0] < 1
        self.holds_just_as_much(found)

    def holds_just_as_much(self, found):
        """With the largest payload some posture is just held, with more none is."""
        axes, options = "[axes.x]\nvalues = [-0.5]\n", "place = [0, -0.2, 0.3]\nrpy = [3.0, 0.1, 0]\n"
        most = found["payload"][0]
        tool = ad.load("ur5").tool.placement.translation
        com = list(map(float, cast("tuple[float, ...]", tool)))
        for factor, capable in ((0.999, True), (1.001, False)):
            payload = f"payload = {{ mass = {most * factor}, com = {com} }}\n"
            _, loaded = evaluated("ur5", "workspace", axes, options + payload)
            assert (loaded["margin"][0] >= 0) == capable

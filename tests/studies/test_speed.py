"""The benchmark: peers agree before they are timed, turns are taken, rows are complete. No time is judged."""

from types import SimpleNamespace

import numpy as np
import pytest

from armdyn.errors import InputError
from armdyn.robot import BASE, Body, Joint, Robot
from armdyn.spatial import Inertia
from armdyn.studies.speed import contests, processes
from armdyn.studies.speed.benchmark import benchmark, cost_growth
from armdyn.studies.speed.benchmark import contests as planned
from armdyn.studies.speed.contests import AGREEMENT, measure, our_call, relative_difference
from armdyn.studies.speed.machine import machine
from armdyn.studies.speed.peaks import Peak, bandwidth, fma_rate
from armdyn.studies.speed.peers import PEERS, Peer
from armdyn.studies.speed.quantities import QUANTITIES, chosen_quantities
from armdyn.studies.speed.robots import Subject, chain_length, chain_name, subjects, without_friction
from armdyn.studies.speed.rows import Contest
from armdyn.studies.speed.timing import Call, Effort, Times, take_turns

ONCE = Effort(rounds=2, fewest=2, seconds=0.0, sample=0.0)
PEAKS = {1: Peak(1, 1e10, 1e10), 2: Peak(2, 2e10, 2e10)}

CONTRACT = {"quantity", "robot", "ours_ns", "peer", "peer_ns", "ratio"}


def quickly(names, quantities, states=(1,), threads=(1,), peers=None):
    return measure(planned(names, quantities, states, threads), ONCE, PEAKS, peers=peers)


def fake(name, call):
    """A peer that is always there."""
    return Peer(name, "json", "json", lambda subject: call)


# Timing ---------------------------------------------------------------------------------------


def test_calls_take_turns():
    order = []
    calls = [Call(name, order, "append", (name,)) for name in "ab"]
    times = take_turns(calls, Effort(rounds=3, fewest=3, seconds=0.0, sample=0.0))
    assert order[-6:] == ["a", "b"] * 3
    assert [len(t.samples) for t in times] == [3, 3]


def test_short_calls_are_repeated_until_a_sample_is_long_enough():
    calls = []
    take_turns([Call("", calls, "append", (1,))], Effort(rounds=1, fewest=1, seconds=0.0, sample=1e-3))
    assert len(calls) > 100


def test_a_short_call_warms_up_before_each_sample():
    calls = []
    effort = Effort(rounds=1, fewest=1, seconds=0.0, sample=1e-4)
    (times,) = take_turns([Call("", calls, "append", (1,))], effort)
    assert len(times.samples) == 1
    assert len(calls) >= 2


def test_a_long_measurement_ends_after_the_fewest_rounds():
    (times,) = take_turns([Call("", [], "clear")], Effort(rounds=50, fewest=4, seconds=-1.0, sample=0.0))
    assert len(times.samples) == 4


def test_best_and_median():
    ours, theirs = Times((2.0, 1.0, 4.0)), Times((4.0, 4.0, 4.0))
    assert (ours.best, ours.median) == (1.0, 2.0)
    assert theirs.median_ratio(ours) == 2.0


def test_results_are_returned_or_read():
    owner = SimpleNamespace(f=lambda x, scale: (x, scale * x), g=lambda: None)
    first, second = Call("", owner, "f", (np.ones(2),), {"scale": 3.0}).results()
    assert (first.tolist(), second.tolist()) == ([1, 1], [3, 3])
    (read,) = Call("", owner, "g", read=lambda: np.zeros(2)).results()
    assert read.tolist() == [0, 0]


# Who and what ---------------------------------------------------------------------------------


def test_robots_with_drives_are_measured_twice():
    bare, driven = subjects("lola15")
    assert (bare.motors, bare.reason_without_peers) == ("none", None)
    assert (driven.dynamics.motors, driven.dynamics.friction) == ("coupled", True)
    assert driven.reason_without_peers == "peers know no drives"
    assert len(subjects("ur5")) == 1


def test_chains_have_names_and_are_always_the_same():
    (chain,) = subjects(chain_name(7))
    assert (chain.robot.n, chain_length("chain7"), chain_length("ur5")) == (7, 7, None)
    assert chain.robot == subjects("chain7")[0].robot
    with pytest.raises(InputError, match=r'^robot "chain0", expected a chain of 1 to 99 joints$'):
        subjects("chain0")


def test_states_are_always_the_same():
    (subject,) = subjects("ur5")
    one, many = subject.state(1), subject.state(4)
    assert (one.single, one.q.shape, many.count, many.tau.shape) == (True, (6,), 4, (4, 6))
    assert np.array_equal(many.q, subject.state(4).q)
    assert np.allclose(many.tau, subject.dynamics.inverse(many.q, many.qd, many.qdd))


def test_what_follows_others_stands_alone():
    (first, *_) = subjects("parallelogram")
    assert first.reason_without_peers == "peers know no joint that follows others"


def test_peers_get_links_on_free_joints():
    robot = without_friction(subjects("lola15")[0].robot)
    assert not robot.drives
    assert not any(joint.friction for joint in robot.joints)
    assert all(joint.limits.position for joint in robot.joints)


def test_unknown_quantities_are_refused():
    assert chosen_quantities(["bias", "bias"]) == ["bias"]
    with pytest.raises(
        InputError, match=r'^quantity "invers"; did you mean "inverse"\? expected one of inverse, '
    ):
        chosen_quantities(["invers"])


def test_single_calls_are_measured_once_and_batches_on_all_threads():
    rows = planned(["ur5", "ur5"], ["inverse"], (1, 10), (1, 2))
    assert [(c.states, c.threads) for c in rows] == [(1, 1), (10, 1), (10, 2)]
    assert {c.quantity for c in planned(["ur5"], None, (1,), (1,))} == set(QUANTITIES)
    assert {c.quantity for c in planned(["chain3"], None, (1,), (1,))} == {"inverse", "forward"}


# Peers ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("robot", ["ur5", "panda", "puma560", "lola15", "stanford", "chain5"])
@pytest.mark.parametrize("peer", PEERS, ids=lambda peer: peer.name)
def test_peers_agree(peer: Peer, robot: str):
    if not peer.available():
        pytest.skip(f"{peer.name} is not installed")
    assert peer.version()[0].isdigit()
    subject = subjects(robot)[0]
    model, compared = peer.prepare(subject), set()
    for contest in planned([robot], QUANTITIES, (1, 5), (1, 2)):
        if contest.subject.motors != "none":
            continue
        state = subject.state(contest.states)
        call = model(contest.quantity, state, contest.threads)
        if call is not None:
            ours = our_call(Contest(subject, contest.quantity, contest.states, contest.threads), state)
            assert relative_difference(call.results(), ours.results()) <= AGREEMENT
            compared.add((contest.quantity, contest.states))
    assert {("inverse", 1), ("forward", 1), ("mass_matrix", 1)} <= compared


@pytest.mark.parametrize("name", ["pinocchio", "mujoco", "casadi"])
def test_peers_take_an_arm_of_one_joint(name: str):
    (peer,) = (peer for peer in PEERS if peer.name == name)
    if not peer.available():
        pytest.skip(f"{name} is not installed")
    measured = quickly(["chain1"], ["inverse", "forward"], peers=[peer])
    assert [row.beside and row.beside.name for row in measured.rows] == [name, name]


def test_a_peer_that_differs_is_not_timed():
    def call(quantity, state, threads):
        return Call("shifted", np, "add", (state.tau, 1e-6))

    measured = quickly(["ur5"], ["inverse"], peers=[fake("wrong", call)])
    (row,) = measured.rows
    assert row.beside is None
    (note,) = measured.notes
    assert note.startswith("wrong is not timed: inverse of ur5 by shifted differs from ours by ")
    assert note.endswith(" relative, expected 1e-08 at most")


def test_a_peer_that_agrees_is_timed_beside():
    def call(quantity, state, threads):
        return Call("copied", np, "copy", (state.tau,)) if state.single else None

    measured = quickly(["ur5"], ["inverse"], (1, 3), peers=[fake("good", call)])
    assert [row.beside and row.beside.name for row in measured.rows] == ["good", None]
    assert measured.notes == []


def test_a_peer_without_a_model_is_left_out():
    def prepare(subject):
        raise InputError("too long an arm")

    measured = quickly(["ur5"], ["inverse", "bias"], peers=[Peer("short", "json", "json", prepare)])
    assert [row.beside for row in measured.rows] == [None, None]
    assert measured.notes == ["short is left out: too long an arm"]


def test_what_the_robotics_toolbox_cannot_take():
    (peer,) = (peer for peer in PEERS if peer.name == "roboticstoolbox")
    unit = Inertia(1.0, tensor=((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)))
    robot = Robot("fork", tuple(Body(f"b{k}", Joint(f"j{k}"), BASE, unit) for k in range(2)))
    with pytest.raises(InputError, match=r'^robot "fork" branches, which DH rows cannot say$'):
        peer.prepare(Subject("fork", robot))
    with pytest.raises(InputError, match=r'^robot "pendulum" has one joint, for which its `accel` fails$'):
        peer.prepare(subjects("pendulum")[0])


def test_results_of_other_shapes_differ():
    ours = [np.ones(3)]
    assert relative_difference([np.ones(2)], ours) == np.inf
    assert relative_difference([], ours) == np.inf
    assert relative_difference([np.full(3, np.nan)], ours) == np.inf
    assert relative_difference([np.full(3, 1.5)], ours) == 0.5


# Rows -----------------------------------------------------------------------------------------


def test_rows_have_the_keys_of_the_contract():
    rows = [row.document() for row in quickly(["chain3"], ["inverse"], (1, 4), (1, 2)).rows]
    assert all(set(row) >= CONTRACT for row in rows)
    for row in rows:
        batch = row["states"] > 1
        assert (row["fma_share"] is not None) == batch == (row["bandwidth_share"] is not None)
        assert row["operations"] == row["multiplications"] + row["additions"] + row["divisions"]
        assert row["ns_per_operation"] == pytest.approx(row["ours_ns"] / row["operations"])
        if row["peer"] is not None:
            assert row["ratio"] == pytest.approx(row["peer_ns"] / row["ours_ns"])
            assert row["peer_difference"] <= AGREEMENT


def test_friction_under_load_is_counted_with_its_steps():
    rows = [row.document() for row in quickly(["lola15"], ["forward"], (3,), peers=[]).rows]
    assert [row["motors"] for row in rows] == ["none", "coupled"]
    assert rows[0]["operations"] > 0
    assert rows[1]["operations"] > 2 * rows[0]["operations"]
    assert rows[1]["bytes"] == 8 * 6 * 4


def test_growth_of_the_cost_of_an_operation():
    def row(robot, cost):
        where = {"quantity": "inverse", "states": 9, "threads": 1}
        return {"robot": robot, "ns_per_operation": cost, **where}

    (found,) = cost_growth([row("chain6", 2.0), row("chain30", 3.0), row("ur5", 1.0)])
    assert (found["quantity"], found["ratio"]) == ("inverse", 1.5)
    assert cost_growth([row("chain6", 2.0)]) == []


# The machine ----------------------------------------------------------------------------------


def test_the_machine_is_named_and_measured():
    assert {"processor", "cores", "python", "armdyn"} <= set(machine())
    assert all(rate(threads, 1) > 0 for rate in (fma_rate, bandwidth) for threads in (1, 2))


def test_first_calls_are_timed_in_processes_of_their_own(monkeypatch):
    monkeypatch.setattr(processes, "PROCESSES", 1)
    (row,) = processes.first_calls([("pendulum", "gravity")])
    assert (row["robot"], row["quantity"]) == ("pendulum", "gravity")
    assert row["first_call_ns"] > 0 < row["cached_ns"]


def test_counts_of_the_tools_are_read():
    assert processes.perf_count("1234,,instructions:u,100,,\n") == 1234
    assert processes.perf_count("<not supported>,,instructions:u,0,,\n") is None
    assert processes.valgrind_count("==7== noise\n==7== I refs:        1,690,607\n") == 1690607
    assert processes.valgrind_count("") is None


def test_without_tools_nothing_is_counted(monkeypatch):
    monkeypatch.setattr(processes.shutil, "which", lambda name: None)
    assert processes.instruction_tool() is None


def test_the_whole_document(monkeypatch):
    monkeypatch.setattr(contests, "PEERS", ())
    document = benchmark(["pendulum"], ["gravity"], [1], quick=True)
    assert set(document) == {
        *("measured", "machine", "peers", "missing", "rows", "growth", "notes", "quick", "first_calls")
    }
    assert {(row["states"], row["motors"]) for row in document["rows"]} >= {(1, "none"), (1000, "none")}
    assert document["machine"]["peaks"][0]["threads"] == 1


def test_threads_are_positive():
    with pytest.raises(InputError, match=r"^threads 0, expected one or more$"):
        benchmark(["pendulum"], threads=[0])

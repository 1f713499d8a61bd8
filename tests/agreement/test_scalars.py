"""Every formulation over every kind of scalar gives the same numbers."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from armdyn.formats.toml import read_toml
from armdyn.mechanics import composite_body, energy, newton_euler
from armdyn.mechanics.loads import Contact
from armdyn.mechanics.rubbing import projected, rubs
from armdyn.mechanics.tree import tree
from armdyn.scalars import Graph, Tally, program
from armdyn.scalars.batch import run_batch
from armdyn.scalars.symbolic import number, symbols, symengine
from armdyn.spatial import Wrench
from random_robots import Features, robots, states

# The same operations in another order: constants folded, terms merged.
RELATIVE = 1e-11

MODELS = ["exact", "augmented", "coupled", "reflected", "none"]
RUBBING = Features(friction=True)
WRENCH = Wrench((30.0, -20.0, 10.0), (-4.0, 5.0, 6.0))


def equations(robot, built, q, qd, qdd):
    """Torques under a contact, friction, mass matrix and energies in one list."""
    loads = newton_euler.inverse_dynamics(built, q, qd, qdd, contact=Contact(WRENCH, built.tool))
    H = composite_body.mass_matrix(built, q)
    return [
        *loads.torque,
        *projected(rubs(robot, q, qd, qdd, loads), robot.n),
        *(e for row in H for e in row),
        energy.kinetic_energy(built, q, qd),
        energy.potential_energy(built, q),
    ]


def over_reals(robot, built, x):
    return np.array([float(e) for e in equations(robot, built, *x.tolist())])


def over_graph(robot, built, x):
    graph = Graph()
    n = x.shape[-1]
    traced = program(equations(robot, built, *(graph.inputs(name, n) for name in ("q", "qd", "qdd"))))
    return run_batch(traced, dict(zip(("q", "qd", "qdd"), x, strict=True)), (len(traced.outputs),))


def over_counted(robot, built, x):
    tally = Tally()
    counted = [[tally.number(e) for e in row] for row in x.tolist()]
    return np.array([float(e) for e in equations(robot, built.with_numbers(tally.number), *counted)])


def over_symbols(robot, built, x):
    n = x.shape[-1]
    names = [symbols(stem, n) for stem in ("q", "v", "a")]
    values = {
        s: v
        for row, numbers in zip(names, x.tolist(), strict=True)
        for s, v in zip(row, numbers, strict=True)
    }
    return np.array(
        [
            float(symengine.sympify(e).subs(values))
            for e in equations(robot, built.with_numbers(number), *names)
        ]
    )


def close(ours, reference):
    scale = max(1.0, float(np.abs(reference).max()))
    assert ours == pytest.approx(reference, rel=RELATIVE, abs=RELATIVE * scale)


@pytest.mark.parametrize("kind", [over_graph, over_counted])
@given(robots(RUBBING), st.sampled_from(MODELS), st.integers(0, 10_000))
def test_scalars_agree(kind, robot, motors, seed):
    built = tree(robot, motors if robot.drives else "none")
    x = states(robot, seed, 1)[:, 0]
    close(kind(robot, built, x), over_reals(robot, built, x))


@given(robots(Features(bodies=3, friction=True)), st.sampled_from(MODELS), st.integers(0, 10_000))
def test_symbols_agree(robot, motors, seed):
    """Small trees: expressions of a long chain are long."""
    built = tree(robot, motors if robot.drives else "none")
    x = states(robot, seed, 1)[:, 0]
    close(over_symbols(robot, built, x), over_reals(robot, built, x))


@given(robots(), st.integers(0, 10_000))
def test_lumping_fixed_bodies_changes_nothing(robot, seed):
    """Torques and H; energies also count what is fixed on the base."""
    x = states(robot, seed, 1)[:, 0]
    whole, lumped = (over_reals(robot, tree(robot, "none", lump=lump), x) for lump in (False, True))
    close(lumped[:-2], whole[:-2])


def test_counts_do_not_depend_on_how_a_robot_is_spelt():
    """A turn by zero is no turn, whoever writes it."""
    head, tail = (
        'name = "a"\n[[bodies]]\nname = "x"\njoint.placement = { xyz = [1, 2, 3]',
        " }\ninertia.mass = 1\n",
    )
    tallies = []
    for spelling in ("", ", rpy = [0, 0, 0]"):
        tally = Tally()
        built = tree(read_toml(head + spelling + tail), "none").with_numbers(tally.number)
        newton_euler.inverse_dynamics(built, *([tally.number(0.5)] for _ in range(3)))
        tallies.append(tally)
    assert tallies[0] == tallies[1]

"""Every formulation over every kind of scalar gives the same numbers."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from armdyn.mechanics import composite_body, energy, newton_euler
from armdyn.mechanics.tree import tree
from armdyn.scalars import Graph, Tally, program
from armdyn.scalars.batch import run_batch
from armdyn.scalars.symbolic import number, symbols, symengine
from random_robots import Features, robots, states

# The same operations in another order: constants folded, terms merged.
RELATIVE = 1e-11


def equations(built, q, qd, qdd):
    """Torques, mass matrix and energies in one list."""
    torque = newton_euler.inverse_dynamics(built, q, qd, qdd).torque
    H = composite_body.mass_matrix(built, q)
    return [
        *torque,
        *(e for row in H for e in row),
        energy.kinetic_energy(built, q, qd),
        energy.potential_energy(built, q),
    ]


def over_reals(built, x):
    return np.array([float(e) for e in equations(built, *x.tolist())])


def over_graph(built, x):
    graph = Graph()
    n = x.shape[-1]
    traced = program(equations(built, *(graph.inputs(name, n) for name in ("q", "qd", "qdd"))))
    return run_batch(traced, dict(zip(("q", "qd", "qdd"), x, strict=True)), (len(traced.outputs),))


def over_counted(built, x):
    tally = Tally()
    counted = [[tally.number(e) for e in row] for row in x.tolist()]
    return np.array([float(e) for e in equations(built.with_numbers(tally.number), *counted)])


def over_symbols(built, x):
    n = x.shape[-1]
    names = [symbols(stem, n) for stem in ("q", "v", "a")]
    values = {
        s: v
        for row, numbers in zip(names, x.tolist(), strict=True)
        for s, v in zip(row, numbers, strict=True)
    }
    return np.array(
        [float(symengine.sympify(e).subs(values)) for e in equations(built.with_numbers(number), *names)]
    )


def close(ours, reference):
    scale = max(1.0, float(np.abs(reference).max()))
    assert ours == pytest.approx(reference, rel=RELATIVE, abs=RELATIVE * scale)


@pytest.mark.parametrize("kind", [over_graph, over_counted])
@given(robots(), st.sampled_from(["exact", "coupled", "reflected", "none"]), st.integers(0, 10_000))
def test_scalars_agree(kind, robot, motors, seed):
    built = tree(robot, motors if robot.drives else "none")
    x = states(robot, seed, 1)[:, 0]
    close(kind(built, x), over_reals(built, x))


@given(robots(Features(bodies=3)), st.sampled_from(["exact", "coupled", "none"]), st.integers(0, 10_000))
def test_symbols_agree(robot, motors, seed):
    """Small trees: expressions of a long chain are long."""
    built = tree(robot, motors if robot.drives else "none")
    x = states(robot, seed, 1)[:, 0]
    close(over_symbols(built, x), over_reals(built, x))


@given(robots(), st.integers(0, 10_000))
def test_lumping_fixed_bodies_changes_nothing(robot, seed):
    """Torques and H; energies also count what is fixed on the base."""
    x = states(robot, seed, 1)[:, 0]
    whole, lumped = (over_reals(tree(robot, "none", lump=lump), x) for lump in (False, True))
    close(lumped[:-2], whole[:-2])

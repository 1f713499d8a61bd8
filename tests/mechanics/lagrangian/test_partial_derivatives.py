"""U_ij and U_ijk are the derivatives of T_i, and the traces made of them are energies."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import armdyn as ad
from armdyn.mechanics import energy
from armdyn.mechanics.kinematics import pose_of, poses
from armdyn.mechanics.lagrangian.partial_derivatives import PartialDerivatives
from armdyn.mechanics.placed import placed
from armdyn.mechanics.tree import tree
from armdyn.mechanics.tree.coordinates import curvature_of
from armdyn.scalars import Graph, program
from armdyn.scalars.batch import run_batch
from armdyn.scalars.derivatives import jacobian
from random_robots import Features, robots, states

# Two ways to differentiate the same chain of some ten matrices.
RELATIVE = 1e-10

SMALL = Features(bodies=4)
seeds = st.integers(0, 10_000)


def close(ours, reference):
    scale = max(1.0, float(np.abs(np.asarray(reference)).max(initial=0.0)))
    np.testing.assert_allclose(np.asarray(ours, dtype=float), reference, rtol=0, atol=RELATIVE * scale)


def upper(T):
    """The first three rows of a pose, one after another."""
    return [x for row, p in zip(T.rotation, T.translation, strict=True) for x in (*row, p)]


def differentiated(built, q):
    """Poses of all links with first and second derivatives by q, from the graph: (links, 3, 4, ...)."""
    graph = Graph()
    x = graph.inputs("q", built.n)
    values = [e for T in poses(placed(built, x)) for e in upper(T)]
    first = [e for row in jacobian(values, x) for e in row]
    second = [e for row in jacobian(first, x) for e in row]
    n, shape = built.n, (len(built.links), 3, 4)
    parts = np.split(evaluated([*values, *first, *second], q), [len(values), len(values) * (n + 1)])
    return [part.reshape(*shape, *dims) for part, dims in zip(parts, ((), (n,), (n, n)), strict=True)]


def evaluated(outputs, q):
    traced = program(outputs)
    return run_batch(traced, {"q": np.array(q)}, (len(traced.outputs),))


def followed(built, q):
    """The same from U, theta' and theta''."""
    links = placed(built, q)
    U = PartialDerivatives.of(links)
    N, n = len(links), built.n
    values, first, second = (np.zeros((N, 3, 4, *(n,) * order)) for order in range(3))
    for i in range(N):
        values[i] = U.U(i)[:3]
        for a in range(N):
            slope = np.array(U.U(i, a)[:3], dtype=float)
            for j, theta_j in links[a].coordinate.gradient:
                first[i, ..., j] += slope * theta_j
            for j, k, bend in curvature_of(built.links[a].coordinate, q):
                second[i, ..., j, k] += slope * bend
            for b in range(N):
                for j, theta_j in links[a].coordinate.gradient:
                    for k, theta_k in links[b].coordinate.gradient:
                        second[i, ..., j, k] += np.array(U.U(i, a, b)[:3]) * (theta_j * theta_k)
    return values, first, second


@given(robots(SMALL), st.sampled_from(["exact", "none"]), seeds)
def test_matrices_are_derivatives_of_poses(robot, motors, seed):
    """Couplings and ball screws included: theta' and theta'' carry them over to q."""
    built = tree(robot, motors if robot.drives else "none", lump=False)
    q = states(robot, seed, 1)[0, 0].tolist()
    for ours, reference in zip(followed(built, q), differentiated(built, q), strict=True):
        close(ours, reference)


@given(robots(SMALL), seeds)
def test_matrices_of_a_body(robot, seed):
    """A body's frame stands still in its link, and so does the base in itself."""
    built = tree(robot, "none")
    links = placed(built, states(robot, seed, 1)[0, 0].tolist())
    U = PartialDerivatives.of(links)
    for frame in built.frames.values():
        T = np.array([upper(frame[1])[k : k + 4] for k in (0, 4, 8)] + [[0, 0, 0, 1]], dtype=float)
        close(np.ravel(U.of_frame(frame)[:3]), upper(pose_of(built, links, frame)))
        for a in range(len(links)):
            close(U.of_frame(frame, a), np.array(U.U(frame[0], a), dtype=float) @ T)


@given(robots(), seeds)
def test_what_is_not_carried_does_not_move(robot, seed):
    """U_ij is zero unless j lies on the path to i, and the order of two derivatives does not matter."""
    built = tree(robot, None, lump=False)
    U = PartialDerivatives.of(placed(built, states(robot, seed, 1)[0, 0].tolist()))
    for i, link in enumerate(built.links):
        inner = U.paths[link.parent] if link.parent >= 0 else ()
        assert U.paths[i] == ((*inner, i) if link.kind != "fixed" else inner)
        for a in range(len(built.links)):
            if a not in U.paths[i]:
                assert not np.any(U.U(i, a))
                assert not np.any(U.U(i, a, i))
            assert U.U(i, a, i) == U.U(i, i, a)


@given(robots(SMALL), seeds)
def test_what_a_link_carries_as_that_link_sees_it(robot, seed):
    """U seen from the base is T of the root times U seen from the root, for joints from the root outwards."""
    built = tree(robot, None)
    U = PartialDerivatives.of(placed(built, states(robot, seed, 1)[0, 0].tolist()))
    for root in range(len(built.links)):
        seen, T = U.seen_from(root), np.array(U.U(root), dtype=float)
        for i, path in enumerate(seen.paths):
            for a in path:
                close(T @ np.array(seen.U(i, a), dtype=float), U.U(i, a))
                for b in path:
                    close(T @ np.array(seen.U(i, a, b), dtype=float), U.U(i, a, b))
            if i != root and root not in U.paths[i]:
                assert path == () or built.links[root].kind == "fixed"


@pytest.mark.parametrize("motors", ["exact", "augmented", "none"])
@given(robots(Features(moving_base=False)), seeds)
def test_kinetic_energy_is_a_trace(motors, robot, seed):
    """[Milicevic2007] (2.3): E_k = 1/2 sum Tr(U_ij J_i U_ik^T) thetad_j thetad_k."""
    built = tree(robot, motors if robot.drives else "none")
    q, qd, _ = states(robot, seed, 1)[:, 0].tolist()
    links = placed(built, q, qd)
    U = PartialDerivatives.of(links)
    rates = [here.coordinate.rate for here in links]
    total = sum(
        U.trace(i, (a,), (b,)) * rates[a] * rates[b]
        for i, path in enumerate(U.paths)
        for a in path
        for b in path
    )
    close(0.5 * total, energy.kinetic_energy(built, q, qd))


@given(robots(SMALL), seeds)
def test_composites_are_sums_over_what_a_link_carries(robot, seed):
    """P_i = sum_j T_i_j J_j T_i_j^T, so that one trace with P stands for those of all links carried."""
    built = tree(robot, None, lump=False)
    U = PartialDerivatives.of(placed(built, states(robot, seed, 1)[0, 0].tolist()))
    composite = U.composite()
    for i, path in enumerate(U.paths):
        carried = [j for j in range(len(U.A)) if i in (*inwards(U, j),)]
        T = {
            j: np.linalg.solve(np.array(U.U(i), dtype=float), np.array(U.U(j), dtype=float)) for j in carried
        }
        close(composite.J[i], sum(T[j] @ np.array(U.J[j], dtype=float) @ T[j].T for j in carried))
        for a in path:
            close(composite.trace(i, (a,), (path[0],)), sum(U.trace(j, (a,), (path[0],)) for j in carried))


def inwards(U, link):
    while link >= 0:
        yield link
        link = U.parents[link]


def test_pseudo_inertia_is_that_of_the_body():
    built = tree(ad.load("planar2"), "none")
    U = PartialDerivatives.of(placed(built, [0.1, 0.2]))
    body = built.links[1].inertia
    close(
        U.J[1],
        np.block([[np.array(body.second), np.array([body.first]).T], [np.array(body.first), body.mass]]),
    )


def test_a_link_is_not_seen_from_one_beside_it():
    U = PartialDerivatives.of(placed(tree(ad.load("planar2"), "none"), [0.1, 0.2]))
    assert U.seen_from(1).U(0, 0) == U.seen_from(1).U(0, 1)  # nothing moves it against link 1 ..
    with pytest.raises(AssertionError):  # .. but where it stands is not known from there
        U.seen_from(1).U(0)

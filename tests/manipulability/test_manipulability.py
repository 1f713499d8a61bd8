"""Ellipsoids, polytopes and measures against the equations of motion, and what theory says of them."""

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.spatial import ConvexHull

from armdyn.dynamics import Dynamics
from armdyn.errors import InputError, MissingDataError, ShapeError
from armdyn.formats import load
from armdyn.manipulability import (
    Zonotope,
    acceleration_ellipsoid,
    acceleration_polytope,
    force_ellipsoid,
    measure,
    measures,
    velocity_ellipsoid,
)
from armdyn.manipulability.figures import draw

EXACT = 1e-9
"""Relative to the size of what is compared."""
ARMS = [
    ("ur5", "position"),
    ("panda", "position"),
    ("lola15", "position"),  # motors behind coupled gears
    pytest.param("irb6", "position", marks=pytest.mark.slow),
    ("scara", "x,y,z"),  # one joint slides
    pytest.param("scara", "x,y,z,rz", marks=pytest.mark.slow),
    pytest.param("stanford", "position", marks=pytest.mark.slow),
]


@cache
def dynamics(name: str) -> Dynamics:
    return Dynamics(load(name), friction=False)


def state(dyn: Dynamics) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(3)
    return np.array(dyn.robot.home) + rng.uniform(-0.3, 0.3, dyn.n), rng.uniform(-0.4, 0.4, dyn.n)


def limits(dyn: Dynamics) -> Any:
    """Of robots that know none."""
    return None if dyn.robot.name not in ("stanford", "planar3", "planar2") else np.full(dyn.n, 40.0)


def caused(dyn: Dynamics, q: Any, qd: Any, torques: np.ndarray, task: str, motors: bool) -> np.ndarray:
    """Accelerations of the task by forward dynamics of the joints."""
    tau = dyn.torque_of_motors(q, torques) if motors else torques
    qdd = dyn.forward(q, qd, tau)
    found = dyn.operational_space(q, qd, task=task)
    return qdd @ found.jacobian.T + found.drift


# Polytopes ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "task"), ARMS)
def test_every_vertex_is_reached_and_no_sampled_torque_leads_outside(name: str, task: str) -> None:
    dyn = dynamics(name)
    q, qd = state(dyn)
    found = acceleration_polytope(dyn, q, qd, task=task, limits=limits(dyn))
    motors = len(found.lower) == len(dyn.robot.drives) and limits(dyn) is None and bool(dyn.robot.drives)
    assert ((found.corners >= found.lower) & (found.corners <= found.upper)).all()
    size = np.abs(found.vertices).max()
    there = caused(dyn, q, qd, found.corners, task, motors)
    assert np.abs(there - found.vertices).max() < EXACT * size
    rng = np.random.default_rng(4)
    torques = rng.uniform(found.lower, found.upper, (5000, len(found.lower)))
    extreme = np.where(rng.random((5000, len(found.lower))) < 0.5, found.lower, found.upper)
    sampled = caused(dyn, q, qd, np.concatenate([torques, extreme]), task, motors)
    assert found.contains(sampled).all()
    assert not found.contains(found.vertices * 1.001 - 0.001 * found.vertices.mean(axis=0)).any()
    hull = ConvexHull(sampled)
    assert found.volume >= hull.volume * (1 - EXACT)
    assert hull.volume > 0.98 * found.volume  # corners of the box are among the samples
    assert len(hull.vertices) <= len(found.vertices)


def test_vertices_and_facets_are_those_of_the_convex_hull() -> None:
    rng = np.random.default_rng(0)
    for m, k in ((2, 5), (3, 3), (3, 7), (4, 6), (6, 6)):
        lower, upper = -rng.uniform(0.5, 1, k), rng.uniform(0.5, 2, k)
        zone = Zonotope(tuple("abcdef"[:m]), rng.normal(size=m), rng.normal(size=(m, k)), lower, upper)
        signs = np.array(np.meshgrid(*[(0, 1)] * k)).reshape(k, -1).T
        hull = ConvexHull(zone.centre + np.where(signs, upper, lower) @ zone.generators.T)
        assert len(zone.vertices) == len(hull.vertices)
        assert zone.volume == pytest.approx(hull.volume, rel=EXACT)
        assert zone.inner_radius == pytest.approx(-hull.equations[:, -1].max(), rel=1e-8)
        normals, offsets = zone.facets
        for plane in hull.equations:
            near = np.abs(normals @ plane[:-1] - 1).argmin()
            assert normals[near] @ plane[:-1] == pytest.approx(1, abs=1e-9)
            assert offsets[near] == pytest.approx(-plane[-1], abs=1e-8)


def test_flat_and_degenerate_polytopes() -> None:
    one = np.ones(3)
    flat = Zonotope(("x", "y", "z"), np.zeros(3), np.array([[1.0, 0, 1], [0, 1, 1], [0, 0, 0]]), -one, one)
    assert flat.rank == 2
    assert flat.volume == 0
    assert len(flat.vertices) == 6
    assert flat.inner_radius == pytest.approx(0)
    assert flat.contains([0.5, 0.5, 0.0])
    assert not flat.contains([0.5, 0.5, 0.01])
    assert flat.along([1, 0, 0]) == pytest.approx(2.0)
    assert flat.along([0, 0, 1]) == 0
    assert flat.along([[1e-200, 0, 0], [1e200, 0, 0]]) == pytest.approx([2.0, 2.0])
    point = Zonotope(("x", "y"), np.array([1.0, 2.0]), np.ones((2, 3)), 0 * one, 0 * one)
    assert np.array_equal(point.vertices, [[1.0, 2.0]])
    assert point.contains([1.0, 2.0])
    assert point.inner_radius < 0
    parallel = Zonotope(("x", "y"), np.zeros(2), np.array([[1.0, 2, 0], [0, 0, 1]]), -one, one)
    assert sorted(map(tuple, parallel.vertices.tolist())) == [(-3, -1), (-3, 1), (3, -1), (3, 1)]
    line = Zonotope(("x",), np.zeros(1), np.array([[1.0, -2.0, 0.0]]), -one, 2 * one)
    assert sorted(line.vertices[:, 0].tolist()) == [-5.0, 4.0]
    assert line.inner_radius == 4.0


def test_a_singular_posture_has_a_flat_polytope_and_a_flat_ellipsoid() -> None:
    dyn = dynamics("planar3")
    q = [0.0, 0.0, 0.0]
    found = acceleration_polytope(dyn, q, task="x,y", limits=[900.0, 900, 900])
    assert found.rank == 1
    ellipsoid = acceleration_ellipsoid(dyn, q, task="x,y")
    assert ellipsoid.radii[1] < 1e-12
    assert ellipsoid.measure < 1e-12
    assert ellipsoid.isotropy < 1e-9
    assert np.isnan(ellipsoid.core).all()
    assert measures(dyn, q, task="x,y", limited=False).manipulability == pytest.approx(0, abs=1e-12)
    assert np.isnan(force_ellipsoid(dyn, q, task="x,y").radii).tolist() == [True, False]
    assert np.isnan(acceleration_ellipsoid(dyn, q, task="x,y", form="least_norm").radii).all()


def test_payload_speed_and_wrench_count() -> None:
    lola = load("lola15")
    q, qd = np.array(lola.home) + 0.2, np.full(6, 0.3)
    bare, loaded = (
        Dynamics(arm, friction=False) for arm in (lola, lola.with_payload(mass=15, com=(0, 0, 0.2)))
    )
    assert acceleration_polytope(loaded, q).volume < 0.9 * acceleration_polytope(bare, q).volume
    irb6 = dynamics("irb6")  # voltage takes torque from motors that turn
    slow, quick = (acceleration_polytope(irb6, irb6.robot.home, v * np.ones(5)) for v in (0.0, 1.0))
    assert (quick.upper < slow.upper).any()
    pressed = acceleration_polytope(bare, q, wrench=[0, 0, -100, 0, 0, 0])
    assert pressed.volume == pytest.approx(acceleration_polytope(bare, q).volume)
    assert np.abs(pressed.centre - acceleration_polytope(bare, q).centre).max() > 0.1
    ellipsoid = acceleration_ellipsoid(bare, q, qd)
    assert np.abs(ellipsoid.centre - acceleration_ellipsoid(bare, q).centre).max() > 0.01
    assert acceleration_polytope(bare, q, gravity=False).centre == pytest.approx(np.zeros(3), abs=1e-12)


# Ellipsoids -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "task"), [("planar2", "x,y"), ("planar3", "x,y"), ("ur5", "pose"), ("panda", "pose")]
)
def test_the_ellipsoid_is_the_exact_image_of_the_torque_sphere(name: str, task: str) -> None:
    dyn = dynamics(name)
    q, qd = state(dyn)
    found = acceleration_ellipsoid(dyn, q, qd, task=task)
    sphere = np.random.default_rng(1).normal(size=(4000, dyn.n))
    sphere /= np.linalg.norm(sphere, axis=1, keepdims=True)
    there = caused(dyn, q, qd, sphere, task, False)
    assert found.contains(there, 1e-8).all()
    # every point of its surface is reached: the torque that goes farthest along a direction
    operational = dyn.operational_space(q, qd, task=task)
    for u in np.random.default_rng(2).normal(size=(20, len(found.axes))):
        tau = operational.freed @ u
        most = caused(dyn, q, qd, (tau / np.linalg.norm(tau))[None], task, False)[0] @ u
        assert most == pytest.approx(found.support(u), rel=1e-8)
        assert (there @ u <= most + 1e-9 * abs(most)).all()


@pytest.mark.parametrize(
    ("name", "task", "square"),
    [
        ("planar2", "x,y", True),
        ("ur5", "pose", True),
        ("planar3", "x,y", False),
        ("panda", "pose", False),
        ("ur5", "position", False),
    ],
)
def test_the_books_ellipsoid_is_exact_for_square_jacobians_and_inside_for_others(
    name: str, task: str, square: bool
) -> None:
    """(7.148), (7.149) written out in NumPy."""
    dyn = dynamics(name)
    q, _ = state(dyn)
    exact, book = (acceleration_ellipsoid(dyn, q, task=task, form=form) for form in ("exact", "least_norm"))
    J, H, g = dyn.operational_space(q, task=task).jacobian, dyn.mass_matrix(q), dyn.gravity(q)
    pseudo = np.linalg.pinv(J)
    core = pseudo.T @ H.T @ H @ pseudo
    size = np.abs(core).max()
    assert np.abs(book.core - core).max() < 1e-8 * size
    assert np.abs(exact.core - np.linalg.inv(J @ np.linalg.inv(H @ H) @ J.T)).max() < 1e-8 * size
    assert exact.centre == pytest.approx(-J @ np.linalg.solve(H, g), rel=1e-9)
    assert book.centre == pytest.approx(exact.centre)
    if square:
        assert np.abs(book.core - exact.core).max() < 1e-8 * size
    else:
        assert np.abs(book.core - exact.core).max() > 1e-6 * size
        assert np.linalg.eigvalsh(book.core - exact.core).min() > -1e-9 * size  # a larger core is inside


@pytest.mark.parametrize(
    ("name", "task"), [("planar2", "x,y"), ("ur5", "pose"), ("planar3", "x,y"), ("panda", "position")]
)
def test_ellipsoid_and_polytope_touch_as_theory_says(name: str, task: str) -> None:
    """The torque ball |tau_i/T_i| <= 1 touches each face of the box |tau_i| <= T_i, and is inside it.

    Along u the ellipsoid extends by the 2-norm of w_i = T_i (H^-1 J^T u)_i, the polytope by its 1-norm. Where
    n = m each facet's normal leaves one w_i, and they touch in all facets; vertices are sqrt(n) times as far.
    """
    dyn = dynamics(name)
    q, qd = state(dyn)
    T = np.linspace(10.0, 40.0, dyn.n)
    zone = acceleration_polytope(dyn, q, qd, task=task, limits=T)
    ball = acceleration_ellipsoid(dyn, q, qd, task=task, torques=T)
    normals, offsets = zone.facets
    reach, centre = offsets - normals @ zone.centre, normals @ ball.centre
    touched = ball.support(normals) - centre
    assert (touched <= reach * (1 + EXACT)).all()
    assert (reach <= np.sqrt(dyn.n) * touched * (1 + EXACT)).all()
    w = T * (normals @ dyn.operational_space(q, qd, task=task).freed.T)
    assert touched == pytest.approx(np.linalg.norm(w, axis=1))
    assert reach == pytest.approx(np.abs(w).sum(axis=1))
    local = (zone.vertices - ball.centre) @ ball.directions / ball.radii
    far = np.linalg.norm(local, axis=1)
    if len(zone.axes) == dyn.n:
        assert touched == pytest.approx(reach)
        assert far == pytest.approx(np.full(len(far), np.sqrt(dyn.n)))
    else:
        assert (touched < reach * (1 - 1e-6)).any()
        assert (far <= np.sqrt(dyn.n) * (1 + EXACT)).all()


def test_limits_of_motors_make_the_ellipsoid_inside_the_polytope() -> None:
    dyn = dynamics("lola15")
    q, qd = state(dyn)
    zone, ball = acceleration_polytope(dyn, q, qd), acceleration_ellipsoid(dyn, q, qd, torques="limits")
    normals, offsets = zone.facets
    assert (ball.support(normals) <= offsets + 1e-9).all()
    assert zone.contains(ball.centre)
    u = np.array([0.3, -0.5, 0.8])
    assert 0 < ball.along(u) <= zone.along(u)
    assert zone.along(u) >= zone.inner_radius


def test_velocity_and_force_are_dual() -> None:
    dyn = dynamics("panda")
    q, _ = state(dyn)
    velocity, force = velocity_ellipsoid(dyn, q), force_ellipsoid(dyn, q)
    assert force.radii == pytest.approx(1 / velocity.radii[::-1])
    cosines = np.abs(velocity.directions.T @ force.directions[:, ::-1])
    assert cosines == pytest.approx(np.eye(3), abs=1e-9)
    assert velocity.core @ force.core == pytest.approx(np.eye(3), abs=1e-9)
    fast = velocity_ellipsoid(dyn, q, rates="limits")
    assert (fast.radii > 2 * velocity.radii).all()
    strong = force_ellipsoid(dyn, q, torques="limits")
    assert (strong.radii > 10 * force.radii).all()


def test_gravity_lets_the_arm_go_down_faster() -> None:
    """[Siciliano2009] Fig. 7.15: larger accelerations downward."""
    dyn = dynamics("planar3")
    q = dyn.robot.home
    with_it, without = (
        acceleration_ellipsoid(dyn, q, task="x,y", torques=3000.0, gravity=on) for on in (True, False)
    )
    up, down = with_it.along([0, 1]), with_it.along([0, -1])
    assert without.along([0, 1]) == pytest.approx(without.along([0, -1]))
    assert up < without.along([0, 1]) < down
    assert with_it.radii == pytest.approx(without.radii)
    assert without.centre == pytest.approx([0, 0], abs=1e-12)
    assert np.isnan(acceleration_ellipsoid(dyn, q, task="x,y").along([0, 1]))  # 1 N m does not hold it


# Measures -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "task", "square"),
    [("planar2", "x,y", True), ("ur5", "pose", True), ("panda", "position", False)],
)
def test_problem_7_11(name: str, task: str, square: bool) -> None:
    """w_d = w/det H for square Jacobians, and not else."""
    dyn = dynamics(name)
    q = np.random.default_rng(0).uniform(-1.5, 1.5, (50, dyn.n))
    found = measures(dyn, q, task=task, limited=False)
    quotient = found.manipulability / np.linalg.det(dyn.mass_matrix(q))
    if square:
        J = dyn.operational_space(q, task=task).jacobian
        assert found.manipulability == pytest.approx(np.abs(np.linalg.det(J)), rel=1e-7)
        assert found.dynamic_manipulability == pytest.approx(quotient, rel=1e-7)
    else:
        assert np.abs(found.dynamic_manipulability / quotient - 1).min() > 0.1
    ellipsoid = acceleration_ellipsoid(dyn, q, task=task)
    assert ellipsoid.measure == pytest.approx(found.dynamic_manipulability)
    assert found.acceleration is None


def test_measures_of_a_batch_are_those_of_polytopes() -> None:
    dyn = dynamics("ur5")
    q = np.random.default_rng(0).uniform(-2, 2, (2, 5, 6))
    found = measures(dyn, q)
    assert found.acceleration is not None
    assert found.acceleration.shape == (2, 5)
    for k in np.ndindex(2, 5):
        zone = acceleration_polytope(dyn, q[k])
        assert found.acceleration[k] == pytest.approx(zone.inner_radius, rel=1e-8)
        assert found.acceleration[k] == pytest.approx((zone.facets[1]).min(), rel=1e-8)
        inertia = dyn.operational_space(q[k], task="position").inertia
        assert found.effective_mass[k] == pytest.approx(np.linalg.eigvalsh(inertia)[-1])


@pytest.mark.parametrize(("name", "task"), [("lola15", "position"), ("scara", "x,y,z")])
def test_the_guaranteed_acceleration_counts_gears(name: str, task: str) -> None:
    """Of motors behind gears it is what the polytope has in every direction, and not that of plain joints."""
    dyn = dynamics(name)
    q = np.array(dyn.robot.home) + np.random.default_rng(6).uniform(-0.3, 0.3, (4, dyn.n))
    found = measures(dyn, q, task=task).acceleration
    assert found is not None
    for state_, radius in zip(q, found, strict=True):
        zone = acceleration_polytope(dyn, state_, task=task)
        assert radius == pytest.approx(zone.facets[1].min(), rel=1e-8)
        assert radius == pytest.approx(zone.inner_radius, rel=1e-12)
    assert measure(dyn, q, "acceleration", task=task) == pytest.approx(found)
    torques = acceleration_polytope(dyn, q[0], task=task)
    ungeared = measures(dyn, q[:1], task=task, limits=np.stack([torques.lower, torques.upper])).acceleration
    assert ungeared is not None
    assert abs(ungeared[0] - found[0]) > 0.1 * abs(found[0])


def test_the_ellipsoid_of_limits_is_about_the_middle_of_their_range() -> None:
    """A motor that turns has less torque to go on than to brake: without a centre of its own it is off."""
    dyn = dynamics("irb6")
    q, qd = np.array(dyn.robot.home), np.ones(5)
    zone = acceleration_polytope(dyn, q, qd)
    middle = 0.5 * (zone.lower + zone.upper)
    assert np.abs(middle).max() > 0.01 * zone.upper.max()
    there, without = caused(dyn, q, qd, np.stack([middle, 0 * middle]), "position", True)
    ball = acceleration_ellipsoid(dyn, q, qd, torques="limits")
    assert ball.centre == pytest.approx(there, rel=EXACT)
    assert np.abs(there - without).max() > 0.01 * np.abs(there).max()
    half = 0.5 * (zone.upper - zone.lower)
    assert ball.shape == pytest.approx((zone.generators * half**2) @ zone.generators.T, rel=1e-8)
    normals, offsets = zone.facets
    assert (ball.support(normals) <= offsets * (1 + EXACT) + EXACT).all()


# Bad input ------------------------------------------------------------------------------------


def test_bad_input_is_one_sentence() -> None:
    book: Any = "book"
    three: Any = 3
    dyn, ur5 = dynamics("planar3"), dynamics("ur5")
    home, zero = dyn.robot.home, np.zeros(6)
    one, many = velocity_ellipsoid(ur5, zero), velocity_ellipsoid(ur5, np.zeros((2, 6)))
    unbound = force_ellipsoid(dyn, [0.0, 0.0, 0.0], task="x,y")
    for call, kind, sentence in [
        (
            lambda: acceleration_polytope(dyn, home, task="x,y"),
            MissingDataError,
            "no torque limit is known of",
        ),
        (lambda: acceleration_polytope(ur5, np.zeros((2, 6))), ShapeError, "a polytope is that of one state"),
        (lambda: acceleration_polytope(ur5, zero + np.nan), InputError, "expected finite numbers"),
        (lambda: acceleration_polytope(ur5, zero, limits=[1, 2]), ShapeError, "expected (6,), or (2, 6)"),
        (
            lambda: acceleration_polytope(ur5, zero, limits=-np.ones(6)),
            InputError,
            "the least below the largest",
        ),
        (lambda: acceleration_ellipsoid(ur5, zero, torques="most"), InputError, 'expected "limits"'),
        (lambda: acceleration_ellipsoid(ur5, zero, torques=[1.0] * 5), ShapeError, "expected (6,)"),
        (lambda: acceleration_ellipsoid(ur5, zero, torques=0.0), InputError, "above 0"),
        (
            lambda: acceleration_ellipsoid(ur5, zero, form=book),
            InputError,
            'expected "exact" or "least_norm"',
        ),
        (
            lambda: velocity_ellipsoid(dyn, home, rates="limits", task="x,y"),
            MissingDataError,
            "velocity limit",
        ),
        (lambda: velocity_ellipsoid(ur5, zero, tsak="x"), InputError, "unknown argument tsak"),
        (lambda: velocity_ellipsoid(ur5, zero).support([1, 2]), ShapeError, "axes are x, y, z"),
        (lambda: velocity_ellipsoid(ur5, zero).points("x", "rz"), InputError, 'no axis "rz" to draw'),
        (
            lambda: force_ellipsoid(dynamics("lola15"), zero, torques="limits"),
            InputError,
            "gears couple joints",
        ),
        (lambda: measures(dynamics("pendulum"), [0.0]), InputError, "the task has 3 axes"),
        (lambda: measure(ur5, zero, "speed"), InputError, 'no measure "speed"'),
        (lambda: velocity_ellipsoid(ur5, zero).along([0, 0, 0]), InputError, "a direction is zero"),
        (lambda: velocity_ellipsoid(ur5, zero).along([0, 0, np.nan]), InputError, "no finite numbers"),
        (lambda: acceleration_polytope(ur5, zero).along([0, 0, np.nan]), InputError, "no finite numbers"),
        (lambda: acceleration_polytope(ur5, zero).along([np.inf, 0, 0]), InputError, "no finite numbers"),
        (lambda: velocity_ellipsoid(ur5, zero).along("up"), InputError, "is no array of numbers"),
        (lambda: velocity_ellipsoid(ur5, zero, task="x").points(), InputError, "has no outline"),
        (lambda: acceleration_polytope(ur5, "a"), InputError, "q is not an array of numbers"),
        (lambda: acceleration_polytope(ur5, zero, ["a"]), InputError, "qd is not an array of numbers"),
        (lambda: acceleration_polytope(ur5, zero, wrench=np.zeros((2, 6))), ShapeError, "expected (6,)"),
        (lambda: acceleration_polytope(ur5, zero, at=np.zeros((2, 3))), ShapeError, "expected (3,)"),
        (lambda: many.points(count=-1), InputError, "count is -1, expected a whole number of 4"),
        (lambda: draw("a.svg", ur5, zero, {"a": {"b": many}}), ShapeError, "one state is drawn"),
        (lambda: draw("a.svg", ur5, zero, {"a": {"b": three}}), InputError, '"b" is 3, expected an Ell'),
        (lambda: draw("a.svg", ur5, zero, {"a": three}), InputError, "shapes are no mappings"),
        (lambda: draw("a.svg", ur5, "a", {"a": {"b": one}}), InputError, "q is not an array"),
        (lambda: draw("a.svg", ur5, zero, {"a": {"b": one}}, plane=("x", "rz")), InputError, "the plane is"),
        (lambda: draw("a.svg", ur5, zero, {"a": {"b": unbound}}), InputError, "expected finite ones"),
        (lambda: draw("a.svg", ur5, zero, {}), InputError, "there is nothing to draw"),
        (lambda: draw("a.gif", ur5, zero, {}), InputError, 'ends in ".gif"'),
    ]:
        with pytest.raises(kind) as caught:
            call()
        assert sentence in str(caught.value), caught.value
    nowhere = velocity_ellipsoid(ur5, np.stack([zero, zero + np.nan]))
    assert np.isnan(nowhere.radii).any(axis=-1).tolist() == [False, True]
    pendulum = dynamics("pendulum")
    assert acceleration_polytope(pendulum, [0.2], task="rz", limits=[3.0]).vertices.shape == (2, 1)


def test_shapes_are_drawn_at_the_tool(tmp_path: Path) -> None:
    dyn = dynamics("panda")
    q = np.array(dyn.robot.home)
    shapes: dict[str, Any] = {
        "empty hands": {
            "ellipsoid": acceleration_ellipsoid(dyn, q, torques="limits"),
            "polytope": acceleration_polytope(dyn, q),
        }
    }
    for name in ("a.svg", "b.svg"):
        draw(tmp_path / name, dyn, q, shapes, plane=("x", "z"))
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()
    level = {"level": {"velocity": velocity_ellipsoid(dyn, q, task="x,y")}}
    with pytest.raises(InputError, match="to draw, expected two of x, y"):
        draw(tmp_path / "a.svg", dyn, q, level, plane=("x", "z"))

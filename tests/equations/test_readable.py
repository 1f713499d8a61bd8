"""Readable forms: exact, and no longer than what [Bejczy1974] wrote by hand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import armdyn as ad
from armdyn.equations import quantities
from armdyn.equations.axes import unit_motions
from armdyn.equations.expression import (
    Cosine,
    Number,
    Power,
    Sine,
    Sum,
    Symbol,
    evaluate,
    operations,
    walk,
)
from armdyn.equations.readable import Writer, definitions, names_in, readable, with_definitions
from armdyn.equations.setting import Setting
from armdyn.scalars import cos, sin, sqrt
from armdyn.scalars.harmonic import Ring

LARGE = 256  # what powers of symbols in [-2, 2] can be
EXACT = 1e-13  # sums of some hundred terms in double precision, relative to the largest


def sine(*joints):
    return Sine(tuple((f"q{i}", 1) for i in joints))


def cosine(*joints):
    return Cosine(tuple((f"q{i}", 1) for i in joints))


def random_values(names, seed=0, n=20):
    rng = np.random.default_rng(seed)
    return {name: rng.uniform(-2, 2, n) for name in sorted(names)}


def assert_equal(expression, h, seed=0):
    values = random_values({*h.names, *names_in([expression])}, seed)
    expected = h.evaluate(values)
    size = sum(map(abs, h.terms.values())) * LARGE + 1
    np.testing.assert_allclose(evaluate(expression, values), expected, rtol=0, atol=EXACT * size)


# Identities ------------------------------------------------------------------------------------


@pytest.fixture
def ring():
    return Ring()


def test_nothing_and_numbers(ring):
    assert readable(ring.constant(0.0)) == Number(0.0)
    assert readable(ring.constant(-2.5)) == Number(-2.5)
    assert readable(sin(ring.symbol("q1")) ** 2 + cos(ring.symbol("q1")) ** 2) == Number(1.0)


def test_squares_of_sines_and_cosines_come_back(ring):
    q2, k1, k2 = (ring.symbol(name) for name in ("q2", "k1", "k2"))
    found = readable(k1 * k1 * sin(q2) ** 2 + k2 * k2 * cos(q2) ** 2)
    assert found == Symbol("k1") ** 2 * sine(2) ** 2 + Symbol("k2") ** 2 * cosine(2) ** 2


def test_what_is_shorter_is_taken(ring):
    q1, q2 = ring.symbols("q", 2)
    found = readable(sin(q2) ** 2 + cos(q1) ** 2 * cos(q2) ** 2)
    assert found == 1 - sine(1) ** 2 * cosine(2) ** 2


def test_simple_fractions_are_exact(ring):
    third = ring.symbol("a") * (0.1 * 10 / 3)
    assert readable(third) == (1 / 3) * Symbol("a")


def test_coefficients_are_the_same_only_where_rounding_tells_them_apart(ring):
    a, b = ring.symbol("a"), ring.symbol("b")
    assert operations(readable(0.3 * a + 0.3 * (1 + 1e-15) * b)) == (1, 1)
    for apart in (1e-5, 1e-7, 1e-9, 1e-11):
        h = 0.3 * a + 0.3 * (1 + apart) * b
        found = readable(h)
        assert operations(found) == (2, 1)
        assert evaluate(found, {"a": -1.0, "b": 1.0}) == pytest.approx(0.3 * apart, rel=1e-3)


def test_factors_of_parameters_come_out(ring):
    q2, r3, z3 = (ring.symbol(name) for name in ("q2", "r3", "z3"))
    found = readable(r3 * (2 * z3 + r3) * sin(q2) ** 2)
    assert operations(found) == (4, 1)


def test_angle_sums_stand_only_where_axes_are_parallel(ring):
    q1, q2 = ring.symbols("q", 2)
    h = 3 * cos(q1 + q2) + 2 * cos(q1)
    assert readable(h, parallel=[("q1", "q2")]) == 2 * cosine(1) + 3 * cosine(1, 2)
    apart = readable(h)
    assert all(len(part.angle) == 1 for part in walk(apart) if isinstance(part, Sine | Cosine))
    assert_equal(apart, h)


def test_products_of_parallel_sums_are_found(ring):
    q2, q3 = ring.symbol("q2"), ring.symbol("q3")
    h = (2 * cos(q2) + 3 * cos(q2 + q3)) ** 2
    found = readable(h, parallel=[("q2", "q3")])
    assert operations(found).total == 4  # (2 c2 + 3 c23)^2
    assert_equal(found, h)


def test_axes_that_point_against_each_other_give_differences(ring):
    q2, q3 = ring.symbol("q2"), ring.symbol("q3")
    h = cos(q2) * cos(q2 - q3) * 4
    found = readable(h, parallel=[("q2", "q3")])
    assert found == 4 * cosine(2) * Cosine((("q2", 1), ("q3", -1)))


def test_squares_of_sums_are_found_without_hints(ring):
    q = ring.symbols("q", 3)
    u = sin(q[0]) * sin(q[1]) * cos(q[2]) + cos(q[0]) * sin(q[2])
    found = readable(u**2 * ring.symbol("k") ** 2)
    assert any(isinstance(part, Power) and isinstance(part.base, Sum) for part in walk(found))
    assert operations(found).total == 7  # k^2 (s1 s2 c3 + c1 s3)^2
    assert_equal(found, u**2 * ring.symbol("k") ** 2)


def test_one_less_a_square_is_found(ring):
    q = ring.symbols("q", 3)
    u = sin(q[0]) * sin(q[1]) * sin(q[2]) - cos(q[0]) * cos(q[2])
    h = (1 - u**2) * ring.symbol("d") ** 2
    found = readable(h)
    assert operations(found).total == 8
    assert_equal(found, h)


def test_products_of_hints_are_found(ring):
    q = ring.symbols("q", 4)
    u = sin(q[0]) * (sin(q[1]) * cos(q[2]) * cos(q[3]) + cos(q[1]) * sin(q[3])) + cos(q[0]) * sin(q[2]) * cos(
        q[3]
    )
    v = sin(q[1]) * sin(q[3]) - cos(q[1]) * cos(q[2]) * cos(q[3])
    x = cos(q[0]) * sin(q[1])
    for h in (u * v, u * v * -3.0, u * v + x * x):
        plain, hinted = readable(h), readable(h, hints=[u, v, x])
        assert operations(hinted).total < operations(plain).total
        assert_equal(hinted, h)
        assert_equal(plain, h)


def test_a_writer_learns_new_angles(ring):
    q1 = ring.symbol("q1")
    writer = Writer(ring)
    assert writer.written(sin(q1)) == sine(1)
    assert writer.written(sin(ring.symbol("q2"))) == sine(2)


# Exactness -------------------------------------------------------------------------------------


@st.composite
def harmonics(draw):
    """Sums of products of sines, cosines, lengths and numbers of any size."""
    ring = Ring()
    q = ring.symbols("q", 4)
    atoms = [f(x) for x in (q[0], q[1], q[3], q[0] + q[1], q[0] - q[1]) for f in (sin, cos)]
    atoms += [q[2], ring.symbol("m1"), ring.symbol("m2"), ring.symbol("a")]
    total = ring.constant(draw(st.sampled_from([0.0, 1.0, 0.123])))
    for _ in range(draw(st.integers(0, 8))):
        term = ring.constant(draw(st.sampled_from([1.0, -2.0, 0.5, 1e-7]) | st.floats(0.1, 10)))
        for atom in draw(st.lists(st.sampled_from(atoms), max_size=5)):
            term = term * atom
        total = total + term
    return total.pruned()


@given(harmonics(), st.integers(0, 1000), st.booleans())
def test_readable_is_exact(h, seed, together):
    found = readable(h, collect=("m1", "m2"), parallel=[("q1", "q2")] if together else [])
    assert_equal(found, h, seed)


@pytest.mark.parametrize("name", ["jpl_rrp", "puma560", "ur5", "scara", "parallelogram", "irb6"])
def test_mass_matrix_and_gravity_of_catalog_robots(name):
    setting = Setting.of(ad.load(name))
    writer = Writer(setting.ring, parallel=setting.parallel)
    rng = np.random.default_rng(5)
    values = {f"q{i + 1}": rng.uniform(-1, 1, 10) for i in range(setting.n)}
    for quantity in ("mass_matrix", "gravity"):
        for _, index, h in quantities.of(setting, quantity):
            found = writer.written(h)
            known = with_definitions(values, definitions(setting.ring, names_in([found]), writer))
            expected = h.evaluate(values)
            error = np.abs(evaluate(found, known) - expected).max()
            assert error <= EXACT * max(np.abs(expected).max(), 1.0), (quantity, index)


def test_opaque_symbols_are_defined_in_order(ring):
    q1 = ring.symbol("q1")
    w = sqrt(2 + cos(q1 * 0.5))
    h = w * sin(q1) / (1 + w)
    found = readable(h)
    defined = definitions(ring, names_in([found]))
    assert [d.function for d in defined][:2] == ["value", "sqrt"]
    values = {"q1": np.array([0.3, 1.1])}
    root = np.sqrt(2 + np.cos(values["q1"] / 2))
    expected = root * np.sin(values["q1"]) / (1 + root)
    np.testing.assert_allclose(evaluate(found, with_definitions(values, defined)), expected, rtol=1e-14)


# The report ------------------------------------------------------------------------------------
# [Bejczy1974] with r2 = d2, r6 = d6, r3 = q3, k_411 = k4xx and so on; (58) mended as errata of it say.

r2, r6, r3, g = (Symbol(name) for name in ("d2", "d6", "q3", "g"))
y2, z2, z3, y4, z4, z5, z6 = (Symbol(name) for name in ("y2", "z2", "z3", "y4", "z4", "z5", "z6"))
m1, m2, m3, m4, m5, m6 = (Symbol(f"m{i}") for i in range(1, 7))
K = {i: [Symbol(f"k{i}{axis}{axis}") ** 2 for axis in "xyz"] for i in range(1, 7)}
s2, s4, s5, s6 = (sine(i) for i in (2, 4, 5, 6))
c2, c4, c5, c6 = (cosine(i) for i in (2, 4, 5, 6))


def equation_58():
    """D_11."""
    k4, k5, k6 = K[4], K[5], K[6]
    return (
        m1 * K[1][1]
        + m2 * (K[2][0] * s2**2 + K[2][2] * c2**2 + r2 * (2 * y2 + r2))
        + m3 * (K[3][1] * s2**2 + K[3][2] * c2**2 + r3 * (2 * z3 + r3) * s2**2 + r2**2)
        + m4
        * (
            0.5 * k4[0] * (s2**2 * (2 * s4**2 - 1) + s2**2)
            + 0.5 * k4[1] * (1 + c2**2 - s2**2)
            + 0.5 * k4[2] * (s2**2 * (1 - 2 * s4**2) + s2**2)
            + (r3**2 * s2**2 + r2**2 - 2 * y4 * r3 * s2**2 + 2 * z4 * (r2 * s4 + r3 * s2 * c2 * c4))
        )
        + m5
        * (
            0.5 * (-k5[0] + k5[1] + k5[2]) * ((s2 * s5 - c2 * s4 * c5) ** 2 + c4**2 * c5**2)
            + 0.5 * (k5[0] - k5[1] + k5[2]) * (s4**2 + c2**2 * c4**2)
            + 0.5 * (k5[0] + k5[1] - k5[2]) * ((s2 * c5 + c2 * s4 * s5) ** 2 + c4**2 * s5**2)
            + (r3**2 * s2**2 + r2**2)
            + 2 * z5 * (r3 * (s2**2 * c5 + s2 * c2 * s4 * s5) - r2 * c4 * s5)
        )
        + m6
        * (
            0.5
            * (-k6[0] + k6[1] + k6[2])
            * ((s2 * s5 * c6 - c2 * s4 * c5 * c6 - c2 * c4 * s6) ** 2 + (c4 * c5 * c6 - s4 * s6) ** 2)
            + 0.5
            * (k6[0] - k6[1] + k6[2])
            * ((c2 * s4 * c5 * s6 - s2 * s5 * s6 - c2 * c4 * c6) ** 2 + (c4 * c5 * s6 + s4 * c6) ** 2)
            + 0.5 * (k6[0] + k6[1] - k6[2]) * ((c2 * s4 * s5 + s2 * c5) ** 2 + c4**2 * s5**2)
            + (r6 * c2 * s4 * s5 + (r6 * c5 + r3) * s2) ** 2
            + (r6 * c4 * s5 - r2) ** 2
            + 2
            * z6
            * (
                r6 * (s2**2 * c5**2 + c4**2 * s5**2 + c2**2 * s4**2 * s5**2 + 2 * s2 * c2 * s4 * s5 * c5)
                + r3 * (s2 * c2 * s4 * s5 + s2**2 * c5)
                - r2 * c4 * s5
            )
        )
    )


def equation_60():
    """D_22."""
    k4, k5, k6 = K[4], K[5], K[6]
    bracket = s4**2 * c5**2 + s5**2 - c4**2
    return (
        m2 * K[2][1]
        + m3 * (K[3][0] + r3 * (2 * z3 + r3))
        + m4 * (k4[0] * c4**2 + k4[2] * s4**2 + r3 * (r3 - 2 * y4))
        + m5 * (k5[0] * c4**2 * c5**2 + k5[1] * s4**2 + k5[2] * c4**2 * s5**2 + r3 * (r3 + 2 * z5 * c5))
        + m6
        * (
            0.5 * k6[0] * ((s6**2 - c6**2) * bracket + c5 * (c5 - 4 * s4 * c4 * s6 * c6) + s4**2 * s5**2)
            + 0.5 * k6[1] * ((c6**2 - s6**2) * bracket + c5 * (c5 + 4 * s4 * c4 * s6 * c6) + s4**2 * s5**2)
            + k6[2] * c4**2 * s5**2
            + (r3 * (2 * r6 * c5 + r3) + r6**2 * (s4**2 * s5**2 + c5**2))
            + 2 * z6 * ((r3 + r6 * c5) * c5 + r6 * s4**2 * s5**2)
        )
    )


def equation_64():
    """D_44."""
    k5, k6 = K[5], K[6]
    return (
        m4 * K[4][1]
        + m5 * (k5[0] * s5**2 + k5[2] * c5**2)
        + m6 * (k6[0] * s5**2 * c6**2 + k6[1] * s5**2 * s6**2 + k6[2] * c5**2 + r6 * (2 * z6 + r6) * s5**2)
    )


def equation_48():
    """D_2, whose negative stands on the left side."""
    return g * (
        m2 * z2 * s2
        + m3 * (z3 + r3) * s2
        + m4 * (r3 * s2 - y4 * s2 + z4 * c2 * c4)
        + m5 * (z5 * (s2 * c5 + c2 * s4 * s5) + r3 * s2)
        + m6 * ((z6 + r6) * (c2 * s4 * s5 + s2 * c5) + r3 * s2)
    )


def equation_52():
    """D_4."""
    return g * (-m4 * z4 * s4 + m5 * z5 * c4 * s5 + m6 * (z6 + r6) * c4 * s5) * s2


def equation_54():
    """D_5."""
    return g * (m5 * z5 + m6 * (z6 + r6)) * (s2 * s4 * c5 + c2 * s5)


@pytest.fixture(scope="module")
def jpl_rrp():
    return Setting.of(ad.load("jpl_rrp"), "none", parameters="symbolic")


MASSES = [f"m{i}" for i in range(1, 7)]


@pytest.mark.parametrize(
    ("quantity", "index", "printed"),
    [
        ("mass_matrix", (1, 1), equation_58()),
        ("mass_matrix", (2, 2), equation_60()),
        ("mass_matrix", (4, 4), equation_64()),
        ("gravity", (2,), -equation_48()),
        ("gravity", (4,), -equation_52()),
        ("gravity", (5,), -equation_54()),
    ],
    ids=["58", "60", "64", "48", "52", "54"],
)
@pytest.mark.parametrize("hinted", [False, True])
def test_no_longer_than_the_report(jpl_rrp, quantity, index, printed, hinted):
    h = next(h for _, at, h in quantities.of(jpl_rrp, quantity) if at == index)
    assert_equal(printed, h)
    found = readable(
        h,
        collect=MASSES,
        parallel=jpl_rrp.parallel,
        hints=unit_motions(jpl_rrp) if hinted else (),
    )
    assert_equal(found, h)
    ours, theirs = operations(found), operations(printed)
    assert ours.multiplications <= theirs.multiplications
    assert ours.additions <= theirs.additions


def test_masses_are_collected_as_in_the_report(jpl_rrp):
    h = next(h for _, at, h in quantities.of(jpl_rrp, "mass_matrix") if at == (1, 1))
    found = readable(h, collect=MASSES)
    assert isinstance(found, Sum)
    first = [next(part for part in walk(term) if isinstance(part, Symbol)).name for term in found.terms]
    assert first == MASSES


def test_the_same_form_every_time(jpl_rrp):
    h = next(h for _, at, h in quantities.of(jpl_rrp, "mass_matrix") if at == (1, 2))
    backwards = type(h)(h.ring, dict(reversed(list(h.terms.items()))))
    assert readable(h, collect=MASSES) == readable(backwards, collect=MASSES)

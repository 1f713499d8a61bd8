"""Printed expressions: LaTeX and Markdown to read, SymPy, Python and C that compute the same."""

import ctypes
import shutil
import subprocess

import numpy as np
import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

import armdyn as ad
from armdyn.equations import quantities
from armdyn.equations.expression import (
    Cosine,
    Expression,
    Number,
    Sine,
    Symbol,
    evaluate,
    operations,
    power,
    product,
    total,
)
from armdyn.equations.printing import (
    Function,
    aligned,
    to_c,
    to_latex,
    to_markdown,
    to_python,
    to_sympy,
    to_text,
)
from armdyn.equations.printing import definitions as latex_definitions
from armdyn.equations.printing.names import code_angle, latex_name
from armdyn.equations.readable import Definition, Writer, definitions, names_in
from armdyn.equations.setting import Setting
from armdyn.equations.sharing import shared
from armdyn.scalars import cos, sin, sqrt
from armdyn.scalars.harmonic import Ring

ROUNDING = 1e-12  # the same sums, in another order

a, b, q3 = Symbol("a"), Symbol("b"), Symbol("q3")
s2, c2 = Sine((("q2", 1),)), Cosine((("q2", 1),))
c23 = Cosine((("q2", 1), ("q3", 1)))
double = Sine((("q2", 2),))


# LaTeX -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("m4", "m_4"),
        ("k4xx", "k_{4xx}"),
        ("kk4xy", "k_{4xy}^2"),
        ("mL", "m_L"),
        ("kLxx", "k_{Lxx}"),
        ("z4", "z_4"),
        ("g", "g"),
        ("gx", "g_x"),
        ("q1", "q_1"),
        ("q12", "q_{12}"),
        ("qd1", r"\dot q_1"),
        ("qdd2", r"\ddot q_2"),
        ("phi1", r"\varphi_1"),
        ("theta1", r"\theta_1"),
        ("Im1", "I_{m1}"),
        ("Ia3", "I_{a3}"),
        ("kr1", "k_{r1}"),
        ("kr1_elbow", r"k_{r1,\mathrm{elbow}}"),
        ("l4x", "l_{4x}"),
        ("d10", "d_{10}"),
        ("w1", "w_1"),
        ("link2.m", r"m_{\mathrm{link2}}"),
        ("upper_arm.mcx", r"mc_{x,\mathrm{upper\_arm}}"),
        ("link2.Ixy", r"I_{xy,\mathrm{link2}}"),
        ("motor1.stage1.I", r"I_{\mathrm{motor1.stage1}}"),
        ("joint1.viscous", r"\mathrm{viscous}_{\mathrm{joint1}}"),
    ],
)
def test_names_in_latex(name, expected):
    assert latex_name(name) == expected


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        (Number(0.5), r"\frac{1}{2}"),
        (Number(-1 / 3), r"-\frac{1}{3}"),
        (Number(3.0), "3"),
        (Number(0.3), "0.3"),
        (Number(122.5), "122.5"),
        (Number(0.123456789), "0.123457"),
        (Number(1.5e-9), r"1.5 \cdot 10^{-9}"),
        (s2, "s_2"),
        (s2**2, "s_2^2"),
        (c23, "c_{23}"),
        (double, r"{\sin 2 q_2}"),
        (Cosine((("q2", 1), ("q3", -1))), r"{\cos\left(q_2 - q_3\right)}"),
        (Cosine((("q2", 1), ("q10", 1))), r"{\cos\left(q_2 + q_{10}\right)}"),
        (-a, "-a"),
        (-a - b, "-a - b"),
        (2 * a * (b - s2) ** 2, r"2 a \left(b - s_2\right)^2"),
        (a - b * (a + 1), r"a - b \left(a + 1\right)"),
        (a - -1 * (b + 1), r"a + b + 1"),
        (Symbol("kk4xy") ** 2, r"\left(k_{4xy}^2\right)^2"),
        (a * b**-1, r"\frac{a}{b}"),
        (a**-2, r"\frac{1}{a^2}"),
        ((a + 1) * b**-1, r"\frac{a + 1}{b}"),
        (-(b**-1), r"-\frac{1}{b}"),
    ],
)
def test_latex(expression, expected):
    assert to_latex(expression) == expected


def test_latex_spells_sines_out():
    assert to_latex(s2**2 * c23, short=False) == r"{\sin^2 q_2} {\cos\left(q_2 + q_3\right)}"


def test_markdown_of_one_and_of_many():
    assert to_markdown([("H_{11}", a + b)]) == "$$\nH_{11} = a + b\n$$\n"
    table = to_markdown([(f"H_{{1{i}}}", a * s2 + i) for i in range(1, 6)])
    assert table.count("\n") == 7
    assert "| $H_{12}$ | $a s_2 + 2$ | 1 | 1 |" in table


def test_markdown_says_what_symbols_stand_for():
    where = [Definition("w1", "sqrt", a + 1), Definition("theta1", "value", 0.3 * Symbol("q1"))]
    text = to_markdown([("g_1", Symbol("w1") * a)], where=where)
    assert text.endswith("where $w_1 = \\sqrt{a + 1}$, $\\theta_1 = 0.3 q_1$\n")


def test_long_sums_are_set_term_by_term():
    expression = total(Symbol(f"m{i}") * Symbol(f"k{i}xx") ** 2 * (-1 if i == 2 else 1) for i in range(1, 9))
    text = to_markdown([("H_{11}", expression)])
    assert text.count("\\\\") == 7
    assert "& - m_2 k_{2xx}^2" in text
    assert "\\begin{aligned}" in aligned("x", expression)  # pyright: ignore[reportArgumentType]


def test_definitions_in_latex():
    ring = Ring()
    w = sqrt(2 + cos(ring.symbol("q1")))
    assert latex_definitions(ring, w.names) == [("w_1", r"\sqrt{2 + c_1}")]


# Random expressions ----------------------------------------------------------------------------

ATOMS = [a, b, q3, s2, c2, c23, double, Symbol("qd1")]
NAMES = ("a", "b", "q2", "q3", "qd1")


def compound(inner):
    return (
        st.lists(inner, min_size=2, max_size=4).map(total)
        | st.lists(inner, min_size=2, max_size=3).map(product)
        | st.tuples(inner, st.sampled_from([2, 3])).map(lambda x: power(*x))
        | inner.map(lambda x: -x)
    )


numbers = st.sampled_from([1.0, -1.0, 2.0, 0.5, 1 / 3, 0.123456789012345])
expressions: st.SearchStrategy[Expression] = st.recursive(
    st.sampled_from(ATOMS) | numbers.map(Number), compound, max_leaves=12
)


def some_values(seed):
    rng = np.random.default_rng(seed)
    return {name: float(rng.uniform(0.3, 1.3)) for name in NAMES}


def close(found, expected):
    return abs(found - expected) <= ROUNDING * (1 + abs(expected)) * 100


@given(expressions, st.integers(0, 99))
def test_text_is_python(expression, seed):
    values = some_values(seed)
    found = eval(to_text(expression), {"sin": np.sin, "cos": np.cos, **values})
    assert close(found, evaluate(expression, values))


@given(expressions, st.integers(0, 99))
def test_sympy_computes_the_same(expression, seed):
    values = some_values(seed)
    symbols = [sympy.Symbol(name, real=True) for name in NAMES]
    found = sympy.lambdify(symbols, to_sympy(expression), "math")(*values.values())
    assert close(found, evaluate(expression, values))


def test_sympy_keeps_the_form_and_simple_fractions():
    found = to_sympy(0.5 * a * (b + s2) + a * b)
    x, y, q2 = (sympy.Symbol(name, real=True) for name in ("a", "b", "q2"))
    assert found.count_ops() == 6
    assert sympy.simplify(found - (x * (y + sympy.sin(q2)) / 2 + x * y)) == 0
    assert to_sympy(Number(0.5)) == sympy.Rational(1, 2)


@given(st.lists(expressions, min_size=1, max_size=4), st.integers(0, 99))
def test_sharing_keeps_values_and_adds_no_operation(found, seed):
    named, results = shared(found)
    values = some_values(seed)
    expected = [evaluate(expression, values) for expression in found]
    for name, expression in named:
        values[name] = float(evaluate(expression, values))
    assert all(close(evaluate(r, values), x) for r, x in zip(results, expected, strict=True))
    after = sum(operations(x).total for x in (*(e for _, e in named), *results))
    assert after <= sum(operations(x).total for x in found)


def test_sharing_finds_pairs():
    c = Symbol("c")
    named, results = shared([a * b * c, 2 * a * b, (a + c) * b, 1 - a - c])
    assert {expression for _, expression in named} == {a * b, a + c}
    assert operations(results[3]).total == 1


# Code ------------------------------------------------------------------------------------------


def function_of(elements, shape, **options):
    return Function("f", elements, shape, 3, **options)


def run_python(function, *arguments, **parameters):
    space = {}
    exec(to_python(function), space)
    return space[function.name](*arguments, **parameters)


@given(st.lists(expressions, min_size=1, max_size=4))
def test_python_computes_the_same(found):
    function = function_of({(i + 1,): x for i, x in enumerate(found)}, (len(found) + 1,))
    values = some_values(1)
    given_q = {"q": [0.0, values["q2"], values["q3"]], "qd": [values["qd1"], 0.0, 0.0]}
    parameters = {name: values[name] for name in function.parameters}
    result = run_python(function, *(given_q[name] for name in function.arguments), **parameters)
    assert result.shape == (len(found) + 1,)
    assert result[-1] == 0
    assert all(close(x, evaluate(e, values)) for x, e in zip(result, found, strict=False))


def test_parameters_have_their_numbers_as_defaults():
    function = function_of({(): a * s2 + b}, (), values={"a": 2.0})
    assert run_python(function, [0.0, 0.5, 0.0], b=1.0) == pytest.approx(2 * np.sin(0.5) + 1)


def test_names_in_code():
    assert code_angle((("q2", 1), ("q3", 1))) == "23"
    assert code_angle((("q2", 1), ("q10", 1))) == "_q2_q10"
    assert code_angle((("q12", 1),)) != code_angle((("q1", 1), ("q2", 1)))
    assert code_angle((("q2", 2), ("q3", -1))) == "_2q2_mq3"


def test_names_of_shared_parts_avoid_parameters():
    t1 = Symbol("t1")
    function = function_of({(1,): t1 * (a + b), (2,): (a + b) * b}, (2,))
    np.testing.assert_allclose(run_python(function, [0, 0, 0], t1=2.0, a=3.0, b=4.0), [14, 28])


def opaque_function():
    ring = Ring()
    q1, q2 = ring.symbol("q1"), ring.symbol("q2")
    w = sqrt(2 + cos(q1 * 0.5))
    h = w * sin(q2) / (1 + w)
    expression = Writer(ring).written(h)
    where = definitions(ring, names_in([expression]))
    return function_of({(1,): expression}, (1,), definitions=where), h


def test_opaque_symbols_are_computed():
    function, h = opaque_function()
    found = run_python(function, [0.4, 0.7, 0.0])
    assert found[0] == pytest.approx(float(h.evaluate({"q1": 0.4, "q2": 0.7})), rel=1e-14)


def mass_matrix(name, parameters):
    setting = Setting.of(ad.load(name), parameters=parameters)
    writer = Writer(setting.ring, parallel=setting.parallel)
    harmonics = {index: h for _, index, h in quantities.of(setting, "mass_matrix")}
    elements = {index: writer.written(h) for index, h in harmonics.items()}
    function = Function(
        "mass_matrix",
        elements,
        (setting.n, setting.n),
        setting.n,
        symmetric=True,
        definitions=definitions(setting.ring, names_in(elements.values()), writer),
        values=setting.values,
        description=f"Mass matrix of {name}",
        output="H",
    )
    return function, ad.Dynamics(ad.load(name))


@pytest.mark.parametrize(
    ("name", "parameters"),
    [("planar2", "symbolic"), ("jpl_rrp", "symbolic"), ("lola15", "numeric"), ("irb6", "numeric")],
)
def test_mass_matrix_in_python(name, parameters):
    function, dynamics = mass_matrix(name, parameters)
    q = np.random.default_rng(2).uniform(-0.5, 0.5, function.n) + np.array(dynamics.robot.home)
    expected = dynamics.mass_matrix(q)
    found = run_python(function, q)
    np.testing.assert_allclose(found, expected, rtol=0, atol=ROUNDING * np.abs(expected).max())


# C ---------------------------------------------------------------------------------------------

compiler = shutil.which("cc")
needs_compiler = pytest.mark.skipif(compiler is None, reason="no C compiler on this machine")


def compiled(text, folder):
    (folder / "f.c").write_text(text)
    flags = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-shared", "-fPIC"]
    subprocess.run([str(compiler), *flags, "-o", "f.so", "f.c", "-lm"], check=True, cwd=folder)
    return ctypes.CDLL(str(folder / "f.so"))


def array(values):
    return np.ascontiguousarray(values, dtype=float).ctypes.data_as(ctypes.POINTER(ctypes.c_double))


@needs_compiler
@pytest.mark.parametrize("name", ["planar2", "irb6", "lola15"])
def test_mass_matrix_in_c(name, tmp_path):
    function, dynamics = mass_matrix(name, "numeric")
    library = compiled(to_c(function), tmp_path)
    q = np.random.default_rng(2).uniform(-0.5, 0.5, function.n) + np.array(dynamics.robot.home)
    found = np.full(function.shape, np.nan)
    library.mass_matrix(array(q), array(found))
    expected = dynamics.mass_matrix(q)
    np.testing.assert_allclose(found, expected, rtol=0, atol=ROUNDING * np.abs(expected).max())


@needs_compiler
def test_parameters_stand_in_a_structure_in_c(tmp_path):
    function, dynamics = mass_matrix("planar2", "symbolic")
    library = compiled(to_c(function), tmp_path)
    values = np.array([function.values[name] for name in function.parameters])
    q, found = np.array([0.3, 0.8]), np.full((2, 2), np.nan)
    library.mass_matrix(array(q), array(values), array(found))
    np.testing.assert_allclose(found, dynamics.mass_matrix(q), rtol=1e-12)


@needs_compiler
def test_scalars_rates_and_powers_in_c(tmp_path):
    expression = Symbol("qd1") ** 2 * (s2 + a * 0.5) ** 3 * (q3 + 2) ** -2 + 1 / 3
    function = function_of({(): expression}, ())
    library = compiled(to_c(function), tmp_path)
    library.f.restype = ctypes.c_double
    values = some_values(4)
    q, qd = np.array([0.0, values["q2"], values["q3"]]), np.array([values["qd1"], 0.0, 0.0])
    found = library.f(array(q), array(qd), array([values["a"]]))
    assert close(found, evaluate(expression, values))


@needs_compiler
def test_opaque_symbols_are_computed_in_c(tmp_path):
    function, h = opaque_function()
    library = compiled(to_c(function), tmp_path)
    found = np.zeros(1)
    library.f(array([0.4, 0.7, 0.0]), array(found))
    assert found[0] == pytest.approx(float(h.evaluate({"q1": 0.4, "q2": 0.7})), rel=1e-14)

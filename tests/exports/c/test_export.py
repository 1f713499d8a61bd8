"""Exported C: it compiles without a warning, passes its own test, and says what `Dynamics` says."""

import ctypes
import re
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import armdyn as ad
from armdyn.errors import InputError
from armdyn.exports.c import c_files, export_c
from armdyn.exports.c.quantities import NAMES
from c_compilers import COMPILERS, Library, built, needs_compiler, one_of, run

pytestmark = needs_compiler
CATALOG = ad.catalog()
SHORT = ("inverse", "forward", "jacobian")
HELD = ("scara", "puma560")
"""Robots whose dry friction holds them; that of the first acts at motors that several joints turn."""
STATES = 40


def passes(folder: Path, prefix: str, compiler: str) -> str:
    return run([str(built(folder, [f"{prefix}.c", f"{prefix}_selftest.c"], compiler))], folder)


# Self-tests -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", CATALOG)
def test_every_robot_of_the_catalog_passes_its_self_test(name: str, tmp_path: Path) -> None:
    export_c(ad.load(name), tmp_path, quantities=SHORT, prefix="r")
    said = passes(tmp_path, "r", one_of(CATALOG.index(name)))
    assert said.endswith("ok\n")
    assert said.count("ok    ") == len(SHORT)


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize(
    "options",
    [
        {"single": True, "quantities": ("inverse", "forward", "mass_matrix", "pose")},
        {"payload": True, "wrench": True, "at": True, "base": True, "quantities": ("inverse", "forward")},
        {"payload": True, "quantities": ("gravity", "bias", "mass_matrix", "coriolis_matrix")},
        {"quantities": ("inverse_derivatives", "linearisation", "kinetic_energy", "rk4_step")},
    ],
    ids=["single", "surroundings", "payload", "more quantities"],
)
def test_variants_pass_with_every_compiler(options, compiler: str, tmp_path: Path) -> None:
    export_c(ad.load("planar3"), tmp_path, prefix="r", **options)
    assert passes(tmp_path, "r", compiler).endswith("ok\n")


@pytest.mark.parametrize("name", HELD)
@pytest.mark.parametrize("single", [False, True])
def test_friction_passes(name: str, single: bool, tmp_path: Path) -> None:
    export_c(ad.load(name), tmp_path, friction=True, single=single, quantities=SHORT, prefix="r")
    assert passes(tmp_path, "r", one_of(single)).endswith("ok\n")


def test_a_wrong_number_fails(tmp_path: Path) -> None:
    export_c(ad.load("planar2"), tmp_path, quantities=["gravity"], prefix="r")
    source = (tmp_path / "r.c").read_text()
    found = re.search(r"\d\.\d{3,}(?=[^;]*;\s+const double seen)|9\.\d+|\d+\.\d\d+ \* c1", source)
    assert found is not None
    (tmp_path / "r.c").write_text(source.replace(found[0], f"1.0001 * {found[0]}", 1))
    program = built(tmp_path, ["r.c", "r_selftest.c"], COMPILERS[0])
    with pytest.raises(AssertionError, match="FAILED r_gravity"):
        run([str(program)], tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("name", CATALOG)
@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"single": True},
        {"friction": True},
        {"payload": True, "friction": True},
        {"payload": True, "wrench": True, "at": True, "base": True},
    ],
    ids=str,
)
def test_everything_passes(name: str, compiler: str, options, tmp_path: Path) -> None:
    export_c(ad.load(name), tmp_path, prefix="r", **options)
    assert passes(tmp_path, "r", compiler).endswith("ok\n")
    built(tmp_path, ["r.c", "r_example.c"], compiler)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["ur5", "scara", "irb6", "lola15"])
@pytest.mark.parametrize("quantity", [*NAMES])
def test_every_quantity_passes(name: str, quantity: str, tmp_path: Path) -> None:
    try:
        export_c(ad.load(name), tmp_path, quantities=[quantity], friction=True, prefix="r")
    except ad.ArmdynError as error:  # no drives, no torque constants
        pytest.skip(str(error))
    assert passes(tmp_path, "r", COMPILERS[0]).endswith("ok\n")


# Agreement ------------------------------------------------------------------------------------


def states(dyn: ad.Dynamics) -> tuple[np.ndarray, ...]:
    """q, qd, tau: in motion, partly at rest, and at rest near what friction holds."""
    rng = np.random.default_rng(7)
    q, qd, qdd, share = rng.uniform(-1, 1, (4, STATES, dyn.n))
    qd[::3, ::2] = 0.0
    qd[1::3] = 0.0
    tau = np.where(qd.any(axis=1, keepdims=True), dyn.inverse(q, qd, qdd), dyn.gravity(q))
    return q, qd, tau * (1 + 0.4 * share)


@pytest.mark.parametrize("name", HELD)
def test_what_friction_holds_is_the_same(name: str, tmp_path: Path) -> None:
    robot = ad.load(name)
    export_c(robot, tmp_path, friction=True, quantities=["forward"], prefix="r")
    library, dyn = Library(tmp_path, "r.c"), ad.Dynamics(robot, friction=True)
    q, qd, tau = states(dyn)
    expected = dyn.forward(q, qd, tau)
    assert (expected == 0).any(), "nothing is held"
    for k in range(STATES):
        status, (found,) = library("r_forward", [q[k], qd[k], tau[k]], (dyn.n,))
        assert status == 0
        assert np.array_equal(found == 0, expected[k] == 0)
        np.testing.assert_allclose(found, expected[k], rtol=1e-8, atol=1e-8 * np.abs(expected[k]).max())


def test_a_payload_at_run_time_is_one_of_the_robot(tmp_path: Path) -> None:
    robot, quantities = ad.load("ur5"), ("inverse", "forward", "gravity", "bias", "mass_matrix")
    export_c(robot, tmp_path, payload=True, quantities=quantities, prefix="r")
    library = Library(tmp_path, "r.c")
    mass, com, tensor = (
        2.5,
        (0.02, -0.01, 0.08),
        ((0.02, 0.001, 0.0), (0.001, 0.03, 0.002), (0.0, 0.002, 0.025)),
    )
    payload = np.array([mass, *com, 0.02, 0.03, 0.025, 0.001, 0.0, 0.002])
    dyn = ad.Dynamics(robot.with_payload(mass, com, tensor), friction=False)
    n = robot.n
    for q, qd, x in np.random.default_rng(3).uniform(-2, 2, (5, 3, n)):
        given = {
            "inverse": (q, qd, x),
            "forward": (q, qd, x),
            "gravity": (q,),
            "bias": (q, qd),
            "mass_matrix": (q,),
        }
        for name, inputs in given.items():
            shape = (n, n) if name == "mass_matrix" else (n,)
            status, (found,) = library(f"r_{name}", [*inputs, payload], shape)
            expected = getattr(dyn, name)(*inputs)
            assert status == 0
            np.testing.assert_allclose(found, expected, rtol=0, atol=1e-11 * np.abs(expected).max())


def test_results_may_lie_where_inputs_lie(tmp_path: Path) -> None:
    robot = ad.load("planar3")
    export_c(robot, tmp_path, quantities=["inverse"], prefix="r")
    library, dyn = Library(tmp_path, "r.c"), ad.Dynamics(robot, friction=False)
    q, qd, qdd = np.random.default_rng(0).uniform(-1, 1, (3, robot.n))
    expected, address = dyn.inverse(q, qd, qdd), [x.ctypes.data for x in (q, qd, qdd)]
    function = library._functions.r_inverse
    function.argtypes = [ctypes.c_void_p] * 4
    assert function(*address, address[0]) == 0
    np.testing.assert_allclose(q, expected, rtol=1e-13)


def test_statuses(tmp_path: Path) -> None:
    robot = ad.load("planar2")
    export_c(robot, tmp_path, quantities=["inverse", "forward", "gravity", "power"], prefix="r")
    library = Library(tmp_path, "r.c")
    zero = np.zeros(2)
    for name in ("r_inverse", "r_forward"):
        assert library(name, [zero, zero, zero], (2,))[0] == 0
        for k in range(3):
            for bad in (np.nan, np.inf, -np.inf):
                given = [zero.copy(), zero.copy(), zero.copy()]
                given[k][1] = bad
                assert library(name, given, (2,))[0] == 1, f"{name}, {bad} in input {k}"


# What a controller asks of code ---------------------------------------------------------------


def test_nothing_is_global_and_nothing_is_allocated(tmp_path: Path) -> None:
    if not shutil.which("nm"):
        pytest.skip("nm is not here")
    export_c(ad.load("scara"), tmp_path, friction=True, prefix="r")
    run([COMPILERS[0], "-std=c99", "-O2", "-c", "r.c", "-o", "r.o"], tmp_path)
    symbols = [line.split() for line in run(["nm", "r.o"], tmp_path).splitlines()]
    kinds = {symbol[-1]: symbol[-2] for symbol in symbols}
    assert set(kinds.values()) <= {"T", "t", "U", "r"}  # functions, and constants of their own
    assert {name for name, kind in kinds.items() if kind == "U"} <= {
        *("sin", "cos", "sincos", "sqrt", "fmod", "fabs"),
        *("_GLOBAL_OFFSET_TABLE_", "__stack_chk_fail"),
    }
    assert {name for name, kind in kinds.items() if kind == "T"} == {
        f"r_{q}" for q in ("inverse", "forward", "gravity", "mass_matrix", "jacobian", "pose")
    }


def test_the_same_robot_gives_the_same_text() -> None:
    first, second = (c_files(ad.load("scara"), friction=True)[0] for _ in range(2))
    assert first == second


def test_single_precision_knows_no_double() -> None:
    files, _ = c_files(ad.load("scara"), single=True, friction=True)
    code = re.sub(r"/\*.*?\*/", "", files["scara.c"], flags=re.S)
    assert "double" not in code
    assert not re.search(r"\b\d+\.\d+(e[-+]?\d+)?(?![\dfe.])", code), "a constant without f"
    assert not re.search(r"\b(sin|cos|sqrt|fabs|fmod)\(", code)


def test_comments_tell_which_body_statements_stem_from() -> None:
    files, _ = c_files(ad.load("ur5"), quantities=["inverse", "forward"])
    text = files["ur5.c"]
    inverse, forward = text.split("int ur5_forward")
    outwards = [text.index(f"/* body {k} (") for k in range(1, 7)]
    assert outwards == sorted(outwards)
    assert inverse.index("body 6 (wrist_3_link), outwards") < inverse.index("body 4 (wrist_1_link), inwards")
    assert "/* linear system */" in forward


def test_no_name_can_break_out(tmp_path: Path) -> None:
    """Names of robot, bodies and joints stand in comments and strings only."""
    evil = 'x */ int evil; /* ??/\n#error "%s" \\\n\u00e9\u2028*/'
    arm = ad.load("planar2")
    bodies = [
        replace(
            body,
            name=f"{body.name}{evil}",
            parent=body.parent if k == 0 else f"{arm.bodies[k - 1].name}{evil}",
            joint=replace(body.joint, name=f"{body.joint.name}{evil}"),
        )
        for k, body in enumerate(arm.bodies)
    ]
    tool = replace(arm.tool, body=f"{arm.tool.body}{evil}")
    robot = ad.Robot(name=evil, bodies=tuple(bodies), tool=tool, home=arm.home)
    files, _ = c_files(robot, quantities=["inverse", "forward"])
    for text in files.values():
        assert text.isascii()
        assert "evil;" not in re.sub(r"/\*.*?\*/", "", text, flags=re.S)
        assert "??" not in text
    export_c(robot, tmp_path, quantities=["inverse", "forward"], prefix="r")
    passes(tmp_path, "r", COMPILERS[0])


@pytest.mark.parametrize("name", ["double", "6 axis", "", "ß", "_x", "a" * 80, "sinf", "main"])
def test_names_are_names_of_c(name: str, tmp_path: Path) -> None:
    robot = replace(ad.load("pendulum"), name=name or "?")
    files = export_c(robot, tmp_path, quantities=["inverse", "inverse_derivatives"]).files
    prefix = files[0].stem
    assert re.fullmatch(r"[a-z][a-z0-9_]*", prefix)
    assert len(f"{prefix}_inverse_derivatives") <= 31
    passes(tmp_path, prefix, COMPILERS[0])


def test_the_example_runs(tmp_path: Path) -> None:
    export_c(ad.load("planar2"), tmp_path, quantities=["inverse", "forward"], prefix="r")
    for compiler in COMPILERS:
        said = run([str(built(tmp_path, ["r.c", "r_example.c"], compiler)), "0.05"], tmp_path)
        assert re.search(r"50 cycles at 1000 Hz", said)
        assert re.search(r"mean \d+ ns, p99 \d+ ns, max \d+ ns", said)


def test_cmake_builds_and_tests_it(tmp_path: Path) -> None:
    if not shutil.which("cmake") or not shutil.which("ctest"):
        pytest.skip("cmake is not here")
    export_c(ad.load("planar2"), tmp_path, quantities=["inverse", "forward"], prefix="r")
    run(["cmake", "-S", ".", "-B", "build"], tmp_path)
    run(["cmake", "--build", "build"], tmp_path)
    assert "100% tests passed" in run(["ctest", "--test-dir", "build"], tmp_path)


# Bad input ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"quantities": ["torque"]}, r'no quantity "torque" in C; .*expected some of inverse, forward'),
        ({"quantities": []}, "no quantities to export"),
        ({"quantities": ["invers"]}, 'did you mean "inverse"'),
        ({"prefix": "2x"}, 'prefix "2x", expected a name of C'),
        ({"prefix": "x" * 30}, "expected a name of C of 19 characters at most"),
        ({"quantities": ["motor_position"]}, "motor_position has no elements, it needs drives"),
        ({"payload": True, "quantities": ["body_poses"]}, "does not take a payload at run time"),
    ],
)
def test_what_cannot_be_is_refused(options, message: str, tmp_path: Path) -> None:
    with pytest.raises(ad.ArmdynError, match=message):
        export_c(ad.load("ur5"), tmp_path / "new", **options)
    assert not (tmp_path / "new").exists()


def test_friction_under_load_is_not_for_single_precision(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="export doubles, or leave friction off"):
        export_c(ad.load("lola15"), tmp_path, friction=True, single=True)


def test_a_folder_that_cannot_be(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("here")
    with pytest.raises(InputError, match="a file stands where the folder should be"):
        export_c(ad.load("pendulum"), tmp_path / "file" / "below", quantities=["inverse"])
    (tmp_path / "pendulum.c").mkdir()
    with pytest.raises(InputError, match=r"pendulum\.c: cannot be written, Is a directory"):
        export_c(ad.load("pendulum"), tmp_path, quantities=["inverse"])


def test_what_is_lost_is_said(tmp_path: Path) -> None:
    lost = export_c(ad.load("scara"), tmp_path, quantities=["inverse"]).lost
    assert lost == ("friction: it is off, torques and accelerations are without it",)
    lost = export_c(ad.load("scara"), tmp_path, quantities=["linearisation"], friction=True).lost
    assert len(lost) == 1
    assert "holds something return a status" in lost[0]
    assert export_c(ad.load("ur5"), tmp_path, quantities=["inverse"]).lost == ()

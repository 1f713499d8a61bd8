"""[Bejczy1974]: the matrices U of Appendix A, the coefficients of jpl_rrp, the rules of Appendix D."""

import json
import math
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import armdyn as ad
from armdyn.mechanics import lagrange_euler
from armdyn.mechanics.lagrange_euler import coefficients, partial_derivatives
from armdyn.mechanics.lagrangian.compact_form import CompactForm
from armdyn.mechanics.tree import tree
from armdyn.mechanics.tree.links import Tree

DATA = Path(__file__).parents[1] / "data"
APPENDIX_A = json.loads((DATA / "bejczy1974_appendix_a.json").read_text())
STATES = json.loads((DATA / "reference.json").read_text())["jpl_rrp"]["states"]
LOAD = json.loads((DATA / "reference.json").read_text())["jpl_rrp"]["parameters"]["load"]

REFERENCE_DIGITS = 1e-9
"""Relative to the largest value: two implementations, each of some hundred rounded operations."""
SAME = 1e-13
"""The same products in another order."""
APART = 1e-3
"""A wrong sign shows by far more than rounding."""

SEEN = 1e-6
"""Far above rounding, far below the wrist's coefficients of 1e-3 kg m2."""

PRINTED: dict[str, list[list[str]]] = APPENDIX_A["printed"]
ERRATA: dict[str, dict[str, str]] = {e["element"]: e for e in APPENDIX_A["errata"]}
POSTURES = np.random.default_rng(1974).uniform(-2, 2, (5, 6)).tolist()
BODIES = ["link1", "link2", "boom", "link4", "link5", "hand"]


def jpl_rrp(loaded: bool = False) -> Tree:
    """Links only; the load is a cube of 1.8 kg at the origin of frame 6."""
    robot = ad.load("jpl_rrp")
    if loaded:
        robot = robot.with_payload(LOAD["m"], inertia=(LOAD["Ic"],) * 3 + (0.0,) * 3)
    return tree(robot, "none")


def close(value: Any, reference: Any, relative: float = SAME) -> None:
    size = max(1.0, float(np.abs(np.asarray(reference, dtype=float)).max()))
    np.testing.assert_allclose(np.asarray(value, dtype=float), reference, rtol=0, atol=relative * size)


# Appendix A -----------------------------------------------------------------------------------


def value(text: str, q: list[float]) -> float:
    """A printed element at a posture; a space between two factors is a product."""
    python = text.replace("{", "(").replace("}", ")")
    python = re.sub(r"(?<=[\w)])\s*(?=\()|(?<=\w)\s+(?=\w)", "*", python)
    names = {"r2": 0.162, "r3": q[2], "r6": 0.2476}
    for k, angle in enumerate(q, 1):
        names |= {f"s{k}": math.sin(angle), f"c{k}": math.cos(angle)}
    return eval(python, {"__builtins__": {}}, names)


def corrected(name: str, row: int, column: int) -> str:
    erratum = ERRATA.get(f"{name}[{row + 1},{column + 1}]")
    return erratum["right"] if erratum else PRINTED[name][row][column]


def ours(name: str, q: list[float]) -> Any:
    """U_ji = dT_j/dq_i of the report's frame j, which is a body's."""
    built = jpl_rrp()
    j, i = (int(digit) - 1 for digit in name[1:])
    return partial_derivatives(built, q).of_frame(built.frames[BODIES[j]], i)


@pytest.mark.parametrize("q", POSTURES)
@pytest.mark.parametrize("name", PRINTED)
def test_matrices_of_appendix_a(name: str, q: list[float]) -> None:
    """All elements of all 21, (A.1) to (A.21), with the five errata corrected."""
    close(ours(name, q), [[value(corrected(name, r, c), q) for c in range(4)] for r in range(4)])


def test_all_matrices_are_there_and_all_others_zero() -> None:
    built, q = jpl_rrp(), POSTURES[0]
    U = partial_derivatives(built, q)
    assert len(PRINTED) == 21
    for j, body in enumerate(BODIES):
        for i in range(6):
            assert np.any(U.of_frame(built.frames[body], i)) == (f"U{j + 1}{i + 1}" in PRINTED) == (i <= j)


@pytest.mark.parametrize("element", ["U21[1,3]", "U52[3,3]", "U65[3,2]"])
def test_signs_are_wrong_in_print(element: str) -> None:
    name, row, column = element[:3], int(element[4]) - 1, int(element[6]) - 1
    for q in POSTURES:
        assert abs(value(PRINTED[name][row][column], q) - ours(name, q)[row][column]) > APART


@pytest.mark.parametrize(
    ("element", "reading"),
    [
        ("U61[2,4]", "{r6(s1 c4 s5 + c1 c2 s4 s5 + c1 s2 c5 + (r3 c1 s2 - r2 s1))}"),
        ("U54[1,2]", "-s1 c4 + c1 c2 s4"),
    ],
)
def test_parentheses_are_missing_in_print(element: str, reading: str) -> None:
    """As printed it is no formula; mended in the other possible way it is a wrong one."""
    name, row, column = element[:3], int(element[4]) - 1, int(element[6]) - 1
    printed = PRINTED[name][row][column]
    with pytest.raises(SyntaxError):
        value(printed, POSTURES[0])
    assert re.sub(r"[(){}\s]", "", printed) == re.sub(r"[(){}\s]", "", reading)
    for q in POSTURES:
        assert abs(value(reading, q) - ours(name, q)[row][column]) > APART


def test_errata_are_these_five() -> None:
    assert set(ERRATA) == {"U21[1,3]", "U52[3,3]", "U65[3,2]", "U61[2,4]", "U54[1,2]"}


# Coefficients ---------------------------------------------------------------------------------

plain_and_omitting = pytest.mark.parametrize("omit", [False, True], ids=["plain", "omitting"])
empty_and_loaded = pytest.mark.parametrize("state", STATES, ids=["empty", "loaded"])


@plain_and_omitting
@empty_and_loaded
def test_coefficients_of_jpl_rrp(state: dict[str, Any], omit: bool) -> None:
    """D_i, D_ij and D_ijk, with the 1.8 kg cube and without."""
    D = coefficients(jpl_rrp(state["load"]), state["q"], omit=omit)
    close(D.gravity, state["gravity"], REFERENCE_DIGITS)
    close(D.inertia, state["inertia"], REFERENCE_DIGITS)
    close(D.velocity, state["velocity"], REFERENCE_DIGITS)
    close(
        lagrange_euler.mass_matrix(jpl_rrp(state["load"]), state["q"], omit=omit),
        state["inertia"],
        REFERENCE_DIGITS,
    )


@empty_and_loaded
def test_compact_form_of_jpl_rrp(state: dict[str, Any]) -> None:
    """(22): each pair appears once, doubled; the matrix doubles the centripetal terms."""
    compact = CompactForm.of(coefficients(jpl_rrp(state["load"]), state["q"]))
    D, qd = np.array(state["velocity"]), np.array([0.4, -0.3, 0.2, 0.9, -0.7, 0.5])
    close(compact.D_A, state["inertia"], REFERENCE_DIGITS)
    close(compact.D_V, 2 * D, REFERENCE_DIGITS)
    once = [
        sum(D[i, j, k] * (1 + (j != k)) * qd[j] * qd[k] for j in range(6) for k in range(j, 6))
        for i in range(6)
    ]
    close(compact.d_V(qd.tolist()), once, REFERENCE_DIGITS)


M2, M3, M4, M5, M6 = 5.615, 4.25, 1.08, 0.63, 0.51
R6, Z2, Z3, Y4, Z4, Z5, Z6 = 0.2476, -0.0079, -0.6447, 0.0092, -0.0054, 0.0566, -0.0922


def sines_and_cosines(q: list[float]) -> list[float]:
    """s2, s4, s5, s6, c2, c4, c5, c6."""
    return [f(q[k]) for f in (math.sin, math.cos) for k in (1, 3, 4, 5)]


@pytest.mark.parametrize("q", POSTURES)
def test_printed_inertias(q: list[float]) -> None:
    """(60), (62), (64), (68) as printed, (66) with s6^2, c6^2 for c5^2, s5^2; m k^2 are the tensors."""
    (_, s4, s5, s6, _, c4, c5, c6), r3 = sines_and_cosines(q), q[2]
    bent = s4**2 * c5**2 + s5**2 - c4**2
    D22 = 0.018 + 2.51 + M3 * r3 * (2 * Z3 + r3)
    D22 += 0.002 * c4**2 + 0.001 * s4**2 + M4 * r3 * (r3 - 2 * Y4)
    D22 += 0.003 * c4**2 * c5**2 + 0.003 * s4**2 + 0.0004 * c4**2 * s5**2 + M5 * r3 * (r3 + 2 * Z5 * c5)
    for sign in (1, -1):  # k611 and k622
        D22 += 0.0025 * (sign * (s6**2 - c6**2) * bent + s4**2 * s5**2)
        D22 += 0.0025 * c5 * (c5 - sign * 4 * s4 * c4 * s6 * c6)
    D22 += 0.0003 * c4**2 * s5**2
    D22 += M6 * (r3 * (2 * R6 * c5 + r3) + R6**2 * (s4**2 * s5**2 + c5**2))
    D22 += 2 * M6 * Z6 * ((r3 + R6 * c5) * c5 + R6 * s4**2 * s5**2)
    lever = M6 * R6 * (2 * Z6 + R6)
    D44 = 0.001 + (0.003 + 0.005 * c6**2 + 0.005 * s6**2 + lever) * s5**2 + (0.0004 + 0.0003) * c5**2
    D55 = 0.003 + 0.005 * s6**2 + 0.005 * c6**2 + lever
    diagonal = np.diag(coefficients(jpl_rrp(), q).inertia)
    close(diagonal[1:], [D22, M3 + M4 + M5 + M6, D44, D55, 0.0003])


@pytest.mark.parametrize("q", POSTURES)
def test_printed_gravity_terms(q: list[float]) -> None:
    """(46)-(56): the negative of -m G U p in (1), which is the left side's."""
    (s2, s4, s5, _, c2, c4, c5, _), r3 = sines_and_cosines(q), q[2]
    wrist = M5 * Z5 + M6 * (Z6 + R6)
    D2 = (M2 * Z2 + M3 * (Z3 + r3) + M4 * (r3 - Y4)) * s2 + M4 * Z4 * c2 * c4
    D2 += wrist * (s2 * c5 + c2 * s4 * s5) + (M5 + M6) * r3 * s2
    D3 = -(M3 + M4 + M5 + M6) * c2
    D4 = (-M4 * Z4 * s4 + wrist * c4 * s5) * s2
    D5 = wrist * (s2 * s4 * c5 + c2 * s5)
    close(coefficients(jpl_rrp(), q).gravity, [-9.81 * D for D in (0, D2, D3, D4, D5, 0)])


# Appendix D -----------------------------------------------------------------------------------

Q = np.array([[0.0, -1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]])


def report_matrices(q: list[float]) -> list[Any]:
    """T_(i-1)^i of (D.1) for the six rows of the arm."""
    rows = [
        (q[0], 0, -1),
        (q[1], 0.162, 1),
        (-math.pi / 2, q[2], 0),
        (q[3], 0, -1),
        (q[4], 0, 1),
        (q[5], 0.2476, 0),
    ]
    result = []
    for theta, r, sine in rows:  # alpha is a whole number of right angles
        c, s, cosine = math.cos(theta), math.sin(theta), 1 - abs(sine)
        result.append(
            np.array(
                [
                    [c, -cosine * s, sine * s, 0],
                    [s, cosine * c, -sine * c, 0],
                    [0, sine, cosine, r],
                    [0, 0, 0, 1],
                ]
            )
        )
    return result


def pseudo_inertia(body: str) -> Any:
    return np.array(next(b for b in ad.load("jpl_rrp").bodies if b.name == body).inertia.pseudo)


@pytest.mark.parametrize("q", POSTURES)
def test_the_two_examples_of_the_omission_rule(q: list[float]) -> None:
    """D_55 and D_4,56 from the matrices that are left: 5 and 7 of them, and 10.

    Ten as the text counts them: the brace under T_3^4 in the print of D_4,56 reaches one matrix too far.
    """
    T = report_matrices(q)
    J5, J6 = pseudo_inertia("link5"), pseudo_inertia("hand")
    inner, outer = Q @ T[4], Q @ T[4] @ T[5]
    D = coefficients(jpl_rrp(), q)
    close(np.trace(inner @ J5 @ inner.T) + np.trace(outer @ J6 @ outer.T), D.inertia[4][4])
    twice, once = T[3] @ Q @ T[4] @ Q @ T[5], Q @ T[3] @ T[4] @ T[5]
    close(np.trace(twice @ J6 @ once.T), D.velocity[3][4][5])
    too_short = Q @ T[4] @ Q @ T[5]
    assert abs(np.trace(too_short @ J6 @ once.T) - D.velocity[3][4][5]) > SEEN


@plain_and_omitting
@pytest.mark.parametrize("q", POSTURES)
def test_zeros_of_jpl_rrp(q: list[float], omit: bool) -> None:
    """D_i,ii = 0, D_i,ij = 0 for j < i, and nothing of the boom's speed beside the joints inwards of it."""
    D = np.array(coefficients(jpl_rrp(True), q, omit=omit).velocity, dtype=float)
    for i in range(6):
        for j in range(i + 1):
            assert D[i, i, j] == pytest.approx(0.0, abs=SAME)
    for outer in range(2, 6):
        assert D[:, 2, outer] == pytest.approx(0.0, abs=SAME)
    assert D[1, 1, 2] == pytest.approx(-D[2, 1, 1])  # Coriolis and centripetal: neither is zero
    assert abs(D[1, 1, 2]) > APART

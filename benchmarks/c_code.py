"""Exported C beside the C that CasADi generates for the same function, compiled alike.

Three CasADi functions stand beside armdyn's: its own graph, operation by operation; the same equations
evaluated on CasADi's scalars, as a user of CasADi would write them (the tree as the robot file gives it); and
these on the tree that armdyn makes lighter first. The last two go through `casadi.cse`. Instructions of a
call are the difference of many calls and none under callgrind, sines and cosines included.
"""

import re
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import armdyn as ad
from armdyn.dynamics.traced import Traced
from armdyn.exports.c import c_files
from armdyn.exports.c.sines import MACRO
from armdyn.mechanics.tree.links import Tree
from armdyn.native.casadi_function import casadi_function
from armdyn.scalars import protocol
from armdyn.studies.speed.peers.peer import imported

ROBOTS = ("ur5", "panda", "lola15")
QUANTITIES = {"inverse": "qdd", "forward": "tau"}
"""Quantity -> its third input."""
COMPILERS = (("gcc", "-O2"), ("gcc", "-O3"), ("clang", "-O2"))
COUNTED = 512
"""Calls whose instructions are counted."""
TIMED = 500
"""Calls that are timed together."""
PIECES = 400
REPEATS = 5

MAIN = """
#define _POSIX_C_SOURCE 200112L
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
{declaration}
int main(int count, char **words)
{{
    const long calls = (count > 1) ? atol(words[1]) : 1, pieces = (count > 2) ? atol(words[2]) : 1;
    double q[{n}], qd[{n}], x[{n}], result[{n}], best = 1e300;
    volatile double sum = 0.0;
    long k, piece;
    {prepare}
    for (k = 0; k < {n}; k++) {{
        q[k] = 0.3 + 0.1 * (double)k; qd[k] = 0.2 - 0.05 * (double)k; x[k] = 1.0 + (double)k;
    }}
    for (piece = 0; piece < pieces; piece++) {{
        struct timespec start, end;
        double taken;
        clock_gettime(CLOCK_MONOTONIC, &start);
        for (k = 0; k < calls; k++) {{
            q[0] = 0.3 + 1e-3 * (double)(k & 1023);
            {call};
            sum += result[0];
        }}
        clock_gettime(CLOCK_MONOTONIC, &end);
        taken = 1e9 * (double)(end.tv_sec - start.tv_sec) + (double)(end.tv_nsec - start.tv_nsec);
        best = (taken < best) ? taken : best;
    }}
    if (count > 2) {{
        printf("%.17g\\n", best / (double)calls);
    }}
    return sum == 12345.0;
}}
"""
OF_CASADI = "int f(const double **arg, double **res, long long int *iw, double *w, int mem);"
PREPARED = "const double *arg[3] = {q, qd, x}; double *res[1] = {result};"


def run() -> list[dict[str, Any]]:
    """Rows of robot, quantity, code, compiler: instructions and ns of a call, bytes of machine code."""
    compilers = [(cc, level) for cc, level in COMPILERS if shutil.which(cc)]
    if not compilers:
        print("neither gcc nor clang is here: no C is measured")
    if not shutil.which("valgrind"):
        print("valgrind is not here: instructions are not counted")
    rows: list[dict[str, Any]] = []
    for robot in ROBOTS:
        for quantity in QUANTITIES:
            codes = _codes(robot, quantity)
            for compiler, level in compilers:
                about = {"robot": robot, "quantity": quantity, "compiler": f"{compiler} {level}"}
                rows += [about | row for row in _measured(codes, compiler, level)]
    return rows


# Codes ----------------------------------------------------------------------------------------


def _codes(name: str, quantity: str) -> dict[str, Mapping[str, str]]:
    """Name of a code -> its files."""
    robot = ad.load(name)
    files, _ = c_files(robot, quantities=[quantity], prefix="r")
    third = f"const double {QUANTITIES[quantity]}[]"
    declaration = f"int r_{quantity}(const double q[], const double qd[], {third}, double result[]);"
    call = f"r_{quantity}(q, qd, x, result)"
    main = MAIN.format(declaration=declaration, n=robot.n, prepare="", call=call)
    own = {"r.h": files["r.h"], "f.c": files["r.c"], "main.c": main}
    plain = own | {"f.c": f"#define {MACRO}\n{files['r.c']}"}
    codes: dict[str, Mapping[str, str]] = {"armdyn": own, "armdyn, sines of math.h": plain}
    try:
        functions = _casadi_functions(Traced(robot, None, False), quantity)
    except ad.ArmdynError as error:
        print(error)
        return codes
    main = MAIN.format(declaration=OF_CASADI, n=robot.n, prepare=PREPARED, call="f(arg, res, 0, 0, 0)")
    return codes | {code: {"f.c": _generated(f), "main.c": main} for code, f in functions.items()}


def _casadi_functions(traced: Traced, quantity: str) -> dict[str, Any]:
    casadi = imported("casadi")
    for of, theirs in ((protocol.sin, casadi.sin), (protocol.cos, casadi.cos), (protocol.sqrt, casadi.sqrt)):
        of.register(casadi.SX, theirs)
    light = traced.light("inverse" if quantity == "inverse" else "forward")
    return {
        "casadi, our graph": casadi_function(
            "f", traced.program(quantity), traced.signature(quantity), ["result"]
        ),
        "casadi, our equations": _on_scalars(traced, quantity, traced.tree),
        "casadi, our lighter tree": _on_scalars(traced, quantity, light),
    }


def _on_scalars(traced: Traced, quantity: str, tree: Tree) -> Any:
    """The equations on CasADi's scalars."""
    casadi = imported("casadi")
    given = [casadi.SX.sym(name, traced.n) for name in ("q", "qd", QUANTITIES[quantity])]
    q, qd, x = ([vector[k] for k in range(traced.n)] for vector in given)
    if quantity == "inverse":
        results = traced.method.inverse(tree, q, qd, x).torque
    else:
        results = traced.forward_method.forward(tree, q, qd, x)
    return casadi.Function("f", given, [casadi.cse(casadi.densify(casadi.vertcat(*results)))])


def _generated(function: Any) -> str:
    with tempfile.TemporaryDirectory() as folder:
        generator = imported("casadi").CodeGenerator("f.c")
        generator.add(function)
        generator.generate(f"{folder}/")
        return (Path(folder) / "f.c").read_text(encoding="utf-8")


# Measuring ------------------------------------------------------------------------------------


def _measured(codes: Mapping[str, Mapping[str, str]], compiler: str, level: str) -> list[dict[str, Any]]:
    with tempfile.TemporaryDirectory() as whole:
        folders = {code: Path(whole) / str(k) for k, code in enumerate(codes)}
        for code, folder in folders.items():
            _build(folder, codes[code], compiler, level)
        times = _nanoseconds(folders)
        return [
            {"code": code, "instructions": _instructions(folder), "ns": times[code], "bytes": _bytes(folder)}
            for code, folder in folders.items()
        ]


def _build(folder: Path, sources: Mapping[str, str], compiler: str, level: str) -> None:
    folder.mkdir()
    for name, text in sources.items():
        (folder / name).write_text(text, encoding="utf-8")
    for name in ("f", "main"):
        _do([compiler, level, "-std=c99", "-c", "-o", f"{name}.o", f"{name}.c"], folder)
    _do([compiler, "-o", "run", "f.o", "main.o", "-lm"], folder)


def _instructions(folder: Path) -> float | None:
    if not shutil.which("valgrind"):
        return None
    tool = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", "./run"]
    counts: list[int] = []
    for calls in (0, COUNTED):
        found = re.search(r"Collected : (\d+)", _do([*tool, str(calls)], folder).stderr)
        assert found is not None, "callgrind counted nothing"
        counts.append(int(found[1]))
    return (counts[1] - counts[0]) / COUNTED


def _nanoseconds(folders: Mapping[str, Path]) -> dict[str, float]:
    """Of a call, the best of many pieces so short that others seldom interrupt one; codes take turns."""
    turns = [
        {
            code: float(_do(["./run", str(TIMED), str(PIECES)], folder).stdout)
            for code, folder in folders.items()
        }
        for _ in range(REPEATS)
    ]
    return {code: min(turn[code] for turn in turns) for code in folders}


def _bytes(folder: Path) -> int | None:
    """Code and constants of the function."""
    if not shutil.which("size"):
        return None
    return int(_do(["size", "f.o"], folder).stdout.splitlines()[1].split()[0])


def _do(command: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True)

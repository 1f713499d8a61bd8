"""Motions as C headers: they compile, and hold the same doubles."""

import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from armdyn.errors import InputError, ShapeError
from armdyn.formats.motion_c import write_motion_header

TIME = np.array([0.0, 0.1, 0.2])
Q = np.array([[0.1, -1e-300], [np.pi, 1 / 3], [-0.0, 1e22]])
COMPILER = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")


def test_the_header_says_what_it_holds(tmp_path: Path) -> None:
    file = tmp_path / "move.h"
    write_motion_header(file, TIME, {"q": Q, "qd": Q, "line": TIME}, "a move */ of two joints")
    text = file.read_text()
    assert "#define MOVE_SAMPLES 3" in text
    assert "#define MOVE_JOINTS 2" in text
    assert "static const double move_q[3][2]" in text
    assert "line" not in text
    assert text.count("*/") == text.count("/*")


@pytest.mark.skipif(COMPILER is None, reason="no C compiler here")
def test_it_compiles_to_the_same_numbers(tmp_path: Path) -> None:
    write_motion_header(tmp_path / "2 moves.h", TIME, {"q": Q, "motor_torque": Q})
    (tmp_path / "main.c").write_text(
        '#include <stdio.h>\n#include "2 moves.h"\n'
        "int main(void) { for (int k = 0; k < MOTION_2_MOVES_SAMPLES; k++)"
        ' printf("%a %a %a\\n", motion_2_moves_time[k], motion_2_moves_q[k][0], motion_2_moves_q[k][1]); }\n'
    )
    program = tmp_path / "main"
    assert COMPILER is not None
    flags = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-Wno-unused-const-variable"]
    subprocess.run([COMPILER, *flags, "main.c", "-o", program], cwd=tmp_path, check=True)
    out = subprocess.run([program], capture_output=True, text=True, check=True).stdout
    found = np.array([[float.fromhex(word) for word in line.split()] for line in out.splitlines()])
    assert np.array_equal(found, np.column_stack([TIME, Q]))


def test_what_is_no_motion_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r'ends in ".c", expected .h'):
        write_motion_header(tmp_path / "move.c", TIME, {"q": Q})
    with pytest.raises(ShapeError, match="q has shape"):
        write_motion_header(tmp_path / "move.h", TIME, {"q": Q[:2]})
    with pytest.raises(InputError, match="q has numbers that are not finite"):
        write_motion_header(tmp_path / "move.h", TIME, {"q": Q * np.nan})
    assert not list(tmp_path.iterdir())

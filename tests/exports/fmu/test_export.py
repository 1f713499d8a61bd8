"""The file that is written: its description, its sources, its binary, and names that may be anything."""

import re
import shutil
import subprocess
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fmpy import read_model_description
from fmpy.validation import validate_fmu

import armdyn as ad
from armdyn.errors import InputError, MissingDataError, UnknownRobotError
from armdyn.exports.fmu import export_fmu
from armdyn.robot import Friction
from fmu_instances import instance

HOSTILE = 'x */ #error "no"\n<&\'"\\ ?\x01\x7f \N{GREEK SMALL LETTER ALPHA}%s {evil}[1] ' + "very " * 30


def names(path: Path) -> list[str]:
    with zipfile.ZipFile(path) as archive:
        return archive.namelist()


def test_the_description_is_valid(exported: Callable[..., Path]) -> None:
    for robot, options in (
        ("planar3", {"payload": True}),
        ("scara", {"integrator": "rk4"}),
        ("irb6", {"driven_by": "current", "integrator": "euler", "friction": False}),
    ):
        path = exported(robot, **options)
        assert validate_fmu(str(path)) == []
        read_model_description(path, validate=True)


def test_variables_have_units_and_words(exported: Callable[..., Path]) -> None:
    description: Any = read_model_description(exported("scara", integrator="rk4"))
    found = {v.name: v for v in description.modelVariables}
    arm = ad.load("scara")
    for k, joint in enumerate(arm.joints, start=1):
        slides = joint.kind == "prismatic"
        assert found[f"q[{k}]"].unit == ("m" if slides else "rad")
        assert found[f"tau[{k}]"].unit == ("N" if slides else "N.m")
        assert joint.name in found[f"q[{k}]"].description
    assert found["tau[1]"].causality == "input"
    assert found["q_start[1]"].variability == "fixed"
    assert found["qdd[1]"].unit == "rad/s2"
    assert description.coSimulation.canHandleVariableCommunicationStepSize
    assert description.coSimulation.canGetAndSetFMUstate
    assert float(description.coSimulation.fixedInternalStepSize) == 1e-3


def test_the_same_arm_gives_the_same_bytes_and_another_another_token(tmp_path: Path) -> None:
    given: list[dict[str, Any]] = [{}, {}, {"dt": 2e-3}, {"integrator": "euler"}, {"wrench": True}]
    files = [
        export_fmu("planar2", tmp_path / str(k), build=False, **options).files[0]
        for k, options in enumerate(given)
    ]
    assert files[0].read_bytes() == files[1].read_bytes()
    tokens = [read_model_description(file).instantiationToken for file in files]
    assert tokens[0] == tokens[1]
    assert len(set(tokens)) == len(tokens) - 1


# Binary and sources -----------------------------------------------------------------------------------


def test_there_are_always_sources(tmp_path: Path) -> None:
    done = export_fmu("planar2", tmp_path, build=False)
    assert done.lost == ()
    found = names(done.files[0])
    assert "sources/buildDescription.xml" in found
    assert not any(name.startswith("binaries") for name in found)
    listed = read_model_description(done.files[0]).buildConfigurations[0].sourceFileSets[0].sourceFiles
    assert sorted(f"sources/{name}" for name in listed) == sorted(x for x in found if x.endswith(".c"))


@pytest.mark.parametrize("compiler", ["no-such-compiler", "false"])
def test_without_a_compiler_the_sources_remain(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, compiler: str
) -> None:
    monkeypatch.setenv("CC", compiler)
    done = export_fmu("planar2", tmp_path)
    (said,) = done.lost
    assert said.startswith("No binary is in the FMU: ")
    assert compiler in said
    assert "sources/model.c" in names(done.files[0])


def test_the_binary_shows_the_interface_only(exported: Callable[..., Path], tmp_path: Path) -> None:
    nm = shutil.which("nm")
    if nm is None:
        pytest.skip("no nm on this machine")
    path = exported("planar3", payload=True)
    (binary,) = (name for name in names(path) if name.startswith("binaries/"))
    with zipfile.ZipFile(path) as archive:
        shown = subprocess.run(
            [nm, "-D", "--defined-only", archive.extract(binary, tmp_path)],
            capture_output=True,
            text=True,
            check=True,
        ).stdout.split()[2::3]
    assert "fmi3DoStep" in shown
    assert [name for name in shown if not name.startswith("fmi3")] == []


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_compilers_find_nothing_to_say(tmp_path: Path, compiler: str) -> None:
    if shutil.which(compiler) is None:
        pytest.skip(f"no {compiler} on this machine")
    with zipfile.ZipFile(export_fmu("scara", tmp_path, build=False).files[0]) as archive:
        archive.extractall(tmp_path)
    flags = ["-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-Wno-unused-parameter", "-O1"]
    prefix = "-DFMI3_FUNCTION_PREFIX=arm_"
    files = sorted((tmp_path / "sources").glob("*.c"))
    command = [
        compiler,
        *flags,
        prefix,
        "-fPIC",
        "-shared",
        *map(str, files),
        "-lm",
        "-o",
        str(tmp_path / "x.so"),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert b"arm_fmi3DoStep" in (tmp_path / "x.so").read_bytes()


def test_several_are_linked_together(tmp_path: Path) -> None:
    objects: list[str] = []
    for robot in ("planar2", "cartesian2"):
        folder = tmp_path / robot
        with zipfile.ZipFile(export_fmu(robot, folder, build=False).files[0]) as archive:
            archive.extractall(folder)
        for file in (folder / "sources").glob("*.c"):
            objects.append(str(file.with_suffix(".o")))
            flags = ["-Wall", "-Werror", "-fPIC", f"-DFMI3_FUNCTION_PREFIX={robot}_"]
            subprocess.run(["cc", "-std=c99", *flags, "-c", str(file), "-o", objects[-1]], check=True)
    subprocess.run(["cc", "-shared", *objects, "-lm", "-o", str(tmp_path / "both.so")], check=True)
    shown = (tmp_path / "both.so").read_bytes()
    assert b"planar2_fmi3DoStep" in shown
    assert b"cartesian2_fmi3DoStep" in shown


# Names and bad input ----------------------------------------------------------------------------------


def test_names_may_be_anything(tmp_path: Path) -> None:
    arm = ad.load("planar2")
    renamed = {body.name: f"{HOSTILE} {k}" for k, body in enumerate(arm.bodies)}
    bodies = tuple(
        replace(
            body,
            name=renamed[body.name],
            parent=renamed.get(body.parent, body.parent),
            joint=replace(body.joint, name=f"{HOSTILE} {k}", friction=Friction(coulomb=1.0)),
        )
        for k, body in enumerate(arm.bodies)
    )
    tool = replace(arm.tool, body=renamed[arm.tool.body])
    hostile = replace(arm, name=HOSTILE, bodies=bodies, tool=tool, drives=())
    done = export_fmu(hostile, tmp_path, payload=True, wrench=True, friction=True)
    assert not done.lost  # it compiles
    assert validate_fmu(str(done.files[0])) == []
    with zipfile.ZipFile(done.files[0]) as archive:
        code = "".join(
            archive.read(x).decode("ascii") for x in archive.namelist() if x.endswith((".c", ".h"))
        )
    uncommented = re.sub(r"/\*.*?\*/", "", code, flags=re.DOTALL)
    assert "{evil}" not in uncommented
    with instance(done.files[0]) as one:
        one.start(q_start=(0.1, 0.2))
        one.fmu.doStep(0.0, 0.1)
        assert np.isfinite(one.get("q")).all()


@pytest.mark.parametrize(
    ("options", "error", "said"),
    [
        ({"integrator": "dop853"}, InputError, "a fixed step"),
        ({"dt": 0.0}, InputError, "dt is 0.0"),
        ({"dt": float("nan")}, InputError, "dt is nan"),
        ({"dt": "fast"}, InputError, "dt is 'fast'"),
        ({"driven_by": "pressure"}, InputError, 'driven_by "pressure"'),
        ({"driven_by": "current"}, MissingDataError, "no drives"),
        ({"motors": "exact"}, MissingDataError, "ur5"),
    ],
)
def test_bad_options(tmp_path: Path, options: dict[str, Any], error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=said):
        export_fmu("ur5", tmp_path, **options)
    assert not list(tmp_path.iterdir())


def test_robots_and_folders_that_there_are_not(tmp_path: Path) -> None:
    with pytest.raises(UnknownRobotError):
        export_fmu("ur6", tmp_path)
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="a file stands where the folder should be"):
        export_fmu("planar2", tmp_path / "file", build=False)


def test_voltages_need_motors_that_are_known(tmp_path: Path) -> None:
    with pytest.raises(MissingDataError, match="resistance"):
        export_fmu("puma560", tmp_path, driven_by="voltage")

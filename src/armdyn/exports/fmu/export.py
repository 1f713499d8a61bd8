"""An arm as an FMU for co-simulation: from a robot to one file."""

from __future__ import annotations

import hashlib
import os
import zipfile
from collections.abc import Mapping
from importlib import resources
from pathlib import Path

from armdyn.dynamics.fixed_step import STEPS
from armdyn.errors import InputError
from armdyn.exports.exported import Exported
from armdyn.exports.fmu.building import NotBuilt, binary
from armdyn.exports.fmu.description import build_description, model_description
from armdyn.exports.fmu.equations import Arm, DrivenBy
from armdyn.exports.fmu.model_text import model_header, model_source
from armdyn.exports.fmu.variables import SHORTEST_STEP, Variables
from armdyn.exports.folder import made_folder
from armdyn.formats import load
from armdyn.formats.c_text import c_name
from armdyn.formats.whole_file import whole_file
from armdyn.mechanics.tree.motors import MotorModel
from armdyn.robot import Robot

LONGEST_NAME = 60
"""Characters of a model identifier."""
LONG_AGO = (1980, 1, 1, 0, 0, 0)
"""The date of every file within: the same arm gives the same bytes."""


def export_fmu(
    robot: Robot | str | os.PathLike[str],
    folder: str | os.PathLike[str],
    *,
    motors: MotorModel | None = None,
    friction: bool | None = None,
    integrator: str = "rk4",
    dt: float = 1e-3,
    driven_by: DrivenBy = "torque",
    wrench: bool = False,
    payload: bool = False,
    build: bool = True,
) -> Exported:
    """Write an arm as an FMU for co-simulation (FMI 3.0), named after the robot.

    It moves as `simulate` with the same integrator and step does. There is C inside: the importing tool needs
    neither Python nor armdyn. `docs/fmu.md` says what its variables are.

    Args:
        robot: what moves: a robot, or a catalog name or file.
        folder: where the file goes; made if it is not there.
        motors: how much of the drives the equations see.
        friction: whether there is any.
        integrator: "euler", "semi_implicit" or "rk4".
        dt: [s] the solver's step, which the parameter `solver_step` changes.
        driven_by: "torque" of the joints, or "motor_torque", "current" or "voltage" of the
            motors.
        wrench: whether what the tool exerts on its surroundings is an input, too.
        payload: whether there are parameters for something more that the tool's body carries.
        build: whether the binary for this machine is made, by the compiler that CC names or that there is.

    Returns:
        The file, and a sentence if there is no binary in it.
    """
    arm = Arm(_robot(robot), motors, friction, driven_by, wrench, payload)
    _check_solver(integrator, dt)
    identifier = c_name(arm.robot.name, LONGEST_NAME)
    sources, description = _written(arm, identifier, integrator, float(dt))
    compiled = [name for name in sources if name.endswith(".c")]
    files = {
        "modelDescription.xml": description,
        "sources/buildDescription.xml": build_description(identifier, compiled),
        **{f"sources/{name}": text.encode("ascii") for name, text in sources.items()},
    }
    lost: tuple[str, ...] = ()
    try:
        files |= binary(identifier, sources) if build else {}
    except NotBuilt as why:
        lost = (f"No binary is in the FMU: {why}; compile its sources where it is used.",)
    return Exported((_packed(files, made_folder(folder) / f"{identifier}.fmu"),), lost)


def _packed(files: Mapping[str, bytes], target: Path) -> Path:
    """The files in one archive."""
    with whole_file(target) as file, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name, LONG_AGO), content, zipfile.ZIP_DEFLATED)
    return target


def _robot(robot: Robot | str | os.PathLike[str]) -> Robot:
    return robot if isinstance(robot, Robot) else load(robot)


def _check_solver(integrator: str, dt: float) -> None:
    if integrator not in STEPS:
        raise InputError(
            f'integrator "{integrator}", expected one of {", ".join(STEPS)}: an FMU has a fixed step'
        )
    if not isinstance(dt, int | float) or not SHORTEST_STEP <= dt < float("inf"):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise InputError(f"dt is {dt!r}, expected a number of seconds, {SHORTEST_STEP:g} or more")


def _written(arm: Arm, identifier: str, integrator: str, dt: float) -> tuple[dict[str, str], bytes]:
    """The sources by name, and the description; a token that follows from both stands in both."""
    equations, variables = list(arm.equations()), Variables(arm, dt)
    fixed = _fixed_sources()
    fixed["model.c"] = model_source(arm, equations, variables)

    def all_of(token: str) -> tuple[dict[str, str], bytes]:
        header = model_header(
            arm, equations, variables, identifier=identifier, integrator=integrator, token=token
        )
        described = model_description(
            arm, variables, identifier=identifier, token=token, integrator=integrator, dt=dt
        )
        return fixed | {"model.h": header}, described

    return all_of(_token(*all_of("")))


def _fixed_sources() -> dict[str, str]:
    """The C that is the same for all arms."""
    folder = resources.files("armdyn.exports.fmu") / "sources"
    found = {x.name: x.read_text(encoding="ascii") for x in folder.iterdir() if x.name.endswith((".c", ".h"))}
    return dict(sorted(found.items()))


def _token(sources: Mapping[str, str], description: bytes) -> str:
    """What tells this FMU from all others."""
    digest = hashlib.sha256(description)
    for name, text in sorted(sources.items()):
        digest.update(f"{name}\0{text}\0".encode("ascii"))
    found = digest.hexdigest()
    return "{" + "-".join(found[a:b] for a, b in ((0, 8), (8, 12), (12, 16), (16, 20), (20, 32))) + "}"

"""Which OPC UA nodes hold what: a small TOML file.

robot = "ur5"                               # catalog name, or a file below the studio's folder
name = "cell 3"                             # what the studio calls the stream
url = "opc.tcp://192.168.0.10:4840"
period = 0.01                               # [s] at which the server samples

[nodes]
q = "ns=2;s=Robot.Position"                 # one node with an array
tau = ["ns=2;s=Axis1.Torque", "ns=2;s=Axis2.Torque"]   # or one for each joint, in the robot's order

[units]
q = "deg"                                   # SI where nothing is said
"""

from __future__ import annotations

import tomllib
from functools import cached_property
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from armdyn.errors import InputError
from armdyn.formats.units import to_si
from armdyn.studio.live.telemetry import FieldName, layout_of

QUANTITIES: dict[str, tuple[str, ...]] = {
    "q": ("angle", "length"),
    "qd": ("angular velocity", "velocity"),
    "tau": ("torque", "force"),
    "motor_torque": ("torque",),
    "current": ("current",),
}
"""What a field may measure."""
LARGEST_FILE = 2**20

Text = Annotated[str, Field(min_length=1, max_length=500)]
Nodes = Text | Annotated[tuple[Text, ...], Field(min_length=1, max_length=256)]


class Mapping(BaseModel):
    """What a mapping file says."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    robot: Text
    url: Annotated[Text, Field(pattern=r"^opc\.tcp://")]
    name: Text | None = None
    period: Annotated[float, Field(ge=0.001, le=10)] = 0.01
    nodes: dict[FieldName, Nodes]
    units: dict[FieldName, Text | tuple[Text, ...]] = {}

    @cached_property
    def fields(self) -> dict[str, tuple[str, ...]]:
        """The nodes of every field, one if it holds an array."""
        return {name: (found,) if isinstance(found, str) else found for name, found in self.nodes.items()}

    @cached_property
    def factors(self) -> dict[str, tuple[float, ...]]:
        """By field how many SI units one of the server's is; one for all, or one for each joint."""
        return {
            name: tuple(_factor(unit, name) for unit in ((said,) if isinstance(said, str) else said))
            for name, said in self.units.items()
        }


def read_mapping(path: Path) -> Mapping:
    """The mapping in a file, checked."""
    try:
        with path.open("rb") as file:
            text = file.read(LARGEST_FILE).decode()
        mapping = Mapping.model_validate(tomllib.loads(text))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        key = ".".join(str(part) for part in first["loc"])
        raise InputError(f"{path}: {key}: {first['msg']}") from error
    except ValueError as error:
        raise InputError(f"{path}: not valid TOML, {error}") from error
    except OSError as error:
        raise InputError(f"{path}: cannot be read, {error.strerror or error}") from error
    try:
        layout_of(tuple(mapping.nodes), 1, 1, mapping.robot)
        _ = mapping.factors
    except InputError as error:
        raise InputError(f"{path}: {str(error).removeprefix('hello: ')}") from error
    return mapping


def _factor(unit: str, field: str) -> float:
    """How many SI units one `unit` is."""
    for quantity in QUANTITIES[field]:
        try:
            return to_si(f"1 {unit}", quantity)
        except InputError:
            continue
    expected = " or ".join(QUANTITIES[field])
    raise InputError(f'units.{field} is "{unit}", expected a unit of {expected}')

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

from functools import cached_property
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, Field, ValidationError

from armdyn.errors import InputError
from armdyn.formats.reading import parsed_toml, read_text
from armdyn.formats.schema import Table
from armdyn.formats.toml.mistakes import first_mistake
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


def _address(url: str) -> str:
    if not url.startswith("opc.tcp://"):
        raise ValueError("expected the address of an OPC UA server, opc.tcp://HOST:PORT")
    return url


class Mapping(Table):
    """What a mapping file says."""

    robot: Text
    url: Annotated[Text, AfterValidator(_address)]
    name: Text | None = None
    period: Annotated[float, Field(ge=0.001, le=10)] = 0.01
    nodes: dict[FieldName, Nodes]
    units: dict[FieldName, Text | tuple[Text, ...]] = Field(default_factory=dict[FieldName, Any])

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
    text = read_text(path, LARGEST_FILE, "a mapping")
    try:
        mapping = Mapping.model_validate(parsed_toml(text, "a mapping"))
    except ValidationError as error:
        raise InputError(str(first_mistake(error, text, str(path), Mapping))) from error
    except InputError as error:
        raise InputError(f"{path}: {error}") from error
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

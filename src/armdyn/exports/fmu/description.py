"""What an FMU says of itself: `modelDescription.xml` and `buildDescription.xml` of FMI 3.0."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from importlib import metadata
from typing import Any

from lxml import etree

from armdyn.exports.fmu.equations import Arm
from armdyn.exports.fmu.variables import Kind, Variables

UNITS: dict[str, dict[str, int]] = {
    "s": {"s": 1},
    "rad": {"rad": 1},
    "rad/s": {"rad": 1, "s": -1},
    "rad/s2": {"rad": 1, "s": -2},
    "m": {"m": 1},
    "m/s": {"m": 1, "s": -1},
    "m/s2": {"m": 1, "s": -2},
    "N": {"kg": 1, "m": 1, "s": -2},
    "N.m": {"kg": 1, "m": 2, "s": -2},
    "J": {"kg": 1, "m": 2, "s": -2},
    "A": {"A": 1},
    "V": {"kg": 1, "m": 2, "s": -3, "A": -1},
    "kg": {"kg": 1},
    "kg.m2": {"kg": 1, "m": 2},
}
"""Every unit by its powers of those of SI."""
DEGREES = {"rad": "deg", "rad/s": "deg/s"}
_CAUSALITY: dict[Kind, tuple[str, str]] = {
    "independent": ("independent", "continuous"),
    "input": ("input", "continuous"),
    "fixed": ("parameter", "fixed"),
    "tunable": ("parameter", "tunable"),
    "output": ("output", "continuous"),
}


def model_description(
    arm: Arm, variables: Variables, *, identifier: str, token: str, integrator: str, dt: float
) -> bytes:
    """`modelDescription.xml`."""
    root = etree.Element(
        "fmiModelDescription",
        fmiVersion="3.0",
        modelName=_text(arm.robot.name) or identifier,
        instantiationToken=token,
        description=_about(arm, integrator),
        generationTool=f"armdyn {metadata.version('armdyn')}",
        variableNamingConvention="structured",
    )
    _add(
        root,
        "CoSimulation",
        modelIdentifier=identifier,
        canGetAndSetFMUState="true",
        canSerializeFMUState="true",
        canHandleVariableCommunicationStepSize="true",
        fixedInternalStepSize=repr(dt),
    )
    _add_units(root, variables)
    categories = _add(root, "LogCategories")
    _add(categories, "Category", name="logStatusError", description="Calls that are not allowed")
    _add(categories, "Category", name="logStatusDiscard", description="Calls that changed nothing")
    _add(root, "DefaultExperiment", startTime="0", stopTime="1", stepSize=repr(dt))
    _add_variables(root, variables)
    _add_structure(root, variables)
    return _document(root)


def build_description(identifier: str, sources: Sequence[str]) -> bytes:
    """`buildDescription.xml`: how to compile the sources."""
    root = etree.Element("fmiBuildDescription", fmiVersion="3.0")
    configuration = _add(root, "BuildConfiguration", modelIdentifier=identifier)
    files = _add(configuration, "SourceFileSet", language="C99")
    for name in sources:
        _add(files, "SourceFile", name=name)
    _add(configuration, "Library", name="m", external="true", description="Of C, on Linux")
    return _document(root)


def _about(arm: Arm, integrator: str) -> str:
    friction = "on" if arm.model.friction else "off"
    return (
        f"Arm of {arm.robot.n} joints, motors {arm.model.motors}, friction {friction}, driven by "
        f"{arm.driven_by.replace('_', ' ')}, integrated by {integrator}"
    )


def _add_units(root: Any, variables: Variables) -> None:
    units = _add(root, "UnitDefinitions")
    for name in dict.fromkeys(v.unit for _, v in variables if v.unit is not None):
        unit = _add(units, "Unit", name=name)
        _add(unit, "BaseUnit", **{k: str(power) for k, power in UNITS[name].items()})
        if name in DEGREES:
            _add(unit, "DisplayUnit", name=DEGREES[name], factor=repr(180 / math.pi))


def _add_variables(root: Any, variables: Variables) -> None:
    whole = _add(root, "ModelVariables")
    for reference, (block, variable) in enumerate(variables):
        causality, variability = _CAUSALITY[block.kind]
        given: dict[str, Any] = {
            "name": variable.name,
            "valueReference": reference,
            "description": _text(variable.description),
            "causality": causality,
            "variability": variability,
            "initial": {"parameter": "exact", "output": "calculated"}.get(causality),
            "unit": variable.unit,
            "min": variable.minimum,
            "start": variable.start,
        }
        _add(whole, "Float64", **{k: _written(x) for k, x in given.items() if x is not None})


def _add_structure(root: Any, variables: Variables) -> None:
    structure = _add(root, "ModelStructure")
    outputs = [(k, block) for k, (block, _) in enumerate(variables) if block.kind == "output"]
    for reference, block in outputs:
        depends = {} if block.feels_inputs else {"dependencies": ""}
        _add(structure, "Output", valueReference=str(reference), **depends)
    for reference, _ in outputs:
        _add(structure, "InitialUnknown", valueReference=str(reference))


def _written(x: str | float) -> str:
    return x if isinstance(x, str) else repr(x)


def _text(words: str) -> str:
    """Words on one line, without what XML cannot hold."""
    return re.sub(r"[^\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", " ", words).strip()


def _add(parent: Any, tag: str, **attributes: str) -> Any:
    return etree.SubElement(parent, tag, attributes)


def _document(root: Any) -> bytes:
    return etree.tostring(root, pretty_print=True, xml_declaration=True, encoding="UTF-8")

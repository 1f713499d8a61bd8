"""What must be known to repeat a study, as its document has it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from armdyn.extremes.workspace import Workspace
from armdyn.robot import Payload
from armdyn.studies.loads.arms import Arm


def common_settings(
    space: Workspace, loaded: Sequence[Arm], asked: Sequence[int], effort: int, **more: Any
) -> Mapping[str, Any]:
    """What every study over a workspace has."""
    robot = space.robot
    return {
        "motors": loaded[0].motors,
        "gravity": _numbers(robot.gravity),
        "payloads": [payload_document(payload) for payload in robot.payloads],
        "locked": dict(robot.locked_joints),
        "joints": [i + 1 for i in asked],
        "ranges": space.document(),
        "effort": effort,
        **more,
    }


def payload_document(payload: Payload) -> dict[str, Any]:
    """A payload, as JSON has it."""
    held = payload.inertia
    return {
        "body": payload.body,
        "mass": float(held.mass),
        "com": _numbers(held.com),
        "inertia": [_numbers(row) for row in held.tensor],
    }


def _numbers(values: Sequence[Any]) -> list[float]:
    return [float(x) for x in values]

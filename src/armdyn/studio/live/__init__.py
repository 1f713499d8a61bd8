"""A running robot, watched: telemetry in, predicted torque beside the measured one, alarm, recording.

    controller -> Telemetry (client) or OPC UA -> /telemetry -> Stream -> pages, MCAP

`Telemetry` is what a controller's program uses; `stream` is what happens to its samples.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from armdyn.studio.live.client import Telemetry

__all__ = ["Telemetry"]


def __getattr__(name: str) -> Any:
    """The client, only when asked for: the server needs none."""
    if name == "Telemetry":
        from armdyn.studio.live.client import Telemetry

        return Telemetry
    raise AttributeError(f"module 'armdyn.studio.live' has no attribute {name!r}")

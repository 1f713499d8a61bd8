"""`armdyn demo`: the main job on the built-in example."""

from __future__ import annotations

from armdyn.cli.options import JsonOption
from armdyn.cli.output import print_json
from armdyn.cli.state import at_state, print_state
from armdyn.dynamics import Dynamics
from armdyn.formats import load


def demo(json: JsonOption = False) -> None:
    """Lola 15 in motion, pressing with 100, 100, -150 N: torques, motor torques, reactions."""
    arm = load("lola15")
    document = at_state(
        Dynamics(arm),
        q=[0.3, -0.4, 0.5, 0.6, 0.7, 0.8],
        qd=[0.5, -0.3, 0.4, 0.9, -0.7, 1.5],
        qdd=[1.0, -0.8, 0.6, 1.2, -1.0, 2.0],
        wrench=[100.0, 100.0, -150.0, 0.0, 0.0, 0.0],
    )
    if json:
        print_json(document)
    else:
        print_state(arm, document)

"""The tool's paths in space, with the arm, the base and the ends of the moves, as data of a picture."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np

from armdyn.feasibility.findings import Findings
from armdyn.feasibility.verification import Verification
from armdyn.report.decimation import kept_samples
from armdyn.report.numbers import round_ticks, rounded
from armdyn.robot.body import BASE
from armdyn.scalars import Array

MOST_PLACES = 5000
"""Points of a path."""
MOST_POSTURES = 1200
"""Postures of the arm."""
MOST_NUMBERS = 60
"""Numbered ends of moves; of more, some are left out."""
GRID_LINES = 8
NEAR = 0.02
"""Numbers nearer than this share of the picture are written as one."""


@dataclass(frozen=True)
class Stroke:
    """Polylines (points, 3) drawn in one way."""

    kind: str
    parts: list[Any]
    elsewhere: bool = False
    """Whether the page's data have its points in another place"""

    def document(self) -> dict[str, Any]:
        """As data for the page."""
        return {"kind": self.kind, "parts": [] if self.elsewhere else [rounded(p, 5) for p in self.parts]}


@dataclass(frozen=True)
class Label:
    """A word at a point."""

    kind: str
    text: str
    at: list[float]


@dataclass(frozen=True)
class Scene:
    """Strokes and labels, drawn in their order."""

    strokes: list[Stroke]
    labels: list[Label]
    corners: Array
    """(points, 3) what must be in sight"""
    moving: dict[str, Any] = field(default_factory=dict[str, Any])
    """Instants of the tool and postures of the arm, for a cursor in time"""

    def document(self) -> dict[str, Any]:
        """As data for the page."""
        return {
            "strokes": [stroke.document() for stroke in self.strokes],
            "labels": [{"kind": label.kind, "at": rounded(label.at, 5)} for label in self.labels],
            "corners": rounded(self.corners, 4),
            **self.moving,
        }


def scene(findings: Findings) -> Scene:
    """What there is to see of a verification."""
    verification = findings.verification
    programmed, achieved = verification.programmed_tool, verification.achieved_tool
    postures, every = _postures(verification)
    everything = np.concatenate([programmed, achieved, postures[0], np.zeros((1, 3))])
    low, high = everything.min(axis=0), everything.max(axis=0)
    radius = 0.5 * float(np.linalg.norm(high - low)) or 1.0
    edges = _edges(verification)
    beyond = _beyond(findings)
    size = 0.18 * radius
    axes = [
        Stroke(f"axis {name}", [[[0, 0, 0], (size * np.eye(3)[k]).tolist()]]) for k, name in enumerate("xyz")
    ]
    shown, done = (_kept(verification, points) for points in (programmed, achieved))
    strokes = [
        Stroke("floor", _floor(low, high)),
        Stroke("shadow", [_flat(programmed[shown])]),
        Stroke("arm", [[postures[0][a], postures[0][b]] for a, b in edges], elsewhere=True),
        Stroke("joints", [[point, point] for point in postures[0][:-1]], elsewhere=True),
        Stroke("path programmed", [programmed[shown]], elsewhere=True),
        Stroke("path exceeded", [programmed[_between(shown, a, b)] for a, b in beyond]),
        Stroke("path achieved", [achieved[done]], elsewhere=True),
        Stroke("now programmed", []),
        Stroke("now achieved", []),
        *axes,
    ]
    labels = [Label("axis", name, (1.15 * size * np.eye(3)[k]).tolist()) for k, name in enumerate("xyz")]
    cycle = verification.plan.cycle
    moving = {
        "edges": [list(edge) for edge in edges],
        "postures": {"step": every * cycle, "points": [rounded(p.reshape(-1), 4) for p in postures]},
        "tool": {
            "programmed": {"times": rounded(shown * cycle), "points": rounded(programmed[shown], 5)},
            "achieved": {"times": rounded(done * cycle), "points": rounded(achieved[done], 5)},
        },
    }
    labels += _ends(findings, radius)
    return Scene(strokes, labels, _corners(everything), moving)


def _kept(verification: Verification, points: Array) -> Any:
    """Samples of a path that are drawn: the farthest off the path are among them."""
    far = np.zeros(len(points))
    far[: len(verification.tool_distance)] = verification.tool_distance[: len(points)]
    return kept_samples(far, MOST_PLACES)


def _between(shown: Any, first: int, last: int) -> Any:
    """The samples that are drawn of those from first to before last, both ends among them."""
    return np.unique(np.concatenate([[first], shown[(shown >= first) & (shown < last)], [last - 1]]))


def _corners(points: Array) -> Array:
    """Of many points some, among them the outermost in all directions that matter."""
    ways = np.array([(a, b, c) for a in (-1, 0, 1) for b in (-1, 0, 1) for c in (-1, 0, 1)])
    return points[np.unique((points @ ways.T).argmax(axis=0))]


def _flat(points: Array) -> Array:
    """On the floor below."""
    return points * np.array([1.0, 1.0, 0.0])


def _floor(low: Array, high: Array) -> list[Any]:
    """A grid at z = 0 under everything."""
    x, y = (round_ticks(float(low[k]), float(high[k]), GRID_LINES) for k in (0, 1))
    step = max((b - a for ticks in (x, y) for a, b in pairwise(ticks)), default=0.1)
    xs, ys = (_outer(float(low[k]), float(high[k]), step) for k in (0, 1))
    lines: list[Any] = [[[a, ys[0], 0], [a, ys[-1], 0]] for a in xs]
    return lines + [[[xs[0], b, 0], [xs[-1], b, 0]] for b in ys]


def _outer(low: float, high: float, step: float) -> list[float]:
    first, last = int(np.floor(low / step)), int(np.ceil(high / step))
    return [k * step for k in range(first, max(last, first + 1) + 1)]


# The arm --------------------------------------------------------------------------------------


def _edges(verification: Verification) -> list[tuple[int, int]]:
    """Which points of a posture are joined: each body with its parent, the tool with its body."""
    robot = verification.plan.robot
    place = {BASE: 0, **{name: k for k, name in enumerate(robot.body_names, 1)}}
    bodies = [(place[body.parent], place[body.name]) for body in robot.bodies]
    return [*bodies, (place[robot.tool.body], len(robot.bodies) + 1)]


def _postures(verification: Verification) -> tuple[Array, int]:
    """(postures, points, 3) of what the arm does: base, bodies, tool; and how many samples they are apart."""
    run, names = verification.run, (*verification.plan.robot.body_names, None)
    every = -(-len(run.q) // MOST_POSTURES)
    found: list[Array] = []
    for arm, part in verification.parts(len(run.q)):
        first = -(-part.start // every) * every  # the grid of samples goes through all stretches
        q = run.q[first : part.stop : every]
        if len(q):
            found.append(np.stack([arm.dyn.pose(q, name)[..., :3, 3] for name in names], axis=1))
    points = np.concatenate(found)
    return np.concatenate([np.zeros((len(points), 1, 3)), points], axis=1), every


# What is marked -------------------------------------------------------------------------------


def _beyond(findings: Findings) -> list[tuple[int, int]]:
    """Samples (first, last + 1) of the programmed path in which anything is exceeded."""
    plan = findings.verification.plan
    marked = np.zeros(len(plan.time) + 1, dtype=int)
    for begin, end in (violation.time for violation in findings.verification.violations):
        marked[round(begin / plan.cycle) : round(end / plan.cycle) + 1] = 1
    marked[-1] = 0
    edges = np.flatnonzero(np.diff(np.concatenate([[0], marked])))
    return [(int(a), int(b)) for a, b in zip(edges[::2], edges[1::2], strict=True)]


def _ends(findings: Findings, radius: float) -> list[Label]:
    """The ends of the moves with their numbers; those in one place share a label."""
    verification = findings.verification
    plan, points = verification.plan, verification.programmed_tool
    found: list[tuple[Array, list[str]]] = [(points[0], ["start"])]
    for k, move in enumerate(plan.moves, 1):
        at = points[min(round(move.end / plan.cycle), len(points) - 1)]
        near = next((names for place, names in found if np.linalg.norm(place - at) < NEAR * radius), None)
        if near is not None:
            near.append(str(k))
        elif len(found) < MOST_NUMBERS:
            found.append((at, [str(k)]))
    return [Label("end", _short(names), [float(x) for x in at]) for at, names in found]


def _short(names: list[str]) -> str:
    return ", ".join(names) if len(names) <= 4 else f"{', '.join(names[:3])} .. {names[-1]}"

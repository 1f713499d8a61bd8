"""The path of a program, from its steps."""

from __future__ import annotations

from collections.abc import Sequence

from numpy.typing import ArrayLike

from armdyn.errors import InputError
from armdyn.motion.assembly import assembled
from armdyn.motion.legs import Leg, PathMotion, Standing
from armdyn.motion.moves import Step
from armdyn.motion.planner import CYCLE, walked
from armdyn.motion.targets import Status
from armdyn.motion.walk import Draft, Walk
from armdyn.retiming.path.blended import blended
from armdyn.retiming.path.curve import Curve
from armdyn.retiming.path.joint_path import (
    CHANGES,
    MOVE_ENDS,
    WAITS,
    JointPath,
    PathMove,
    Piece,
    with_corners,
)
from armdyn.retiming.path.least_motion import least_motion
from armdyn.retiming.path.tracks import Track, joint_track, tool_track
from armdyn.robot import Robot
from armdyn.scalars import Array

BLENDED = "blends of point-to-point moves (c_ptp) keep the path that they have at the programmed speeds"
SPARE = (
    "along tool paths an arm with joints to spare moves them as little as it can; the samples of the "
    "programmed motion come near to that, with the tool where it should be"
)


def path_of_program(
    robot: Robot,
    steps: Sequence[Step],
    start: ArrayLike | None = None,
    cycle: float = CYCLE,
    jerk: float | None = None,
    status: Status = "ignore",
    turn_acceleration: float | None = None,
) -> JointPath:
    """The path of the motion that the steps of a program ask for; all as for `motion.planner.plan`.

    The arm stops where the program stops it: behind every move that is not blended and does not run on into
    the next, where it waits, and where its tool or payload changes. The jerk matters for blends only.
    """
    return path_of_walk(walked(robot, steps, start, cycle, jerk, status, turn_acceleration))


def path_of_walk(walk: Walk) -> JointPath:
    """The path of what has been planned on a walk."""
    laying = _Laying(walk)
    for k in range(len(walk.legs)):
        laying.leg(k)
    if not laying.pieces:
        raise InputError("nothing moves in the program, expected one move or more that leads elsewhere")
    laying.stop(MOVE_ENDS)
    pieces, corners = with_corners(laying.pieces)
    plan = assembled(walk)
    return JointPath(
        walk.robot,
        pieces,
        tuple(_moves(walk)),
        (*plan.notes, *laying.notes, *corners),
        laying.wait_before,
        duration=plan.duration,
        cycle=plan.cycle,
        problems=plan.problems,
        plan=plan,
    )


def _moves(walk: Walk) -> list[PathMove]:
    """The moves; of a wait also how long it is."""
    found: list[PathMove] = []
    for draft in walk.drafts:
        leg = walk.legs[draft.leg]
        wait = leg.motion.duration if isinstance(leg.motion, Standing) else 0.0
        found.append(PathMove(draft.line, draft.kind, _robot_of(walk, leg), wait))
    return found


def _robot_of(walk: Walk, leg: Leg) -> Robot:
    """The robot with the tool and the payload that it has in a leg."""
    return [robot for since, robot in walk.robots if since <= leg.begins][-1]


class _Laying:
    """Lays the pieces of a walk, leg by leg."""

    def __init__(self, walk: Walk) -> None:
        self._walk = walk
        self.pieces: list[Piece] = []
        self.notes: dict[str, None] = {}
        self.wait_before = 0.0
        self._q: Array = walk.legs[0].motion.start if walk.legs else walk.q
        self._track: Track | None = None  # of the last leg
        self._drafts: list[list[int]] = [[] for _ in walk.legs]
        for number, draft in enumerate(walk.drafts):
            self._drafts[draft.leg].append(number)

    def stop(self, reason: str, wait: float = 0.0) -> None:
        """Let the arm rest here."""
        if self.pieces:
            self.pieces[-1] = self.pieces[-1].stopped(reason, wait)
        else:
            self.wait_before += wait

    def leg(self, k: int) -> None:
        """Lay what a leg moves along, the blend with the one before first."""
        leg, motion = self._walk.legs[k], self._walk.legs[k].motion
        robot = _robot_of(self._walk, leg)
        if not leg.overlap:
            self.stop(MOVE_ENDS)
        if self.pieces and self.pieces[-1].robot != robot:
            self.stop(CHANGES)
        if isinstance(motion, Standing):
            if motion.duration > 0:
                self.stop(WAITS, motion.duration)
            return
        track = self._track_of(k)
        if leg.overlap:
            self._blend(k, track, robot)
        drafts = [self._walk.drafts[number] for number in self._drafts[k]]
        for curve, which in track.curves:
            if self.pieces and drafts[which] is not self._draft and self._rests_before(k, which):
                self.stop(MOVE_ENDS)
            self._lay(curve, self._drafts[k][which], robot)
        self._track, self._q = track, track.end

    @property
    def _draft(self) -> Draft:
        """The move of the last piece."""
        return self._walk.drafts[self.pieces[-1].move - 1]

    def _rests_before(self, k: int, which: int) -> bool:
        """Whether the arm rests between the last piece, if it is of leg k, and a move of this leg."""
        last = self.pieces[-1].move - 1
        between = self._drafts[k][:which]
        return any(self._walk.drafts[number].stops for number in between if number >= last)

    def _track_of(self, k: int) -> Track:
        legs, motion = self._walk.legs, self._walk.legs[k].motion
        after = legs[k + 1].overlap if k + 1 < len(legs) else 0.0
        alone = (legs[k].overlap, motion.duration - after)
        if isinstance(motion, PathMotion):
            lines = [self._walk.drafts[number].line for number in self._drafts[k]]
            if least_motion(motion.kinematics.robot).redundant:
                self.notes[SPARE] = None
            return tool_track(motion, self._q, alone, lines)
        assert not isinstance(motion, Standing)
        return joint_track(motion, self._q, alone)

    def _blend(self, k: int, track: Track, robot: Robot) -> None:
        """Lay the overlap of a leg with the one before; each has half of it."""
        before, leg = self._walk.legs[k - 1], self._walk.legs[k]
        assert self._track is not None
        halves = blended(self._track, track, before.motion.duration - leg.overlap, leg.overlap)
        for curves, number in zip(halves, (self._drafts[k - 1][-1], self._drafts[k][0]), strict=True):
            for curve in curves:
                self._lay(curve, number, robot)
        self.notes[BLENDED] = None

    def _lay(self, curve: Curve, number: int, robot: Robot) -> None:
        draft = self._walk.drafts[number]
        self.pieces.append(Piece(curve, robot, number + 1, draft.line, draft.kind))

"""Along the steps of a program, leg by leg: where the arm is, what it holds, and when."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from armdyn.errors import PlanError
from armdyn.motion import blends
from armdyn.motion.arm import inverse_kinematics, tool_poses
from armdyn.motion.joint_limits import JointLimits, joint_limits
from armdyn.motion.legs import AnyMotion, Leg, Standing, followed, samples_within
from armdyn.motion.lines import at_line
from armdyn.motion.moves import FARTHEST, ChangePayload, ChangeTool, PathMove, PointToPoint, Wait
from armdyn.motion.path import ToolPath, tool_path
from armdyn.motion.planned import MoveKind
from armdyn.motion.point_to_point import point_to_point, ramp
from armdyn.motion.targets import Status, joint_values
from armdyn.robot import Robot
from armdyn.scalars import Array

MOST_SAMPLES = 5_000_000
"""A plan has no more samples: fourteen hours at the default cycle."""
RESTING = 1e-9
"""[m/s] Below this speed the tool rests."""

Chain = tuple[PathMove, ...]
Task = PointToPoint | Chain | Wait | ChangeTool | ChangePayload
"""What is planned as one: path moves that follow one another are one chain."""


@dataclass(frozen=True)
class Draft:
    """A move whose end is known within its leg only."""

    line: int
    kind: MoveKind
    leg: int
    """Which leg it belongs to, from 0"""
    end: float | None = None
    """Where it ends in its leg [s]; None: with its leg"""
    stops: bool = True
    """Whether the leg rests there"""


class Walk:
    """Takes tasks one by one."""

    def __init__(
        self,
        robot: Robot,
        q: Array,
        cycle: float,
        jerk: float | None,
        status: Status,
        turn_acceleration: float | None = None,
    ) -> None:
        """Stand at q; the others as for `plan`."""
        self._turn_acceleration = turn_acceleration
        self.robot, self.cycle = robot, cycle
        self.q = q
        """(n) where the arm is after what has been planned"""
        self.legs: list[Leg] = []
        self.drafts: list[Draft] = []
        self.robots: list[tuple[float, Robot]] = [(0.0, robot)]
        """From when on the robot has which tool and payload"""
        self.notes: dict[str, None] = {}
        self._jerk = jerk
        self._status: Status = status
        self._blending = False  # the last leg with the next
        self._softening = 1.0  # how much longer the next point-to-point move's first ramp is
        self._target: Array | None = None  # of the next point-to-point move, where a blend has asked for it
        self._path: ToolPath | None = None  # of the next chain, where a blend has asked for it

    @property
    def time(self) -> float:
        """Where what has been planned ends [s]."""
        return self.legs[-1].ends if self.legs else 0.0

    def take(self, task: Task, following: Task | None) -> None:
        """Plan a task; the next one matters where they are blended."""
        match task:
            case PointToPoint():
                self._point_to_point(task, following)
            case Wait():
                self._wait(task)
            case ChangeTool():
                _check_tool(task)
                self._change(self._now.with_tool(task.placement))
            case ChangePayload():
                held = () if task.payload is None else (task.payload,)
                self._change(replace(self._now, payloads=(*self.robot.payloads, *held)))
            case _:
                self._chain(task, following)

    @property
    def _now(self) -> Robot:
        return self.robots[-1][1]

    def _note(self, *notes: str) -> None:
        self.notes.update(dict.fromkeys(notes))

    def _limits(self) -> JointLimits:
        limits = joint_limits(self.robot)
        self._note(*limits.notes)
        return limits

    # Point to point -----------------------------------------------------------------------

    def _point_to_point(self, move: PointToPoint, following: Task | None) -> None:
        _check_shares(move)
        limits = self._limits()
        end = self._end_of(move) if self._target is None else self._target
        before, self._softening, self._target = self._softening, 1.0, None
        blended = self._blends(move, following)
        acceleration = limits.acceleration * move.acceleration
        after = self._soften(end, -ramp(end - self.q, acceleration), following, limits) if blended else 1.0
        jerk = None if self._jerk is None else acceleration / self._jerk
        speeds = limits.velocity * move.speed
        with at_line(move.line):
            motion = point_to_point(self.q, end, speeds, acceleration / before, acceleration / after, jerk)
        lasting = blends.overlap(self.legs[-1].motion, motion, limits.velocity) if self._blending else 0.0
        self._add(motion, lasting, blended, move.line)
        self.drafts.append(Draft(move.line, "ptp", len(self.legs) - 1))

    def _end_of(self, move: PointToPoint, start: Array | None = None) -> Array:
        """(n) where a move from a posture ends."""
        end, notes = joint_values(move, self._now, self.q if start is None else start, self._status)
        self._note(*notes)
        return end

    def _soften(self, end: Array, slowing: Array, following: Task | None, limits: JointLimits) -> float:
        """By how much the last ramp of a move to `end` is made longer for its blend."""
        match following:
            case PointToPoint():
                self._target = self._end_of(following, end)
                speeding = ramp(self._target - end, limits.acceleration * following.acceleration)
                self._softening = blends.softening(slowing, speeding, limits.acceleration)
                return self._softening
            case tuple():
                self._path = self._tool_path(following, end)
                poses = self._path.poses(blends.ramp_instants(0.0, self._path.accelerating))
                first = inverse_kinematics(self._now).follow(poses, end)
                if first.lost is not None:
                    return 1.0  # the chain itself will say so, with its line and time
                along = blends.accelerations(first.q, self._path.accelerating)
                return blends.softening_beside(slowing, along, limits.acceleration)
            case _:
                return 1.0

    def _blends(self, move: PointToPoint | PathMove, following: Task | None) -> bool:
        """Whether a move is blended with what follows; said if it cannot be."""
        if not move.blend or following is None:
            return False
        if isinstance(following, PointToPoint | tuple):
            return True
        self._note(f"line {move.line}: not blended, because line {following.line} needs the arm at rest")
        return False

    # Along paths --------------------------------------------------------------------------

    def _chain(self, moves: Chain, following: Task | None) -> None:
        path = self._tool_path(moves, self.q) if self._path is None else self._path
        self._path = None
        lasting = min(self.legs[-1].motion.decelerating, path.accelerating) if self._blending else 0.0
        blended = self._blends(moves[-1], following)
        begins = self.time - lasting
        self._check_length(begins + path.duration, moves[-1].line)
        instants = np.append(self._instants(path, begins, blended), lasting / 2)
        motion = followed(path, inverse_kinematics(self._now), moves, self.q, begins, instants)
        self._add(motion, lasting, blended, moves[-1].line)
        self._draft_path(moves, path)
        if blended and isinstance(following, PointToPoint):
            self._target = self._end_of(following)
            limits = self._limits()
            speeding = ramp(self._target - self.q, limits.acceleration * following.acceleration)
            self._softening = blends.softening_beside(speeding, blends.last_ramp(motion), limits.acceleration)

    def _tool_path(self, moves: Chain, q: Array) -> ToolPath:
        path = tool_path(tool_poses(self._now, q), moves, self._turn_acceleration)
        self._note(*path.notes)
        if self._turn_acceleration is not None and any(move.turn_acceleration for move in moves):
            self._note(
                f"turn acceleration {self._turn_acceleration:g} rad/s2 is for path moves without acc_ori"
            )
        if self._jerk is not None:
            self._note(
                "tool paths have trapezoids of speed: the jerk of point-to-point moves only is limited"
            )
        for move in moves[:-1]:
            if move.blend:
                self._note(f"line {move.line}: c_ptp has no effect between path moves, c_cp and c_speed have")
        return path

    def _instants(self, path: ToolPath, begins: float, blended: bool) -> Array:
        """Where the joints are needed along a path: at the samples, at the moves' ends, in the last ramp."""
        first, last = samples_within(begins, begins + path.duration, self.cycle)
        samples = np.arange(first, last, dtype=np.float64) * self.cycle - begins
        slowing = blends.last_ramp_instants(path) if blended else np.empty(0)
        return np.concatenate([[0.0], samples, path.ends, slowing])

    def _draft_path(self, moves: Chain, path: ToolPath) -> None:
        resting = np.abs(path.speeds(np.array(path.ends))) < RESTING
        for k, move in enumerate(moves):
            last = k == len(moves) - 1
            kind: MoveKind = "lin" if move.via is None else "circle"
            end = None if last else path.ends[k]
            self.drafts.append(Draft(move.line, kind, len(self.legs) - 1, end, last or bool(resting[k])))

    # At rest ------------------------------------------------------------------------------

    def _wait(self, step: Wait) -> None:
        if not 0 <= step.duration < np.inf:
            raise PlanError(f"wait of {step.duration:g} s, expected 0 or more", line=step.line)
        self._add(Standing(self.q, step.duration), 0.0, False, step.line)
        self.drafts.append(Draft(step.line, "wait", len(self.legs) - 1))

    def _change(self, robot: Robot) -> None:
        self.robots.append((self.time, robot))

    def _add(self, motion: AnyMotion, lasting: float, blended: bool, line: int) -> None:
        """Let a motion follow, over the end of the last one for a while."""
        begins = self.time - lasting
        self._check_length(begins + motion.duration, line)
        self.legs.append(Leg(motion, begins, lasting))
        self.q, self._blending = motion.end, blended

    def _check_length(self, ends: float, line: int) -> None:
        if ends / self.cycle > MOST_SAMPLES:
            raise PlanError(
                f"the motion lasts {ends:g} s, more than {MOST_SAMPLES} samples of {self.cycle:g} s; "
                "split the program or use a longer cycle",
                line=line,
            )


def _check_shares(move: PointToPoint) -> None:
    for name, share in (("speed", move.speed), ("acceleration", move.acceleration)):
        if not 0 < share <= 1:
            raise PlanError(
                f"{name} share {share:g} of the joints' limits, expected above 0 to 1", line=move.line
            )


def _check_tool(step: ChangeTool) -> None:
    """Refuse a tool frame so far away that nothing can be computed with it."""
    if not np.abs(np.array(step.placement.translation, np.float64)).max() <= FARTHEST:
        x, y, z = step.placement.translation
        raise PlanError(
            f"tool frame at ({x:g}, {y:g}, {z:g}) m, expected numbers up to {FARTHEST:g}", line=step.line
        )

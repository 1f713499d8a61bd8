"""What was found, in words: violations by move, the worst of them, who is concerned, and the verdict."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from armdyn.errors import counted
from armdyn.feasibility.actuators import Actuators
from armdyn.feasibility.results import MoveResult
from armdyn.feasibility.verification import Verification
from armdyn.feasibility.violations import Quantity, Violation
from armdyn.report.wording import (
    DEGREES,
    MILLI,
    RPM,
    amount,
    listed,
    millimetres,
    percent,
    seconds,
    seconds_text,
)

NAMES: dict[Quantity, str] = {
    "motor_torque": "motor torque",
    "motor_speed": "motor speed",
    "joint_torque": "joint torque",
    "joint_speed": "joint speed",
    "joint_acceleration": "joint acceleration",
    "position": "joint position",
    "singularity": "singular posture",
}
MOTORS: tuple[Quantity, ...] = ("motor_torque", "motor_speed")
NOTHING_LEFT = 1e-200
"""[N m] A torque limit below this is none: so fast, a motor can only brake."""
OVER = 1 + 1e-9
"""A share above this is more than all."""


@dataclass(frozen=True)
class Findings:
    """A verification, and how to speak of it."""

    verification: Verification

    # Who ----------------------------------------------------------------------------------

    @cached_property
    def motor_of(self) -> list[int]:
        """The motor that mainly moves each joint: its position among the motors."""
        return [int(k) for k in np.argsort(self._actuators.joints)]

    @property
    def _actuators(self) -> Actuators:
        return self.verification.arms[0].actuators

    @property
    def geared(self) -> bool:
        """Whether motors move the joints through gears."""
        return self._actuators.geared

    def prismatic(self, joint: int) -> bool:
        """Whether a joint, from 0, slides."""
        return self.verification.plan.robot.joints[joint].kind == "prismatic"

    def motor(self, k: int) -> str:
        """What moves, from 0: a motor or, without drives, a joint."""
        return f"{'motor' if self.geared else 'joint'} {k + 1}"

    def motor_units(self, k: int) -> tuple[str, str]:
        """Units of the torque and of the speed of what moves, from 0."""
        return ("N", "m/s") if not self.geared and self.prismatic(k) else ("N m", "rad/s")

    def subject(self, violation: Violation) -> str:
        """The motor or the joint that cannot do it."""
        if violation.joint is None:
            return "the arm"
        if violation.quantity in MOTORS and self.geared:
            return self.motor(self.motor_of[violation.joint - 1])
        return f"joint {violation.joint}"

    def subject_name(self, violation: Violation) -> str:
        """What the robot's file calls it."""
        if violation.joint is None:
            return ""
        if violation.quantity in MOTORS and self.geared:
            return self._actuators.names[self.motor_of[violation.joint - 1]]
        return self.verification.plan.robot.joint_names[violation.joint - 1]

    def quantity(self, violation: Violation) -> str:
        """What is exceeded; without gears the motors' torque is that of the joints."""
        name = NAMES[violation.quantity]
        return name if self.geared else name.replace("motor", "joint")

    # Where and when -----------------------------------------------------------------------

    @property
    def has_lines(self) -> bool:
        """Whether the moves stand in lines of a program."""
        return any(move.line for move in self.verification.plan.moves)

    def place(self, line: int, move: int) -> str:
        """The line of a program, or the move where there is no program."""
        return f"line {line}" if line else f"move {move}" if move else "the motion"

    def move_at(self, time: float) -> int:
        """Number from 1 of the move that is programmed for an instant; 0 if there is none."""
        moves = self.verification.plan.moves
        return next((k for k, move in enumerate(moves, 1) if time < move.end), len(moves))

    def place_at(self, time: float) -> str:
        """The line or move that is programmed for an instant."""
        k = self.move_at(time)
        return self.place(self.verification.plan.moves[k - 1].line if k else 0, k)

    # How much -----------------------------------------------------------------------------

    def unit(self, violation: Violation) -> str:
        """SI unit of what is exceeded."""
        slides = violation.joint is not None and self.prismatic(violation.joint - 1)
        if violation.joint is not None and violation.quantity in MOTORS:
            return self.motor_units(violation.joint - 1)[violation.quantity == "motor_speed"]
        units: dict[str, tuple[str, str]] = {
            "joint_torque": ("N m", "N"),
            "joint_speed": ("rad/s", "m/s"),
            "joint_acceleration": ("rad/s²", "m/s²"),
            "position": ("rad", "m"),
            "singularity": ("", ""),
        }
        return units[violation.quantity][slides]

    def in_shop_units(self, violation: Violation, value: float) -> str:
        """The same in units of data sheets, or nothing where SI serves."""
        unit = self.unit(violation)
        if not math.isfinite(value):
            return ""
        if unit == "rad/s" and violation.quantity == "motor_speed" and self.geared:
            return f"{amount(value * RPM)} rpm"
        if unit.startswith("rad"):
            return f"{amount(value * DEGREES)} {unit.replace('rad', '°')}"
        return f"{amount(value * MILLI)} {unit.replace('m', 'mm', 1)}" if unit.startswith("m") else ""

    def share(self, violation: Violation) -> float | None:
        """How much of the limit is required; None where that is no matter of shares."""
        if violation.quantity in ("position", "singularity"):
            return None
        return abs(violation.required) / violation.limit if violation.limit > NOTHING_LEFT else math.inf

    def severity(self, violation: Violation) -> tuple[int, float]:
        """For finding the worst: motors first, then what no speed can mend, then other limits; by share."""
        share = self.share(violation)
        rank = 2 if violation.quantity in MOTORS else 1 if share is None else 0
        return rank, 0.0 if share is None else share

    def said(self, violation: Violation) -> str:
        """A violation in a few words: motor torque of motor 5, 142 %."""
        share = self.share(violation)
        if violation.quantity == "singularity":
            return "too near a singular posture"
        if share is None:
            return f"joint {violation.joint} outside its range"
        much = percent(share) if math.isfinite(share) else "no torque left at its speed"
        return f"{self.subject(violation)} {NAMES[violation.quantity].split()[-1]} {much}"

    def worst(self, found: Iterable[Violation]) -> Violation:
        """The one to speak of first."""
        return max(found, key=self.severity)

    # By move ------------------------------------------------------------------------------

    @cached_property
    def by_move(self) -> dict[int, list[Violation]]:
        """Violations of each move, numbered from 1, that has any."""
        found: dict[int, list[Violation]] = {}
        for violation in self.verification.violations:
            found.setdefault(violation.move, []).append(violation)
        return found

    def speed_hint(self, move: MoveResult) -> str:
        """At which share of its speed the motors could do a move."""
        if move.feasible:
            return "100 %"
        if move.impossible:
            return "none: not a matter of speed"
        if move.override == 0:
            return "none: also too much at rest"
        return f"{max(1, math.floor(100 * move.override))} %"

    @property
    def speed_advice(self) -> str:
        """How to apply the speed hints; nothing if no move has one that is below its speed."""
        if not any(0 < move.override < 1 for move in self.verification.moves):
            return ""
        return (
            "To run a move at the share r of its speed, multiply its speed by r and its acceleration by r², "
            "as 0.5 and 0.25."
        )

    # The verdict --------------------------------------------------------------------------

    @cached_property
    def verdict(self) -> str:
        """Whether it can be done, and if not what is worst, in one sentence."""
        found = self.verification.violations
        if not found and self._unlimited:
            inside = "every motor and every joint stays inside the limits that are known"
            return f"Feasible as programmed: {inside}; {self._unlimited}."
        if not found:
            return "Feasible as programmed: every motor and every joint stays inside its limits."
        return f"Not feasible as programmed: {self._complaint(self.worst(found))}."

    def _complaint(self, violation: Violation) -> str:
        where = f"in {self.place(violation.line, violation.move)} at {seconds(violation.worst_time)} s"
        share, who = self.share(violation), self.subject(violation)
        if violation.quantity == "singularity":
            return f"the arm comes too near a singular posture {where}"
        if share is None:
            value, limit = (self.in_shop_units(violation, x) for x in (violation.required, violation.limit))
            return f"{who} would have to go to {value}, beyond its limit of {limit}, {where}"
        what = NAMES[violation.quantity].split()[-1]
        if not math.isfinite(share):
            return f"{who} would have to turn so fast that it has no {what} left {where}"
        return f"{who} needs {percent(share)} of its {what} limit {where}"

    @property
    def _unlimited(self) -> str:
        """Of which motors no torque limit is known; nothing if there are none."""
        known = self._actuators.known.tolist()
        if all(known):
            return ""
        if not any(known):
            return f"no torque limit is known of any {'motor' if self.geared else 'joint'}"
        unknown = [self.motor(k) for k, is_known in enumerate(known) if not is_known]
        return f"no torque limit is known of {listed(unknown)}"

    @cached_property
    def times(self) -> str:
        """How long it takes, and how far the tool leaves its path."""
        found = self.verification
        said = f"Cycle time {seconds_text(found.plan.duration)} programmed"
        if found.achieved_time is None:
            return f"{said}, never achieved: the arm does not arrive where the program ends."
        off = millimetres(found.deviation.maximum)
        achieved = seconds_text(found.achieved_time)
        return f"{said}, {achieved} achieved; the tool leaves its path by {off} at most."

    @cached_property
    def verdict_details(self) -> str:
        """How much else there is to say, in a few sentences; nothing if all is well."""
        return " ".join(filter(None, [self._counts, self._motors_alone, self._missed, self._overheating]))

    @property
    def _counts(self) -> str:
        """How many violations of what in how many moves."""
        found = self.verification.violations
        if not found:
            return ""
        kinds = Counter(self.quantity(violation) for violation in found)
        each = ", ".join(f"{name} {count}" for name, count in kinds.most_common())
        moves = counted(len(self.verification.moves), "move")
        where = f" in {len(self.by_move)} of {moves}" if self.verification.moves else ""
        return f"{counted(len(found), 'violation')}{where} ({each})."

    @property
    def _motors_alone(self) -> str:
        """That it is not the motors that cannot do it."""
        found = self.verification.violations
        if not found or not self.geared or any(violation.quantity in MOTORS for violation in found):
            return ""
        if self._unlimited:
            return f"All motors stay inside the limits that are known; {self._unlimited}."
        return "All motors stay inside their limits."

    @property
    def _missed(self) -> str:
        """Which moves are never achieved although the arm arrives where the program ends."""
        moves = self.verification.moves
        missed = [self.place(move.line, k) for k, move in enumerate(moves, 1) if move.achieved is None]
        if not missed or self.verification.achieved_time is None:
            return ""
        ends = counted(len(missed), "move").split()[-1]
        return f"The arm never comes to the end of the {ends} in {listed(list(dict.fromkeys(missed)))}."

    @property
    def _overheating(self) -> str:
        """Which motors would have to give more than their rated torque in the mean."""
        uses = zip(self._actuators.motors, self.verification.utilisation, strict=True)
        over = [
            f"{self.motor(k)} {percent(use.rms)}"
            for k, (motor, use) in enumerate(uses)
            if motor.rated_torque and use.rms is not None and use.rms > OVER
        ]
        if not over:
            return ""
        them = "it" if len(over) == 1 else "them"
        return f"Rms torque of rated: {listed(over)}; repeated without end, the motion overheats {them}."

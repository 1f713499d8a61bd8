"""What limits an excitation: positions, speeds, accelerations, torques of motors and joints, the tool's room.

Each limit is |share| <= 1 of shares that are linear in what a motion takes, its channels:

    (q - middle)/half, qd/v, qdd/a, t/T + e w (a motor's envelope), w/w_max, tau/effort, (p - middle)/half
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from armdyn.feasibility.arm import Arm
from armdyn.mechanics.motor_limits import bounds
from armdyn.scalars import Array

Channel = Literal["q", "qd", "qdd", "motor_torque", "motor_speed", "joint_torque", "tool"]
Channels = dict[Channel, Array]
"""Each (t, n), the tool's (t, 3)."""
Quantity = Literal[
    "position",
    "joint_speed",
    "joint_acceleration",
    "motor_torque",
    "motor_speed",
    "joint_torque",
    "workspace",
]
AXES = ("x", "y", "z")


@dataclass(frozen=True, eq=False)
class Limit:
    """|share| <= 1, share = offset + sum of factor * channel, for joints, motors or axes side by side."""

    quantity: Quantity
    channel: Channel
    """What the limit is about"""
    factors: Mapping[Channel, Array]
    """(k) each; 0 where there is no limit"""
    offset: Array | float = 0.0

    def share(self, channels: Channels) -> Array:
        """(t, k) of the limit that is used, with its sign."""
        parts = (channels[name] * factor for name, factor in self.factors.items())
        return sum(parts, np.asarray(self.offset))

    @property
    def known(self) -> Array:
        """(k) 1 where there is a limit, 0 where none is known."""
        return np.asarray(self.factors[self.channel] != 0, dtype=float)

    def bound(self, channels: Channels, t: int, k: int) -> float:
        """What the channel could be at most, of its sign, the others as they are."""
        share, factor = self.share(channels)[t, k], self.factors[self.channel][k]
        return float(channels[self.channel][t, k] + (np.copysign(1.0, share) - share) / factor)


@dataclass(frozen=True, eq=False)
class Use:
    """How much of a limit a motion uses at most."""

    quantity: Quantity
    joint: int | None
    """From 1; of a motor the joint that it mainly moves; None for the tool"""
    axis: str | None
    """Of the tool's room: x, y or z"""
    share: float
    """1 on the limit"""
    value: float
    """Of the quantity there [SI]"""
    limit: float
    """What it may be there"""
    time: float
    """[s]"""

    @property
    def name(self) -> str:
        """Quantity and joint in words."""
        what = self.quantity.replace("_", " ")
        return f"{what} {self.axis}" if self.joint is None else f"{what} of joint {self.joint}"


@dataclass(frozen=True, eq=False)
class Limits:
    """All that limits the excitation of an arm."""

    arm: Arm
    low: Array
    """(n) positions [rad or m]"""
    high: Array
    velocity: Array
    """(n) [rad/s or m/s]"""
    acceleration: Array
    """(n) [rad/s2 or m/s2]"""
    box: Array | None
    """(3, 2) where the tool's origin may be, in base axes [m]"""
    notes: tuple[str, ...]
    """What was derived or assumed"""
    usable: float = 1.0
    """Share of them that may be used"""

    @property
    def reach(self) -> tuple[Array, Array]:
        """(n) the lowest and the highest positions that may be used."""
        half, middle = 0.5 * (self.high - self.low), 0.5 * (self.high + self.low)
        return middle - self.usable * half, middle + self.usable * half

    @property
    def all(self) -> tuple[Limit, ...]:
        """Every limit there is."""
        return (*self.of_joints, *self.others)

    @property
    def of_joints(self) -> tuple[Limit, ...]:
        """Those that are linear in the coefficients of a motion."""
        half, middle = 0.5 * (self.high - self.low), 0.5 * (self.high + self.low)
        return (
            Limit("position", "q", {"q": 1 / half}, -middle / half),
            Limit("joint_speed", "qd", {"qd": 1 / self.velocity}),
            Limit("joint_acceleration", "qdd", {"qdd": 1 / self.acceleration}),
        )

    @property
    def others(self) -> tuple[Limit, ...]:
        """Those of motors, of torques and of the tool."""
        return (*_motor_limits(self.arm), *_efforts(self.arm), *self._room)

    @property
    def _room(self) -> tuple[Limit, ...]:
        if self.box is None:
            return ()
        half, middle = 0.5 * (self.box[:, 1] - self.box[:, 0]), self.box.mean(axis=1)
        return (Limit("workspace", "tool", {"tool": 1 / half}, -middle / half),)

    def channels(self, q: Array, qd: Array, qdd: Array, among: Sequence[Limit]) -> Channels:
        """What a motion (t, n) takes of all that these limits look at."""
        needed = {name for limit in among for name in limit.factors}
        found: Channels = {"q": q, "qd": qd, "qdd": qdd}
        if "motor_torque" in needed:
            found["motor_torque"] = self.arm.torque(q, qd, qdd)
        if "motor_speed" in needed:
            found["motor_speed"] = self.arm.speed(q, qd)
        if "joint_torque" in needed:
            found["joint_torque"] = self.arm.joint_torque(q, qd, qdd)
        if "tool" in needed:
            found["tool"] = self.arm.dyn.pose(q)[..., :3, 3]
        return found

    def largest(self, q: Array, qd: Array, qdd: Array, among: Sequence[Limit] | None = None) -> Array:
        """(t) the largest share of any limit at each state, inf where a torque is not a number."""
        limits = self.all if among is None else among
        channels = self.channels(q, qd, qdd, limits)
        most = np.zeros(q.shape[:-1])
        for limit in limits:
            most = np.maximum(most, np.abs(limit.share(channels)).max(axis=-1))
        return np.where(np.isnan(most), np.inf, most)

    def uses(self, time: Array, q: Array, qd: Array, qdd: Array) -> tuple[Use, ...]:
        """How much of each limit a motion uses at most."""
        limits = self.all
        channels = self.channels(q, qd, qdd, limits)
        joints = self.arm.actuators.joints
        found: dict[tuple[Quantity, int], Use] = {}
        for limit in limits:
            shares = np.abs(limit.share(channels))
            for k in np.flatnonzero(limit.known).tolist():
                t = int(np.argmax(shares[:, k]))
                whose = joints[k] if limit.channel.startswith("motor") else k
                key = (limit.quantity, whose)
                if key in found and found[key].share >= shares[t, k]:
                    continue  # another bound of the same motor
                room = limit.quantity == "workspace"
                found[key] = Use(
                    limit.quantity,
                    None if room else whose + 1,
                    AXES[k] if room else None,
                    float(shares[t, k]),
                    float(channels[limit.channel][t, k]),
                    limit.bound(channels, t, k),
                    float(time[t]),
                )
        return tuple(found.values())


def _motor_limits(arm: Arm) -> list[Limit]:
    """Torque-speed envelopes, |t/T + e w| <= 1, and greatest speeds; joints without drives are motors."""
    actuators = arm.actuators
    tables = [list(bounds(motor)) for motor in actuators.motors]
    quantity = "motor_torque" if actuators.geared else "joint_torque"
    limits: list[Limit] = []
    for k in range(max(len(table) for table in tables)):
        mine = [table[k] if k < len(table) else (np.inf, 0.0) for table in tables]
        T, e = np.array(mine).T
        factors: dict[Channel, Array] = {"motor_torque": 1 / T}
        if e.any():
            factors["motor_speed"] = e
        limits.append(Limit(quantity, "motor_torque", factors))
    if np.isfinite(actuators.speed_limits).any():
        limits.append(Limit("motor_speed", "motor_speed", {"motor_speed": 1 / actuators.speed_limits}))
    return limits


def _efforts(arm: Arm) -> list[Limit]:
    """Effort limits of joints that drives move."""
    efforts = [joint.limits.effort or np.inf for joint in arm.dyn.robot.joints]
    if not arm.actuators.geared or not np.isfinite(efforts).any():
        return []
    return [Limit("joint_torque", "joint_torque", {"joint_torque": 1 / np.array(efforts)})]

"""What acts at a joint against the torque that its own inertia takes, as functions of the joints."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from armdyn.robot import Robot
from armdyn.scalars import Array
from armdyn.scalars.harmonic import Harmonic
from armdyn.studies.loads.arms import Arm
from armdyn.studies.loads.units import acceleration_unit, coupling_unit


@dataclass(frozen=True)
class Ratio:
    """A torque over H_ii of its joint."""

    joint: int
    """Position in q."""
    name: str
    """H12/H11: acceleration of joint 2 felt at joint 1; g2/H22: gravity; C1/H11: velocities."""
    unit: str
    torque: Callable[[Arm], Harmonic]
    share: float
    """What makes the ratio a share of the inertia torque at the accelerations given."""
    other: int | None = None
    """The joint that accelerates, of H12/H11."""
    velocity: Mapping[str, Array] | None = None
    """Load -> velocities of all joints, of C1/H11."""

    def at(self, arm: Arm, q: Array) -> Array:
        """(...) its values at q: (..., n)."""
        return arm.at(self.torque(arm), q) / arm.at(arm.H[self.joint][self.joint], q)


def element(robot: Robot, symbol: str, *joints: int) -> str:
    """The name of an element: H12, or H1,12 where joints have two digits."""
    return symbol + ("," if robot.n > 9 else "").join(str(i + 1) for i in joints)


def acceleration_ratios(robot: Robot, asked: Sequence[int], qdd: Array) -> Iterator[Ratio]:
    """[Bejczy1974] (104)-(107): H_ij/H_ii of all pairs, the acceleration of j felt at i."""
    for i in asked:
        for j in asked:
            if i != j:
                yield Ratio(
                    i,
                    f"{element(robot, 'H', i, j)}/{element(robot, 'H', i, i)}",
                    coupling_unit(robot.joints[i], robot.joints[j]),
                    lambda arm, i=i, j=j: arm.H[i][j],
                    float(qdd[j] / qdd[i]),
                    other=j,
                )


def gravity_ratios(robot: Robot, asked: Sequence[int], qdd: Array) -> Iterator[Ratio]:
    """[Bejczy1974] (133)-(136): g_i/H_ii, the acceleration that takes as much torque as gravity."""
    for i in asked:
        yield Ratio(
            i,
            f"{element(robot, 'g', i)}/{element(robot, 'H', i, i)}",
            acceleration_unit(robot.joints[i]),
            lambda arm, i=i: arm.g[i],
            float(1.0 / qdd[i]),
        )


def velocity_ratios(
    robot: Robot, asked: Sequence[int], qdd: Array, velocities: Mapping[str, Array]
) -> Iterator[Ratio]:
    """(C qd)_i/(H_ii qdd_i) at given velocities: load -> (n, n), a row for the torque at each joint."""
    for i in asked:
        mine = {load: rows[i] for load, rows in velocities.items()}
        yield Ratio(
            i,
            f"{element(robot, 'C', i)}/{element(robot, 'H', i, i)}",
            "1",
            lambda arm, i=i, mine=mine: arm.velocity_torque(i, mine[arm.load]) * float(1.0 / qdd[i]),
            1.0,
            velocity=mine,
        )

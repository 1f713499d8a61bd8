"""Friction as data: several terms at once, at a joint or at a motor."""

from __future__ import annotations

from dataclasses import dataclass

from armdyn.robot.checks import bounded, not_negative, require


@dataclass(frozen=True)
class Friction:
    """Friction of one coordinate v: viscous v + sign(v) (coulomb + load |load torque|) in motion.

    At rest it holds up to starting + load |load torque|. viscous [N m s/rad or N s/m], coulomb in motion
    and starting at rest [N m or N], load: dimensionless share of the transmitted torque.
    `load_includes_friction` says that the load counts what friction itself adds. Unknown starting
    friction (None) equals that in motion.
    """

    viscous: float = 0.0
    coulomb: float = 0.0
    starting: float | None = None
    load: float = 0.0
    load_includes_friction: bool = False

    def __post_init__(self) -> None:
        """Friction never drives: no term is negative."""
        for name in ("viscous", "coulomb", "load"):
            require(getattr(self, name) is not None, f"friction: {name} is None, expected a number")
        includes = self.load_includes_friction
        require(
            includes in (True, False),
            f"friction: load_includes_friction is {includes!r}, expected True or False",
        )
        terms = {"viscous": self.viscous, "coulomb": self.coulomb, "starting": self.starting}
        not_negative("friction", **terms, load=self.load)
        bounded("friction", **terms)
        require(self.load < 1, f"friction: load is {self.load:g}, expected less than 1 (the joint would jam)")
        require(
            self.starting is None or self.starting >= self.coulomb,
            f"friction: starting {self.starting} is below coulomb {self.coulomb:g}, expected no less",
        )

    def __bool__(self) -> bool:
        """Whether there is any friction at all."""
        return bool(self.viscous or self.dry)

    @property
    def at_rest(self) -> float:
        """What it holds without load: the starting friction, if that is known, else that in motion."""
        return self.coulomb if self.starting is None else self.starting

    @property
    def dry(self) -> bool:
        """Whether it can hold anything at rest."""
        return bool(self.at_rest or self.load)


NO_FRICTION = Friction()

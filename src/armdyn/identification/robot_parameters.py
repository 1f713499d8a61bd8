"""From parameters back to a robot: what each body, rotor and friction point of it must be.

A body's parameters count what rides on it; what the body itself has is the rest. All of it is linear in pi,
so that a fit can be held to bodies that exist.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol

import numpy as np

from armdyn.dynamics import Dynamics
from armdyn.mechanics.body_parameters import PARAMETERS, moments_of, parameters_of
from armdyn.robot import Body, Drive, Friction, Robot, Rotor
from armdyn.scalars import Array
from armdyn.spatial import Inertia

SIZE = len(PARAMETERS)
ROUNDING = 1e-12
"""Relative: what sums leave of parameters that did not change."""


@dataclass(frozen=True)
class BodyPlace:
    """A body's parameters in pi, and what rides on it: its own are pi[first:] - riding pi - ridden."""

    first: int
    riding: Array
    """(10, p)"""
    ridden: Array
    """(10)"""


class Shape(Protocol):
    """Where in pi the parameters of bodies stand, and what bounds the others."""

    @property
    def bodies(self) -> Sequence[BodyPlace]:
        """Of every body."""
        ...

    @property
    def not_negative(self) -> Sequence[int]:
        """Positions of what there is never less than none of."""
        ...

    @property
    def at_most(self) -> Sequence[tuple[int, float]]:
        """Positions, and bounds from above."""
        ...


@dataclass(frozen=True)
class SingleBody:
    """Ten parameters of one body and nothing else: a payload."""

    bodies: tuple[BodyPlace, ...] = (BodyPlace(0, np.zeros((SIZE, SIZE)), np.zeros(SIZE)),)
    not_negative: tuple[int, ...] = ()
    at_most: tuple[tuple[int, float], ...] = ()


@dataclass(frozen=True)
class RobotParameters:
    """A robot as a function of pi."""

    dyn: Dynamics

    @property
    def robot(self) -> Robot:
        """With its own parameters."""
        return self.dyn.robot

    @cached_property
    def places(self) -> Mapping[str, int]:
        """Name of a parameter -> its position in pi."""
        return {parameter.name: k for k, parameter in enumerate(self.dyn.parameters)}

    @property
    def bodies(self) -> tuple[BodyPlace, ...]:
        """Of every body."""
        return tuple(self._place(name) for name in self.robot.body_names)

    def _place(self, body: str) -> BodyPlace:
        riding, ridden = np.zeros((SIZE, len(self.dyn.parameters))), np.zeros(SIZE)
        for payload in self.robot.payloads:
            if payload.body == body:
                ridden += np.array(parameters_of(payload.inertia), dtype=float)
        for name, rotor in self._riding(body):
            constant, per_axial = _riding_parameters(rotor)
            ridden += constant
            place = self.places.get(f"{name}.I")
            if place is None:  # the motor model does not see it spin
                ridden += per_axial * rotor.axial
            else:
                riding[:, place] += per_axial
        return BodyPlace(self.places[f"{body}.m"], riding, ridden)

    def _riding(self, body: str) -> list[tuple[str, Rotor]]:
        """Rotors with a mass of their own on a body, and the names of their parameters."""
        if self.dyn.motors == "none":
            return []
        named = (pair for drive in self.robot.drives for pair in drive.named_rotors)
        return [(name, rotor) for name, rotor in named if rotor.carrier == body and rotor.mass is not None]

    @property
    def at_most(self) -> tuple[tuple[int, float], ...]:
        """(position, bound): a rotor with a known inertia across its axis has at most twice that about it."""
        found: list[tuple[int, float]] = []
        for drive in self.robot.drives:
            for name, rotor in drive.named_rotors:
                place = self.places.get(f"{name}.I")
                if place is not None and rotor.transverse is not None:
                    found.append((place, 2 * rotor.transverse))
        return tuple(found)

    @property
    def not_negative(self) -> tuple[int, ...]:
        """Positions of what no robot has less than none of: inertias of rotors, friction."""
        kinds = ("I", "viscous", "coulomb")
        return tuple(k for k, each in enumerate(self.dyn.parameters) if each.kind in kinds)

    # The robot ------------------------------------------------------------------------------

    def with_values(self, pi: Array) -> Robot:
        """The robot that has these parameters; those of bodies must be such that bodies can have them."""
        bodies = tuple(
            self._body(body, place, pi) for body, place in zip(self.robot.bodies, self.bodies, strict=True)
        )
        drives = tuple(self._drive(drive, pi) for drive in self.robot.drives)
        return replace(self.robot, bodies=bodies, drives=drives)

    def _body(self, body: Body, place: BodyPlace, pi: Array) -> Body:
        own = pi[place.first : place.first + SIZE] - place.riding @ pi - place.ridden
        given = np.array(parameters_of(body.inertia), dtype=float)
        same = np.allclose(own, given, rtol=ROUNDING, atol=ROUNDING * float(np.abs(given).max()))
        inertia = body.inertia if same else inertia_of(own)
        joint = replace(body.joint, friction=self._friction(body.joint.friction, body.joint.name, pi))
        accepted = body.accept_unphysical if inertia.unphysical() else None
        return replace(body, inertia=inertia, joint=joint, accept_unphysical=accepted)

    def _drive(self, drive: Drive, pi: Array) -> Drive:
        rotors = [self._rotor(name, rotor, pi) for name, rotor in drive.named_rotors]
        felt = drive.joint_inertia
        if felt is not None and (place := self.places.get(f"{drive.name}.I")) is not None:
            felt = max(float(pi[place]), 0.0)
        own = rotors[:1] if drive.rotor is not None else []
        wheels = rotors[len(own) :]
        return replace(
            drive,
            rotor=own[0] if own else None,
            stages=tuple(replace(s, rotor=r) for s, r in zip(drive.stages, wheels, strict=True)),
            joint_inertia=felt,
            friction=self._friction(drive.friction, drive.name, pi),
        )

    def _rotor(self, name: str, rotor: Rotor, pi: Array) -> Rotor:
        place = self.places.get(f"{name}.I")
        return rotor if place is None else replace(rotor, axial=max(float(pi[place]), 0.0))

    def _friction(self, own: Friction, name: str, pi: Array) -> Friction:
        if f"{name}.viscous" not in self.places:
            return own
        viscous, coulomb = (
            max(float(pi[self.places[f"{name}.{kind}"]]), 0.0) for kind in ("viscous", "coulomb")
        )
        starting = own.starting if own.starting is not None and own.starting >= coulomb else None
        return replace(own, viscous=viscous, coulomb=coulomb, starting=starting)


def inertia_of(own: Array) -> Inertia:
    """The inertia of a body that has these ten parameters."""
    moments = moments_of(own.tolist())
    return Inertia.from_moments(moments.mass, moments.first, moments.second)


def _riding_parameters(rotor: Rotor) -> tuple[Array, Array]:
    """Parameters of a rotor that rides: a constant part, and one for each unit of inertia about its axis."""

    def at(axial: float) -> Array:
        transverse = rotor.transverse if rotor.transverse is not None else 0.5 * axial
        assert rotor.placement is not None and rotor.mass is not None
        tensor = ((transverse, 0.0, 0.0), (0.0, transverse, 0.0), (0.0, 0.0, axial))
        return np.array(
            parameters_of(Inertia(rotor.mass, tensor=tensor).seen_from(rotor.placement)), dtype=float
        )

    constant = at(0.0)
    return constant, at(1.0) - constant

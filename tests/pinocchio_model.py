"""A robot of armdyn as a Pinocchio tree: every moving body and every rotor gets a joint of its own.

Nothing of armdyn's mechanics is used: the derivatives of nonlinear coordinates theta(q) come from SymPy,
dynamics from Pinocchio on the full tree, projected with tau = (d theta/d q)^T tau_theta. A moving
base is a free-flyer joint whose velocity and acceleration are prescribed.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import sympy

from armdyn.robot import BASE, Coupling, Robot, Rotor
from armdyn.spatial import Inertia, Transform

pin: Any = importlib.import_module("pinocchio")  # its type information knows none of its names


class ProjectedTree:
    """The full tree, and its projection onto the robot's independent coordinates."""

    def __init__(self, robot: Robot, rotors: bool) -> None:
        self.robot = robot
        self.model = pin.Model()
        self.model.gravity.linear = np.array(robot.gravity, float)
        root = self.model.addJoint(0, pin.JointModelFreeFlyer(), pin.SE3.Identity(), "floating base")
        # the base's motion is prescribed: its own inertia is felt by nobody, but must be positive
        self.model.appendBodyToJoint(
            root, pin.Inertia(1.0, np.zeros(3), 10.0 * np.eye(3)), pin.SE3.Identity()
        )
        self.frames: dict[str, tuple[int, Any]] = {BASE: (root, pin.SE3.Identity())}
        self.coordinates: list[tuple[Coupling, float, float]] = []
        self._rotors = rotors
        self._add_rotors_on(BASE)
        self._add_children(BASE)
        for payload in robot.payloads:
            joint, place = self.frames[payload.body]
            self.model.appendBodyToJoint(joint, _inertia(payload.inertia), place)
        self.data = self.model.createData()

    def _add_children(self, parent: str) -> None:
        """Depth first, as Pinocchio's algorithms expect."""
        for body in self.robot.bodies:
            if body.parent != parent:
                continue
            on, T_joint_parent = self.frames[parent]
            place = T_joint_parent * _se3(body.joint.placement)
            if body.joint.kind != "fixed":
                kinds = {
                    "revolute": pin.JointModelRevoluteUnaligned,
                    "prismatic": pin.JointModelPrismaticUnaligned,
                }
                on = self.model.addJoint(
                    on, kinds[body.joint.kind](np.array(body.joint.axis, float)), place, body.name
                )
                place = pin.SE3.Identity()
                coupling = body.joint.coupling or Coupling(((body.joint.name, 1.0),))
                self.coordinates.append((coupling, body.joint.offset, 1.0))
            self.frames[body.name] = (on, place * _se3(body.joint.frame))
            self.model.appendBodyToJoint(on, _inertia(body.inertia), self.frames[body.name][1])
            self._add_rotors_on(body.name)
            self._add_children(body.name)

    def _add_rotors_on(self, carrier: str) -> None:
        for drive in self.robot.drives if self._rotors else ():
            stages = [(drive.rotor, 1.0)] if drive.rotor else []
            for rotor, ratio in stages + [(s.rotor, s.ratio) for s in drive.stages]:
                if rotor.carrier == carrier:
                    self._add_rotor(rotor, drive.name, drive.coupling, ratio)

    def _add_rotor(self, rotor: Rotor, name: str, coupling: Coupling, ratio: float) -> None:
        assert rotor.carrier is not None
        assert rotor.placement is not None
        on, T_joint_carrier = self.frames[rotor.carrier]
        place = T_joint_carrier * _se3(rotor.placement)
        joint = self.model.addJoint(on, pin.JointModelRZ(), place, f"{name}{len(self.coordinates)}")
        if rotor.mass is None:  # the carrier's inertia includes the rotor as a rigid part
            self._add_spin_inertia(on, place, -rotor.axial)
            self._add_spin_inertia(joint, pin.SE3.Identity(), rotor.axial)
        else:
            self.model.appendBodyToJoint(joint, _rotor_inertia(rotor), pin.SE3.Identity())
        self.coordinates.append((coupling, 0.0, ratio))

    def let_rotors_ride(self) -> None:
        """Make rotors with a mass of their own rigid parts of their carriers."""
        for drive in self.robot.drives:
            for rotor in [drive.rotor, *(stage.rotor for stage in drive.stages)]:
                if rotor is None or rotor.mass is None:
                    continue
                assert rotor.carrier is not None
                assert rotor.placement is not None
                on, T_joint_carrier = self.frames[rotor.carrier]
                self.model.appendBodyToJoint(
                    on, _rotor_inertia(rotor), T_joint_carrier * _se3(rotor.placement)
                )
        self.data = self.model.createData()

    def _add_spin_inertia(self, joint: int, place: Any, axial: float) -> None:
        """Inertia about the z axis of `place` alone, without mass, or a share taken off."""
        z = place.rotation[:, 2]
        Y = self.model.inertias[joint]
        self.model.inertias[joint] = pin.Inertia(Y.mass, Y.lever, Y.inertia + axial * np.outer(z, z))

    def inverse(self, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray) -> np.ndarray:
        """tau = (d theta/d q)^T rnea(theta, thetadot, thetaddot)."""
        full_q, full_v, full_a, slope = self.full_motion(q, qd, qdd)
        return slope.T @ pin.rnea(self.model, self.data, full_q, full_v, full_a)[6:]

    def full_motion(self, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray) -> tuple[np.ndarray, ...]:
        """Position, velocity and acceleration of base and tree in Pinocchio's coordinates; d theta/d q."""
        theta, thetad, thetadd, slope = self._motion(q, qd, qdd)
        base = self.robot.base_motion
        v, w, a, alpha = (np.array(x, float) for x in vars(base).values())
        full_q = np.concatenate([[0, 0, 0, 0, 0, 0, 1], theta])
        full_v = np.concatenate([v, w, thetad])
        # Pinocchio's acceleration of a joint is spatial: the classical one less omega x v
        full_a = np.concatenate([a - np.cross(w, v), alpha, thetadd])
        return full_q, full_v, full_a, slope

    def mass_matrix(self, q: np.ndarray) -> np.ndarray:
        """H = (d theta/d q)^T H_theta (d theta/d q), H_theta column by column."""
        zero = np.zeros(len(q))
        bias = self.inverse(q, zero, zero)
        return np.stack([self.inverse(q, zero, column) - bias for column in np.eye(len(q))], 1)

    def _motion(self, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray) -> tuple[np.ndarray, ...]:
        """theta, its velocity, its acceleration and d theta/d q."""
        by_name = dict(zip(self.robot.joint_names, np.eye(len(q)), strict=True))
        rows: list[tuple[Any, ...]] = []
        for coupling, offset, ratio in self.coordinates:
            w = sum((weight * by_name[name] for name, weight in coupling.weights), np.zeros(len(q)))
            value, slope, bend = _along(coupling, float(w @ q) + coupling.offset)
            gradient = ratio * slope * w  # and the Hessian is ratio bend w w^T
            acceleration = gradient @ qdd + ratio * bend * (w @ qd) ** 2
            rows.append((ratio * value + offset, gradient @ qd, acceleration, gradient))
        theta, thetad, thetadd, slopes = zip(*rows, strict=True)
        return np.array(theta), np.array(thetad), np.array(thetadd), np.array(slopes)


def _along(coupling: Coupling, x: float) -> tuple[float, float, float]:
    """f, f' and f'' of the coupling at x."""
    law = coupling.law
    if law is None:
        return x, 1.0, 0.0
    f, slope, bend = _screw()(x, law.constant, law.cosine, law.sine, law.ratio, law.zero)
    return f, slope, bend


@cache
def _screw() -> Callable[..., tuple[float, float, float]]:
    """The screw's law with symbols for its constants, differentiated twice by SymPy."""
    x, *constants = sympy.symbols("x constant cosine sine ratio zero", real=True)
    constant, cosine, sine, ratio, zero = constants
    f = ratio * (sympy.sqrt(constant + cosine * sympy.cos(x) + sine * sympy.sin(x)) - zero)
    return sympy.lambdify((x, *constants), (f, sympy.diff(f, x), sympy.diff(f, x, 2)), "math")


def _se3(T: Transform) -> Any:
    return pin.SE3(np.array(T.rotation, float), np.array(T.translation, float))


def _inertia(inertia: Inertia) -> Any:
    return pin.Inertia(inertia.mass, np.array(inertia.com, float), np.array(inertia.tensor, float))


def _rotor_inertia(rotor: Rotor) -> Any:
    tensor = np.diag([rotor.transverse or 0.0, rotor.transverse or 0.0, rotor.axial])
    return pin.Inertia(rotor.mass or 0.0, np.zeros(3), tensor)

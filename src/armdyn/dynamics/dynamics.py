"""Dynamics(robot): every quantity over batches of states.

Each quantity is traced once over graph nodes (the equations of `mechanics` for this robot, its
structure exploited) and then evaluated for any number of states. Arrays have shape (..., n);
leading axes are the batch and broadcast.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, Unpack

import numpy as np
from numpy.typing import ArrayLike

from armdyn.dynamics.loaded import accelerations_under_load, solve_rows
from armdyn.dynamics.traced import Nodes, Run, Traced
from armdyn.errors import InputError, MissingDataError
from armdyn.mechanics import drives, energy, frames, kinematics, velocity_matrix
from armdyn.mechanics.friction import load_dependent
from armdyn.mechanics.methods import MethodName
from armdyn.mechanics.methods import Quantity as Given
from armdyn.mechanics.newton_euler import inverse_dynamics
from armdyn.mechanics.placed import placed
from armdyn.mechanics.reactions import AXES, body_reactions
from armdyn.mechanics.tree.links import Tree
from armdyn.mechanics.tree.motors import MotorModel
from armdyn.robot import Robot
from armdyn.scalars import Array
from armdyn.scalars.batch import batch_shape, filled
from armdyn.scalars.derivatives import jacobian as derivative
from armdyn.spatial.vector import ZERO

TERMS = ("inertia", "velocity", "gravity", "friction", "contact")


class Dynamics:
    """The dynamics of one robot under one motor model, with or without friction.

    Args:
        robot: what moves.
        motors: how much of the drives the equations see: "exact", "augmented", "coupled",
            "reflected" or "none"; by default the best the robot's data support.
        friction: whether `inverse` and `forward` include friction (in motion); by default yes,
            unless motors is "none".
        method: the formulation that gives torques, mass matrix and accelerations (`mechanics.methods`); all
            give the same numbers. By default Newton-Euler, composite bodies, and for accelerations what
            takes the fewest operations; `method_of` says which.

    Every method takes `out=` (an array to fill) and `threads=` (default: the environment
    variable ARMDYN_THREADS, or 1). A state with NaN gives NaN in its own row only.
    """

    def __init__(
        self,
        robot: Robot,
        motors: MotorModel | None = None,
        friction: bool | None = None,
        method: MethodName | None = None,
    ) -> None:
        """Choose motor model and formulation; quantities are traced when first asked for."""
        self._traced = Traced(robot, motors, friction, method)

    @property
    def robot(self) -> Robot:
        """What moves."""
        return self._traced.robot

    @property
    def n(self) -> int:
        """Number of independent joints."""
        return self.robot.n

    @property
    def motors(self) -> MotorModel:
        """The motor model in use."""
        return self._traced.motors

    @property
    def friction(self) -> bool:
        """Whether torques include friction."""
        return self._traced.friction

    @property
    def method(self) -> MethodName | None:
        """The formulation asked for, None by default."""
        return self._traced.asked

    def method_of(self, quantity: Given) -> MethodName:
        """Which formulation gives torques ("inverse"), "mass_matrix" or accelerations ("forward").

        Friction that depends on the load makes accelerations an iteration over torques.
        """
        t = self._traced
        if quantity != "forward":
            return t.method.source(quantity)
        iterated = self.friction and load_dependent(self.robot)
        return t.method.source("inverse") if iterated else t.forward_method.source("forward")

    @property
    def tree(self) -> Tree:
        """The robot as equations see it."""
        return self._traced.tree

    def __repr__(self) -> str:
        asked = "" if self.method is None else f', method="{self.method}"'
        how = f'motors="{self.motors}", friction={self.friction}{asked}'
        return f"Dynamics({self.robot.name}, n={self.n}, {how})"

    # Torques and accelerations --------------------------------------------------------------

    def inverse(
        self,
        q: ArrayLike,
        qd: ArrayLike,
        qdd: ArrayLike,
        wrench: ArrayLike | None = None,
        *,
        at: ArrayLike | None = None,
        base: ArrayLike | None = None,
        **run: Unpack[Run],
    ) -> Array:
        """Torques that a motion takes.

        Args:
            q: (..., n) joint positions [rad or m].
            qd: (..., n) joint velocities.
            qdd: (..., n) joint accelerations.
            wrench: (..., 6) force and moment that the tool exerts on its surroundings, base axes.
            at: where it acts, in the coordinates of the body that carries the tool [m];
                by default the tool's origin.
            base: (..., 12) velocity, angular velocity, acceleration, angular acceleration of
                the base in base axes; by default as the robot says.
            **run: `out=` and `threads=`.

        Returns:
            (..., n) torques tau [N m or N], friction included if this object includes it.
        """

        def build(x: Nodes) -> list[Any]:
            loads = self._traced.loads(x, x["qd"], x["qdd"])
            return _sum(loads.torque, self._traced.rubbing(x, loads))

        return self._traced.evaluate(
            ("inverse",),
            build,
            (self.n,),
            run,
            q=q,
            qd=qd,
            qdd=qdd,
            wrench=wrench,
            at=at,
            base=base,
        )

    def forward(
        self,
        q: ArrayLike,
        qd: ArrayLike,
        tau: ArrayLike,
        wrench: ArrayLike | None = None,
        *,
        at: ArrayLike | None = None,
        base: ArrayLike | None = None,
        **run: Unpack[Run],
    ) -> Array:
        """Accelerations (..., n) under torques tau (..., n); the other arguments as for `inverse`.

        A singular mass matrix gives NaN or infinity in its row.
        """
        if self.friction and load_dependent(self.robot):
            qdd = accelerations_under_load(
                self._traced, q, qd, tau, run.get("threads"), wrench=wrench, at=at, base=base
            )
            return filled(qdd, run.get("out"))

        def build(x: Nodes) -> list[Any]:
            t = self._traced
            built = t.light("forward", x)
            rubbing = t.rubbing(x, t.loads(x, x["qd"], None)) if self.friction else [0] * self.n
            net = [torque - lost for torque, lost in zip(x["tau"], rubbing, strict=True)]
            return t.forward_method.forward(built, x["q"], x["qd"], net, contact=t.contact(x, built))

        return self._traced.evaluate(
            ("forward",),
            build,
            (self.n,),
            run,
            q=q,
            qd=qd,
            tau=tau,
            wrench=wrench,
            at=at,
            base=base,
        )

    def terms(
        self,
        q: ArrayLike,
        qd: ArrayLike,
        qdd: ArrayLike,
        wrench: ArrayLike | None = None,
        *,
        at: ArrayLike | None = None,
        base: ArrayLike | None = None,
        **run: Unpack[Run],
    ) -> dict[str, Array]:
        """The torques of `inverse`, term by term: inertia, velocity, gravity, friction, contact.

        Each is (..., n) and their sum is `inverse`; what a moving base does counts as velocity.
        `out` has shape (..., 5, n).
        """

        def build(x: Nodes) -> list[Any]:
            t, built = self._traced, self._traced.light("inverse", x)
            inertia = t.torques(x, None, x["qdd"], gravity=ZERO)
            velocity = t.method.inverse(built, x["q"], x["qd"], None, gravity=ZERO).torque
            gravity = t.torques(x, None, None)
            contact = t.contact(x, built)
            touching = t.method.inverse(
                built.at_rest(), x["q"], None, None, gravity=ZERO, contact=contact
            ).torque
            rubbing = t.rubbing(x, t.loads(x, x["qd"], x["qdd"]))
            return [*inertia, *velocity, *gravity, *rubbing, *touching]

        rows = self._traced.evaluate(
            ("terms",),
            build,
            (5, self.n),
            run,
            q=q,
            qd=qd,
            qdd=qdd,
            wrench=wrench,
            at=at,
            base=base,
        )
        return {name: rows[..., k, :] for k, name in enumerate(TERMS)}

    # The equation's parts -------------------------------------------------------------------

    def mass_matrix(self, q: ArrayLike, **run: Unpack[Run]) -> Array:
        """H(q): (..., n, n)."""

        def build(x: Nodes) -> list[Any]:
            t = self._traced
            return [e for row in t.method.mass_matrix(t.light("mass_matrix"), x["q"]) for e in row]

        return self._traced.evaluate(("mass_matrix",), build, (self.n, self.n), run, q=q)

    def coriolis_matrix(
        self,
        q: ArrayLike,
        qd: ArrayLike,
        *,
        choice: Literal["christoffel", "lagrange"] = "christoffel",
        **run: Unpack[Run],
    ) -> Array:
        """C(q, qd), whose product with qd is the velocity torques: (..., n, n).

        Christoffel's choice, C_ij = sum_k c_ijk qd_k = 1/2 d h_i/d qd_j, makes Hdot - 2 C skew. "lagrange"
        takes the coefficients as Lagrange's equations give them ([Siciliano2009] 7.41): the same C qd, but
        Hdot - 2 C is not skew. (Nor is it where motors="reflected" meets a nonlinear gear: that model
        leaves the change of its ratio out.)
        """
        if choice not in ("christoffel", "lagrange"):
            raise InputError(f'choice "{choice}", expected christoffel or lagrange')

        def build(x: Nodes) -> list[Any]:
            if choice == "lagrange":
                C = velocity_matrix.lagrange_matrix(self._traced.christoffel_symbols(x), x["qd"])
                return [e for row in C for e in row]
            h = self._traced.torques(x, x["qd"], None, gravity=ZERO)
            return [0.5 * e for row in derivative(h, x["qd"]) for e in row]

        return self._traced.evaluate(("coriolis_matrix", choice), build, (self.n, self.n), run, q=q, qd=qd)

    def velocity_coefficients(self, q: ArrayLike, **run: Unpack[Run]) -> Array:
        """c_ijk(q), symmetric in j and k (Christoffel's symbols): (..., n, n, n).

        h_i = sum_jk c_ijk qd_j qd_k, each pair (j, k) and (k, j); C_ij = sum_k c_ijk qd_k.
        """

        def build(x: Nodes) -> list[Any]:
            return [e for matrix in self._traced.christoffel_symbols(x) for row in matrix for e in row]

        return self._traced.evaluate(("velocity_coefficients",), build, (self.n,) * 3, run, q=q)

    def gamma(self, q: ArrayLike, **run: Unpack[Run]) -> Array:
        """Gamma(q), whose product with the pairs of velocities is C qd: (..., n, n (n+1)/2).

        [Siciliano2009] (7.117); the pairs are qd_1^2, qd_1 qd_2, .., qd_2^2, .., qd_n^2.
        """

        def build(x: Nodes) -> list[Any]:
            return [e for row in velocity_matrix.gamma(self._traced.christoffel_symbols(x)) for e in row]

        return self._traced.evaluate(("gamma",), build, (self.n, self.n * (self.n + 1) // 2), run, q=q)

    def bias(
        self,
        q: ArrayLike,
        qd: ArrayLike,
        wrench: ArrayLike | None = None,
        *,
        at: ArrayLike | None = None,
        base: ArrayLike | None = None,
        **run: Unpack[Run],
    ) -> Array:
        """C qd + g + J^T h, no friction: (..., n)."""
        return self._traced.evaluate(
            ("bias",),
            lambda x: self._traced.loads(x, x["qd"], None).torque,
            (self.n,),
            run,
            q=q,
            qd=qd,
            wrench=wrench,
            at=at,
            base=base,
        )

    def gravity(self, q: ArrayLike, **run: Unpack[Run]) -> Array:
        """g(q), the term on the left side: (..., n)."""

        def build(x: Nodes) -> list[Any]:
            return self._traced.torques(x, None, None)

        return self._traced.evaluate(("gravity",), build, (self.n,), run, q=q)

    def reactions(
        self,
        q: ArrayLike,
        qd: ArrayLike,
        qdd: ArrayLike,
        wrench: ArrayLike | None = None,
        *,
        axes: Literal["body", "parent", "base"] = "body",
        at: ArrayLike | None = None,
        base: ArrayLike | None = None,
        **run: Unpack[Run],
    ) -> Array:
        """What each body's parent exerts on it: (..., bodies, 6), force then moment.

        At the origin of the joint's frame, in the axes of the "body", of its "parent" body or of
        the "base". In the order of `robot.bodies`.
        """
        if axes not in AXES:
            raise InputError(f'axes "{axes}", expected body, parent or base')

        def build(x: Nodes) -> list[Any]:
            whole = self._traced.whole_tree
            moving, contact = self._traced.moving(x, whole), self._traced.contact(x, whole)
            loads = inverse_dynamics(moving, x["q"], x["qd"], x["qdd"], contact=contact)
            return [e for row in body_reactions(self.robot, whole, x["q"], loads, axes) for e in row]

        shape = (len(self.robot.bodies), 6)
        return self._traced.evaluate(
            ("reactions", axes),
            build,
            shape,
            run,
            q=q,
            qd=qd,
            qdd=qdd,
            wrench=wrench,
            at=at,
            base=base,
        )

    # Energies -------------------------------------------------------------------------------

    def kinetic_energy(self, q: ArrayLike, qd: ArrayLike, **run: Unpack[Run]) -> Array:
        """Kinetic energy (...) [J]."""
        return self._traced.evaluate(
            ("kinetic_energy",),
            lambda x: [energy.kinetic_energy(self._traced.whole_tree, x["q"], x["qd"])],
            (),
            run,
            q=q,
            qd=qd,
        )

    def potential_energy(self, q: ArrayLike, **run: Unpack[Run]) -> Array:
        """Potential energy (...) [J], zero with every mass at the base origin."""
        return self._traced.evaluate(
            ("potential_energy",),
            lambda x: [energy.potential_energy(self._traced.whole_tree, x["q"])],
            (),
            run,
            q=q,
        )

    def momentum(self, q: ArrayLike, qd: ArrayLike, **run: Unpack[Run]) -> Array:
        """Momentum and angular momentum about the base origin: (..., 6), in base axes."""

        def build(x: Nodes) -> list[Any]:
            total = energy.momentum(self._traced.whole_tree, x["q"], x["qd"])
            return [*total.linear, *total.angular]

        return self._traced.evaluate(("momentum",), build, (6,), run, q=q, qd=qd)

    def power(self, qd: ArrayLike, tau: ArrayLike, **run: Unpack[Run]) -> Array:
        """The power (...) that torques give to the arm, tau . qd [W]."""

        def build(x: Nodes) -> list[Any]:
            return [sum(v * t for v, t in zip(x["qd"], x["tau"], strict=True))]

        return self._traced.evaluate(("power",), build, (), run, qd=qd, tau=tau)

    # Places and motions ---------------------------------------------------------------------

    def pose(
        self, q: ArrayLike, frame: str | None = None, *, at: ArrayLike | None = None, **run: Unpack[Run]
    ) -> Array:
        """T_base_tool, or the pose of a body's frame: (..., 4, 4).

        Here and in the next methods `at` (..., 3) is a point in that frame's coordinates [m],
        by default its origin: the frame is moved there.
        """

        def build(x: Nodes) -> list[Any]:
            links = placed(self.tree, x["q"])
            T = kinematics.pose_of(self.tree, links, self._traced.frame(frame, x))
            rows = [(*row, p) for row, p in zip(T.rotation, T.translation, strict=True)]
            return [e for row in (*rows, (0, 0, 0, 1)) for e in row]

        return self._traced.evaluate(("pose", frame), build, (4, 4), run, q=q, at=at)

    def jacobian(
        self,
        q: ArrayLike,
        frame: str | None = None,
        *,
        at: ArrayLike | None = None,
        angles: Literal["zyx", "zyz"] | None = None,
        **run: Unpack[Run],
    ) -> Array:
        """The Jacobian of the tool, or of a body's frame: (..., 6, n), linear part first, base axes.

        Geometric by default; analytical to Euler angles with angles="zyx" or "zyz".
        """
        if angles not in (None, "zyx", "zyz"):
            raise InputError(f'angles "{angles}", expected zyx or zyz')

        def build(x: Nodes) -> list[Any]:
            where = self._traced.frame(frame, x)
            if angles is None:
                rows = frames.jacobian(self.tree, x["q"], where)
            else:
                rows = frames.analytical_jacobian(self.tree, x["q"], where, angles)
            return [e for row in rows for e in row]

        return self._traced.evaluate(("jacobian", frame, angles), build, (6, self.n), run, q=q, at=at)

    def twist(
        self,
        q: ArrayLike,
        qd: ArrayLike,
        frame: str | None = None,
        *,
        at: ArrayLike | None = None,
        base: ArrayLike | None = None,
        **run: Unpack[Run],
    ) -> Array:
        """Velocity and angular velocity of the tool, or of a body's frame: (..., 6), base axes."""

        def build(x: Nodes) -> list[Any]:
            moving = frames.twist_of(
                self._traced.moving(x, self.tree), x["q"], x["qd"], self._traced.frame(frame, x)
            )
            return [*moving.linear, *moving.angular]

        return self._traced.evaluate(("twist", frame), build, (6,), run, q=q, qd=qd, at=at, base=base)

    def acceleration(
        self,
        q: ArrayLike,
        qd: ArrayLike,
        qdd: ArrayLike,
        frame: str | None = None,
        *,
        at: ArrayLike | None = None,
        base: ArrayLike | None = None,
        **run: Unpack[Run],
    ) -> Array:
        """Acceleration and angular acceleration of the tool, or of a body's frame: (..., 6), base axes.

        On a base at rest and with qdd = 0 this is Jdot qd.
        """

        def build(x: Nodes) -> list[Any]:
            moving = frames.acceleration_of(
                self._traced.moving(x, self.tree), x["q"], x["qd"], x["qdd"], self._traced.frame(frame, x)
            )
            return [*moving.linear, *moving.angular]

        return self._traced.evaluate(
            ("acceleration", frame), build, (6,), run, q=q, qd=qd, qdd=qdd, at=at, base=base
        )

    # Drives ---------------------------------------------------------------------------------

    def gear_matrix(self, q: ArrayLike, **run: Unpack[Run]) -> Array:
        """K(q) = d theta_m/d q: (..., drives, n)."""

        def build(x: Nodes) -> list[Any]:
            return [e for row in drives.gear_matrix(self.robot, x["q"]) for e in row]

        return self._traced.evaluate(("gear_matrix",), build, (len(self.robot.drives), self.n), run, q=q)

    def motor_position(self, q: ArrayLike, **run: Unpack[Run]) -> Array:
        """theta_m(q): (..., drives) [rad]."""

        def build(x: Nodes) -> list[Any]:
            return [theta.variable + theta.offset for theta in drives.drive_states(self.robot, x["q"])]

        return self._traced.evaluate(("motor_position",), build, (len(self.robot.drives),), run, q=q)

    def motor_velocity(self, q: ArrayLike, qd: ArrayLike, **run: Unpack[Run]) -> Array:
        """K(q) qd: (..., drives) [rad/s]."""

        def build(x: Nodes) -> list[Any]:
            return [theta.rate for theta in drives.drive_states(self.robot, x["q"], x["qd"])]

        return self._traced.evaluate(("motor_velocity",), build, (len(self.robot.drives),), run, q=q, qd=qd)

    def motor_torque(self, q: ArrayLike, tau: ArrayLike, **run: Unpack[Run]) -> Array:
        """The motor torques K^-T tau that give the joint torques tau: (..., drives) [N m]."""
        m, name = len(self.robot.drives), self.robot.name
        if m != self.n:
            raise MissingDataError(
                f'robot "{name}": {m} drives for {self.n} joints, motor torques need as many drives as joints'
            )
        constant = drives.constant_gear_matrix(self.robot)
        K = self.gear_matrix(q, threads=run.get("threads")) if constant is None else constant
        torque = self._traced.array("tau", tau)
        batch_shape({"q": self._traced.array("q", q), "tau": torque})
        if np.any(np.linalg.matrix_rank(K[np.isfinite(K).all(axis=(-1, -2))]) < self.n):
            raise MissingDataError(
                f'robot "{name}": the gear matrix is singular, motor torques do not follow from joint torques'
            )
        if constant is not None:
            return filled(_broadcast(torque @ np.linalg.inv(constant), q), run.get("out"))
        return filled(solve_rows(np.swapaxes(K, -1, -2), torque), run.get("out"))


def _broadcast(result: Array, q: ArrayLike) -> Array:
    """The result over the batch that it shares with q."""
    batch = np.broadcast_shapes(result.shape[:-1], np.shape(q)[:-1])
    return np.ascontiguousarray(np.broadcast_to(result, (*batch, result.shape[-1])))


def _sum(a: Sequence[Any], b: Sequence[Any]) -> list[Any]:
    return [x + y for x, y in zip(a, b, strict=True)]

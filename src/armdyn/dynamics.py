"""Dynamics(robot): every quantity over batches of states.

Each quantity is traced once over graph nodes (the equations of `mechanics` for this robot, its
structure exploited) and then evaluated for any number of states. Arrays have shape (..., n);
leading axes are the batch and broadcast.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from armdyn.errors import InputError, MissingDataError, ShapeError
from armdyn.mechanics import composite_body, drives, energy, frames, friction, kinematics, newton_euler
from armdyn.mechanics.newton_euler import Contact, Loads
from armdyn.mechanics.reactions import body_reactions
from armdyn.mechanics.tree import BaseState, MotorModel, Tree, tree
from armdyn.robot import Robot
from armdyn.scalars import Array, Graph, Program, program
from armdyn.scalars.batch import filled, run_batch
from armdyn.scalars.derivatives import jacobian as derivative
from armdyn.spatial import Transform, Wrench
from armdyn.spatial.vector import ZERO, vector

Nodes = Mapping[str, list[Any]]
Build = Callable[[Nodes], Sequence[Any]]

TERMS = ("inertia", "velocity", "gravity", "friction", "contact")


class Dynamics:
    """The dynamics of one robot under one motor model, with or without friction.

    Args:
        robot: what moves.
        motors: how much of the drives the equations see: "exact", "coupled", "reflected" or
            "none"; by default the best the robot's data support.
        friction: whether `inverse` and `forward` include friction (in motion); by default yes,
            unless motors is "none".

    Every method takes `out=` (an array to fill) and `threads=` (default: the environment
    variable ARMDYN_THREADS, or 1). A state with NaN gives NaN in its own row only.
    """

    def __init__(self, robot: Robot, motors: MotorModel | None = None, friction: bool | None = None) -> None:
        """Choose the motor model; quantities are traced when first asked for."""
        self.robot = robot
        self.tree = tree(robot, motors)
        self.motors: MotorModel = self.tree.motors
        self.friction = (self.motors != "none") if friction is None else friction
        self._programs: dict[tuple[Any, ...], Program] = {}

    def __repr__(self) -> str:
        return f'Dynamics({self.robot.name}, n={self.n}, motors="{self.motors}", friction={self.friction})'

    @property
    def n(self) -> int:
        """Number of independent joints."""
        return self.robot.n

    @cached_property
    def _whole(self) -> Tree:
        """The tree with every body a link of its own: what forces between bodies and energies need."""
        return tree(self.robot, self.motors, lump=False)

    # Torques and accelerations --------------------------------------------------------------

    def inverse(
        self,
        q: ArrayLike,
        qd: ArrayLike,
        qdd: ArrayLike,
        wrench: ArrayLike | None = None,
        *,
        at: Sequence[float] | None = None,
        base: ArrayLike | None = None,
        out: Array | None = None,
        threads: int | None = None,
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
            out: array to fill.
            threads: how many threads share the batch.

        Returns:
            (..., n) torques tau [N m or N], friction included if this object includes it.
        """

        def build(x: Nodes) -> list[Any]:
            loads = self._loads(x, x["qd"], x["qdd"], at)
            return self._add(loads.torque, self._friction(x, loads)) if self.friction else loads.torque

        return self._evaluate(
            ("inverse", _key(at)), build, (self.n,), out, threads, q=q, qd=qd, qdd=qdd, wrench=wrench, base=base
        )

    def forward(
        self,
        q: ArrayLike,
        qd: ArrayLike,
        tau: ArrayLike,
        wrench: ArrayLike | None = None,
        *,
        at: Sequence[float] | None = None,
        base: ArrayLike | None = None,
        out: Array | None = None,
        threads: int | None = None,
    ) -> Array:
        """Accelerations (..., n) under torques tau (..., n); the other arguments as for `inverse`.

        A singular mass matrix gives NaN or infinity in its row.
        """
        if self.friction and friction.load_dependent(self.robot):
            return self._forward_under_load(q, qd, tau, wrench, at=at, base=base, out=out, threads=threads)

        def build(x: Nodes) -> list[Any]:
            loads = self._loads(x, x["qd"], None, at)
            bias = self._add(loads.torque, self._friction(x, loads)) if self.friction else loads.torque
            H = composite_body.mass_matrix(self.tree, x["q"])
            return composite_body.solve(H, [t - b for t, b in zip(x["tau"], bias, strict=True)])

        return self._evaluate(
            ("forward", _key(at)), build, (self.n,), out, threads, q=q, qd=qd, tau=tau, wrench=wrench, base=base
        )

    def _forward_under_load(
        self, q: ArrayLike, qd: ArrayLike, tau: ArrayLike, wrench: ArrayLike | None, *, out: Array | None, **options: Any
    ) -> Array:
        """Accelerations where friction depends on the load, and so on the acceleration itself.

        Newton's method on u + w + f(u, w) = tau with loads u = H_u qdd + u0 and w = H_w qdd + w0.
        The law is piecewise linear in the loads, so the iteration ends when their signs settle.
        """
        n = self.n
        parts = self._evaluate(
            ("load split", _key(options["at"])),
            lambda x: self._load_split(x, options["at"]),
            (2 * n + 2 * n * n,),
            None,
            options["threads"],
            q=q,
            qd=qd,
            wrench=wrench,
            base=options["base"],
        )
        u0, w0 = parts[..., :n], parts[..., n : 2 * n]
        Hu, Hw = (parts[..., 2 * n + k * n * n :][..., : n * n].reshape(*parts.shape[:-1], n, n) for k in (0, 1))
        target = self._array("tau", tau, n)
        qdd = _solve_rows(Hu + Hw, target - u0 - w0)
        for _ in range(4 * n + 8):
            u, w = _apply(Hu, qdd) + u0, _apply(Hw, qdd) + w0
            law = self._evaluate(
                ("friction law",), self._friction_law, (n + 2 * n * n,), None, options["threads"], q=q, qd=qd, u=u, w=w
            )
            f = law[..., :n]
            Fu, Fw = (law[..., n + k * n * n :][..., : n * n].reshape(*law.shape[:-1], n, n) for k in (0, 1))
            step = _solve_rows(Hu + Hw + Fu @ Hu + Fw @ Hw, target - u - w - f)
            qdd = qdd + step
            if not np.any(np.abs(step) > 1e-12 * (1.0 + np.abs(qdd))):
                break
        return filled(qdd, out)

    def _load_split(self, x: Nodes, at: Sequence[float] | None) -> list[Any]:
        """u0, w0, d u/d qdd, d w/d qdd of the loads on joints (u) and rotors (w)."""
        rest = self._loads(x, x["qd"], None, at)
        qdd = x["q"][0].graph.inputs("qdd", self.n)
        moving = newton_euler.inverse_dynamics(self.tree.at_rest(), x["q"], None, qdd, gravity=ZERO)
        slopes = [row for loads in (moving.joint, moving.drive) for row in derivative(loads, qdd)]
        return [*rest.joint, *rest.drive, *(e for row in slopes for e in row)]

    def _friction_law(self, x: Nodes) -> list[Any]:
        """f, d f/d u, d f/d w."""
        f = friction.friction_torques(self.robot, x["q"], x["qd"], x["u"], x["w"])
        slopes = [row for loads in (x["u"], x["w"]) for row in derivative(f, loads)]
        return [*f, *(e for row in slopes for e in row)]

    def terms(
        self,
        q: ArrayLike,
        qd: ArrayLike,
        qdd: ArrayLike,
        wrench: ArrayLike | None = None,
        *,
        at: Sequence[float] | None = None,
        base: ArrayLike | None = None,
        out: Array | None = None,
        threads: int | None = None,
    ) -> dict[str, Array]:
        """The torques of `inverse`, term by term: inertia, velocity, gravity, friction, contact.

        Each is (..., n) and their sum is `inverse`; what a moving base does counts as velocity.
        `out` has shape (..., 5, n).
        """

        def build(x: Nodes) -> list[Any]:
            q_, qd_, qdd_ = x["q"], x["qd"], x["qdd"]
            rest, contact = self.tree.at_rest(), self._contact(x, at)
            solve = newton_euler.inverse_dynamics
            none = [0] * self.n
            inertia = solve(rest, q_, None, qdd_, gravity=ZERO).torque
            velocity = solve(self._moving_tree(x), q_, qd_, None, gravity=ZERO).torque
            gravity = solve(rest, q_, None, None).torque
            touching = solve(rest, q_, None, None, gravity=ZERO, contact=contact).torque if contact else none
            rubbing = self._friction(x, self._loads(x, qd_, qdd_, at)) if self.friction else none
            return [*inertia, *velocity, *gravity, *rubbing, *touching]

        rows = self._evaluate(
            ("terms", _key(at)), build, (5, self.n), out, threads, q=q, qd=qd, qdd=qdd, wrench=wrench, base=base
        )
        return {name: rows[..., k, :] for k, name in enumerate(TERMS)}

    # The equation's parts -------------------------------------------------------------------

    def mass_matrix(self, q: ArrayLike, *, out: Array | None = None, threads: int | None = None) -> Array:
        """H(q): (..., n, n)."""

        def build(x: Nodes) -> list[Any]:
            return [e for row in composite_body.mass_matrix(self.tree, x["q"]) for e in row]

        return self._evaluate(("mass_matrix",), build, (self.n, self.n), out, threads, q=q)

    def coriolis_matrix(
        self, q: ArrayLike, qd: ArrayLike, *, out: Array | None = None, threads: int | None = None
    ) -> Array:
        """C(q, qd) with Christoffel's choice, so that Hdot - 2 C is skew: (..., n, n).

        The velocity torques are h_i = sum c_ijk qd_j qd_k, symmetric in j and k, so that
        C_ij = sum_k c_ijk qd_k = 1/2 d h_i/d qd_j.
        """

        def build(x: Nodes) -> list[Any]:
            h = newton_euler.inverse_dynamics(self.tree.at_rest(), x["q"], x["qd"], None, gravity=ZERO).torque
            return [0.5 * e for row in derivative(h, x["qd"]) for e in row]

        return self._evaluate(("coriolis_matrix",), build, (self.n, self.n), out, threads, q=q, qd=qd)

    def bias(
        self,
        q: ArrayLike,
        qd: ArrayLike,
        wrench: ArrayLike | None = None,
        *,
        at: Sequence[float] | None = None,
        base: ArrayLike | None = None,
        out: Array | None = None,
        threads: int | None = None,
    ) -> Array:
        """C qd + g + J^T h, no friction: (..., n)."""
        return self._evaluate(
            ("bias", _key(at)),
            lambda x: self._loads(x, x["qd"], None, at).torque,
            (self.n,),
            out,
            threads,
            q=q,
            qd=qd,
            wrench=wrench,
            base=base,
        )

    def gravity(self, q: ArrayLike, *, out: Array | None = None, threads: int | None = None) -> Array:
        """g(q), the term on the left side: (..., n)."""

        def build(x: Nodes) -> list[Any]:
            return newton_euler.inverse_dynamics(self.tree.at_rest(), x["q"], None, None).torque

        return self._evaluate(("gravity",), build, (self.n,), out, threads, q=q)

    def reactions(
        self,
        q: ArrayLike,
        qd: ArrayLike,
        qdd: ArrayLike,
        wrench: ArrayLike | None = None,
        *,
        axes: str = "body",
        at: Sequence[float] | None = None,
        base: ArrayLike | None = None,
        out: Array | None = None,
        threads: int | None = None,
    ) -> Array:
        """What each body's parent exerts on it: (..., bodies, 6), force then moment.

        At the origin of the joint's frame, in the axes of the "body", of its "parent" body or of
        the "base". In the order of `robot.bodies`.
        """
        if axes not in ("body", "parent", "base"):
            raise InputError(f'axes "{axes}", expected body, parent or base')

        def build(x: Nodes) -> list[Any]:
            moving = self._moving_tree(x, self._whole)
            contact = self._contact(x, at, self._whole)
            loads = newton_euler.inverse_dynamics(moving, x["q"], x["qd"], x["qdd"], contact=contact)
            return [e for wrench in body_reactions(self.robot, moving, x["q"], loads, axes) for e in wrench]

        shape = (len(self.robot.bodies), 6)
        return self._evaluate(
            ("reactions", axes, _key(at)), build, shape, out, threads, q=q, qd=qd, qdd=qdd, wrench=wrench, base=base
        )

    # Energies -------------------------------------------------------------------------------

    def kinetic_energy(
        self, q: ArrayLike, qd: ArrayLike, *, out: Array | None = None, threads: int | None = None
    ) -> Array:
        """Kinetic energy (...) [J]."""
        return self._evaluate(
            ("kinetic_energy",), lambda x: [energy.kinetic_energy(self._whole, x["q"], x["qd"])], (), out, threads, q=q, qd=qd
        )

    def potential_energy(self, q: ArrayLike, *, out: Array | None = None, threads: int | None = None) -> Array:
        """Potential energy (...) [J], zero with every mass at the base origin."""
        return self._evaluate(
            ("potential_energy",), lambda x: [energy.potential_energy(self._whole, x["q"])], (), out, threads, q=q
        )

    def momentum(self, q: ArrayLike, qd: ArrayLike, *, out: Array | None = None, threads: int | None = None) -> Array:
        """Momentum and angular momentum about the base origin: (..., 6), in base axes."""

        def build(x: Nodes) -> list[Any]:
            total = energy.momentum(self._whole, x["q"], x["qd"])
            return [*total.linear, *total.angular]

        return self._evaluate(("momentum",), build, (6,), out, threads, q=q, qd=qd)

    # Places and motions ---------------------------------------------------------------------

    def pose(
        self, q: ArrayLike, frame: str | None = None, *, out: Array | None = None, threads: int | None = None
    ) -> Array:
        """T_base_tool, or the pose of a body's frame: (..., 4, 4)."""

        def build(x: Nodes) -> list[Any]:
            T = kinematics.pose_of(self.tree, kinematics.placed(self.tree, x["q"]), self._frame(frame))
            rows = [(*row, p) for row, p in zip(T.rotation, T.translation, strict=True)]
            return [e for row in (*rows, (0, 0, 0, 1)) for e in row]

        return self._evaluate(("pose", frame), build, (4, 4), out, threads, q=q)

    def jacobian(
        self,
        q: ArrayLike,
        frame: str | None = None,
        *,
        angles: str | None = None,
        out: Array | None = None,
        threads: int | None = None,
    ) -> Array:
        """The Jacobian of the tool, or of a body's frame: (..., 6, n), linear part first, base axes.

        Geometric by default; analytical to Euler angles with angles="zyx" or "zyz".
        """
        if angles not in (None, "zyx", "zyz"):
            raise InputError(f'angles "{angles}", expected zyx or zyz')

        def build(x: Nodes) -> list[Any]:
            where = self._frame(frame)
            if angles is None:
                J = frames.jacobian(self.tree, x["q"], where)
            else:
                J = frames.analytical_jacobian(self.tree, x["q"], where, angles)
            return [e for row in J for e in row]

        return self._evaluate(("jacobian", frame, angles), build, (6, self.n), out, threads, q=q)

    def twist(
        self,
        q: ArrayLike,
        qd: ArrayLike,
        frame: str | None = None,
        *,
        base: ArrayLike | None = None,
        out: Array | None = None,
        threads: int | None = None,
    ) -> Array:
        """Velocity and angular velocity of the tool, or of a body's frame: (..., 6), base axes."""

        def build(x: Nodes) -> list[Any]:
            moving = frames.twist_of(self._moving_tree(x), x["q"], x["qd"], self._frame(frame))
            return [*moving.linear, *moving.angular]

        return self._evaluate(("twist", frame), build, (6,), out, threads, q=q, qd=qd, base=base)

    def acceleration(
        self,
        q: ArrayLike,
        qd: ArrayLike,
        qdd: ArrayLike,
        frame: str | None = None,
        *,
        base: ArrayLike | None = None,
        out: Array | None = None,
        threads: int | None = None,
    ) -> Array:
        """Acceleration and angular acceleration of the tool, or of a body's frame: (..., 6), base axes.

        With qdd = 0 this is Jdot qd.
        """

        def build(x: Nodes) -> list[Any]:
            moving = frames.acceleration_of(self._moving_tree(x), x["q"], x["qd"], x["qdd"], self._frame(frame))
            return [*moving.linear, *moving.angular]

        return self._evaluate(("acceleration", frame), build, (6,), out, threads, q=q, qd=qd, qdd=qdd, base=base)

    # Drives ---------------------------------------------------------------------------------

    def gear_matrix(self, q: ArrayLike, *, out: Array | None = None, threads: int | None = None) -> Array:
        """K(q) = d theta_m/d q: (..., drives, n)."""

        def build(x: Nodes) -> list[Any]:
            return [e for row in drives.gear_matrix(self.robot, x["q"]) for e in row]

        return self._evaluate(("gear_matrix",), build, (len(self.robot.drives), self.n), out, threads, q=q)

    def motor_position(self, q: ArrayLike, *, out: Array | None = None, threads: int | None = None) -> Array:
        """theta_m(q): (..., drives) [rad]."""

        def build(x: Nodes) -> list[Any]:
            return [theta.variable + theta.offset for theta in drives.drive_states(self.robot, x["q"])]

        return self._evaluate(("motor_position",), build, (len(self.robot.drives),), out, threads, q=q)

    def motor_velocity(
        self, q: ArrayLike, qd: ArrayLike, *, out: Array | None = None, threads: int | None = None
    ) -> Array:
        """K(q) qd: (..., drives) [rad/s]."""

        def build(x: Nodes) -> list[Any]:
            return [theta.rate for theta in drives.drive_states(self.robot, x["q"], x["qd"])]

        return self._evaluate(("motor_velocity",), build, (len(self.robot.drives),), out, threads, q=q, qd=qd)

    def motor_torque(
        self, q: ArrayLike, tau: ArrayLike, *, out: Array | None = None, threads: int | None = None
    ) -> Array:
        """The motor torques K^-T tau that give the joint torques tau: (..., drives) [N m]."""
        K = self.gear_matrix(q, threads=threads)
        tau_ = self._array("tau", tau, self.n)
        m = len(self.robot.drives)
        if m != self.n:
            raise MissingDataError(
                f'robot "{self.robot.name}": {m} drives for {self.n} joints, motor torques need as many drives as joints'
            )
        if np.any(np.linalg.matrix_rank(np.nan_to_num(K)) < self.n):
            raise MissingDataError(
                f'robot "{self.robot.name}": the gear matrix is singular, motor torques do not follow from joint torques'
            )
        return filled(np.linalg.solve(np.swapaxes(K, -1, -2), tau_[..., None])[..., 0], out)

    # Tracing --------------------------------------------------------------------------------

    def _frame(self, body: str | None) -> tuple[int, Transform]:
        if body is None or body == "tool":
            return self.tree.tool
        if body not in self.tree.frames:
            raise InputError(f'no body "{body}" in robot "{self.robot.name}", expected one of {", ".join(self.tree.frames)}')
        return self.tree.frames[body]

    def _moving_tree(self, x: Nodes, of: Tree | None = None) -> Tree:
        """The tree, its base moving as the inputs say if they say so."""
        of = self.tree if of is None else of
        if "base" not in x:
            return of
        return replace(of, base=BaseState(*(vector(x["base"][k : k + 3]) for k in (0, 3, 6, 9))))

    def _contact(self, x: Nodes, at: Sequence[float] | None, of: Tree | None = None) -> Contact | None:
        if "wrench" not in x:
            return None
        of = self.tree if of is None else of
        link, T_link_point = of.tool
        if at is not None:
            link, T_link_body = of.frames[self.robot.tool.body]
            T_link_point = T_link_body @ Transform(translation=vector(float(e) for e in at))
        return Contact(Wrench(vector(x["wrench"][:3]), vector(x["wrench"][3:])), (link, T_link_point))

    def _loads(self, x: Nodes, qd: Any, qdd: Any, at: Sequence[float] | None) -> Loads:
        return newton_euler.inverse_dynamics(self._moving_tree(x), x["q"], qd, qdd, contact=self._contact(x, at))

    def _friction(self, x: Nodes, loads: Loads) -> list[Any]:
        return friction.friction_torques(self.robot, x["q"], x["qd"], loads.joint, loads.drive)

    @staticmethod
    def _add(a: Sequence[Any], b: Sequence[Any]) -> list[Any]:
        return [x + y for x, y in zip(a, b, strict=True)]

    # Evaluating -----------------------------------------------------------------------------

    def _evaluate(
        self,
        name: tuple[Any, ...],
        build: Build,
        shape: tuple[int, ...],
        out: Array | None,
        threads: int | None,
        **given: ArrayLike | None,
    ) -> Array:
        """Run the program of a quantity over the broadcast inputs; trace it if it is new."""
        sizes = {"wrench": 6, "base": 12}
        inputs = {k: self._array(k, v, sizes.get(k, self.n)) for k, v in given.items() if v is not None}
        key = (*name, *sorted(inputs))
        if key not in self._programs:
            graph = Graph()
            self._programs[key] = program(build({k: graph.inputs(k, v.shape[-1]) for k, v in inputs.items()}))
        return run_batch(self._programs[key], inputs, shape, out, threads)

    def _array(self, name: str, value: ArrayLike, size: int) -> Array:
        try:
            array = np.asarray(value, dtype=np.float64)
        except (TypeError, ValueError) as error:
            raise InputError(f"{name} is not an array of numbers, expected shape (..., {size})") from error
        if array.ndim == 0 or array.shape[-1] != size:
            what = f'robot "{self.robot.name}" has {self.n} joints' if size == self.n else f"a {name} has {size} elements"
            raise ShapeError(name, array.shape, what, f"(..., {size})")
        return array


def _key(at: Sequence[float] | None) -> tuple[float, ...] | None:
    if at is None:
        return None
    if len(at) != 3:
        raise InputError(f"at has {len(at)} values, expected the 3 coordinates of a point")
    return tuple(float(x) for x in at)


def _apply(H: Array, x: Array) -> Array:
    return (H @ x[..., None])[..., 0]


def _solve_rows(H: Array, b: Array) -> Array:
    """x of H x = b for every row; NaN where H is singular or not finite."""
    H, b = np.broadcast_arrays(H, b[..., None])[0], np.broadcast_to(b, (*H.shape[:-2], b.shape[-1]))
    with np.errstate(all="ignore"):
        good = np.isfinite(H).all((-1, -2)) & np.isfinite(b).all(-1)
        safe = np.where(good[..., None, None], H, np.eye(H.shape[-1]))
        good &= np.linalg.det(safe) != 0
        safe = np.where(good[..., None, None], H, np.eye(H.shape[-1]))
        x = np.linalg.solve(safe, np.where(good[..., None], b, np.nan)[..., None])[..., 0]
    return x

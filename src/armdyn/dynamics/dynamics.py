"""Dynamics(robot): every quantity over batches of states.

Each quantity is traced once over graph nodes (the equations of `mechanics` for this robot, its
structure exploited), compiled, and then evaluated for any number of states. Arrays have shape (..., n);
leading axes are the batch and broadcast. `dynamics.quantities` is the table of what there is.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, Unpack

import numpy as np
from numpy.typing import ArrayLike

from armdyn.dynamics.casadi_methods import CasadiMethods
from armdyn.dynamics.derivative_methods import DerivativeMethods
from armdyn.dynamics.drive_methods import DriveMethods
from armdyn.dynamics.friction_methods import FrictionMethods
from armdyn.dynamics.operational_methods import OperationalMethods
from armdyn.dynamics.parameter_methods import ParameterMethods
from armdyn.dynamics.quantities.torques import TERMS
from armdyn.dynamics.quick import one_state, take_over
from armdyn.dynamics.running import Run, RunAll
from armdyn.dynamics.traced import Traced
from armdyn.dynamics.variation import checked_rubbing
from armdyn.mechanics.methods import MethodName, Quantity
from armdyn.mechanics.tree.links import Tree
from armdyn.mechanics.tree.motors import MotorModel
from armdyn.robot import Robot
from armdyn.scalars import Array


class Dynamics(
    CasadiMethods, DerivativeMethods, DriveMethods, FrictionMethods, OperationalMethods, ParameterMethods
):
    """The dynamics of one robot under one motor model, with or without friction.

    Args:
        robot: what moves.
        motors: how much of the drives the equations see: "exact", "augmented", "coupled",
            "reflected" or "none"; by default the best the robot's data support.
        friction: whether `inverse` and `forward` include friction (in motion); by default yes,
            unless motors is "none".
        method: the formulation that gives torques, mass matrix and accelerations (`mechanics.methods`); all
            give the same numbers. By default Newton-Euler and composite bodies, and articulated bodies for
            the accelerations of robots with many joints; `method_of` says which.

    Every method takes `out=` (an array to fill; a tuple of arrays where there are several results),
    `threads=` (default: the environment variable ARMDYN_THREADS, or 1) and `losses=` (a `Losses` that counts
    the states without an answer). A state with NaN, or without an answer, gives NaN in its own row only.
    Those that feel inertia take `added=`, payloads and masses that differ from state to state, as `inverse`
    does.
    """

    def __init__(
        self,
        robot: Robot,
        motors: MotorModel | None = None,
        friction: bool | None = None,
        method: MethodName | None = None,
    ) -> None:
        """Choose motor model and formulation; quantities are traced when first asked for."""
        self._quick: dict[str, int] = {}  # method -> how much its builtin does, see `quick.take_over`
        self._traced = Traced(robot, motors, friction, method)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.robot, self.motors, self.friction, self.method)

    def __repr__(self) -> str:
        asked = "" if self.method is None else f', method="{self.method}"'
        how = f'motors="{self.motors}", friction={self.friction}{asked}'
        return f"Dynamics({self.robot.name}, n={self.n}, {how})"

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

    def method_of(self, quantity: Quantity) -> MethodName:
        """Which formulation gives torques ("inverse"), "mass_matrix" or accelerations ("forward").

        Friction that depends on the load makes accelerations an iteration over torques.
        """
        t = self._traced
        if quantity != "forward":
            return t.method.source(quantity)
        return t.method.source("inverse") if t.under_load else t.forward_method.source("forward")

    @property
    def tree(self) -> Tree:
        """The robot as equations see it."""
        return self._traced.tree

    def _evaluate(self, name: str, options: tuple[Any, ...], run: Run, **given: ArrayLike | None) -> Array:
        found = self._traced.evaluate(name, options, run, **given)
        self._note_use(name, options, given)
        return found

    def _results(
        self, name: str, options: tuple[Any, ...], run: RunAll, **given: ArrayLike | None
    ) -> tuple[Array, ...]:
        found = self._traced.results(name, options, run, **given)
        self._note_use(name, options, given)
        return found

    def _note_use(self, name: str, options: tuple[Any, ...], given: dict[str, ArrayLike | None]) -> None:
        """Let a builtin do the next such call, around the code that this one has needed."""
        arrays = {k: value for k, value in given.items() if value is not None}
        one_state = all(np.ndim(value) == 1 for value in arrays.values())
        resting = self._traced.kernel_from_rest(name) if one_state else None
        much = one_state + (resting is not None)
        if self._quick.get(name, -1) >= much or not self._traced.is_plain(name, options, arrays):
            return
        if take_over(Dynamics, self, name, self._traced.kernel(name), resting, one_state=one_state):
            self._quick[name] = much

    def of_one_state(self, name: str, *given: str) -> Callable[..., Any]:
        """The method called `name` for loops that ask for one state after another.

        Args:
            name: a method that has no options, as "inverse" or "limited_acceleration".
            *given: which of `wrench`, `at` and `base` are given each time.

        Returns:
            A function of float64 arrays by position: the method's inputs, then those given. It is machine
            code all the way where that is possible, with a wrench, too.
        """
        return one_state(self._traced, name, given, getattr(self, name))

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
        added: ArrayLike | None = None,
        rubbing: ArrayLike | None = None,
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
            added: (..., 10 bodies) inertial parameters added to those of each body in turn, in its own frame
                and in the order of `mechanics.body_parameters`; `dynamics.variation` makes them.
            rubbing: (..., 4 points) viscous, coulomb, starting and load friction of each friction point in
                turn, instead of the robot's own; a term that the robot does not have must be 0.
            **run: `out=`, `threads=` and `losses=`.

        Returns:
            (..., n) torques tau [N m or N], friction included if this object includes it.
        """
        given = {"q": q, "qd": qd, "qdd": qdd, "wrench": wrench, "at": at, "base": base}
        if rubbing is not None:
            rubbing = checked_rubbing(self.friction_points, self._traced.array("rubbing", rubbing))
        return self._evaluate("inverse", (), run, **given, added=added, rubbing=rubbing)

    def forward(
        self,
        q: ArrayLike,
        qd: ArrayLike,
        tau: ArrayLike,
        wrench: ArrayLike | None = None,
        *,
        at: ArrayLike | None = None,
        base: ArrayLike | None = None,
        added: ArrayLike | None = None,
        rubbing: ArrayLike | None = None,
        **run: Unpack[Run],
    ) -> Array:
        """Accelerations (..., n) under torques tau (..., n); the other arguments as for `inverse`.

        A singular mass matrix gives NaN in its row, and counts in `losses`.
        """
        given = {"q": q, "qd": qd, "tau": tau, "wrench": wrench, "at": at, "base": base}
        if rubbing is not None:
            rubbing = checked_rubbing(self.friction_points, self._traced.array("rubbing", rubbing))
        return self._evaluate("forward", (), run, **given, added=added, rubbing=rubbing)

    def terms(
        self,
        q: ArrayLike,
        qd: ArrayLike,
        qdd: ArrayLike,
        wrench: ArrayLike | None = None,
        *,
        at: ArrayLike | None = None,
        base: ArrayLike | None = None,
        added: ArrayLike | None = None,
        **run: Unpack[Run],
    ) -> dict[str, Array]:
        """The torques of `inverse`, term by term: inertia, velocity, gravity, friction, contact.

        Each is (..., n) and their sum is `inverse`; what a moving base does counts as velocity.
        `out` has shape (..., 5, n).
        """
        rows = self._evaluate(
            "terms", (), run, q=q, qd=qd, qdd=qdd, wrench=wrench, at=at, base=base, added=added
        )
        return {name: rows[..., k, :] for k, name in enumerate(TERMS)}

    def loads(
        self,
        q: ArrayLike,
        qd: ArrayLike,
        qdd: ArrayLike,
        wrench: ArrayLike | None = None,
        *,
        at: ArrayLike | None = None,
        base: ArrayLike | None = None,
        added: ArrayLike | None = None,
        **run: Unpack[Run],
    ) -> Array:
        """What a motion takes without friction: (..., 2, n), the arguments those of `inverse`.

        The first row is what passes through the joints and loads them, the second what the rotors take for
        their own spin; their sum and friction are `inverse`.
        """
        return self._evaluate(
            "loads", (), run, q=q, qd=qd, qdd=qdd, wrench=wrench, at=at, base=base, added=added
        )

    # The equation's parts -------------------------------------------------------------------

    def mass_matrix(self, q: ArrayLike, *, added: ArrayLike | None = None, **run: Unpack[Run]) -> Array:
        """H(q): (..., n, n)."""
        return self._evaluate("mass_matrix", (), run, q=q, added=added)

    def coriolis_matrix(
        self,
        q: ArrayLike,
        qd: ArrayLike,
        *,
        choice: Literal["christoffel", "lagrange"] = "christoffel",
        added: ArrayLike | None = None,
        **run: Unpack[Run],
    ) -> Array:
        """C(q, qd), whose product with qd is the velocity torques: (..., n, n).

        Christoffel's choice, C_ij = sum_k c_ijk qd_k = 1/2 d h_i/d qd_j, makes Hdot - 2 C skew. "lagrange"
        takes the coefficients as Lagrange's equations give them ([Siciliano2009] 7.41): the same C qd, but
        Hdot - 2 C is not skew. (Nor is it where motors="reflected" meets a nonlinear gear: that model
        leaves the change of its ratio out.)
        """
        return self._evaluate("coriolis_matrix", (choice,), run, q=q, qd=qd, added=added)

    def velocity_coefficients(
        self, q: ArrayLike, *, added: ArrayLike | None = None, **run: Unpack[Run]
    ) -> Array:
        """c_ijk(q), symmetric in j and k (Christoffel's symbols): (..., n, n, n).

        h_i = sum_jk c_ijk qd_j qd_k, each pair (j, k) and (k, j); C_ij = sum_k c_ijk qd_k.
        """
        return self._evaluate("velocity_coefficients", (), run, q=q, added=added)

    def gamma(self, q: ArrayLike, *, added: ArrayLike | None = None, **run: Unpack[Run]) -> Array:
        """Gamma(q), whose product with the pairs of velocities is C qd: (..., n, n (n+1)/2).

        [Siciliano2009] (7.117); the pairs are qd_1^2, qd_1 qd_2, .., qd_2^2, .., qd_n^2.
        """
        return self._evaluate("gamma", (), run, q=q, added=added)

    def bias(
        self,
        q: ArrayLike,
        qd: ArrayLike,
        wrench: ArrayLike | None = None,
        *,
        at: ArrayLike | None = None,
        base: ArrayLike | None = None,
        added: ArrayLike | None = None,
        **run: Unpack[Run],
    ) -> Array:
        """C qd + g + J^T h, no friction: (..., n)."""
        return self._evaluate("bias", (), run, q=q, qd=qd, wrench=wrench, at=at, base=base, added=added)

    def gravity(self, q: ArrayLike, *, added: ArrayLike | None = None, **run: Unpack[Run]) -> Array:
        """g(q), the term on the left side: (..., n)."""
        return self._evaluate("gravity", (), run, q=q, added=added)

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
        added: ArrayLike | None = None,
        **run: Unpack[Run],
    ) -> Array:
        """What each body's parent exerts on it: (..., bodies, 6), force then moment.

        At the origin of the joint's frame, in the axes of the "body", of its "parent" body or of
        the "base". In the order of `robot.bodies`.
        """
        return self._evaluate(
            "reactions", (axes,), run, q=q, qd=qd, qdd=qdd, wrench=wrench, at=at, base=base, added=added
        )

    # Energies -------------------------------------------------------------------------------

    def kinetic_energy(
        self, q: ArrayLike, qd: ArrayLike, *, added: ArrayLike | None = None, **run: Unpack[Run]
    ) -> Array:
        """Kinetic energy (...) [J]."""
        return self._evaluate("kinetic_energy", (), run, q=q, qd=qd, added=added)

    def potential_energy(self, q: ArrayLike, *, added: ArrayLike | None = None, **run: Unpack[Run]) -> Array:
        """Potential energy (...) [J], zero with every mass at the base origin."""
        return self._evaluate("potential_energy", (), run, q=q, added=added)

    def energy_rate(
        self,
        q: ArrayLike,
        qd: ArrayLike,
        qdd: ArrayLike,
        *,
        added: ArrayLike | None = None,
        **run: Unpack[Run],
    ) -> Array:
        """How fast kinetic and potential energy together change in a motion: (...) [W].

        It is the derivative of the energies themselves, so that it checks the equations of motion:
        without friction and contact it equals tau . qd.
        """
        return self._evaluate("energy_rate", (), run, q=q, qd=qd, qdd=qdd, added=added)

    def momentum(
        self, q: ArrayLike, qd: ArrayLike, *, added: ArrayLike | None = None, **run: Unpack[Run]
    ) -> Array:
        """Momentum and angular momentum about the base origin: (..., 6), in base axes."""
        return self._evaluate("momentum", (), run, q=q, qd=qd, added=added)

    def power(self, qd: ArrayLike, tau: ArrayLike, **run: Unpack[Run]) -> Array:
        """The power (...) that torques give to the arm, tau . qd [W]."""
        return self._evaluate("power", (), run, qd=qd, tau=tau)

    # Places and motions ---------------------------------------------------------------------

    def pose(
        self, q: ArrayLike, frame: str | None = None, *, at: ArrayLike | None = None, **run: Unpack[Run]
    ) -> Array:
        """T_base_tool, or the pose of a body's frame: (..., 4, 4).

        Here and in the next methods `at` (..., 3) is a point in that frame's coordinates [m],
        by default its origin: the frame is moved there.
        """
        return self._evaluate("pose", (frame,), run, q=q, at=at)

    def body_poses(self, q: ArrayLike, **run: Unpack[Run]) -> Array:
        """T_base_body of all bodies at once, in the order of `robot.bodies`: (..., bodies, 4, 4)."""
        return self._evaluate("body_poses", (), run, q=q)

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
        return self._evaluate("jacobian", (frame, angles), run, q=q, at=at)

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
        return self._evaluate("twist", (frame,), run, q=q, qd=qd, at=at, base=base)

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
        return self._evaluate("acceleration", (frame,), run, q=q, qd=qd, qdd=qdd, at=at, base=base)

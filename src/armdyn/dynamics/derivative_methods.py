"""Derivatives that `Dynamics` has: of torques and accelerations, by state and by inertial parameters."""

from __future__ import annotations

from typing import Unpack

from numpy.typing import ArrayLike

from armdyn.dynamics.evaluating import Evaluating
from armdyn.dynamics.running import Run, RunAll
from armdyn.scalars import Array


class DerivativeMethods(Evaluating):
    """Derivatives; `Dynamics` has them all."""

    def inverse_derivatives(
        self,
        q: ArrayLike,
        qd: ArrayLike,
        qdd: ArrayLike,
        wrench: ArrayLike | None = None,
        *,
        at: ArrayLike | None = None,
        base: ArrayLike | None = None,
        added: ArrayLike | None = None,
        **run: Unpack[RunAll],
    ) -> tuple[Array, ...]:
        """(d tau/d q, d tau/d qd, d tau/d qdd) of `inverse`, each (..., n, n), element (i, j) d tau_i/d x_j.

        The arguments are those of `inverse`; `out` is a tuple of three arrays. The wrench stays the same in
        base axes while q changes. d tau/d qdd is the mass matrix unless friction depends on the load. At
        rest, where friction jumps, its slope is that of the viscous part.
        """
        return self._results(
            "inverse_derivatives", (), run, q=q, qd=qd, qdd=qdd, wrench=wrench, at=at, base=base, added=added
        )

    def forward_derivatives(
        self,
        q: ArrayLike,
        qd: ArrayLike,
        tau: ArrayLike,
        wrench: ArrayLike | None = None,
        *,
        at: ArrayLike | None = None,
        base: ArrayLike | None = None,
        **run: Unpack[RunAll],
    ) -> tuple[Array, ...]:
        """(d qdd/d q, d qdd/d qd, d qdd/d tau) of `forward`, each (..., n, n).

        The arguments are those of `forward`; `out` is a tuple of three arrays.
        """
        return self._results(
            "forward_derivatives", (), run, q=q, qd=qd, tau=tau, wrench=wrench, at=at, base=base
        )

    def linearisation(
        self,
        q: ArrayLike,
        qd: ArrayLike,
        tau: ArrayLike,
        wrench: ArrayLike | None = None,
        *,
        at: ArrayLike | None = None,
        base: ArrayLike | None = None,
        **run: Unpack[RunAll],
    ) -> tuple[Array, ...]:
        """(A, B) of the motion near a state x = (q, qd): dx' = A dx + B dtau; (..., 2n, 2n) and (..., 2n, n).

        The arguments are those of `forward`; `out` is a tuple of two arrays.
        """
        return self._results("linearisation", (), run, q=q, qd=qd, tau=tau, wrench=wrench, at=at, base=base)

    def inverse_parameter_derivatives(
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
        """d tau/d parameters of `inverse`: (..., n, bodies, 10), in the order of `robot.bodies`.

        A body's parameters are m, m cx, m cy, m cz, Ixx, Ixy, Ixz, Iyy, Iyz, Izz: mass, first moment, and the
        inertia tensor about the origin of the body's frame, in its axes. Torques are linear in them: without
        drives, payload, contact and friction the sum over all of slope times parameter is tau.
        """
        return self._evaluate(
            "inverse_parameter_derivatives",
            (),
            run,
            q=q,
            qd=qd,
            qdd=qdd,
            wrench=wrench,
            at=at,
            base=base,
        )

    def forward_parameter_derivatives(
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
        """d qdd/d parameters of `forward`: (..., n, bodies, 10), as for `inverse_parameter_derivatives`."""
        return self._evaluate(
            "forward_parameter_derivatives",
            (),
            run,
            q=q,
            qd=qd,
            tau=tau,
            wrench=wrench,
            at=at,
            base=base,
        )

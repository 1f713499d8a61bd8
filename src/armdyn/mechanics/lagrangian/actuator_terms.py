"""The traces of one actuator's effector in the Lagrangian of [Szkodny1995].

T is the matrix T_p of the link it is seen from, A = T_ap its own matrix on that link, J its
pseudo-inertia J_ap; U_i = dT/dq_i, U_jk = d2T/dq_j dq_k, and V_i, V_jk those of A. It stands at
T A in the base, so that (1) splits its energy into being carried, mixed, and spin:
    1/2 Tr(U A J A^T U^T) + Tr(U A J V^T T^T) + 1/2 Tr(V J V^T), with U = dT/dt and V = dA/dt.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from armdyn.mechanics.lagrangian.coefficients import weight
from armdyn.mechanics.lagrangian.matrix_jet import Jet
from armdyn.spatial import Vec3
from armdyn.spatial.homogeneous import Mat4, multiplied, trace, transposed


@dataclass(frozen=True)
class ActuatorTerms:
    """One effector at q; every method is a term of D_i, D_ij or D_ijk."""

    T: Jet
    A: Jet
    J: Mat4
    joint: int | None
    """Position in q of the joint it serves; None where that joint is locked."""

    # Energy -------------------------------------------------------------------------------

    def energies(self, qd: Sequence[Any]) -> tuple[Any, Any, Any]:
        """Being carried, mixed, spin: 1/2 Tr(U A J A^T U^T), Tr(U A J V^T T^T), 1/2 Tr(V J V^T)."""
        U, V = self.T.rate(qd), self.A.rate(qd)
        UA, VJ = multiplied(U, self.A.value), multiplied(V, self.J)
        return (
            0.5 * trace(multiplied(UA, self.J), UA),
            trace(multiplied(UA, transposed(VJ)), self.T.value),
            0.5 * trace(VJ, V),
        )

    def potential(self, gravity: Vec3) -> Any:
        """-m_a g^T T A r_a."""
        return weight(multiplied(self.T.value, multiplied(self.A.value, self.J)), gravity)

    # Carried by its link ------------------------------------------------------------------

    def carried_inertia(self, i: int, j: int) -> Any:
        """Tr(U_i X U_j^T) with X = A J A^T: the effector standing still on its link."""
        U = self.T.first
        return trace(multiplied(U[i], self._X.value), U[j]) if i in U and j in U else 0

    def carried_velocity(self, i: int, j: int, k: int) -> Any:
        """Tr(U_jk X U_i^T) + 1/2 (Tr(U_j X_k U_i^T) + Tr(U_k X_j U_i^T) - Tr(U_j X_i U_k^T)).

        X does not change where A turns a body of revolution about its own axis.
        """
        U, X = self.T, self._X
        total: Any = 0
        if i in U.first:
            total = trace(multiplied(U.dd(j, k), X.value), U.d(i))
            total = total + 0.5 * trace(multiplied(U.d(j), X.d(k)), U.d(i))
            total = total + 0.5 * trace(multiplied(U.d(k), X.d(j)), U.d(i))
        return total - 0.5 * trace(multiplied(U.d(j), X.d(i)), U.d(k))

    def weight(self, i: int, gravity: Vec3) -> Any:
        """-m_a g^T (U_i A + T V_i) r_a."""
        moved = multiplied(self.T.d(i), multiplied(self.A.value, self.J))
        turning = multiplied(self.T.value, multiplied(self.A.d(i), self.J))
        return weight(moved, gravity) + weight(turning, gravity)

    # Mixed --------------------------------------------------------------------------------

    def mixed_inertia(self, i: int, j: int) -> Any:
        """Tr(U_i A J V_j^T T^T) + Tr(U_j A J V_i^T T^T)."""
        return self._mixed(i, j) + self._mixed(j, i)

    def mixed_velocity(self, i: int, j: int, k: int) -> Any:
        """The appendix's D_ijk with one derivative of A, or its second one beside T's.

        Tr(U_i A J V_j^T U_k^T) - Tr(U_j A J V_k^T U_i^T)
        + Tr(U_jk A J V_i^T T^T) + Tr(U_j A J V_i^T U_k^T) + Tr(U_i A J V_jk^T T^T)
        """
        U, jk = self.T.first, (min(j, k), max(j, k))
        total: Any = 0
        if i in U and (j, k) in self._UW:
            total = total - trace(self._UW[j, k], U[i])
        if k in U and (i, j) in self._UW:
            total = total + trace(self._UW[i, j], U[k])
        if jk in self._TUU and i in self._W:
            total = total + trace(self._TUU[jk], transposed(self._W[i]))
        if k in U and (j, i) in self._UW:
            total = total + trace(self._UW[j, i], U[k])
        if i in U and jk in self.A.second:
            total = total + trace(self._TU[i], multiplied(self.A.second[jk], self._JA))
        return total

    # Spin: two derivatives of A -----------------------------------------------------------

    def spin_inertia(self, i: int, j: int) -> Any:
        """Tr(V_i J V_j^T)."""
        V = self.A.first
        return trace(self._VJ[i], V[j]) if i in V and j in V else 0

    def turning(self, i: int, j: int, k: int) -> Any:
        """Tr(U_i V_k J V_j^T T^T), the first J_a term of (9)."""
        return trace(self._TU[i], self._Z[j, k]) if i in self._TU and (j, k) in self._Z else 0

    def bracket(self, i: int, j: int, k: int) -> Any:
        """Tr(U_j V_k J V_i^T T^T) - Tr(U_j V_i J V_k^T T^T), the bracket of (9)."""
        return self.turning(j, i, k) - self.turning(j, k, i)

    def changing_spin(self, i: int, j: int, k: int) -> Any:
        """Tr(V_jk J V_i^T), which (9) drops."""
        jk = (min(j, k), max(j, k))
        return trace(self.A.second[jk], self._VJ[i]) if i in self._VJ and jk in self.A.second else 0

    # Spin by its own joint alone -----------------------------------------------------------

    def own_inertia(self, i: int, j: int) -> Any:
        """delta_ij Tr(V_i J V_i^T), the actuator inertia of (11)."""
        return self.spin_inertia(i, i) if i == j == self.joint else 0

    def own_turning(self, i: int, j: int, k: int) -> Any:
        """delta_jk Tr(U_i V_j J V_j^T T^T), the J_a term of (12)."""
        return self.turning(i, j, j) if j == k == self.joint else 0

    # Products used more than once ---------------------------------------------------------

    def _mixed(self, i: int, j: int) -> Any:
        return trace(self._UW[i, j], self.T.value) if (i, j) in self._UW else 0

    @cached_property
    def _X(self) -> Jet:
        """A J A^T."""
        return self.A.map(lambda m: multiplied(m, self.J)) @ self.A.map(transposed)

    @cached_property
    def _JA(self) -> Mat4:
        """J A^T."""
        return multiplied(self.J, transposed(self.A.value))

    @cached_property
    def _VJ(self) -> Mapping[int, Mat4]:
        return {i: multiplied(m, self.J) for i, m in self.A.first.items()}

    @cached_property
    def _W(self) -> Mapping[int, Mat4]:
        """W_k = A J V_k^T."""
        return {k: multiplied(self.A.value, transposed(m)) for k, m in self._VJ.items()}

    @cached_property
    def _UW(self) -> Mapping[tuple[int, int], Mat4]:
        """U_j W_k."""
        return {(j, k): multiplied(m, w) for j, m in self.T.first.items() for k, w in self._W.items()}

    @cached_property
    def _Z(self) -> Mapping[tuple[int, int], Mat4]:
        """V_j J V_k^T."""
        V = self.A.first
        return {(j, k): multiplied(m, transposed(V[k])) for j, m in self._VJ.items() for k in V}

    @cached_property
    def _TU(self) -> Mapping[int, Mat4]:
        """T^T U_i."""
        return {i: multiplied(transposed(self.T.value), m) for i, m in self.T.first.items()}

    @cached_property
    def _TUU(self) -> Mapping[tuple[int, int], Mat4]:
        """T^T U_jk."""
        return {jk: multiplied(transposed(self.T.value), m) for jk, m in self.T.second.items()}

"""The equations of motion as a textbook writes them, on numbers of any precision.

Every body in base axes: tau = sum Jv^T m (a - g) + Jw^T (I alpha + omega x I omega), and
H = sum m Jv^T Jv + Jw^T I Jw. Arrays of objects hold mpmath's numbers; nothing of armdyn's mechanics is used.
Slow, and right to as many digits as are asked for: it decides who is right where two engines differ.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import mpmath
import numpy as np

from armdyn.robot import BASE, Coupling, Robot, Rotor
from armdyn.spatial import Inertia, Transform
from engines.cases import Case

DIGITS = 50


@dataclass(frozen=True)
class _Part:
    """A rigid part and its joint, placed on an earlier part (-1 is the base)."""

    on: int
    placement: Transform
    kind: str
    axis: Any
    row: Any
    constant: Any
    frame: Transform
    inertia: Inertia
    viscous: float = 0.0


@dataclass(frozen=True)
class _Motion:
    """Where a part is, how it moves, and what q does to that."""

    R: Any
    p: Any
    w: Any
    v: Any
    alpha: Any
    a: Any
    Jw: Any
    Jv: Any


def exact(x: Any) -> Any:
    """Numbers as they are, with room for digits."""
    return np.vectorize(mpmath.mpf, otypes=[object])(np.asarray(x, dtype=float))


def rounded(x: Any) -> np.ndarray:
    """The nearest doubles."""
    return np.vectorize(float, otypes=[float])(np.asarray(x))


def reference(case: Case, tau: np.ndarray | None = None) -> dict[str, np.ndarray]:
    """Every quantity, (states, ...), rounded once from DIGITS digits; accelerations under tau."""
    with mpmath.workdps(DIGITS):
        parts = _parts(case)
        rows = [
            _of_state(case, parts, exact(q), exact(qd), exact(qdd), None if tau is None else exact(tau[k]))
            for k, (q, qd, qdd) in enumerate(case.states)
        ]
        return {name: np.stack([rounded(row[name]) for row in rows]) for name in rows[0]}


def slopes(case: Case, name: str, tau: np.ndarray) -> np.ndarray:
    """A derivative, "inverse by q" and the like, by central differences over 1e-20: right to 30 digits."""
    quantity, by = name.split(" by ")
    function = {"inverse": _inverse, "forward": _forward}[quantity]
    with mpmath.workdps(DIGITS + 20):
        parts, h = _parts(case), mpmath.mpf(10) ** -20
        found = []
        for state, torque in zip(case.states, tau, strict=True):
            q, qd, qdd = state
            given = {"q": exact(q), "qd": exact(qd), "qdd": exact(qdd), "tau": exact(torque)}
            columns = []
            for unit in np.eye(case.robot.n):
                ends = ({**given, by: given[by] + s * h * exact(unit)} for s in (1, -1))
                up, down = (function(case, parts, **end) for end in ends)
                columns.append(rounded((up - down) / (2 * h)))
            found.append(np.stack(columns, axis=1))
        return np.stack(found)


# Parts ----------------------------------------------------------------------------------------


def _parts(case: Case) -> list[_Part]:
    robot, parts = case.robot, []
    at = {BASE: -1}
    for body in robot.bodies:
        joint = body.joint
        coupling = joint.coupling or Coupling(((joint.name, 1.0),) if joint.kind != "fixed" else ())
        axis = exact(joint.axis)
        axis = axis / mpmath.sqrt(axis @ axis)
        row, constant = _row(robot, coupling), exact(coupling.offset) + exact(joint.offset)
        viscous = joint.friction.viscous
        parts.append(
            _Part(
                at[body.parent],
                joint.placement,
                joint.kind,
                axis,
                row,
                constant,
                joint.frame,
                body.inertia,
                viscous,
            )
        )
        at[body.name] = len(parts) - 1
    parts += [_fixed(robot, at[payload.body], Transform(), payload.inertia) for payload in robot.payloads]
    if case.has_rotors:
        parts += [
            _rotor(case, drive.coupling, rotor, at) for drive in robot.drives for rotor, _ in drive.rotors
        ]
    return parts


def _row(robot: Robot, coupling: Coupling) -> Any:
    row = exact(np.zeros(robot.n))
    for name, weight in coupling.weights:
        row[robot.positions[name]] += exact(weight)
    return row


def _fixed(robot: Robot, on: int, place: Transform, inertia: Inertia) -> _Part:
    zero = exact(np.zeros(robot.n))
    return _Part(on, place, "fixed", exact([0, 0, 1]), zero, exact(0.0), Transform(), inertia)


def _rotor(case: Case, coupling: Coupling, rotor: Rotor, at: dict[str, int]) -> _Part:
    assert rotor.carrier is not None
    assert rotor.placement is not None
    on = at[rotor.carrier]
    if case.motors != "exact":
        return _fixed(case.robot, on, rotor.placement, rotor.inertia)
    row, z = _row(case.robot, coupling), exact([0, 0, 1])
    return _Part(on, rotor.placement, "revolute", z, row, exact(coupling.offset), Transform(), rotor.inertia)


def spin_inertia(case: Case) -> Any:
    """What rotors that only ride add to H: K^T I K, or k^2 I of each joint's own drives."""
    added = exact(np.zeros((case.robot.n, case.robot.n)))
    for drive in case.robot.drives if case.motors in ("coupled", "reflected") else ():
        row = _row(case.robot, drive.coupling)
        if case.motors == "reflected":
            own = exact(np.zeros(len(row)))
            if drive.joint in case.robot.positions:
                j = case.robot.positions[drive.joint]
                own[j] = row[j]
            row = own
        added = added + sum(exact(rotor.axial) * np.outer(row, row) for rotor, _ in drive.rotors)
    return added


# Motion ---------------------------------------------------------------------------------------


def _cross(a: Any, b: Any) -> Any:
    return np.array([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])


def _turn(axis: Any, angle: Any) -> Any:
    """Rodrigues' formula."""
    x, y, z = axis
    c, s = mpmath.cos(angle), mpmath.sin(angle)
    skew = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return exact(np.eye(3)) * c + s * skew + (1 - c) * np.outer(axis, axis)


def _still(n: int) -> _Motion:
    zero, J = exact(np.zeros(3)), exact(np.zeros((3, n)))
    return _Motion(exact(np.eye(3)), zero, zero, zero, zero, zero, J, J)


def _carried(m: _Motion, r: Any) -> tuple[Any, Any, Any]:
    """Velocity, acceleration and Jacobian of a point that rides at r from the origin, base axes."""
    v = m.v + _cross(m.w, r)
    a = m.a + _cross(m.alpha, r) + _cross(m.w, _cross(m.w, r))
    return v, a, m.Jv + _cross(m.Jw, r)


def _moved(parent: _Motion, part: _Part, q: Any, qd: Any, qdd: Any) -> _Motion:
    placement, frame = part.placement, part.frame
    r = parent.R @ exact(placement.translation)
    v, a, Jv = _carried(parent, r)
    R, p = parent.R @ exact(placement.rotation), parent.p + r
    w, alpha, Jw = parent.w, parent.alpha, parent.Jw
    theta, rate, second = part.row @ q + part.constant, part.row @ qd, part.row @ qdd
    z = R @ part.axis
    if part.kind == "revolute":
        alpha, w = alpha + z * second + _cross(w, z * rate), w + z * rate
        R, Jw = R @ _turn(part.axis, theta), Jw + np.outer(z, part.row)
    elif part.kind == "prismatic":
        out = z * theta
        v, a, Jv = _carried(_Motion(R, p, w, v, alpha, a, Jw, Jv), out)
        p, a, v = p + out, a + z * second + 2 * _cross(w, z * rate), v + z * rate
        Jv = Jv + np.outer(z, part.row)
    here = _Motion(R, p, w, v, alpha, a, Jw, Jv)
    r = R @ exact(frame.translation)
    v, a, Jv = _carried(here, r)
    return _Motion(R @ exact(frame.rotation), p + r, w, v, alpha, a, Jw, Jv)


def _motions(parts: list[_Part], q: Any, qd: Any, qdd: Any) -> list[_Motion]:
    found: list[_Motion] = []
    for part in parts:
        found.append(_moved(found[part.on] if part.on >= 0 else _still(len(q)), part, q, qd, qdd))
    return found


def _torque(parts: list[_Part], motions: list[_Motion], g: Any) -> Any:
    total = exact(np.zeros(motions[0].Jv.shape[1]))
    for part, m in zip(parts, motions, strict=True):
        _, a, J = _carried(m, m.R @ exact(part.inertia.com))
        spin = m.R @ exact(part.inertia.tensor) @ m.R.T
        moment = spin @ m.alpha + _cross(m.w, spin @ m.w)
        total = total + J.T @ (exact(part.inertia.mass) * (a - g)) + m.Jw.T @ moment
    return total


def _rubbing(parts: list[_Part], qd: Any) -> Any:
    return sum((exact(part.viscous) * part.row * (part.row @ qd) for part in parts if part.viscous), 0 * qd)


def _inverse(case: Case, parts: list[_Part], q: Any, qd: Any, qdd: Any, tau: Any = None) -> Any:
    """tau of a motion."""
    torque = _torque(parts, _motions(parts, q, qd, qdd), exact(case.robot.gravity))
    return torque + spin_inertia(case) @ qdd + _rubbing(parts, qd)


def _forward(case: Case, parts: list[_Part], q: Any, qd: Any, qdd: Any, tau: Any) -> Any:
    """qdd under torques, H qdd = tau - tau(qdd = 0)."""
    H, motions = spin_inertia(case), _motions(parts, q, qd, 0 * qdd)
    for part, m in zip(parts, motions, strict=True):
        H = H + _inertia_felt(part, m)
    rest = tau - _torque(parts, motions, exact(case.robot.gravity)) - _rubbing(parts, qd)
    return np.array(mpmath.lu_solve(mpmath.matrix(H.tolist()), mpmath.matrix(rest.tolist())))


def _inertia_felt(part: _Part, m: _Motion) -> Any:
    """What a part adds to H."""
    _, _, J = _carried(m, m.R @ exact(part.inertia.com))
    turned = m.R.T @ m.Jw
    return exact(part.inertia.mass) * (J.T @ J) + turned.T @ exact(part.inertia.tensor) @ turned


def _of_state(case: Case, parts: list[_Part], q: Any, qd: Any, qdd: Any, tau: Any = None) -> dict[str, Any]:
    zero, g = 0 * q, exact(case.robot.gravity)
    motions = _motions(parts, q, qd, qdd)
    H = spin_inertia(case)
    bias = _torque(parts, _motions(parts, q, qd, zero), g)
    gravity = _torque(parts, _motions(parts, q, zero, zero), g)
    potential = mpmath.mpf(0)
    for part, m in zip(parts, motions, strict=True):
        H = H + _inertia_felt(part, m)
        potential -= exact(part.inertia.mass) * (g @ (m.p + m.R @ exact(part.inertia.com)))
    found = {
        "inverse": _inverse(case, parts, q, qd, qdd),
        "mass matrix": H,
        "bias": bias,
        "gravity": gravity,
        "velocity": bias - gravity,
        "kinetic energy": qd @ H @ qd / 2,
        "potential energy": potential,
        **_tool(case, motions),
    }
    if tau is not None:
        found["forward"] = _forward(case, parts, q, qd, qdd, tau)
    return found


def _tool(case: Case, motions: list[_Motion]) -> dict[str, Any]:
    """T_base_tool and its Jacobian."""
    tool, place = motions[case.robot.body_names.index(case.robot.tool.body)], case.robot.tool.placement
    r = tool.R @ exact(place.translation)
    T = exact(np.eye(4))
    T[:3, :3], T[:3, 3] = tool.R @ exact(place.rotation), tool.p + r
    return {"pose": T, "jacobian": np.concatenate([_carried(tool, r)[2], tool.Jw])}

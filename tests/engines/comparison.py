"""Engines beside one another: who differs from whom, by how much, and who is right.

An element may differ by ROUNDINGS roundings of its condition: by how much it changes when every number of
robot and state is moved by a rounding. Where a peer and armdyn differ by more, the equations in 50 digits
decide. So a light joint beside a heavy one is held to its own accuracy, and nobody is blamed for what the
data do not determine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from armdyn.spatial import Transform
from engines.armdyn_engine import Engine, by_armdyn, torques
from engines.cases import Case, disturbed
from engines.mujoco_engine import RefusedError, by_mujoco
from engines.pinocchio_engine import Found, by_interface, by_urdf
from engines.reference import reference, slopes

ROUNDINGS = 10_000
"""Each engine does some hundred operations for a joint, and those of many joints add up. Our frames stand on
common normals, up to 20 lengths away (`common_normals.STEEP`): that costs up to 400 roundings more. It is
2e-12 of an element whose condition is ordinary."""
ALIKE = 10
"""How many times the error of a peer that is out of bounds itself is no worse than his."""
EPS = float(np.finfo(float).eps)
MOVED = 1e-8
"""How far numbers are moved to see the condition: far above rounding, far below what bends the equations."""
TIMES = 2
"""How often they are moved; the largest change counts."""

Peer = Callable[[Case, np.ndarray], Found]


@dataclass(frozen=True)
class Difference:
    """An engine and a peer that say different things of a quantity."""

    quantity: str
    engine: str
    peer: str
    off: float
    """The largest difference, in roundings of the condition."""
    relative: float
    """The same relative to the largest element."""
    wrong: str | None
    """Who is wrong: "armdyn", "peer", or nobody, if it is within bounds."""

    def __str__(self) -> str:
        return (
            f"{self.quantity}: {self.engine} and {self.peer} differ by {self.relative:.1e} of the largest, "
            f"{self.off:.1e} roundings of its condition"
        )


def peers(case: Case, *, derivatives: bool = True) -> dict[str, Peer]:
    """The ways into other engines that can state this case."""
    found: dict[str, Peer] = {"pinocchio": lambda c, tau: by_interface(c, tau, slopes=derivatives)}
    if case.motors != "exact":
        found["pinocchio urdf"] = by_urdf
    found["mujoco"] = by_mujoco
    return found


def differences(
    case: Case,
    engines: Iterable[Engine] = ("numpy",),
    *,
    derivatives: bool = True,
    others: dict[str, Peer] | None = None,
) -> list[Difference]:
    """Every quantity of every engine beside every peer; a peer that refuses the model is left out."""
    tau = torques(case)
    ours = {f"armdyn {name}": by_armdyn(case, tau, name, slopes=derivatives) for name in engines}
    judge = _Judge(case, tau, derivatives=derivatives)
    found: list[Difference] = []
    for peer, ask in (peers(case, derivatives=derivatives) if others is None else others).items():
        try:
            theirs = ask(case, tau)
        except RefusedError:
            continue
        found += [
            judge.compared(quantity, engine, values[quantity], peer, theirs[quantity])
            for engine, values in ours.items()
            for quantity in theirs
            if quantity in values
        ]
    return found


def faults(found: Iterable[Difference]) -> list[Difference]:
    """Those in which armdyn is wrong."""
    return [difference for difference in found if difference.wrong == "armdyn"]


class _Judge:
    """Knows how sure each element is, and asks for more digits where two differ."""

    def __init__(self, case: Case, tau: np.ndarray, *, derivatives: bool) -> None:
        self._case, self._tau = case, tau
        self._allowed = _allowed(case, tau, derivatives=derivatives)
        self._exact: Found = {}

    def compared(
        self, quantity: str, engine: str, ours: np.ndarray, peer: str, theirs: np.ndarray
    ) -> Difference:
        off = self._off(quantity, ours, theirs)
        largest = float(np.abs(theirs).max())
        relative = float(np.abs(ours - theirs).max()) / largest if largest else 0.0
        wrong = None
        if not off <= ROUNDINGS:
            right = self._truth(quantity)
            wrong = "armdyn" if right is None or not self._is_right(quantity, ours, theirs, right) else "peer"
        return Difference(quantity, engine, peer, off, relative, wrong)

    def _is_right(self, quantity: str, ours: np.ndarray, theirs: np.ndarray, right: np.ndarray) -> bool:
        """Within bounds, or as near as the peer: large forces that cancel in a joint round for everybody."""
        least = max(ROUNDINGS, ALIKE * self._off(quantity, theirs, right))
        return self._off(quantity, ours, right) <= least

    def _off(self, quantity: str, a: np.ndarray, b: np.ndarray) -> float:
        """The largest difference of elements, in what is allowed for one rounding."""
        apart = np.abs(a - b)
        with np.errstate(divide="ignore", invalid="ignore"):
            return float(np.where(apart == 0, 0.0, apart / self._allowed[quantity]).max())

    def _truth(self, quantity: str) -> np.ndarray | None:
        if quantity not in self._exact and quantity != "regressor":
            if " by " in quantity:
                self._exact[quantity] = slopes(self._case, quantity, self._tau)
            else:
                self._exact |= reference(self._case, self._tau)
        return self._exact.get(quantity)


# How sure -------------------------------------------------------------------------------------


def _allowed(case: Case, tau: np.ndarray, *, derivatives: bool) -> Found:
    """What one rounding of every number changes in each element, and in those it stands beside."""
    here = by_interface(case, tau, slopes=derivatives)
    change = {name: np.abs(value) for name, value in here.items()}
    for seed in range(TIMES):
        there = by_interface(disturbed(case, seed, MOVED), tau, slopes=derivatives)
        for name, value in here.items():
            change[name] = np.maximum(change[name], np.abs(there[name] - value) / MOVED)
    beside = _beside(case, here)
    return {name: EPS * (change[name] + beside.get(name, 0.0)) for name in here}


def _beside(case: Case, here: Found) -> Found:
    """The size of what an element stands in, where its own change may vanish.

    An entry 1 of a rotation, an inertia between joints at right angles. Accelerations come out of a system
    with H: its condition counts, when rows and columns are brought to one size.
    """
    H = here["mass matrix"]
    size = np.sqrt(np.einsum("kii->ki", H))
    pairs = size[:, :, None] * size[:, None, :]
    condition = np.linalg.cond(H / pairs)[:, None, None]
    speed = np.linalg.norm(case.qd, axis=1)[:, None]
    velocity = size * np.linalg.norm(size * case.qd, axis=1)[:, None] * speed
    found = {
        "mass matrix": pairs,
        **_places(case, here),
        "velocity": velocity,
        "bias": velocity,
        "inverse": velocity,
        "inverse by q": pairs * (speed**2 + np.linalg.norm(case.qdd, axis=1)[:, None])[:, :, None],
        "inverse by qd": pairs * speed[:, :, None],
        "forward": condition[..., 0] * np.linalg.norm(size * here["forward"], axis=1)[:, None] / size,
        "forward by tau": condition / pairs,
        "forward by q": condition / size[:, :, None] * size[:, None, :] * speed[:, :, None] ** 2,
        "forward by qd": condition / size[:, :, None] * size[:, None, :] * speed[:, :, None],
    }
    if "regressor" in here:
        blocks = np.abs(here["regressor"]).reshape(*here["regressor"].shape[:2], -1, 10).max(axis=-1)
        found["regressor"] = np.repeat(blocks, 10, axis=-1)
    return found


def _places(case: Case, here: Found) -> Found:
    """Rotations have size one; positions round as the lengths do that are added up on the way to the tool."""
    bodies, reach = {body.name: body for body in case.robot.bodies}, 0.0
    reach += _length(case.robot.tool.placement)
    name = case.robot.tool.body
    while name in bodies:
        joint = bodies[name].joint
        reach += _length(joint.placement) + _length(joint.frame)
        name = bodies[name].parent
    pose = np.ones((len(case.q), 4, 4))
    pose[:, :3, 3] = reach
    angular = np.linalg.norm(here["jacobian"][:, 3:], axis=1)[:, None]
    ones = np.ones((1, 3, 1))
    jacobian = np.concatenate([ones * (angular * reach + (angular == 0)), ones * angular], axis=1)
    return {"pose": pose, "jacobian": jacobian}


def _length(T: Transform) -> float:
    return float(np.linalg.norm(np.array(T.translation, float)))

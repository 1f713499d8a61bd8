"""The libraries beside which armdyn is measured, one file each."""

from armdyn.studies.speed.peers import casadi, mujoco, pinocchio, roboticstoolbox
from armdyn.studies.speed.peers.peer import Model, Peer

PEERS: tuple[Peer, ...] = (pinocchio.PEER, mujoco.PEER, roboticstoolbox.PEER, casadi.PEER)

__all__ = ["PEERS", "Model", "Peer"]

"""Dynamics(robot): compiled for the robot, batched, the object most users hold."""

from armdyn.dynamics.dynamics import Dynamics

__all__ = ["Dynamics"]

"""Formulations of rigid-body dynamics, each a small function over generic scalars.

Reading order: links and tree (the robot as equations see it), motors, coordinates, kinematics, frames,
newton_euler, composite_body, energy, drives, friction.
"""

"""Formulations of rigid-body dynamics, each a small function over generic scalars.

Reading order: tree (the robot as equations see it), placed and kinematics (where links are and how they
move), loads and joint_space (from the tree's joints to q), inertial_wrench, linear_system. Then the
formulations, one a file: newton_euler, newton_euler_base, composite_body, articulated_body, walker_orin,
modified_newton_euler, dalembert, lagrange_euler, actuated_lagrangian; and methods, which has them by name.
Beside them frames, energy, reactions, velocity_matrix, drives, friction.
"""

"""Robots as things to draw.

scene    a robot with its joints, bodies, inertias and drives
meshes   shapes that robot files refer to
drawn    clean shapes made from the kinematics, where a file has none
shapes   what those are made of
"""

"""Figures of an identification.

courses       torques over time, as lines that can be drawn
torques       measured against predicted torques, joint by joint
parameters    base parameters with their intervals beside the robot file's
residuals     what is left, against the noise that errors were told from
correlations  which base parameters are told apart, and which are not
figures       all of them, as pictures and as a file
"""

from armdyn.identification.figures.figures import draw_torques, joint_pictures, pictures

__all__ = ["draw_torques", "joint_pictures", "pictures"]

"""Figures of retimed motions.

figures       all of them, and the main one as a file
phase_plane   speed along the path, below its limit curve
shares        how much of each limit is needed over time
multiples     of one multiple of all speeds
factors       of speeds and accelerations move by move
"""

from armdyn.retiming.figures.figures import figure, write_figure

__all__ = ["figure", "write_figure"]

"""The robot as equations see it: a tree of links, built under a motor model, and its lighter forms.

Reading order: links, motors, builder; coordinates; moving_base; common_normals, base_parameters, reduction.
"""

from armdyn.mechanics.tree.builder import coordinate_of, tree

__all__ = ["coordinate_of", "tree"]

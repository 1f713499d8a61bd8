"""Paths of the tool in space and time: lines, arcs, rounded corners, and chains of them."""

from armdyn.motion.path.tool_path import ToolPath, tool_path

__all__ = ["ToolPath", "tool_path"]

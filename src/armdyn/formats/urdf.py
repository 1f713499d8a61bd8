"""Robot files in URDF, in and out."""

from armdyn.formats.urdf_read import read_urdf
from armdyn.formats.urdf_write import write_urdf

__all__ = ["read_urdf", "write_urdf"]

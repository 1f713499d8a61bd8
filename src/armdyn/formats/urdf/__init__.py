"""Robot files in URDF, in and out.

A module holds one part of the format, with what reads it (`read_...`) beside what writes it (`add_...`).
"""

from armdyn.formats.urdf.reader import read_urdf
from armdyn.formats.urdf.writer import write_urdf

__all__ = ["read_urdf", "write_urdf"]

"""Experiments worth running: motions from which the parameters of an arm can be told."""

from armdyn.identification.excitation.excitation import Excitation
from armdyn.identification.excitation.excite import excite

__all__ = ["Excitation", "excite"]

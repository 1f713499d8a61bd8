"""Extremes of functions of the joints over boxes of postures: attained, and bounded by branch and bound."""

from armdyn.extremes.attaining import attained
from armdyn.extremes.extremes import extremes, largest, ratio_extremes
from armdyn.extremes.results import Bound, Extremes
from armdyn.extremes.terms import Terms

__all__ = ["Bound", "Extremes", "Terms", "attained", "extremes", "largest", "ratio_extremes"]

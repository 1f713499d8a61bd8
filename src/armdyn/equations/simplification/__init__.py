"""Simplification with a bound: short expressions, what they cost and what they miss."""

from armdyn.equations.simplification.results import Errors, Parameter, Simplified
from armdyn.equations.simplification.simplify import simplify, trade_off

__all__ = ["Errors", "Parameter", "Simplified", "simplify", "trade_off"]

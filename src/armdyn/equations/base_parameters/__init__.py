"""Base parameters in symbols: the combinations that torques depend on, in lengths and gear ratios."""

from armdyn.equations.base_parameters.finding import symbolic_base_parameters
from armdyn.equations.base_parameters.symbolic import SymbolicBaseParameters

__all__ = ["SymbolicBaseParameters", "symbolic_base_parameters"]

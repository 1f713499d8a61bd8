"""Base parameters in symbols: the combinations that torques depend on, as expressions in lengths and gears."""

from armdyn.equations.base_parameters.symbolic import SymbolicBaseParameters, symbolic_base_parameters

__all__ = ["SymbolicBaseParameters", "symbolic_base_parameters"]

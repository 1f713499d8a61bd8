"""How fast armdyn is beside its peers: in one process, taking turns, every result compared first."""

from armdyn.studies.speed.benchmark import benchmark

__all__ = ["benchmark"]

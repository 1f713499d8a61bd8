"""FMUs: a simulated arm for co-simulation (FMI 3.0), C inside."""

from armdyn.exports.fmu.export import export_fmu

__all__ = ["export_fmu"]

"""The report of an identification: one HTML file that a customer can open."""

from armdyn.identification.report.report import report, write_report

__all__ = ["report", "write_report"]

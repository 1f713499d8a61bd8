"""The report of a verification: one HTML file that a customer can open."""

from armdyn.feasibility.report.report import check_report, write_report

__all__ = ["check_report", "write_report"]

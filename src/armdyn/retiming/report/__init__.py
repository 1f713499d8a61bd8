"""The report of a retimed motion: one HTML file that a customer can open."""

from armdyn.report.pages import check_report
from armdyn.retiming.report.report import report, write_report

__all__ = ["check_report", "report", "write_report"]

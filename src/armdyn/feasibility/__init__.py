"""Can the motors do it: programs beside what the motors can give, and what the arm then does."""

from armdyn.feasibility.verification import Verification
from armdyn.feasibility.verify import Work, planned, verify

__all__ = ["Verification", "Work", "planned", "verify"]

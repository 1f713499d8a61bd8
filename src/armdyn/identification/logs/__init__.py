"""Logs of a moving arm, from files to samples from which parameters are told.

quantities        what a log needs, and which of what a file has is taken
recording         what was written down, checked: numbers, instants
signals           what the signals themselves give away: joints at rest, dead channels, wrong units
tables, messages  .csv and .parquet columns; JSON messages in .mcap files
segments          stretches without gaps, at even instants
cutoff            where the motion ends in a spectrum, and noise begins
low_pass          the zero-phase filter; differences: slopes of what it leaves
preparing         a log to samples
"""

from armdyn.identification.logs.log import Log
from armdyn.identification.logs.preparing import prepared
from armdyn.identification.logs.quantities import EffortKind
from armdyn.identification.logs.reading import read_log
from armdyn.identification.logs.samples import Samples

__all__ = ["EffortKind", "Log", "Samples", "prepared", "read_log"]

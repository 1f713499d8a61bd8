"""What a sweep comes to: numbers, figures and a report, read from its files in a stream.

blocks      the rows, in blocks of one size
cells       axes in cells
numbers     columns described; sentences: texts counted; gathered: over the cells of axes
figures     histograms, curves, maps; report: all on one page
"""

from armdyn.sweep.summary.summary import Summary, summarised

__all__ = ["Summary", "summarised"]

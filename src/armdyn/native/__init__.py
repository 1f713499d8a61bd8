"""Machine code for programs: graph -> LLVM -> kernel over batches, and single calls at C's cost."""

import time

IMPORTED = time.time()
"""Since when this process has what armdyn's files said [s since 1970]."""

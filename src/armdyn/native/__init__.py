"""Machine code for programs: graph -> LLVM -> kernel over batches, and single calls at C's cost."""

from armdyn.native.kernel import Kernel, is_native
from armdyn.native.signature import Signature

__all__ = ["Kernel", "Signature", "is_native"]

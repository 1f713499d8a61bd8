"""The processor that kernels are compiled for, and how many states its vectors hold."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from armdyn.native import llvm
from armdyn.native.forking import LOCK


@dataclass(frozen=True)
class Processor:
    """What LLVM needs to know of a CPU.

    On one without fused multiply-add (`fused` false: x86 before 2013) products and sums round apart and
    sines come from the C library one by one: right, but several times slower.
    """

    name: str
    features: str
    width: int
    """Doubles in a vector: 8 with AVX-512, 4 with AVX, else 2."""
    fused: bool


@cache
def host() -> Processor:
    """The CPU this runs on."""
    binding = llvm.binding()
    try:
        with LOCK:
            found, name = binding.get_host_cpu_features(), binding.get_host_cpu_name()
    except RuntimeError as error:
        raise llvm.NativeError(f"the processor is unknown: {error}; set ARMDYN_NATIVE=0") from error
    features = {name for name, present in found.items() if present}
    x86 = "sse2" in features
    width = 8 if "avx512f" in features else 4 if "avx" in features else 2
    return Processor(name, found.flatten(), width, "fma" in features or not x86)

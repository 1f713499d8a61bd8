"""LLVM: IR text in, machine code in memory out."""

from __future__ import annotations

import importlib
from functools import cache
from typing import TYPE_CHECKING, Any

from armdyn.errors import ArmdynError
from armdyn.native.forking import LOCK

if TYPE_CHECKING:
    from armdyn.native.processor import Processor

OPTIMISATION = 3


class NativeError(ArmdynError):
    """Machine code cannot be made or run here."""


@cache
def binding() -> Any:
    """llvmlite's binding, imported when the first kernel is needed."""
    try:
        with LOCK:
            found = importlib.import_module("llvmlite.binding")
            found.initialize_native_target()
            found.initialize_native_asmprinter()
    except (ImportError, OSError, RuntimeError) as error:
        raise NativeError(f"LLVM does not work here: {error}; set ARMDYN_NATIVE=0 to use NumPy") from error
    return found


def _target_machine(processor: Processor, optimisation: int = OPTIMISATION) -> Any:
    llvm = binding()
    return llvm.Target.from_default_triple().create_target_machine(
        cpu=processor.name,
        features=processor.features,
        opt=optimisation,
        codemodel="small",
        reloc="pic",
        jit=True,
    )


def object_code(
    ir: str, processor: Processor, *, rewrite: bool = False, optimisation: int = OPTIMISATION
) -> bytes:
    """The object file of a module: position-independent, and needing nothing from outside.

    With `rewrite` LLVM first puts variables into registers and functions into one another, as code written by
    hand wants it; kernels are written as they should be.
    """
    try:
        with LOCK:
            module = binding().parse_assembly(ir)
            module.verify()
            machine = _target_machine(processor, optimisation)
            module.triple = machine.triple
            module.data_layout = str(machine.target_data)
            if rewrite:
                _rewrite(module, machine)
            code = machine.emit_object(module)
            del module, machine  # now, under the lock
            return code
    except RuntimeError as error:
        raise NativeError(f"no code for {processor.name}: {error}; set ARMDYN_NATIVE=0") from error


def _rewrite(module: Any, machine: Any) -> None:
    """Run LLVM's passes over a module."""
    llvm = binding()
    builder = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(OPTIMISATION))
    builder.getModulePassManager().run(module, builder)


class Loaded:
    """An object file in memory, ready to run as long as this object lives."""

    def __init__(self, code: bytes, processor: Processor) -> None:
        """Put the code into executable memory."""
        llvm = binding()
        try:
            with LOCK:
                # llvmlite's own memory manager keeps code and constants side by side: small code reaches 2 GB
                # far, and LLVM ends the process where a crowded address space has put them further apart.
                self._engine = llvm.create_mcjit_compiler(
                    llvm.parse_assembly(""), _target_machine(processor), use_lmm=True
                )
                self._engine.add_object_file(llvm.ObjectFileRef.from_data(code))
                self._engine.finalize_object()
        except RuntimeError as error:
            raise NativeError(f"machine code cannot be loaded: {error}; set ARMDYN_NATIVE=0") from error

    def function(self, name: str) -> int:
        """The address of a function."""
        with LOCK:
            return self._engine.get_function_address(name)

    def data(self, name: str) -> int:
        """The address of a global variable."""
        with LOCK:
            return self._engine.get_global_value_address(name)

    def __del__(self) -> None:
        """Give the memory back, under the lock."""
        if hasattr(self, "_engine"):
            with LOCK:
                self._engine.close()

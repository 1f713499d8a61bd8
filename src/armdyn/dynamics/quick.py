"""Methods that compiled builtins take over.

An instance attribute of the method's name goes before the method: the next call of `dyn.inverse` reaches
machine code without any Python. The builtin leaves every call it does not know to the method itself.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from types import MethodType
from typing import TYPE_CHECKING, Any

from armdyn.native.interpreter import layout
from armdyn.native.setting import is_native

if TYPE_CHECKING:
    from armdyn.dynamics.traced import Traced
    from armdyn.native.kernel import Kernel


def take_over(
    owner: type, one: Any, name: str, kernel: Kernel, then: Kernel | None = None, *, one_state: bool
) -> bool:
    """Put a builtin that runs the kernel in front of a method of `owner`, for one of its objects.

    Returns whether it did. The builtin does what the kernel has code for: one state, and then batches
    too, or batches alone. One state that this kernel leaves goes to the kernel `then`, if there is one. A
    subclass with a method of its own keeps that; where builtins cannot be used nothing changes.
    """
    method, kind = getattr(owner, name).__get__(one), one.__class__
    kernels = [kernel] if then is None else [kernel, then]
    if getattr(kind, name) is not method.__func__:
        return False
    if not all(kernel.has_builtin(one_state=one_state) for kernel in kernels):
        return False
    doc = f"{name}{_text_signature(method)}\n--\n\n{inspect.getdoc(method) or ''}"
    otherwise = method
    if then is not None:
        otherwise = _one_state_first(then.builtin(name, doc, method, one_state=True), method)
    one.__dict__[name] = kernel.builtin(name, doc, otherwise, one_state=one_state)
    return True


def one_state(
    traced: Traced, name: str, given: Sequence[str], method: Callable[..., Any]
) -> Callable[..., Any]:
    """A function of one state that takes the inputs of a method, and then those given, by position."""
    inputs = traced.inputs(name, given)

    def by_name(*arrays: Any) -> Any:
        return method(**dict(zip(inputs, arrays, strict=True)))

    if layout() is None or not is_native():
        return by_name
    otherwise = by_name
    if (deciding := traced.deciding(name)) is not None:
        otherwise = _made_when_needed(lambda: traced.kernel(deciding, given), name, by_name)
    return traced.kernel(name, given).builtin(name, "", otherwise, one_state=True)


def _made_when_needed(
    kernel: Callable[[], Kernel], name: str, otherwise: Callable[..., Any]
) -> Callable[..., Any]:
    """A builtin that is compiled when it is first called."""
    made: list[Callable[..., Any]] = []

    def call(*arrays: Any) -> Any:
        if not made:
            made.append(kernel().builtin(name, "", otherwise, one_state=True))
        return made[0](*arrays)

    return call


def _one_state_first(builtin: Any, method: Any) -> Any:
    """What gives one state to the builtin, and all else to the method."""

    def choose(_: Any, *args: Any, **options: Any) -> Any:
        chosen = builtin if args and getattr(args[0], "ndim", 0) == 1 else method
        return chosen(*args, **options)

    return MethodType(choose, method.__self__)  # copies ask whose method it is


def _text_signature(method: Any) -> str:
    """The parameters in the form in which builtins tell them."""
    parameters = inspect.signature(method).parameters.values()
    plain = [parameter.replace(annotation=inspect.Parameter.empty) for parameter in parameters]
    return str(inspect.Signature(plain))

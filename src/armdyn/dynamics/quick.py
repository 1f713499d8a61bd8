"""Methods that compiled builtins take over.

An instance attribute of the method's name goes before the method: the next call of `dyn.inverse` reaches
machine code without any Python. The builtin leaves every call it does not know to the method itself.
"""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from armdyn.native.kernel import Kernel


def take_over(owner: type, one: Any, name: str, kernel: Kernel, *, one_state: bool) -> bool:
    """Put a builtin that runs the kernel in front of a method of `owner`, for one of its objects.

    Returns whether it did. The builtin does what the kernel has code for: one state, and then batches
    too, or batches alone. A subclass with a method of its own keeps that; where builtins cannot be used
    nothing changes.
    """
    method, kind = getattr(owner, name).__get__(one), one.__class__
    if getattr(kind, name) is not method.__func__ or not kernel.has_builtin(one_state=one_state):
        return False
    doc = f"{name}{_text_signature(method)}\n--\n\n{inspect.getdoc(method) or ''}"
    one.__dict__[name] = kernel.builtin(name, doc, method, one_state=one_state)
    return True


def _text_signature(method: Any) -> str:
    """The parameters in the form in which builtins tell them."""
    parameters = inspect.signature(method).parameters.values()
    plain = [parameter.replace(annotation=inspect.Parameter.empty) for parameter in parameters]
    return str(inspect.Signature(plain))

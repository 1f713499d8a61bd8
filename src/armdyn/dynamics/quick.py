"""Methods that compiled builtins take over.

An instance attribute of the method's name goes before the method: the next call of `dyn.inverse` reaches
machine code without any Python. The builtin leaves every call it does not know to the method itself.
"""

from __future__ import annotations

import inspect
from typing import Any

from armdyn.native import Kernel


def take_over(owner: type, one: Any, name: str, kernel: Kernel) -> None:
    """Put a builtin that runs the kernel in front of a method of `owner`, for one of its objects.

    A subclass with a method of its own keeps that; where builtins cannot be used nothing changes.
    """
    method = getattr(one, name)
    if method.__func__ is not getattr(owner, name):
        return
    doc = f"{name}{_text_signature(method)}\n--\n\n{inspect.getdoc(method) or ''}"
    made = kernel.single(name, doc, method)
    if made is not None:
        one.__dict__[name] = made


def _text_signature(method: Any) -> str:
    """The parameters in the form in which builtins tell them."""
    parameters = inspect.signature(method).parameters.values()
    plain = [parameter.replace(annotation=inspect.Parameter.empty) for parameter in parameters]
    return str(inspect.Signature(plain))

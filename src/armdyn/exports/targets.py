"""What a robot can be exported to, and what may be asked of each: one entry a target."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module

from armdyn.errors import InputError, suggestion
from armdyn.exports.exported import Exported


@dataclass(frozen=True)
class Target:
    """Who writes it, and which options and inputs that one takes besides robot and folder."""

    about: str
    module: str
    """Imported only when it is asked for."""
    function: str
    options: tuple[str, ...] = ()
    inputs: tuple[str, ...] = ()
    """Inputs that functions have on request: each an option that is True or False."""

    @property
    def export(self) -> Callable[..., Exported]:
        """(robot, folder, a value for some options) -> what was written."""
        return getattr(import_module(self.module), self.function)


TARGETS: Mapping[str, Target] = {
    "c": Target(
        "functions in C99, with a self-test and an example of a control loop",
        "armdyn.exports.c.export",
        "export_c",
        ("quantities", "single", "motors", "friction", "method", "prefix"),
        ("payload", "wrench", "at", "base"),
    ),
    "casadi": Target(
        "functions of CasADi, a file for each quantity",
        "armdyn.exports.casadi",
        "export_casadi",
        ("quantities", "motors", "friction", "method"),
        ("wrench", "at", "base", "added", "rubbing", "ways"),
    ),
    "fmu": Target(
        "a simulated arm for co-simulation, FMI 3.0",
        "armdyn.exports.fmu.export",
        "export_fmu",
        ("driven_by", "integrator", "dt", "motors", "friction", "build"),
        ("payload", "wrench"),
    ),
    "toml": Target("a robot file of armdyn, which loses nothing", "armdyn.exports.toml", "export_toml"),
    "urdf": Target("a URDF of links and joints", "armdyn.exports.urdf", "export_urdf", ("motors",)),
}


def target(name: str) -> Target:
    """The target of that name."""
    if name not in TARGETS:
        known = ", ".join(TARGETS)
        raise InputError(f'no target "{name}"; {suggestion(name, TARGETS)}expected one of {known}')
    return TARGETS[name]


def check_options(to: str, asked: Mapping[str, str]) -> None:
    """Refuse options that do not belong to a target; `asked` is how each is called where it was given."""
    known = target(to)
    for option, shown in asked.items():
        if option not in (*known.options, *known.inputs):
            takers = [name for name, t in TARGETS.items() if option in (*t.options, *t.inputs)]
            expected = f"expected with {' or '.join(takers)}" if takers else "expected none such"
            raise InputError(f"{shown} does not belong to {to}, {expected}")

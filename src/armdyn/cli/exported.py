"""What `armdyn export` was asked for, and what it says of it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from armdyn.cli.output import print_json, print_line, print_table
from armdyn.errors import InputError, suggestion
from armdyn.exports.export import export
from armdyn.exports.exported import Exported
from armdyn.exports.targets import TARGETS, check_options, target
from armdyn.robot import Robot


def exported(
    arm: Robot, to: str, out: Path, asked: Mapping[str, tuple[str, Any]], inputs: str | None
) -> Exported:
    """The export that is asked for: `asked` has for every option the library's name and the text given."""
    given = {option: pair for option, pair in asked.items() if pair[1] is not None}
    check_options(to, {name: option for option, (name, _) in given.items()})
    options = {name: _value(option, text) for option, (name, text) in given.items()}
    return export(arm, to, out, **options, **_flags(to, inputs))


def _value(option: str, text: Any) -> Any:
    match option:
        case "--quantities":
            return tuple(_words(option, text))
        case "--friction":
            return text == "on"
        case _:
            return text


def _flags(to: str, inputs: str | None) -> dict[str, bool]:
    """The inputs that `--inputs` names, each an option of the target."""
    if inputs is None:
        return {}
    names, known = _words("--inputs", inputs), target(to).inputs
    if not known:
        takers = " or ".join(name for name, t in TARGETS.items() if t.inputs)
        raise InputError(f"--inputs does not belong to {to}, expected with {takers}")
    for name in names:
        if name not in known:
            hint = suggestion(name, known)
            raise InputError(f'--inputs: {to} has no input "{name}"; {hint}expected of {", ".join(known)}')
    return dict.fromkeys(names, True)


def _words(option: str, text: str) -> list[str]:
    words = [word.strip() for word in text.split(",")]
    if not all(words):
        raise InputError(f'{option} is "{text}", expected names with commas between them')
    return words


def tell(arm: Robot, to: str, found: Exported, *, json: bool) -> None:
    """Files and losses, for people or as JSON."""
    if json:
        files = [str(file) for file in found.files]
        print_json({"robot": arm.name, "to": to, "files": files, "lost": list(found.lost)})
        return
    rows = [(str(file), file.stat().st_size) for file in found.files]
    print_table(f"{arm.name}, exported to {to}", ("file", "bytes"), rows)
    print_line("lost: nothing" if not found.lost else "lost:")
    for sentence in found.lost:
        print_line(f"  {sentence}")

"""The types of values: what may be used where, and what operators make of them."""

from __future__ import annotations

from armdyn.program.words import FUNCTIONS

Kind = str | tuple["Kind", ...]
"""A type by its name, or several values in parentheses, each with its type."""

NUMBERS = ("int", "real")


def is_number(kind: Kind) -> bool:
    """Whether it is a number."""
    return kind in NUMBERS


def fits(kind: Kind, wanted: str) -> bool:
    """Whether a value of this type may stand where another is wanted."""
    if wanted == "real":
        return is_number(kind)
    if wanted in ("position", "orientation"):
        return kind == wanted or _is_triple(kind)
    if wanted == "robtarg":
        return kind == "robtarg" or fits(kind, "position")
    if wanted == "pose":
        return (
            isinstance(kind, tuple)
            and len(kind) == 2
            and fits(kind[0], "position")
            and fits(kind[1], "orientation")
        )
    return kind == wanted


def _is_triple(kind: Kind) -> bool:
    return isinstance(kind, tuple) and len(kind) == 3 and all(map(is_number, kind))


def combined(left: Kind, sign: str, right: Kind) -> Kind | None:
    """The type of `left sign right`, or None where it has no meaning."""
    if sign in ("and", "or"):
        return "bool" if left == right == "bool" else None
    if sign in ("div", "mod"):
        return "int" if left == right == "int" else None
    if sign in ("=", "<>", "<", "<=", ">", ">="):
        same = left == right and left in ("bool", "string") and sign in ("=", "<>")
        return "bool" if same or (is_number(left) and is_number(right)) else None
    if is_number(left) and is_number(right):
        return "real" if sign == "/" or "real" in (left, right) else "int"
    if sign in "+-":
        return _shifted(left, sign, right)
    if sign == "*" and is_number(left) and right == "position":
        return "position"
    return "position" if left == "position" and is_number(right) else None


def _shifted(left: Kind, sign: str, right: Kind) -> Kind | None:
    """A target or a position, moved."""
    if left in ("robtarg", "position") and fits(right, "position"):
        return left
    swapped = sign == "+" and right in ("robtarg", "position") and fits(left, "position")
    if swapped or (right == "position" and _is_triple(left)):
        return right
    return None


def made_by(function: str, kinds: tuple[Kind, ...]) -> Kind | None:
    """The type of a call, or None where the arguments are wrong."""
    if function in FUNCTIONS:
        right = len(kinds) == FUNCTIONS[function] and all(map(is_number, kinds))
        return (kinds[0] if function == "abs" else "real") if right else None
    if function in ("position", "orientation"):
        return function if _is_triple(kinds) else None
    if function == "mainjoint":
        return "mainjoint" if kinds and all(map(is_number, kinds)) else None
    if function == "joint":
        return "joint" if kinds == ("mainjoint",) else None
    if function == "robtarg":
        return "robtarg" if _is_target(kinds) else None
    return None


def _is_target(kinds: tuple[Kind, ...]) -> bool:
    """A pose and a status; or a position, an orientation and a status."""
    if kinds and fits(kinds[0], "pose"):
        return kinds[1:] in ((), ("int",))
    if not kinds or not fits(kinds[0], "position"):
        return False
    return len(kinds) == 1 or (fits(kinds[1], "orientation") and kinds[2:] in ((), ("int",)))


FORMS = {
    "position": "position(x, y, z)",
    "orientation": "orientation(A, B, C)",
    "mainjoint": "mainjoint(value, ..)",
    "joint": "joint(mainjoint(value, ..))",
    "robtarg": "robtarg(((x, y, z), (A, B, C)), status), robtarg(position(x, y, z)) "
    "or robtarg(position(x, y, z), orientation(A, B, C), status)",
    "atan2": "atan2(y, x)",
} | {name: f"{name}(number)" for name, count in FUNCTIONS.items() if count == 1}
"""How each is written."""


def described(kind: Kind) -> str:
    """A type in a message."""
    if isinstance(kind, tuple):
        return f"{len(kind)} values in parentheses"
    return f"an {kind}" if kind[0] in "aeiou" else f"a {kind}"

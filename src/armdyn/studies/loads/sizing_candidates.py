"""Motors to choose from, as a file or a list has them.

    gears = [60, 80, 100]                # ratios to try, optional

    [[motors]]
    name = "small"
    rated_torque = "0.5 N m"             # without end, as a root mean square
    peak_torque = "1.5 N m"              # for a moment
    rated_speed = "3000 rpm"
    maximum_speed = "4500 rpm"
    rotor_inertia = "0.3 kg cm^2"
    mass = "1.2 kg"

Numbers are SI, or strings with units; only name and rotor inertia must be there.
"""

from __future__ import annotations

import math
import os
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, ValidationError

from armdyn.errors import InputError
from armdyn.formats.reading import parsed_toml, read_text
from armdyn.formats.schema import SHORT, AngularVelocity, Mass, MomentOfInertia, Number, Table, Torque
from armdyn.formats.toml.mistakes import first_mistake
from armdyn.robot import Motor

LARGEST_FILE = 2**20
"""No list of motors needs more bytes than this."""


@dataclass(frozen=True)
class Candidate:
    """A motor that a drive might have; None is unknown. Torques [N m], speeds [rad/s] at its shaft."""

    name: str
    rotor_inertia: float
    """[kg m2]"""
    rated_torque: float | None = None
    peak_torque: float | None = None
    rated_speed: float | None = None
    maximum_speed: float | None = None
    mass: float | None = None
    """[kg]"""

    @property
    def motor(self) -> Motor:
        """As a robot has it."""
        fastest = self.rated_speed if self.maximum_speed is None else self.maximum_speed
        return Motor(peak_torque=self.peak_torque, rated_torque=self.rated_torque, maximum_speed=fastest)

    @property
    def torque_known(self) -> bool:
        """Whether it says how much torque it may give, for a moment or without end."""
        return self.peak_torque is not None or self.rated_torque is not None

    @property
    def size(self) -> tuple[float, float, float]:
        """By what motors are ordered: rated torque, then peak torque, then rotor inertia."""
        rated, peak = (math.inf if x is None else x for x in (self.rated_torque, self.peak_torque))
        return rated, peak, self.rotor_inertia


class CandidateTable(Table):
    """A motor of the file."""

    name: str = Field(min_length=1)
    rotor_inertia: MomentOfInertia = Field(ge=0)
    rated_torque: Torque | None = Field(default=None, gt=0)
    peak_torque: Torque | None = Field(default=None, gt=0)
    rated_speed: AngularVelocity | None = Field(default=None, gt=0)
    maximum_speed: AngularVelocity | None = Field(default=None, gt=0)
    mass: Mass | None = Field(default=None, ge=0)


class CandidatesTable(Table):
    """The file."""

    motors: Annotated[tuple[CandidateTable, ...], SHORT] = Field(min_length=1)
    gears: Annotated[tuple[Number, ...], SHORT] = ()


@dataclass(frozen=True)
class Candidates:
    """Motors to choose from, and gear ratios to try; without ratios drives keep theirs."""

    motors: tuple[Candidate, ...]
    gears: tuple[float, ...] = ()


CandidatesLike = str | os.PathLike[str] | Candidates | Iterable[Candidate | Mapping[str, Any]]


def candidates_of(given: CandidatesLike) -> Candidates:
    """Candidates from a .toml file, or from a list of motors or tables."""
    if isinstance(given, Candidates):
        found = Candidates(tuple(map(_candidate, given.motors)), checked_gears(given.gears))
    elif isinstance(given, str | os.PathLike):
        found = _read(Path(given))
    else:
        found = Candidates(tuple(map(_candidate, given)))
    counts = Counter(motor.name for motor in found.motors)
    twice = next((name for name, count in counts.items() if count > 1), None)
    if twice is not None:
        where = given if isinstance(given, str | os.PathLike) else "candidates"
        raise InputError(f'{where}: motor "{twice}" is given twice, expected names of their own')
    if not counts:
        raise InputError("candidates: there is no motor, expected one at least")
    return found


def checked_gears(gears: Iterable[float]) -> tuple[float, ...]:
    """Gear ratios, each above zero and once."""
    found = tuple(dict.fromkeys(float(gear) for gear in gears))
    wrong = next((gear for gear in found if not (math.isfinite(gear) and gear > 0)), None)
    if wrong is not None:
        raise InputError(f"gears: {wrong:g} is no ratio, expected numbers above 0")
    return found


def _candidate(given: Candidate | Mapping[str, Any]) -> Candidate:
    """A motor whose numbers are checked, as those of a file are."""
    if not isinstance(given, Candidate | Mapping):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise InputError(f"candidates: {given!r} is no motor, expected a Candidate or a table")
    fields = vars(given) if isinstance(given, Candidate) else dict(given)
    try:
        return Candidate(**CandidateTable.model_validate(fields).model_dump())
    except ValidationError as error:
        raise InputError(str(first_mistake(error, "", "candidates", CandidateTable))) from error


def _read(file: Path) -> Candidates:
    if file.suffix.lower() != ".toml":
        raise InputError(f'candidates "{file}" ends in "{file.suffix}", expected .toml')
    text = read_text(file, LARGEST_FILE, "a list of motors")
    try:
        table = CandidatesTable.model_validate(parsed_toml(text, "a list of motors"))
    except ValidationError as error:
        raise InputError(str(first_mistake(error, text, str(file), CandidatesTable))) from error
    except InputError as error:
        raise InputError(f"{file}: {error}") from error
    try:
        gears = checked_gears(table.gears)
    except InputError as error:
        raise InputError(f"{file}: {error}") from error
    return Candidates(tuple(Candidate(**motor.model_dump()) for motor in table.motors), gears)

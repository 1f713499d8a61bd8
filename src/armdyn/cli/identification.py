"""An identification on the command line: what is asked for, its files, and what it found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from armdyn.cli.output import print_json, print_line, print_table
from armdyn.cli.progress import shown_progress
from armdyn.errors import InputError
from armdyn.formats import save
from armdyn.identification.identified import Identified
from armdyn.identification.identify import identify, identify_payload
from armdyn.identification.payload import PayloadFound
from armdyn.report.drawing import check_figure
from armdyn.report.pages import check_report
from armdyn.robot import Robot

ROBOT_FILES = (".toml", ".urdf")
OF_ROBOTS = ("among", "prior", "damping")
"""Options that a payload alone has no use for."""


@dataclass(frozen=True)
class Asked:
    """What to identify from what."""

    robot: Robot
    logs: Sequence[Path]
    validate: Path | None
    payload: Path | None
    options: Mapping[str, Any]

    def check(self) -> None:
        """Refuse what cannot be asked for."""
        if not self.logs and self.payload is None:
            raise InputError("no LOG, expected a .csv, .parquet or .mcap file of positions and torques")
        if self.logs:
            return
        for name in ("validate", *OF_ROBOTS):
            if name in self.options or (name == "validate" and self.validate is not None):
                raise InputError(
                    f"--{name} is for a robot, without LOG only a payload is identified; add LOG"
                )


@dataclass(frozen=True)
class Files:
    """What to write."""

    out: Path | None
    plot: Path | None
    report: Path | None

    def check(self, *, alone: bool) -> None:
        """Refuse files that cannot be written, before anything is computed for them."""
        if self.out is not None:
            if self.out.suffix.lower() not in ROBOT_FILES:
                raise InputError(f'--out "{self.out}" ends in "{self.out.suffix}", expected .toml or .urdf')
            if not self.out.parent.is_dir():
                raise InputError(f'--out "{self.out}": there is no folder "{self.out.parent}"; make it first')
        if alone and (self.plot is not None or self.report is not None):
            raise InputError(
                "--plot and --report show a robot's torques; without LOG there are none, add LOG"
            )
        if self.plot is not None:
            check_figure(self.plot)
        if self.report is not None:
            check_report(self.report)

    @property
    def written(self) -> list[str]:
        """Their names."""
        return [str(file) for file in (self.out, self.plot, self.report) if file is not None]


def identified(asked: Asked, files: Files, *, json: bool) -> None:
    """Identify, write the files, and say what was found."""
    asked.check()
    files.check(alone=not asked.logs)
    if not asked.logs:
        _payload_alone(asked, files, json=json)
        return
    with shown_progress(f"identifying {asked.robot.name}") as progress:
        found = identify(
            asked.robot,
            list(asked.logs),
            validate=asked.validate,
            payload=asked.payload,
            progress=progress,
            **asked.options,
        )
    lost: tuple[str, ...] = ()
    if files.out is not None:
        lost = found.save(files.out)
    if files.plot is not None:
        found.draw(files.plot)
    if files.report is not None:
        found.write_report(files.report)
    if json:
        print_json({**found.document(), "lost": list(lost), "files": files.written})
        return
    _print(found)
    _print_end(files, lost)


def _payload_alone(asked: Asked, files: Files, *, json: bool) -> None:
    assert asked.payload is not None
    with shown_progress(f"payload of {asked.robot.name}"):
        found = identify_payload(asked.robot, asked.payload, **asked.options)
    lost = save(found.held_by(asked.robot), files.out) if files.out is not None else ()
    if json:
        print_json(
            {
                "robot": asked.robot.name,
                "payload": found.document(),
                "lost": list(lost),
                "files": files.written,
            }
        )
        return
    _print_payload(found)
    for warning in found.warnings:
        print_line(f"warning: {warning}")
    _print_end(files, lost)


# Words ----------------------------------------------------------------------------------------


def _print(found: Identified) -> None:
    estimate, base = found.estimate, found.base
    print_line(
        f"{found.prior.name}: {len(base)} base parameters by {estimate.method} least squares from "
        f"{', '.join(found.logs)}"
    )
    print_line(
        f"{len(found.observations)} samples, low-pass {found.observed.samples.cutoff:.3g} Hz, "
        f"condition number {found.condition_number:.3g}, motors {found.dyn.motors}"
    )
    rows = zip(found.base_estimates, found.relative_deviation, range(len(base)), strict=True)
    essential = set(found.essential.tolist())
    print_table(
        "base parameters",
        ["parameter", "value", "standard error", "relative %", "unit", "essential"],
        [
            [
                each.name,
                each.value,
                each.standard_error,
                100 * float(share) if np.isfinite(share) else None,
                each.unit,
                "yes" if k in essential else "",
            ]
            for each, share, k in rows
        ],
    )
    _print_torques(found)
    if found.payload is not None:
        _print_payload(found.payload)
    for warning in found.warnings:
        print_line(f"warning: {warning}")
    for note in found.notes:
        print_line(f"note: {note}")


def _print_torques(found: Identified) -> None:
    checked = found.validation
    columns = ["joint", "residual rms", "of peak torque %"]
    measured = np.abs(found.observed.measured).max(axis=0)
    rows: list[list[Any]] = [
        [name, float(rms), 100 * float(rms / peak) if peak > 0 else None]
        for name, rms, peak in zip(found.prior.joint_names, found.residual_rms, measured, strict=True)
    ]
    if checked is not None:
        columns.append(f"rms of {checked.name}")
        for row, rms in zip(rows, checked.rms, strict=True):
            row.append(float(rms))
    print_table("torques, measured less predicted [N m or N]", columns, rows)


def _print_payload(found: PayloadFound) -> None:
    centre = ", ".join(f"{x:.4g}" for x in found.inertia.com)
    print_line(f"payload on {found.body}, from {found.source}: {found.inertia.mass:.4g} kg at ({centre}) m")
    print_table(
        "payload",
        ["parameter", "value", "standard error", "unit"],
        [[each.name, each.value, each.standard_error, each.unit] for each in found.estimates],
    )


def _print_end(files: Files, lost: Sequence[str]) -> None:
    for what in lost:
        print_line(f"lost: {what}")
    for file in files.written:
        print_line(f"file: {file}")

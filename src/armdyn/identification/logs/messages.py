"""Logs in .mcap files: JSON messages that say what joints do."""

from __future__ import annotations

import json
from array import array
from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

import numpy as np

from armdyn.errors import InputError, counted, suggestion
from armdyn.formats.motion_columns import listed, width_of
from armdyn.formats.motion_tables import LARGEST_FILE
from armdyn.identification.logs.joint_messages import Content, Form, form_of, stamp_of
from armdyn.identification.logs.log import check_drives
from armdyn.identification.logs.mcap_files import McapFile, Topic, open_log
from armdyn.identification.logs.quantities import EFFORTS, EffortKind, Quantities, taken
from armdyn.identification.logs.recording import Recording
from armdyn.robot import Robot
from armdyn.scalars import Array

OWN = "armdyn.State"
"""The schema of armdyn's own runs, which hold more than the joints' states beside them."""


def recorded_in_messages(
    file: Path, robot: Robot, effort: EffortKind | None, topic: str | None
) -> tuple[Recording, Quantities]:
    """What a .mcap file has of a log, and which quantities those are."""
    with open_log(file) as stream:
        source = McapFile(stream, file)
        name, form = _chosen(source.topics(), file, robot, effort, topic)
        quantities, notes = taken(form.given, effort, f"{file}, {name}")
        check_drives(quantities.effort, robot, f"{file}, {name}")
        if absent := [each for each in quantities.names if each not in form.given]:
            raise InputError(f'{file}, {name}: messages have no "{absent[0]}", expected it in each')
        rows = _rows(source, name, form, quantities, file)
        return rows.recording(quantities, robot, [*source.notes, *notes]), quantities


# Which topic ----------------------------------------------------------------------------------


def _chosen(
    topics: Sequence[Topic], file: Path, robot: Robot, effort: EffortKind | None, topic: str | None
) -> tuple[str, Form]:
    """The topic that is asked for, or the only one with positions and efforts, and how to read it."""
    names = [each.name for each in topics]
    if topic is not None and topic not in names:
        raise InputError(f'{file}: no topic "{topic}"; {suggestion(topic, names)}there are {listed(names)}')
    asked = [each for each in topics if topic in (None, each.name)]
    forms, complaints = _forms(asked, file, robot, effort)
    if not forms:
        raise complaints[0] if complaints else InputError(f"{file}: {_nothing_in(asked, robot)}")
    full = [name for name, form in forms.items() if any(kind in form.given for kind in EFFORTS)]
    own = [each.name for each in asked if each.schema == OWN and each.name in full]
    choice = full or list(forms)
    if len(choice) > 1 and len(own) != 1:
        raise InputError(
            f'{file}: topics {listed(choice)} would do, expected one; choose it: topic="{choice[0]}"'
        )
    name = choice[0] if len(choice) == 1 else own[0]
    return name, forms[name]


def _forms(
    topics: Sequence[Topic], file: Path, robot: Robot, effort: EffortKind | None
) -> tuple[dict[str, Form], list[InputError]]:
    """How the topics that will do are to be read, and why others that come near will not."""
    forms: dict[str, Form] = {}
    complaints: list[InputError] = []
    for topic in topics:
        try:
            form = _form(topic, file, robot, effort)
        except InputError as error:
            complaints.append(error)
        else:
            forms |= {} if form is None else {topic.name: form}
    return forms, complaints


def _form(topic: Topic, file: Path, robot: Robot, effort: EffortKind | None) -> Form | None:
    """How the messages of a topic are to be read, None if the first say nothing of the robot."""
    for k, data in enumerate(topic.probes):
        place = f"{file}, {topic.name}, message {k + 1}"
        form = form_of(_content(data, place), robot, effort, place)
        if form is not None:
            return form
    return None


def _nothing_in(topics: Sequence[Topic], robot: Robot) -> str:
    """Why none of the topics will do."""
    if not topics:
        return "no messages, expected some with the joints' names, positions and efforts"
    if all(topic.encoding != "json" for topic in topics):
        said = f'topic "{topics[0].name}" is encoded as "{topics[0].encoding}", expected json'
        return f"{said}; write it as JSON, or as .csv or .parquet"
    where, joints = listed([topic.name for topic in topics]), listed(robot.joint_names)
    return f'no message of {where} has joints of robot "{robot.name}", expected {joints} with positions'


def _content(data: bytes, place: str) -> Content:
    """A message as plain data; one that is no object says nothing."""
    try:
        content = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{place}: cannot be read as JSON, expected an object") from error
    return cast("Content", content) if isinstance(content, dict) else {}


# Their numbers --------------------------------------------------------------------------------


class _Rows:
    """The messages so far: when they were logged and measured, and their numbers."""

    def __init__(self, file: Path, topic: str) -> None:
        self.file, self.topic = file, topic
        self.logged, self.stamped, self.numbers, self.values = array("q"), array("q"), array("q"), array("d")
        self.others = 0

    def recording(self, quantities: Quantities, robot: Robot, notes: Sequence[str]) -> Recording:
        """All of them in the order in which they were logged, time counted from the first."""
        order = np.argsort(np.frombuffer(self.logged, dtype=np.int64), kind="stable")
        numbers = np.frombuffer(self.numbers, dtype=np.int64)[order]
        time, said = self._time(order)
        table = np.frombuffer(self.values).reshape(len(order), -1)[order]
        signals: dict[str, Array] = {}
        first = 0
        for name in quantities.names:
            width = width_of(name, robot)
            signals[name] = table[:, first : first + width]
            first += width
        titles = {
            name: [f"{name}{k + 1}" for k in range(values.shape[1])] for name, values in signals.items()
        }
        if self.others:
            said.append(f"{counted(self.others, 'message')} of {self.topic} about other joints passed over")

        def place(sample: int) -> str:
            return f"{self.file}, {self.topic}, message {numbers[sample] + 1}"

        return Recording(str(self.file), time, signals, titles, place, (*notes, *said))

    def _time(self, order: Any) -> tuple[Array, list[str]]:
        """(t) [s] since the first, as measured if messages say so, else as logged."""
        logged, stamped = (np.frombuffer(each, dtype=np.int64)[order] for each in (self.logged, self.stamped))
        by_stamp = bool((stamped >= 0).all() and (stamped != stamped[:1]).any())
        chosen = stamped if by_stamp else logged
        said = [] if by_stamp else ["time is that of logging: messages do not say when they were measured"]
        if len(chosen) and chosen[0]:
            said.append(f"time counts from the first message, {chosen[0] / 1e9:.9g} s")
        return (chosen - chosen[:1]) / 1e9, said


def _rows(source: McapFile, topic: str, form: Form, quantities: Quantities, file: Path) -> _Rows:
    """The numbers of all messages of a topic."""
    rows = _Rows(file, topic)
    for k, message in enumerate(source.messages(topic)):
        content = _content(message.data, f"{file}, {topic}, message {k + 1}")
        row = form.row(content, quantities.names)
        if row is None:
            rows.others += 1
            continue
        stamp = stamp_of(content)
        rows.logged.append(message.time if message.time < 2**63 else 0)
        rows.stamped.append(-1 if stamp is None else stamp)
        rows.numbers.append(k)
        rows.values.extend(row)
        if 8 * len(rows.values) > LARGEST_FILE:
            raise InputError(f"{file}, {topic}: more than {LARGEST_FILE / 2**30:g} GiB of numbers; cut it")
    return rows

"""Runs as MCAP logs: complete, with schemas that hold, at the right instants, with the arm's own frames."""

import json
import math
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from mcap.reader import make_reader

from armdyn.dynamics import Dynamics
from armdyn.errors import InputError
from armdyn.formats import load
from armdyn.simulation.events import Event
from armdyn.simulation.files.mcap_files import write_mcap
from armdyn.simulation.results import Phase, Simulation

SAMPLES = 21
EXACT = 1e-14
"""Poses [m, 1]: through a parent's and back, through quaternions."""
TOPICS = {
    "/tf": "foxglove.FrameTransforms",
    "/joint_states": "foxglove.JointStates",
    "/state": "armdyn.State",
    "/log": "foxglove.Log",
}
EVENTS = (Event(0.25, 2, "sticks", 2), Event(0.5, 3, "limit"), Event(0.75, None, "grasp"))


def made(name: str = "irb6", **changes: Any) -> Simulation:
    """A run as it might have come about: sines, and the torques they take."""
    dyn = Dynamics(load(name))
    time = np.linspace(0.0, 2.0, SAMPLES)
    phase = 1.3 * time[:, None] + np.arange(dyn.n)
    home = np.array(dyn.robot.home)
    q, qd, qdd = home + 0.1 * np.sin(phase), 0.13 * np.cos(phase), -0.169 * np.sin(phase)
    kept: Any = None
    motion: dict[str, Any] = {"time": time, "q": q, "qd": qd, "qdd": qdd, "tau": dyn.inverse(q, qd, qdd)}
    energies: dict[str, Any] = {"work": time, "dissipated": time, "exerted": 0 * time}
    outside: dict[str, Any] = {"wrench": None, "at": None, "base": None}
    told: dict[str, Any] = {"events": EVENTS, "notes": ("chosen so",), "failure": None, "checkpoint": kept}
    phases = (Phase(dyn, 0, SAMPLES),)
    states = np.empty((SAMPLES, 0))
    run = Simulation(phases, "rk4", 0.001, states=states, **motion, **energies, **outside, **told)
    return replace(run, **changes)


def messages(path: Path) -> list[tuple[str, int, dict[str, Any], Any]]:
    """Topic, instant [ns], content and schema of every message, in the order of time."""
    with path.open("rb") as file:
        return [
            (channel.topic, message.log_time, json.loads(message.data), schema)
            for schema, channel, message in make_reader(file, validate_crcs=True).iter_messages()
        ]


@pytest.fixture(scope="module")
def run() -> Simulation:
    return made()


@pytest.fixture(scope="module")
def log(run: Simulation, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("mcap") / "run.mcap"
    write_mcap(path, run)
    return path


def matrix(transform: dict[str, Any]) -> Any:
    """4x4 of a frame's translation and quaternion."""
    x, y, z, w = (transform["rotation"][k] for k in "xyzw")
    T = np.eye(4)
    T[:3, :3] = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    T[:3, 3] = [transform["translation"][k] for k in "xyz"]
    return T


def valid(value: Any, schema: dict[str, Any]) -> bool:
    """Whether a value is what the few words of JSON schema used here say."""
    match schema["type"]:
        case "object":
            needed = all(key in value for key in schema.get("required", ()))
            known = schema["properties"]
            return needed and all(key in known and valid(value[key], known[key]) for key in value)
        case "array":
            return isinstance(value, list) and all(valid(item, schema["items"]) for item in value)
        case "number":
            return isinstance(value, float | int) and math.isfinite(value)
        case "integer":
            return isinstance(value, int) and schema.get("minimum", value) <= value <= schema.get(
                "maximum", value
            )
        case other:
            return other == "string" and isinstance(value, str)


def test_every_sample_and_event_is_there(log: Path) -> None:
    counts = Counter(topic for topic, *_ in messages(log))
    assert counts == {"/tf": SAMPLES, "/joint_states": SAMPLES, "/state": SAMPLES, "/log": len(EVENTS) + 1}


def test_the_log_is_finished_and_says_what_it_holds(log: Path, run: Simulation) -> None:
    with log.open("rb") as file:
        reader = make_reader(file)
        summary = reader.get_summary()
        (about,) = reader.iter_metadata()
    assert summary is not None
    assert summary.statistics is not None
    assert summary.statistics.message_count == 3 * SAMPLES + len(EVENTS) + 1
    assert (summary.statistics.message_start_time, summary.statistics.message_end_time) == (0, 2 * 10**9)
    names = {summary.schemas[channel.schema_id].name for channel in summary.channels.values()}
    assert names == set(TOPICS.values())
    assert {channel.message_encoding for channel in summary.channels.values()} == {"json"}
    assert {schema.encoding for schema in summary.schemas.values()} == {"jsonschema"}
    assert about.metadata["robot"] == "irb6"
    assert about.metadata["joints"] == ", ".join(run.robot.joint_names)


def test_messages_are_what_their_schemas_say(log: Path) -> None:
    for topic, _, content, schema in messages(log):
        said = json.loads(schema.data)
        assert (schema.name, said["title"]) == (TOPICS[topic], TOPICS[topic])
        assert valid(content, said), (topic, content)


def test_time_is_in_nanoseconds(log: Path, run: Simulation) -> None:
    found = messages(log)
    times = [time for topic, time, *_ in found if topic == "/state"]
    assert times == [round(t * 1e9) for t in run.time.tolist()]
    for _, time, content, _ in found:
        stamp = content["timestamp"] if "timestamp" in content else content["transforms"][0]["timestamp"]
        assert stamp["sec"] * 10**9 + stamp["nsec"] == time


@pytest.mark.parametrize("name", ["irb6", "ur5", "parallelogram"])
def test_frames_are_the_arm_s(tmp_path: Path, name: str) -> None:
    run = made(name, events=())
    write_mcap(tmp_path / "run.mcap", run)
    frames = [
        content["transforms"] for topic, _, content, _ in messages(tmp_path / "run.mcap") if topic == "/tf"
    ]
    for k, transforms in enumerate(frames):
        poses: dict[str, Any] = {"base": np.eye(4)}
        for transform in transforms:
            poses[transform["child_frame_id"]] = poses[transform["parent_frame_id"]] @ matrix(transform)
        for body in run.robot.body_names:
            np.testing.assert_allclose(poses[body], run.dyn.pose(run.q[k], body), rtol=0, atol=EXACT)
        np.testing.assert_allclose(poses["tool"], run.dyn.pose(run.q[k]), rtol=0, atol=EXACT)
        assert len(poses) == len(run.robot.bodies) + 2


def test_joints_and_states_come_to_the_last_bit(log: Path, run: Simulation) -> None:
    found = messages(log)
    joints = [content["joints"] for topic, _, content, _ in found if topic == "/joint_states"]
    assert [joint["name"] for joint in joints[0]] == list(run.robot.joint_names)
    keys = {"position": run.q, "velocity": run.qd, "acceleration": run.qdd, "effort": run.tau}
    for key, values in keys.items():
        np.testing.assert_array_equal([[joint[key] for joint in row] for row in joints], values)
    states = [content for topic, _, content, _ in found if topic == "/state"]
    for name in ("q", "current", "motor_position", "kinetic_energy", "power_residual", "work"):
        np.testing.assert_array_equal([state[name] for state in states], getattr(run, name))
    assert "wrench" not in states[0]


def test_events_are_told_in_words(tmp_path: Path) -> None:
    run = made(failure="the step is too large")
    write_mcap(tmp_path / "run.mcap", run)
    names, motors = run.robot.joint_names, run.robot.drives
    told = [
        (time, content["level"], content["message"])
        for topic, time, content, _ in messages(tmp_path / "run.mcap")
        if topic == "/log"
    ]
    assert told == [
        (0, 2, "chosen so"),
        (250_000_000, 2, f'motor 2 ("{motors[1].name}") sticks'),
        (500_000_000, 3, f'joint 3 ("{names[2]}") leaves its range'),
        (750_000_000, 2, "grasp"),
        (2_000_000_000, 4, "the step is too large"),
    ]


def test_what_is_no_number_is_left_out(tmp_path: Path) -> None:
    run = made("panda", failure="the step is too large", events=())
    run.tau[-1, 0] = math.nan
    write_mcap(tmp_path / "run.mcap", run)
    *_, last = [
        content for topic, _, content, _ in messages(tmp_path / "run.mcap") if topic == "/joint_states"
    ]
    assert ["effort" in joint for joint in last["joints"]] == [False, *[True] * (run.robot.n - 1)]
    *_, state = [content for topic, _, content, _ in messages(tmp_path / "run.mcap") if topic == "/state"]
    assert "tau" not in state
    assert "q" in state


@pytest.mark.parametrize(
    ("rate", "times"), [(1.0, [0, 1, 2]), (4.0, [0, 0.3, 0.5, 0.8, 1, 1.3, 1.5, 1.8, 2])]
)
def test_fewer_samples_if_asked(run: Simulation, tmp_path: Path, rate: float, times: list[float]) -> None:
    write_mcap(tmp_path / "run.mcap", run, rate=rate)
    found = [time for topic, time, *_ in messages(tmp_path / "run.mcap") if topic == "/tf"]
    assert found == [round(t * 1e9) for t in times]


def test_all_or_nothing(run: Simulation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match=r'^log ".*run\.bag" ends in "\.bag", expected \.mcap$'):
        write_mcap(tmp_path / "run.bag", run)
    with pytest.raises(InputError, match=r"^rate is 0, expected samples per second, a number above zero$"):
        write_mcap(tmp_path / "run.mcap", run, rate=0)
    with pytest.raises(InputError, match=r"the run starts at -1 s, a log has no time before 0$"):
        write_mcap(tmp_path / "run.mcap", replace(run, time=run.time - 1))

    def full(*_: Any, **__: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("mcap.writer.Writer.finish", full)
    with pytest.raises(InputError, match=r"run\.mcap: cannot be written, No space left on device$"):
        write_mcap(tmp_path / "run.mcap", run)
    assert list(tmp_path.iterdir()) == []

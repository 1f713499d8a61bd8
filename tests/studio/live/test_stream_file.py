"""The file of a stream: the same whether its entries come one by one or many at once."""

from pathlib import Path

import numpy as np
from mcap.reader import make_reader

import armdyn as ad
from armdyn.simulation.files.mcap_messages import INFO
from armdyn.studio.live.stream_file import Entry, Remark, StreamFile, Torques
from armdyn.studio.live.telemetry import Sample, layout_of

DYN = ad.Dynamics(ad.load("ur5"))
LAYOUT = layout_of(("q", "qd", "tau"), 6, 0, "ur5")


def entries() -> list[Entry]:
    """A second at 100 Hz, its torques, some of them not known, and a word in between."""
    rng = np.random.default_rng(5)
    found: list[Entry] = []
    for k in range(100):
        found.append(Sample(k, k / 100, rng.normal(size=LAYOUT.width)))
        torques = rng.normal(size=(3, 6))
        torques[0, 2] = np.nan if k % 7 == 0 else torques[0, 2]
        found.append(Torques(k / 100, *torques))
    found.insert(50, Remark(0.25, "a word", INFO))
    return found


def messages(path: Path, parts: list[list[Entry]]) -> list[tuple[str, int, bytes]]:
    file = StreamFile(path, DYN, LAYOUT, {})
    for part in parts:
        file.write(part)
    file.finish()
    file.close()
    with path.open("rb") as stream:
        found = make_reader(stream, validate_crcs=True).iter_messages(log_time_order=False)
        return [(channel.topic, message.log_time, message.data) for _, channel, message in found]


def test_entries_written_together_are_those_written_one_by_one(tmp_path: Path) -> None:
    given = entries()
    apart = messages(tmp_path / "apart.mcap", [[entry] for entry in given])
    together = messages(tmp_path / "together.mcap", [given[:70], [], given[70:]])
    assert together == apart
    topics = [topic for topic, *_ in together]
    counts = {topic: topics.count(topic) for topic in topics}
    assert counts == {"/state": 100, "/joint_states": 25, "/tf": 25, "/prediction": 100, "/log": 1}
    unknown = [data for topic, time, data in together if topic == "/prediction" and b'"measured"' not in data]
    assert len(unknown) == 15

"""Good files changed at random: every reader gives a result or a sentence, and does nothing beyond reading.

Here hypothesis draws the changes, a few for each kind (`make slow`: many). `make fuzz` goes on for minutes
with atheris, which keeps what reaches new lines of the readers.
"""

from __future__ import annotations

import subprocess
import sys
import warnings
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from armdyn.errors import ArmdynError
from hostile.mutations import mutated
from hostile.readers import READERS

FEW = 12
"""Examples of a kind in a short run."""
WATCHED = """
import sys
from pathlib import Path
from random import Random
from hostile.guard import Watch, limit_memory, tried
from hostile.mutations import mutated
from hostile.readers import READERS
from hostile.warming import warmed

folder, count, *kinds = sys.argv[1:]
for kind in kinds:
    list(warmed(kind, Path(folder) / f"fuzzed{READERS[kind].suffix}"))
watch = Watch()
limit_memory()
for kind in kinds:
    file = Path(folder) / f"fuzzed{READERS[kind].suffix}"
    for seed in range(int(count)):
        file.write_bytes(mutated(kind, Random(seed)))
        tried(READERS[kind].read, file, watch)
print("as it should")
"""


@pytest.mark.parametrize("kind", READERS)
def test_a_changed_file_gives_a_result_or_a_sentence(
    kind: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    file = tmp_path_factory.mktemp(kind) / f"changed{READERS[kind].suffix}"

    said: list[str] = []

    @given(st.integers(0, 2**63))
    @settings(max_examples=min(settings().max_examples, FEW if settings().derandomize else 1000))
    def check(seed: int) -> None:
        file.write_bytes(mutated(kind, Random(seed)))
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                READERS[kind].read(file)
        except ArmdynError as error:
            said.append(str(error))
        assert all(said)

    check()


def watched(kinds: list[str], count: int, folder: Path) -> None:
    """Read changed files in a process whose memory is limited, and of which all is heard that it does."""
    here = Path(__file__).parents[1]
    code = f"import sys; sys.path.insert(0, {str(here)!r})\n{WATCHED}"
    words = [sys.executable, "-c", code, str(folder), str(count), *kinds]
    done = subprocess.run(words, capture_output=True, text=True, timeout=3000, check=False)
    assert done.stdout == "as it should\n", done.stderr[-3000:]


def test_reading_opens_nothing_else_and_runs_nothing(tmp_path: Path) -> None:
    watched(list(READERS), 8, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("kind", READERS)
def test_reading_opens_nothing_else_and_runs_nothing_many_times(kind: str, tmp_path: Path) -> None:
    watched([kind], 500, tmp_path)

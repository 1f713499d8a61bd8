"""Coverage-guided fuzzing of one reader: `python tests/hostile/fuzz/harness.py KIND [libFuzzer options]`.

libFuzzer changes good files, half of the time along their structure (mutations.py), and keeps what reaches
new lines of the reader. A finding is any exception that is no ArmdynError, a hang, too much memory, or
anything done beyond reading the file.
"""

from __future__ import annotations

import sys
import tempfile
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

atheris: Any = import_module("atheris")  # only `make fuzz` installs it

sys.path.insert(0, str(Path(__file__).parents[2]))
INSTRUMENTED = ["armdyn.formats", "armdyn.program", "armdyn.identification.logs", "armdyn.simulation.files"]
INSTRUMENTED += ["armdyn.studies.loads.sizing_candidates", "armdyn.studio.live.mapping", "armdyn.robot"]
INSTRUMENTED += ["armdyn.studio.runs.recorded", "armdyn.cli.run_saving", "armdyn.motion", "tomllib", "mcap"]


def main() -> None:
    """Fuzz until libFuzzer's limits are reached."""
    kind = sys.argv.pop(1)
    with atheris.instrument_imports(include=INSTRUMENTED):
        from hostile.guard import Watch, tried
        from hostile.mutations import mutated
        from hostile.readers import READERS
        from hostile.warming import warmed

        reader = READERS[kind]
        folder = Path(tempfile.mkdtemp(prefix="armdyn-fuzz-"))
        file = folder / f"fuzzed{reader.suffix}"
        seeds = folder / "seeds"
        seeds.mkdir()
        for k, data in enumerate(warmed(kind, file)):
            (seeds / str(k)).write_bytes(data)
    watch = Watch()

    def once(data: bytes) -> None:
        with file.open("wb") as sink:
            sink.write(data)
        tried(reader.read, file, watch)

    def mutator(data: bytes, size: int, seed: int) -> bytes:
        rng = Random(seed)
        if rng.random() < 0.3:
            return atheris.Mutate(data, size)
        return mutated(kind, rng, data if rng.random() < 0.8 else None)[:size]

    atheris.Setup([*sys.argv, "-max_len=65536", str(seeds)], once, custom_mutator=mutator)
    atheris.Fuzz()


if __name__ == "__main__":
    main()

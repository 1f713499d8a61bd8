"""Fuzz every reader for a while, one after the other: `python tests/hostile/fuzz/run.py [SECONDS] [KIND ..]`.

Inputs that break a reader are kept in build/fuzz, as libFuzzer names them; each belongs into the corpus once
its reader is mended.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parents[1]))
LONGEST = 30
"""[s] for one input."""
LARGEST = 1024
"""[MB] of the whole process: half of it is Python, Arrow and what they are watched with."""


def main() -> int:
    """Fuzz, and print one line for each kind of file."""
    from hostile.readers import READERS

    seconds = int(sys.argv[1]) if len(sys.argv) > 1 else 60
    found = [fuzzed(kind, seconds) for kind in sys.argv[2:] or READERS]
    return int(not all(found))


def fuzzed(kind: str, seconds: int) -> bool:
    """Whether a reader stood it."""
    folder = Path("build/fuzz")
    folder.mkdir(parents=True, exist_ok=True)
    options = [f"-max_total_time={seconds}", f"-timeout={LONGEST}", f"-rss_limit_mb={LARGEST}"]
    words = [sys.executable, str(HERE / "harness.py"), kind, *options, f"-artifact_prefix={folder}/{kind}-"]
    done = subprocess.run(words, capture_output=True, text=True, errors="replace", check=False)
    tried = re.findall(r"^#(\d+)", done.stderr, re.MULTILINE)
    said = done.stderr.splitlines()
    verdict = "BROKEN" if done.returncode else "none broke it"
    sys.stdout.write(f"{kind:16} {tried[-1] if tried else 0:>8} files tried  {verdict}\n")
    if done.returncode:
        sys.stdout.write("\n".join(line for line in said if "Instrumenting" not in line)[-3000:])
    sys.stdout.flush()
    return done.returncode == 0


if __name__ == "__main__":
    sys.exit(main())

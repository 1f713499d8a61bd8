"""Fifty deaths at random moments: no row lost, none twice, none different."""

import random
import subprocess
import time
from pathlib import Path

import pytest

from sweep_runs import (
    assert_same_rows,
    burden,
    children,
    chunk_count,
    kill,
    process_ended,
    running,
    study_file,
    wait_for,
)

KILLS = 50
ROWS, CHUNK = 2400, 20


def killed_at_random(folder: Path, options: tuple[str, ...], dice: random.Random, kills: int) -> list[str]:
    """Sweep until all is done, while somebody kills the main process or one that it has started."""
    file = study_file(folder, ROWS)
    victims: list[str] = []
    for _ in range(kills + 1):
        with running(file, "--chunk-rows", str(CHUNK), "--resume", *options, **burden(seconds=0.5)) as main:
            while len(victims) < kills and not process_ended(main):
                victims += killed(main, dice)
            main.wait()
        if main.returncode == 0:
            break
    assert chunk_count(folder / "out") == ROWS // CHUNK
    assert_same_rows(file, ROWS)
    return victims


def killed(main: subprocess.Popen[str], dice: random.Random) -> list[str]:
    """Kill one of them at some moment, the main process one time in four."""
    if dice.random() < 0.25:
        time.sleep(dice.uniform(0.0, 6.0))
        kill(main.pid)
        return ["main"]
    wait_for(lambda: children(main.pid) or process_ended(main))
    time.sleep(dice.uniform(0.0, 3.0))
    if not (started := children(main.pid)):
        return []
    kill(dice.choice(started))
    return ["worker"]


@pytest.mark.slow
def test_fifty_deaths_at_random_moments(tmp_path):
    seed = random.randrange(10**9)
    print(f"seed {seed}")  # noqa: T201  reproduces the order of deaths
    victims = killed_at_random(tmp_path, ("--workers", "2"), random.Random(seed), KILLS)
    print({victim: victims.count(victim) for victim in set(victims)})  # noqa: T201
    assert victims

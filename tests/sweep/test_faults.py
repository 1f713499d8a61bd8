"""Fifty deaths at random moments: no row lost, none twice, none different."""

import random
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
)

KILLS = 50
ROWS, CHUNK = 2400, 20


def killed_at_random(folder: Path, options: tuple[str, ...], dice: random.Random, kills: int) -> list[str]:
    """Sweep until all is done, while somebody kills the main process or one that it has started."""
    file = study_file(folder, ROWS)
    victims: list[str] = []
    for _ in range(20 * kills):
        with running(file, "--chunk-rows", str(CHUNK), "--resume", *options, **burden(seconds=0.5)) as main:
            while main.poll() is None:
                time.sleep(dice.uniform(0.0, 6.0))
                if len(victims) < kills and not process_ended(main):
                    victims.append(_killed(main.pid, dice))
        if chunk_count(folder / "out") == ROWS // CHUNK and main.returncode == 0:
            break
    assert_same_rows(file, ROWS)
    return victims


def _killed(main: int, dice: random.Random) -> str:
    """Kill one of them, the main process one time in four."""
    started = children(main)
    if not started or dice.random() < 0.25:
        kill(main)
        return "main"
    kill(dice.choice(started))
    return "started by it"


@pytest.mark.slow
def test_fifty_deaths_at_random_moments(tmp_path):
    seed = random.randrange(10**9)
    print(f"seed {seed}")
    victims = killed_at_random(tmp_path, ("--workers", "2"), random.Random(seed), KILLS)
    print({victim: victims.count(victim) for victim in set(victims)})
    assert victims

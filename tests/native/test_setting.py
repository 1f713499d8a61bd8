"""How much work goes into machine code is a setting; what comes out of it is not."""

import numpy as np
import pytest

import armdyn as ad

STATES = np.random.default_rng(7).uniform(-1, 1, (3, 50, 6))


@pytest.mark.parametrize("quantity", ["inverse", "forward"])
def test_quick_code_gives_the_same_bits(quantity: str, monkeypatch: pytest.MonkeyPatch) -> None:
    results: list[bytes] = []
    for native in ("1", "quick"):
        monkeypatch.setenv("ARMDYN_NATIVE", native)
        dyn = ad.Dynamics(ad.load("lola15"))  # load-dependent friction, coupled motors
        batch = getattr(dyn, quantity)(*STATES)
        one = getattr(dyn, quantity)(*STATES[:, 0])
        results.append(batch.tobytes() + one.tobytes())
    assert results[0] == results[1]


def test_quick_code_is_kept_beside_the_best(
    monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("cache")
    monkeypatch.setenv("ARMDYN_CACHE", str(folder))
    kept: list[int] = []
    for native in ("1", "quick", "quick"):
        monkeypatch.setenv("ARMDYN_NATIVE", native)
        ad.Dynamics(ad.load("pendulum")).gravity([0.3])
        kept.append(sum(path.is_file() for path in folder.rglob("*")))
    assert kept[0] < kept[1] == kept[2]

"""Of what is tried with several seeds the first one runs always, the others with the slow tests."""

from pathlib import Path

import pytest

HERE = Path(__file__).parent


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        called = getattr(item, "callspec", None)
        if item.path.parent == HERE and called is not None and called.params.get("seed", 0):
            item.add_marker(pytest.mark.slow)

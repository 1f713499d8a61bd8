"""`armdyn studio` before it serves; tests/studio has the rest."""

import pytest

from armdyn.cli import studio
from armdyn.errors import MissingDataError
from command_line import BAD_INPUT, Armdyn


def test_what_is_not_installed_is_named_with_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(studio, "NEEDED", ("starlette", "no_such_module"))
    with pytest.raises(MissingDataError, match=r'needs no_such_module.*pip install "armdyn\[studio\]"'):
        studio.studio(no_open=True)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nothing"], "nothing is called"),
        (["missing.lirl"], "no such file"),
        (["--host", "0.0.0.0"], "--allow-remote"),
        (["--folder", "missing"], "there is none"),
        (["--port", "70000"], "--port"),
    ],
)
def test_bad_input_is_one_sentence(armdyn: Armdyn, arguments: list[str], said: str) -> None:
    told = armdyn("studio", "--no-open", *arguments)
    assert (told.code, told.out) == (BAD_INPUT, "")
    assert said in told.err
    assert told.err.count("\n") == 1

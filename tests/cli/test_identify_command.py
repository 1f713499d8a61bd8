"""`armdyn identify`."""

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import armdyn as ad
from command_line import Armdyn, assert_refused

LOGS = Path(__file__).parents[2] / "examples" / "logs"
RUN, CHECK, HELD = (
    str(LOGS / name) for name in ("planar3_run.csv", "planar3_check.csv", "planar3_held.parquet")
)


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_a_robot_is_identified_and_written(armdyn: Armdyn) -> None:
    """Links 10 % and 25 % heavier and 10 % lighter than the file says, friction that it does not know."""
    files = ("--out", "found.toml", "--report", "found.html", "--plot", "found.png")
    said = armdyn(
        "identify", "planar3", RUN, "--validate", CHECK, "--payload-log", HELD, *files, "--json"
    ).document
    assert said["robot"] == "planar3"
    assert said["files"] == ["found.toml", "found.png", "found.html"]
    found = {each["name"].split(" ")[0]: each for each in said["base_parameters"]}
    assert len(found) == 20
    for name, truth in {"joint1.coulomb": 30.0, "joint2.viscous": 20.0, "motor3.I": 0.01}.items():
        assert abs(found[name]["value"] - truth) < 4 * found[name]["standard_error"]
    assert found["link3.mcx"]["essential"]
    assert len(said["residual_rms"]) == len(said["validation_rms"]) == 3
    assert {"name", "value", "standard_error", "unit"} <= said["parameters"][0].keys()
    assert 1 < said["condition_number"] < 20
    assert abs(said["payload"]["mass"] - 12.0) < 0.2
    assert any("of the payload the data do not tell mcz" in each for each in said["warnings"])
    robot = ad.load("found.toml")
    assert len(robot.estimates) == 30
    assert abs(robot.payloads[0].inertia.mass - 12.0) < 0.2
    assert "measured" in Path("found.html").read_text(encoding="utf-8")
    assert Path("found.png").stat().st_size > 10_000


def test_people_read_it(armdyn: Armdyn) -> None:
    said = armdyn(
        "identify", "planar3", RUN, "--method", "reweighted", "--among", "m,mcx,Izz,I,viscous,coulomb"
    )
    assert (said.code, said.err) == (0, "")
    for part in (
        "planar3: 14 base parameters by reweighted least squares",
        "base parameters",
        "link1.mcx + link1.m + link2.m + link3.m",
        "torques, measured less predicted",
        "note: low-pass with a cutoff of",
    ):
        assert part in said.out


def test_a_payload_alone(armdyn: Armdyn) -> None:
    armdyn("identify", "planar3", RUN, "--out", "arm.toml")
    said = armdyn("identify", "arm.toml", "--payload-log", HELD, "--out", "held.toml", "--json").document
    assert abs(said["payload"]["mass"] - 12.0) < 0.2
    assert len(ad.load("held.toml").payloads) == 1
    assert "payload on link3" in armdyn("identify", "arm.toml", "--payload-log", HELD).out


def _changed(change: Callable[[str], str]) -> str:
    """A copy of a log, its text changed."""
    text = Path(RUN).read_text(encoding="utf-8")
    Path("bad.csv").write_text(change(text), encoding="utf-8")
    return "bad.csv"


def test_bad_logs_are_one_sentence_each(armdyn: Armdyn) -> None:
    lines = Path(RUN).read_text(encoding="utf-8").splitlines()
    for text, sentence in (
        ("\n".join(line.rpartition(",")[0] for line in lines), 'no column "tau3"'),
        (Path(RUN).read_text().replace("q1[deg]", "q1[kg]"), '"kg" is no known unit of an angle'),
        ("\n".join([*lines[:50], lines[50].replace(lines[50].split(",")[4], "nan"), *lines[51:]]), "line 51"),
        ("\n".join([lines[0], *reversed(lines[1:])]), "time goes from"),
        ("\n".join(lines[:12]), "expected 20 or more"),
        ("", "the file is empty"),
        ("\n".join([lines[0], *(f"{line.rpartition(',')[0]},5" for line in lines[1:])]), "tau3"),
    ):
        assert_refused(armdyn("identify", "planar3", _changed(lambda _, text=text: text)), sentence)


def test_bad_options_are_one_sentence_each(armdyn: Armdyn) -> None:
    for arguments, sentence in (
        ((), "no LOG, expected"),
        (("missing.csv",), "missing.csv: no such file"),
        ((RUN, "--out", "found.json"), 'ends in ".json", expected .toml or .urdf'),
        ((RUN, "--out", "nowhere/found.toml"), 'there is no folder "nowhere"'),
        ((RUN, "--report", "found.pdf"), "expected .html"),
        ((RUN, "--damping", "0.1"), 'damping is for the method "damped"'),
        ((RUN, "--prior", "0"), "expected the share that it may be off by"),
        ((RUN, "--cutoff", "-1"), "cutoff is -1 Hz"),
        ((RUN, "--among", "mass"), 'no parameter "mass"'),
        (("--payload-log", HELD, "--prior", "0.3"), "--prior is for a robot"),
        (("--payload-log", HELD, "--report", "x.html"), "without LOG there are none"),
        (("--payload-log", HELD, "--validate", RUN), "--validate is for a robot"),
    ):
        assert_refused(armdyn("identify", "planar3", *arguments), sentence)
    assert_refused(armdyn("identify", "ur5", RUN), 'no column "q4"')


def test_what_cannot_be_written_is_said(armdyn: Armdyn) -> None:
    Path("found.toml").mkdir()
    assert_refused(armdyn("identify", "planar3", RUN, "--out", "found.toml"), "Is a directory")


def test_degrees_and_arrays_agree(armdyn: Armdyn) -> None:
    """The same log in radians, uneven time in milliseconds, as Parquet: the same parameters."""
    from armdyn.formats.motion_tables import write_columns

    table = np.genfromtxt(RUN, delimiter=",", names=True, deletechars="")
    columns = {"time[ms]": 1e3 * table["time"]}
    columns |= {f"q{k}": np.radians(table[f"q{k}[deg]"]) for k in (1, 2, 3)}
    columns |= {f"tau{k}": table[f"tau{k}"] for k in (1, 2, 3)}
    write_columns(Path("same.parquet"), columns)
    one, other = (armdyn("identify", "planar3", log, "--json").out for log in (RUN, "same.parquet"))
    values = [[each["value"] for each in json.loads(text)["base_parameters"]] for text in (one, other)]
    assert np.allclose(*values, rtol=1e-6, atol=1e-6)

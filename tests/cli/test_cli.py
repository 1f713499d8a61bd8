"""The command line: one JSON document or tables, one sentence on bad input, and never a traceback."""

import math
import os
import re
import subprocess
import sys
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from armdyn.cli import main as entry
from armdyn.dynamics import Dynamics
from armdyn.formats import catalog, load
from command_line import BAD_INPUT, Armdyn, assert_refused, process

ROUNDING = 1e-12
"""Relative to the largest number: the same sums in another order."""

FAULT = 70
INTERRUPTED = 130

STATE = "0.3,-0.4,0.5,0.6,0.7,0.8"
RATES = "0.5,-0.3,0.4,0.9,-0.7,1.5"
GAINS = "1,-0.8,0.6,1.2,-1,2"

STATE_KEYS = {
    "mass_matrix",
    "coriolis_matrix",
    "gravity",
    "bias",
    "kinetic_energy",
    "potential_energy",
    "pose",
    "motors",
    "friction",
}
TERMS = {"inertia", "velocity", "gravity", "friction", "contact"}


def row(text: str) -> list[float]:
    return [float(x) for x in text.split(",")]


# Good input -----------------------------------------------------------------------------------


def test_robots_lists_the_catalog(armdyn: Armdyn) -> None:
    listed = armdyn("robots", "--json").document["robots"]
    assert [robot["name"] for robot in listed] == list(catalog())
    for robot in listed:
        assert {"name", "joints", "source"} <= set(robot)
        assert robot["joints"] == load(robot["name"]).n


@pytest.mark.parametrize("name", catalog())
def test_show_gives_the_model(armdyn: Armdyn, name: str) -> None:
    document, robot = armdyn("show", name, "--json").document, load(name)
    assert {"name", "joints", "bodies", "drives", "total_mass", "motors", "notes"} <= set(document)
    assert [joint["name"] for joint in document["joints"]] == list(robot.joint_names)
    assert [body["name"] for body in document["bodies"]] == list(robot.body_names)
    assert [drive["name"] for drive in document["drives"]] == [drive.name for drive in robot.drives]
    assert document["total_mass"] == pytest.approx(robot.total_mass)
    assert document["motors"] == Dynamics(robot).motors


def test_show_tells_what_was_accepted_and_changed(armdyn: Armdyn) -> None:
    document = armdyn("show", "lola15", "--json", "--payload", "5,0,0,0.1", "--lock", "1=0.2").document
    assert any('body "link1": unphysical inertia accepted' in note for note in document["notes"])
    assert [joint["number"] for joint in document["joints"]] == [1, 2, 3, 4, 5]
    assert document["total_mass"] == pytest.approx(load("lola15").total_mass + 5)


def test_dynamics_at_home_has_what_every_state_has(armdyn: Armdyn) -> None:
    document = armdyn("dynamics", "ur5", "--json").document
    assert set(document) >= STATE_KEYS
    assert set(document) & {"torque", "terms", "reactions", "acceleration", "motor"} == set()
    assert (document["motors"], document["friction"]) == ("none", "off")
    assert document["q"] == list(load("ur5").home)
    assert document["pose"][3] == [0, 0, 0, 1]


def test_dynamics_gives_what_the_library_gives(armdyn: Armdyn) -> None:
    said = armdyn("dynamics", "lola15", "--q", STATE, "--qd", RATES, "--qdd", GAINS, "--json")
    document, dyn = said.document, Dynamics(load("lola15"))
    q, qd, qdd = row(STATE), row(RATES), row(GAINS)
    expected = {
        "mass_matrix": dyn.mass_matrix(q),
        "coriolis_matrix": dyn.coriolis_matrix(q, qd),
        "gravity": dyn.gravity(q),
        "bias": dyn.bias(q, qd),
        "kinetic_energy": dyn.kinetic_energy(q, qd),
        "potential_energy": dyn.potential_energy(q),
        "pose": dyn.pose(q),
        "torque": dyn.inverse(q, qd, qdd),
    }
    for name, values in expected.items():
        error = np.abs(np.array(document[name]) - values).max()
        assert error <= ROUNDING * np.abs(values).max(), name


def test_torque_is_the_sum_of_its_terms(armdyn: Armdyn) -> None:
    document = armdyn(
        *("dynamics", "lola15", "--q", STATE, "--qd", RATES, "--qdd", GAINS, "--json"),
        *("--wrench", "100,100,-150,1,2,3", "--at", "0.1,0.2,0.3"),
    ).document
    assert set(document["terms"]) == TERMS
    assert np.sum(list(document["terms"].values()), axis=0) == pytest.approx(document["torque"], rel=ROUNDING)
    assert [set(r) for r in document["reactions"]] == [{"body", "force", "moment"}] * 6
    assert set(document["motor"]) >= {"torque", "velocity", "position"}
    power = np.dot(document["motor"]["torque"], document["motor"]["velocity"])
    assert power == pytest.approx(np.dot(document["torque"], row(RATES)))


def test_torques_give_the_accelerations_back(armdyn: Armdyn) -> None:
    state = ("dynamics", "lola15", "--q", STATE, "--qd", RATES, "--json", "--wrench", "10,0,0,0,0,0")
    torque = armdyn(*state, "--qdd", GAINS).document["torque"]
    document = armdyn(*state, "--tau", ",".join(map(repr, torque))).document
    assert document["acceleration"] == pytest.approx(row(GAINS), rel=1e-9)
    assert "torque" not in document


def test_degrees_are_for_angles_alone(armdyn: Armdyn) -> None:
    """The second joint of jpl_rrp turns, the third slides."""
    state = ("dynamics", "jpl_rrp", "--json", "--q")
    radians = armdyn(*state, f"{math.pi / 6!r},{math.pi / 4!r},0.5,0,0,0", "--qd", "1,0,2,0,0,0").document
    degrees = armdyn(
        *state, "30,45,0.5,0,0,0", "--qd", f"{math.degrees(1)!r},0,2,0,0,0", "--degrees"
    ).document
    assert load("jpl_rrp").joints[2].kind == "prismatic"
    for name in ("q", "qd", "bias", "gravity"):
        assert degrees[name] == pytest.approx(radians[name], rel=1e-9, abs=1e-9)


def test_options_change_the_robot_as_the_library_does(armdyn: Armdyn) -> None:
    options = (
        "--payload",
        "5,0,0,0.1,0.1,0.1,0.1,0,0,0",
        "--gravity",
        "0,0,9.81",
        "--lock",
        "joint2=0.3,5=-0.4",
    )
    document = armdyn(
        "dynamics", "lola15", "--json", *options, "--motors", "none", "--q", "0.1,0.2,0.3,0.4"
    ).document
    arm = load("lola15").with_payload(5, (0, 0, 0.1), (0.1, 0.1, 0.1, 0, 0, 0)).with_gravity((0, 0, 9.81))
    dyn = Dynamics(arm.locked({2: 0.3, 5: -0.4}), "none")
    assert document["gravity"] == pytest.approx(
        dyn.gravity([0.1, 0.2, 0.3, 0.4]).tolist(), rel=1e-9, abs=1e-9
    )
    assert (document["motors"], document["friction"]) == ("none", "off")


def test_locks_are_in_degrees_where_positions_are(armdyn: Armdyn) -> None:
    common = ("dynamics", "planar2", "--json", "--q")
    degrees = armdyn(*common, "30", "--lock", "2=90", "--degrees").document
    radians = armdyn(*common, repr(math.pi / 6), "--lock", f"2={math.pi / 2!r}").document
    assert np.array(degrees["pose"]) == pytest.approx(np.array(radians["pose"]))


@pytest.mark.parametrize(("switch", "moves"), [("on", True), ("off", False)])
def test_friction_is_switched(armdyn: Armdyn, switch: str, moves: bool) -> None:
    document = armdyn(
        *("dynamics", "lola15", "--json", "--qd", RATES, "--qdd", GAINS, "--friction", switch)
    ).document
    assert (document["friction"], any(document["terms"]["friction"])) == (switch, moves)


def test_a_wrench_acts_at_the_tool_unless_said(armdyn: Armdyn) -> None:
    base = ("dynamics", "lola15", "--json", "--q", STATE, "--qdd", GAINS, "--wrench", "100,0,0,0,0,0")
    tool = ",".join(str(x) for x in load("lola15").tool.placement.translation)
    contact = [
        armdyn(*base, *at).document["terms"]["contact"] for at in ((), ("--at", tool), ("--at", "0,0,0"))
    ]
    assert contact[0] == pytest.approx(contact[1])
    assert contact[0] != pytest.approx(contact[2])
    expected = Dynamics(load("lola15")).jacobian(row(STATE)).T @ [100, 0, 0, 0, 0, 0]
    assert contact[0] == pytest.approx(expected.tolist(), rel=1e-9, abs=1e-9)


def test_what_lies_outside_limits_is_noted(armdyn: Armdyn) -> None:
    command = ("dynamics", "lola15", "--json", "--qd", "9,0,0,0,0,0", "--qdd", "0,99,0,0,0,0")
    notes = armdyn(*command).document["notes"]
    assert notes[0] == 'joint 1 ("joint1"): velocity 9 rad/s is above 3.05'
    assert any(note.startswith('motor 1 ("motor1"): speed 1080 rad/s is above 329.8') for note in notes)
    beyond = "N m, at its speed it can give -38.6 to 38.6"
    assert any(note.startswith('motor 2 ("motor2"): torque ') and note.endswith(beyond) for note in notes)


def test_a_joint_torque_above_its_limit_is_noted(armdyn: Armdyn) -> None:
    notes = armdyn("dynamics", "ur5", "--json", "--qdd", "999,0,0,0,0,0").document["notes"]
    assert any(": torque " in note and note.endswith("150") for note in notes)


def test_friction_that_is_left_out_is_noted(armdyn: Armdyn) -> None:
    off, on = (
        armdyn("dynamics", "panda", "--json", "--friction", f).document["notes"] for f in ("off", "on")
    )
    assert any("--friction on" in note for note in off)
    assert not any("--friction on" in note for note in on)


def test_a_file_is_as_good_as_a_name(armdyn: Armdyn, tmp_path: Path) -> None:
    path = tmp_path / "arm.toml"
    path.write_text('name = "mine"\n[[bodies]]\nname = "link"\ninertia = { mass = 1, com = ["1 m", 0, 0] }\n')
    document = armdyn("dynamics", str(path), "--json", "--gravity", "0,-10,0").document
    assert (document["robot"], document["gravity"]) == ("mine", [10.0])


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("robots",), ["lola15", "joints", "Kvrgic2020"]),
        (("show", "lola15"), ["6 joints", "link1", "motor1", "note: "]),
        (
            ("dynamics", "lola15", "--qdd", GAINS),
            ["mass matrix", "torques", "friction", "motors", "forces on each"],
        ),
        (("dynamics", "ur5", "--tau", GAINS), ["acceleration", "T_base_tool", "kinetic energy"]),
    ],
    ids=lambda x: " ".join(x[:2]) if isinstance(x, tuple) else "",
)
def test_people_get_tables(armdyn: Armdyn, arguments: tuple[str, ...], words: list[str]) -> None:
    said = armdyn(*arguments)
    assert (said.code, said.err) == (0, "")
    for word in words:
        assert word in said.out


@pytest.mark.numpy
@pytest.mark.parametrize("name", catalog())
def test_every_catalog_robot_evaluates_and_prints(armdyn: Armdyn, name: str) -> None:
    n = load(name).n
    ones = ",".join(["0.1"] * n)
    document = armdyn("dynamics", name, "--qd", ones, "--qdd", ones, "--json").document
    assert len(document["torque"]) == n
    assert armdyn("show", name).code == 0


@pytest.mark.parametrize("option", ["-h", "--help"])
@pytest.mark.parametrize("command", [(), ("robots",), ("show",), ("dynamics",), ("verify",), ("demo",)])
def test_help_helps(armdyn: Armdyn, command: tuple[str, ...], option: str) -> None:
    said = armdyn(*command, option)
    assert (said.code, said.err) == (0, "")
    assert said.out.startswith("Usage: ")
    assert "--help" in said.out


def test_without_a_command_the_help_can_be_read(armdyn: Armdyn) -> None:
    said = armdyn()
    text = said.out + said.err
    assert "Usage: " in text
    assert text.count("\n") > 5
    assert "dynamics" in text


def test_the_version_is_printed() -> None:
    said = process("--version")
    assert (said.code, said.err) == (0, "")
    try:
        assert metadata.version("armdyn") in said.out
    except metadata.PackageNotFoundError:  # run from a checkout
        assert said.out.strip()
    assert said.out.count("\n") == 1


# Bad input ------------------------------------------------------------------------------------

BILLION_LAUGHS = """<?xml version="1.0"?>
<!DOCTYPE robot [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;">]>
<robot name="&c;"><link name="a"/></robot>
"""
FOREIGN_FILE = """<?xml version="1.0"?>
<!DOCTYPE robot [<!ENTITY secret SYSTEM "file:///etc/passwd">]>
<robot name="&secret;"><link name="a"/></robot>
"""
FILES = {
    "broken.toml": 'name = "a\n',
    "typo.toml": 'name = "a"\n[[bodies]]\nname = "b"\nparnt = "base"\n',
    "binary.toml": "\x00\x01\x02",
    "heavy.toml": 'name = "a"\n[[bodies]]\nname = "b"\ninertia = { mass = -1 }\n',
    "lines.toml": 'name = "a"\n[[bodies]]\nname = "two\\nlines"\ninertia = { mass = -1 }\n',
    "broken.urdf": "<robot><link",
    "laughs.urdf": BILLION_LAUGHS,
    "foreign.urdf": FOREIGN_FILE,
    "arm.json": "{}",
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with files that are no robots."""
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "folder.toml").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


REFUSED = [
    # vectors
    ("dynamics ur5 --q 1,2", '--q has 2 values; robot "ur5" has 6 joints, expected 6'),
    ("dynamics pendulum --q 1,2", '--q has 2 values; robot "pendulum" has 1 joint, expected 1'),
    ("dynamics pendulum --qd nan", "--qd: nan is not a finite number"),
    ("dynamics pendulum --qdd inf", "--qdd: inf is not a finite number"),
    ("dynamics pendulum --tau 1e999", "--tau: 1e999 is not a finite number"),
    ("dynamics pendulum --q one", '--q: "one" is not a number, expected comma-separated numbers'),
    ("dynamics planar2 --q 1,", '--q: "" is not a number, expected comma-separated numbers'),
    ("dynamics planar2 --q=", '--q: "" is not a number, expected comma-separated numbers'),
    ("dynamics pendulum --wrench 1,2,3", "--wrench has 3 values, expected 6"),
    ("dynamics pendulum --wrench 1,2,3,4,5,6 --at 1,2", "--at has 2 values, expected 3"),
    ("dynamics pendulum --gravity 9.81", "--gravity has 1 value, expected 3"),
    ("dynamics pendulum --payload 1", "--payload has 1 value, expected 4 or 10"),
    (
        "dynamics pendulum --payload -1,0,0,0",
        ": inertia is not physical, mass -1 kg is negative",
    ),
    ("dynamics pendulum --payload 1,0,0,0,1,1,3,0,0,0", "inertia is not physical, Ixx + Iyy < Izz"),
    # locks
    ("dynamics planar2 --lock 1", '--lock: "1" says no value, expected joint=value'),
    (
        "dynamics planar2 --lock 3=0",
        'no joint 3 in robot "planar2"; expected 1 to 2 or one of joint1, joint2',
    ),
    ("dynamics planar2 --lock jiont1=0", 'did you mean "joint1"?'),
    ("dynamics planar2 --lock 1=x", '--lock: "x" is not a number'),
    ("dynamics planar2 --lock 1=nan", "--lock: nan is not a finite number"),
    ("dynamics planar2 --lock 1=0,2=0", "all 2 joints would be locked, expected one free at least"),
    ("dynamics planar2 --lock 1=0,1=1", "--lock"),
    # choices
    (
        "dynamics pendulum --qdd 1 --tau 1",
        "--qdd and --tau are both given, expected one: accelerations give torques, torques accelerations",
    ),
    (
        "dynamics ur5 --motors exact",
        'motors "exact" for robot "ur5": no drive gives an inertia; "none" is the best its data support',
    ),
    ("show ur5 --motors coupled", 'motors "coupled" for robot "ur5": no drive gives an inertia'),
    ("dynamics ur5 --motors exakt", "'exakt' is not one of 'exact', 'augmented', 'coupled'"),
    ("dynamics ur5 --friction maybe", "'maybe' is not one of 'on', 'off'"),
    ("dynamics ur5 --at 1,2,3", "--at"),
    # robots and files
    ("dynamics lola51", 'no robot "lola51"; did you mean "lola15"? `armdyn robots` lists all'),
    ("show nothing", 'no robot "nothing"; `armdyn robots` lists all'),
    ("show missing.toml", "missing.toml: no such file"),
    ("show missing.urdf", "missing.urdf: no such file"),
    ("show folder.toml", "folder.toml: cannot be read, Is a directory"),
    ("show arm.json", 'arm.json: unknown kind of robot file ".json", expected .toml or .urdf'),
    ("show broken.toml", "broken.toml: not valid TOML, "),
    ("show binary.toml", "binary.toml: not valid TOML, "),
    ("show typo.toml", 'typo.toml, line 4: bodies[1].parnt: unknown field; did you mean "parent"?'),
    ("show heavy.toml", 'body "b" (heavy.toml, line 4): inertia is not physical, mass -1 kg is negative'),
    ("show lines.toml", 'body "two lines" (lines.toml, line 4): inertia is not physical'),
    ("show broken.urdf", "broken.urdf"),
    ("show laughs.urdf", "laughs.urdf"),
    ("show foreign.urdf", "foreign.urdf"),
    # the command itself
    ("dynamics", "Missing argument 'ROBOT'"),
    ("dynamics pendulum --colour red", "No such option: --colour"),
    ("dynamics pendulum --q", "Option '--q' requires an argument"),
    ("dynamics pendulum extra", "unexpected extra argument"),
    ("robots --motors none", "No such option: --motors"),
    ("robot", "No such command 'robot'"),
    ("--colour", "No such option: --colour"),
]


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(("command", "sentence"), REFUSED, ids=[command for command, _ in REFUSED])
@pytest.mark.parametrize("json", [(), ("--json",)], ids=["table", "json"])
def test_bad_input_gives_one_sentence(
    armdyn: Armdyn, command: str, sentence: str, json: tuple[str, ...]
) -> None:
    words = command.split()
    at = 1 if len(words) > 1 else len(words)
    assert_refused(armdyn(*words[:at], *(json if words[0].isalpha() else ()), *words[at:]), sentence)


@pytest.mark.parametrize(
    "command", ["dynamics ur5 --q 1,2", "show broken.toml", "show foreign.urdf", "dynamics lola51 --json"]
)
def test_bad_input_gives_one_sentence_in_a_process(folder: Path, command: str) -> None:
    source = str(Path(entry.__file__).parents[2])
    said = process(*command.split(), cwd=folder, env={**os.environ, "PYTHONPATH": source})
    assert_refused(said, dict(REFUSED)[command.removesuffix(" --json")])


@pytest.mark.usefixtures("folder")
def test_a_foreign_file_is_not_read(armdyn: Armdyn) -> None:
    assert "root:" not in armdyn("show", "foreign.urdf").err


def test_an_unphysical_file_is_accepted_with_a_reason(armdyn: Armdyn, folder: Path) -> None:
    document = armdyn(
        "show", str(folder / "heavy.toml"), "--accept-unphysical", "as printed", "--json"
    ).document
    assert document["notes"] == [
        'body "b": unphysical inertia accepted, as printed',
        "without a tensor, hence point masses: b",
    ]


# The process ----------------------------------------------------------------------------------


def test_a_process_prints_one_document_and_nothing_else() -> None:
    said = process("dynamics", "lola15", "--qdd", GAINS, "--json")
    assert said.document["robot"] == "lola15"


@pytest.mark.parametrize("command", ["robots --json", "robots", "dynamics pendulum --json", "--help"])
def test_a_reader_that_leaves_early_is_no_error(command: str) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    try:
        run = subprocess.run(
            [sys.executable, "-m", "armdyn", *command.split()],
            stdout=writer,
            stderr=subprocess.PIPE,
            text=True,
            timeout=60,
            check=False,
        )
    finally:
        os.close(writer)
    assert (run.returncode, run.stderr) == (0, "")


@pytest.mark.skipif(sys.platform == "win32", reason="closed by a POSIX shell")
@pytest.mark.parametrize(
    ("command", "code"), [("robots --json", 0), ("robots", 0), ("show nothing", BAD_INPUT)]
)
def test_a_closed_output_is_no_fault(command: str, code: int) -> None:
    """`armdyn ... >&-`: there is nothing to write to from the start."""
    said = process(*command.split(), preexec_fn=lambda: os.close(1))
    assert said.code == code
    assert "Traceback" not in said.err
    assert "fault" not in said.err


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
@pytest.mark.parametrize("command", ["robots --json", "dynamics lola15"])
def test_a_full_disk_gives_one_sentence(command: str) -> None:
    with Path("/dev/full").open("w") as full:
        run = subprocess.run(
            [sys.executable, "-m", "armdyn", *command.split()],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=60,
            check=False,
        )
    assert run.returncode == BAD_INPUT
    assert re.fullmatch(r"armdyn: .*No space left on device\n", run.stderr)


def test_a_terminal_that_knows_no_unicode_is_served() -> None:
    said = process("dynamics", "pendulum", env={**os.environ, "PYTHONIOENCODING": "ascii"})
    assert (said.code, said.err) == (0, "")


# Faults of our own ----------------------------------------------------------------------------


def break_down(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    def broken(*_: Any, **__: Any) -> None:
        raise error

    monkeypatch.setattr("armdyn.cli.options.load", broken)


def test_a_fault_of_our_own_gives_one_sentence(armdyn: Armdyn, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ARMDYN_DEBUG", raising=False)
    break_down(monkeypatch, ZeroDivisionError("division\nby zero"))
    said = armdyn("show", "ur5")
    assert (said.code, said.out) == (FAULT, "")
    assert said.err == (
        "armdyn: a fault in armdyn itself, please report it (ZeroDivisionError: division by zero); "
        "ARMDYN_DEBUG=1 shows where\n"
    )


def test_a_fault_shows_where_when_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARMDYN_DEBUG", "1")
    monkeypatch.setattr(sys, "argv", ["armdyn", "show", "ur5"])
    break_down(monkeypatch, ZeroDivisionError("division by zero"))
    with pytest.raises(ZeroDivisionError):
        entry.main()


def test_an_interruption_ends_quietly(armdyn: Armdyn, monkeypatch: pytest.MonkeyPatch) -> None:
    break_down(monkeypatch, KeyboardInterrupt())
    said = armdyn("show", "ur5", "--json")
    assert (said.code, said.out) == (INTERRUPTED, "")
    assert said.err in ("", "armdyn: interrupted\n")


@pytest.mark.parametrize(
    ("error", "code", "sentence"),
    [
        (
            PermissionError(13, "Permission denied", "arm.toml"),
            BAD_INPUT,
            "armdyn: arm.toml: Permission denied\n",
        ),
        (MemoryError(), FAULT, "armdyn: a fault in armdyn itself, please report it (MemoryError: ); "),
        (
            RecursionError("too deep"),
            FAULT,
            "armdyn: a fault in armdyn itself, please report it (RecursionError",
        ),
    ],
    ids=["system", "memory", "recursion"],
)
def test_what_the_system_does_gives_one_sentence(
    armdyn: Armdyn, monkeypatch: pytest.MonkeyPatch, error: BaseException, code: int, sentence: str
) -> None:
    monkeypatch.delenv("ARMDYN_DEBUG", raising=False)
    break_down(monkeypatch, error)
    said = armdyn("show", "ur5", "--json")
    assert (said.code, said.out) == (code, "")
    assert said.err.startswith(sentence)
    assert said.err.count("\n") == 1


def test_show_takes_what_changes_a_robot(armdyn: Armdyn) -> None:
    command = ("show", "planar2", "--json", "--gravity", "0,-1.62,0", "--lock", "2=90", "--degrees")
    document = armdyn(*command).document
    assert document["gravity"] == [0.0, -1.62, 0.0]
    assert [joint["name"] for joint in document["joints"]] == ["joint1"]
    assert document["bodies"][1]["follows"] == "1.5708"


def test_names_in_files_command_no_terminal(armdyn: Armdyn, tmp_path: Path) -> None:
    file = tmp_path / "arm.toml"
    text = 'name = "arm:smiley:\\u001b[31m"\n[[bodies]]\nname = "b"\ninertia = { mass = 1 }\n'
    file.write_text(text, encoding="utf-8")
    said = armdyn("show", str(file))
    assert "arm:smiley:?[31m" in said.out


def test_numbers_are_never_cut(armdyn: Armdyn, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    said = armdyn("dynamics", "puma560", "--q", ".1,.2,.3,.4,.5,.6")
    assert "2.2338e-05" in said.out
    assert "\u2026" not in said.out

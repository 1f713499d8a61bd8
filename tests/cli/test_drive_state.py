"""`armdyn dynamics` on motors and friction: torques, currents, voltages, effective inertia, what sticks."""

from pathlib import Path

import numpy as np
import pytest

import armdyn as ad
from armdyn.studies.drive_forms import drive_forms
from command_line import BAD_INPUT, Armdyn

ROUNDING = 1e-12
"""Relative: the command prints what the library gives, seventeen digits of it."""

POSTURE = "0.2,0.1,-0.3,0.4,0.1"
Q = [0.2, 0.1, -0.3, 0.4, 0.1]


@pytest.fixture(scope="module")
def irb6() -> ad.Dynamics:
    return ad.Dynamics(ad.load("irb6"))


def test_a_motion_gives_currents_voltages_and_friction(armdyn: Armdyn, irb6: ad.Dynamics) -> None:
    rates, gains = [0.5] * 5, [1.0] * 5
    command = ("dynamics", "irb6", "--q", POSTURE, "--qd", "0.5,0.5,0.5,0.5,0.5", "--qdd", "1,1,1,1,1")
    document = armdyn(*command, "--json").document
    motor, tau = document["motor"], irb6.inverse(Q, rates, gains)
    expected = {
        "torque": irb6.motor_torque(Q, tau),
        "velocity": irb6.motor_velocity(Q, rates),
        "position": irb6.motor_position(Q),
        "acceleration": irb6.motor_acceleration(Q, rates, gains),
        "current": irb6.motor_current(Q, tau),
        "voltage": irb6.motor_voltage(Q, rates, tau),
        "bias": irb6.motor_bias(Q, rates),
        "mass_matrix": irb6.motor_mass_matrix(Q),
    }
    for name, value in expected.items():
        assert np.array(motor[name]) == pytest.approx(value, rel=ROUNDING)
    assert motor["effective_inertia"]["locked"] == pytest.approx(irb6.effective_inertia(Q), rel=ROUNDING)
    free = irb6.effective_inertia(Q, others="free")
    assert motor["effective_inertia"]["free"] == pytest.approx(free, rel=ROUNDING)
    points = document["friction_points"]
    assert [(p["name"], p["side"], p["sticks"]) for p in points] == [
        (f"motor{k}", "motor", None) for k in range(1, 6)
    ]
    assert [p["torque"] for p in points] == pytest.approx(irb6.resistances(Q, rates, gains), rel=ROUNDING)
    text = armdyn(*command).out
    assert all(words in text for words in ("current [A]", "others locked", "takes [N m, N]"))


@pytest.mark.parametrize("option", ["--current", "--motor-torque", "--tau"])
def test_currents_torques_of_motors_and_of_joints_cause_the_same_motion(
    armdyn: Armdyn, irb6: ad.Dynamics, option: str
) -> None:
    current = np.array([0.0, 3.0, -0.5, 0.1, 0.0])
    motor = 0.1 * current  # all its torque constants are 0.1 N m/A
    tau = irb6.torque_of_currents(Q, current)
    given = {"--current": current, "--motor-torque": motor, "--tau": tau}[option]
    words = ",".join(repr(float(x)) for x in given)
    document = armdyn("dynamics", "irb6", "--q", POSTURE, f"{option}={words}", "--json").document
    found = irb6.sticking(Q, [0.0] * 5, tau)
    assert document["acceleration"] == pytest.approx(found.acceleration, rel=1e-9, abs=1e-12)
    assert document["friction_torque"] == pytest.approx(found.friction, rel=1e-9, abs=1e-12)
    assert [point["sticks"] for point in document["friction_points"]] == found.sticks.tolist()
    assert document["motor"]["current"] == pytest.approx(current, rel=1e-9, abs=1e-12)


def test_a_held_arm_stays_put_exactly(armdyn: Armdyn) -> None:
    """[Szkodny1995] sec. 3: the arm rests under these currents, and under a little more."""
    for currents in ("0,3.18,-0.73,0,0", "0.1,3.4,-0.9,0.1,-0.1"):
        document = armdyn(
            *("dynamics", "irb6", "--current", currents, "--q", _resting_posture(), "--json")
        ).document
        assert document["acceleration"] == [0.0] * 5
        assert all(point["sticks"] for point in document["friction_points"])


def _resting_posture() -> str:
    """Where the motors stand at (-130, -66.7, -51, -199, -199) rad."""
    dyn, q = ad.Dynamics(ad.load("irb6")), np.array([0.8, 0.3, 0.0, -1.5, 0.0])
    angles = [-130.0, -66.7, -51.0, -199.0, -199.0]
    for _ in range(30):
        q = q - np.linalg.solve(dyn.gear_matrix(q), dyn.motor_position(q) - angles)
    return ",".join(repr(float(x)) for x in q)


def test_what_the_file_does_not_say_is_null_and_noted(armdyn: Armdyn) -> None:
    motor = armdyn("dynamics", "lola15", "--qdd", "0,0,0,0,0,1", "--json").document["motor"]
    assert (motor["current"], motor["voltage"]) == (None, None)
    assert motor["torque"] is not None
    document = armdyn("dynamics", "parallelogram", "--json").document
    assert "motor" not in document
    assert document["friction_points"] == []


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("irb6", "--current", "1,2"), '--current has 2 values; robot "irb6" has 5 drives, expected 5'),
        (("ur5", "--current", "1"), '--current has 1 value; robot "ur5" has no drives, expected 0'),
        (("irb6", "--motor-torque", "a,0,0,0,0"), '--motor-torque: "a" is not a number'),
        (
            ("irb6", "--tau", "0,0,0,0,0", "--current", "0,0,0,0,0"),
            "--tau and --current are both given, expected one",
        ),
        (
            ("irb6", "--qdd", "0,0,0,0,0", "--motor-torque", "0,0,0,0,0"),
            "--qdd and --motor-torque are both given, expected one",
        ),
        (
            ("lola15", "--current", "1,1,1,1,1,1"),
            'drive "motor1": torque constant is not given, currents need it; '
            "add motor.torque_constant to the robot file",
        ),
    ],
)
def test_bad_input_gets_one_sentence(armdyn: Armdyn, words: tuple[str, ...], sentence: str) -> None:
    run = armdyn("dynamics", *words)
    assert run.code == BAD_INPUT
    assert sentence in run.err
    assert len(run.err.splitlines()) == 1


def test_a_zero_torque_constant_is_refused_where_the_file_says_it(armdyn: Armdyn, tmp_path: Path) -> None:
    file = tmp_path / "zero.toml"
    ad.save(ad.load("irb6"), file)
    text = file.read_text(encoding="utf-8").replace("torque_constant = 0.1", "torque_constant = 0.0", 1)
    file.write_text(text, encoding="utf-8")
    run = armdyn("show", str(file))
    assert run.code == BAD_INPUT
    assert 'drive "motor1", motor: torque_constant is 0, expected a finite number above zero' in run.err
    assert len(run.err.splitlines()) == 1


def test_the_documents_drive_equations_stand_beside_ours(armdyn: Armdyn) -> None:
    """[Kvrgic2020] (D.3) gives motor 5 too much by u6/k5 = 34.05/219.43 N m under the document's force."""
    command = (
        *("dynamics", "lola15", "--motors", "all", "--friction", "off", "--q", "0.3,-0.4,0.5,0.6,0.7,0.8"),
        *("--qd", "0.5,-0.3,0.4,0.9,-0.7,1.5", "--qdd", "1,-0.8,0.6,1.2,-1,2"),
        *("--wrench", "100,100,-150,0,0,0"),
    )
    forms = armdyn(*command, "--json").document["drive_forms"]
    by_name = {form["form"]: form for form in forms["forms"]}
    assert by_name["Kvrgic2020 (D.3)"]["difference"]["torque"][4] == pytest.approx(0.15518, abs=5e-6)
    assert by_name["Szkodny1995 (13)"]["power"] == pytest.approx(forms["power"], rel=1e-12)
    assert "Kvrgic2020 (D.3)" in armdyn(*command).out


MOVING = (
    *("dynamics", "lola15", "--q", "0.3,-0.4,0.5,0.6,0.7,0.8", "--qd", "0.5,-0.3,0.4,0.9,-0.7,1.5"),
    *("--qdd", "1,-0.8,0.6,1.2,-1,2"),
)
MOTION = ([0.3, -0.4, 0.5, 0.6, 0.7, 0.8], [0.5, -0.3, 0.4, 0.9, -0.7, 1.5], [1, -0.8, 0.6, 1.2, -1, 2])
FORCE, POINT = [100.0, 100.0, -150.0, 0.0, 5.0, 0.0], [0.0, 0.1, 0.05]


def test_what_the_tool_exerts_reaches_motors_and_friction(armdyn: Armdyn) -> None:
    """lola15's joints rub the more, the more they carry."""
    pressing = ("--wrench", "100,100,-150,0,5,0", "--at", "0,0.1,0.05")
    free, pressed = (armdyn(*MOVING, *words, "--json").document for words in ((), pressing))
    lola = ad.Dynamics(ad.load("lola15"))
    bias = lola.motor_bias(*MOTION[:2], FORCE, at=POINT)
    taken = lola.resistances(*MOTION, FORCE, at=POINT)
    assert pressed["motor"]["bias"] == pytest.approx(bias, rel=ROUNDING)
    assert [point["torque"] for point in pressed["friction_points"]] == pytest.approx(taken, rel=ROUNDING)
    for document, other in ((free, bias), (free, lola.motor_bias(*MOTION[:2], FORCE))):
        assert np.abs(np.array(document["motor"]["bias"]) - other).max() > 0.1
    assert np.abs([point["torque"] for point in free["friction_points"]] - taken).max() > 0.1


def test_a_negative_torque_beyond_its_limit_is_noted(armdyn: Armdyn) -> None:
    """Beside the limit of its own sign, in the table too."""
    command = ("dynamics", "lola15", "--qdd=0,-99,0,0,0,0")
    document = armdyn(*command, "--json").document
    torque = document["motor"]["torque"][1]
    assert torque < -38.6
    noted = f'motor 2 ("motor2"): torque {torque:g} N m'
    assert [note.startswith(noted) for note in document["notes"]] == [True, False]
    rows = (line.split() for line in armdyn(*command).out.splitlines())
    (row,) = (row for row in rows if row[:1] == ["motor2"] and "-38.6" in row)
    assert [float(x) for x in row[1:4]] == pytest.approx([torque, -38.6, 100 * torque / -38.6], rel=1e-4)


@pytest.mark.parametrize("friction", ["on", "off"])
def test_the_documents_drive_equations_rub_if_friction_is_on(armdyn: Armdyn, friction: str) -> None:
    document = armdyn(*MOVING, "--motors", "all", "--friction", friction, "--json").document
    given, other = (
        drive_forms(ad.load("lola15"), *MOTION, friction=on).document()
        for on in (friction == "on", friction != "on")
    )
    for ours, expected, wrong in zip(
        document["drive_forms"]["forms"], given["forms"], other["forms"], strict=True
    ):
        assert ours["torque"] == pytest.approx(expected["torque"], rel=ROUNDING)
        assert np.abs(np.array(ours["torque"]) - wrong["torque"]).max() > 0.1

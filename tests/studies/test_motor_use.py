"""What a motion asks of the motors: by hand for one joint, by laws for arms, and bad input."""

import json
import math
from dataclasses import fields, replace
from typing import Any

import numpy as np
import pytest

import armdyn as ad
from armdyn.dynamics import Dynamics
from armdyn.errors import InputError, MissingDataError, RobotError, ShapeError
from armdyn.mechanics.motor_limits import torque_limits
from armdyn.robot import Body, Coupling, Drive, Joint, Motor, Robot, Rotor, ScrewTriangle
from armdyn.spatial import Inertia
from armdyn.spatial.vector import diagonal
from armdyn.studies.motor_use import MotorUse, motor_use, share_text
from armdyn.studies.motor_use_figure import LABELS, draw_motor_use, summary
from armdyn.studies.motor_use_limits import exceeded_limits

ROUNDING = 1e-12
"""Relative: one joint's dynamics and sums over the samples."""
SAMPLED = 1e-4
"""Relative: straight lines between 401 samples of a smooth motion, whose error falls as their square."""

LINK, GEAR, ROTOR = 2.0, 50.0, 1e-3
"""[kg m2] about the joint's axis, the motor's turns for one of the joint, [kg m2] about the rotor's axis"""
FELT = LINK / GEAR**2 + ROTOR
"""[kg m2] at the motor's shaft"""
MOTOR = Motor(
    torque_constant=0.1,
    back_emf=0.09,
    resistance=0.6,
    peak_torque=2.0,
    rated_torque=0.5,
    maximum_speed=300.0,
    maximum_current=15.0,
    maximum_voltage=45.0,
)

Motion = tuple[Any, Any, Any, Any]


def turntable(motor: Motor = MOTOR, coupling: Coupling | None = None) -> Robot:
    """A link that turns about the vertical: neither gravity nor velocity terms."""
    link = Body("link", Joint("j1"), inertia=Inertia(1.0, tensor=diagonal(LINK, LINK, LINK)))
    drive = Drive("m1", "j1", coupling or Coupling.of({"j1": GEAR}), Rotor(ROTOR), motor=motor)
    return Robot("turntable", (link,), (drive,))


def speeding_up(acceleration: float, duration: float = 2.0) -> Motion:
    t = np.linspace(0.0, duration, 11)[:, None]
    return t[:, 0], 0.5 * acceleration * t**2, acceleration * t, np.full_like(t, acceleration)


def smooth(start: Any, end: Any, duration: float, samples: int = 401) -> Motion:
    """From rest to rest by a polynomial of fifth degree."""
    t = np.linspace(0.0, duration, samples)
    s, way = t / duration, np.subtract(end, start)
    q = np.outer(10 * s**3 - 15 * s**4 + 6 * s**5, way) + start
    qd = np.outer(30 * s**2 - 60 * s**3 + 30 * s**4, way) / duration
    qdd = np.outer(60 * s - 180 * s**2 + 120 * s**3, way) / duration**2
    return t, q, qd, qdd


def lola15_motion(duration: float) -> Motion:
    return smooth([-0.8, -0.3, -0.2, -0.5, -0.4, -1.0], [0.8, 0.5, 0.4, 0.6, 0.5, 1.2], duration)


def irb6_motion(duration: float) -> Motion:
    return smooth([-0.8, -0.3, -0.1, -0.5, -1.0], [0.8, 0.3, 0.2, 0.6, 1.2], duration)


@pytest.fixture(scope="module")
def irb6() -> MotorUse:
    return motor_use(Dynamics(ad.load("irb6")), *irb6_motion(2.0))


# One joint by hand ----------------------------------------------------------------------------


def test_a_turntable_that_speeds_up() -> None:
    """2 rad/s2 for 2 s: at the motor 100 rad/s2 and at last 200 rad/s."""
    use = motor_use(Dynamics(turntable()), *speeding_up(2.0))
    (load,) = use.motors
    torque, fastest = FELT * GEAR * 2.0, GEAR * 4.0
    current = torque / 0.1
    voltage = 0.6 * current + 0.09 * fastest
    np.testing.assert_allclose(use.torque, np.full((11, 1), torque), rtol=ROUNDING)
    assert (load.peak_torque, load.rms_torque) == pytest.approx((torque, torque), rel=ROUNDING)
    assert load.peak_speed == pytest.approx(fastest, rel=ROUNDING)
    assert load.speed_share == pytest.approx(fastest / 300.0, rel=ROUNDING)
    assert load.rms_share == pytest.approx(torque / 0.5, rel=ROUNDING)
    assert load.peak_current == pytest.approx(current, rel=ROUNDING)
    assert load.peak_voltage == pytest.approx(voltage, rel=ROUNDING)
    assert load.torque_share == pytest.approx(voltage / 45.0, rel=ROUNDING)  # voltage is the tightest limit
    assert load.energy == pytest.approx(0.5 * FELT * fastest**2, rel=ROUNDING)
    assert load.inertia_locked == pytest.approx((FELT, FELT), rel=ROUNDING)
    assert load.inertia_free == pytest.approx((FELT, FELT), rel=ROUNDING)
    assert load.within
    assert use.within


@pytest.mark.parametrize(
    ("limit", "exceeded"),
    [
        ({"peak_torque": 0.17}, "torque_share"),
        ({"maximum_current": 1.7}, "torque_share"),
        ({"maximum_voltage": 19.0}, "torque_share"),
        ({"maximum_speed": 199.0}, "speed_share"),
        ({"rated_torque": 0.17}, "rms_share"),
    ],
)
def test_each_limit_is_seen(limit: dict[str, float], exceeded: str) -> None:
    """0.18 N m, 1.8 A, at last 200 rad/s and 19.08 V."""
    (load,) = motor_use(Dynamics(turntable(replace(MOTOR, **limit))), *speeding_up(2.0)).motors
    shares = {"torque_share", "speed_share", "rms_share"}
    assert {name for name in shares if getattr(load, name) > 1} == {exceeded}
    assert not load.within


def test_a_motion_on_the_very_limit_is_within() -> None:
    edge = Motor(peak_torque=FELT * GEAR * 2.0, maximum_speed=GEAR * 4.0, rated_torque=FELT * GEAR * 2.0)
    (load,) = motor_use(Dynamics(turntable(edge)), *speeding_up(2.0)).motors
    assert (load.torque_share, load.speed_share, load.rms_share) == pytest.approx((1, 1, 1), rel=ROUNDING)
    assert load.within


def test_a_motor_of_which_nothing_is_known() -> None:
    use = motor_use(Dynamics(turntable(Motor())), *speeding_up(2.0))
    (load,) = use.motors
    assert use.current is None
    assert use.voltage is None
    assert np.isneginf(use.lower).all()
    assert np.isposinf(use.upper).all()
    unknown = ("torque_share", "speed_share", "rms_share", "peak_current", "peak_voltage")
    assert {getattr(load, name) for name in unknown} == {None}
    assert load.within


def test_uneven_samples_of_a_straight_line_change_nothing() -> None:
    t, q, qd, qdd = speeding_up(2.0)
    few = [0, 1, 4, 10]
    dyn = Dynamics(turntable())
    every, some = (
        motor_use(dyn, t, q, qd, qdd).motors[0],
        motor_use(dyn, t[few], q[few], qd[few], qdd[few]).motors[0],
    )
    assert some.rms_torque == pytest.approx(every.rms_torque, rel=ROUNDING)
    assert some.energy == pytest.approx(every.energy, rel=ROUNDING)


@pytest.mark.parametrize(
    ("limit", "expected"),
    [
        ({"peak_torque": 0.17}, ("torque", 0.0, FELT * 100, (-0.17, 0.17), FELT * 100 / 0.17)),
        ({"maximum_voltage": 19.0}, ("torque", 2.0, FELT * 100, None, 19.08 / 19)),
        ({"maximum_speed": 150.0}, ("speed", 1.6, 160.0, (-150.0, 150.0), 200 / 150)),
        ({"rated_torque": 0.17}, ("rms_torque", None, FELT * 100, (0.0, 0.17), FELT * 100 / 0.17)),
    ],
)
def test_which_limit_is_exceeded_and_when_first(limit: dict[str, float], expected: Any) -> None:
    """0.18 N m all along; 20 rad/s more with every sample, and 19.08 V with the last."""
    use = motor_use(Dynamics(turntable(replace(MOTOR, **limit))), *speeding_up(2.0))
    (found,) = exceeded_limits(use)
    quantity, time, value, limits, share = expected
    assert (found.motor, found.quantity) == ("m1", quantity)
    assert found.time == (None if time is None else pytest.approx(time, rel=ROUNDING))
    assert found.value == pytest.approx(value, rel=ROUNDING)
    assert limits is None or found.limit == pytest.approx(limits, rel=ROUNDING)
    assert not found.limit[0] <= found.value <= found.limit[1]
    assert found.share == pytest.approx(share, rel=ROUNDING)


def test_a_motor_may_be_too_fast_backwards() -> None:
    """20 rad/s more with every sample, the other way."""
    use = motor_use(Dynamics(turntable(replace(MOTOR, maximum_speed=150.0))), *speeding_up(-2.0))
    (found,) = exceeded_limits(use)
    assert (found.quantity, found.limit) == ("speed", (-150.0, 150.0))
    assert (found.time, found.value, found.share) == pytest.approx((1.6, -160.0, 200 / 150), rel=ROUNDING)
    assert not use.within


def test_rounding_exceeds_no_limit() -> None:
    """Motions on the very limits, of which rounding puts some above and some below."""
    above = 0
    for acceleration in (*np.linspace(0.3, 3.0, 10), *np.linspace(-3.0, -0.3, 10)):
        torque, speed = FELT * GEAR * abs(acceleration), GEAR * abs(acceleration) * 2.0
        edge = Motor(peak_torque=torque, maximum_speed=speed, rated_torque=torque)
        use = motor_use(Dynamics(turntable(edge)), *speeding_up(acceleration))
        (load,) = use.motors
        shares = (load.torque_share, load.speed_share, load.rms_share)
        above += any(share is not None and share > 1 for share in shares)
        assert use.within
        assert exceeded_limits(use) == ()
    assert above > 0


def test_nothing_is_exceeded_within_limits_or_without_any() -> None:
    for motor in (MOTOR, Motor()):
        assert exceeded_limits(motor_use(Dynamics(turntable(motor)), *speeding_up(2.0))) == ()


# Arms -----------------------------------------------------------------------------------------


def test_lola15_knows_torques_and_speeds_but_no_currents() -> None:
    robot = ad.load("lola15")
    dyn = Dynamics(robot)
    t, q, qd, qdd = lola15_motion(1.5)
    use = motor_use(dyn, t, q, qd, qdd)
    assert (use.motor_model, use.friction) == ("coupled", True)
    assert use.current is None
    assert [load.name for load in use.motors] == [drive.name for drive in robot.drives]
    np.testing.assert_array_equal(use.torque, dyn.motor_torque(q, dyn.inverse(q, qd, qdd)))
    np.testing.assert_array_equal(use.position, dyn.motor_position(q))
    for k, (load, drive) in enumerate(zip(use.motors, robot.drives, strict=True)):
        assert drive.motor.peak_torque is not None
        assert load.torque_share == pytest.approx(load.peak_torque / drive.motor.peak_torque, rel=ROUNDING)
        assert load.peak_torque == np.abs(use.torque[:, k]).max()
        assert load.rms_share is None
    assert use.within
    assert not motor_use(dyn, *lola15_motion(0.6)).within


@pytest.mark.parametrize("name", ["lola15", "irb6"])
def test_what_the_shafts_give_is_the_arms_energy(name: str) -> None:
    dyn = Dynamics(ad.load(name), friction=False)
    motion = lola15_motion(1.0) if name == "lola15" else irb6_motion(1.0)
    whole = tuple(x[:251] for x in motion)  # it ends while the arm moves
    _, q, qd, _ = whole
    energy = dyn.kinetic_energy(q, qd) + dyn.potential_energy(q)
    given = sum(load.energy for load in motor_use(dyn, *whole).motors)
    assert given == pytest.approx(float(energy[-1] - energy[0]), rel=SAMPLED)


def test_currents_voltages_and_limits_of_irb6(irb6: MotorUse) -> None:
    for k, drive in enumerate(ad.load("irb6").drives):
        lower, upper = torque_limits(drive.motor, irb6.velocity[:, k])
        np.testing.assert_array_equal(irb6.lower[:, k], lower)
        np.testing.assert_array_equal(irb6.upper[:, k], upper)
        assert irb6.current is not None
        assert irb6.voltage is not None
        assert drive.motor.resistance is not None
        np.testing.assert_allclose(irb6.current[:, k] * 0.1, irb6.torque[:, k], rtol=ROUNDING)
        heat = drive.motor.resistance * irb6.current[:, k] ** 2
        shaft = irb6.torque[:, k] * irb6.velocity[:, k]
        np.testing.assert_allclose(
            irb6.voltage[:, k] * irb6.current[:, k], heat + shaft, rtol=ROUNDING, atol=ROUNDING
        )


def test_others_free_are_felt_less_than_others_locked(irb6: MotorUse) -> None:
    for load in irb6.motors:
        assert load.inertia_free[0] <= load.inertia_locked[0] * (1 + ROUNDING)
        assert load.inertia_free[1] <= load.inertia_locked[1] * (1 + ROUNDING)
        assert 0 < load.inertia_free[0] <= load.inertia_free[1]


def test_motors_with_and_without_constants_side_by_side() -> None:
    robot = ad.load("irb6")
    first, second, *others = robot.drives
    bare = replace(first, motor=replace(first.motor, torque_constant=None))
    half = replace(second, motor=replace(second.motor, resistance=None))
    use = motor_use(Dynamics(replace(robot, drives=(bare, half, *others))), *irb6_motion(2.0))
    assert use.current is not None
    assert use.voltage is not None
    assert np.isnan(use.current).all(axis=0).tolist() == [True, False, False, False, False]
    assert np.isnan(use.voltage).all(axis=0).tolist() == [True, True, False, False, False]
    assert use.motors[0].peak_current is None
    assert use.motors[1].peak_current is not None
    assert use.motors[1].peak_voltage is None


def test_a_wrench_for_all_samples_or_for_each() -> None:
    dyn, motion = Dynamics(ad.load("lola15")), lola15_motion(2.0)
    wrench = np.array([0.0, 0.0, -150.0, 0.0, 0.0, 0.0])
    once, each = motor_use(dyn, *motion, wrench), motor_use(dyn, *motion, np.tile(wrench, (401, 1)))
    np.testing.assert_array_equal(once.torque, each.torque)
    assert np.abs(once.torque - motor_use(dyn, *motion).torque).max() > 0.1
    place: Any = dyn.robot.tool.placement.translation
    np.testing.assert_allclose(motor_use(dyn, *motion, wrench, place).torque, once.torque, rtol=1e-9)
    assert np.abs(once.torque - motor_use(dyn, *motion, wrench, [0.0, 0.0, 0.0]).torque).max() > 0.01


def test_the_document_is_plain_data(irb6: MotorUse) -> None:
    document = irb6.document()
    assert json.loads(json.dumps(document, allow_nan=False)) == document
    assert (document["motors"], document["friction"], document["within"]) == ("exact", "on", irb6.within)
    assert document["torque"] == irb6.torque.tolist()
    assert document["loads"][0]["inertia_free"] == list(irb6.motors[0].inertia_free)
    assert "motor" not in document["loads"][0]
    unknown = motor_use(Dynamics(turntable(Motor())), *speeding_up(2.0)).document()
    assert unknown["current"] is None
    assert unknown["upper"] == [[None]] * 11
    json.dumps(unknown, allow_nan=False)


# Bad input ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"time": [0.0]}, r"^time has shape \(1,\); a motion has two or more samples"),
        ({"time": [0.0, 2.0, 1.0]}, r"^time goes from 2 to 1 s at sample 3, expected increasing instants$"),
        (
            {"q": [[0.0]] * 2},
            r'^q has shape \(2, 1\); time has 3 samples and robot "turntable" 1 joint, expected \(3, 1\)$',
        ),
        ({"qd": [0.0] * 3}, r"^qd has shape \(3,\); time has 3 samples"),
        ({"qdd": [[0.0, 1.0]] * 3}, r"^qdd has shape \(3, 2\); time has 3 samples"),
        ({"q": [[0.0], [math.nan], [0.0]]}, r"^q has nan at \(2, 1\), expected finite numbers$"),
        ({"qd": [["a"]] * 3}, r"^qd is not an array of numbers, expected shape \(3, 1\)$"),
        ({"qdd": [[0.0], [0.0, 1.0], []]}, r"^qdd is not an array of numbers"),
        (
            {"wrench": [0.0] * 5},
            r"^wrench has shape \(5,\); time has 3 samples and a wrench 6 elements, "
            r"expected \(6,\) or \(3, 6\)$",
        ),
    ],
)
def test_a_motion_that_is_none(changed: dict[str, Any], sentence: str) -> None:
    states: Any = {name: [[0.0]] * 3 for name in ("q", "qd", "qdd")}
    motion: Any = {"time": [0.0, 1.0, 2.0], **states, **changed}
    with pytest.raises(InputError, match=sentence):
        motor_use(Dynamics(turntable()), **motion)


def test_a_wrong_shape_is_a_shape_error() -> None:
    with pytest.raises(ShapeError):
        motor_use(Dynamics(turntable()), [0.0, 1.0], [[0.0]], [[0.0]], [[0.0]])


def test_a_robot_without_drives_has_no_motors() -> None:
    zeros = np.zeros((2, 6))
    with pytest.raises(MissingDataError, match=r'^robot "ur5": no drives for 6 joints'):
        motor_use(Dynamics(ad.load("ur5")), [0.0, 1.0], zeros, zeros, zeros)


def test_a_screw_at_its_dead_point_carries_nothing() -> None:
    """The screw's length is stationary where its triangle is flat, here at q = 0."""
    screw = Coupling.of({"j1": 1.0}, 0.0, ScrewTriangle(0.08, 0.05, 0.0, 1000.0))
    sentence = (
        r'^robot "turntable": no finite motor torques at sample 2 \(time 0\.5 s\); '
        r"the gear matrix is singular in that posture, let the motion keep away from it$"
    )
    q, ones = [[-0.1], [0.0], [0.1]], [[1.0]] * 3
    with pytest.raises(InputError, match=sentence):
        motor_use(Dynamics(turntable(coupling=screw)), [0.0, 0.5, 1.0], q, ones, ones)


@pytest.mark.parametrize(
    "changed",
    [{"qd": [[0.0], [1e200], [0.0]]}, {"qdd": [[0.0], [1e308], [0.0]]}],
)
def test_torques_beyond_all_numbers_are_not_blamed_on_the_gears(changed: dict[str, Any]) -> None:
    """An arm whose velocity torques grow with the square, and 1e308 rad/s2 through heavy links."""
    robot = ad.load("planar2")
    states: Any = {name: np.zeros((3, 2)) for name in ("q", "qd", "qdd")}
    states |= {name: np.tile(value, (1, 2)) for name, value in changed.items()}
    states["q"][:, 1] = 1.0
    sentence = (
        r"no finite motor torques at sample 2 \(time 0\.5 s\); the motion, the wrench or the robot's data"
    )
    with pytest.raises(InputError, match=sentence):
        motor_use(Dynamics(robot), [0.0, 0.5, 1.0], **states)


def test_a_place_that_is_none_is_refused() -> None:
    with pytest.raises(InputError, match=r"^at has nan at \(3\), expected finite numbers$"):
        motor_use(Dynamics(turntable()), *speeding_up(2.0), [0.0] * 6, [1.0, 2.0, math.nan])


def use_or_sentence(**changes: Any) -> MotorUse | str:
    try:
        return motor_use(Dynamics(turntable(replace(MOTOR, **changes))), *speeding_up(2.0))
    except (InputError, RobotError) as error:
        return str(error)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("name", [field.name for field in fields(Motor)])
@pytest.mark.parametrize("value", [1e-320, 1e-30, 1e308])
def test_data_of_any_size_give_numbers_or_one_sentence(name: str, value: float, tmp_path: Any) -> None:
    found = use_or_sentence(**{name: value})
    if value < 1e-30:
        assert found == f"motor: {name} is {value:g}, expected 1e-30 or more, or leave it out"
        return
    if isinstance(found, str):
        assert found.startswith('motor "m1": ')
        assert "is not a finite number; the motion or the motor's data are too large or too small" in found
        return
    json.dumps(found.document(), allow_nan=False)
    assert all(math.isfinite(limit.share) for limit in exceeded_limits(found))
    draw_motor_use(found, tmp_path / "use.png")


def test_a_share_is_told_in_per_cent_or_times() -> None:
    assert [share_text(x) for x in (0.426, 1.19, 2000.0, 1e307)] == [
        "43%",
        "119%",
        "2e+03 times",
        "1e+307 times",
    ]


# The figure -----------------------------------------------------------------------------------


@pytest.mark.parametrize("suffix", [".svg", ".png", ".pdf"])
def test_a_figure_depends_on_the_motion_alone(irb6: MotorUse, tmp_path: Any, suffix: str) -> None:
    first, second = tmp_path / f"a{suffix}", tmp_path / f"b{suffix}"
    draw_motor_use(irb6, first)
    draw_motor_use(irb6, second)
    assert first.read_bytes() == second.read_bytes()
    assert len(first.read_bytes()) > 5000


def drawn(use: MotorUse, path: Any) -> set[str]:
    """The entries of the legend; an SVG keeps each text beside its outlines."""
    draw_motor_use(use, path)
    text = path.read_text(encoding="utf-8")
    return {label for label in LABELS if f"<!-- {label} -->" in text}


def test_the_legend_says_what_there_is(irb6: MotorUse, tmp_path: Any) -> None:
    inside, beyond, able, fastest, rated = LABELS
    assert drawn(irb6, tmp_path / "irb6.svg") == {inside, able, fastest, rated}
    fast = motor_use(Dynamics(ad.load("lola15")), *lola15_motion(0.6))
    assert drawn(fast, tmp_path / "lola15.svg") == {inside, beyond, able, fastest}
    unknown = motor_use(Dynamics(turntable(Motor())), *speeding_up(2.0))
    assert drawn(unknown, tmp_path / "unknown.svg") == {inside}


def test_a_motor_at_rest_is_drawn_too(tmp_path: Any) -> None:
    zeros = np.zeros((2, 1))
    draw_motor_use(
        motor_use(Dynamics(turntable(Motor())), [0.0, 1.0], zeros, zeros, zeros), tmp_path / "a.png"
    )
    assert (tmp_path / "a.png").exists()


def test_the_summary_names_what_is_known() -> None:
    (load,) = motor_use(Dynamics(turntable()), *speeding_up(2.0)).motors
    assert summary(load) == "envelope 42%   speed 67%   rms of rated 36%"
    assert summary(replace(load, torque_share=None, rms_share=None)) == "speed 67%"
    nothing = replace(load, torque_share=None, speed_share=None, rms_share=None)
    assert summary(nothing) == "no limit is known"


def test_a_figure_that_cannot_be_written_is_refused(irb6: MotorUse, tmp_path: Any) -> None:
    with pytest.raises(InputError, match=r'use\.gif" ends in "\.gif", expected'):
        draw_motor_use(irb6, tmp_path / "use.gif")

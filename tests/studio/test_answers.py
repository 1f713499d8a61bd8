"""What is answered at once, held against the library."""

from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import armdyn as ad
from armdyn.feasibility.actuators import Actuators
from armdyn.manipulability import acceleration_polytope
from armdyn.program import example_program, problems
from armdyn.studio.poses import quaternions, roll_pitch_yaw
from studio_pages import Failed, Page, RunningStudio

SAME = 1e-12
Q = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]


def test_hello_says_what_there_is(page: Page, folder: Path) -> None:
    said = page.ask("hello")
    assert [robot["name"] for robot in said["robots"]] == list(ad.catalog())
    assert "lola15" in said["examples"]
    assert said["folder"] == str(folder.resolve())
    assert {"path": "panda.lirl", "kind": "program"}.items() <= said["files"][0].items()
    assert [file["path"] for file in said["files"]].count("link.lirl") == 0  # links are not listed
    assert "gravity" in said["studies"]
    assert "mass_matrix" in said["quantities"]


def test_a_robot_has_bodies_joints_and_motors(page: Page) -> None:
    found = page.ask("robot", robot="lola15")
    arm = ad.load("lola15")
    assert [body["name"] for body in found["bodies"]] == list(arm.body_names)
    assert [joint["name"] for joint in found["joints"]] == list(arm.joint_names)
    assert [drive["name"] for drive in found["drives"]] == [drive.name for drive in arm.drives]
    assert all(body["visuals"] for body in found["bodies"])
    assert found["base_visuals"]
    assert found["can_verify"]


@pytest.mark.parametrize("name", ["ur5", "scara", "parallelogram"])
def test_drawn_links_reach_from_joint_to_joint(page: Page, name: str) -> None:
    found = page.ask("robot", robot=name)
    shown = {visual["shape"] for body in found["bodies"] for visual in body["visuals"]}
    assert shown <= {"cylinder", "sphere", "taper", "box", "capsule"}
    for body in found["bodies"]:
        for visual in body["visuals"]:
            assert np.isfinite(visual["matrix"]).all()
            assert min(visual["size"]) > 0
            R = np.reshape(visual["matrix"], (4, 4)).T[:3, :3]
            assert np.allclose(R.T @ R, np.eye(3), atol=SAME)
            assert np.linalg.det(R) > 0


def test_the_ellipsoid_of_a_body_has_its_inertia(page: Page) -> None:
    arm = ad.load("ur5")
    for body, drawn in zip(arm.bodies, page.ask("robot", robot="ur5")["bodies"], strict=True):
        if drawn["ellipsoid"] is None:
            continue
        T = np.reshape(drawn["ellipsoid"]["matrix"], (4, 4)).T
        a, b, c = np.square(drawn["ellipsoid"]["radii"])
        moments = drawn["mass"] / 5 * np.array([b + c, a + c, a + b])
        assert np.allclose(
            T[:3, :3] * moments @ T[:3, :3].T,
            np.array(body.inertia.tensor, dtype=float),
            rtol=1e-6,
            atol=1e-9,
        )


def test_a_state_is_what_the_library_says(page: Page) -> None:
    settings = {"payload": {"mass": 5, "com": [0, 0, 0.1]}, "wrench": [10, 0, -50, 0, 0, 0]}
    qd, qdd = [0.1] * 6, [0.2] * 6
    want = ["gravity", "mass_matrix", "motor", "jacobian", "energy", "reactions"]
    found = page.ask("state", robot="lola15", q=Q, qd=qd, qdd=qdd, settings=settings, want=want)
    dyn = ad.Dynamics(ad.load("lola15").with_payload(5, (0, 0, 0.1)))
    wrench = settings["wrench"]
    assert np.allclose(found["torque"], dyn.inverse(Q, qd, qdd, wrench), rtol=SAME)
    assert np.allclose(found["gravity"], dyn.gravity(Q), rtol=SAME)
    assert np.allclose(found["mass_matrix"], dyn.mass_matrix(Q), rtol=SAME)
    assert np.allclose(found["jacobian"], dyn.jacobian(Q), atol=SAME)
    assert found["kinetic_energy"] == pytest.approx(float(dyn.kinetic_energy(Q, qd)))
    assert np.allclose(found["motor"]["torque"], dyn.motor_demand(Q, qd, qdd, wrench), rtol=SAME)
    share = Actuators.of(dyn.robot).share(dyn.motor_velocity(Q, qd), np.array(found["motor"]["torque"]))
    assert np.allclose(found["motor"]["share"], share)
    reactions = dyn.reactions(Q, qd, qdd, wrench, axes="base")
    assert np.allclose([[*r["force"], *r["moment"]] for r in found["reactions"]], reactions)


def test_poses_are_those_of_bodies_and_tool(page: Page) -> None:
    arm = ad.load("ur5")
    dyn = ad.Dynamics(arm)
    found = page.ask("state", robot="ur5", q=Q)
    for row, name in zip(found["poses"], (*arm.body_names, None), strict=True):
        T = dyn.pose(Q, name)
        assert np.allclose(row[:3], T[:3, 3], atol=SAME)
        assert np.allclose(Rotation.from_quat(row[3:]).as_matrix(), T[:3, :3], atol=SAME)
    assert np.allclose(np.reshape(found["tool"]["matrix"], (4, 4)).T, dyn.pose(Q), atol=SAME)
    turned = Rotation.from_euler("ZYX", found["tool"]["rpy"][::-1]).as_matrix()
    assert np.allclose(turned, dyn.pose(Q)[:3, :3], atol=SAME)


def test_quaternions_and_angles_of_every_rotation() -> None:
    turned = Rotation.random(500, rng=np.random.default_rng(0)).as_matrix()
    half = Rotation.from_rotvec(np.pi * np.eye(3)).as_matrix()
    up = Rotation.from_euler("ZYX", [[0.3, np.pi / 2, 0.2], [0.3, -np.pi / 2, 0.2]]).as_matrix()
    for R in (*turned, *half, *up):
        assert np.allclose(Rotation.from_quat(quaternions(R)).as_matrix(), R, atol=1e-9)
        assert np.allclose(Rotation.from_euler("ZYX", roll_pitch_yaw(R)[::-1]).as_matrix(), R, atol=1e-8)


def test_the_polytope_is_closed_and_that_of_the_library(page: Page) -> None:
    found = page.ask("state", robot="lola15", q=Q, want=["ellipsoid", "polytope"])
    exact = acceleration_polytope(ad.Dynamics(ad.load("lola15")), Q)
    vertices = np.array(found["polytope"]["vertices"])
    assert exact.contains(vertices, 1e-7).all()
    a, b, c = (vertices[np.array(found["polytope"]["faces"])[:, k]] for k in range(3))
    volume = np.einsum("ij,ij->", a, np.cross(b, c)) / 6  # of outward triangles
    assert volume == pytest.approx(exact.volume, rel=1e-6)
    assert min(found["ellipsoid"]["radii"]) > 0


def test_a_robot_without_limits_has_no_polytope_and_says_why(page: Page) -> None:
    found = page.ask("state", robot="planar2", q=[0.1, 0.2], want=["ellipsoid", "polytope"])
    assert found["polytope"] is None
    assert found["ellipsoid"] is not None
    assert any("polytope" in warning for warning in found["warnings"])


def test_commands_of_a_state_say_the_same(page: Page) -> None:
    settings = {"payload": {"mass": 2, "com": [0, 0, 0.1]}, "gravity": [0, 0, -1.62], "friction": False}
    found = page.ask("state", robot="ur5", q=Q, want=["commands"], settings=settings)
    assert found["commands"]["shell"].startswith("armdyn dynamics ur5 --q=0.1,0.2,")
    assert "--payload=2,0,0,0.1 --gravity=0,0,-1.62 --friction off" in found["commands"]["shell"]
    names: dict[str, object] = {}
    exec(found["commands"]["python"], names)  # our own text, for people to run
    assert np.allclose(names["torque"], found["torque"])  # pyright: ignore[reportArgumentType]


def test_what_is_outside_limits_is_said(page: Page) -> None:
    found = page.ask("state", robot="ur5", q=[9, 0, 0, 0, 0, 0])
    assert any("is outside" in warning for warning in found["warnings"])


def test_all_postures_of_a_pose_have_it(page: Page) -> None:
    dyn = ad.Dynamics(ad.load("ur5"))
    target = dyn.pose(Q)
    found = page.ask("solve", robot="ur5", q=Q, matrix=target.T.reshape(-1).tolist())
    assert len(found["branches"]) > 2
    for branch in found["branches"]:
        assert np.allclose(dyn.pose(branch["q"]), target, atol=1e-9)
    assert found["branches"][found["best"]]["distance"] < 1e-9
    again = page.ask("solve", robot="ur5", q=Q, position=target[:3, 3].tolist(), rpy=_rpy(target))
    assert len(again["branches"]) == len(found["branches"])


def _rpy(T: np.ndarray) -> list[float]:
    return roll_pitch_yaw(T[:3, :3])


def test_a_pose_out_of_reach_is_refused_with_a_reason(page: Page) -> None:
    with pytest.raises(Failed, match="does not reach"):
        page.ask("solve", robot="ur5", q=Q, position=[5, 0, 0], rpy=[0, 0, 0])
    with pytest.raises(Failed, match="no pose is given"):
        page.ask("solve", robot="ur5", q=Q)


def test_checks_are_those_of_the_command_line(page: Page) -> None:
    text = example_program("lola15_as_printed").read_text()
    found = page.ask("check", text=text)
    expected = problems(text)
    assert expected
    assert [(each["line"], each["column"], each["message"]) for each in found["problems"]] == [
        (each.line, each.column, each.message) for each in expected
    ]
    fine = page.ask("check", text=example_program("lola15").read_text())
    assert fine == {"problems": [], "robot": "lola15"}


def test_lines_run_at_a_share_of_their_speed(page: Page) -> None:
    text = example_program("lola15").read_text()
    slowed = page.ask("slow", text=text, shares={"31": 0.5})["text"]
    changed = [
        k for k, (a, b) in enumerate(zip(text.splitlines(), slowed.splitlines(), strict=True), 1) if a != b
    ]
    assert 31 in changed
    gradual = page.ask("slow", text=text, shares={}, turn_acceleration=0.5)["text"]
    assert gradual == text.replace("speed=760 acc=1000", "speed=760 acc=1000 acc_ori=28.64")
    with pytest.raises(Failed, match="line 1 has no move"):
        page.ask("slow", text=text, shares={"1": 0.5})


def test_strange_robots_are_refused(page: Page) -> None:
    with pytest.raises(Failed, match=r'no robot "lola51"; did you mean "lola15"'):
        page.ask("robot", robot="lola51")
    with pytest.raises(Failed, match='robot "ur5" has 6 joints'):
        page.ask("state", robot="ur5", q=[0, 0])
    with pytest.raises(Failed, match="motors"):
        page.ask("robot", robot="ur5", settings={"motors": "exact"})
    with pytest.raises(Failed, match="wrench"):
        page.ask("robot", robot="ur5", settings={"at": [0, 0, 0]})


def test_files_are_read_saved_and_told_to_others(studio: RunningStudio, page: Page, folder: Path) -> None:
    assert page.ask("read", path="panda.lirl")["text"] == (folder / "panda.lirl").read_text()
    example = page.ask("read", path="lola15")
    assert not example["writable"]
    with studio.page() as other:
        other.ask("files")
        written = page.ask("write", path="new.lirl", text="program New;")
        assert (written["path"], written["replaced"]) == ("new.lirl", False)
        while not other.events:
            message, _ = other.receive()
            other.events.append(message)
        assert "new.lirl" in [file["path"] for file in other.events[0]["files"]]
    assert (folder / "new.lirl").read_text() == "program New;"
    with pytest.raises(Failed, match="there already"):
        page.ask("write", path="new.lirl", text="")
    assert page.ask("write", path="new.lirl", text="x", overwrite=True)["replaced"]
    (folder / "new.lirl").unlink()


def test_a_file_that_others_have_changed_is_not_replaced_unasked(page: Page, folder: Path) -> None:
    file = folder / "shared.lirl"
    page.ask("write", path="shared.lirl", text="first")
    known = page.ask("read", path="shared.lirl")["digest"]
    saved = page.ask("write", path="shared.lirl", text="second", known=known)
    assert saved["replaced"]
    assert page.ask("write", path="shared.lirl", text="third", known=saved["digest"])["replaced"]
    with pytest.raises(Failed, match="has changed since it was read") as told:
        page.ask("write", path="shared.lirl", text="mine", known=known)
    assert told.value.error["conflict"]
    assert file.read_text() == "third"
    file.unlink()
    with pytest.raises(Failed, match="is gone") as told:
        page.ask("write", path="shared.lirl", text="mine", known=known)
    assert told.value.error["conflict"]
    assert not file.exists()
    assert not page.ask("write", path="shared.lirl", text="mine", known=known, overwrite=True)["replaced"]
    file.unlink()


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("x" * 300 + ".lirl", "305 characters, too many"),
        ("é" * 150 + ".lirl", "155 characters, too many"),
        (".hidden.lirl", "begins with a dot"),
        ("...lirl", "begins with a dot"),
        ("../x.lirl", 'choose a name without ".."'),
    ],
)
def test_names_that_cannot_be_found_again_are_refused(page: Page, name: str, said: str) -> None:
    with pytest.raises(Failed, match=said) as told:
        page.ask("write", path=name, text="x", overwrite=True)
    assert not told.value.error["conflict"]


def test_a_robot_file_that_changes_is_read_again(page: Page, folder: Path) -> None:
    text = (Path(ad.__file__).parent / "robot" / "catalog" / "planar2.toml").read_text()
    page.ask("write", path="mine.toml", text=text, overwrite=True)
    assert page.ask("robot", robot="mine.toml")["name"] == "planar2"
    renamed = text.replace('name = "planar2"', 'name = "another"')
    page.ask("write", path="mine.toml", text=renamed, overwrite=True)
    assert page.ask("robot", robot="mine.toml")["name"] == "another"
    (folder / "mine.toml").unlink()

"""Robots as things to draw: meshes, bodies from the kinematics, files that may be fetched."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest

import armdyn as ad
from armdyn.studio.folder import Folder
from armdyn.studio.messages import Settings
from armdyn.studio.robots import Ready, Robots
from armdyn.studio.scenes.drawn import Drawing
from armdyn.studio.scenes.meshes import Meshes, mesh_file, root_key
from armdyn.studio.scenes.scene import scene
from studio_pages import Page, RunningStudio

URDF = """<robot name="boxed">
  <link name="base"/>
  <link name="arm">
    <inertial><mass value="2"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
    <visual><origin xyz="0 0 0.1"/><geometry><mesh filename="{mesh}" scale="2 2 2"/></geometry></visual>
    <visual><geometry><box size="1 2 3"/></geometry>
      <material name="red"><color rgba="1 0 0 1"/></material></visual>
  </link>
  <joint name="turn" type="continuous"><parent link="base"/><child link="arm"/><axis xyz="0 0 1"/></joint>
</robot>"""
STL = b"solid x\nendsolid x\n"


@pytest.fixture
def package(folder: Path) -> Iterator[Path]:
    """A package with a mesh, as robot descriptions are laid out, and files that are none of its business."""
    root = folder / "boxed_description"
    for name in ("urdf", "meshes"):
        (root / name).mkdir(parents=True)
    (root / "meshes" / "arm one.stl").write_bytes(STL)
    (root / "meshes" / "notes.txt").write_text("private")
    (root / "meshes" / "link.stl").symlink_to("/etc/hostname")
    for name, mesh in (
        ("package", "package://boxed_description/meshes/arm one.stl"),
        ("relative", "../meshes/arm one.stl"),
        ("missing", "package://boxed_description/meshes/missing.stl"),
        ("outside", "/etc/hostname.stl"),
        ("link", "../meshes/link.stl"),
    ):
        (root / "urdf" / f"{name}.urdf").write_text(URDF.format(mesh=mesh))
    yield root
    for file in sorted(root.rglob("*"), reverse=True):
        file.rmdir() if file.is_dir() else file.unlink()
    root.rmdir()


@pytest.mark.parametrize("name", ["package", "relative"])
def test_meshes_are_fetched(studio: RunningStudio, page: Page, package: Path, name: str) -> None:
    found = page.ask("robot", robot=f"boxed_description/urdf/{name}.urdf")
    mesh, box = found["bodies"][0]["visuals"]
    assert mesh["shape"] == "mesh"
    assert mesh["scale"] == [2, 2, 2]
    assert mesh["matrix"][12:15] == [0, 0, 0.1]
    assert (box["shape"], box["size"], box["color"]) == ("box", [1, 2, 3], [1, 0, 0, 1])
    headers = {"Cookie": studio.cookie}
    answer = httpx.get(studio.url + mesh["mesh"], headers=headers)
    assert answer.content == STL
    assert "sandbox" in answer.headers["content-security-policy"]
    assert httpx.get(studio.url + mesh["mesh"]).status_code == 403
    for other in ("notes.txt", "link.stl", "../urdf/package.urdf", "%2e%2e/%2e%2e/panda.lirl"):
        stem = mesh["mesh"].rpartition("/")[0]
        assert httpx.get(f"{studio.url}{stem}/{other}", headers=headers).status_code == 404
    forged = mesh["mesh"].replace("/mesh/", "/mesh/0")
    assert httpx.get(studio.url + forged, headers=headers).status_code == 404


@pytest.mark.parametrize("name", ["missing", "outside", "link"])
def test_a_body_whose_mesh_is_not_there_is_drawn(page: Page, package: Path, name: str) -> None:
    found = page.ask("robot", robot=f"boxed_description/urdf/{name}.urdf")
    assert all(visual["role"] != "file" for visual in found["bodies"][0]["visuals"])
    assert any("no mesh" in note for note in found["notes"])
    assert len(found["missing_meshes"]) == 1
    assert found["missing_meshes"][0] in found["notes"][-1]


def test_roots_are_known_by_their_signature(tmp_path: Path) -> None:
    (tmp_path / "a.stl").write_bytes(STL)
    key, root = root_key(lambda what: what * 2, tmp_path).rsplit("/", 1)
    assert mesh_file(lambda what: what * 2, key, root, "a.stl") == (tmp_path / "a.stl").resolve()
    assert mesh_file(lambda what: what * 3, key[1:], root, "a.stl") is None
    assert mesh_file(lambda what: what * 2, key, root, "missing.stl") is None
    assert Meshes(None, tmp_path, str).address("a.stl") is None


@pytest.fixture(params=ad.catalog())
def ready(request: Any, tmp_path: Path) -> Ready:
    return Robots(Folder.of(tmp_path)).ready(request.param, Settings())


@pytest.mark.numpy
def test_every_robot_of_the_catalog_can_be_drawn(ready: Ready, tmp_path: Path) -> None:
    found = scene(ready, Meshes(None, tmp_path, str))
    assert found.n == ready.robot.n
    assert any(body.visuals for body in found.bodies)
    assert 0 < found.size < 10
    for joint in found.joints:  # a joint's axis is where its body turns about, or slides along
        body = ready.robot.body_names[joint.body]
        q = np.array(ready.robot.home)
        J = ready.dyn.jacobian(q, body)[:, ready.robot.positions[joint.name]]
        R = ready.dyn.pose(q, body)[:3, :3]
        moved = J[3:] if joint.kind == "revolute" else J[:3]
        assert np.allclose(R @ joint.axis, moved, atol=1e-9)
        if joint.kind == "revolute":  # a point of the axis stays where it is
            at = ready.dyn.jacobian(q, body, at=joint.at)[:3, ready.robot.positions[joint.name]]
            assert np.allclose(at, 0, atol=1e-9)


@pytest.mark.numpy
def test_links_end_where_the_next_joint_is() -> None:
    arm = ad.load("ur5")
    drawing = Drawing(arm)
    for body, child in zip(arm.bodies, arm.bodies[1:], strict=False):
        end = np.array(child.joint.placement.translation, dtype=float)
        balls = [np.array(visual.matrix[12:15]) for visual in drawing.body(body) if visual.shape == "sphere"]
        if np.linalg.norm(end) > drawing.radius(body.name):
            assert min(np.linalg.norm(ball - end) for ball in balls) < 1e-12

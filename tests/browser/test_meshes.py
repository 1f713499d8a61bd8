"""Robots whose bodies are meshes: each form is read and seen, with its colour."""

import json
import re
import struct
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from browser_page import StudioPage
from studio_process import StudioProcess

SIDE = 0.3
CORNERS = SIDE * (np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)]) - 0.5)
SIDES = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))
TRIANGLES = [corners for a, b, c, d in SIDES for corners in ((a, b, c), (a, c, d))]
COLOURS = {"stl": (1, 0, 0), "obj": (0, 0.8, 0), "dae": (0, 0, 1), "glb": (1, 0, 1)}
SEEN = 100
"""Pixels of a cube at least."""


def stl() -> bytes:
    facets = (
        struct.pack("<12fH", 0, 0, 0, *CORNERS[list(corners)].astype(float).ravel(), 0)
        for corners in TRIANGLES
    )
    return bytes(80) + struct.pack("<I", len(TRIANGLES)) + b"".join(facets)


def obj() -> bytes:
    corners = (f"v {x} {y} {z}" for x, y, z in CORNERS)
    faces = (f"f {a + 1} {b + 1} {c + 1}" for a, b, c in TRIANGLES)
    return "\n".join((*corners, *faces, "")).encode()


def dae() -> bytes:
    places = " ".join(f"{x:g}" for x in CORNERS.ravel())
    indices = " ".join(str(corner) for corners in TRIANGLES for corner in corners)
    r, g, b = COLOURS["dae"]
    return f"""<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit meter="1"/><up_axis>Z_UP</up_axis></asset>
<library_effects><effect id="e"><profile_COMMON><technique sid="t"><lambert>
<diffuse><color>{r} {g} {b} 1</color></diffuse></lambert></technique></profile_COMMON></effect>
</library_effects>
<library_materials><material id="m"><instance_effect url="#e"/></material></library_materials>
<library_geometries><geometry id="g"><mesh>
<source id="p"><float_array id="pa" count="24">{places}</float_array><technique_common>
<accessor source="#pa" count="8" stride="3"><param name="X" type="float"/><param name="Y" type="float"/>
<param name="Z" type="float"/></accessor></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<triangles count="12" material="s"><input semantic="VERTEX" source="#v" offset="0"/><p>{indices}</p>
</triangles>
</mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="w"><node><instance_geometry url="#g"><bind_material>
<technique_common>
<instance_material symbol="s" target="#m"/></technique_common></bind_material></instance_geometry></node>
</visual_scene></library_visual_scenes><scene><instance_visual_scene url="#w"/></scene></COLLADA>
""".encode()


def glb() -> bytes:
    places = CORNERS.astype("<f4").tobytes()
    indices = np.array(TRIANGLES, dtype="<u2").tobytes()
    said = {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0}],
        "materials": [
            {"pbrMetallicRoughness": {"baseColorFactor": [*COLOURS["glb"], 1], "metallicFactor": 0}}
        ],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1, "material": 0}]}],
        "accessors": [
            {
                "bufferView": 0,
                "componentType": 5126,
                "count": 8,
                "type": "VEC3",
                "min": [-SIDE / 2] * 3,
                "max": [SIDE / 2] * 3,
            },
            {"bufferView": 1, "componentType": 5123, "count": 36, "type": "SCALAR"},
        ],
        "bufferViews": [
            {"buffer": 0, "byteLength": len(places)},
            {"buffer": 0, "byteOffset": len(places), "byteLength": len(indices)},
        ],
        "buffers": [{"byteLength": len(places) + len(indices)}],
    }
    text = json.dumps(said).encode()
    text += b" " * (-len(text) % 4)
    data = places + indices
    chunks = (
        struct.pack("<II", len(text), 0x4E4F534A) + text + struct.pack("<II", len(data), 0x004E4942) + data
    )
    return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks


FORMS: dict[str, Callable[[], bytes]] = {"stl": stl, "obj": obj, "dae": dae, "glb": glb}


def write_robot(folder: Path) -> None:
    """A row of four bodies that turn, each a cube of another form."""
    links, joints = ['<link name="base"/>'], []
    for k, (form, made) in enumerate(FORMS.items()):
        (folder / f"cube.{form}").write_bytes(made())
        colour = " ".join(f"{part:g}" for part in COLOURS[form])
        links.append(
            f'<link name="{form}"><inertial><mass value="1"/><inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" '
            f'ixz="0" iyz="0"/></inertial><visual><geometry><mesh filename="cube.{form}"/></geometry>'
            f'<material name="{form}"><color rgba="{colour} 1"/></material></visual></link>'
        )
        parent = list(FORMS)[k - 1] if k else "base"
        joints.append(
            f'<joint name="turn_{form}" type="revolute"><parent link="{parent}"/><child link="{form}"/>'
            f'<origin xyz="0.1 {0.5 if k else 0} 0"/><axis xyz="0 0 1"/>'
            '<limit lower="-1" upper="1" effort="10" velocity="1"/></joint>'
        )
    text = f'<robot name="cubes">{"".join((*links, *joints))}</robot>'
    (folder / "cubes.urdf").write_text(text, encoding="utf-8")


def seen(page: StudioPage) -> dict[str, int]:
    """How many pixels have the hue of each form, whatever the light."""
    pixels = page.pixels()
    found: dict[str, int] = {}
    for form, colour in COLOURS.items():
        strong = np.array(colour) > 0.5
        found[form] = int((pixels[..., strong].min(2) - pixels[..., ~strong].max(2) > 60).sum())
    return found


def test_meshes_of_every_form_are_seen(studio: StudioProcess, open_page: Callable[..., StudioPage]) -> None:
    write_robot(studio.folder)
    page = open_page()
    page.ready()
    page.button(re.compile("Choose robot")).click()
    dialog = page.page.get_by_role("dialog", name="Choose robot")
    dialog.get_by_role("button", name=re.compile("cubes.urdf")).first.click()
    page.ready("cubes.urdf")
    for _ in range(100):
        if min(seen(page).values()) > SEEN:
            return
        page.page.wait_for_timeout(100)
    pytest.fail(f"not all meshes are seen: {seen(page)}")


def test_meshes_that_are_not_there_are_said(
    studio: StudioProcess, open_page: Callable[..., StudioPage]
) -> None:
    write_robot(studio.folder)
    cubes = studio.folder / "cubes.urdf"
    (studio.folder / "lost.urdf").write_text(cubes.read_text().replace("cube.stl", "lost.stl"))
    page = open_page()
    page.ready()
    page.button(re.compile("Choose robot")).click()
    page.page.get_by_role("dialog").get_by_role("button", name=re.compile("lost.urdf")).click()
    page.page.get_by_text(
        '1 mesh is not found below the folder, simple bodies are drawn instead: "lost.stl"'
    ).wait_for()

"""What is lost in a file that is written: every field of a robot is carried, or named."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from armdyn.formats import load, save
from armdyn.formats.urdf import read_urdf, write_urdf
from armdyn.robot import (
    BASE,
    BaseMotion,
    Body,
    Coupling,
    Drive,
    Friction,
    GearStage,
    Joint,
    Limits,
    Robot,
    Rotor,
    ScrewTriangle,
    Visual,
)
from armdyn.spatial import Inertia, Transform
from armdyn.spatial.rotation import from_rpy


def test_what_is_carried_and_what_is_lost(tmp_path: Path) -> None:
    friction = Friction(viscous=0.1, coulomb=0.2, starting=0.3, load=0.05)
    visual = Visual(
        "cylinder", (0.1, 0.4), placement=Transform(translation=(0.0, 0.0, 0.2)), color=(1.0, 0.5, 0.0, 1.0)
    )
    turned = Transform(from_rpy(0.3, -0.2, 0.5), (0.1, 0.2, 0.3))
    inertia = Inertia(2.0, (0.0, 0.1, 0.0), ((0.02, 0.0, 0.0), (0.0, 0.03, 0.0), (0.0, 0.0, 0.025)))
    robot = Robot(
        "arm",
        (
            Body(
                "upper",
                Joint(
                    "a",
                    frame=turned,
                    offset=0.4,
                    limits=Limits((-1.0, 2.0), 3.0, 4.0, 5.0),
                    friction=friction,
                ),
                BASE,
                inertia,
                (visual,),
            ),
            Body("slide", Joint("b", "prismatic", (1.0, 1.0, 0.0)), "upper", inertia),
            Body(
                "nut",
                Joint("c", coupling=Coupling((("a", 1.0),), law=ScrewTriangle(0.08, 0.01, 0.0, 5.0))),
                "slide",
            ),
            Body("payload", Joint("d", "fixed"), "slide", inertia),
            Body("sum", Joint("e", coupling=Coupling((("a", 1.0), ("b", 2.0)), 0.1)), "slide", inertia),
        ),
        (Drive("m1", "a", Coupling((("a", 100.0),))),),
        home=(0.5, 0.0),
        gravity=(0.0, 0.0, -1.62),
        base_motion=BaseMotion(acceleration=(1.0, 0.0, 0.0)),
        description="an arm",
        source="nowhere",
        notes=("odd",),
    ).with_payload(1.0, (0.0, 0.0, 0.1), body="slide")
    lost = save(robot, tmp_path / "arm.urdf")
    again = load(tmp_path / "arm.urdf", literal=True)
    assert [s for s in lost if "\n" in s] == []
    for fact in (
        'drives "m1"',
        'joint "a": starting friction 0.3',
        'joint "a": load-dependent friction 0.05',
        'joint "a": acceleration limit 4',
        'joint "b" slides without limits',
        'joint "c" follows "a" by a nonlinear law',
        "gravity 0.0 0.0 -1.62",
        "motion of the base",
        "home 0.5 0.0",
        "an unknown velocity or effort is written as 1e+09",
        "their frames stand at their joints' frames instead",
        "description",
        "source",
        "notes",
        'payload on "slide"',
        "bodies nut: no inertia about some axis",
        'joint "e" follows several',
    ):
        assert any(fact in sentence for sentence in lost), fact
    assert len(lost) == 17
    assert again.joints[0].limits == Limits((-1.0, 2.0), 3.0, None, 5.0)
    assert again.joints[0].friction == Friction(0.1, 0.2)
    assert {"payload", "payload_2", "sum_a", "tool"} <= set(again.body_names)
    assert again.tool.body == "tool"
    assert again.bodies[0].visuals[0].color == visual.color
    drawn = turned @ visual.placement  # the link's frame is the joint's, the body's stands off from it
    assert again.bodies[0].visuals[0].placement.translation == pytest.approx(drawn.translation)
    assert np.array(again.bodies[0].visuals[0].placement.rotation) == pytest.approx(np.array(drawn.rotation))
    assert again.total_mass == pytest.approx(robot.total_mass)


ROUND = Inertia(1.0, tensor=((0.1, 0.0, 0.0), (0.0, 0.1, 0.0), (0.0, 0.0, 0.1)))


def test_branches_written_out_of_order_are_reported() -> None:
    bodies = tuple(
        Body(name, Joint(f"q_{name}"), parent, ROUND)
        for name, parent in (("left", BASE), ("right", BASE), ("hand", "left"))
    )
    _, lost = write_urdf(Robot("tree", bodies))
    assert lost == (
        "joints q_left, q_right, q_hand: an unknown velocity or effort is written as 1e+09",
        "the order of q is not carried: branch after branch it is q_left, q_hand, q_right",
    )


def one_joint(joint: Joint, **more: Any) -> Robot:
    return Robot(
        "arm", (Body("b", joint, BASE, ROUND), Body("c", Joint("k", limits=KNOWN), "b", ROUND)), **more
    )


KNOWN = Limits((-1.0, 1.0), 2.0, None, 3.0)


@pytest.mark.parametrize("limits", [Limits((-1.0, 1.0), 0.0, None, 3.0), Limits((-1.0, 1.0), 2.0, None, 2e9)])
def test_limits_that_read_as_unknown_are_named(limits: Limits) -> None:
    text, lost = write_urdf(one_joint(Joint("a", limits=limits)))
    assert lost == ("joints a: a velocity or effort limit of 0, or of 1e+09 and more, is read as unknown",)
    again = read_urdf(text.encode()).joints[0].limits
    assert None in (again.velocity, again.effort)


def test_a_locked_joint_is_named() -> None:
    robot = one_joint(Joint("a", offset=0.3, limits=KNOWN)).locked({"a": 0.7})
    assert write_urdf(robot)[1] == ('joint "a" is held at 0.7; it is written as fixed',)


def test_home_is_lost_only_where_it_is_not_read_back() -> None:
    far = Limits((0.5, 1.0), 2.0, None, 3.0)
    assert write_urdf(one_joint(Joint("a", limits=far), home=(0.5, 0.0)))[1] == ()
    assert write_urdf(one_joint(Joint("a", limits=far)))[1] == ("home 0.0 0.0 is not carried",)


def test_rotors_ride_or_are_left_out() -> None:
    rotor = Rotor(0.01, 0.02, 0.5, "b", Transform(translation=(0.1, 0.0, 0.0)))
    drives = (Drive("m", "k", Coupling((("k", 10.0),)), rotor, (GearStage(replace(rotor, mass=0.2), 0.1),)),)
    robot = one_joint(Joint("a", limits=KNOWN), drives=drives)
    text, lost = write_urdf(robot)
    assert lost == (
        'drives "m": motors, spinning rotors, gears and their friction are not carried',
        "inertia of drives is not carried; as armature at the joints it is k 1.01 (kg m2 or kg)",
        "rotors m, m.stage1: links of their own, fixed on their carriers",
    )
    assert read_urdf(text.encode()).total_mass == pytest.approx(robot.total_mass)
    text, lost = write_urdf(robot, rotors=False)
    assert lost[-1] == "rotors m, m.stage1: their masses are left out"
    assert read_urdf(text.encode()).total_mass == pytest.approx(2.0)

"""One state: joints, tool, settings, and what holds it."""

import re

import numpy as np
import pytest
from playwright.sync_api import expect

import armdyn as ad
from browser_page import StudioPage

MINUS = "\N{MINUS SIGN}"


@pytest.fixture
def pose(page: StudioPage) -> StudioPage:
    page.tab("Pose")
    page.page.wait_for_function("() => document.querySelector('.bar-value').textContent")
    return page


def test_torques_are_those_of_the_library(pose: StudioPage) -> None:
    arm = ad.load("lola15")
    q = np.array(arm.home)
    q[1] = np.radians(25.0)
    number = pose.page.get_by_role("spinbutton", name="joint2 position in degrees")
    number.fill("25")
    number.press("Enter")
    expected = ad.Dynamics(arm).gravity(q)
    shown = pose.page.get_by_role("status", name="Torque of joint2")
    expect(shown).to_have_text(f"{expected[1]:.3g} N m".replace("-", MINUS))
    assert pose.torque("joint3") == pytest.approx(expected[2], rel=0.01, abs=0.01)


def test_the_tool_is_put_somewhere_and_all_postures_are_listed(pose: StudioPage) -> None:
    x = pose.page.get_by_role("spinbutton", name="Tool x in millimetres")
    z = pose.page.get_by_role("spinbutton", name="Tool z in millimetres")
    expect(x).not_to_have_value("")
    before = float(z.input_value())
    z.fill(str(before - 50))
    z.press("Enter")
    postures = pose.page.get_by_role("radiogroup", name="Postures").get_by_role("radio")
    expect(postures.first).to_be_visible()
    assert postures.count() > 1
    joints = pose.page.get_by_role("spinbutton", name=re.compile("joint. position in degrees"))
    values = [joints.nth(i).input_value() for i in range(6)]
    other = next(
        postures.nth(i)
        for i in range(postures.count())
        if postures.nth(i).get_attribute("aria-checked") == "false"
    )
    other.click()
    expect(other).to_have_attribute("aria-checked", "true")
    assert [joints.nth(i).input_value() for i in range(6)] != values


def test_what_cannot_be_reached_is_said(pose: StudioPage) -> None:
    x = pose.page.get_by_role("spinbutton", name="Tool x in millimetres")
    expect(x).not_to_have_value("")
    x.fill("9000")
    x.press("Enter")
    expect(pose.page.get_by_role("alert").filter(visible=True)).to_be_visible()


def test_payload_and_gravity_change_the_torques(pose: StudioPage) -> None:
    before = pose.torque("joint2")
    mass = pose.page.get_by_role("spinbutton", name="Payload mass in kilograms")
    mass.fill("10")
    mass.press("Enter")
    expect(pose.page.get_by_role("status", name="Torque of joint2")).not_to_contain_text(f"{before:.0f}")
    gravity = pose.page.get_by_role("spinbutton", name="Gravity z in m/s²")
    gravity.fill("0")
    gravity.press("Enter")
    expect(pose.page.get_by_role("status", name="Torque of joint2")).to_have_text("0.00 N m")
    pose.button("As the file says").click()
    expect(pose.page.get_by_role("status", name="Torque of joint2")).not_to_have_text("0.00 N m")


def test_the_mass_matrix_and_the_state_as_text(pose: StudioPage) -> None:
    table = pose.page.get_by_role("table", name="Mass matrix")
    expect(table.get_by_role("cell")).to_have_count(36)
    for name, word in (
        ("Copy as Python", "import armdyn"),
        ("Copy as command line", "armdyn dynamics lola15"),
    ):
        pose.button(name).click()
        pose.page.wait_for_function(f"async () => (await navigator.clipboard.readText()).includes('{word}')")


def test_another_robot_is_chosen(pose: StudioPage) -> None:
    pose.button(re.compile("Choose robot")).click()
    dialog = pose.page.get_by_role("dialog", name="Choose robot")
    dialog.get_by_role("searchbox").fill("scara")
    dialog.get_by_role("button", name="scara").first.click()
    pose.ready("scara")
    expect(pose.page.get_by_role("spinbutton", name=re.compile("in millimetres$")).first).to_be_visible()
    expect(pose.page.get_by_role("slider", name=re.compile("position$"))).to_have_count(4)

"""One state: joints, tool, settings, and what holds it."""

import re

import numpy as np
import pytest
from playwright.sync_api import Locator, expect

import armdyn as ad
from browser_page import StudioPage
from studio_process import StudioProcess

MINUS = "\N{MINUS SIGN}"
WATCH_BUSY = """() => {
  window.busy = [];
  const bars = document.querySelector('.pose-panel .bars');
  const tell = () => window.busy.push(bars.getAttribute('aria-busy'));
  new MutationObserver(tell).observe(bars, { attributeFilter: ['aria-busy'] });
}"""


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
    expect(postures.first).to_contain_text(re.compile(r"(\d+°, \D?){5}\d+°"))
    angles = postures.first.locator(".angles")
    assert angles.evaluate("e => e.scrollWidth - e.clientWidth") <= 0
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


def test_what_is_typed_wrong_is_marked_and_not_taken(pose: StudioPage) -> None:
    def field(name: str) -> Locator:
        return pose.page.get_by_role("spinbutton", name=name, exact=True)

    def type_in(name: str, text: str) -> None:
        field(name).fill(text)
        field(name).press("Enter")

    said = pose.page.get_by_role("alert").filter(visible=True)
    busy = pose.page.get_by_role("list", name="Torques to hold still")
    pose.page.evaluate(WATCH_BUSY)  # old torques are dim while new ones are computed
    type_in("Payload mass in kilograms", "11.25")  # a robot that was never computed
    pose.page.wait_for_function("() => window.busy.at(-2) === 'true' && window.busy.at(-1) === 'false'")
    type_in("Payload x in millimetres", "100")
    expect(busy).to_have_attribute("aria-busy", "false")
    held = pose.torque("joint2")
    type_in("Payload mass in kilograms", "-3")
    expect(field("Payload mass in kilograms")).to_have_attribute("aria-invalid", "true")
    expect(said).to_have_text(f"Payload mass in kilograms is {MINUS}3, expected 0 or more; it is not taken.")
    type_in("Payload mass in kilograms", "0")
    expect(said).to_have_count(0)
    type_in("Payload mass in kilograms", "11.25")
    expect(field("Payload x in millimetres")).to_have_value("100")
    type_in("Gravity z in m/s²", "")
    expect(said).to_contain_text("Gravity z in m/s²: expected a number")
    expect(busy).to_have_attribute("aria-busy", "false")
    assert pose.torque("joint2") == pytest.approx(held)
    expect(pose.page.get_by_text("in the frame of link6").filter(visible=True)).to_have_count(1)


def test_the_mass_matrix_and_the_state_as_text(pose: StudioPage) -> None:
    table = pose.page.get_by_role("table", name="Mass matrix")
    expect(table.get_by_role("cell")).to_have_count(36)
    expect(pose.page.get_by_text("In kg m².")).to_be_visible()
    assert {"0", "0.00"} & set(table.get_by_role("cell").all_inner_texts()) == {"0"}
    for name, word in (
        ("Copy as Python", "print(torque"),
        ("Copy as command line", "armdyn dynamics lola15"),
    ):
        pose.button(name).click()
        pose.page.wait_for_function(f"async () => (await navigator.clipboard.readText()).includes('{word}')")


def test_another_robot_is_chosen(pose: StudioPage, studio: StudioProcess) -> None:
    ad.save(ad.load("planar2"), studio.folder / "late.toml")  # after the page has listed the files
    pose.button(re.compile("Choose robot")).click()
    dialog = pose.page.get_by_role("dialog", name="Choose robot")
    expect(dialog.get_by_role("button", name="late.toml")).to_be_visible()
    assert dialog.locator(".dialog-body").evaluate("e => e.scrollWidth - e.clientWidth") == 0
    dialog.get_by_role("searchbox").fill("scara")
    dialog.get_by_role("button", name="scara").first.click()
    pose.ready("scara")
    expect(pose.page.get_by_role("spinbutton", name=re.compile("in millimetres$")).first).to_be_visible()
    expect(pose.page.get_by_role("slider", name=re.compile("position$"))).to_have_count(4)


def test_names_limits_and_postures_can_be_read(pose: StudioPage) -> None:
    pose.button(re.compile("Choose robot")).click()
    pose.page.get_by_role("dialog").get_by_role("button", name="panda").click()
    pose.ready("panda")
    names = pose.page.locator(".joint .joint-name")
    assert names.all_inner_texts() == [f"joint{k}" for k in range(1, 8)]
    number = pose.page.get_by_role("spinbutton", name="panda_joint2 position in degrees")
    number.fill("999")
    number.press("Enter")
    expect(number).to_have_attribute("aria-invalid", "true")
    expect(pose.page.get_by_text("panda_joint2 at 999.0° is beyond its limit of 101.0°.")).to_be_visible()
    pose.button("Home").click()
    expect(number).not_to_have_attribute("aria-invalid", "true")
    # a page that is loaded anew shows the same
    mass = pose.page.get_by_role("spinbutton", name="Payload mass in kilograms")
    mass.fill("2")
    mass.press("Enter")
    pose.page.reload()
    pose.ready("panda")
    expect(mass).to_be_visible()
    expect(mass).to_have_value("2")

"""Plots, time and keys."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from browser_page import QUICK_PROGRAM, StudioPage, changed

SEEN_WHOLE = """e => {
  const b = e.getBoundingClientRect();
  const [left, right, top, bottom] = [b.left + 5, b.right - 5, b.top + 5, b.bottom - 5];  // corners are round
  e.style.pointerEvents = 'auto';  // so that it can be hit
  const seen = [[left, top], [right, top], [left, bottom], [right, bottom]]
    .every(([x, y]) => e.contains(document.elementFromPoint(x, y)));
  e.style.pointerEvents = '';
  return seen;
}"""


def pixels_of(page: StudioPage, plot: str) -> bytes:
    """What a plot shows."""
    return page.page.get_by_role("figure", name=plot).locator("canvas").screenshot()


def test_plots_follow_the_time_and_can_be_chosen(page: StudioPage) -> None:
    page.run(QUICK_PROGRAM)
    region = page.page.get_by_role("region", name="Plots")
    for name in ("Motor torque", "Motor speed", "Velocity"):
        expect(region.get_by_role("figure", name=name)).to_be_visible()
    cursor = region.get_by_role("figure", name="Motor torque").locator(".time-cursor")
    before = cursor.evaluate("e => e.style.transform")
    page.page.get_by_role("slider", name="Time").fill("1")
    assert cursor.evaluate("e => e.style.transform") != before
    page.button("Plots").click()
    for name in ("Position", "Acceleration", "Joint torque", "Torque over speed"):
        page.page.get_by_role("checkbox", name=name).check()
        expect(region.get_by_role("figure", name=name)).to_be_visible()
    page.page.get_by_role("checkbox", name="Velocity").uncheck()
    expect(region.get_by_role("figure", name="Velocity")).to_have_count(0)


def test_terms_come_on_demand(page: StudioPage) -> None:
    page.run(QUICK_PROGRAM)
    page.button("Plots").click()
    page.button("Terms of the torques").click()
    region = page.page.get_by_role("region", name="Plots")
    for name in ("inertia", "gravity", "friction"):
        expect(region.get_by_role("figure", name=re.compile(name, re.IGNORECASE))).to_be_visible()
    expect(region.get_by_role("figure", name="Motor torque")).to_be_visible()  # they come beside it


def test_zoom_by_drag_and_wheel_is_shared_and_reset(page: StudioPage) -> None:
    page.run(QUICK_PROGRAM)
    plot = page.page.get_by_role("figure", name="Motor torque").locator(".u-over")
    box = plot.bounding_box()
    assert box is not None
    middle = box["y"] + box["height"] / 2
    page.page.mouse.move(box["x"] + 0.3 * box["width"], middle)
    page.page.mouse.down()
    page.page.mouse.move(box["x"] + 0.6 * box["width"], middle, steps=4)
    page.page.mouse.up()
    reset = page.button("Reset zoom")
    expect(reset).to_be_visible()
    reset.click()
    expect(reset).to_be_hidden()
    plot.hover()
    page.page.mouse.wheel(0, -400)
    expect(reset).to_be_visible()
    plot.dblclick()
    expect(reset).to_be_hidden()


def test_a_violation_adds_its_plot_and_its_axis_until_the_next_run(page: StudioPage) -> None:
    page.run(QUICK_PROGRAM)
    region = page.page.get_by_role("region", name="Plots")
    first = {"Motor torque", "Motor speed", "Velocity"}
    plain = pixels_of(page, "Motor torque")
    violation = (
        page.page.get_by_role("list", name="Violations").get_by_role("button", name="acceleration").first
    )
    violation.click()
    expect(region.get_by_role("figure", name="Acceleration")).to_be_visible()
    page.button("Run").click()
    expect(region.get_by_role("figure", name="Acceleration")).to_have_count(0)
    page.settle()
    assert pixels_of(page, "Motor torque") == plain  # no axis stands before others any more
    violation.click()
    expect(region.get_by_role("figure", name="Acceleration")).to_be_visible()
    assert {figure.get_attribute("aria-label") for figure in region.get_by_role("figure").all()} == {
        *first,
        "Acceleration",
    }
    line = page.page.get_by_role("status", name="Program line").inner_text()
    # a link has all of this
    page.button("Export").click()
    page.page.get_by_role("menuitem", name=re.compile("Link to this view")).click()
    lines = pixels_of(page, "Acceleration")
    page.page.reload()
    page.ready()
    expect(region.get_by_role("figure", name="Acceleration")).to_be_visible()
    expect(page.page.get_by_role("status", name="Program line")).to_have_text(line)
    page.settle()
    assert pixels_of(page, "Acceleration") == lines
    # another robot has no time and no line
    page.button(re.compile("Choose robot")).click()
    page.page.get_by_role("dialog").get_by_role("button", name="ur5").click()
    page.ready("ur5")
    expect(page.page.get_by_role("status", name="Program line")).to_have_text("")
    expect(page.page.get_by_role("status", name="Time shown")).to_have_text("0.000 s")


def test_values_under_the_pointer_stay_in_the_window(open_page: Callable[..., StudioPage]) -> None:
    page = open_page((1400, 850))
    page.ready()
    page.run(QUICK_PROGRAM)
    page.button("Plots").click()
    page.page.get_by_role("checkbox", name="Acceleration").check()
    page.page.keyboard.press("Escape")
    plots = page.page.get_by_role("region", name="Plots").get_by_role("figure")
    expect(plots).to_have_count(4)
    for plot, share in ((plots.first, 0.55), (plots.last, 0.95), (plots.last, 0.45)):
        box = plot.locator(".u-over").bounding_box()
        assert box is not None
        page.page.mouse.move(box["x"] + share * box["width"], box["y"] + 30)
        values = plot.get_by_role("tooltip")
        expect(values).to_be_visible()
        assert values.evaluate(SEEN_WHOLE)


def test_keys_zoom_a_plot(page: StudioPage) -> None:
    page.run(QUICK_PROGRAM)
    page.page.get_by_role("figure", name="Motor torque").focus()
    reset = page.button("Reset zoom")
    page.page.keyboard.press("+")
    expect(reset).to_be_visible()
    page.page.keyboard.press("ArrowRight")
    assert page.page.get_by_role("slider", name="Time").input_value() == "0"  # the range moves, not the time
    page.page.keyboard.press("0")
    expect(reset).to_be_hidden()


def test_values_under_the_pointer(page: StudioPage) -> None:
    page.run(QUICK_PROGRAM)
    figure = page.page.get_by_role("figure", name="Motor torque")
    figure.locator(".u-over").hover()
    values = figure.get_by_role("tooltip")
    expect(values).to_contain_text("motor3")
    expect(values).to_contain_text("%")
    page.button("% of limit").click()
    figure.locator(".u-over").hover()
    expect(values).to_contain_text("N m")


def test_an_axis_can_be_hidden(page: StudioPage) -> None:
    page.run(QUICK_PROGRAM)
    chip = page.page.get_by_role("group", name="Axes").get_by_role("button", name="joint2")
    chip.click()
    expect(chip).to_have_attribute("aria-pressed", "false")
    figure = page.page.get_by_role("figure", name="Motor torque")
    figure.locator(".u-over").hover()
    expect(figure.get_by_role("tooltip")).not_to_contain_text("motor2")


def test_playback_and_its_keys(page: StudioPage) -> None:
    page.run(QUICK_PROGRAM)
    time = page.page.get_by_role("slider", name="Time")
    before = page.pixels()
    page.page.get_by_role("combobox", name="Playback speed").select_option("4")
    page.page.locator(".stage").click(position={"x": 5, "y": 200})
    page.page.keyboard.press("Space")
    expect(page.button("Pause")).to_be_visible()
    page.page.wait_for_function("() => Number(document.querySelector('.track input').value) > 0.5")
    page.page.keyboard.press("Space")
    assert changed(before, page.pixels()) > 0.01
    page.page.evaluate("() => document.activeElement.blur()")  # in the picture arrows turn the view
    page.page.keyboard.press("Home")
    assert float(time.input_value()) == 0
    page.page.keyboard.press("ArrowRight")
    step = float(time.input_value())
    assert 0 < step < 0.1
    page.page.keyboard.press("Shift+ArrowRight")
    assert float(time.input_value()) > step
    page.page.keyboard.press("End")
    assert float(time.input_value()) == pytest.approx(float(time.get_attribute("max") or 0))
    page.page.keyboard.press("?")
    expect(page.page.get_by_role("dialog", name="Keys and controls")).to_be_visible()
    page.page.keyboard.press("Escape")
    expect(page.page.get_by_role("dialog")).to_have_count(0)

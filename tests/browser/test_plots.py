"""Plots, time and keys."""

import re

import pytest
from playwright.sync_api import expect

from browser_page import QUICK_PROGRAM, StudioPage, changed


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

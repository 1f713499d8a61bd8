"""The 3D view, by its pixels."""

import re

import pytest

from browser_page import QUICK_PROGRAM, StudioPage, changed, coloured

MOVED = 0.003
"""Share of the picture that changes at least when something that is seen does."""

LAYERS = (
    "Joint frames",
    "Masses and inertia ellipsoids",
    "Dynamic manipulability ellipsoid",
    "Acceleration polytope",
    "Joint reactions",
)


def test_the_arm_is_there_and_moves_with_a_slider(page: StudioPage) -> None:
    page.show("Floor and shadow", on=False)
    arm = page.pixels()
    ground = arm[-1, -1]
    assert (abs(arm - ground).max(axis=2) > 60).mean() > 0.02
    page.tab("Pose")
    page.page.get_by_role("slider", name="joint2 position").fill("40")
    page.page.wait_for_function("() => document.querySelector('.bar-value').textContent")
    page.settle()
    assert changed(arm, page.pixels()) > 10 * MOVED


def test_standard_views_look_from_elsewhere(page: StudioPage) -> None:
    page.button("Iso view").click()
    before = page.pixels()
    for name in ("Front view", "Side view", "Top view"):
        page.button(name).click()
        assert changed(before, page.pixels()) > 10 * MOVED
    page.button("Iso view").click()
    assert changed(before, page.pixels()) < MOVED


def test_projection_zoom_and_fit(page: StudioPage) -> None:
    page.button("Fit").click()
    fitted = page.pixels()
    page.button("Orthographic").click()
    assert page.button("Orthographic").get_attribute("aria-pressed") == "true"
    flat = page.pixels()
    assert changed(fitted, flat) > MOVED
    picture = page.page.get_by_role("img", name=re.compile("The arm in 3D"))
    picture.focus()
    page.page.keyboard.press("+")
    page.page.keyboard.press("ArrowLeft")
    assert changed(flat, page.pixels()) > MOVED
    page.button("Orthographic").click()


def test_each_layer_can_be_switched_on(page: StudioPage) -> None:
    before = page.pixels()
    for layer in LAYERS:
        page.show(layer)
        for _ in range(200):
            if changed(before, page.pixels()) > MOVED / 3:
                break
            page.page.wait_for_timeout(100)
        assert changed(before, page.pixels()) > MOVED / 3, layer
        page.show(layer, on=False)
        assert changed(before, page.pixels()) < MOVED / 3, layer


def test_a_payload_is_drawn(page: StudioPage) -> None:
    page.tab("Pose")
    page.show("Floor and shadow", on=False)
    before = page.pixels()
    mass = page.page.get_by_role("spinbutton", name="Payload mass in kilograms")
    mass.fill("15")
    mass.press("Enter")
    page.page.get_by_text("Now: motors").wait_for()
    for _ in range(100):
        if coloured(page.pixels(), (0x9C, 0x6A, 0xDE), 60) > coloured(before, (0x9C, 0x6A, 0xDE), 60) + 20:
            return
        page.page.wait_for_timeout(100)
    pytest.fail("no payload is seen")


def test_the_paths_of_a_run_are_drawn(page: StudioPage) -> None:
    page.run(QUICK_PROGRAM)
    for layer in ("Achieved path", "Programmed path"):
        with_path = page.pixels()
        page.show(layer, on=False)
        assert changed(with_path, page.pixels()) > MOVED / 4
    # and how many pictures a film has is said of a rate that can be
    page.button("Export").click()
    page.page.get_by_role("menuitem", name=re.compile("Frame sequence")).click()
    dialog = page.page.get_by_role("dialog", name="Frame sequence")
    rate = dialog.get_by_role("spinbutton", name="Pictures a second")
    make = dialog.get_by_role("button", name="Make pictures")
    for typed in ("0", "-5", "1e6", ""):
        rate.fill(typed)
        assert make.is_disabled(), typed
        assert dialog.get_by_text("pictures of").count() == 0
    rate.fill("10")
    assert dialog.get_by_text("24 pictures of").is_visible()
    assert make.is_enabled()


def test_a_narrow_window_has_all_in_one_column(page: StudioPage) -> None:
    width = "e => e.getBoundingClientRect().width"
    side = page.page.locator(".side")
    before = side.evaluate(width)
    page.run(QUICK_PROGRAM)
    page.page.set_viewport_size({"width": 390, "height": 844})
    page.settle()
    for name in ("Export", "Help", "Show", "Play", "Run"):
        button = page.button(name)
        button.scroll_into_view_if_needed()
        box = button.bounding_box()
        assert box is not None
        assert 0 <= box["x"] <= 390 - box["width"], name
    assert page.page.evaluate("() => document.documentElement.scrollWidth") == 390
    assert page.page.locator(".stage").evaluate(width) == 390
    page.page.set_viewport_size({"width": 1280, "height": 720})
    page.settle()
    assert side.evaluate(width) == before

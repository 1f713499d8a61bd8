"""Load studies and equations."""

import re

import pytest
from playwright.sync_api import expect

import armdyn as ad
from browser_page import StudioPage


def choose(page: StudioPage, robot: str) -> None:
    page.button(re.compile("Choose robot")).click()
    page.page.get_by_role("dialog").get_by_role("button", name=robot).first.click()
    page.ready(robot)


def test_a_load_study_shows_rows_that_lead_to_postures(page: StudioPage) -> None:
    choose(page, "planar2")
    page.tab("Studies")
    page.page.get_by_role("combobox", name="Kind of study").select_option("gravity")
    page.button("Run study").click()
    rows = page.page.get_by_role("table", name="Rows of the study").get_by_role("row")
    expect(rows.nth(1)).to_contain_text("gravity")
    before = page.pixels()
    rows.nth(1).get_by_role("button").last.click()
    page.page.wait_for_timeout(300)
    assert (before != page.pixels()).any()
    with page.page.expect_download() as download:
        page.button("Rows (CSV)").click()
    assert download.value.suggested_filename == "planar2_gravity.csv"


def test_motors_are_sized_for_the_run_that_is_shown(page: StudioPage) -> None:
    page.tab("Studies")
    page.page.get_by_role("combobox", name="Kind of study").select_option("sizing")
    page.button("Run study").click()
    expect(page.page.get_by_role("alert").filter(visible=True)).to_contain_text("run a program first")
    page.tab("Program")
    page.run()
    lists = page.page.get_by_role("region", name="Results").locator(".tab-panels")
    lists.evaluate("e => e.scrollTop = 500")
    page.tab("Notes")
    assert lists.evaluate("e => e.scrollTop") == 0
    page.tab("Studies")
    page.button("Run study").click()
    peaks = page.page.get_by_role("row").filter(has_text="motor torque peak")
    expect(peaks).to_have_count(6)
    study = ad.study(ad.load("lola15"), "sizing", motions=ad.planned("lola15").plan)
    expected = [row.extremes.maximum.value for row in study.rows if row.quantity == "motor_torque_peak"]
    shown = [float(row.get_by_role("cell").nth(3).inner_text()) for row in peaks.all()]
    assert shown == pytest.approx(expected, rel=1e-3)  # four digits are shown


def test_equations_are_typeset(page: StudioPage) -> None:
    choose(page, "planar2")
    page.tab("Studies")
    page.tab("Equations")
    page.page.get_by_role("combobox", name="Quantity").select_option("gravity")
    element = page.page.get_by_role("textbox", name="Element")
    element.fill("x;y")
    page.button("Derive").click()
    expect(page.page.get_by_text('Element is "x;y", expected a number')).to_be_visible()
    expect(page.page.get_by_role("math")).to_have_count(0)
    element.fill("")
    page.button("Derive").click()
    formula = page.page.get_by_role("math").first
    expect(formula.locator(".katex-html")).to_be_visible()
    expect(page.page.get_by_text(re.compile("2 equations of planar2"))).to_be_visible()
    with page.page.expect_download() as download:
        page.button("Export as LaTeX").click()
    assert download.value.path().stat().st_size > 50

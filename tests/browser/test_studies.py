"""Load studies and equations."""

import re

from playwright.sync_api import expect

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


def test_equations_are_typeset(page: StudioPage) -> None:
    choose(page, "planar2")
    page.tab("Studies")
    page.tab("Equations")
    page.page.get_by_role("combobox", name="Quantity").select_option("gravity")
    page.button("Derive").click()
    formula = page.page.get_by_role("math").first
    expect(formula.locator(".katex-html")).to_be_visible()
    expect(page.page.get_by_text(re.compile("2 equations of planar2"))).to_be_visible()
    with page.page.expect_download() as download:
        page.button("Export as LaTeX").click()
    assert download.value.path().stat().st_size > 50

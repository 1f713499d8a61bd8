"""What is taken along: pictures, numbers, a report, a link."""

import io
import zipfile

import numpy as np
import pyarrow.parquet as pq
from PIL import Image
from playwright.sync_api import Download, expect

from browser_page import QUICK_PROGRAM, StudioPage


def export(page: StudioPage, item: str) -> Download:
    page.button("Export").click()
    with page.page.expect_download() as download:
        page.page.get_by_role("menuitem", name=item).click()
    return download.value


def test_a_picture(page: StudioPage) -> None:
    image = Image.open(export(page, "Picture").path())
    assert image.width > 600
    assert len(np.unique(np.asarray(image.convert("L")))) > 50


def test_numbers_and_report_of_a_run(page: StudioPage) -> None:
    page.run(QUICK_PROGRAM)
    table = pq.read_table(export(page, "Run as Parquet").path())
    assert {"time", "q1", "motor_torque6"} <= set(table.column_names)
    csv = export(page, "Run as CSV").path().read_text(encoding="utf-8")
    assert csv.startswith("time") or "\ntime" in csv[:2000]
    assert "<html" in export(page, "Report").path().read_text(encoding="utf-8")[:500]


def test_a_sequence_of_frames(page: StudioPage) -> None:
    page.run(QUICK_PROGRAM)
    page.button("Export").click()
    page.page.get_by_role("menuitem", name="Frame sequence").click()
    dialog = page.page.get_by_role("dialog", name="Frame sequence")
    dialog.get_by_label("Pictures a second").fill("2")
    with page.page.expect_download() as download:
        dialog.get_by_role("button", name="Make pictures").click()
    with zipfile.ZipFile(download.value.path()) as pictures:
        names = pictures.namelist()
        first, last = (
            Image.open(io.BytesIO(pictures.read(name))).tobytes() for name in (names[0], names[-1])
        )
    assert len(names) > 3
    assert first != last


def test_a_link_reopens_the_view(page: StudioPage, open_page) -> None:
    page.type_program(QUICK_PROGRAM)
    page.tab("Pose")
    page.page.get_by_role("slider", name="joint1 position").fill("33")
    page.show("Joint frames")
    page.button("Export").click()
    page.page.get_by_role("menuitem", name="Link to this view").click()
    expect(page.page.get_by_label("Messages")).to_contain_text("link")
    fragment = "#" + page.page.url.split("#", 1)[1]
    again = open_page(fragment=fragment)
    again.ready()
    expect(again.page.get_by_role("spinbutton", name="joint1 position in degrees")).to_have_value("33.0")
    again.tab("Program")
    expect(again.editor).to_contain_text("program quick;")

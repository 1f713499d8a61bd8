"""The tab Live: a robot that runs, its torques beside the predicted ones, an alarm, a recording."""

import re
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import expect

from armdyn.studio.live import Telemetry
from browser_page import StudioPage
from live_studio import moving, until

T, Q, _, TAU = moving("ur5", 120.0)
PUSH = 60.0
"""[N m] on the elbow: four times its threshold."""


class Sender:
    """A robot that swings; `push` is what its elbow feels beside."""

    def __init__(self, link: str, name: str) -> None:
        self.push = 0.0
        self._telemetry = Telemetry(link, robot="ur5", name=name)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _run(self) -> None:
        begun = time.monotonic()
        for k in range(len(T)):
            if self._stop.wait(max(0.0, begun + T[k] - time.monotonic())):
                return
            tau = TAU[k].copy()
            tau[2] += self.push
            self._telemetry.send(T[k], Q[k], tau=tau)

    def close(self) -> None:
        self._stop.set()
        self._thread.join()
        self._telemetry.close()


@pytest.fixture
def sender(studio: Any) -> Iterator[Sender]:
    found = Sender(studio.url, "cell 3")
    yield found
    found.close()


def lines(page: StudioPage, name: str) -> Any:
    """What a plot shows, its pixels."""
    return page.page.get_by_role("figure", name=name).screenshot()


def test_without_a_robot_it_says_how_to_connect(page: StudioPage) -> None:
    page.tab("Live")
    page.page.get_by_role("heading", name="No robot sends telemetry").wait_for()
    assert "armdyn telemetry" in page.page.get_by_role("tabpanel", name="Live").inner_text()


def test_a_robot_is_watched_alarmed_of_and_recorded(
    page: StudioPage, sender: Sender, studio: Any, pictures: Path
) -> None:
    page.tab("Live")
    page.ready("ur5")
    page.page.get_by_role("figure", name="Residual").wait_for()
    panel = page.page.get_by_role("tabpanel", name="Live")
    expect(panel).to_contain_text(re.compile(r"\d+ samples a second"))
    # the arm follows, and the plots run
    before, plot = page.pixels(), lines(page, "shoulder_lift_joint")
    page.page.wait_for_timeout(700)
    assert np.abs(page.pixels() - before).max() > 60
    assert lines(page, "shoulder_lift_joint") != plot
    # what is frozen stands still
    page.button("Freeze").click()
    page.settle()
    plot = lines(page, "shoulder_lift_joint")
    page.page.wait_for_timeout(400)
    assert lines(page, "shoulder_lift_joint") == plot
    page.button("Freeze").click()
    # a push on the elbow is an alarm with its axis, until someone has seen it
    alarm = page.page.get_by_role("alert")
    assert not alarm.is_visible()
    page.button("Record").click()
    page.button("Stop recording").wait_for()
    sender.push = PUSH
    alarm.wait_for()
    assert 'joint 3 ("elbow_joint")' in alarm.inner_text()
    page.page.screenshot(path=pictures / "live-alarm.png")
    sender.push = 0.0
    expect(alarm).to_contain_text("Alarm is over")
    assert re.search(r'joint 3 \("elbow_joint"\): residual was .* at most', alarm.inner_text())
    page.button("Dismiss alarm").click()
    alarm.wait_for(state="hidden")
    assert "elbow_joint" in page.page.get_by_role("list", name="What happened").inner_text()
    page.button("Stop recording").click()
    page.button("Record").wait_for()
    expect(panel).to_contain_text(re.compile(r"Saved as cell_3-.*\.mcap: [\d,]+ samples"))
    until(lambda: [file for file in studio.folder.glob("cell_3-*.mcap") if file.stat().st_size > 10_000])


def test_thresholds_windows_and_payload(page: StudioPage, sender: Sender) -> None:
    page.tab("Live")
    page.page.get_by_role("figure", name="Residual").wait_for()
    residuals = page.page.get_by_role("list", name="Residuals")
    expect(residuals).to_contain_text("/ 15.0 N m")
    page.page.get_by_role("spinbutton", name="Threshold").fill("20")
    page.page.keyboard.press("Enter")
    expect(residuals).to_contain_text("/ 30.0 N m")
    page.page.get_by_role("combobox", name="Seconds shown").select_option("30")
    page.page.wait_for_timeout(1500)
    page.button("From what is shown").click()
    expect(residuals).not_to_contain_text("/ 30.0 N m")
    mass = page.page.get_by_role("spinbutton", name="Payload of the running robot in kilograms")
    mass.fill("-4")
    page.page.keyboard.press("Enter")
    expect(mass).to_have_attribute("aria-invalid", "true")
    assert mass.input_value() == "-4"
    mass.fill("5")
    page.page.keyboard.press("Enter")
    page.page.get_by_role("alert").filter(has_text="Alarm").wait_for()  # a payload that is not there
    mass.fill("0")
    page.page.keyboard.press("Enter")
    page.page.get_by_role("button", name="wrist_3_joint").click()
    page.page.get_by_role("figure", name="wrist_3_joint").wait_for(state="detached")


def test_a_sender_that_leaves_and_another_that_comes(
    open_page: Callable[..., StudioPage], studio: Any, pictures: Path
) -> None:
    page = open_page((1024, 768), "dark")
    page.ready()
    sender = Sender(studio.url, "cell 4")
    page.tab("Live")
    panel = page.page.get_by_role("tabpanel", name="Live")
    page.page.get_by_role("figure", name="Residual").wait_for()
    chooser = page.page.get_by_role("combobox", name="Stream")
    expect(chooser).to_contain_text("cell 4 (ur5)")
    expect(panel).to_contain_text(re.compile(r"\d+ samples a second"))
    page.page.screenshot(path=pictures / "live-dark.png")
    sender.close()
    expect(panel).to_contain_text("connection lost")
    expect(page.button("Record")).to_be_disabled()
    again = Sender(studio.url, "cell 4")
    expect(panel).to_contain_text(re.compile(r"\d+ samples a second"))
    again.close()
    page.tab("Pose")
    page.page.get_by_role("figure", name="Residual").wait_for(state="hidden")

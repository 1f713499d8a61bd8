"""The studio's page as a person uses it: controls by role and name, the picture by its pixels."""

from __future__ import annotations

import contextlib
import io
import re
from typing import TYPE_CHECKING

import numpy as np
from PIL import Image
from playwright.sync_api import TimeoutError as PlaywrightTimeout

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from playwright.sync_api import Locator, Page

AT_REST = 5_000
"""[ms] A picture that still moves after that moves by itself."""
QUICK_PROGRAM = """program quick;
var
  robtarg:a = robtarg(((786.9329, 402.9624, 632.855), (15, -60, -175.03779)));
  robtarg:b = robtarg(((836.9329, 252.9624, 632.855), (15, -60, -175.03779)));
endvar
seq
  move ptp a speed_ptp=0.8 acc_ptp=0.6 act_rob="lola_15";
  move lin b speed=900 acc=9000;
endseq
endprogram
"""
"""Two moves of Lola 15: the motors cannot do the second."""


class StudioPage:
    """One page of the studio."""

    def __init__(self, page: Page, complaints: list[str]) -> None:
        self.page = page
        self.complaints = complaints

    def ready(self, robot: str = "lola15") -> None:
        """Wait until the robot is drawn."""
        self.page.get_by_role("button", name=f"Choose robot, now {robot}").wait_for()
        self.page.wait_for_function("() => document.querySelector('.stage canvas').width > 300")
        self.settle()

    def settle(self) -> None:
        """Wait until what was asked for is drawn, and the picture stands, unless it moves on by itself."""
        self.page.evaluate(
            "() => new Promise(r => requestAnimationFrame(() => requestAnimationFrame(() => r())))"
        )
        with contextlib.suppress(PlaywrightTimeout):  # a running robot never stands
            self.page.wait_for_function(
                "() => document.querySelector('.stage canvas').dataset.picture !== 'moving'",
                timeout=AT_REST,
            )

    def button(self, name: str | re.Pattern[str], exact: bool = True) -> Locator:
        return self.page.get_by_role("button", name=name, exact=exact)

    def tab(self, name: str) -> None:
        self.page.get_by_role("tab", name=name).first.click()

    def show(self, layer: str, on: bool = True) -> None:
        self.button("Show").click()
        self.page.get_by_role("checkbox", name=layer).set_checked(on)
        self.page.keyboard.press("Escape")
        self.settle()

    @property
    def editor(self) -> Locator:
        return self.page.get_by_role("textbox", name="Program text")

    @property
    def line(self) -> str:
        """The number of the line that the cursor is in."""
        return self.page.locator(".cm-lineNumbers .cm-activeLineGutter").inner_text()

    def type_program(self, text: str) -> None:
        """Replace the program."""
        self.editor.click()
        self.page.keyboard.press("Control+a")
        self.page.keyboard.insert_text(text)

    def run(self, text: str | None = None) -> None:
        """Run a program and wait for its verdict."""
        if text is not None:
            self.type_program(text)
        self.button("Run").click()
        self.page.get_by_role("status", name="Verdict").wait_for()
        self.settle()

    def save_as(self, name: str) -> None:
        """Save the program under a name."""
        self.button("Save as").click()
        dialog = self.page.get_by_role("dialog", name="Save program")
        dialog.get_by_label("File name").fill(name)
        dialog.get_by_role("button", name="Save").click()
        dialog.wait_for(state="detached")

    def copied_command(self) -> str:
        """The command line that the page gives for what it shows."""
        self.page.evaluate("() => navigator.clipboard.writeText('')")
        self.button("Export").click()
        self.page.get_by_role("menuitem", name=re.compile("Command line")).click()
        self.page.wait_for_function("async () => (await navigator.clipboard.readText()) !== ''")
        return self.page.evaluate("() => navigator.clipboard.readText()")

    def pixels(self) -> NDArray[np.int16]:
        """(height, width, 3) the 3D picture as it is seen, legends and buttons left out."""
        self.settle()
        box = self.page.get_by_role("img", name=re.compile("The arm in 3D")).bounding_box()
        assert box is not None
        clip = {"x": box["x"], "y": box["y"] + 45, "width": box["width"], "height": box["height"] - 45}
        image = Image.open(io.BytesIO(self.page.screenshot(clip=clip, scale="css")))  # pyright: ignore[reportArgumentType]
        return np.asarray(image.convert("RGB"), dtype=np.int16)

    def torque(self, joint: str) -> float:
        """What holds a joint still, as the page says it."""
        text = self.page.get_by_role("status", name=f"Torque of {joint}").inner_text()
        return float(text.split()[0].replace("\u2212", "-"))


def changed(before: NDArray[np.int16], after: NDArray[np.int16]) -> float:
    """Share of the pixels that are clearly different."""
    return float((np.abs(before - after).max(axis=2) > 24).mean())


def coloured(pixels: NDArray[np.int16], colour: tuple[int, int, int], within: int = 40) -> int:
    """How many pixels have about this colour."""
    return int((np.abs(pixels - np.array(colour, dtype=np.int16)).max(axis=2) < within).sum())

"""A studio that runs, and a browser that looks at it."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from browser_page import StudioPage
from studio_process import StudioProcess

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
FLAGS = [  # software drawing, the last three make it quick
    "--no-sandbox",
    "--use-gl=angle",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--ignore-gpu-blocklist",
    "--disable-gpu-compositing",
    "--disable-gpu-rasterization",
    "--disable-accelerated-2d-canvas",
]
PATIENCE = 60_000  # milliseconds: a busy machine may be slow, a page that never answers is an error
expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip("no Chromium is here; install chromium to test the studio's page")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StudioProcess]:
    if CHROMIUM is None:
        pytest.skip("no Chromium is here; install chromium to test the studio's page")
    running = StudioProcess(tmp_path_factory.mktemp("studio"))
    running.start()
    yield running
    running.stop()


@pytest.fixture
def open_page(chromium: Browser, studio: StudioProcess) -> Iterator[Callable[..., StudioPage]]:
    """Opens pages; what they complain about in the console is an error of the test."""
    contexts: list[BrowserContext] = []
    complaints: list[str] = []

    def watched(page: Page) -> None:
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on(
            "console", lambda message: complaints.append(message.text) if message.type == "error" else None
        )

    def open_one(
        size: tuple[int, int] = (1280, 720), scheme: str = "light", url: str | None = None, fragment: str = ""
    ) -> StudioPage:
        context = chromium.new_context(
            viewport={"width": size[0], "height": size[1]},
            color_scheme="dark" if scheme == "dark" else "light",
            permissions=["clipboard-read", "clipboard-write"],
        )
        context.set_default_timeout(PATIENCE)
        contexts.append(context)
        page = context.new_page()
        watched(page)
        page.goto((url or studio.url) + fragment)
        return StudioPage(page, complaints)

    yield open_one
    for context in contexts:
        context.close()
    assert complaints == []


@pytest.fixture
def page(open_page: Callable[..., StudioPage]) -> StudioPage:
    """The page as it opens: Lola 15 and its program."""
    opened = open_page()
    opened.ready()
    return opened


@pytest.fixture(scope="session")
def pictures() -> Path:
    """Where screenshots are kept for people to look at."""
    folder = Path(__file__).parents[2] / "build" / "screenshots"
    folder.mkdir(parents=True, exist_ok=True)
    return folder

"""The page as a whole: names, sizes, colours, reconnecting."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from browser_page import QUICK_PROGRAM, StudioPage
from studio_process import StudioProcess

SMALL, LARGE, TABLET = (1280, 720), (1920, 1080), (1024, 768)
WINDOWS = [
    pytest.param(SMALL, "light", id="small-light"),
    pytest.param(TABLET, "dark", id="tablet-dark"),
    *(
        pytest.param(*window, id=name, marks=pytest.mark.slow)
        for name, window in {
            "small-dark": (SMALL, "dark"),
            "large-light": (LARGE, "light"),
            "large-dark": (LARGE, "dark"),
            "tablet-light": (TABLET, "light"),
        }.items()
    ),
]

UNNAMED = """() => {
  const labels = e => e.labels && [...e.labels].map(label => label.textContent).join('').trim();
  const name = e => e.getAttribute('aria-label') || e.textContent.trim() || labels(e);
  return [...document.querySelectorAll('button, input, select, [role=tab], [role=slider], [role=separator]')]
    .filter(e => !name(e)).map(e => e.outerHTML.slice(0, 120));
}"""

OUTSIDE = """() => [...document.querySelectorAll('button, input, select, h1, strong')].filter(e => {
  const b = e.getBoundingClientRect();
  if (!b.width || e.closest('[popover], .plot-grid')) return false;
  if (b.left < -1 || b.right > innerWidth + 1) return true;
  return !e.closest('.panel.scroll, .tab-panels') && (b.top < -1 || b.bottom > innerHeight + 1);
}).map(e => e.outerHTML.slice(0, 120))"""

CONTRAST = """() => {
  const numbers = text => (text.match(/[\\d.]+/g) || []).map(Number);
  const scaled = ([r, g, b, ...alpha]) => [255 * r, 255 * g, 255 * b, ...alpha];
  const rgb = text => text.startsWith('color(') ? scaled(numbers(text)) : numbers(text);
  const linear = v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
  const light = ([r, g, b]) => 0.2126 * linear(r / 255) + 0.7152 * linear(g / 255) + 0.0722 * linear(b / 255);
  const opaque = colour => colour.length === 3 || colour[3] > 0.85;
  const ground = e => {
    for (let n = e; n; n = n.parentElement || n.getRootNode().host) {
      const colour = rgb(getComputedStyle(n).backgroundColor);
      if (opaque(colour)) return colour;
    }
    return [255, 255, 255];
  };
  const says = e => [...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim());
  const poor = [];
  const look = root => {
    for (const e of root.querySelectorAll('*')) {
      if (e.shadowRoot) look(e.shadowRoot);
      if (!says(e) || !e.getClientRects().length || e.closest(':disabled, [aria-hidden=true], svg')) continue;
      const [a, b] = [light(rgb(getComputedStyle(e).color)), light(ground(e))].sort((x, y) => y - x);
      const ratio = (a + 0.05) / (b + 0.05);
      if (ratio < 4.5) poor.push([e.textContent.trim().slice(0, 30), e.className, ratio.toFixed(2)]);
    }
  };
  look(document);
  return poor;
}"""

FOCUSED = """() => {
  const e = document.activeElement;
  return e.getAttribute('aria-label') || e.innerText || e.className;
}"""


@pytest.mark.parametrize(("size", "scheme"), WINDOWS)
def test_it_fits_and_can_be_read(
    open_page: Callable[..., StudioPage], size: tuple[int, int], scheme: str, pictures: Path
) -> None:
    page = open_page(size, scheme)
    page.ready()
    page.run()  # with all that there is to say of Lola 15
    page.page.get_by_role("list", name="Violations").get_by_role("button").first.click()
    page.settle()
    for tab in ("Program", "Pose", "Studies", "Live"):
        page.tab(tab)
        if tab == "Pose":
            page.page.wait_for_function("() => document.querySelector('.bar-value').textContent")
        page.page.screenshot(path=pictures / f"{tab.lower()}-{size[0]}x{size[1]}-{scheme}.png")
        assert page.page.evaluate(OUTSIDE) == []
        assert page.page.evaluate(CONTRAST) == []
    assert page.page.evaluate(
        "() => [scrollX, scrollY, document.documentElement.scrollWidth - innerWidth]"
    ) == [0, 0, 0]


def test_every_control_has_a_name(page: StudioPage) -> None:
    page.run(QUICK_PROGRAM)
    for tab in ("Program", "Pose", "Studies", "Live"):
        page.tab(tab)
        assert page.page.evaluate(UNNAMED) == []


def test_the_theme_can_be_switched(page: StudioPage) -> None:
    shown = "() => document.documentElement.dataset.theme"
    assert page.page.evaluate(shown) == "light"
    page.button("Theme: system").click()
    page.button("Theme: light").click()
    assert page.page.evaluate(shown) == "dark"
    page.page.reload()
    page.ready()
    assert page.page.evaluate(shown) == "dark"


def test_all_is_reached_by_tab_key(page: StudioPage) -> None:
    reached = set()
    for _ in range(60):
        page.page.keyboard.press("Tab")
        element = page.page.evaluate(FOCUSED)
        reached.add(str(element).strip())
        if "editor" in str(element):
            page.page.keyboard.press("Escape")
    for name in ("Export", "Show", "Front view", "Fit", "Program", "Run"):
        assert name in reached, sorted(reached)


def test_it_reconnects_after_a_restart(chromium: Browser, tmp_path: Path) -> None:
    studio = StudioProcess(tmp_path)
    studio.start()
    context = chromium.new_context()
    page = StudioPage(context.new_page(), [])
    try:
        page.page.goto(studio.url)
        page.ready()
        studio.stop()
        connection = page.page.get_by_role("status", name="Connection")
        expect(connection).to_contain_text("lost")
        page.button("Run").click()
        expect(page.page.get_by_role("status", name="Progress")).to_contain_text("begun again")
        studio.start()
        expect(connection).to_have_text("connected", timeout=30_000)
        expect(page.page.get_by_role("status", name="Verdict")).to_contain_text("Not feasible")
        expect(page.page.get_by_label("Messages")).to_be_empty()
        page.tab("Pose")
        page.page.get_by_role("slider", name="joint1 position").fill("20")
        expect(page.page.get_by_role("status", name="Torque of joint2")).to_have_text(re.compile("N m"))
    finally:
        context.close()
        studio.stop()

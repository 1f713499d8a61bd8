"""What the lines and marks of the figures mean, and the buttons that go with them."""

from __future__ import annotations

from armdyn.report.markup import Markup, element

DOTS, CROSSES = "M10 5h0M18 7h0M26 4h0", "M10 2l6 6m0-6l-6 6M22 2l6 6m0-6l-6 6"
LINE = "M1 5H35"


def path_legend(violated: bool) -> Markup:
    """Of the picture in space."""
    exceeded = [_key("path exceeded", "programmed, beyond a limit")] if violated else []
    return _legend(
        _key("path programmed", "programmed"),
        _key("path achieved", "achieved"),
        *exceeded,
        _key("arm", "arm"),
        element("span", "numbers: ends of moves; grid: the floor z = 0"),
    )


def plot_legend(has_lines: bool) -> Markup:
    """Of the plots over time."""
    numbers = "lines of the program" if has_lines else "moves"
    return _legend(
        _key("curve programmed", "required or programmed"),
        _key("curve achieved", "achieved"),
        _key("limit", "limit"),
        _swatch("exceeded", "required beyond the limit"),
        element("span", f"numbers above: {numbers}; upright lines: ends of moves"),
    )


def scatter_legend() -> Markup:
    """Of torque over speed."""
    return _legend(
        _key("dots programmed", "required, inside", DOTS),
        _key("crosses", "required, beyond a limit", CROSSES),
        _key("dots achieved", "achieved", DOTS),
        _swatch("envelope", "what the motor can do"),
    )


def _legend(*keys: Markup) -> Markup:
    return element("div", *keys, class_="legend")


def _key(kind: str, name: str, drawn: str = LINE) -> Markup:
    """A piece of line, drawn as in the figure."""
    line = element("path", class_=kind, d=drawn)
    box = element("svg", line, viewBox="0 0 36 10", width=36, height=10, aria_hidden="true")
    return element("span", box, name)


def _swatch(kind: str, name: str) -> Markup:
    return element("span", element("i", class_=f"swatch {kind}", aria_hidden="true"), name)


# Buttons, which only show where scripts run ----------------------------------------------------


def picture_buttons() -> Markup:
    """Views and zoom of the picture in space."""
    views = (("front", "Front"), ("side", "Side"), ("top", "Top"), ("free", "Oblique"))
    return element(
        "div",
        *(_button(word, data_turn=view) for view, word in views),
        _button("+", data_zoom="in", aria_label="Zoom in"),
        _button("−", data_zoom="out", aria_label="Zoom out"),  # noqa: RUF001
        element("span", "drag or arrow keys turn, + and - zoom", class_="hint"),
        class_="buttons scripted",
    )


def time_controls(end: float) -> Markup:
    """One cursor and one window of time for all plots and the picture."""
    windows = element(
        "span",
        _button("+", data_time="in", aria_label="Zoom in on time"),
        _button("−", data_time="out", aria_label="Zoom out of time"),  # noqa: RUF001
        _button("All", data_time="all", aria_label="Show all of the time"),
        class_="buttons",
    )
    return element(
        "div",
        _button("▶ Play", id="play"),
        element(
            "input", type="range", id="cursor", min=0, max=1000, step="any", value=0, aria_label="Instant"
        ),
        element("output", f"0 to {end:.3f} s", id="instant", aria_live="off"),
        windows,
        element("span", "drag in a plot to zoom", class_="hint"),
        class_="controls scripted",
    )


def _button(word: str, **attributes: object) -> Markup:
    return element("button", word, type="button", **attributes)

# SPDX-License-Identifier: Apache-2.0
"""Pages that commands write, in a browser: the charts have the figures of the answer.

The place and the colour of a point are read from the canvas, its words from what a
screen reader is told. The pages are files: nothing serves them.
"""

from __future__ import annotations

import gzip
import itertools
import math
import re
import shutil
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest
from browsing import NEEDS_BROWSER, assert_accessible, gather_errors
from shell import objects, samara
from vectorfile import ROOT

from samara.records import html_page, report_script
from samara.records.charts import Axis, Chart, Draws, Point, Series, line
from samara.records.parts import Heading, Plot, Section

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Locator, Page

pytestmark = NEEDS_BROWSER

SOURCES = ("grain128ple", "bad-counter")
_AT_RING = """frame => {
  const canvas = frame.querySelector("canvas");
  const ring = frame.querySelector(".ring");
  const [left, top] = [parseFloat(ring.style.left), parseFloat(ring.style.top)];
  const pixel = canvas.getContext("2d").getImageData(
    Math.round(left * devicePixelRatio), Math.round(top * devicePixelRatio), 1, 1);
  return {left, top, pixel: [...pixel.data]};
}"""
_COLOUR = """(frame, name) => {
  const probe = frame.appendChild(document.createElement("i"));
  probe.style.color = `var(${name})`;
  const found = getComputedStyle(probe).color;
  probe.remove();
  return found;
}"""


@dataclass(frozen=True)
class Reached:
    """A point that was reached by keyboard."""

    tip: str
    left: float
    top: float
    pixel: list[int]
    """Red, green, blue and opacity in its middle."""


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Return what commands print, by the page that they write."""
    folder = tmp_path_factory.mktemp("pages")
    runs = folder / "runs"
    runs.mkdir()
    for name in SOURCES:
        shutil.copy(ROOT / "results" / "randomness" / f"{name}.jsonl", runs)
    papers = ("--paper", "modspeck", "--paper", "link-security")
    asked = {
        "bench": ("bench", "report", *papers, "-o", "bench"),
        "chip": ("chip", "report", "-o", "chip"),
        "randomness": ("randomness", "report", runs, "-o", "randomness"),
        "life": ("energy", "life", "--compare", "6", "--html", "life.html"),
        "advise": ("advise", "--bytes", "20", "--years", "1", "--html", "advise.html"),
    }
    found: dict[str, Any] = {"folder": folder}
    for name, words in asked.items():
        done = samara(*words, "--json", folder=folder)
        assert done.returncode == 0, done.stderr
        found[name] = objects(done.stdout)
    return found


PAGES = {
    "bench": "bench/index.html",
    "chip": "chip/index.html",
    "randomness": "randomness/index.html",
    "life": "life.html",
    "advise": "advise.html",
}


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """Return a page that fails the test if it has an error or asks for anything."""
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    errors = gather_errors(page)
    asked: list[str] = []
    page.on("request", lambda each: asked.append(each.url))
    yield page
    page.close()
    assert errors == []
    assert [each for each in asked if not each.endswith(".html")] == []


def opened(page: Page, path: Path) -> None:
    page.goto(path.as_uri())
    page.locator("[data-plot] .frame canvas").first.wait_for()


def chart_of(page: Page, plot: str, number: int = 0) -> Locator:
    """Return the frame of a chart."""
    return page.locator(f'[data-plot="{plot}"] .frame').nth(number)


def reached(frame: Locator, *keys: str) -> Reached:
    """Go to a point by keyboard; the first key reaches the first point."""
    frame.focus()
    frame.press("Escape")
    for key in keys:
        frame.press(key)
    tip = frame.locator(".tip").inner_text()
    return Reached(tip, **frame.evaluate(_AT_RING))


def points_of(frame: Locator, series: int, count: int) -> list[Reached]:
    """Return all points of a series."""
    down = ("ArrowRight", *["ArrowDown"] * series, "Home")
    return [reached(frame, *down, *["ArrowRight"] * at) for at in range(count)]


def colour_of(frame: Locator, name: str) -> list[int]:
    """Return red, green and blue of a variable of the style sheet."""
    return [int(each) for each in re.findall(r"\d+", frame.evaluate(_COLOUR, name))]


def has_colour(
    frame: Locator, point: Reached, name: str, over: str | None = None
) -> bool:
    """Return whether the middle of a point has a colour of the style sheet.

    Parameters
    ----------
    over
        What is seen through a point that belongs to no line.
    """
    wanted: list[float] = [*colour_of(frame, name)]
    if over is not None:
        pairs = zip(wanted, colour_of(frame, over), strict=True)
        wanted = [0.65 * own + 0.35 * below for own, below in pairs]
    return point.pixel[:3] == pytest.approx(wanted, abs=8)


def test_the_chips_areas_are_drawn_where_they_belong(
    page: Page, reports: dict[str, Any]
) -> None:
    opened(page, reports["folder"] / PAGES["chip"])
    (table,) = [each for each in reports["chip"] if each.get("slug") == "chip-area"]
    rows = [row for row in table["rows"] if "SkyWater" in row["library"]]
    legend = page.locator('[data-plot="chip-area-by-n"] figcaption li')
    names = [each.strip() for each in legend.all_inner_texts()]
    series = next(at for at, name in enumerate(names) if "SkyWater" in name)
    frame = chart_of(page, "chip-area-by-n")
    found = points_of(frame, series, len(rows))
    areas = [row["ours, smallest [GE]"]["value"] for row in rows]
    widths = [int(row["N"]) for row in rows]
    assert [each.tip.splitlines()[0] for each in found] == [
        f"{names[series]}: {area:,.0f} GE at {n} bit a clock"
        for area, n in zip(areas, widths, strict=True)
    ]
    assert all(has_colour(frame, each, f"--series-{series}") for each in found)
    # N from 1 to 64 asks for a logarithm, the areas do not.
    places = [(each.left - found[0].left) for each in found]
    assert places == pytest.approx(
        [places[-1] * math.log2(n) / 6 for n in widths], abs=1
    )
    heights = [(found[0].top - each.top) for each in found]
    whole = areas[-1] - areas[0]
    assert heights == pytest.approx(
        [heights[-1] * (area - areas[0]) / whole for area in areas], abs=1
    )


def test_figures_of_a_paper_are_hollow_beside_ours(
    page: Page, reports: dict[str, Any]
) -> None:
    opened(page, reports["folder"] / PAGES["bench"])
    frame = chart_of(page, "link-security-fig8")
    # The engine at 95 bytes, as the paper prints it.
    theirs = reached(frame, "ArrowRight", "ArrowDown")
    assert theirs.tip.startswith("CCM*, paper: 1.44 ms at 95 bytes\npublished")
    assert has_colour(frame, theirs, "--card")
    ours = reached(frame, "ArrowRight")
    assert ours.tip.startswith("CCM*, ours: ")
    assert has_colour(frame, ours, "--series-0")


def test_ciphers_have_a_line_each(page: Page, reports: dict[str, Any]) -> None:
    opened(page, reports["folder"] / PAGES["bench"])
    (table,) = [each for each in reports["bench"] if each.get("slug") == "modspeck-uno"]
    rates: dict[str, float] = {}
    for row in table["rows"]:
        if row["by"] == "samara":
            rate = row["throughput [Mbit/s, with set-up]"]["value"]
            rates.setdefault(f"{row['cipher']}-{row['key'].split()[0]}", rate)
    frame = chart_of(page, "modspeck-fig3")
    found = points_of(frame, 1, len(rates))
    for point, (name, rate) in zip(found, rates.items(), strict=True):
        point_text = re.match(r"(\S+), samara, with set-up: ([\d.]+) Mbit/s", point.tip)
        assert point_text is not None, point.tip
        assert point_text[1] == name
        assert float(point_text[2]) == pytest.approx(rate, abs=0.006)
    steps = [b.top - a.top for a, b in itertools.pairwise(found)]
    assert steps == pytest.approx([steps[0]] * 11, abs=0.1)
    assert steps[0] > 20
    # Equal steps, as the rates are not twenty times apart.
    places = [point.left - found[0].left for point in found]
    first, third = next(iter(rates.values())), list(rates.values())[3]
    scale = places[3] / (third - first)
    assert places == pytest.approx(
        [scale * (rate - first) for rate in rates.values()], abs=7
    )
    assert has_colour(frame, found[0], "--series-2", over="--line")


def test_p_values_are_those_of_the_run(page: Page, reports: dict[str, Any]) -> None:
    """The chart is that of the console's table."""
    opened(page, reports["folder"] / PAGES["randomness"])
    bad = "randomness-bad-counter-sts-histograms"
    title = page.locator(f'[data-plot="{bad}"] figcaption strong').inner_text()
    assert re.match(r"p-values in ten classes: [\d,]+ of [\d,]+ shares", title)
    page.locator(f'[data-plot="{bad}"] summary').click()
    rows = page.locator(f'[data-plot="{bad}"] tbody tr')
    cells = rows.filter(has_text="frequency, p from 0.9").first.locator("td")
    run = [
        each
        for each in objects(
            (ROOT / "results/randomness/bad-counter.jsonl").read_bytes()
        )
        if each.get("test") == "frequency"
    ]
    share = run[0]["histogram"][9] / run[0]["sequences"]
    assert float(cells.nth(1).inner_text()) == pytest.approx(share, rel=0.01)
    shares = chart_of(page, "randomness-grain128ple-sts-proportions")
    first = reached(shares, "ArrowRight", "ArrowDown", "Home")
    assert re.match(r"frequency: 0\.9\d+ at 1\b", first.tip)
    assert has_colour(shares, first, "--series-0")


def test_lives_of_a_command_have_their_ranges(
    page: Page, reports: dict[str, Any]
) -> None:
    opened(page, reports["folder"] / PAGES["life"])
    lifetimes = [each for each in reports["life"] if each["type"] == "battery_life"]
    frame = chart_of(page, "charts")
    found = points_of(frame, 0, len(lifetimes))
    for each, point in zip(lifetimes, found, strict=True):
        low, median, high = (
            each["life"][name]["value"] for name in ("low", "median", "high")
        )
        figures = [float(text) for text in re.findall(r"\d+\.\d+", point.tip)[:3]]
        assert figures == pytest.approx([median, low, high], rel=0.005)
        assert point.tip.startswith(each["name"])
        assert has_colour(frame, point, "--series-0")


def test_advice_is_drawn_as_the_console_does(
    page: Page, reports: dict[str, Any]
) -> None:
    opened(page, reports["folder"] / PAGES["advise"])
    (advice,) = [each for each in reports["advise"] if each["type"] == "advice"]
    best = advice["recommended"]
    legend = page.locator('[data-plot="charts"] figcaption li').all_inner_texts()
    series = [each.strip() for each in legend].index("recommended")
    frame = chart_of(page, "charts")
    point = reached(frame, "ArrowRight", *["ArrowDown"] * series)
    energy_uj = best["security_energy"]["value"] * 1e6
    assert point.tip.startswith(f"{best['suite']}, {best['layer']} layer, ")
    shown = re.search(r": ([\d.,]+) µJ at ([\d,]+) bytes", point.tip)
    assert shown is not None
    assert float(shown[1].replace(",", "")) == pytest.approx(energy_uj, rel=0.005)
    assert shown[2] == f"{best['flash_bytes']:,}"


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("width", [380, 1280])
def test_nothing_is_wider_than_the_screen_and_axe_finds_nothing(
    page: Page, reports: dict[str, Any], name: str, width: int
) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    opened(page, reports["folder"] / PAGES[name])
    assert_accessible(page, width)


def test_a_change_to_dark_draws_again(page: Page, reports: dict[str, Any]) -> None:
    page.emulate_media(color_scheme="light")
    opened(page, reports["folder"] / PAGES["life"])
    frame = chart_of(page, "charts")
    light = reached(frame, "ArrowRight")
    assert has_colour(frame, light, "--series-0")
    page.emulate_media(color_scheme="dark")
    page.wait_for_timeout(200)
    dark = reached(frame, "ArrowRight")
    assert has_colour(frame, dark, "--series-0")
    assert dark.pixel != light.pixel


def test_a_page_is_printed_with_its_charts(page: Page, reports: dict[str, Any]) -> None:
    opened(page, reports["folder"] / PAGES["chip"])
    page.emulate_media(media="print")
    assert page.locator("nav").is_hidden()
    assert chart_of(page, "chip-area-by-n").locator("canvas").is_visible()
    assert page.pdf(format="A4").startswith(b"%PDF")


def test_without_a_script_a_page_has_its_answer_and_tables(
    browser: Browser, reports: dict[str, Any]
) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto((reports["folder"] / PAGES["chip"]).as_uri())
    assert page.locator("p.answer").first.is_visible()
    assert page.locator("#chip-area tbody tr").first.is_visible()
    said = page.locator('[data-plot="chip-area-by-n"]')
    assert "Area by N" in said.inner_text()
    assert "drawn by a script, which your browser does not run" in said.inner_text()
    context.close()


def test_the_script_of_charts_is_small() -> None:
    sizes = {
        each.name: len(gzip.compress(each.read_bytes()))
        for each in report_script.FOLDER.iterdir()
    }
    assert set(sizes) == {"report.js", "report.css"}
    assert 10_000 < sum(sizes.values()) <= 60_000


HOSTILE = "</script><img src=x onerror='window.hurt=1'><script>window.hurt=1</script>"


def test_hostile_text_does_nothing(page: Page, tmp_path: Path) -> None:
    point = Point(1, 2, label=HOSTILE, source=HOSTILE)
    series = [Series(HOSTILE, [point], Draws.POINTS), line("b", [1, 2], [3, 4])]
    chart = Chart(HOSTILE, Axis(HOSTILE), Axis("y", names=[HOSTILE] * 5), series)
    plots = [Plot("a", HOSTILE, [chart], HOSTILE), Plot("empty", "none", [])]
    section = Section("s", HOSTILE, HOSTILE, "", HOSTILE, HOSTILE, [*plots])
    path = tmp_path / "page.html"
    path.write_text(html_page.as_html(Heading(HOSTILE), [section]), encoding="utf-8")
    opened(page, path)
    frame = chart_of(page, "a")
    assert HOSTILE in reached(frame, "ArrowRight").tip
    page.locator("summary").click()
    # As the name of its line is its own as well.
    assert page.locator("tbody th").first.inner_text() == HOSTILE
    assert page.evaluate("window.hurt") is None
    assert page.locator("img").count() == 0
    # What has nothing to show leaves no gap.
    assert page.locator("#empty").count() == 0

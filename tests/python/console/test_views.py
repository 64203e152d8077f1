# SPDX-License-Identifier: Apache-2.0
"""The views of figures in a real browser: what commands print is on the page."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from browsing import (
    LONGEST_MS,
    NEEDS_BROWSER,
    Served,
    assert_accessible,
    gather_errors,
)
from shell import assert_done, samara

pytest.importorskip("playwright.sync_api")

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page

pytestmark = NEEDS_BROWSER

VIEWS = ("Talk", "Cost", "Choose", "Tables", "About")
# Views that ask for an answer as soon as they are shown.
ANSWERING = ("Cost", "Choose", "Tables")


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    served = Served(tmp_path_factory.mktemp("state"))
    yield served
    assert served.end() == 0


@pytest.fixture(scope="module")
def errors() -> list[str]:
    """Return the errors of the page that no test has expected."""
    return []


@pytest.fixture(scope="module")
def visited(browser: Browser, served: Served, errors: list[str]) -> Iterator[Page]:
    """Return a page that has access; its errors are gathered."""
    context = browser.new_context(accept_downloads=True)
    page = context.new_page()
    page.set_default_timeout(LONGEST_MS)
    gather_errors(page, errors)
    page.goto(served.address())
    page.get_by_role("button", name="End the tour").click()
    yield page
    context.close()
    assert errors == []


@pytest.fixture
def page(visited: Page) -> Page:
    visited.set_viewport_size({"width": 1280, "height": 900})
    go(visited, "#/about")
    visited.get_by_role("heading", name="What it protects against").wait_for()
    return visited


def go(page: Page, address: str) -> None:
    page.evaluate("address => { location.hash = address }", address)


def printed(*arguments: str) -> list[dict[str, Any]]:
    done = assert_done(samara(*arguments, "--json", folder=Path.cwd()))
    return [json.loads(line) for line in done.splitlines()]


def until_answered(page: Page) -> None:
    page.get_by_role("button", name="Copy: the command", exact=True).wait_for()
    page.locator("progress").first.wait_for(state="detached")


def test_a_table_has_the_figures_of_the_command(page: Page) -> None:
    go(page, "#/tables/energy.life.life?interval=2min&draws=50&compare=none")
    until_answered(page)
    asked = ("energy", "life", "--interval", "120", "--draws", "50")
    life, without = printed(*asked)
    row = page.locator("tbody tr").first
    for each in ("low", "median", "high"):
        row.get_by_text(f"{life['life'][each]['value']:.3g}").first.wait_for()
    assert row.locator("td").nth(1).inner_text() == str(life["frame_bytes"])
    last = page.locator("tbody tr").nth(1).locator("td").nth(1)
    assert last.inner_text() == str(without["frame_bytes"])
    command = "samara energy life --interval 2min --compare none --draws 50"
    page.get_by_text(command, exact=True).wait_for()


def test_a_table_is_sorted_searched_and_taken_away(page: Page, tmp_path: Path) -> None:
    go(page, "#/tables/bench.device_list.list_devices")
    until_answered(page)
    devices = printed("bench", "devices")
    section = page.locator("section").first
    rows = section.locator("tbody tr")
    assert rows.count() == len(devices)

    head = section.get_by_role("columnheader", name=re.compile("^RAM"))
    head.get_by_role("button").click()
    assert head.get_attribute("aria-sort") == "ascending"
    sizes = sorted(each["ram_bytes"] for each in devices)
    assert ram_in(section) == sizes
    head.get_by_role("button").press("Enter")
    assert head.get_attribute("aria-sort") == "descending"
    assert ram_in(section) == sizes[::-1]

    go(page, "#/tables/bench.show.show?device=atmega328p&message=16&ad=0&opt=Os")
    page.get_by_role("heading", name="device atmega328p").wait_for()
    until_answered(page)
    section = page.locator("section").first
    section.get_by_label("Search").fill("ascon")
    section.get_by_text(re.compile(r"^\d+ of \d+ rows$")).wait_for()
    names = section.locator("tbody tr td:first-child").all_inner_texts()
    assert names
    assert all("ascon" in name for name in names)
    section.get_by_role("button", name="Command of").first.click()
    command = section.get_by_role("region", name="the command that makes the row")
    row = "samara bench run --device atmega328p --suite ascon-aead128 --implementation"
    assert command.inner_text().startswith(row)
    assert command.inner_text().endswith(" --opt Os --message 16 --ad 0")
    with page.expect_download() as downloading:
        section.get_by_role("button", name="CSV").click()
    path = tmp_path / "taken.csv"
    downloading.value.save_as(path)
    with path.open(encoding="utf-8", newline="") as file:
        taken = list(csv.DictReader(file))
    assert [row["suite"] for row in taken] == [name.strip() for name in names]


def ram_in(section: Any) -> list[int]:  # noqa: ANN401 - Playwright's locator
    heads = [
        re.sub(r"\s+.*", "", text.strip())
        for text in section.get_by_role("columnheader").all_inner_texts()
    ]
    column = heads.index("RAM") + 1
    cells = section.locator(f"tbody tr td:nth-child({column})").all_inner_texts()
    return [int(text.strip().replace(",", "")) for text in cells]


def test_the_cost_of_a_message_is_that_of_the_command(page: Page) -> None:
    go(page, "#/cost?bytes=95&tag=16")
    page.get_by_role("list", name="Energy of cipher and radio").wait_for()
    until_answered(page)
    costs = printed("energy", "receipts", "--bytes", "95", "--tag", "16")
    plain = next(each for each in costs if each["type"] == "message_cost")
    bars = page.get_by_role("listitem").filter(has_text="no security")
    bars.get_by_text(f"{plain['energy']['value'] * 1e6:.0f} µJ").wait_for()
    paper = next(each for each in costs if each["type"] == "published_cost")
    mark = page.get_by_role("listitem").filter(has_text=paper["what"])
    mark.get_by_text(f"{paper['crypto_energy']['value'] * 1e6:.0f} µJ").wait_for()
    page.get_by_role("button", name="Bytes on the air").click()
    bars.get_by_text(f"{plain['air_bytes']['value']:g} byte").wait_for()
    bars.get_by_role("button", name=re.compile("message: 95 byte")).press("Enter")
    page.get_by_text("counted in the encoded frames").first.wait_for()


def test_advice_is_that_of_the_command(page: Page) -> None:
    go(page, "#/choose?device=atmega328p&bytes=20&interval=10min&years=1")
    page.locator(".sentence").wait_for(timeout=2 * LONGEST_MS)
    asked = ("--device", "atmega328p", "--bytes", "20", "--interval", "600")
    advice, *_ = printed("advise", *asked, "--years", "1")
    assert page.locator(".sentence").inner_text() == advice["sentence"]
    for command in advice["commands"]:
        page.get_by_text(command, exact=True).first.wait_for()
    chart = page.get_by_role("application", name=re.compile("What security takes"))
    chart.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.locator(".picked").wait_for()
    page.get_by_role("application", name=re.compile("Life of the battery")).wait_for()


def test_a_week_is_gone_through_by_keyboard(page: Page) -> None:
    go(page, "#/network")
    page.get_by_label("Nodes besides the sink").fill("5")
    page.get_by_role("button", name="Simulate a week").click()
    slider = page.get_by_role("slider")
    slider.wait_for()
    output = printed("energy", "timeline", "--nodes", "5", "--step", "3")
    steps = [each for each in output if each["type"] == "network_timeline_step"]
    assert slider.get_attribute("aria-valuetext") == "day 1, 00:00 to 03:00"
    assert page.locator(".map button").count() == 5

    slider.focus()
    page.keyboard.press("End")
    page.keyboard.press("ArrowLeft")
    assert slider.get_attribute("aria-valuetext") == "day 7, 18:00 to 21:00"
    page.get_by_text(f"Node {steps[-2]['busiest']} took the most energy").wait_for()
    page.get_by_role("button", name="Node 4").press("Enter")
    node = page.get_by_role("region", name="Node 4 in this time")
    sent, again = steps[-2]["sent"][3], steps[-2]["repeated"][3]
    node.get_by_text(f"{sent}, {again} of them again").wait_for()

    # Single hops of the same time, one after the other.
    listed = printed("energy", "timeline", "--nodes", "5", "--step", "3", "--hops", "9")
    (of_time,) = (
        each["hops"]
        for each in listed
        if each["type"] == "network_timeline_step" and each["end_h"] == 165
    )
    hops = page.get_by_role("group", name="Single transmissions")
    hops.get_by_role("button", name="Next").press("Enter")
    hops.get_by_text("Transmission 2 of the first 100").wait_for()
    second = of_time[1]
    hops.get_by_text(f"ode {second['sender']} sent a").wait_for()
    drawn = page.locator(".map line.hop")
    marks = {each.get_attribute("data-hop") for each in drawn.all()}
    if second["receiver"] is not None:
        assert marks == {f"{second['sender']}-{second['receiver']}"}
    assert all(each.startswith(f"{second['sender']}-") for each in marks if each)

    # At the end, play begins anew, and goes on until somebody pauses it.
    slider.focus()
    page.keyboard.press("End")
    page.get_by_role("button", name="Play").press("Enter")
    page.get_by_role("strong").filter(has_text=re.compile("^day [1-6],")).wait_for()
    page.get_by_role("button", name="Pause").press("Enter")
    page.get_by_role("button", name="Play").wait_for()


def test_advice_that_fits_nothing_says_what_to_relax(page: Page) -> None:
    go(page, "#/choose?device=atmega328p&interval=1s&years=20&mac=contikimac")
    page.locator(".answer.none").wait_for(timeout=2 * LONGEST_MS)
    assert "--years" in page.locator(".sentence").inner_text()


def test_what_cannot_be_answered_is_a_sentence(page: Page, errors: list[str]) -> None:
    with page.expect_console_message(lambda each: "409" in each.text):
        go(page, "#/tables/energy.life.life?device=nonsense")
    page.get_by_role("alert").get_by_text("nonsense").wait_for()
    # The browser tells each status that is no success.
    refused = errors.pop()
    assert "409 (Conflict)" in refused


def test_p_values_are_those_of_the_command(page: Page) -> None:
    go(page, "#/tables/p-values?source=bad:lcg")
    tests = [
        each
        for each in printed("randomness", "show", "bad:lcg")
        if each["type"] == "randomness_test"
    ]
    whole = [each for each in tests if each["sequences"] == 20]
    shares = f"of {10 * len(whole):,} shares are outside"
    page.get_by_role("application", name=re.compile(shares)).wait_for()
    page.get_by_text(f"{len(tests)} of {len(tests)} rows").wait_for()
    page.get_by_text("The same as a table").press("Enter")
    rows = page.locator("figure tbody tr")
    rows.nth(10 * len(whole)).wait_for()
    # The uniform distribution has a row for each class, too.
    assert rows.count() == 10 * len(whole) + 10
    shown = rows.filter(has_text="spectral, p from 0 to 0.1").locator("td").nth(1)
    (spectral,) = (each for each in tests if each["test"] == "spectral")
    assert float(shown.inner_text()) == spectral["histogram"][0] / 20


def test_published_figures_are_beside_those_of_the_same_message(page: Page) -> None:
    go(page, "#/tables/cycles-published")
    page.get_by_role("application", name=re.compile("^Cycles to set up")).wait_for()
    page.get_by_text("The same as a table").press("Enter")
    rows = page.locator("figure tbody tr").filter(has_text="published: Grain-128AEAD")
    printed_rows = [
        each["cells"]
        for each in printed("bench", "published", "--paper", "grain128aead")
        if each.get("file") == "grain128aead_mcu.csv"
    ]
    figures = {
        (cells["cipher"], int(cells["code_bytes"]), int(cells["total_cycles"]))
        for cells in printed_rows
        if cells["processor"] == "ATmega128" and cells["total_cycles"]
    }
    rows.nth(len(figures) - 1).wait_for()
    texts = [row.locator("th, td").all_inner_texts()[:3] for row in rows.all()]
    shown = {
        (name, *(f"{float(each.replace(',', '')):.3g}" for each in both))
        for name, *both in texts
    }
    assert shown == {(name, f"{x:.3g}", f"{y:.3g}") for name, x, y in figures}
    go(page, "#/tables/cycles")
    page.get_by_text("the next table has published figures").wait_for()


def test_what_is_required_is_asked_for_before_anything_is_computed(page: Page) -> None:
    go(page, "#/tables/link.ieee802154.frames.single.inspect_frame")
    page.get_by_text("Fill in Frame, then press Show.").wait_for()
    assert page.get_by_role("alert").count() == 0
    page.get_by_label("Frame", exact=True).fill("0200 05")
    page.get_by_role("button", name="Show", exact=True).click()
    tree = page.locator(".remarks p").first.inner_text().splitlines()
    assert tree[0] == "frame of 3 bytes"
    assert tree[-1] == "└── sequence number: 5"


@pytest.mark.parametrize("name", ["bench.show.show", "chip.choosing.list_cores"])
def test_the_selector_names_the_table_that_is_shown(page: Page, name: str) -> None:
    asked = "?device=atmega328p&suite=aes128" if name == "bench.show.show" else ""
    go(page, f"#/tables/{name}{asked}")
    page.get_by_role("heading", level=2).first.wait_for()
    assert page.locator(".head select").input_value() == name


def test_keyboard_alone_goes_everywhere(page: Page) -> None:
    page.get_by_role("link", name="Tables", exact=True).first.focus()
    page.keyboard.press("Enter")
    page.locator(".head select").wait_for()
    assert page.evaluate("document.activeElement.tagName") == "MAIN"
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.tagName") == "SELECT"


# Notes each change of the page in which a table was shown without its chart.
WATCH_CHARTS = """() => {
  window.without = 0;
  new MutationObserver(() => {
    const shown = document.querySelector("main [role=region] tbody tr");
    if (shown && !document.querySelector("main figure")) window.without += 1;
  }).observe(document.querySelector("main"), { childList: true, subtree: true });
}"""


def test_a_table_comes_with_its_chart_and_stays_where_it_is(page: Page) -> None:
    page.evaluate(WATCH_CHARTS)
    go(page, "#/tables/cycles")
    until_answered(page)
    page.get_by_role("application").wait_for()
    assert page.locator("main [role=region] tbody tr").count() > 1
    assert page.evaluate("window.without") == 0


# What Tab is on: a number of its own, its name, and whether it is seen, with a ring.
FOCUSED = """() => {
  const at = document.activeElement;
  if (at === null || at === document.body) return null;
  window.stops ??= new Map();
  if (!window.stops.has(at)) window.stops.set(at, window.stops.size);
  const box = at.getBoundingClientRect();
  return {
    number: window.stops.get(at),
    name: at.getAttribute("aria-label") || at.labels?.[0]?.innerText || at.innerText,
    isSeen: box.width > 0 && box.bottom > 0 && box.top < innerHeight,
    hasRing: getComputedStyle(at).outlineStyle !== "none",
  };
}"""


@pytest.mark.parametrize("view", ["Talk", "Network", "Cost", "Choose", "Tables"])
def test_each_stop_of_the_keyboard_is_seen_and_has_a_name(
    page: Page, view: str
) -> None:
    go(page, f"#/{view.lower()}")
    page.locator("main").locator("button, input, select").first.wait_for()
    if view in ANSWERING:
        until_answered(page)
    page.evaluate("() => { window.stops = undefined; document.activeElement.blur() }")
    stops: list[dict[str, Any]] = []
    while len(stops) < 400:
        page.keyboard.press("Tab")
        stop = page.evaluate(FOCUSED)
        if stop is None or stop["number"] < len(stops):
            break
        stops.append(stop)
    # The links of the views, and at least a field and a button.
    assert len(stops) > len(VIEWS) + 2
    wrong = [
        stop
        for stop in stops
        if not (stop["name"].strip() and stop["isSeen"] and stop["hasRing"])
    ]
    assert wrong == []


def test_the_tour_has_five_steps_and_is_remembered(page: Page) -> None:
    page.get_by_role("button", name="Show the tour").click()
    tour = page.get_by_role("complementary", name="Tour")
    for step in range(1, 6):
        tour.get_by_text(f"{step} of 5").wait_for()
        tour.get_by_role("button", name="Done" if step == 5 else "Next").click()
    tour.wait_for(state="detached")
    page.reload()
    page.get_by_role("link", name="About").wait_for()
    assert tour.count() == 0


@pytest.mark.parametrize("view", ["Network", "Cost", "Choose", "Tables", "About"])
def test_axe_finds_nothing(page: Page, view: str) -> None:
    go(page, f"#/{view.lower()}")
    if view == "About":
        page.get_by_role("heading", name="What it protects against").wait_for()
    elif view == "Network":
        page.get_by_role("button", name="Simulate a week").click()
        page.get_by_role("slider").wait_for()
    else:
        page.locator("[role=region] tbody tr").first.wait_for(timeout=2 * LONGEST_MS)
        until_answered(page)
    for width in (1280, 380):
        page.set_viewport_size({"width": width, "height": 900})
        assert_accessible(page, width)

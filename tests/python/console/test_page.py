# SPDX-License-Identifier: Apache-2.0
"""The page in a real browser, over the real console and real nodes."""

from __future__ import annotations

import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

playwright = pytest.importorskip("playwright.sync_api")

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, ConsoleMessage, Page

CHROMIUM = shutil.which("chromium")
PAGE = Path(__file__).parents[3] / "src" / "samara" / "console" / "dist"
_LONGEST_MS = 30_000

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium"),
    pytest.mark.skipif(not PAGE.is_dir(), reason="tools/setup has not built the page"),
    pytest.mark.xdist_group("browser"),
]


class Served:
    """A console that runs; `address` returns the next address that it prints."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        command = [sys.executable, "-m", "samara.cli", "console", "--port", "0"]
        self.process = subprocess.Popen(
            [*command, "--state", str(folder)], stdout=subprocess.PIPE, text=True
        )

    def address(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().strip()

    def end(self) -> int:
        self.process.send_signal(signal.SIGINT)
        status = self.process.wait(20)
        if self.process.stdout is not None:
            self.process.stdout.close()
        return status


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    served = Served(tmp_path / "state")
    yield served
    if served.process.poll() is None:
        assert served.end() == 0


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with playwright.sync_playwright() as running:
        browser = running.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox"]
        )
        yield browser
        browser.close()


def errors_in(said: ConsoleMessage) -> list[str]:
    """Return what a browser said if it is an error, but for a console that ended."""
    is_away = "ERR_CONNECTION_REFUSED" in said.text
    return [said.text] if said.type == "error" and not is_away else []


@pytest.fixture
def page(browser: Browser, served: Served) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1200, "height": 900})
    page = context.new_page()
    page.set_default_timeout(_LONGEST_MS)
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda said: errors.extend(errors_in(said)))
    page.goto(served.address())
    yield page
    context.close()
    assert errors == []


def start(page: Page) -> None:
    page.get_by_role("button", name="Start two nodes").click()
    page.get_by_text("The node is up.").nth(1).wait_for()


def say(page: Page, end: str, text: str) -> None:
    page.get_by_label(f"{end} node", exact=True).last.fill(text)
    page.keyboard.press("Enter")


def test_messages_cross_and_attacks_are_refused(page: Page) -> None:
    assert "#" not in page.url, "the token stays in the address"
    start(page)
    say(page, "Left", "21.5 C")
    page.locator(".right .bubble", has_text="21.5 C").wait_for()
    page.get_by_text("Acknowledged.").wait_for()
    say(page, "Right", "Thank you")
    page.locator(".left .bubble", has_text="Thank you").wait_for()
    page.get_by_role("button", name="Replay").click()
    page.get_by_text(re.compile(r"Refused \(replay\)")).wait_for()
    page.get_by_role("button", name="Flip a bit").click()
    page.get_by_text(re.compile(r"Refused \(not genuine\)")).wait_for()
    page.locator(".frame button").first.click()
    page.get_by_text("frame counter", exact=True).wait_for()


def test_a_reload_keeps_the_conversation(page: Page) -> None:
    start(page)
    say(page, "Left", "before the reload")
    page.locator(".right .bubble").wait_for()
    page.reload()
    page.locator(".right .bubble", has_text="before the reload").wait_for()
    say(page, "Right", "after it")
    page.locator(".left .bubble", has_text="after it").wait_for()


def test_a_used_address_lets_no_other_browser_in(
    browser: Browser, served: Served
) -> None:
    address = served.address()
    first, second = browser.new_context(), browser.new_context()
    first.new_page().goto(address)
    page = second.new_page()
    page.goto(address)
    page.get_by_text("This address was used").first.wait_for()
    page.goto(served.address())
    page.get_by_role("button", name="Start two nodes").wait_for()
    for each in (first, second):
        each.close()


@pytest.mark.parametrize("width", [380, 1200])
def test_nothing_is_wider_than_the_screen_and_axe_finds_nothing(
    page: Page, width: int
) -> None:
    from axe_playwright_python.sync_playwright import Axe  # noqa: PLC0415

    page.set_viewport_size({"width": width, "height": 800})
    start(page)
    say(page, "Left", "x" * 300)
    page.locator(".right .bubble").wait_for()
    page.locator(".frame button").first.click()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        found = Axe().run(page)
        assert found.violations_count == 0, found.generate_report()


def nodes_in(folder: Path) -> list[str]:
    """Return the numbers of the processes that keep nodes of a directory up."""
    command = ["pgrep", "-f", f"node up {folder}"]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    return found.stdout.split()


def test_ctrl_c_ends_the_console_and_its_nodes(page: Page, served: Served) -> None:
    start(page)
    folder = served.folder
    assert len(nodes_in(folder)) >= 2
    assert served.end() == 0
    assert nodes_in(folder) == []
    page.get_by_text("The console does not answer").wait_for()

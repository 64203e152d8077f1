# SPDX-License-Identifier: Apache-2.0
"""A console that runs, and what is said of it in a browser."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import samara

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from playwright.sync_api import ConsoleMessage, Page

CHROMIUM = shutil.which("chromium")
PAGE = Path(samara.__file__).parent / "console" / "dist"
# Of a step of the page, on a busy machine; most take less than a second.
LONGEST_MS = 120_000

_COLOURS = ("color-contrast", "link-in-text-block")
# One row of a table speaks for all that look as it does: contrast takes most of axe's
# time, and tables have thousands of cells.
_MARK_ALIKE = """() => {
  const look = element => {
    const style = getComputedStyle(element);
    return [element.tagName, style.display, style.color, style.backgroundColor,
      style.backgroundImage, style.opacity, style.fontSize, style.fontWeight,
      style.textDecorationLine, style.visibility].join();
  };
  for (const body of document.querySelectorAll("tbody")) {
    const seen = new Set();
    for (const row of body.rows) {
      const all = [row, ...row.querySelectorAll("*")].map(look).join(";");
      row.toggleAttribute("data-alike", seen.has(all));
      seen.add(all);
    }
  }
}"""

NEEDS_BROWSER = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium"),
    pytest.mark.skipif(not PAGE.is_dir(), reason="tools/setup has not built the page"),
    pytest.mark.xdist_group("browser"),
]

SAMARA = (sys.executable, "-m", "samara.cli")


class Served:
    """A console that runs; `address` returns the next address that it prints.

    Parameters
    ----------
    folder
        Where conversations are kept.
    samara
        The start of the command line.
    host
        The address that it listens on. Default: loopback.
    """

    def __init__(
        self, folder: Path, samara: Sequence[str] = SAMARA, *, host: str | None = None
    ) -> None:
        self.folder = folder
        place = ["--host", host] if host else []
        self.process = subprocess.Popen(
            [*samara, "console", "--port", "0", "--state", str(folder), *place],
            stdout=subprocess.PIPE,
            text=True,
        )

    def address(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().strip()

    def end(self) -> int:
        self.process.send_signal(signal.SIGINT)
        return self._ended()

    def kill(self) -> None:
        self.process.kill()
        self._ended()

    def _ended(self) -> int:
        status = self.process.wait(60)
        if self.process.stdout is not None:
            self.process.stdout.close()
        return status


def errors_in(said: ConsoleMessage) -> list[str]:
    """Return what a browser said if it is an error, but for a console that ended."""
    is_away = "ERR_CONNECTION_REFUSED" in said.text
    return [said.text] if said.type == "error" and not is_away else []


def gather_errors(page: Page, given: list[str] | None = None) -> list[str]:
    """Return a list, or the given one, that the errors of a page are added to."""
    errors = [] if given is None else given
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda said: errors.extend(errors_in(said)))
    return errors


def assert_accessible(page: Page, width: int) -> None:
    """Check that nothing is wider than the screen, and axe finds nothing."""
    # Charts are drawn anew a little after the screen has changed.
    page.wait_for_function(
        "width => document.documentElement.scrollWidth <= width", arg=width
    )
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    _assert_axe_finds_nothing(
        page, {"rules": {name: {"enabled": False} for name in _COLOURS}}
    )
    _assert_colours_are_told_apart(page)
    page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    _assert_colours_are_told_apart(page)


def _assert_colours_are_told_apart(page: Page) -> None:
    page.evaluate(_MARK_ALIKE)
    _assert_axe_finds_nothing(
        page,
        {"runOnly": {"type": "rule", "values": [*_COLOURS]}},
        leaving="[data-alike]",
    )


def _assert_axe_finds_nothing(
    page: Page, rules: Mapping[str, object], leaving: str | None = None
) -> None:
    from axe_playwright_python.sync_playwright import Axe  # noqa: PLC0415

    found = Axe().run(
        page,
        context={"exclude": [[leaving]]} if leaving else None,
        options={"resultTypes": ["violations"], **rules},
    )
    assert found.violations_count == 0, found.generate_report()

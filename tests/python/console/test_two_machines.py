# SPDX-License-Identifier: Apache-2.0
"""The paper's two screens on two machines: a console, and a browser that is elsewhere.

Each machine is a network namespace with a browser of its own, and nothing but a cable
between them. They share a kernel, not an address: what is served on loopback alone
cannot be reached from the other one.
"""

from __future__ import annotations

import os
import subprocess
import uuid
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

import pytest
from browsing import CHROMIUM, LONGEST_MS, NEEDS_BROWSER, SAMARA, Served, gather_errors

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, BrowserType, Page

pytest.importorskip("playwright.sync_api")
pytestmark = [
    *NEEDS_BROWSER,
    pytest.mark.skipif(os.geteuid() != 0, reason="namespaces need root"),
]

_REFUSED = 7
"""What curl ends with when nobody listens."""
_HERE, _THERE = "10.123.7.1", "10.123.7.2"


def _run(*command: str) -> None:
    subprocess.run(command, check=True)


@pytest.fixture
def machines() -> Iterator[tuple[str, str]]:
    """Return the namespaces of two machines with a cable between them."""
    tail = uuid.uuid4().hex[:6]
    names = (f"sam-a{tail}", f"sam-b{tail}")
    with ExitStack() as ends:
        for name in names:
            _run("ip", "netns", "add", name)
            ends.callback(_run, "ip", "netns", "delete", name)
        cable = [f"a{tail}", "netns", names[0]]
        other = ["peer", "name", f"b{tail}", "netns", names[1]]
        _run("ip", "link", "add", *cable, "type", "veth", *other)
        for name, end, address in zip(names, "ab", (_HERE, _THERE), strict=True):
            at = ("ip", "-n", name)
            _run(*at, "link", "set", "lo", "up")
            _run(*at, "address", "add", f"{address}/24", "dev", f"{end}{tail}")
            _run(*at, "link", "set", f"{end}{tail}", "up")
        yield names


@contextmanager
def _console_on(machine: str, folder: Path, host: str | None = None) -> Iterator[str]:
    """Run a console on a machine, and return its address."""
    served = Served(folder, ("ip", "netns", "exec", machine, *SAMARA), host=host)
    try:
        yield served.address()
        assert served.end() == 0
    finally:
        served.kill()


@contextmanager
def _browser_on(machine: str, chromium: BrowserType, folder: Path) -> Iterator[Browser]:
    """Start a browser on a machine: it is driven through pipes, not by the network."""
    program = folder / f"chromium-{machine}"
    program.write_text(f'#!/bin/sh\nexec ip netns exec {machine} {CHROMIUM} "$@"\n')
    program.chmod(0o755)
    browser = chromium.launch(executable_path=program, args=["--no-sandbox"])
    yield browser
    browser.close()


def _opened(browser: Browser, errors: list[str], address: str) -> Page:
    page = browser.new_page()
    page.set_default_timeout(LONGEST_MS)
    gather_errors(page, errors)
    page.goto(address)
    return page


def _say(page: Page, end: str, text: str) -> None:
    page.get_by_label(f"{end} node", exact=True).last.fill(text)
    page.keyboard.press("Enter")


def _talk(left: Page, right: Page) -> None:
    """Type a message on each machine, and read it on the other one."""
    for writer, end, reader in ((left, "Left", right), (right, "Right", left)):
        for text in (f"from the {end.lower()}", "\u00b0C \N{GREEK SMALL LETTER OMEGA}"):
            _say(writer, end, text)
            reader.locator(".big", has_text=text).wait_for()


def test_transmitter_and_receiver_on_two_machines(
    machines: tuple[str, str], tmp_path: Path
) -> None:
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - may be missing

    here, there = machines
    errors: list[str] = []
    with sync_playwright() as running, ExitStack() as ends:
        printed = ends.enter_context(_console_on(here, tmp_path / "state", _HERE))
        on = {
            name: ends.enter_context(_browser_on(name, running.chromium, tmp_path))
            for name in machines
        }
        main = _opened(on[here], errors, printed)
        main.get_by_role("radio", name="ieee802154").check()
        main.get_by_role("button", name="Start two nodes").click()
        main.get_by_text("The node is up.").nth(1).wait_for()
        main.get_by_role("button", name="Screen on another machine").click()
        address = main.locator(".shown code").inner_text()
        assert address.startswith(f"http://{_HERE}:")
        right = _opened(on[there], errors, address)
        with main.context.expect_page() as opened:
            main.get_by_role("link", name="Screen left").click()
        left = opened.value
        left.set_default_timeout(LONGEST_MS)
        _talk(left, right)
        assert errors == []


def test_another_machine_does_not_reach_a_console_on_loopback(
    machines: tuple[str, str], tmp_path: Path
) -> None:
    here, there = machines
    with _console_on(here, tmp_path / "state") as address:
        port = address.partition("#")[0].rstrip("/").rpartition(":")[2]
        asked = ["curl", "--silent", "--max-time", "5", f"http://{_HERE}:{port}/"]
        for machine in (there, here):
            with pytest.raises(subprocess.CalledProcessError) as refused:
                _run("ip", "netns", "exec", machine, *asked)
            assert refused.value.returncode == _REFUSED
        inside = [*asked[:-1], "--output", os.devnull, f"http://127.0.0.1:{port}/"]
        _run("ip", "netns", "exec", here, *inside)

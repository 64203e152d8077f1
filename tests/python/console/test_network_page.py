# SPDX-License-Identifier: Apache-2.0
"""A network of real nodes on a map, in a real browser."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from browsing import (
    LONGEST_MS,
    NEEDS_BROWSER,
    Served,
    assert_accessible,
    gather_errors,
)

pytest.importorskip("playwright.sync_api")

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page

pytestmark = [
    *NEEDS_BROWSER,
    pytest.mark.skipif(os.geteuid() != 0, reason="namespaces need root"),
    pytest.mark.skipif(shutil.which("ping") is None, reason="there is no ping"),
]


@pytest.fixture(scope="module")
def labs() -> Iterator[Path]:
    """Return where the console makes its labs; other tests make theirs elsewhere."""
    # Names of sockets are short, and tmp_path is not.
    with (
        tempfile.TemporaryDirectory(prefix="labs-") as name,
        pytest.MonkeyPatch.context() as patch,
    ):
        patch.setenv("TMPDIR", name)
        yield Path(name)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory, labs: Path) -> Iterator[Served]:
    """Return a console, which takes 3 s of CPU time to start.

    The last test leaves its network to the end of the console.
    """
    served = Served(tmp_path_factory.mktemp("state"))
    yield served
    assert served.end() == 0
    assert not [*labs.iterdir()]


@pytest.fixture
def page(browser: Browser, served: Served) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    page.set_default_timeout(LONGEST_MS)
    errors = gather_errors(page)
    page.goto(served.address())
    yield page
    context.close()
    assert errors == []


def start(page: Page) -> None:
    page.get_by_role("link", name="Network", exact=True).click()
    page.get_by_role("button", name="Start the network").click()
    page.get_by_role("heading", name="Network of 3 nodes").wait_for()


def end(page: Page, labs: Path) -> None:
    page.get_by_role("button", name="End the network").click()
    page.get_by_role("button", name="Start the network").wait_for()
    assert not [*labs.glob("samara-lab-*")]


def events(page: Page, text: str) -> int:
    return page.locator("ol li", has_text=text).count()


def ping(page: Page, outcome: str) -> None:
    """Ping the far node, and wait for what comes of it."""
    before = events(page, outcome)
    page.get_by_role("button", name="Ping").click()
    page.locator("ol li", has_text=outcome).nth(before).wait_for()


def press(page: Page, name: str, said: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()
    page.get_by_role("status").filter(has_text=re.compile(said)).wait_for()


def test_a_message_crosses_two_hops_until_the_node_between_fails(
    page: Page, labs: Path
) -> None:
    start(page)
    assert len([*labs.glob("samara-lab-*")]) == 1
    page.get_by_role("button", name="Ping").click()
    page.locator(".dot").first.wait_for(state="attached")
    for hop in ("n1 → n2", "n2 → n3", "n3 → n2", "n2 → n1"):
        page.locator("ol li", has_text=hop).first.wait_for()
    page.get_by_text("ping at n1 got its answer from n3.").wait_for()

    page.get_by_role("button", name=re.compile("^n2")).click()
    press(page, "Change keys", "n2 agrees with n1 and n3 on new keys")
    page.get_by_text("number 1, settled").nth(1).wait_for()

    press(page, "Move out of range", "n2 is out of range")
    ping(page, "got no answer")
    press(page, "Bring back", "n2 is back in range")
    ping(page, "got its answer")

    press(page, "Kill", "n2 was killed")
    page.get_by_role("button", name=re.compile("^n2 killed")).wait_for()
    ping(page, "got no answer")
    press(page, "Start again", "n2 runs again")
    ping(page, "got its answer")

    end(page, labs)


def test_a_node_that_is_invited_is_on_the_map_and_answers(
    page: Page, labs: Path
) -> None:
    start(page)
    page.get_by_role("button", name=re.compile("^n3")).click()
    press(page, "Invite a node", "n3 has invited n4")
    page.get_by_role("heading", name="Network of 4 nodes").wait_for()
    page.get_by_text("Key with n4").wait_for()
    assert page.locator(".map line").count() == 3
    ping(page, "ping at n1 got its answer from n4.")
    end(page, labs)


def test_the_map_fits_and_axe_finds_nothing(page: Page) -> None:
    start(page)
    page.get_by_role("button", name=re.compile("^n2")).click()
    page.get_by_text("Key with n1").wait_for()
    for width in (1280, 380):
        page.set_viewport_size({"width": width, "height": 800})
        assert_accessible(page, width)

# SPDX-License-Identifier: Apache-2.0
"""A browser for the tests of the page."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    from browsing import CHROMIUM  # noqa: PLC0415 - for few tests
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - may be missing

    with sync_playwright() as running:
        browser = running.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox"]
        )
        yield browser
        browser.close()

# SPDX-License-Identifier: Apache-2.0
"""What looks at pages finds what it is for, in the last of a thousand rows, too."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from browsing import NEEDS_BROWSER, assert_accessible

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = NEEDS_BROWSER

_DOCUMENT = """<!doctype html><html lang="en"><title>Rows</title><style>
  body {{ background: white; color: black; }}
  .box {{ overflow-x: auto; }}
  .grey {{ background: #777; }}
  .pale {{ color: #ccc; }}
  .night {{ color: black; }}
  @media (prefers-color-scheme: dark) {{
    body {{ background: black; color: white; }}
    .night {{ color: #333; }}
  }}
</style><body><main><h1>Rows</h1>{}</main></body></html>"""


def table(*rows: str, of: str = "") -> str:
    cells = "".join(f"<tr><td>{row}</td></tr>" for row in rows)
    return (
        f'<div class="box {of}" tabindex="0"><table><caption>Rows</caption>'
        f"<thead><tr><th>cipher</th></tr></thead><tbody>{cells}</tbody></table></div>"
    )


@pytest.fixture
def page(browser: Browser) -> Page:
    return browser.new_page(viewport={"width": 380, "height": 600})


def test_rows_that_can_be_read_pass(page: Page) -> None:
    rows = ["<b>AES</b>"] * 40 + ["Grain"] * 20
    page.set_content(_DOCUMENT.format(table(*rows) + table("one")))
    assert_accessible(page, 380)
    # One of each kind was looked at, of each table.
    assert page.locator("[data-alike]").count() == 58


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(table('<i class="pale">AES</i>'), id="one row"),
        pytest.param(table(*["AES"] * 40, '<b class="pale">Grain</b>'), id="the last"),
        pytest.param(table(*["AES"] * 40, '<b class="night">Grain</b>'), id="dark"),
        pytest.param(table("AES") + table("AES", of="grey pale"), id="of one table"),
        pytest.param(table("AES") + '<p class="pale">Grain</p>', id="beside a table"),
    ],
)
def test_colours_that_cannot_be_told_apart_are_found(page: Page, body: str) -> None:
    page.set_content(_DOCUMENT.format(body))
    with pytest.raises(AssertionError, match="color-contrast"):
        assert_accessible(page, 380)


def test_what_has_no_name_is_found_in_each_row(page: Page) -> None:
    rows = [*["AES"] * 3, "AES<img src='data:,' width=1 height=1>"]
    page.set_content(_DOCUMENT.format(table(*rows)))
    with pytest.raises(AssertionError, match="image-alt"):
        assert_accessible(page, 380)

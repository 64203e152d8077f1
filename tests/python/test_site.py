# SPDX-License-Identifier: Apache-2.0
"""The site of the documentation builds, and needs nothing from elsewhere."""

from __future__ import annotations

import doctest
import filecmp
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from browsing import CHROMIUM, LONGEST_MS
from playwright.sync_api import sync_playwright

from doc_site import c_headers, commands, doctests, gallery, markdown, outside
from samara.bench import published
from samara.cli.commands import COMMANDS

if TYPE_CHECKING:
    from types import ModuleType

ROOT = Path(__file__).parents[2]
INCLUDE = ROOT / "core" / "include"
TIMEOUT_S = 1200
_LOADED = re.compile(
    r'<(?:script|img|iframe|source|link)\b[^>]*?\s(?:src|href)="?([^"\s>]+)'
)
"""What a browser fetches by itself."""
WORD = "samara_aes128_ccm_seal"


def build(folder: Path, root: Path = ROOT) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, root / "tools" / "site", "-o", folder],
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
        check=False,
    )


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    done = build(folder)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


@pytest.mark.slow
def test_every_page_is_built(site: Path) -> None:
    for page in (ROOT / "docs").rglob("*.md"):
        place = page.relative_to(ROOT / "docs").with_suffix(".html")
        if page.name == "README.md":
            place = place.with_name("index.html")
        assert (site / place).is_file(), place
    for row in COMMANDS:
        assert (site / "reference" / "commands" / f"{row.name}.html").is_file()
    for slug in published.papers():
        assert (site / "papers" / f"{slug}.html").is_file()


@pytest.mark.slow
def test_nothing_comes_from_elsewhere(site: Path) -> None:
    pages = list(site.rglob("*.html"))
    assert len(pages) > 100
    fetched = {
        address
        for page in pages
        for address in _LOADED.findall(page.read_text(encoding="utf-8"))
    }
    assert any(address.endswith(".js") for address in fetched)
    assert not {each for each in fetched if re.match(r"(?:\w+:)?//", each)}


@pytest.mark.slow
def test_the_search_finds_commands_functions_and_words(site: Path) -> None:
    index = (site / "search" / "search_index.json").read_text(encoding="utf-8")
    for word in ("samara_aes128_ccm_seal", "samara receipt explain", "replay"):
        assert word in index


@pytest.mark.slow
def test_styles_fetch_nothing_from_elsewhere(site: Path) -> None:
    sheets = list(site.rglob("*.css"))
    assert sheets
    for sheet in sheets:
        text = sheet.read_text(encoding="utf-8")
        for address in re.findall(r"(?:url\(|@import )[\"']?([^\"')]+)", text):
            assert not re.match(r"(?:https?:)?//", address), (sheet.name, address)


@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium")
def test_the_search_works_from_files(site: Path) -> None:
    """No server, and nothing asked of a network: scripts and index are files."""
    asked: list[str] = []
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM)
        page = browser.new_page()
        page.set_default_timeout(LONGEST_MS)
        page.on("request", lambda request: asked.append(request.url))
        page.goto((site / "tutorials" / "seal.html").as_uri())
        page.keyboard.press("/")  # the key that opens the search
        # The page listens to keys, not to changes of the field.
        page.locator("input.md-search__input").press_sequentially(WORD)
        found = page.locator("a.md-search-result__link").first
        found.wait_for(state="visible")
        place = str(found.get_attribute("href"))
        browser.close()
    assert "/reference/c/" in place
    assert any(address.endswith("search_index.js") for address in asked)
    assert not [each for each in asked if not each.startswith(("file:", "data:"))]


@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium")
def test_drawings_can_be_read_on_a_phone(site: Path) -> None:
    """A drawing keeps its size and is scrolled; the page stays as wide as the phone."""
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM)
        page = browser.new_page(viewport={"width": 380, "height": 800})
        page.set_default_timeout(LONGEST_MS)
        page.goto((site / "nodes.html").as_uri())
        drawing = page.locator('img[src$="nodes.svg"]').bounding_box()
        width = page.evaluate("document.documentElement.scrollWidth")
        browser.close()
    assert drawing is not None
    assert drawing["width"] > 1000  # as it was drawn
    assert width == 380


@pytest.mark.slow
def test_python_examples_are_code(site: Path) -> None:
    page = (site / "reference" / "python.html").read_text(encoding="utf-8")
    assert "seal_batch" in page
    assert "<blockquote>" not in page


@pytest.mark.thorough
def test_the_same_sources_give_the_same_bytes(site: Path, tmp_path: Path) -> None:
    assert build(tmp_path).returncode == 0
    names = [str(path.relative_to(site)) for path in site.rglob("*") if path.is_file()]
    again = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len(again) == len(names)
    _, differing, missing = filecmp.cmpfiles(site, tmp_path, names, shallow=False)
    assert (differing, missing) == ([], [])


@pytest.mark.thorough
@pytest.mark.parametrize("link", ["nowhere.md", "nodes.md#no-such-heading"])
def test_a_link_that_leads_nowhere_ends_the_build(link: str, tmp_path: Path) -> None:
    root = tmp_path / "copy"
    ignored = shutil.ignore_patterns(".*", "build", "node_modules", "__pycache__")
    shutil.copytree(ROOT, root, ignore=ignored)
    subprocess.run(["/usr/bin/git", "init", "-q", root], check=True)
    (root / ".venv").symlink_to(ROOT / ".venv")
    with (root / "docs" / "start.md").open("a", encoding="utf-8") as page:
        page.write(f"\n[there]({link})\n")
    done = build(tmp_path / "out", root)
    assert done.returncode == 1
    assert link.partition("#")[0] in done.stdout + done.stderr


def test_a_header_has_its_concept_its_functions_and_their_comments() -> None:
    page = c_headers.pages(INCLUDE)["reference/c/ieee802154.md"]
    assert "Frame security of IEEE 802.15.4" in page
    assert "### `samara_ieee802154_rotate`" in page
    words = " ".join(page.split())
    assert "Makes the next key of a family current" in words
    assert page.count("### `samara_ieee802154_key`") == 1


def test_functions_of_macros_are_listed_with_their_parameters() -> None:
    page = c_headers.pages(INCLUDE)["reference/c/aes.md"]
    assert (
        "void samara_aes192_set_key(samara_aes192_key *key, const uint8_t bytes[24]);"
        in page
    )


def test_every_function_of_the_headers_is_on_a_page() -> None:
    pages = "\n".join(c_headers.pages(INCLUDE).values())
    for header in sorted((INCLUDE / "samara").glob("*.h")):
        text = re.sub(
            r"/\*.*?\*/", "", header.read_text(encoding="utf-8"), flags=re.DOTALL
        )
        text = re.sub(r"^#.*(?:\\\n.*)*", "", text, flags=re.MULTILINE)
        for name in re.findall(r"\b(samara_\w+)\(", text):
            assert f"{name}(" in pages, name


def test_a_header_that_does_not_compile_is_refused(tmp_path: Path) -> None:
    (tmp_path / "samara").mkdir()
    (tmp_path / "samara" / "bad.h").write_text("int f(no_such_type x);\n")
    with pytest.raises(ValueError, match=r"bad\.h: unknown type name"):
        c_headers.pages(tmp_path)


def test_a_command_has_its_options_with_values() -> None:
    page = commands.pages()["reference/commands/medium.md"]
    assert "| `--loss` | `P` | Probability that a receiver misses a frame." in page
    assert "| `--seed` | `N` |" in page
    group = commands.pages()["reference/commands/node.md"]
    assert "## samara node send" in group


def test_pictures_have_the_command_that_makes_them() -> None:
    page = gallery.pages(ROOT / "docs")["gallery.md"]
    for picture in (ROOT / "docs" / "pictures").glob("console-*.png"):
        assert f"tools/draw-screens {picture.stem.removeprefix('console-')}" in page


def test_links_out_of_docs_lead_into_the_site() -> None:
    source = ROOT / "docs" / "tutorials" / "x.md"
    found = {"files/LICENSE.txt": ROOT / "LICENSE"}
    text = "[a](../../LICENSE) [b](../nodes.md#x) [c](../decisions) `[d](../../x)`"
    new = outside.relinked(text, source, "tutorials/x.md", found, ROOT)
    assert new == (
        "[a](../files/LICENSE.txt) [b](../nodes.md#x) [c](../decisions/README.md)"
        " `[d](../../x)`"
    )


@pytest.mark.parametrize(
    "module",
    [c_headers, doctests, gallery, markdown, outside],
    ids=lambda m: m.__name__,
)
def test_examples_of_the_tool(module: ModuleType) -> None:
    result = doctest.testmod(module)
    assert result.attempted
    assert not result.failed

# SPDX-License-Identifier: Apache-2.0
"""What MkDocs calls while it builds the site (mkdocs.yml)."""

from __future__ import annotations

import subprocess
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mkdocs.structure.files import File

from doc_site import c_headers, commands, gallery, markdown, outside, papers

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files

ROOT = Path(__file__).resolve().parents[2]
SHIM = ROOT / "page" / "node_modules" / "iframe-worker" / "shim" / "index.js"
WORKER = "assets/iframe-worker.js"
STYLE = "assets/narrow.css"
_ASSETS = {WORKER: SHIM, STYLE: ROOT / "tools" / "doc_site" / "narrow.css"}


@cache
def made_pages() -> dict[str, str]:
    """Return the pages that are made from the sources, by their places."""
    return {
        **commands.pages(),
        **c_headers.pages(ROOT / "core" / "include"),
        **papers.pages(ROOT / "published"),
        **gallery.pages(ROOT / "docs"),
    }


@cache
def outside_files() -> dict[str, Path]:
    """Return the files beside docs/ that pages link to, by their places in the site."""
    return outside.linked(ROOT, tracked())


@cache
def tracked() -> frozenset[str]:
    """Return the files of the project; what is built here is none."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return frozenset(listed.stdout.splitlines())


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Put the made pages into the navigation, below the page that lists them."""
    config.nav = [_with_pages(entry) for entry in config.nav or []]
    return config


def _with_pages(entry: Any) -> Any:  # noqa: ANN401 - a tree of lists, dicts and strings
    if isinstance(entry, list):
        return [_with_pages(each) for each in entry]
    if isinstance(entry, dict):
        return {name: _with_pages(each) for name, each in entry.items()}
    folder = entry.removesuffix("README.md")
    listed = sorted(
        uri for uri in made_pages() if uri != entry and uri.startswith(folder)
    )
    return [entry, *listed] if entry in made_pages() and listed else entry


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add what is made from the sources, and what pages link to outside of docs/."""
    for uri, text in made_pages().items():
        files.append(File.generated(config, uri, content=text))
    for uri, path in {**outside_files(), **_ASSETS}.items():
        text = path.read_text(encoding="utf-8")
        files.append(File.generated(config, uri, content=text))
    return files


def on_page_markdown(text: str, page: Any, **_: object) -> str:  # noqa: ANN401 - MkDocs has no types for hooks
    """Let links lead to places in the site, and lists begin as on other renderers."""
    uri = page.file.src_uri
    source = outside_files().get(uri)
    if source is None and uri not in made_pages():
        source = ROOT / "docs" / uri
    if source is not None:
        text = outside.relinked(text, source, uri, outside_files(), ROOT)
    return markdown.with_lists_apart(text)

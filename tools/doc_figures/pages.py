# SPDX-License-Identifier: Apache-2.0
"""Pages of the docs with figures, and the files with the rows of these."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from doc_figures import ledger

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from doc_figures.ledger import Row

_GENERATED = (
    "README.md",
    "docs/chip.md",
    "docs/ciphers.md",
    "docs/receipts.md",
    "docs/start.md",
    "docs/store.md",
)
"""Pages that have generated text, whether they have rows or not."""
_ROWS = "docs/figures"
_BLOCK = re.compile(
    r"(?P<begin><!-- figures: (?P<name>\S+) -->\n).*?(?P<end><!-- end of figures -->)",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Page:
    """A page as it is in files, or as it is to be."""

    path: Path
    text: str
    rows_path: Path | None
    rows: list[Row]

    def with_blocks(self, blocks: Mapping[str, str]) -> Page:
        """Return the page with generated text as it is now."""
        text = _BLOCK.sub(
            lambda mark: f"{mark['begin']}{blocks[mark['name']]}\n{mark['end']}",
            self.text,
        )
        return Page(self.path, text, self.rows_path, self.rows)

    def with_figures(self, value: Callable[[str], float]) -> Page:
        """Return the page with computed figures as they are now."""
        text, rows = ledger.computed_anew(self.text, self.rows, value)
        return Page(self.path, text, self.rows_path, rows)

    def with_rows(self) -> Page:
        """Return the page with a row for each figure."""
        rows = ledger.fitted(self.text, self.rows) if self.rows_path else []
        return Page(self.path, self.text, self.rows_path, rows)

    def differences(self, value: Callable[[str], float]) -> list[str]:
        """Return what is wrong with the figures, a sentence each."""
        if not self.rows_path:
            return []
        return ledger.differences(self.text, self.rows, value)

    def write(self, before: Page) -> None:
        """Write what is other than it was."""
        if self.text != before.text:
            self.path.write_text(self.text, encoding="utf-8")
        if self.rows_path and self.rows != before.rows:
            ledger.write(self.rows_path, self.rows)


def pages(root: Path) -> list[Page]:
    """Return the pages with generated text, with rows, or with both."""
    rows_paths: dict[Path, Path | None] = {root / name: None for name in _GENERATED}
    for path in sorted((root / _ROWS).rglob("*.csv")):
        name = path.relative_to(root / _ROWS).with_suffix(".md")
        folder = root if name == Path("README.md") else root / "docs"
        rows_paths[folder / name] = path
    return [
        Page(
            path,
            path.read_text(encoding="utf-8"),
            rows_path,
            ledger.read(rows_path) if rows_path else [],
        )
        for path, rows_path in rows_paths.items()
    ]

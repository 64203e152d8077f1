# SPDX-License-Identifier: Apache-2.0
"""What each package is made of: packages/NAME/package.toml, found by scanning."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from source_packages.core import ROOT

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

RECIPE = "package.toml"


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """One package: its own files are those beside its package.toml."""

    folder: Path
    # What it is, and which tool builds it in the tests.
    title: str
    checked: str
    # Where the sources of core/ go, and its public headers.
    sources: str
    headers: str
    # Patterns of files of core/ that the ecosystem has no use for.
    without: tuple[str, ...] = ()
    # Where other files of the project go, by their places in the project.
    also: Mapping[str, str] = field(default_factory=dict)
    # Where one file for each group of ciphers goes; nowhere when empty.
    groups: str = ""
    archive: str = "tar.gz"

    @property
    def name(self) -> str:
        """Name of the package, as tools/package takes it."""
        return self.folder.name


def recipes(packages: Path = ROOT / "packages") -> dict[str, Recipe]:
    """Return all packages by name."""
    found = sorted(packages.glob(f"*/{RECIPE}"))
    return {path.parent.name: _read(path) for path in found}


def _read(path: Path) -> Recipe:
    table = tomllib.loads(path.read_text(encoding="utf-8"))
    table["without"] = tuple(table.get("without", ()))
    try:
        return Recipe(folder=path.parent, **table)
    except TypeError as error:
        raise ValueError(f"{path}: {error}") from error

# SPDX-License-Identifier: Apache-2.0
"""Published figures: the tables in published/, as printed."""

from __future__ import annotations

import csv
import tomllib
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from samara.bench import places
from samara.crypto.names import find

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class Paper:
    """A paper, and those of its tables that are in published/."""

    slug: str
    name: str
    """A short name for headings."""
    citation: str
    tables: Mapping[str, str]
    """Names of files, each with the paper's name of the table."""


@dataclass(frozen=True, slots=True)
class Record:
    """One row of a published table."""

    _fields: Mapping[str, str]

    @property
    def cells(self) -> dict[str, str]:
        """All cells as they were printed, by the names of their columns."""
        return dict(self._fields)

    def text(self, name: str) -> str:
        """Return a cell as it was printed; empty if the paper has no value."""
        return self._fields[name]

    def number(self, name: str) -> float | None:
        """Return the value of a cell; None if the paper has no value."""
        cell = self._fields[name]
        return float(cell) if cell else None

    def value(self, name: str) -> float:
        """Return the value of a cell that has one.

        Raises
        ------
        ValueError
            If the paper has no value.
        """
        number = self.number(name)
        if number is None:
            message = f"no value is published for {name} in {dict(self._fields)}"
            raise ValueError(message)
        return number


def folder() -> Path:
    """Return the directory with the tables."""
    return places.root() / "published"


@cache
def papers() -> dict[str, Paper]:
    """Return all papers by their slugs."""
    text = (folder() / "papers.toml").read_text(encoding="utf-8")
    return {slug: Paper(slug, **rest) for slug, rest in tomllib.loads(text).items()}


def paper(slug: str) -> Paper:
    """Return the paper of this name, such as ``"modspeck"``.

    Raises
    ------
    samara.crypto.UnknownNameError
        If there is none; the text has the nearest names.
    """
    return find("paper", slug, papers())


@cache
def table(file_name: str) -> tuple[Record, ...]:
    """Return the rows of a table, such as ``"modspeck_arduino.csv"``.

    Raises
    ------
    ValueError
        If a row has more or fewer cells than the first line.
    """
    return tuple(_records(folder() / file_name))


def _records(path: Path) -> Iterator[Record]:
    with path.open(encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file)
        for fields in reader:
            if None in fields or None in fields.values():
                message = f"{path} is damaged at line {reader.line_num}"
                raise ValueError(message)
            yield Record(fields)

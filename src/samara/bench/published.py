# SPDX-License-Identifier: Apache-2.0
"""Figures that papers report: the tables in published/, read as they stand."""

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
    """A paper, and which of its tables are here."""

    slug: str
    name: str
    """A few words for a heading."""
    citation: str
    tables: Mapping[str, str]
    """File names, and what the paper calls the table in each."""


@dataclass(frozen=True, slots=True)
class Record:
    """One row of a published table."""

    _fields: Mapping[str, str]

    @property
    def cells(self) -> dict[str, str]:
        """All cells as they were printed, by the names of their columns."""
        return dict(self._fields)

    def text(self, name: str) -> str:
        """Return a cell as it was printed; "" where the paper gives nothing."""
        return self._fields[name]

    def number(self, name: str) -> float | None:
        """Return a cell's value; None where the paper gives nothing."""
        cell = self._fields[name]
        return float(cell) if cell else None

    def value(self, name: str) -> float:
        """Return a value that the paper does give.

        Raises
        ------
        ValueError
            When it does not.
        """
        number = self.number(name)
        if number is None:
            message = f"nothing was published as {name} in {dict(self._fields)}"
            raise ValueError(message)
        return number


def folder() -> Path:
    """Return the folder with the tables."""
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
        When there is none; the text tells the nearest names.
    """
    return find("paper", slug, papers())


@cache
def table(file_name: str) -> tuple[Record, ...]:
    """Return the rows of a table, such as ``"modspeck_arduino.csv"``.

    Raises
    ------
    ValueError
        When a row has more or fewer cells than the first line names.
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

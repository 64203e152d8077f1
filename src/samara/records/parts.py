# SPDX-License-Identifier: Apache-2.0
"""The parts of a page before they are HTML: tables, plots and sentences."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from samara.records.answers import Notice, Remark, Verbatim
from samara.records.tables import Table

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from samara.records.charts import Drawn


class Heading(NamedTuple):
    """Heading of a page."""

    title: str
    lead: str = ""
    """A sentence that says what is in it."""


@dataclass(frozen=True, slots=True)
class Plot:
    """Charts of one thing, beside one another where they have room."""

    slug: str
    title: str
    charts: Sequence[Drawn]
    """The only one has the title of the plot as its own."""
    caption: str = ""


@dataclass(frozen=True, slots=True)
class Missing:
    """A figure that a table lacks, and the command that measures it."""

    description: str
    command: str


@dataclass(frozen=True, slots=True)
class Advice:
    """The answer to what most readers ask; the tables below are what it rests on."""

    text: str


Part: TypeAlias = Table | Plot | Missing | Advice | Remark | Notice | Verbatim


@dataclass(slots=True)
class Section:
    """Parts of a page under one heading."""

    slug: str
    title: str
    intro: str
    group: str
    """Heading of a group of sections in the list of contents."""
    name: str
    """Name in that list."""
    source: str = ""
    """The citation, when it is about a paper."""
    parts: list[Part] = field(default_factory=list)

    def tables(self) -> Iterator[Table]:
        """Yield the tables, in order."""
        yield from (part for part in self.parts if isinstance(part, Table))

    def missing(self) -> Iterator[Missing]:
        """Yield what is missing, in order."""
        yield from (part for part in self.parts if isinstance(part, Missing))

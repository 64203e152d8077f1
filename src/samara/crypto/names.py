# SPDX-License-Identifier: Apache-2.0
"""Finding things by name, and what is said when a name is unknown."""

from __future__ import annotations

import difflib
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from samara.errors import MisuseError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping


class Named(Protocol):
    """What has a name."""

    @property
    def slug(self) -> str:
        """The name."""


Row = TypeVar("Row")
NamedRow = TypeVar("NamedRow", bound=Named)


class Standing(StrEnum):
    """How far a cipher may be relied on."""

    STANDARD = "standard"
    """Published by a standards body and in general use."""
    FINALIST = "finalist"
    """Of a public competition, well analysed, not chosen."""
    RESEARCH = "research"
    """To be studied and compared, not relied on."""


class UnknownNameError(MisuseError, LookupError):
    """No suite or block cipher has this name."""

    def __init__(self, kind: str, name: str, known: Mapping[str, object]) -> None:
        super().__init__(kind, name)
        near = difflib.get_close_matches(name, known, n=3, cutoff=0.5)
        hint = f"; near it: {', '.join(near)}" if near else ""
        self._text = f"there is no {kind} {name!r}{hint}"

    def __str__(self) -> str:
        return self._text


def find(kind: str, name: str, known: Mapping[str, Row]) -> Row:
    """Return what `name` stands for in `known`.

    Parameters
    ----------
    kind
        What is looked for, in a word or two: "suite".

    Raises
    ------
    UnknownNameError
        When nothing has that name; the text tells the nearest ones.
    """
    try:
        return known[name]
    except KeyError:
        raise UnknownNameError(kind, name, known) from None


class Catalogue(Generic[NamedRow]):
    """Rows by name, in their order; made when the first is asked for.

    Parameters
    ----------
    kind
        What a row is, in a word or two: "suite".
    make
        Makes the rows.
    """

    def __init__(self, kind: str, make: Callable[[], Iterable[NamedRow]]) -> None:
        self._kind = kind
        self._make = make

    @cached_property
    def _by_slug(self) -> dict[str, NamedRow]:
        return {row.slug: row for row in self._make()}

    def find(self, slug: str) -> NamedRow:
        """Return the row of this name; UnknownNameError as `find`."""
        return find(self._kind, slug, self._by_slug)

    def all(self) -> list[NamedRow]:
        """Return all rows."""
        return list(self._by_slug.values())

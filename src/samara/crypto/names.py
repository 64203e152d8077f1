# SPDX-License-Identifier: Apache-2.0
"""Things by their names, and the error when a name is unknown."""

from __future__ import annotations

import difflib
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from samara.errors import MisuseError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence


class HasName(Protocol):
    """What has a name."""

    @property
    def slug(self) -> str:
        """The name."""


Row = TypeVar("Row")
NamedRow = TypeVar("NamedRow", bound=HasName)


class Standing(StrEnum):
    """How far a cipher may be relied on."""

    STANDARD = "standard"
    """Published by a standards body and in general use."""
    FINALIST = "finalist"
    """Of a public competition, well analysed, not chosen."""
    RESEARCH = "research"
    """To be studied and compared, not relied on."""

    @property
    def colour(self) -> str:
        """What it is shown in."""
        return _COLOURS[self]


_COLOURS = {
    Standing.STANDARD: "green",
    Standing.FINALIST: "cyan",
    Standing.RESEARCH: "yellow",
}

_FEW = 12
# The commands that list all names of a kind, where there are too many for an error.
_LISTS = {
    "suite": "samara suites",
    "block cipher": "samara suites",
    "suite or block cipher": "samara suites",
    "cipher for frames": "samara suites",
    "part": "samara energy parts",
    "radio": "samara energy parts",
    "battery": "samara energy parts",
    "medium access": "samara energy parts",
    "module": "samara radio modules",
    "source": "samara randomness show",
    "scheme": "samara phy secrecy --help",
}


class UnknownNameError(MisuseError, LookupError):
    """Nothing has this name; the text says which names are near, or known.

    Parameters
    ----------
    answer
        What to say of the name instead of those that are near.
    """

    def __init__(
        self, kind: str, name: str, known: Iterable[str], answer: str = ""
    ) -> None:
        super().__init__(kind, name)
        hint = f": {answer}" if answer else _hint(kind, name, list(known))
        self._text = f"unknown {kind} {name!r}{hint}"

    def __str__(self) -> str:
        return self._text


def _hint(kind: str, name: str, known: Sequence[str]) -> str:
    if found := near(name, known):
        return f": did you mean {found}?"
    if 0 < len(known) <= _FEW:
        return f": give {_alternatives(known)}"
    return f": {_LISTS[kind]} lists all" if kind in _LISTS else ""


def near(name: str, known: Iterable[str]) -> str:
    """Return the names that are near another, as alternatives; empty if none is."""
    lower = {each.lower(): each for each in known}
    found = difflib.get_close_matches(name.lower(), lower, n=3, cutoff=0.5)
    return _alternatives([lower[each] for each in found]) if found else ""


def _alternatives(names: Sequence[str]) -> str:
    """Return names with commas, and an "or" before the last."""
    *first, last = names
    return f"{', '.join(first)} or {last}" if first else last


def find(kind: str, name: str, known: Mapping[str, Row]) -> Row:
    """Return what `name` stands for in `known`.

    Parameters
    ----------
    kind
        What is looked for, in a word or two: "suite".

    Raises
    ------
    UnknownNameError
        When nothing has that name; the text says which names are near.
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

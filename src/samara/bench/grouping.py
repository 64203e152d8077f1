# SPDX-License-Identifier: Apache-2.0
"""Suites that are one program, and suites that must not stand among the others."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from samara import crypto
from samara.bench import added, subjects
from samara.crypto import tag_lengths

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable

Row = TypeVar("Row")


@cache
def _subject(slug: str) -> subjects.Subject | None:
    try:
        return subjects.subject(slug)
    except (crypto.UnknownNameError, added.NotACipherError):
        # A cipher that was added, measured, and removed or made something else.
        return None


def authenticates(slug: str) -> bool:
    """Return whether a suite has a tag: without one, changes are not noticed."""
    subject = _subject(slug)
    return subject is None or subject.tag_size > 0


class SuiteRow(NamedTuple):
    """Suites that share a row."""

    suite: str
    """The one whose figures are shown: that with the longest tag."""
    implementation: str
    name: str
    """Their common name, then the lengths of their tags."""


def fold(keys: Iterable[tuple[str, str]]) -> list[SuiteRow]:
    """Return one row for suites that differ only in the length of their tags.

    They are one program: only the number of bytes of the tag differs.

    Parameters
    ----------
    keys
        Suites and implementations.
    """
    rows = folded(keys, suite=lambda key: key[0], same=lambda key: key[1])
    return [SuiteRow(*row, name) for row, name in rows]


def folded(
    rows: Iterable[Row],
    *,
    suite: Callable[[Row], str],
    same: Callable[[Row], Hashable],
) -> list[tuple[Row, str]]:
    """Fold rows whose suites are subjects of the bench: see `tag_lengths.folded`."""
    return tag_lengths.folded(
        rows, suite=suite, tag_size=lambda row: _tag_size(suite(row)), same=same
    )


def stem(slug: str) -> str:
    """Return what suites have in common that are folded."""
    return tag_lengths.stem_and_tag(slug, _tag_size(slug))[0]


def _tag_size(slug: str) -> int:
    subject = _subject(slug)
    return 0 if subject is None else subject.tag_size

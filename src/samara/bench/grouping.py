# SPDX-License-Identifier: Apache-2.0
"""Suites that are one program, and suites that must not stand among the others."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from samara import crypto
from samara.bench import subjects

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Sequence

_TAG = re.compile(r"(.+)-(\d+)")

Row = TypeVar("Row")


@cache
def _subject(slug: str) -> subjects.Subject | None:
    try:
        return subjects.subject(slug)
    except crypto.UnknownNameError:
        # A cipher that was added, measured, and removed.
        return None


def authenticates(slug: str) -> bool:
    """Return whether a suite has a tag: without one, changes are not noticed."""
    subject = _subject(slug)
    return subject is None or subject.tag_size > 0


class Shown(NamedTuple):
    """Suites that share a row."""

    suite: str
    """The one whose figures are shown: that with the longest tag."""
    implementation: str
    name: str
    """Their common name, then the lengths of their tags."""


def fold(keys: Iterable[tuple[str, str]]) -> list[Shown]:
    """Return one row for suites that differ only in the length of their tags.

    They are one program: only the number of bytes of the tag differs.

    Parameters
    ----------
    keys
        Suites and implementations.
    """
    rows = folded(keys, suite=lambda key: key[0], same=lambda key: key[1])
    return [Shown(*row, name) for row, name in rows]


def folded(
    rows: Iterable[Row],
    *,
    suite: Callable[[Row], str],
    same: Callable[[Row], Hashable],
) -> list[tuple[Row, str]]:
    """Return the rows with the longest tag, and a name for all that they stand for.

    Parameters
    ----------
    suite
        Returns a row's suite.
    same
        Returns what must be equal for rows to be folded, beside the suite's name
        without its tag's length.
    """
    groups: dict[tuple[str, Hashable], list[tuple[int, Row]]] = {}
    for row in rows:
        stem, tag = _stem_and_tag(suite(row))
        groups.setdefault((stem, same(row)), []).append((tag, row))
    found = []
    for (stem, _), members in groups.items():
        _, longest = max(members, key=lambda member: member[0])
        tags = [tag for tag, _ in members]
        found.append((longest, _name(stem, tags, suite(longest))))
    return found


@cache
def _stem_and_tag(suite: str) -> tuple[str, int]:
    """Split a name before its tag's length; all of it and 0 if it has none."""
    subject = _subject(suite)
    found = _TAG.fullmatch(suite)
    if subject is None or found is None or int(found[2]) != subject.tag_size:
        return suite, 0
    # A tag of 0 bytes is no tag: such a suite is not folded.
    return (found[1], subject.tag_size) if subject.tag_size else (suite, 0)


def _name(stem: str, tags: Sequence[int], alone: str) -> str:
    if len(tags) == 1:
        return alone
    return f"{stem}-{'/'.join(map(str, sorted(set(tags))))}"

# SPDX-License-Identifier: Apache-2.0
"""Suites that differ only in the length of their tag, as one row of a table."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Sequence

_TAG = re.compile(r"(.+)-(\d+)")
# "-4/6/8/10/12/14/16" takes half of a terminal.
_TAGS = re.compile(r"-(\d+)(?:/\d+)*/(\d+)$")

Row = TypeVar("Row")


def folded(
    rows: Iterable[Row],
    *,
    suite: Callable[[Row], str],
    tag_size: Callable[[Row], int],
    same: Callable[[Row], Hashable],
) -> list[tuple[Row, str]]:
    """Return the rows with the longest tag, and a name for all that they stand for.

    Parameters
    ----------
    suite
        Returns the slug of a row's suite.
    tag_size
        Returns the length of its tag in bytes; 0 if it has none.
    same
        Returns what must be equal for rows to be folded, beside the slug without the
        length of the tag.
    """
    groups: dict[tuple[str, Hashable], list[tuple[int, Row]]] = {}
    for row in rows:
        stem, tag = stem_and_tag(suite(row), tag_size(row))
        groups.setdefault((stem, same(row)), []).append((tag, row))
    found = []
    for (stem, _), members in groups.items():
        _, longest = max(members, key=lambda member: member[0])
        tags = [tag for tag, _ in members]
        found.append((longest, _name(stem, tags, suite(longest))))
    return found


def shortened(name: str) -> str:
    """Return a name from `folded` with the first and last length only."""
    return _TAGS.sub(r"-\1..\2", name)


def stem_and_tag(slug: str, tag_size: int) -> tuple[str, int]:
    """Split a slug before its tag's length; all of it and 0 if it has none."""
    found = _TAG.fullmatch(slug)
    # A tag of 0 bytes is no tag: such a suite is not folded.
    if not tag_size or found is None or int(found[2]) != tag_size:
        return slug, 0
    return found[1], tag_size


def _name(stem: str, tags: Sequence[int], alone: str) -> str:
    if len(tags) == 1:
        return alone
    return f"{stem}-{'/'.join(map(str, sorted(set(tags))))}"

# SPDX-License-Identifier: Apache-2.0
"""Which suites share a row, and which must not stand among the others."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from samara import crypto
from samara.bench import subjects

if TYPE_CHECKING:
    from collections.abc import Iterable

_TAG = re.compile(r"(.+)-(\d+)")


@cache
def _subject(slug: str) -> subjects.Subject | None:
    try:
        return subjects.subject(slug)
    except crypto.UnknownNameError:
        # Of a cipher that was measured once, and is not here any more.
        return None


def authenticates(slug: str) -> bool:
    """Tell whether a suite has a tag: without one, anybody can change messages."""
    subject = _subject(slug)
    return subject is None or subject.tag_size > 0


class Shown(NamedTuple):
    """Suites that share a row."""

    suite: str
    """The one whose figures are shown: that with the longest tag."""
    implementation: str
    name: str
    """What the row is called: the tags' lengths behind the common name."""


def fold(keys: Iterable[tuple[str, str]]) -> list[Shown]:
    """Return one row for suites that differ by the length of their tags.

    They are one program: only what is cut from the tag differs.

    Parameters
    ----------
    keys
        Suites and implementations.
    """
    rows: dict[tuple[str, ...], list[tuple[int, str]]] = {}
    for suite, implementation in keys:
        stem, tag = _stem_and_tag(suite)
        rows.setdefault((stem, implementation), []).append((tag, suite))
    return [
        Shown(max(members)[1], implementation, _name(stem, members))
        for (stem, implementation), members in rows.items()
    ]


def _stem_and_tag(suite: str) -> tuple[str, int]:
    """Split a name before its tag's length; all of it and 0 where it has none."""
    subject = _subject(suite)
    found = _TAG.fullmatch(suite)
    if subject is None or found is None or int(found[2]) != subject.tag_size:
        return suite, 0
    # A tag of no bytes is no tag: that suite stays by itself.
    return (found[1], subject.tag_size) if subject.tag_size else (suite, 0)


def _name(stem: str, members: list[tuple[int, str]]) -> str:
    if len(members) == 1:
        return members[0][1]
    return f"{stem}-{'/'.join(str(tag) for tag, _ in sorted(members))}"

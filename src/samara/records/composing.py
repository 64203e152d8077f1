# SPDX-License-Identifier: Apache-2.0
"""Answers for people: records become tables, as soon as these are complete."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeGuard

from samara.records.answers import (
    Beside,
    Digest,
    Line,
    Notice,
    Octets,
    Progress,
    Refusal,
    Remark,
    Title,
    Verbatim,
    Written,
)
from samara.records.fields import Record
from samara.records.tables import Table, shown_leaves, table_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


_UNTITLED = Title("")


def is_shown(record: Record) -> bool:
    """Tell whether tables show a record; others are for programs alone."""
    return bool(shown_leaves(type(record.table_rows()[0])))


def composed(
    answer: Iterable[Record | Digest[Record] | Beside],
) -> Iterator[Table | Progress | Remark | Notice | Verbatim | Line | Octets]:
    """Yield what people are shown of an answer, while it comes.

    A table comes when the records below its title are complete, remarks when all
    tables have come, but those that stand above tables. Of a digest these are its
    parts. If no record follows the last title, or if there is nothing at all, a remark
    says so.
    """
    title: Title | None = _UNTITLED
    rows: list[Record] = []
    said: list[Remark | Refusal] = []
    for each in _with_parts(answer):
        if isinstance(each, Record):
            rows += [each] if is_shown(each) else []
        elif isinstance(each, Refusal) or _is_below(each):
            said.append(each)
        elif isinstance(each, (Title, Table, Verbatim, Remark)):
            yield from _table(title, rows)
            title, rows = (each, []) if isinstance(each, Title) else (None, [])
            if not isinstance(each, Title):
                yield each
        elif not isinstance(each, Written):
            yield each
    yield from _table(title, rows)
    if title and title.empty and not rows and not (title is _UNTITLED and said):
        yield Remark(f"{title.text}: {title.empty}" if title.text else title.empty)
    yield from (each for each in said if isinstance(each, Remark))


def _is_below(each: object) -> TypeGuard[Remark]:
    return isinstance(each, Remark) and not each.is_above


def _with_parts(
    answer: Iterable[Record | Digest[Record] | Beside],
) -> Iterator[Record | Beside]:
    for each in answer:
        if isinstance(each, Digest):
            yield from each.parts
        else:
            yield each


def _table(title: Title | None, rows: list[Record]) -> Iterator[Table]:
    if rows:
        title = title or Title("")
        yield table_of(rows, title.text, title.caption)

# SPDX-License-Identifier: Apache-2.0
"""What an answer is on its way to the page: its records, and lines around them.

Records are as `--json` prints them. The lines here are what people are shown: tables,
sentences, and how far the answer is.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Annotated, Final

from samara.figure import Origin  # noqa: TC001 - types of records are evaluated
from samara.records.answers import (
    Digest,
    Line,
    Notice,
    Octets,
    Progress,
    Remark,
    Verbatim,
)
from samara.records.composing import composed
from samara.records.fields import Field, Record, record_class
from samara.records.tables import Table

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


_STEP: Final = 0.001
"""Progress that is less is not told: long answers would be made of it."""


@record_class
class AnswerColumn:
    """The head of a column."""

    name: Annotated[str, Field("What it is.")]
    unit: Annotated[str, Field("Of its numbers; empty: none.")]
    numeric: Annotated[bool, Field("Whether it has numbers.")]


@record_class
class AnswerCell:
    """One cell of a table."""

    value: Annotated[
        float | str | None, Field("The value in the unit of the column; null: none.")
    ]
    text: Annotated[str, Field("As tables show it.")]
    origin: Annotated[Origin | None, Field("Of a figure; null of words.")]
    source: Annotated[str, Field("Where it comes from, or what it means.")]


@record_class
class AnswerTable(Record):
    """A table, as people are shown it."""

    slug: Annotated[str, Field("Its name.")]
    title: Annotated[str, Field("What it is about; may be empty.")]
    caption: Annotated[str, Field("What to know of it; may be empty.")]
    columns: Annotated[tuple[AnswerColumn, ...], Field("The heads of its columns.")]
    lines: Annotated[
        tuple[tuple[AnswerCell, ...], ...], Field("A cell for each column.")
    ]
    commands: Annotated[
        tuple[str, ...],
        Field("The command that makes each line; empty: there is none for a line."),
    ]


@record_class
class AnswerRemark(Record):
    """A sentence below the tables."""

    text: Annotated[str, Field("The sentence.")]
    is_verbatim: Annotated[
        bool, Field("Whether lines and spaces stay as they are, as of hex digits.")
    ]


@record_class
class AnswerNotice(Record):
    """A sentence about the request."""

    text: Annotated[str, Field("The sentence.")]
    warns: Annotated[bool, Field("Whether the answer may be wrong for it.")]


@record_class
class AnswerProgress(Record):
    """How far the answer is."""

    share: Annotated[float | None, Field("From 0 to 1; null: not known.", unit="1")]
    doing: Annotated[str, Field("A word or two.")]


@record_class
class AnswerEnd(Record):
    """The answer is complete, or why it is not: always the last line."""

    problem: Annotated[str, Field("A sentence; empty: the answer is complete.")]


def lines_of(
    answer: Iterable[object], *, with_records: bool, records_max: int
) -> Iterator[Record]:
    """Yield what a page gets of an answer, while it comes.

    Parameters
    ----------
    with_records
        Whether records are in it: before the tables that show them, and those of a
        digest after its parts.
    records_max
        How many; of more, a notice tells.
    """
    passed = _Passed(records_max)
    parts = composed(passed.keeping(answer) if with_records else answer)  # type: ignore[arg-type]
    last = Progress(None, "")
    for part in parts:
        yield from passed.taken()
        if isinstance(part, Progress):
            if _is_hardly_further(part, last):
                continue
            last = part
        yield _line(part)
    yield from passed.taken()
    if passed.are_too_many:
        text = (
            f"There are more than {records_max:,} records; the rest is left out:"
            " ask for fewer."
        )
        yield AnswerNotice(text, warns=True)


def _is_hardly_further(now: Progress, before: Progress) -> bool:
    if now.doing != before.doing or now.share is None or before.share is None:
        return False
    return before.share <= now.share < min(before.share + _STEP, 1.0)


class _Passed:
    """The first records of an answer that have passed and were not sent."""

    def __init__(self, most: int) -> None:
        self._records: list[Record] = []
        self._room = most
        self.are_too_many = False

    def keeping(self, answer: Iterable[object]) -> Iterator[object]:
        """Yield an answer; note its records, those in digests too."""
        for each in answer:
            if isinstance(each, Record):
                self._keep([each])
            yield each
            # Its parts have come: people see them before all records are made.
            if isinstance(each, Digest):
                self._keep(each.records)

    def _keep(self, records: Iterable[Record]) -> None:
        # One more than fit tells that there are more; making all may take long.
        found = list(islice(records, self._room + 1))
        self.are_too_many = self.are_too_many or len(found) > self._room
        self._records += found[: self._room]
        self._room = max(self._room - len(found), 0)

    def taken(self) -> list[Record]:
        found, self._records = self._records, []
        return found


def _line(
    part: Table | Progress | Remark | Notice | Verbatim | Line | Octets,
) -> Record:
    match part:
        case Table():
            return _table(part)
        case Progress():
            return AnswerProgress(part.share, part.doing)
        case Notice():
            return AnswerNotice(part.text, part.warns)
        case Octets():
            return AnswerRemark(part.content.hex(" "), is_verbatim=True)
        case Line():
            return AnswerRemark(part.text, part.verbatim)
    return AnswerRemark(part.text, is_verbatim=isinstance(part, Verbatim))


def _table(table: Table) -> AnswerTable:
    return AnswerTable(
        table.slug,
        table.title,
        table.caption,
        tuple(
            AnswerColumn(each.name, each.unit, each.numeric) for each in table.columns
        ),
        tuple(
            tuple(
                AnswerCell(each.value, each.text, each.origin, each.remark)
                for each in row.cells
            )
            for row in table.rows
        ),
        tuple(row.command for row in table.rows)
        if any(row.command for row in table.rows)
        else (),
    )

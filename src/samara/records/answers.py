# SPDX-License-Identifier: Apache-2.0
"""Answers: records, and what goes with them, in the order in which they are known."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import (
    TYPE_CHECKING,
    Any,
    Generic,
    TypeAlias,
    TypeVar,
    get_args,
    get_type_hints,
)

from samara.records.fields import Record
from samara.records.tables import Table

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True, slots=True)
class Progress:
    """Progress of a long computation."""

    share: float | None
    """Of the whole, from 0 to 1; None while that is not known."""
    doing: str
    """A word or two, such as ``drawing``."""
    records: int | None = None
    """Number of records in all, if it is known."""


@dataclass(frozen=True, slots=True)
class Title:
    """Title of the table of the records after it. Programs do not get it."""

    text: str
    caption: str = ""
    """Below the table."""
    empty: str = "nothing was found"
    """Why the table is empty if no record follows, and what to do about it; empty:
    people are told nothing."""


@dataclass(frozen=True, slots=True)
class Remark:
    """A sentence below the records, for people. Programs find the same in records."""

    text: str
    is_line: bool = False
    """Whether it is one line, which a terminal does not break between words."""
    is_above: bool = False
    """Whether it stands where it comes, above the tables that follow it."""
    emphasis: bool = False
    """Whether it says the answer in a sentence."""


@dataclass(frozen=True, slots=True)
class Notice:
    """A sentence about the request, which people and callers of programs should know.

    It is not part of the answer: a terminal shows it on stderr.
    """

    text: str
    warns: bool = False
    """Whether the answer may be wrong for it."""
    at_once: bool = False
    """Whether it is shown when it comes, not at the end: how long the rest takes."""


@dataclass(frozen=True, slots=True)
class Verbatim:
    """Text for people whose lines and spaces stay as they are, such as hex digits.

    A terminal shows it as soon as it comes. Programs find the same in records.
    """

    text: str


@dataclass(frozen=True, slots=True)
class Line:
    """A line for people about what has just happened. Programs find it in records."""

    text: str
    aside: bool = False
    """Whether it is beside the answer: a terminal shows it on stderr."""
    verbatim: bool = False
    """Whether it stays as it is even there, such as a command to be copied."""


@dataclass(frozen=True, slots=True)
class Octets:
    """Bytes of others for people and files, which are written without any change."""

    content: bytes


@dataclass(frozen=True, slots=True)
class Refusal:
    """That something in the answer was refused, was not done, or a check failed.

    A command that shows such an answer ends with exit status 1.
    """

    text: str = ""
    """Why, unless that was said before."""
    is_interruption: bool = False
    """Whether the user ended the work, of which the answer has what was done: the exit
    status is that of Ctrl-C."""


@dataclass(frozen=True, slots=True)
class Written:
    """What a file of the answer is made from where that is not its records."""

    rows: Sequence[Any]
    """Of a table; at least one, all of one class, which `record_class` has made."""
    drawn: Any
    """Argument of the function that draws the picture."""


_R = TypeVar("_R", bound=Record)
_Read_co = TypeVar("_Read_co", bound=Record, covariant=True)


@dataclass(frozen=True, slots=True)
class Digest(Generic[_Read_co]):
    """Many records, and what people are shown in their place, such as the first ones.

    Each is made only if it is read: programs read records, people the parts.
    """

    records: Iterable[_Read_co]
    parts: Iterable[Any]
    """Titles, tables, remarks, lines and progress; others are of a kind that who shows
    the answer knows, such as the receipt of a message."""


Beside: TypeAlias = (
    Progress
    | Title
    | Remark
    | Notice
    | Table
    | Verbatim
    | Line
    | Octets
    | Refusal
    | Written
)
"""What an answer has beside records."""

Answer: TypeAlias = Generator[_R | Digest[_R] | Beside, None, None]
"""What a function of a room yields; see `records_of` for the records alone. Who has
read enough of it closes it.

A table in it is one that is not made of records one by one, such as one that counts
them. People get it, programs do not: they find the same in records.
"""


def records_of(
    answer: Iterable[_R | Digest[_R] | Beside],
) -> list[_R]:
    """Return the records of an answer, when it is complete.

    >>> records_of([Remark("Nothing was measured.")])
    []
    """
    found: list[_R] = []
    for each in answer:
        if isinstance(each, Digest):
            found += each.records
        elif not isinstance(each, Beside):
            found.append(each)
    return found


def types_of(function: Callable[..., Any]) -> tuple[type[Record], ...]:
    """Return the classes of the records in the answers of a function.

    Parameters
    ----------
    function
        Its result is annotated, such as ``Answer[BatteryLife]``.
    """
    return tuple(dict.fromkeys(_records_in(get_type_hints(function)["return"])))


def _records_in(hint: Any) -> Iterator[type[Record]]:  # noqa: ANN401 - a type
    if isinstance(hint, type) and issubclass(hint, Record):
        yield hint
    for each in get_args(hint):
        yield from _records_in(each)

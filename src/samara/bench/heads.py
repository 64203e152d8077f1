# SPDX-License-Identifier: Apache-2.0
"""What can be told of a line of results before it is parsed: its head.

An answer about hundreds of thousands of results chooses by program and size, sorts, and
shows a few. Heads are in the index of a file (`samara.bench.index`), so that of its
lines only those that are shown are parsed.
"""

from __future__ import annotations

import json
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from samara.bench.packing import places_in, row_at, sizes_at
from samara.bench.results import (
    OF_BLOCKS,
    OF_MESSAGES,
    Operation,
    ProgramName,
    Result,
    Sizes,
    Verbs,
    enumerated,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


class Least(NamedTuple):
    """The least values of all results of a line; 0 where one is not known."""

    cycles: float
    """To seal, or to encrypt a block."""
    energy_uj: float
    """For the same."""
    code_bytes: float
    static_ram_bytes: float
    stack_bytes: float


class Head(NamedTuple):
    """The program of a line, and the sizes of messages that it has results of."""

    name: ProgramName
    sizes: tuple[Sizes, ...]
    code_bytes: int | None
    static_ram_bytes: int | None
    operations: tuple[Operation, ...] | None
    """Those that have cycles; None without figures."""
    least: Least

    @property
    def has_figures(self) -> bool:
        """Whether the cipher ran."""
        return self.operations is not None

    @property
    def verbs(self) -> Verbs:
        """The operations that the results have figures of."""
        return _verbs(self.operations or ())


_SAME_FOR_ALL_SIZES = (
    *ProgramName._fields,
    "code_bytes",
    "static_ram_bytes",
    "cycles",
)


def head_of(line: Mapping[str, Any]) -> Head:
    """Return the head of a line, whose fields are from `enumerated`.

    Raises
    ------
    ValueError
        If a field is missing or unknown, or lists are not of one length.
    """
    fields = dict(line)
    sizes = _paired(*sizes_at(fields, places_in(fields)))
    first = Result.of_fields(row_at(fields, 0))
    operations = tuple(first.counts) if first.has_figures else None
    return Head(
        first.program,
        sizes,
        first.code_bytes,
        first.static_ram_bytes,
        operations,
        _least(fields, first.verbs.protect),
    )


def _least(fields: Mapping[str, Any], protect: Operation) -> Least:
    values = (fields.get(name) for name in Least._fields)
    return Least(
        *(_least_of(v.get(protect) if isinstance(v, dict) else v) for v in values)
    )


def _least_of(value: Any) -> float:  # noqa: ANN401 - of any field
    """Return the least value of a field; one that is not known counts as 0."""
    values = value if isinstance(value, list) else [value]
    try:
        return float(0 if None in values else min(values))
    except (TypeError, ValueError):
        return 0.0


def of_line(text: str) -> Head | None:
    """Return the head of a line that is not parsed yet.

    Returns
    -------
    Head or None
        None for a line that has no results, is damaged, or whose head differs by size.
    """
    try:
        fields = json.loads(text)
        if any(isinstance(fields.get(name), list) for name in _SAME_FOR_ALL_SIZES):
            return None
        return head_of(enumerated(fields))
    except (AttributeError, TypeError, ValueError):
        return None


def as_text(found: Iterable[tuple[int, Head | None]]) -> str:
    """Return lines by number with their heads in JSON; most have the same sizes."""
    sizes: dict[tuple[Sizes, ...], int] = {}
    rows: list[tuple[Any, ...]] = []
    for number, head in found:
        if head is None:
            rows.append((number, None))
        else:
            place = sizes.setdefault(head.sizes, len(sizes))
            rows.append((number, head.name, place, *head[2:]))
    return json.dumps([list(map(json.dumps, sizes)), rows])


def from_text(text: str) -> dict[int, Head | None]:
    """Return the heads that `as_text` wrote, by the numbers of their lines.

    Raises
    ------
    ValueError
        If it is another text.
    """
    texts, rows = json.loads(text)
    sizes = list(map(_sizes_from_text, texts))
    return {number: _head(sizes, *kept) for number, *kept in rows}


def _head(
    sizes: list[tuple[Sizes, ...]],
    name: list[str] | None,
    place: int = 0,
    *kept: Any,  # noqa: ANN401 - of any field
) -> Head | None:
    if name is None:
        return None
    code_bytes, static_ram_bytes, operations, least = kept
    return Head(
        ProgramName._make(name),
        sizes[place],
        code_bytes,
        static_ram_bytes,
        operations if operations is None else _operations(tuple(operations)),
        Least._make(least),
    )


# Files of several devices have the same sizes.
@lru_cache(maxsize=1024)
def _sizes_from_text(text: str) -> tuple[Sizes, ...]:
    return tuple(map(Sizes._make, json.loads(text)))


@lru_cache(maxsize=64)
def _operations(names: tuple[str, ...]) -> tuple[Operation, ...]:
    return tuple(map(Operation, names))


@lru_cache(maxsize=64)
def _verbs(operations: tuple[Operation, ...]) -> Verbs:
    return OF_BLOCKS if Operation.ENCRYPT in operations else OF_MESSAGES


@lru_cache(maxsize=64)
def _paired(
    message_bytes: tuple[int, ...], ad_bytes: tuple[int, ...]
) -> tuple[Sizes, ...]:
    return tuple(map(Sizes, message_bytes, ad_bytes))

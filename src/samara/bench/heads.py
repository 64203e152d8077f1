# SPDX-License-Identifier: Apache-2.0
"""What can be told of a line of results before it is parsed: its head.

An answer about hundreds of thousands of results chooses by program and size, and shows
a few. Heads are in the index of a file (`samara.bench.index`), so that of its lines
only those that are shown are parsed.
"""

from __future__ import annotations

import json
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from samara.bench.packing import places_in, row_at, sizes_at
from samara.bench.results import ProgramName, Result, Sizes, enumerated

if TYPE_CHECKING:
    from collections.abc import Mapping


class Head(NamedTuple):
    """The program of a line, and the sizes of messages that it has results of."""

    name: ProgramName
    sizes: tuple[Sizes, ...]
    code_bytes: int | None
    static_ram_bytes: int | None
    has_figures: bool


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
    kept = (first.code_bytes, first.static_ram_bytes, first.has_figures)
    return Head(first.program, sizes, *kept)


def as_text(line: str) -> tuple[str, str] | None:
    """Return the head of a line in JSON, and its sizes, which many lines share.

    Returns
    -------
    tuple or None
        None for a line that has no results, is damaged, or whose head differs by size.
    """
    try:
        fields = json.loads(line)
        if any(isinstance(fields.get(name), list) for name in _SAME_FOR_ALL_SIZES):
            return None
        head = head_of(enumerated(fields))
        text = json.dumps([*head.name, *head[2:]])
        return text, json.dumps(list(zip(*head.sizes, strict=True)))
    except (AttributeError, TypeError, ValueError):
        return None


def from_text(text: str, sizes: str) -> Head:
    """Return the head that `as_text` wrote.

    Raises
    ------
    ValueError
        If it is another text.
    """
    device, suite, implementation, opt, *kept = json.loads(text)
    name = ProgramName(device, suite, implementation, opt)
    return Head(name, _sizes_from_text(sizes), *kept)


# Most lines have the same sizes.
@lru_cache(maxsize=64)
def _sizes_from_text(text: str) -> tuple[Sizes, ...]:
    return tuple(map(Sizes, *json.loads(text)))


@lru_cache(maxsize=64)
def _paired(
    message_bytes: tuple[int, ...], ad_bytes: tuple[int, ...]
) -> tuple[Sizes, ...]:
    return tuple(map(Sizes, message_bytes, ad_bytes))

# SPDX-License-Identifier: Apache-2.0
"""The sections of docs/json.md that are made from records, between their marks.

A mark names the rooms whose records stand there: `<!-- records: energy -->`, and the
text ends at `<!-- end of records -->`.
"""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING

from samara.records.reference import section

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from samara.records import Record

PAGE = "docs/json.md"
BLOCK = re.compile(
    r"(?P<begin><!-- records: (?P<rooms>[^\n]+) -->\n)"
    r".*?(?P<end><!-- end of records -->)",
    re.DOTALL,
)


def with_records(
    page: str,
    kinds: Iterable[type[Record]],
    commands: Mapping[type[Record], Sequence[str]],
) -> str:
    """Return the page with its sections of records as they are now.

    Parameters
    ----------
    page
        Its text.
    kinds
        Classes of records.
    commands
        What prints each.

    Raises
    ------
    ValueError
        When no mark names the room of a record, or no command prints it.
    """
    rooms = [room for mark in BLOCK.finditer(page) for room in mark["rooms"].split()]
    sections: dict[str, list[str]] = defaultdict(list)
    for kind in kinds:
        if not commands.get(kind):
            message = (
                f"no command prints {kind.__module__}.{kind.__name__}: a command that "
                "`answering` does not make says so with `prints`"
            )
            raise ValueError(message)
        sections[_room(kind, rooms)].append(section(kind, commands[kind]))

    def written(mark: re.Match[str]) -> str:
        texts = [text for room in mark["rooms"].split() for text in sections[room]]
        return "\n\n".join([mark["begin"].rstrip("\n"), *texts, mark["end"]])

    return BLOCK.sub(written, page)


def _room(kind: type[Record], rooms: Sequence[str]) -> str:
    """Return the room whose name has most parts in common with a record's module."""
    module = kind.__module__.removeprefix("samara.")
    found = [room for room in rooms if f"{module}.".startswith(f"{room}.")]
    if not found:
        message = f"{PAGE} has no mark for records of samara.{module}, such as {module}"
        raise ValueError(message)
    return max(found, key=len)

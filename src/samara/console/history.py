# SPDX-License-Identifier: Apache-2.0
"""What happened in a conversation, in order: kept on disk, and told to who looks on.

The file has one JSON object a line: number, time and event. It is read again when the
console starts, so that a reload, or a killed console, loses no more than the last line.
It is bounded: when it is full it takes the place of an older one beside it, and a new
file begins. So nothing is written twice, which would keep the event loop waiting.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import time
from collections import deque
from typing import TYPE_CHECKING, Any, Final

from samara.atomic_files import replacing
from samara.records.json_lines import plain

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from samara.records.fields import Record

EVENTS_MAX: Final = 5000
"""Events that are kept of a conversation."""
BYTES_MAX: Final = 1 << 24
"""Bytes of the events that are kept, as lines of the file; the last event is kept."""
WAITING_MAX: Final = 1000
"""Events that wait for a browser; one that is slower gets a summary."""
WAITING_BYTES_MAX: Final = 1 << 23
"""Bytes of events that wait for a browser."""

_MODE = 0o600


class Subscriber:
    """A browser that follows the events: what it has not read yet."""

    def __init__(self) -> None:
        self._waiting: deque[dict[str, Any]] = deque()
        self._bytes = self._missed = 0
        self._news = asyncio.Event()

    def put(self, event: dict[str, Any], size: int) -> None:
        """Let it have an event of a size; when too many wait, only their number."""
        fits = self._bytes + size <= WAITING_BYTES_MAX
        if len(self._waiting) < WAITING_MAX and fits:
            self._waiting.append(event)
            self._bytes += size
        else:
            self._missed += 1
        self._news.set()

    async def get(self) -> list[dict[str, Any]]:
        """Wait for events, and return all; at the end a summary of those left out."""
        await self._news.wait()
        self._news.clear()
        events, missed = list(self._waiting), self._missed
        self._waiting.clear()
        self._bytes = self._missed = 0
        if missed:
            events.append({"type": "missed", "count": missed})
        return events


class History:
    """The events of one conversation.

    Parameters
    ----------
    path
        The file; what it has is read. Lines that are damaged are left out.
    """

    def __init__(self, path: Path) -> None:
        self._path, self._older = path, path.with_suffix(".old.jsonl")
        older, content = map(_content, (self._older, path))
        self._events: deque[dict[str, Any]] = deque()
        self._sizes: deque[int] = deque()
        """Of the lines of these events."""
        self._bytes = 0
        lines = []
        for event in _read(older + content):
            lines.append(_line(event))
            self._keep(event, len(lines[-1]))
        self._number = self._events[-1]["number"] if self._events else 0
        self._lines, self._written = content.count(b"\n"), len(content)
        if older + content != b"".join(lines):
            self._write_all()
            self._older.unlink(missing_ok=True)
        self._subscribers: set[Subscriber] = set()

    def add(self, record: Record) -> None:
        """Keep an event, and tell it to all who look on."""
        self.add_printed({"type": record.type_name(), **plain(record)})

    def add_printed(self, fields: Mapping[str, Any]) -> None:
        """Keep a record that a program has printed, and tell it."""
        self._number += 1
        event = {"number": self._number, "time_s": round(time.time(), 6), **fields}
        line = _line(event)
        self._keep(event, len(line))
        self._write(line)
        for each in self._subscribers:
            each.put(event, len(line))

    def _keep(self, event: dict[str, Any], size: int) -> None:
        """Keep an event; the oldest ones go when there are too many, or too large."""
        self._events.append(event)
        self._sizes.append(size)
        self._bytes += size
        while len(self._events) > EVENTS_MAX or (
            self._bytes > BYTES_MAX and len(self._events) > 1
        ):
            self._events.popleft()
            self._bytes -= self._sizes.popleft()

    def clear(self) -> None:
        """Forget all events; the numbers of later ones go on."""
        self._events.clear()
        self._sizes.clear()
        self._bytes = 0
        self._older.unlink(missing_ok=True)
        self._write_all()

    def since(self, number: int) -> list[dict[str, Any]]:
        """Return the events after one, as many as are kept."""
        return [each for each in self._events if each["number"] > number]

    def highest(self, name: str) -> int:
        """Return the highest value that a key of the events has; 0 for none."""
        return max((each.get(name) or 0 for each in self._events), default=0)

    def last(self, kind: str) -> dict[str, Any] | None:
        """Return the last event of a type."""
        found = (each for each in reversed(self._events) if each["type"] == kind)
        return next(found, None)

    @contextlib.contextmanager
    def subscriber(self) -> Iterator[Subscriber]:
        """Let somebody look on from now on."""
        found = Subscriber()
        self._subscribers.add(found)
        try:
            yield found
        finally:
            self._subscribers.discard(found)

    def _write(self, line: bytes) -> None:
        is_full = self._written + len(line) > BYTES_MAX and self._lines > 0
        if self._lines >= EVENTS_MAX or is_full:
            self._path.replace(self._older)
            self._lines = self._written = 0
        descriptor = os.open(
            self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, _MODE
        )
        with os.fdopen(descriptor, "ab") as file:
            file.write(line)
        self._lines, self._written = self._lines + 1, self._written + len(line)

    def _write_all(self) -> None:
        """Write what is kept, in the place of what the file has."""
        with replacing(self._path, exclusive=False, mode=_MODE) as file:
            file.writelines(_line(each) for each in self._events)
        self._lines, self._written = len(self._events), self._bytes


def _content(path: Path) -> bytes:
    return path.read_bytes() if path.exists() else b""


def _line(event: dict[str, Any]) -> bytes:
    return json.dumps(event, allow_nan=False).encode() + b"\n"


def _read(content: bytes) -> Iterator[dict[str, Any]]:
    last = 0
    for line in content.splitlines():
        try:
            event = json.loads(line)
            number = event["number"]
        except (ValueError, TypeError, KeyError, RecursionError):
            continue
        if isinstance(number, int) and number > last:
            last = number
            yield event

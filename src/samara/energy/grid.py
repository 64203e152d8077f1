# SPDX-License-Identifier: Apache-2.0
"""Figures that were measured at some sizes, read at others."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


@dataclass(frozen=True, slots=True)
class _Span:
    """Two measured sizes, and how far along from the first to the second."""

    low: int
    high: int
    along: float

    @classmethod
    def around(cls, size: int, sizes: Sequence[int]) -> _Span:
        """Return the sizes around one, or the last two when it is beyond them."""
        if size in sizes or len(sizes) == 1:
            nearest = size if size in sizes else sizes[0]
            return cls(nearest, nearest, 0)
        index = min(max(bisect_left(sizes, size), 1), len(sizes) - 1)
        low, high = sizes[index - 1 : index + 1]
        return cls(low, high, (size - low) / (high - low))

    def between(self, at_low: float, at_high: float) -> float:
        """Return the value on the line through both."""
        return at_low + (at_high - at_low) * self.along

    def how(self, what: str) -> str:
        """Say what was done; nothing when the size was measured."""
        if self.low == self.high:
            return ""
        if 0 <= self.along <= 1:
            return f"interpolated between {what}s of {self.low} and {self.high} bytes"
        return f"continued beyond a {what} of {self.high} bytes"


class Grid:
    """Values by sizes of message and header, in bytes.

    Lines are drawn through the sizes of header that most sizes of message were
    measured with, and through the sizes of message that have all of those. What
    was measured beside them is known at its own sizes only.

    >>> grid = Grid({(0, 0): 100, (64, 0): 740, (128, 0): 1380})
    >>> grid.at(32, 0), grid.how(32, 0)
    (420.0, ', interpolated between messages of 0 and 64 bytes')
    >>> grid.at(64, 0), grid.how(64, 0)
    (740.0, '')
    """

    def __init__(self, values: Mapping[tuple[int, int], float]) -> None:
        self._values = values
        messages = sorted({message for message, _ in values})
        counts = Counter(header for _, header in values)
        self._headers = sorted(h for h, n in counts.items() if 2 * n >= len(messages))
        self._messages = [
            message
            for message in messages
            if all((message, header) in values for header in self._headers)
        ]

    def spans(self, message: int, header: int) -> bool:
        """Return whether anything can be said about these sizes."""
        if (message, header) in self._values:
            return True
        along_headers = header in self._headers or len(self._headers) > 1
        return along_headers and bool(self._messages)

    def at(self, message: int, header: int) -> float:
        """Return the value at these sizes: on lines through those around them."""
        if (message, header) in self._values:
            return float(self._values[message, header])
        along, across = self._spans(message, header)
        low, high = (
            along.between(self._values[along.low, size], self._values[along.high, size])
            for size in (across.low, across.high)
        )
        return float(across.between(low, high))

    def how(self, message: int, header: int) -> str:
        """Say how the value came about; nothing when it was measured."""
        if (message, header) in self._values:
            return ""
        along, across = self._spans(message, header)
        said = [along.how("message"), across.how("header")]
        return "".join(f", {text}" for text in said if text)

    def _spans(self, message: int, header: int) -> tuple[_Span, _Span]:
        return (
            _Span.around(message, self._messages),
            _Span.around(header, self._headers),
        )

# SPDX-License-Identifier: Apache-2.0
"""Figures that were measured at some sizes, read at others.

What a cipher takes for a message with a header is the sum of what it takes for
each: both are worked on one after the other, in whole blocks. So a figure is put
together from one for the message, measured with a header that all messages were
measured with, and the difference that another header makes.

Within a block, what it takes rises evenly, and `samara.bench.sizes` has sizes
measured at both ends of blocks. Beyond two blocks, the steps are those of the
first two, on top of what whole pairs of blocks take.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING

from samara.bench.sizes import PERIOD, WORD

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

_BLOCK = 16


class Grid:
    """Values by sizes of message and header, in bytes.

    Parameters
    ----------
    joined
        Whether the message is worked on as a part of the header: blocks then
        begin where the header's do, as when a frame is authenticated only.

    >>> blocks = {m: 100 + 64 * -(-m // 16) + m for m in (0, 1, 15, 16, 17, 31, 32, 64)}
    >>> grid = Grid({(m, 0): value for m, value in blocks.items()})
    >>> grid.at(20, 0), grid.at(53, 0), 100 + 4 * 64 + 53
    (248.0, 409.0, 409)
    >>> grid.how(20, 0), grid.how(16, 0)
    (', by the steps of whole blocks for a message of 20 bytes', '')
    """

    def __init__(
        self, values: Mapping[tuple[int, int], float], *, joined: bool = False
    ) -> None:
        self._values = values
        self._joined = joined
        self._header = _commonest(header for _, header in values)
        self._message = _commonest(m for m, h in values if (m, self._header) in values)
        self._by_header = {
            header: self._steps_with(header)
            for header in sorted({header for _, header in values})
            if (self._message, header) in values
        }
        # CCM's own two bytes in front shift the blocks of headers by two.
        headers = {h: v for (m, h), v in values.items() if m == self._message}
        self._headers = _Steps(headers, _BLOCK, firsts=(_BLOCK + 1,))

    def _steps_with(self, header: int) -> _Steps:
        messages = {m: v for (m, h), v in self._values.items() if h == header}
        return _Steps(messages, PERIOD, firsts=(9, 1))

    def _base_for(self, header: int) -> int:
        """Return the header whose messages stand for those of another.

        Where a word holds the end of a header and the beginning of a message, it
        is one that ends at the same place of a word.
        """
        if self._by_header[self._header].knows_steps:
            for base, messages in self._by_header.items():
                if (base - header) % WORD == 0 and messages.knows_steps:
                    return base
        return self._header

    def spans(self, message: int, header: int) -> bool:
        """Return whether anything can be said about these sizes."""
        if (message, header) in self._values:
            return True
        messages = self._by_header[self._base_for(header)]
        return messages.spans(message) and self._headers.spans(header)

    def at(self, message: int, header: int) -> float:
        """Return the value at these sizes."""
        if (message, header) in self._values:
            return float(self._values[message, header])
        base = self._base_for(header)
        messages = self._by_header[base]
        more = header - base if self._joined else 0
        return (
            messages.at(message + more)
            + self._headers.at(header)
            - messages.at(self._message + more)
        )

    def how(self, message: int, header: int) -> str:
        """Say how the value came about; nothing when it was measured."""
        if (message, header) in self._values:
            return ""
        base = self._base_for(header)
        said = [self._by_header[base].how(message, "message")]
        if header != base:
            said.append(self._headers.how(header, "header"))
        return "".join(f", {text}" for text in said if text)


def _commonest(sizes: Iterable[int]) -> int:
    """Return the size that occurs most often, the first of those that do."""
    return Counter(sizes).most_common(1)[0][0]


class _Steps:
    """Values by one size, which rise in steps of whole blocks.

    Parameters
    ----------
    period
        Bytes after which the steps come again.
    firsts
        Sizes from which on they may do so; the first of them that enough was
        measured for counts.
    """

    def __init__(
        self, values: Mapping[int, float], period: int, *, firsts: Sequence[int]
    ) -> None:
        self._values, self._period = values, period
        self._sizes = sorted(values)
        self._whole = [size for size in self._sizes if size and not size % period]
        known = [first for first in firsts if self._are_known_from(first)]
        self.knows_steps = bool(known)
        self._first = known[0] if known else 0

    def _are_known_from(self, first: int) -> bool:
        """Return whether all steps of one period were measured, block by block."""
        last = first + self._period - 1
        steps = [size for size in self._sizes if first - 1 <= size <= last]
        gaps = (high - low for low, high in pairwise(steps))
        return {first - 1, last} <= set(steps) and max(gaps) < _BLOCK

    def spans(self, size: int) -> bool:
        """Return whether anything can be said about a size."""
        return size in self._values or len(self._sizes) > 1

    def at(self, size: int) -> float:
        """Return the value at a size."""
        if size in self._values:
            return self._values[size]
        if not self._repeats(size):
            return self._on_line(size, self._sizes)
        behind = (size - self._first) // self._period * self._period
        whole = self._whole[0]
        rise = self._on_line(whole + behind, self._whole) - self._values[whole]
        return self._on_line(size - behind, self._sizes) + rise

    def how(self, size: int, what: str) -> str:
        """Say how the value came about."""
        if size in self._values:
            return ""
        low, high = self._around(size, self._sizes)
        if self._repeats(size) or (self.knows_steps and high < self._beyond):
            return f"by the steps of whole blocks for a {what} of {size} bytes"
        if low < size < high:
            return f"interpolated between {what}s of {low} and {high} bytes"
        return f"continued beyond a {what} of {high} bytes"

    @property
    def _beyond(self) -> int:
        """The first size that is told from those one period before."""
        return self._first + self._period

    def _repeats(self, size: int) -> bool:
        return self.knows_steps and len(self._whole) > 1 and size >= self._beyond

    def _on_line(self, size: int, sizes: Sequence[int]) -> float:
        """Return the value on the line through the two sizes around one."""
        if size in self._values or len(sizes) == 1:
            return self._values[size if size in self._values else sizes[0]]
        low, high = self._around(size, sizes)
        along = (size - low) / (high - low)
        at_low, at_high = self._values[low], self._values[high]
        return at_low + (at_high - at_low) * along

    @staticmethod
    def _around(size: int, sizes: Sequence[int]) -> tuple[int, int]:
        """Return the sizes around one, or the last two when it is beyond them."""
        if len(sizes) == 1:
            return sizes[0], sizes[0]
        index = min(max(bisect_left(sizes, size), 1), len(sizes) - 1)
        return sizes[index - 1], sizes[index]

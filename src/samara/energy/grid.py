# SPDX-License-Identifier: Apache-2.0
"""Cycles that were measured at some sizes, computed for other sizes.

A cipher works on the associated data and then on the message, each in whole blocks.
So its cycles are the sum of two parts. For other sizes, the cycles are those of the
message, measured with one size of associated data (the base), plus the difference
between the associated data and the base.

Within a block the cycles grow linearly, and `samara.bench.sizes` has sizes at both
ends of blocks. For larger sizes, the steps are those of the last period that was
measured whole, on top of the cycles of whole periods. The first period may differ from
all others: of CCM, where two blocks are encrypted at once, it has one block more.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING

from samara.bench.sizes import Periods

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from samara.energy.quantity import Value

_BLOCK = 16
_ALIKE = Periods()
_AD = "associated data"


class Grid:
    """Values by sizes of message and associated data, in bytes.

    A value is a number, or an array of those of several programs.

    Parameters
    ----------
    joined
        Whether the message continues the blocks of the associated data, as in a
        frame that is only authenticated.
    periods
        Bytes after which steps repeat. Default: two blocks of 16 bytes of message, and
        one of associated data.

    >>> blocks = {m: 100 + 64 * -(-m // 16) + m for m in (0, 1, 15, 16, 17, 31, 32, 64)}
    >>> grid = Grid({(m, 0): value for m, value in blocks.items()})
    >>> grid.at(20, 0), grid.at(53, 0), 100 + 4 * 64 + 53
    (248.0, 409.0, 409)
    >>> grid.derivation(20, 0), grid.derivation(16, 0)
    (', by the steps of whole blocks for a message of 20 bytes', '')
    """

    def __init__(
        self,
        values: Mapping[tuple[int, int], Value],
        *,
        joined: bool = False,
        periods: Periods = _ALIKE,
    ) -> None:
        self._values = values
        self._periods = periods
        self._joined = joined
        self._ad = _commonest(ad for _, ad in values)
        self._message = _commonest(m for m, _ in values if (m, self._ad) in values)
        ads = {a: v for (m, a), v in values.items() if m == self._message}
        self._bases = sorted(ads)
        self._by_ad: dict[int, _Steps] = {}
        # CCM puts two bytes before the associated data, which shift its blocks: the
        # second period counts.
        self._ads = _Steps(ads, [(periods.ad + 1, periods.ad)])

    def _steps_with(self, ad: int) -> _Steps:
        """Return the steps of messages with these associated data.

        Most answers need none or one of them: each is made when it is asked for.
        """
        if ad not in self._by_ad:
            self._by_ad[ad] = self._new_steps_with(ad)
        return self._by_ad[ad]

    def _new_steps_with(self, ad: int) -> _Steps:
        messages = {m: v for (m, a), v in self._values.items() if a == ad}
        period, block = self._periods.message, self._periods.block
        later = [(period + 1, period)]
        if block:
            later.append((block + 1, block))
        return _Steps(messages, [*later, (9, period), (1, period)])

    def _base_for(self, ad: int) -> int:
        """Return the size of associated data whose messages are used for a size.

        If a word can hold the end of the associated data and the beginning of the
        message, it is a size with the same remainder of the word's size.
        """
        if self._steps_with(self._ad).knows_steps:
            for base in self._bases:
                is_alike = (base - ad) % self._periods.word == 0
                if is_alike and self._steps_with(base).knows_steps:
                    return base
        return self._ad

    def spans(self, message: int, ad: int) -> bool:
        """Return whether a value at these sizes can be computed."""
        if (message, ad) in self._values:
            return True
        messages = self._steps_with(self._base_for(ad))
        return messages.spans(message) and self._ads.spans(ad)

    def at(self, message: int, ad: int) -> Value:
        """Return the value at these sizes."""
        if (message, ad) in self._values:
            return 1.0 * self._values[message, ad]
        base = self._base_for(ad)
        messages = self._steps_with(base)
        more = ad - base if self._joined else 0
        return (
            messages.at(message + more)
            + self._ads.at(ad)
            - messages.at(self._message + more)
        )

    def derivation(self, message: int, ad: int) -> str:
        """Return how a value was computed; nothing if it was measured."""
        if (message, ad) in self._values:
            return ""
        base = self._base_for(ad)
        said = [self._steps_with(base).derivation(message, "a message", "messages")]
        if ad != base:
            said.append(self._ads.derivation(ad, _AD, _AD))
        return "".join(f", {text}" for text in said if text)


def _commonest(sizes: Iterable[int]) -> int:
    """Return the size that occurs most often; of several, the first."""
    return Counter(sizes).most_common(1)[0][0]


class _Steps:
    """Values by one size, which grow in steps of whole blocks.

    Parameters
    ----------
    periods
        Sizes from which the steps may repeat, and the bytes after which they do. The
        first pair counts for which a whole period was measured.
    """

    def __init__(
        self, values: Mapping[int, Value], periods: Sequence[tuple[int, int]]
    ) -> None:
        self._values = values
        self._sizes = sorted(values)
        known = [pair for pair in periods if self._are_known(*pair)]
        self.knows_steps = bool(known)
        self._first, self._period = known[0] if known else (0, periods[-1][1])
        self._whole = [size for size in self._sizes if size and not size % self._period]

    def _are_known(self, first: int, period: int) -> bool:
        """Return whether all steps of one period were measured, block by block."""
        last = first + period - 1
        steps = [size for size in self._sizes if first - 1 <= size <= last]
        gaps = (high - low for low, high in pairwise(steps))
        return {first - 1, last} <= set(steps) and max(gaps) < _BLOCK

    def spans(self, size: int) -> bool:
        """Return whether a value at this size can be computed."""
        return size in self._values or len(self._sizes) > 1

    def at(self, size: int) -> Value:
        """Return the value at a size."""
        if size in self._values:
            return self._values[size]
        if not self._repeats(size):
            return self._on_line(size, self._sizes)
        behind = (size - self._first) // self._period * self._period
        whole = self._whole[0]
        rise = self._on_line(whole + behind, self._whole) - self._values[whole]
        return self._on_line(size - behind, self._sizes) + rise

    def derivation(self, size: int, one: str, several: str) -> str:
        """Return how a value was computed, about `one` thing or `several`."""
        if size in self._values:
            return ""
        low, high = self._around(size, self._sizes)
        if self._repeats(size) or (self.knows_steps and high < self._beyond):
            return f"by the steps of whole blocks for {one} of {size} bytes"
        if low < size < high:
            return f"interpolated between {several} of {low} and {high} bytes"
        return f"continued beyond {one} of {high} bytes"

    @property
    def _beyond(self) -> int:
        """The first size that is computed from that of one period before."""
        return self._first + self._period

    def _repeats(self, size: int) -> bool:
        return self.knows_steps and len(self._whole) > 1 and size >= self._beyond

    def _on_line(self, size: int, sizes: Sequence[int]) -> Value:
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

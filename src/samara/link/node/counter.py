# SPDX-License-Identifier: Apache-2.0
"""Transmit counters: each value is reserved durably before it is used."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from samara.errors import MisuseError

if TYPE_CHECKING:
    from samara.link.node.quantities import Number

SKIPPED_MAX = 1000
"""How many values are left out at most when another node asks for it."""


class CounterEndError(MisuseError):
    """A transmit counter has no values left: the link needs a new key."""


class Reserves(Protocol):
    """What stores which values are reserved: the state of the node."""

    def reserve(self, number: Number, first: int) -> int:
        """Reserve values from `first` on; return the value after the last."""
        ...


class Counter:
    """A transmit counter: each value is used at most once."""

    def __init__(self, state: Reserves, number: Number, first: int) -> None:
        self.next = first
        """The next value."""
        self._end = first
        self._state = state
        self._number = number

    @property
    def is_used_up(self) -> bool:
        """Whether no reserved value is left."""
        return self.next >= self._end

    def extend(self, end: int) -> None:
        """Note that the values before `end` are reserved."""
        self._end = end

    def skip_to(self, value: int, most: int = SKIPPED_MAX) -> bool:
        """Skip the values before this one; return whether that changes something.

        Parameters
        ----------
        most
            How many are left out: who asks for more is mistaken, and none is.
        """
        if not self.next < value <= self.next + most:
            return False
        self.next = value
        return True

    def take(self) -> int:
        """Return a value that was never returned before.

        Raises
        ------
        CounterEndError
            When there are no more.
        StateError
            When its reservation could not be stored.
        """
        if self.is_used_up:
            self._end = self._state.reserve(self._number, self.next)
        value = self.next
        self.next += 1
        return value

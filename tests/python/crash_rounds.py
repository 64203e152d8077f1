# SPDX-License-Identifier: Apache-2.0
"""How many rounds a crash test has: by what has happened, and not by the clock."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

_LONGER_AT_MOST = 10


class Findings(Protocol):
    """What came of a run so far."""

    @property
    def errors(self) -> Sequence[str]:
        """What ended a process."""
        ...

    @property
    def is_enough(self) -> bool:
        """Whether as much happened as a run of so many rounds is for."""
        ...

    def is_as_expected(self, fault: str) -> bool:
        """Whether all is good, or the fault that was planted has shown."""
        ...


def has_seen_enough(found: Findings, fault: str) -> bool:
    """Return whether the fault has shown; without one, whether enough has happened.

    After an error there is nothing to wait for.
    """
    if fault:
        return found.is_as_expected(fault)
    return bool(found.errors) or found.is_enough


def rounds_until(
    is_over: Callable[[], bool], rounds: int, *, fault: str, look_every: int = 5
) -> Iterator[int]:
    """Count the rounds of a run, and end when it has seen what it is for.

    A slow machine does less in a round: messages that a fast one acknowledges before
    the next kill are not acknowledged there. So `rounds` is the least of a run
    without a fault, which has up to ten times as many until enough has happened. With
    a fault, which a round shows by chance only, it is the most.

    Parameters
    ----------
    is_over
        Whether enough has happened, or the fault has shown.
    look_every
        After how many rounds this is asked again.
    """
    least, most = (0, rounds) if fault else (rounds, _LONGER_AT_MOST * rounds)
    for number in range(most):
        if number >= least and number % look_every == 0 and is_over():
            return
        yield number

# SPDX-License-Identifier: Apache-2.0
"""Long computations: generators that yield which share is done, and return a result."""

from __future__ import annotations

from collections.abc import Generator
from typing import TypeAlias, TypeVar

from samara.records import Progress

_T = TypeVar("_T")
Steps: TypeAlias = Generator[float, None, _T]


def result_of(steps: Steps[_T]) -> _T:
    """Return the result of a computation.

    >>> def half():
    ...     yield 0.5
    ...     return "done"
    >>> result_of(half())
    'done'
    """
    while True:
        try:
            next(steps)
        except StopIteration as end:
            result: _T = end.value
            return result


def part_of(steps: Steps[_T], done: int, count: int) -> Steps[_T]:
    """Compute one of some equal parts of a whole, and yield shares of the whole.

    Parameters
    ----------
    done, count
        How many of how many parts are done before this one.
    """
    while True:
        try:
            share = next(steps)
        except StopIteration as end:
            result: _T = end.value
            return result
        yield (done + share) / count


def with_progress(steps: Steps[_T], doing: str) -> Generator[Progress, None, _T]:
    """Compute, and yield how far it is as parts of an answer."""
    while True:
        try:
            share = next(steps)
        except StopIteration as end:
            result: _T = end.value
            return result
        yield Progress(share, doing)

# SPDX-License-Identifier: Apache-2.0
"""The figure of merit: which cipher costs the least in all respects.

Only results of one device, of one size of message and associated data, and of one
kind are compared: a cipher without authentication is always cheaper than one with it,
and cannot replace it.
"""

from __future__ import annotations

from collections import defaultdict
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from samara import crypto
from samara.bench import surviving
from samara.bench.results import Operation

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from samara.bench.results import Result, Sizes


Rated: TypeAlias = "tuple[Result, float | None]"
"""A result, and its figure of merit if it was computed."""


class Ranked(NamedTuple):
    """A result and its figure of merit."""

    result: Result
    merit: float


class Kind(StrEnum):
    """Kinds of results, in the order of lists."""

    AUTHENTICATED = "authenticated"
    FRAME = "frame"
    NODE = "node"
    STORE = "store"
    BLOCK = "block"
    UNAUTHENTICATED = "unauthenticated"


_ORDER = list(Kind)
_BY_NAME = {
    **dict.fromkeys(surviving.NODE_NAMES, Kind.NODE),
    surviving.STORE: Kind.STORE,
}


def kind(result: Result) -> Kind | None:
    """Return the kind of a result with figures.

    Returns
    -------
    Kind or None
        None for a cipher that is timed in parts: it writes intermediate data that is
        not counted, and nobody would use it.
    """
    if result.parts:
        return None
    if Operation.ENCRYPT in result.counts:
        return Kind.BLOCK
    if result.suite in _BY_NAME:
        return _BY_NAME[result.suite]
    if result.suite.startswith("ieee802154-"):
        return Kind.FRAME
    suites = {suite.slug: suite for suite in crypto.suites()}
    suite = suites.get(result.suite)
    # Added ciphers have NIST's interface for authenticated encryption.
    is_authenticated = suite is None or suite.authenticates
    return Kind.AUTHENTICATED if is_authenticated else Kind.UNAUTHENTICATED


def ranked(results: Iterable[Result]) -> list[Ranked]:
    """Return results with their figures of merit, the best first in each group.

    The figure is the sum over code, memory (variables and stack) and cycles
    (set-up and seal, or set-up and encrypt) of the value over the least value in
    the group: 3 is the best there can be. A group has one device, size and kind.
    """
    groups: defaultdict[tuple[str, Sizes, int], list[Result]] = defaultdict(list)
    for result in results:
        if not result.has_figures or (found := kind(result)) is None:
            continue
        groups[result.device, result.sizes, _ORDER.index(found)].append(result)
    return [each for key in sorted(groups) for each in _ranked(groups[key])]


def _ranked(group: Sequence[Result]) -> list[Ranked]:
    rows = [(r.code_bytes or 0, r.memory_bytes, r.total_cycles) for r in group]
    least = [max(min(values), 1) for values in zip(*rows, strict=True)]
    merits = (
        sum(value / best for value, best in zip(row, least, strict=True))
        for row in rows
    )
    found = map(Ranked, group, merits)
    return sorted(found, key=lambda ranked: ranked.merit)

# SPDX-License-Identifier: Apache-2.0
"""The figure of merit: which cipher costs the least in all respects.

Only results of one device, of one size of message and associated data, and of one
kind are compared: a cipher without authentication is always cheaper than one with it,
and cannot replace it.
"""

from __future__ import annotations

from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from samara import crypto
from samara.bench import surviving
from samara.bench.results import Operation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from samara.bench.programs import Program
    from samara.bench.results import Result, Sizes


Rated: TypeAlias = "tuple[Result, float | None]"
"""A result, and its figure of merit if it was computed."""


class Ranked(NamedTuple):
    """The place of a result in its program, and its figure of merit."""

    program: Program
    number: int
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


def kind_of(program: Program) -> Kind | None:
    """Return the kind of a program.

    Returns
    -------
    Kind or None
        None for one without figures, and for a cipher that is timed in parts: it
        writes intermediate data that is not counted, and nobody would use it.
    """
    return _kind(program.first) if program.head.has_figures else None


def _kind(result: Result) -> Kind | None:
    if result.parts:
        return None
    if Operation.ENCRYPT in result.counts:
        return Kind.BLOCK
    if result.suite in _BY_NAME:
        return _BY_NAME[result.suite]
    if result.suite.startswith("ieee802154-"):
        return Kind.FRAME
    suite = _suites().get(result.suite)
    # Added ciphers have NIST's interface for authenticated encryption.
    is_authenticated = suite is None or suite.authenticates
    return Kind.AUTHENTICATED if is_authenticated else Kind.UNAUTHENTICATED


@cache
def _suites() -> dict[str, crypto.Suite]:
    return {suite.slug: suite for suite in crypto.suites()}


Costs: TypeAlias = tuple[int, ...]
"""Code, memory, and cycles of a result."""

Group: TypeAlias = "tuple[str, Sizes, int]"
"""Device, sizes and kind of results that are compared."""


def ranked(
    programs: Iterable[Program], among: Iterable[Program] | None = None
) -> list[Ranked]:
    """Return results with their figures of merit, the best first in each group.

    The figure is the sum over code, memory (variables and stack) and cycles
    (set-up and seal, or set-up and encrypt) of the value over the least value in
    the group: 3 is the best there can be. A group has one device, size and kind.

    Parameters
    ----------
    among
        Programs that these are compared with. Default: these.
    """
    programs = list(programs)
    least = _least(programs if among is None else among)
    found = [
        (group, Ranked(program, number, _merit(costs, least[group])))
        for program in programs
        for number, (group, costs) in enumerate(_compared(program))
    ]
    found.sort(key=lambda each: (each[0], each[1].merit))
    return [each for _, each in found]


def _merit(costs: Costs, least: Costs) -> float:
    return sum(value / max(best, 1) for value, best in zip(costs, least, strict=True))


def _least(programs: Iterable[Program]) -> dict[Group, Costs]:
    """Return the least cost of each kind in each group."""
    found: dict[Group, Costs] = {}
    for program in programs:
        for group, costs in _compared(program):
            before = found.get(group, costs)
            found[group] = tuple(map(min, before, costs))
    return found


def _compared(program: Program) -> Iterator[tuple[Group, Costs]]:
    """Yield the group and the costs of each result; of none that is not compared."""
    if (kind := kind_of(program)) is None:
        return
    device, order = program.name.device, _ORDER.index(kind)
    for size, code, variables, stack, set_up, protect in zip(
        program.sizes,
        program.values("code_bytes"),
        program.values("static_ram_bytes"),
        program.values("stack_bytes"),
        program.counts_of(Operation.SET_UP),
        program.protecting("cycles"),
        strict=True,
    ):
        memory = (variables or 0) + (stack or 0)
        yield (device, size, order), (code or 0, memory, set_up + protect)

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
from samara.bench.results import OF_BLOCKS, Operation

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
    head = program.head
    if head.operations is None or not set(head.operations) <= set(head.verbs):
        return None
    is_block = head.verbs == OF_BLOCKS
    return Kind.BLOCK if is_block else _kind_of_suite(head.name.suite)


@cache
def _kind_of_suite(name: str) -> Kind:
    if name in _BY_NAME:
        return _BY_NAME[name]
    if name.startswith("ieee802154-"):
        return Kind.FRAME
    suite = _suites().get(name)
    # Added ciphers have NIST's interface for authenticated encryption.
    is_authenticated = suite is None or suite.authenticates
    return Kind.AUTHENTICATED if is_authenticated else Kind.UNAUTHENTICATED


@cache
def _suites() -> dict[str, crypto.Suite]:
    return {suite.slug: suite for suite in crypto.suites()}


Costs: TypeAlias = tuple[int, ...]
"""Code, memory, and cycles of a result."""

Group: TypeAlias = "tuple[Sizes, int]"
"""Sizes and kind of results of a device that are compared."""


def ranked(
    programs: Iterable[Program], among: Iterable[Program] | None = None
) -> Iterator[Ranked]:
    """Yield results with their figures of merit, the best first in each group.

    The figure is the sum over code, memory (variables and stack) and cycles
    (set-up and seal, or set-up and encrypt) of the value over the least value in
    the group: 3 is the best there can be. A group has one device, size and kind.

    Parameters
    ----------
    among
        Programs that these are compared with. Default: these.
    """
    shown = _by_device(programs)
    compared = shown if among is None else _by_device(among)
    # Who asks for the first ones alone needs no results of other devices.
    for device in sorted(shown):
        least = _least(compared[device])
        found = [
            (group, Ranked(program, number, _merit(costs, least[group])))
            for program in shown[device]
            for number, (group, costs) in enumerate(_compared(program))
        ]
        found.sort(key=lambda each: (each[0], each[1].merit))
        yield from (each for _, each in found)


def _by_device(programs: Iterable[Program]) -> dict[str, list[Program]]:
    found: dict[str, list[Program]] = {}
    for program in programs:
        found.setdefault(program.name.device, []).append(program)
    return found


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
    order = _ORDER.index(kind)
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
        yield (size, order), (code or 0, memory, set_up + protect)

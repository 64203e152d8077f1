# SPDX-License-Identifier: Apache-2.0
"""Numbers of a state of format 1, whose names were texts that were put together.

A name was what is counted, the neighbour and the generation of the key if there are
any, with spaces in between: "transmit counter bob 2". Windows were numbers of their
own, whose name goes on behind a comma, and so were bounds: "skipped to" and the name.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from samara.link.node.quantities import (
    WINDOW_SIZE,
    DamagedError,
    Number,
    Quantity,
    Value,
    has_table,
)
from samara.link.node.unsynced import Unsynced

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Mapping

_TABLES: Final = {
    "number": "SELECT name, value FROM number",
    "note": "SELECT name, value FROM note",
}
_VALUE_MAX: Final = 2**63 - 1
_SKIPPED: Final = "skipped to "
_WINDOW: Final = re.compile(r"(.*), (missing 1 to 32|missing 33 to 64|missing below)")
_INTRODUCED_BELOW: Final = re.compile(r"(introduced by .*), below")
_OF_KEY: Final = re.compile(r"(group )?(transmit counter|receive counter)((?: \S+)*)")
_OF_MESSAGE: Final = re.compile(r"(message taken|message handed on)((?: \S+)*)")
_INTRODUCER: Final = re.compile(r"introduced by ([0-9a-f]{16})")
_OF_NODE: Final = {
    each.value: Number(each)
    for each in (
        Quantity.IDS,
        Quantity.RECEIVED,
        Quantity.LOST,
        Quantity.INCOMPLETE,
        Quantity.REFUSED,
        Quantity.INTRODUCTIONS,
        Quantity.INTRODUCERS,
        Quantity.CHANGES,
        Quantity.INTERRUPTED,
    )
}
_OWN_NUMBERS: Final = ("#number", "#change", "#boot")


def read(
    database: sqlite3.Connection, *, is_pair: bool
) -> tuple[dict[Number, Value], Unsynced | None]:
    """Return the numbers of a state of format 1, and the last unsynced ones.

    Parameters
    ----------
    is_pair
        Whether the node has a neighbour without a name: then a number at the end of a
        name is the generation of a key, and never a neighbour.

    Raises
    ------
    DamagedError
        When a row cannot be.
    """
    numbers = typed(_rows(database, "number"), is_pair=is_pair)
    rows = _rows(database, "note") if has_table(database, "note") else {}
    if not rows.keys() >= set(_OWN_NUMBERS):
        return numbers, None
    number, change, boot = (rows.pop(name) for name in _OWN_NUMBERS)
    return numbers, Unsynced(number, change, boot, typed(rows, is_pair=is_pair))


def _rows(database: sqlite3.Connection, table: str) -> dict[str, int]:
    rows = dict(database.execute(_TABLES[table]).fetchall())
    for name, value in rows.items():
        is_name, is_number = isinstance(name, str), type(value) is int
        if not is_name or not is_number or not 0 <= value <= _VALUE_MAX:
            raise DamagedError
    return rows


def typed(rows: Mapping[str, int], *, is_pair: bool) -> dict[Number, Value]:
    """Return numbers of format 1 by what they count.

    Raises
    ------
    DamagedError
        When a name has no meaning.
    """
    windows, skipped, plain = {}, [], {}
    for name, value in rows.items():
        if name.startswith(_SKIPPED):
            skipped.append(name.removeprefix(_SKIPPED))
        elif _WINDOW.fullmatch(name) or _INTRODUCED_BELOW.fullmatch(name):
            windows[name] = value
        else:
            plain[name] = value
    found = {}
    for name, value in plain.items():
        window = _window(name, value, windows)
        found[_number(name, is_pair=is_pair)] = Value(value, window)
    for number in _numbers(skipped, is_pair=is_pair):
        if number in found:
            found[number] = found[number].as_bound()
    return found


def _window(name: str, value: int, windows: Mapping[str, int]) -> int | None:
    """Return the window of a number; None beside another value of it."""
    window = windows.get(f"{name}, below")
    if windows.get(f"{name}, missing below") == value:
        low = windows.get(f"{name}, missing 1 to 32", 0)
        window = low | windows.get(f"{name}, missing 33 to 64", 0) << 32
    if window is not None and window >> WINDOW_SIZE:
        raise DamagedError
    return window


def _numbers(names: Iterable[str], *, is_pair: bool) -> list[Number]:
    return [_number(name, is_pair=is_pair) for name in names]


def _number(name: str, *, is_pair: bool) -> Number:
    if name in _OF_NODE:
        return _OF_NODE[name]
    if match := _OF_KEY.fullmatch(name):
        of_group, quantity = match[1] is not None, Quantity(match[2])
        return _of_key(quantity, match[3].split(), of_group=of_group, is_pair=is_pair)
    if match := _OF_MESSAGE.fullmatch(name):
        match match[2].split():
            case [] | [_] as peer:
                return Number(Quantity(match[1]), *peer)
            case [peer, "*"]:
                return Number(Quantity(match[1]), peer, of_group=True)
    if match := _INTRODUCER.fullmatch(name):
        return Number(Quantity.INTRODUCED_BY, match[1])
    raise DamagedError


def _of_key(
    quantity: Quantity, words: list[str], *, of_group: bool, is_pair: bool
) -> Number:
    has_peer = not is_pair and not (of_group and quantity is Quantity.SENT)
    peer = words.pop(0) if has_peer and words else ""
    match words:
        case []:
            return Number(quantity, peer, 0, of_group)
        case [digits] if digits.isascii() and digits.isdigit():
            return Number(quantity, peer, int(digits), of_group)
    raise DamagedError

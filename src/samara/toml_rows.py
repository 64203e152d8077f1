# SPDX-License-Identifier: Apache-2.0
"""Rows of data files: tables of TOML as dataclasses, checked field by field.

A field is a text, a number, a truth value, a list of texts or of pairs of numbers, a
table, or one that is a dataclass itself; or one of these that may be left out, and is
None then.
What is wrong is one sentence that names field, row and file.
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Mapping
from dataclasses import MISSING, fields
from functools import cache
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Any, TypeVar, cast, get_args, get_type_hints

from samara.errors import MisuseError

if TYPE_CHECKING:
    from collections.abc import Callable
    from importlib.resources.abc import Traversable
    from pathlib import Path

_T = TypeVar("_T")
_PAIRS = tuple[tuple[float, float], ...]
_TEXTS = tuple[str, ...]
_KINDS: dict[Any, str] = {
    str: "a text",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    _PAIRS: "pairs of numbers",
    _TEXTS: "a list of texts",
    Mapping[str, str]: "a table",
    Mapping[str, Any]: "a table",
}


def tables_of(path: Path | Traversable, place: str) -> dict[str, Any]:
    """Return the tables of a file.

    Parameters
    ----------
    place
        The file as users know it.

    Raises
    ------
    MisuseError
        When it is not TOML.
    """
    return tables_in(path.read_bytes(), place)


def tables_in(content: bytes, place: str) -> dict[str, Any]:
    """Return the tables that are the content of a file; as `tables_of`."""
    try:
        return tomllib.loads(content.decode())
    except UnicodeDecodeError:
        message = f"{place} is no text in UTF-8"
        raise MisuseError(message) from None
    # Deep lists exhaust the stack of the reader; of numbers, Python limits the digits.
    except (ValueError, RecursionError) as error:
        message = f"{place} is not TOML: {error}"
        raise MisuseError(message) from None


def row_of(
    kind: type[_T],
    what: str,
    given: Mapping[str, Any],
    named: Mapping[str, Any] | None = None,
) -> _T:
    """Return a table as a dataclass.

    Parameters
    ----------
    kind
        The dataclass. Its fields are texts, numbers, truth values, pairs of numbers,
        and other such dataclasses.
    what
        The row and its file, such as ``the radio cc2420 of radios.toml``.
    named
        Fields that the table may leave out. One may be a dataclass already.

    Raises
    ------
    MisuseError
        When a field is missing, is not known, or is not what it has to be.
    """
    if not isinstance(given, Mapping):
        message = f"{what} is {given!r}: expected a table with {_in_words(kind)}"
        raise MisuseError(message)
    table = {**(named or {}), **given}
    _check_names(kind, what, table)
    hints = hints_of(kind)
    values = {
        name: _value(hints[name], f"{name} of {what}", value)
        for name, value in table.items()
    }
    try:
        return kind(**values)
    except ValueError as error:
        message = f"{what} is not possible: {error}"
        raise MisuseError(message) from None


def hints_of(kind: Any) -> Mapping[str, Any]:  # noqa: ANN401 - a class
    """Return the types of the fields of a dataclass, which take time to find."""
    found: Mapping[str, Any] = _hints_of(kind)
    return found


_hints_of = cache(get_type_hints)


def _value(hint: Any, what: str, given: Any) -> Any:  # noqa: ANN401 - of that type
    if isinstance(hint, UnionType):
        # A field that a table may leave out: no table of TOML has None.
        hint = next(each for each in get_args(hint) if each is not NoneType)
    if hint not in _KINDS:
        return given if isinstance(given, hint) else row_of(hint, what, given)
    is_so = _IS[hint](given) if hint in _IS else _is_one(hint, given)
    if not is_so:
        message = f"{what} is {given!r}: expected {_KINDS[hint]}"
        raise MisuseError(message)
    return _MADE[hint](given) if hint in _MADE else given


def _is_one(hint: type, given: object) -> bool:
    return _is_number(given) if hint is float else type(given) is hint


def _is_number(given: object) -> bool:
    """Tell whether a value is a number that calculations can take."""
    return (
        type(given) in (int, float) and abs(cast("float", given)) <= sys.float_info.max
    )


def _are_pairs(given: object) -> bool:
    return isinstance(given, list) and all(
        isinstance(each, list) and [_is_number(n) for n in each] == [True] * 2
        for each in given
    )


def _are_texts(given: object) -> bool:
    return isinstance(given, list) and all(isinstance(each, str) for each in given)


def _is_table(given: object) -> bool:
    return isinstance(given, Mapping)


def _pairs(given: Any) -> Any:  # noqa: ANN401 - a list of pairs
    return tuple((float(at), float(value)) for at, value in given)


_IS: dict[Any, Callable[[object], bool]] = {
    _PAIRS: _are_pairs,
    _TEXTS: _are_texts,
    Mapping[str, str]: _is_table,
    Mapping[str, Any]: _is_table,
}
_MADE: dict[Any, Callable[[Any], Any]] = {_PAIRS: _pairs, _TEXTS: tuple}


def _check_names(kind: type[Any], what: str, table: Mapping[str, Any]) -> None:
    missing = [name for name in needed(kind) if name not in table]
    unknown = sorted(set(table) - {each.name for each in fields(kind)})
    wrong = [f"lacks {', '.join(missing)}"] if missing else []
    wrong += [f"has an unknown {', '.join(unknown)}"] if unknown else []
    if wrong:
        message = f"{what} {' and '.join(wrong)}: a {kind.__name__.lower()} has "
        message += _in_words(kind)
        raise MisuseError(message)


def _in_words(kind: type[Any]) -> str:
    *most, last = needed(kind)
    return f"{', '.join(most)} and {last}"


def needed(kind: type[Any]) -> list[str]:
    """Return the fields that a table has to have."""
    return [
        each.name
        for each in fields(kind)
        if each.default is each.default_factory is MISSING
    ]

# SPDX-License-Identifier: Apache-2.0
"""Options that a kind of link declares.

The command line, the defaults of a new node and the check of stored settings are
all made from these declarations.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from samara.errors import ArgumentError, MisuseError
from samara.records.parameters import Parameter, spelled
from samara.units import SECONDS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

Settings: TypeAlias = dict[str, Any]
"""Values that can be written to a JSON file, by name."""


class SettingError(MisuseError):
    """A setting or a key that an end of a link cannot have."""


def shown(value: object) -> str:
    """Return the value of a setting as users read it.

    >>> [shown(value) for value in (None, False, True, 3)]
    ['off', 'off', 'on', '3']
    """
    if value is None or isinstance(value, bool):
        return "on" if value else "off"
    return str(value)


@dataclass(frozen=True, slots=True)
class HexDigits:
    """Texts of `low` to `high` hex digits."""

    low: int
    high: int

    def __contains__(self, value: object) -> bool:
        digits = f"[0-9A-Fa-f]{{{self.low},{self.high}}}"
        return isinstance(value, str) and re.fullmatch(digits, value) is not None

    def __str__(self) -> str:
        return f"{self.low} to {self.high} hex digits"


@dataclass(frozen=True, slots=True)
class Durations:
    """Texts such as "125ms" or "0.5s", from one time to another, in seconds."""

    low_s: float
    high_s: float

    def __contains__(self, value: object) -> bool:
        seconds = seconds_of(value)
        return seconds is not None and self.low_s <= seconds <= self.high_s

    def __str__(self) -> str:
        return f"{self.low_s * 1e3:g}ms to {self.high_s:g}s"


def seconds_of(text: object) -> float | None:
    """Return the seconds that a text such as "125ms" stands for, or None.

    >>> seconds_of("125ms"), seconds_of("2"), seconds_of("2 apples")
    (0.125, 2.0, None)
    """
    try:
        return SECONDS.parse(text) if isinstance(text, str) else None
    except ArgumentError:
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Option(Parameter):
    """One option of a kind of link; its default is the value of a new node."""

    at_each_run: bool = False
    """Whether `node send`, `node listen` and the second node of a pair take it too:
    it says where the link is, which can differ between the ends."""
    changes_receipt: bool = False
    """Whether the cost of a message depends on it: `receipt explain` takes it."""
    of_mac: tuple[str, float] | None = None
    """What it sets of the link's medium access in the energy model, and how many of
    that setting's units one of its own is; None for nothing."""
    in_invitation: bool = True
    """Whether an invitation to a network has it: otherwise each node has its own."""
    may_be_missing: bool = False
    """Whether a node can lack it: those that were made before it existed do."""
    on_command_line: bool = True
    """Whether commands take it. Otherwise only programs that use the package do, and
    it is not stored: a setting of this run alone."""


def settings_from(
    link: str, options: Iterable[Option], given: Mapping[str, Any]
) -> Settings:
    """Return the settings of a new node: what is given, and else the defaults.

    Parameters
    ----------
    link
        The kind of link, for the text of an error.

    Raises
    ------
    SettingError
        When a value is not accepted, or an option is not known.
    """
    known = {option.name: option for option in options}
    check_known(link, known, given)
    for name, value in given.items():
        if problem := known[name].problem(value):
            message = f"{spelled(name)} {problem}"
            raise SettingError(message)
    stored = {
        name: option.initial()
        for name, option in known.items()
        if option.on_command_line
    }
    return stored | dict(given)


def check_known(link: str, known: Iterable[str], given: Iterable[str]) -> None:
    """Check that a kind of link has all options that are given.

    Raises
    ------
    SettingError
        When it has not; the text names those that it has.
    """
    names = set(known)
    if unknown := set(given) - names:
        takes = ", ".join(map(spelled, sorted(names))) or "no options"
        message = f"{link} takes no {spelled(min(unknown))}; it takes {takes}"
        raise SettingError(message)


def check_settings(
    settings: Mapping[str, Any],
    options: Iterable[Option],
    others: Mapping[str, Callable[[Any], bool]],
) -> None:
    """Check that all settings are there, no others, and each is accepted.

    Parameters
    ----------
    others
        Settings that are no options: each with what tells whether it is good.

    Raises
    ------
    SettingError
        When one is missing, not known, or has a value that is not accepted.
    """
    known = {option.name: option for option in options}
    wanted = {name for name, option in known.items() if option.on_command_line}
    for name in sorted({*settings, *wanted, *others}):
        if name not in settings and name in known and known[name].may_be_missing:
            continue
        if name not in settings:
            message = f"the setting {name!r} is missing"
            raise SettingError(message)
        value = settings[name]
        if name in known:
            problem = known[name].problem(value)
        elif name in others:
            problem = None if others[name](value) else f"cannot be {value!r:.60}"
        else:
            message = f"there is no setting {name!r}"
            raise SettingError(message)
        if problem:
            message = f"the setting {name!r} {problem}"
            raise SettingError(message)


def check_keys(keys: Mapping[str, bytes] | None, sizes: Mapping[str, int]) -> None:
    """Check that exactly these keys are there, each of its size; None skips the check.

    Raises
    ------
    SettingError
        When there are others; the text does not repeat them.
    """
    if keys is None:
        return
    if {name: len(key) for name, key in keys.items()} != sizes:
        wanted = ", ".join(f"{name!r} of {size} bytes" for name, size in sizes.items())
        message = f"the keys of this node are damaged: expected {wanted or 'none'}"
        raise SettingError(message)


def is_number_in(numbers: range) -> Callable[[Any], bool]:
    """Return what tells whether a setting is one of these whole numbers."""
    return lambda value: type(value) is int and value in numbers

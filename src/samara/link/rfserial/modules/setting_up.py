# SPDX-License-Identifier: Apache-2.0
r"""How a module is set up: what is written to it, and what it has to answer.

It is data of the profile. Texts have places such as ``{channel:03}`` for settings:

    [setup]
    before = "Connect the pin SET to ground."
    after = "Disconnect SET."
    baud = 9600
    steps = [{ send = "AT+C{channel:03}\r\n", answer = "OK+C{channel:03}" }]

    [setup.settings.channel]
    default = 1
    low = 1
    high = 100
    help = "433.4 MHz and 0.4 MHz for each further one"

With ``hex = true``, send and answer are hex digits.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NoReturn, TypeGuard

from samara.errors import MisuseError

if TYPE_CHECKING:
    from collections.abc import Mapping

_PLACE = re.compile(r"\{([a-z_]+)(?::0([1-9]))?([dX])?\}")
_TEXT_MAX, _STEPS_MAX, _SETTINGS_MAX = 200, 32, 16
_VALUE_MAX = 2**32 - 1
_NAME = re.compile(r"[a-z][a-z_]{0,30}")
_GUARD_MAX_S = 10.0
BAUDS = range(300, 4_000_001)
"""Bit/s of serial ports."""


@dataclass(frozen=True, slots=True)
class Setting:
    """A number that a user can choose."""

    default: int
    low: int
    high: int
    help: str


@dataclass(frozen=True, slots=True)
class Step:
    """What is written, and what the answer has to contain; empty: it is not awaited."""

    send: bytes
    answer: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingUp:
    """How a module is set up."""

    before: str
    """What the user does first; empty: nothing."""
    after: str
    """What the user does at the end."""
    baud: int | None
    """Baud rate meanwhile; None: that of the module."""
    guard_s: float
    """Silence before and after the first step, in seconds."""
    is_hex: bool
    steps: tuple[tuple[str, str], ...]
    settings: Mapping[str, Setting]

    def with_values(self, given: Mapping[str, int]) -> list[Step]:
        """Return the steps with these settings, and the defaults of others.

        Raises
        ------
        MisuseError
            When there is no such setting, or its value is out of bounds.
        """
        values = {name: each.default for name, each in self.settings.items()}
        for name, value in given.items():
            if name not in self.settings:
                known = ", ".join(self.settings) or "none"
                _refuse(f"there is no setting {name!r:.40}; there are {known}")
            known_as = self.settings[name]
            if not known_as.low <= value <= known_as.high:
                _refuse(
                    f"{name} must be {known_as.low} to {known_as.high}, not {value}"
                )
        values |= given
        return [
            Step(self._bytes(send, values), self._bytes(answer, values))
            for send, answer in self.steps
        ]

    def _bytes(self, text: str, values: Mapping[str, int]) -> bytes:
        def filled(match: re.Match[str]) -> str:
            name, digits, base = match.groups()
            return format(values[name], f"0{digits or 1}{base or 'd'}")

        whole = _PLACE.sub(filled, text)
        return bytes.fromhex(whole) if self.is_hex else whole.encode("latin-1")


def setting_up_of(table: object) -> SettingUp:
    """Return what a table describes.

    Raises
    ------
    MisuseError
        When it is wrong.
    """
    known = {"before", "after", "baud", "guard_s", "hex", "steps", "settings"}
    if not isinstance(table, dict) or not set(table) <= known:
        _refuse(f"[setup] knows {', '.join(sorted(known))}")
    settings = {
        name: _setting(name, given) for name, given in _settings_in(table).items()
    }
    baud, guard_s = table.get("baud"), table.get("guard_s", 0)
    if baud is not None and (type(baud) is not int or baud not in BAUDS):
        _refuse(f"baud {baud!r:.40} is no baud rate")
    if type(guard_s) not in (int, float) or not 0 <= guard_s <= _GUARD_MAX_S:
        _refuse(f"guard_s must be 0 to {_GUARD_MAX_S:g} seconds, not {guard_s!r:.40}")
    made = SettingUp(
        before=_text(table.get("before", "")),
        after=_text(table.get("after", "")),
        baud=baud,
        guard_s=float(guard_s),
        is_hex=table.get("hex") is True,
        steps=_steps(table.get("steps"), settings),
        settings=settings,
    )
    try:
        for step in made.with_values({}):
            if not step.send:
                _refuse("a step needs something to send")
    except ValueError as error:
        _refuse(f"a step is no text of bytes: {error}")
    return made


def _refuse(problem: str) -> NoReturn:
    raise MisuseError(problem)


def _settings_in(table: Mapping[str, Any]) -> Mapping[str, Any]:
    given = table.get("settings", {})
    if not isinstance(given, dict) or len(given) > _SETTINGS_MAX:
        _refuse(f"settings must be a table of at most {_SETTINGS_MAX}")
    return given


def _setting(name: str, given: object) -> Setting:
    if not _NAME.fullmatch(name):
        _refuse(f"{name!r:.40} is no name of a setting, such as power")
    if not isinstance(given, dict) or set(given) != {"default", "low", "high", "help"}:
        _refuse(f"the setting {name} needs default, low, high and help")
    default, low, high = given["default"], given["low"], given["high"]
    if any(type(each) is not int for each in (default, low, high)) or not (
        0 <= low <= default <= high <= _VALUE_MAX
    ):
        _refuse(f"the setting {name} needs whole numbers, low to high, default between")
    return Setting(default, low, high, _text(given["help"]))


def _text(given: object) -> str:
    if not isinstance(given, str) or len(given) > _TEXT_MAX or not given.isprintable():
        _refuse(f"{given!r:.40} is no text of one line")
    return given


def _steps(
    given: object, settings: Mapping[str, Setting]
) -> tuple[tuple[str, str], ...]:
    if not isinstance(given, list) or not 0 < len(given) <= _STEPS_MAX:
        _refuse(f"steps must be a list of 1 to {_STEPS_MAX}")
    found = []
    for each in given:
        if not isinstance(each, dict) or set(each) != {"send", "answer"}:
            _refuse("a step needs send and answer")
        for text in each.values():
            _check_step(text, settings)
        found.append((each["send"], each["answer"]))
    return tuple(found)


def _check_step(text: object, settings: Mapping[str, Setting]) -> None:
    if not are_bytes(text, _TEXT_MAX):
        _refuse(f"{text!r:.40} is no text whose characters are bytes")
    for match in _PLACE.finditer(text):
        if match[1] not in settings:
            _refuse(f"there is no setting {match[1]!r}")


def are_bytes(text: object, longest: int) -> TypeGuard[str]:
    """Tell whether a text stands for bytes: each character is one."""
    is_text = isinstance(text, str) and len(text) <= longest
    return is_text and max(str(text), default="") <= "\xff"

# SPDX-License-Identifier: Apache-2.0
"""How emulated modules take commands while they are set up.

A family of modules is one module of this folder, found by scanning, with classes
`DIALECTS`. It is written from the manuals, and knows nothing of the profiles that it
judges.
"""

from __future__ import annotations

import importlib
import pkgutil
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

    from samara.link.rfserial.modules.emulated.settings import ModuleSettings
    from samara.link.rfserial.modules.profile import Profile

LINE_MAX: Final = 512
"""Bytes of a command, at most; what is longer is wrong, and takes no memory."""


class Commands:
    """A module that takes no commands.

    Parameters
    ----------
    settings
        What is set when it is switched on.

    Attributes
    ----------
    settings
        What it works by.
    guards
        Whether three guard characters after silence begin its command mode.
    """

    modules: ClassVar[tuple[str, ...]] = ()
    """Names of the profiles whose modules take these commands."""
    guards = False

    def __init__(self, settings: ModuleSettings) -> None:
        self.settings = settings
        self.numbers: dict[str, int] = {}
        self._line = bytearray()

    def set(self, **numbers: int) -> None:
        """Note what was set; modules hear each other only when it is the same."""
        self.numbers |= numbers
        channel = tuple(sorted(self.numbers.items()))
        self.settings = replace(self.settings, channel=channel)

    def enter(self) -> bytes:
        """Begin command mode; return the answer."""
        self._line.clear()
        return b""

    def take(self, byte: int) -> tuple[bytes, bool]:
        """Take a byte of a command; return the answer, and whether that was the end."""
        del byte
        return b"", False

    def _line_with(self, byte: int, end: int = ord("\r")) -> str | None:
        """Return the line that a byte ends, or None."""
        if byte == end:
            line = self._line.decode("latin-1").strip()
            self._line.clear()
            return line
        if len(self._line) < LINE_MAX:
            self._line.append(byte)
        return None


@cache
def dialects() -> Mapping[str, type[Commands]]:
    """Return what takes the commands of modules, by the names of their profiles."""
    package, _, _ = __name__.rpartition(".")
    folder = str(Path(__file__).parent)
    modules = [
        importlib.import_module(f"{package}.{found.name}")
        for found in pkgutil.iter_modules([folder])
    ]
    return {
        name: dialect
        for module in modules
        for dialect in getattr(module, "DIALECTS", ())
        for name in dialect.modules
    }


def commands_of(profile: Profile, settings: ModuleSettings) -> Commands:
    """Return what takes the commands of a module."""
    return dialects().get(profile.name, Commands)(settings)

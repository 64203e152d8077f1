# SPDX-License-Identifier: Apache-2.0
"""Lines of text that a module answers with: found in bytes, and bounded."""

from __future__ import annotations

import re
from typing import Final

LINE_MAX: Final = 2048
"""Bytes of a line, at most; a longer one is dropped."""
_ENDS = re.compile(rb"[\r\n]")


class Lines:
    """Finds lines in the bytes of a serial line."""

    def __init__(self) -> None:
        self._line = bytearray()
        self._is_too_long = False
        self.damaged = 0
        """Lines that were too long."""

    def feed(self, data: bytes) -> list[str]:
        """Return the lines that end in these bytes, without their ends."""
        *whole, rest = _ENDS.split(data)
        found = []
        for part in whole:
            self._add(part)
            if self._is_too_long:
                self.damaged += 1
            elif self._line:
                found.append(self._line.decode("latin-1").strip())
            self._line.clear()
            self._is_too_long = False
        self._add(rest)
        return found

    def _add(self, part: bytes) -> None:
        if len(self._line) + len(part) > LINE_MAX:
            self._is_too_long = True
            self._line.clear()
        else:
            self._line += part


def bytes_of(digits: str) -> bytes | None:
    """Return the bytes of hex digits; None when they are no such."""
    try:
        return bytes.fromhex(digits)
    except ValueError:
        return None

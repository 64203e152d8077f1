# SPDX-License-Identifier: Apache-2.0
"""What was found in texts, kept in the user's cache for the next run and other clones.

As with a compiler's cache, the answers are the same, and come sooner. Losing it costs
time alone.
"""

from __future__ import annotations

import atexit
import json
from contextlib import suppress
from typing import TYPE_CHECKING

from testing import fingerprint
from testing.green_record import write_whole

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

# More than twice as many texts as the project has Python files.
_KEPT_TEXTS = 4000

Found = list[list[str]]


class TextCache:
    """What a function finds in texts, in a file, by the hashes of the texts.

    Parameters
    ----------
    find
        Returns what is to be found in a text.
    version
        Tells apart what the function found before it was changed.
    """

    def __init__(self, path: Path, find: Callable[[str], Found], version: str) -> None:
        self._path, self._find, self._version = path, find, version
        self._found: dict[str, Found] = {}
        self._is_new = False
        with suppress(OSError, ValueError, KeyError, TypeError):
            kept = json.loads(path.read_bytes())
            if kept["version"] == version:
                self._found = dict(kept["found"])
        atexit.register(self.keep)

    def found(self, text: str) -> Found:
        """Return what the function finds in a text."""
        key = fingerprint.of_texts([text])
        if key not in self._found:
            self._found[key] = self._find(text)
            self._is_new = True
        return self._found[key]

    def keep(self) -> None:
        """Write what is new. Another run may do the same: then the last one counts."""
        if self._is_new:
            self._is_new = False
            newest = [*self._found.items()][-_KEPT_TEXTS:]
            kept = {"version": self._version, "found": dict(newest)}
            with suppress(OSError):
                self._path.parent.mkdir(parents=True, exist_ok=True)
                write_whole(self._path, json.dumps(kept))

# SPDX-License-Identifier: Apache-2.0
"""Who may use the console: browsers that opened an address which it printed.

The address contains a token, which a browser exchanges for a cookie, once: the address
is worthless afterwards, in the history of the browser and on the screen. Everything is
forgotten when the console ends.
"""

from __future__ import annotations

import hashlib
import secrets
from collections import OrderedDict
from typing import Final

BROWSERS_MAX: Final = 16
"""Browsers that have access; one more replaces the one that was let in first."""

_TOKEN_BYTES = 32


class Access:
    """Tokens and cookies of one console."""

    def __init__(self) -> None:
        self._token = _drawn()
        self._cookies: OrderedDict[bytes, None] = OrderedDict()
        """Digests, so that no copy of the memory lets anybody in."""

    @property
    def token(self) -> str:
        """The token of the next address; `exchange` replaces it."""
        return self._token

    def exchange(self, token: str) -> str | None:
        """Return a cookie for the current token; None for any other text."""
        if not secrets.compare_digest(token.encode(), self._token.encode()):
            return None
        self._token = _drawn()
        cookie = _drawn()
        self._cookies[_digest(cookie)] = None
        while len(self._cookies) > BROWSERS_MAX:
            self._cookies.popitem(last=False)
        return cookie

    def knows(self, cookie: str) -> bool:
        """Tell whether a cookie was given by this console and still counts."""
        return _digest(cookie) in self._cookies


def _drawn() -> str:
    return secrets.token_urlsafe(_TOKEN_BYTES)


def _digest(cookie: str) -> bytes:
    return hashlib.sha256(cookie.encode()).digest()

# SPDX-License-Identifier: Apache-2.0
"""Who may use the console: browsers that opened an address which it printed.

The address contains a token, which a browser exchanges for a cookie, once: the address
is worthless afterwards, in the history of the browser and on the screen. Everything is
forgotten when the console ends.
"""

from __future__ import annotations

import hashlib
import secrets
import time
from collections import OrderedDict
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

BROWSERS_MAX: Final = 16
"""Browsers that have access; one more replaces the one that was let in first."""
INVITED_MAX: Final = 8
"""Tokens for windows that nobody has used; one more replaces the first."""
INVITED_S: Final = 600.0
"""How long such a token can be used."""

_TOKEN_BYTES = 32


class Access:
    """Tokens and cookies of one console.

    Parameters
    ----------
    clock
        Returns seconds of a clock that does not go back.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._token = _drawn()
        self._invited: OrderedDict[bytes, float] = OrderedDict()
        """Digests of tokens for windows, each with the time of its end."""
        self._cookies: OrderedDict[bytes, None] = OrderedDict()
        """Digests, so that no copy of the memory lets anybody in."""

    @property
    def token(self) -> str:
        """The token of the next address; `exchange` replaces it."""
        return self._token

    def exchange(self, token: str) -> str | None:
        """Return a cookie for the token, or for one of `invite`; None for others."""
        if secrets.compare_digest(token.encode(), self._token.encode()):
            self._token = _drawn()
        elif self._invited.pop(_digest(token), -1.0) < self._clock():
            return None
        cookie = _drawn()
        self._cookies[_digest(cookie)] = None
        while len(self._cookies) > BROWSERS_MAX:
            self._cookies.popitem(last=False)
        return cookie

    def invite(self) -> str:
        """Return a token for another window, which can be used once."""
        token = _drawn()
        self._invited[_digest(token)] = self._clock() + INVITED_S
        while len(self._invited) > INVITED_MAX:
            self._invited.popitem(last=False)
        return token

    def knows(self, cookie: str) -> bool:
        """Tell whether a cookie was given by this console and still counts."""
        return _digest(cookie) in self._cookies


def _drawn() -> str:
    return secrets.token_urlsafe(_TOKEN_BYTES)


def _digest(cookie: str) -> bytes:
    return hashlib.sha256(cookie.encode()).digest()

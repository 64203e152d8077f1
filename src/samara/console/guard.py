# SPDX-License-Identifier: Apache-2.0
"""What every request passes before a route sees it, and every answer after.

Refused are names of the host that the console does not have (a page of somebody else
whose name resolves to this machine), requests that another page sends, requests for
data without the cookie, and bodies that are too large. Answers forbid the browser
everything that the page does not need.
"""

from __future__ import annotations

import ipaddress
import re
from http.cookies import CookieError, SimpleCookie
from typing import TYPE_CHECKING, Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse

if TYPE_CHECKING:
    from collections.abc import Collection

    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from samara.console.access import Access

BODY_MAX: Final = 1 << 18
"""Bytes of the largest request."""
OPEN_PATHS: Final = frozenset({"/api/access"})
"""What is answered without a cookie, besides the files of the page."""

_SIZE = re.compile("[0-9]{1,20}", re.ASCII)
_TOO_LARGE = f"a request has at most {BODY_MAX} bytes"
_HEADERS: Final = {
    "content-security-policy": "default-src 'none'; script-src 'self';"
    " style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none';"
    " form-action 'none'; frame-ancestors 'none'",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
}
_HEADERS_ON_LOOPBACK: Final = {"cross-origin-opener-policy": "same-origin"}
"""Browsers take it where nobody can change the page on the way; elsewhere they say that
it was ignored."""


class Guard:
    """An ASGI application around another one.

    Parameters
    ----------
    hosts
        What requests may call this host: name and port, such as ``127.0.0.1:8154``.
    cookie
        The name of the cookie.
    """

    def __init__(
        self, app: ASGIApp, access: Access, hosts: Collection[str], cookie: str
    ) -> None:
        self._app, self._access = app, access
        self._hosts, self._cookie = frozenset(hosts), cookie

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse a request, or hand it on."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        refusal = self._refusal(scope)
        if refusal is None:
            await self._app(scope, _bounded(receive), _with_headers(scope, send))
            return
        status, sentence = refusal
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 4000 + status % 1000})
            return
        answer = JSONResponse({"detail": sentence}, status)
        await answer(scope, receive, _with_headers(scope, send))

    def _refusal(self, scope: Scope) -> tuple[int, str] | None:
        headers = Headers(scope=scope)
        return (
            self._refusal_of_place(headers, is_socket=scope["type"] == "websocket")
            or _refusal_of_size(headers)
            or self._refusal_of_browser(headers, scope["path"])
        )

    def _refusal_of_place(
        self, headers: Headers, *, is_socket: bool
    ) -> tuple[int, str] | None:
        if headers.get("host") not in self._hosts:
            return 403, "this host has another name: open the address that was printed"
        origin = headers.get("origin")
        if origin is None and is_socket:
            return 403, "a WebSocket needs an Origin: open the page in a browser"
        if origin is not None and origin.removeprefix("http://") != headers["host"]:
            return 403, "another page sent this request; it is refused"
        return None

    def _refusal_of_browser(
        self, headers: Headers, path: str
    ) -> tuple[int, str] | None:
        if path.startswith("/api/") and path not in OPEN_PATHS:
            cookie = _cookie_of(headers, self._cookie)
            if cookie is None or not self._access.knows(cookie):
                return 401, (
                    "this browser has no access: open the address that samara console"
                    " printed last"
                )
        return None


def _refusal_of_size(headers: Headers) -> tuple[int, str] | None:
    if (size := _stated_size(headers)) is None:
        return 400, "the size of this request is no number of bytes"
    return (413, _TOO_LARGE) if size > BODY_MAX else None


def _stated_size(headers: Headers) -> int | None:
    """Return what a request says of its size, 0 if nothing; None: it is no size.

    A longer number than any size is not read: Python reads at most 4300 digits.
    """
    texts = headers.getlist("content-length") or ["0"]
    return int(texts[0]) if len(texts) == 1 and _SIZE.fullmatch(texts[0]) else None


def _cookie_of(headers: Headers, name: str) -> str | None:
    try:
        found = SimpleCookie(headers.get("cookie", "")).get(name)
    except CookieError:
        return None
    return None if found is None else found.value


def _bounded(receive: Receive) -> Receive:
    """Return what receives the same, and fails when a body is too large."""
    size = 0

    async def bounded() -> Message:
        nonlocal size
        message = await receive()
        if message["type"] == "http.request":
            size += len(message.get("body", b""))
            if size > BODY_MAX:
                raise HTTPException(413, _TOO_LARGE)
        return message

    return bounded


def _with_headers(scope: Scope, send: Send) -> Send:
    """Return what sends the same, with the headers that every answer has."""

    async def sent(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            headers.update(_HEADERS)
            if _is_on_loopback(scope):
                headers.update(_HEADERS_ON_LOOPBACK)
            if str(scope["path"]).startswith("/api/"):
                headers["cache-control"] = "no-store"
        await send(message)

    return sent


def _is_on_loopback(scope: Scope) -> bool:
    """Tell whether a request came to an address that only this machine reaches."""
    host, _ = scope.get("server") or ("", None)
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False

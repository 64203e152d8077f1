# SPDX-License-Identifier: Apache-2.0
"""Other names of the host, other pages, no cookie and large bodies are refused."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from fastapi.testclient import TestClient
from starlette.exceptions import HTTPException
from starlette.websockets import WebSocketDisconnect

from samara.console.access import Access
from samara.console.answers.pool import Answers
from samara.console.api import ConsoleParts, app_of
from samara.console.guard import BODY_MAX, Guard
from samara.console.laboratory import Laboratory
from samara.console.nodes import ShownNodes
from samara.console.sessions import Sessions

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from starlette.types import Message, Receive, Scope, Send

HOST = "127.0.0.1:8154"
COOKIE = "samara-8154"
LIST = "/api/conversations"


@pytest.fixture
def access() -> Access:
    return Access()


@pytest.fixture
def client(access: Access, tmp_path: Path) -> Iterator[TestClient]:
    shown = ConsoleParts(
        Sessions(tmp_path), Laboratory(tmp_path), Answers(), ShownNodes()
    )
    app = app_of(shown, access, COOKIE)
    guarded = Guard(app, access, [HOST], COOKIE)
    with TestClient(guarded, base_url=f"http://{HOST}") as client:
        yield client


def admit(client: TestClient, access: Access) -> None:
    answer = client.post("/api/access", json={"token": access.token})
    assert answer.status_code == 204


def test_what_the_system_refuses_is_told_with_its_file(
    client: TestClient, access: Access, tmp_path: Path
) -> None:
    admit(client, access)
    tmp_path.rmdir()
    tmp_path.write_bytes(b"")
    answer = client.post(LIST, json={})
    assert answer.status_code == 409
    assert answer.json() == {"detail": f"{tmp_path}: File exists"}


def test_without_a_cookie_nothing_is_answered(client: TestClient) -> None:
    answer = client.get(LIST)
    assert answer.status_code == 401
    assert "samara console" in answer.json()["detail"]
    wrong = {"cookie": f"{COOKIE}=x"}
    assert client.get(LIST, headers=wrong).status_code == 401
    assert client.get("/api/openapi.json").status_code == 401


def test_the_cookie_of_a_token_lets_a_browser_in(
    client: TestClient, access: Access
) -> None:
    token = access.token
    assert client.post("/api/access", json={"token": "x"}).status_code == 403
    answer = client.post("/api/access", json={"token": token})
    set_cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in set_cookie
    assert "samesite=strict" in set_cookie
    assert token not in set_cookie
    assert client.get(LIST).json() == []
    assert client.post("/api/access", json={"token": token}).status_code == 403


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "/api/access", r'{"token": "\ud800"}'),
        ("POST", "/api/access", r'{"token": {"\ud800": 1e999}}'),
        ("POST", LIST, r'{"link": "\ud800"}'),
        ("POST", LIST, r'{"options": {"\ud800": []}}'),
        ("POST", f"{LIST}/abcdefgh/left/messages", r'{"text": "\udfff"}'),
        ("PUT", f"{LIST}/abcdefgh/settings/loss", '{"value": 1e999}'),
        ("PUT", f"{LIST}/abcdefgh/settings/loss", '{"value": NaN}'),
    ],
)
def test_what_json_cannot_repeat_is_refused_without_it(
    client: TestClient, access: Access, method: str, path: str, body: str
) -> None:
    admit(client, access)
    headers = {"content-type": "application/json"}
    answer = client.request(method, path, content=body, headers=headers)
    assert answer.status_code == 422
    for each in answer.json()["detail"]:
        assert each.keys() == {"type", "loc", "msg"}
        assert each["msg"]


@pytest.mark.parametrize(
    "host", ["evil.example:8154", "127.0.0.1", "127.0.0.1:8155", "localhost.evil:8154"]
)
def test_another_name_of_the_host_is_refused(
    client: TestClient, access: Access, host: str
) -> None:
    admit(client, access)
    assert client.get(LIST, headers={"host": host}).status_code == 403


@pytest.mark.parametrize(
    "origin",
    ["http://evil.example", "null", "http://127.0.0.1:8155", f"https://{HOST}"],
)
def test_another_page_is_refused(
    client: TestClient, access: Access, origin: str
) -> None:
    admit(client, access)
    answer = client.get(LIST, headers={"origin": origin})
    assert answer.status_code == 403
    assert client.get(LIST, headers={"origin": f"http://{HOST}"}).status_code == 200


def test_a_socket_needs_origin_and_cookie(client: TestClient) -> None:
    path = f"{LIST}/00000000/live"
    ours = {"origin": f"http://{HOST}"}
    for headers in ({}, {"origin": "http://evil.example"}, ours):
        with (
            pytest.raises(WebSocketDisconnect) as closed,
            client.websocket_connect(path, headers={"host": HOST, **headers}),
        ):
            pass
        assert closed.value.code == (4401 if headers == ours else 4403)


def test_a_body_of_one_byte_more_is_refused(client: TestClient, access: Access) -> None:
    admit(client, access)
    fits = client.post(LIST, content=b" " * BODY_MAX)
    assert fits.status_code == 422, "read, and found to be no request"
    assert client.post(LIST, content=b" " * (BODY_MAX + 1)).status_code == 413


@pytest.mark.parametrize(
    "stated",
    [
        "-1",
        "1_0",
        "+5",
        " 5",
        "0x10",
        "1e3",
        "",
        "\u0665",
        "9" * 21,
        "9" * 5000,
        "5, 5",
    ],
)
@pytest.mark.parametrize("times", [1, 2])
def test_a_size_that_is_none_is_refused(
    access: Access, stated: str, times: int
) -> None:
    sizes = [(b"content-length", stated.encode())] * times
    assert status_of(access, sizes) == 400


@pytest.mark.parametrize(
    ("stated", "status"),
    [(BODY_MAX, 200), (BODY_MAX + 1, 413), (10**20 - 1, 413), ("007", 200)],
)
def test_a_size_is_read_up_to_twenty_digits(
    access: Access, stated: int | str, status: int
) -> None:
    assert status_of(access, [(b"content-length", str(stated).encode())]) == status


def status_of(access: Access, sizes: list[tuple[bytes, bytes]]) -> int:
    """Return the status of the answer to a request with these headers."""
    cookie = access.exchange(access.token)
    ours = [(b"host", HOST.encode()), (b"cookie", f"{COOKIE}={cookie}".encode())]
    scope = {"type": "http", "path": LIST, "headers": [*ours, *sizes], "method": "POST"}
    found: list[int] = []

    async def app(_: Scope, __: Receive, ___: Send) -> None:
        found.append(200)

    async def receive() -> Message:
        pytest.fail("nothing is to be read")

    async def send(message: Message) -> None:
        if message["type"] == "http.response.start":
            found.append(message["status"])

    asyncio.run(Guard(app, access, [HOST], COOKIE)(scope, receive, send))
    (status,) = found
    return status


def test_a_body_in_pieces_is_bounded(access: Access) -> None:
    cookie = access.exchange(access.token)
    headers = [(b"host", HOST.encode()), (b"cookie", f"{COOKIE}={cookie}".encode())]
    scope = {"type": "http", "path": LIST, "headers": headers, "method": "POST"}
    read: list[int] = []

    async def app(_: Scope, receive: Receive, __: Send) -> None:
        while len(read) < 8:
            read.append(len((await receive())["body"]))

    async def receive() -> Message:
        return {"type": "http.request", "body": b" " * (BODY_MAX // 4)}

    async def send(_: Message) -> None:
        pytest.fail("nothing is to be answered")

    guarded = Guard(app, access, [HOST], COOKIE)
    with pytest.raises(HTTPException) as refused:
        asyncio.run(guarded(scope, receive, send))
    assert refused.value.status_code == 413
    assert sum(read) == BODY_MAX, "the last byte that fits is refused, or one more read"


def test_answers_forbid_what_the_page_does_not_need(client: TestClient) -> None:
    for path in ("/", LIST):
        headers = client.get(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["cross-origin-opener-policy"] == "same-origin"
    assert client.get(LIST).headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    ("address", "is_sent"),
    [("127.0.0.1", True), ("::1", True), ("10.1.2.3", False), ("fd00::1", False)],
)
def test_windows_are_kept_apart_where_browsers_allow_it(
    client: TestClient, address: str, *, is_sent: bool
) -> None:
    """Elsewhere than on loopback, browsers would say that the header is ignored."""
    host = f"[{address}]:8154" if ":" in address else f"{address}:8154"
    guarded = Guard(client.app, Access(), [host], COOKIE)
    with TestClient(guarded, base_url=f"http://{host}") as other:
        headers = other.get("/").headers
    assert ("cross-origin-opener-policy" in headers) == is_sent

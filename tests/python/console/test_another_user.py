# SPDX-License-Identifier: Apache-2.0
"""Another user of the machine gets nothing: no answer, no event, no file, no node."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
import urllib.request
from http.cookiejar import CookieJar
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from browsing import PAGE, Served

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.slow

_NOBODY = "65534"

# Run by another user, with what Python itself has. Prints a line of JSON.
_ASKS = r"""
import http.client, json, os, pathlib, socket, sys
host, name, state = sys.argv[1:]
place = f"/api/conversations/{name}"
def status(method, path, body=None, **headers):
    link = http.client.HTTPConnection(host, timeout=60)
    link.request(method, path, body, {"Content-Type": "application/json", **headers})
    answer = link.getresponse()
    return answer.status, answer.read().decode(errors="replace")
def opens(path):
    link = socket.create_connection(host.split(":"), timeout=60)
    link.sendall((f"GET {path} HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\n"
        "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n").encode())
    return int(link.recv(65536).split()[1])
def readable(path):
    try:
        return bool(list(path.iterdir()) if path.is_dir() else path.read_bytes())
    except OSError:
        return False
def connects(path):
    try:
        socket.socket(socket.AF_UNIX).connect(str(path))
        return True
    except OSError:
        return False
folder = pathlib.Path(state) / name
files = ["history.jsonl", "conversation.json", "left", "right", "backups", "witnesses",
    "left/keys.json", "left/node.json", "left/state.sqlite"]
paths = ["/api/conversations", f"{place}/events", f"{place}/actions", "/api/questions",
    "/api/openapi.json", "/api/nodes", "/api/network", "/api/answers/energy.life.life"]
print(json.dumps({
    "user": os.geteuid(),
    "page": [status("GET", "/")[0], status("GET", "/screen/left")[0]],
    "read": [status("GET", path)[0] for path in paths],
    "done": [status("POST", path, "{}")[0] for path in (f"{place}/show-key",
        "/api/screens", f"{place}/close", "/api/conversations",
        f"{place}/left/messages")],
    "token": status("POST", "/api/access", '{"token": "x"}')[0],
    "cookie": status("GET", "/api/conversations", Cookie="samara-8154=x")[0],
    "sockets": [opens(f"{place}/live"), opens("/api/network/live")],
    "files": [name for name in files if readable(folder / name)],
    "listed": readable(pathlib.Path(state)) or readable(folder),
    "nodes": [str(path) for path in map(pathlib.Path, json.load(sys.stdin))
        if connects(path)],
}))
"""


@pytest.fixture
def served() -> Iterator[Served]:
    """Return a console whose directory is where all users can look."""
    if os.geteuid() != 0:
        pytest.skip("NOT TRIED: only root can be another user")
    if shutil.which("setpriv") is None:
        pytest.skip("NOT TRIED: there is no setpriv (util-linux)")
    folder = Path(tempfile.mkdtemp(prefix="samara-test-"))
    folder.chmod(0o755)
    served = Served(folder / "state")
    yield served
    assert served.end() == 0
    shutil.rmtree(folder)


class Ours:
    """The browser of the user who has started the console."""

    def __init__(self, address: str) -> None:
        self.base, _, token = address.partition("/#")
        jar = urllib.request.HTTPCookieProcessor(CookieJar())
        self._opener = urllib.request.build_opener(jar)
        self.ask("POST", "/api/access", token=token)

    def ask(self, method: str, path: str, **body: str) -> Any:  # noqa: ANN401 - JSON
        request = urllib.request.Request(  # noqa: S310 - of a console that runs here
            f"{self.base}{path}",
            json.dumps(body).encode() if body or method == "POST" else None,
            {"content-type": "application/json"},
            method=method,
        )
        with self._opener.open(request, timeout=60) as answer:
            said = answer.read()
        return json.loads(said) if said else None


def asked_as_nobody(
    host: str, name: str, state: Path, sockets: list[str]
) -> dict[str, Any]:
    """Return what another user finds."""
    done = subprocess.run(
        [
            *("setpriv", "--reuid", _NOBODY, "--regid", _NOBODY, "--clear-groups"),
            *("/usr/bin/python3", "-c", _ASKS, host, name, str(state)),
        ],
        input=json.dumps(sockets),
        capture_output=True,
        text=True,
        cwd="/",
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def sockets_of_nodes() -> list[str]:
    """Return the sockets that processes listen at, as the system lists them."""
    lines = Path("/proc/net/unix").read_text(encoding="ascii").splitlines()
    paths = [line.split()[-1] for line in lines[1:] if len(line.split()) == 8]
    return [path for path in paths if "samara" in path]


def test_another_user_gets_nothing(served: Served) -> None:
    ours = Ours(served.address())
    name = ours.ask("POST", "/api/conversations", link="ieee802154")["name"]
    ours.ask("POST", f"/api/conversations/{name}/left/messages", text="a secret")
    assert ours.ask("GET", f"/api/conversations/{name}/events")
    sockets = sockets_of_nodes()
    assert sockets
    host = ours.base.removeprefix("http://")
    found = asked_as_nobody(host, name, served.folder, sockets)
    assert found["user"] == int(_NOBODY)
    # The page has no data: what is in it, everybody has.
    # It may not be built, as in the copies in which faults are planted.
    assert found["page"] == [200 if PAGE.is_dir() else 404] * 2
    assert set(found["read"]) == {401}
    assert set(found["done"]) == {401}
    assert (found["token"], found["cookie"]) == (403, 401)
    assert found["sockets"] == [403, 403]
    assert found["files"] == []
    assert not found["listed"]
    assert found["nodes"] == []
    # Programs and addresses are in no list of processes.
    for arguments in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = arguments.read_bytes()
        except OSError:
            continue
        assert b"/#" not in words or b"samara" not in words
    # Nothing was done.
    (listed,) = ours.ask("GET", "/api/conversations")
    assert (listed["name"], listed["is_open"]) == (name, True)

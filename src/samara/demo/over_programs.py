# SPDX-License-Identifier: Apache-2.0
"""The foreign programs of the experiment: clients and servers of CoAP and TFTP.

A program knows how to serve a file, and how to fetch or to send one. What a server
has is put there, and looked at, without crossing the link.
"""

from __future__ import annotations

import json
import secrets
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from samara.errors import MisuseError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from ipaddress import IPv6Address

BLOCK = "1024"
"""Bytes of a block of CoAP, what aiocoap has. Those of TFTP have 512."""
CLIENT_LIMIT_S = 900
"""After how long libcoap's client gives up; its default is 90 s."""

_COAP, _COAPS, _TFTP = 5683, 5684, 69
_LOOPBACK = "::1"
_IDENTITY = "sensor"


class Programs(Protocol):
    """A client and a server."""

    @property
    def port(self) -> int:
        """The UDP port of the server."""
        ...

    def server(self) -> list[str]:
        """Return the command of the server."""
        ...

    def put(self, file: Path) -> list[str]:
        """Return the command that sends a file to the server."""
        ...

    def get(self, file: Path) -> list[str]:
        """Return the command that fetches what the server has, to a file."""
        ...

    def observe(self, file: Path) -> list[str]:
        """Return the command that adds each value to a file."""
        ...

    def store(self, content: bytes) -> None:
        """Let the server, which runs, have some content."""
        ...

    def stored(self) -> bytes:
        """Return what the server has."""
        ...


class Libcoap:
    """libcoap's client and server, with DTLS if there is a shared key.

    Parameters
    ----------
    address
        Of the server.
    folder
        An empty directory for files.
    run
        Runs a command where the server is.
    """

    needs = ("coap-client-openssl", "coap-server-openssl")
    package = "the package libcoap3-bin"

    def __init__(
        self,
        address: IPv6Address,
        folder: Path,
        run: Callable[[Sequence[str]], None],
        *,
        has_dtls: bool = False,
    ) -> None:
        self._address, self._folder, self._run = address, folder, run
        self._key = secrets.token_hex(8) if has_dtls else None

    @property
    def port(self) -> int:
        """The UDP port of the server."""
        return _COAPS if self._key else _COAP

    def server(self) -> list[str]:
        """Return the command of the server."""
        return [self.needs[1], *(["-k", self._key] if self._key else [])]

    def put(self, file: Path) -> list[str]:
        """Return the command that sends a file."""
        return self._across("-m", "put", "-f", str(file))

    def get(self, file: Path) -> list[str]:
        """Return the command that fetches to a file."""
        return self._across("-m", "get", "-o", str(file))

    def observe(self, file: Path) -> list[str]:
        """Return the command that adds each value to a file."""
        return self._across("-m", "get", "-s", str(CLIENT_LIMIT_S), "-o", str(file))

    def store(self, content: bytes) -> None:
        """Let the server have some content."""
        file = self._folder / "stored"
        file.write_bytes(content)
        self._run(self._client("coap", _LOOPBACK, "-m", "put", "-f", str(file)))

    def stored(self) -> bytes:
        """Return what the server has."""
        file = self._folder / "looked-at"
        file.unlink(missing_ok=True)
        self._run(self._client("coap", _LOOPBACK, "-m", "get", "-o", str(file)))
        return file.read_bytes() if file.exists() else b""

    def _across(self, *options: str) -> list[str]:
        keys = ["-u", _IDENTITY, "-k", self._key] if self._key else []
        scheme = "coaps" if self._key else "coap"
        return self._client(scheme, str(self._address), *keys, *options)

    def _client(self, scheme: str, address: str, *options: str) -> list[str]:
        limits = ["-B", str(CLIENT_LIMIT_S), "-b", BLOCK]
        place = f"{scheme}://[{address}]/example_data"
        return [self.needs[0], *limits, *options, place]


class _Served:
    """A server of the files in a directory; there is one."""

    def __init__(self, address: IPv6Address, folder: Path) -> None:
        self._address, self._folder = address, folder
        self._served = folder / "served"
        self._served.mkdir()

    def observe(self, file: Path) -> list[str]:
        """Fail: tftp-hpa and aiocoap's file server cannot do that."""
        raise NotImplementedError

    def store(self, content: bytes) -> None:
        """Let the server have some content."""
        (self._served / "file").write_bytes(content)

    def stored(self) -> bytes:
        """Return what the server has."""
        file = self._served / "file"
        return file.read_bytes() if file.exists() else b""


class Tftp(_Served):
    """tftp-hpa's client and server."""

    needs = ("tftp", "in.tftpd")
    package = "the packages tftp-hpa and tftpd-hpa"
    port = _TFTP

    def server(self) -> list[str]:
        """Return the command of the server."""
        options = ["--foreground", "--user", "root", "--ipv6", "--secure", "--create"]
        return [self.needs[1], *options, str(self._served)]

    def put(self, file: Path) -> list[str]:
        """Return the command that sends a file."""
        return self._client("put", str(file), "file")

    def get(self, file: Path) -> list[str]:
        """Return the command that fetches to a file."""
        return self._client("get", "file", str(file))

    def _client(self, *words: str) -> list[str]:
        options = ["-6", "-m", "binary", str(self._address), "-c"]
        return [self.needs[0], *options, *words]


class Aiocoap(_Served):
    """aiocoap's client and file server, with OSCORE and a new key."""

    needs = ("aiocoap-client", "aiocoap-fileserver")
    package = "aiocoap[oscore] by pip"
    port = _COAP

    def __init__(self, address: IPv6Address, folder: Path) -> None:
        super().__init__(address, folder)
        secret = secrets.token_hex(16)
        self._clients = self._end("01", "02", secret, f"coap://[{address}]/*")
        self._servers = self._end("02", "01", secret, ":client")

    def _end(self, own: str, other: str, secret: str, what: str) -> str:
        """Make the security context of one end; return the file that names it."""
        place = self._folder / f"context-{own}"
        place.mkdir(mode=0o700)
        context = {
            "secret_hex": secret,
            "sender-id_hex": own,
            "recipient-id_hex": other,
        }
        (place / "settings.json").write_text(json.dumps(context))
        names = {what: {"oscore": {"basedir": f"{place}/"}}}
        listed = self._folder / f"credentials-{own}.json"
        listed.write_text(json.dumps(names))
        return str(listed)

    def server(self) -> list[str]:
        """Return the command of the server."""
        options = ["--bind", "[::]", "--write", "--credentials", self._servers]
        return [_where(self.needs[1]) or "", *options, str(self._served)]

    def put(self, file: Path) -> list[str]:
        """Return the command that sends a file."""
        return self._client("-m", "PUT", "--payload", f"@{file}")

    def get(self, file: Path) -> list[str]:
        """Return the command that fetches to a file."""
        # The client writes to its output alone.
        return ["sh", "-c", '"$@" > "$0"', str(file), *self._client()]

    def _client(self, *options: str) -> list[str]:
        place = f"coap://[{self._address}]/file"
        client = _where(self.needs[0]) or ""
        return [client, "--credentials", self._clients, *options, place]


def _where(program: str) -> str | None:
    """Return where a program is: on the path, or beside this Python."""
    beside = Path(sys.executable).parent
    return shutil.which(program) or shutil.which(program, path=beside)


def missing(kind: type[Libcoap | Tftp | Aiocoap]) -> str | None:
    """Return what to install so that programs can run; None if they are there."""
    absent = [each for each in kind.needs if _where(each) is None]
    if not absent:
        return None
    return f"the program {absent[0]} is not there: install {kind.package}"


def need(kind: type[Libcoap | Tftp | Aiocoap]) -> None:
    """Check that programs are there.

    Raises
    ------
    MisuseError
        When one is missing; the text says what to install.
    """
    if reason := missing(kind):
        raise MisuseError(reason)

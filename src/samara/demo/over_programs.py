# SPDX-License-Identifier: Apache-2.0
"""The foreign programs of the experiment: clients and servers of CoAP and TFTP.

Programs say what they can do (`Programs.verbs`), and the experiment is planned from
that: they serve a file, and fetch or send it, or observe a value. What a server has is
put there, and looked at, without crossing the link.
"""

from __future__ import annotations

import json
import secrets
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Protocol

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
_OBSERVATION = (sys.executable, "-m", "samara.demo.observation")
_IDENTITY = "sensor"


PUT, GET, OBSERVE = "PUT", "GET", "OBSERVE"
"""What a client can do: send a file, fetch one, add each value to a file."""


@dataclass(frozen=True, slots=True)
class Where:
    """Where programs are to run."""

    address: IPv6Address
    """Of the server."""
    folder: Path
    """An empty directory for files."""
    run: Callable[[Sequence[str]], None]
    """Runs a command where the server is."""


class Programs(Protocol):
    """A client and a server."""

    needs: ClassVar[tuple[str, ...]]
    """The programs."""
    package: ClassVar[str]
    """What to install so that they are there."""
    verbs: ClassVar[tuple[str, ...]]
    """What they can do."""
    port: ClassVar[int]
    """The UDP port of the server."""

    def __init__(self, where: Where) -> None: ...

    def server(self) -> list[str]:
        """Return the command of the server."""
        ...

    def client(self, verb: str, file: Path) -> list[str]:
        """Return the command of the client.

        Parameters
        ----------
        verb
            One of `verbs`.
        file
            What is sent, or where to put what the server has.
        """
        ...

    def store(self, content: bytes) -> None:
        """Let the server, which runs, have some content."""
        ...

    def stored(self) -> bytes:
        """Return what the server has."""
        ...


class Libcoap(Programs):
    """libcoap's client and server."""

    needs = ("coap-client-openssl", "coap-server-openssl")
    package = "the package libcoap3-bin"
    verbs = (OBSERVE, PUT, GET)
    port = _COAP

    def __init__(self, where: Where, key: str = "") -> None:
        self._where, self._key = where, key

    def server(self) -> list[str]:
        """Return the command of the server."""
        return [self.needs[1], *self._keys]

    def client(self, verb: str, file: Path) -> list[str]:
        """Return the command of the client."""
        options = {
            PUT: ("put", "-f", str(file)),
            GET: ("get", "-o", str(file)),
            OBSERVE: ("get", "-s", str(CLIENT_LIMIT_S), "-o", str(file)),
        }
        identity = ["-u", _IDENTITY] if self._key else []
        return self._command(
            "coaps" if self._key else "coap",
            str(self._where.address),
            *(*identity, *self._keys, "-m", *options[verb]),
        )

    @property
    def _keys(self) -> list[str]:
        return ["-k", self._key] if self._key else []

    def store(self, content: bytes) -> None:
        """Let the server have some content."""
        file = self._where.folder / "stored"
        file.write_bytes(content)
        self._where.run(self._command("coap", _LOOPBACK, "-m", "put", "-f", str(file)))

    def stored(self) -> bytes:
        """Return what the server has."""
        file = self._where.folder / "looked-at"
        file.unlink(missing_ok=True)
        self._where.run(self._command("coap", _LOOPBACK, "-m", "get", "-o", str(file)))
        return file.read_bytes() if file.exists() else b""

    def _command(self, scheme: str, address: str, *options: str) -> list[str]:
        limits = ["-B", str(CLIENT_LIMIT_S), "-b", BLOCK]
        place = f"{scheme}://[{address}]/example_data"
        return [self.needs[0], *limits, *options, place]


class LibcoapDtls(Libcoap):
    """The same with DTLS, and a new shared key."""

    port = _COAPS

    def __init__(self, where: Where) -> None:
        super().__init__(where, secrets.token_hex(8))


class _Served(Programs):
    """A server of the files in a directory; there is one."""

    def __init__(self, where: Where) -> None:
        self._address, self._folder = where.address, where.folder
        self._served = where.folder / "served"
        self._served.mkdir()

    def store(self, content: bytes) -> None:
        """Let the server have some content, all of it at once."""
        temporary = self._folder / "temporary"
        temporary.write_bytes(content)
        temporary.replace(self._served / "file")

    def stored(self) -> bytes:
        """Return what the server has."""
        file = self._served / "file"
        return file.read_bytes() if file.exists() else b""


class Tftp(_Served):
    """tftp-hpa's client and server."""

    needs = ("tftp", "in.tftpd")
    package = "the packages tftp-hpa and tftpd-hpa"
    verbs = (PUT, GET)
    port = _TFTP

    def server(self) -> list[str]:
        """Return the command of the server."""
        options = ["--foreground", "--user", "root", "--ipv6", "--secure", "--create"]
        return [self.needs[1], *options, str(self._served)]

    def client(self, verb: str, file: Path) -> list[str]:
        """Return the command of the client."""
        words = {PUT: ("put", str(file), "file"), GET: ("get", "file", str(file))}
        options = ["-6", "-m", "binary", str(self._address), "-c"]
        return [self.needs[0], *options, *words[verb]]


class Aiocoap(_Served):
    """aiocoap's client and file server, with OSCORE and a new key."""

    needs = ("aiocoap-client", "aiocoap-fileserver")
    package = "aiocoap[oscore] by pip"
    verbs: ClassVar[tuple[str, ...]] = (PUT, GET)
    port = _COAP

    def __init__(self, where: Where) -> None:
        super().__init__(where)
        secret = secrets.token_hex(16)
        self._uri = f"coap://[{where.address}]/file"
        self._clients = self._end("01", "02", secret, f"coap://[{where.address}]/*")
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

    def client(self, verb: str, file: Path) -> list[str]:
        """Return the command of the client."""
        client = [_where(self.needs[0]) or "", "--credentials", self._clients]
        if verb == PUT:
            return [*client, "-m", "PUT", "--payload", f"@{file}", self._uri]
        # The client writes to its output alone.
        return ["sh", "-c", '"$@" > "$0"', str(file), *client, self._uri]


class AiocoapObservation(Aiocoap):
    """Programs of aiocoap's library that observe; those of aiocoap cannot."""

    verbs = (OBSERVE,)

    def server(self) -> list[str]:
        """Return the command of the server."""
        return [*_OBSERVATION, "serve", self._servers, str(self._served / "file")]

    def client(self, verb: str, file: Path) -> list[str]:
        """Return the command of the client."""
        del verb
        return [*_OBSERVATION, "observe", self._clients, str(file), self._uri]


def _where(program: str) -> str | None:
    """Return where a program is: on the path, or beside this Python."""
    beside = Path(sys.executable).parent
    return shutil.which(program) or shutil.which(program, path=beside)


def missing(kind: type[Programs]) -> str | None:
    """Return what to install so that programs can run; None if they are there."""
    absent = [each for each in kind.needs if _where(each) is None]
    if not absent:
        return None
    return f"the program {absent[0]} is not there: install {kind.package}"


def need(kind: type[Programs]) -> None:
    """Check that programs are there.

    Raises
    ------
    MisuseError
        When one is missing; the text says what to install.
    """
    if reason := missing(kind):
        raise MisuseError(reason)

# SPDX-License-Identifier: Apache-2.0
"""CoAP and TFTP programs over a link, with and without protection, and what it costs.

Client and server know nothing of samara: libcoap's and tftp-hpa's, each in a network
namespace of its own, over 6LoWPAN in frames of IEEE 802.15.4.
"""

from __future__ import annotations

import contextlib
import secrets
import shutil
import subprocess
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from samara import crypto
from samara.demo.processes import ProgramError
from samara.errors import MisuseError
from samara.figure import Figure, weakest
from samara.link.ieee802154.zep import CHANNEL, OBSERVER, Hello
from samara.link.ieee802154.zep_radio import ZepRadio
from samara.net.addresses import DEFAULT_PREFIX
from samara.net.exchanges import Exchange, Exchanges
from samara.net.lab import Lab, Member
from samara.net.plan import Plan
from samara.net.topology import Network

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

SIZES = (1000, 10_000)
"""Bytes of the files, by default."""

_COAP, _COAPS, _TFTP = 5683, 5684, 69
_CLIENT_TIMEOUT_S = 180
_SERVER_START_S = 30.0
_HEAR_S, _REST_S = 0.02, 0.5
_BLOCK = "512"
_IDENTITY = "sensor"


@dataclass(frozen=True, slots=True)
class Case:
    """One way to protect what crosses the link."""

    name: str
    level: int = 0
    """Security level of the frames."""
    encrypts_file: bool = False
    """Whether the file is encrypted before, as the paper does: AES-256-CBC in hex."""
    has_dtls: bool = False


CASES = (
    Case("no security"),
    Case("link, level 5", level=5),
    Case("link, level 6", level=6),
    Case("link, level 7", level=7),
    Case("payload, AES-256-CBC in hex", encrypts_file=True),
    Case("DTLS with a shared key", has_dtls=True),
)
"""DTLS is libcoap's own; TFTP has none."""


@dataclass(frozen=True, slots=True)
class Step:
    """What is done in a case: PUT or GET of a file."""

    verb: str
    size: int


@dataclass(slots=True)
class Run:
    """A file that crossed, and what that took."""

    case: Case
    step: Step
    crossed: bool = False
    seconds: float = 0.0
    """From the start of the client to its end, by the clock."""
    frames: int = 0
    packets: int = 0
    layers: Counter[str] = field(default_factory=Counter)
    """Bytes on the air by layer, as `Exchange.layers` names them."""
    energies: list[Figure] = field(default_factory=list)

    def add(self, exchange: Exchange, device: str) -> None:
        """Count a packet."""
        self.packets += 1
        self.frames += len(exchange.frames) + len(exchange.repetitions)
        self.layers.update(exchange.layers())
        if (spent := exchange.energy("aes128", device)) is not None:
            self.energies.append(spent)

    @property
    def energy(self) -> Figure | None:
        """Energy of both ends, for all packets."""
        if not self.energies:
            return None
        return Figure(
            sum(each.value for each in self.energies),
            "J",
            weakest(*(each.origin for each in self.energies)),
            self.energies[0].source,
        )


def check(application: str) -> None:
    """Check that the programs are there.

    Raises
    ------
    MisuseError
        When one is missing; the text says which package has it.
    """
    wanted = {
        "coap": ("coap-client-openssl", "coap-server-openssl", "libcoap3-bin"),
        "tftp": ("tftp", "in.tftpd", "tftp-hpa and tftpd-hpa"),
    }
    *programs, package = wanted[application]
    missing = [each for each in programs if shutil.which(each) is None]
    if missing:
        message = f"the program {missing[0]} is not there: install {package}"
        raise MisuseError(message)


def cases(application: str) -> list[Case]:
    """Return the cases that a protocol can have."""
    return [case for case in CASES if application == "coap" or not case.has_dtls]


def steps(application: str, sizes: Sequence[int]) -> list[Step]:
    """Return what is done in each case."""
    verbs = ("PUT", "GET") if application == "coap" else ("GET",)
    return [Step(verb, size) for size in sizes for verb in verbs]


def run(application: str, sizes: Sequence[int], device: str) -> Iterator[Run]:
    """Let a file of each size cross in each case.

    Raises
    ------
    MisuseError
        When there can be no network here, or a program is missing.
    """
    check(application)
    for case in cases(application):
        plan = Plan(
            network=Network.of("chain", 2),
            options={"level": case.level, "channel": CHANNEL},
            allow_unauthenticated=True,
        )
        with Lab(plan) as lab:
            yield from _Bench(application, case, lab, device).runs(sizes)


class _Bench:
    """One case, on a network that runs."""

    def __init__(self, application: str, case: Case, lab: Lab, device: str) -> None:
        self._application, self._case, self._device = application, case, device
        self._client, self._server = lab.members
        self._folder = lab.folder / "files"
        self._folder.mkdir()
        self._psk = secrets.token_hex(8)
        self._nodes = [member.folder for member in lab.members]
        self._medium = lab.where[1]["medium"]

    def runs(self, sizes: Sequence[int]) -> Iterator[Run]:
        for size in sizes:
            content = self._content(size)
            served = self._folder / f"served-{size}"
            served.mkdir()
            (served / "file").write_bytes(content)
            with _served(self._server, self._server_command(served), self._port):
                for step in steps(self._application, (size,)):
                    yield self._run(step, content)

    @property
    def _port(self) -> int:
        if self._application == "tftp":
            return _TFTP
        return _COAPS if self._case.has_dtls else _COAP

    def _content(self, size: int) -> bytes:
        content = secrets.token_bytes(size)
        if not self._case.encrypts_file:
            return content
        suite = crypto.suite("aes256-cbc")
        key, nonce = (
            secrets.token_bytes(suite.key_size),
            secrets.token_bytes(suite.nonce_size),
        )
        return (nonce + suite.seal(key, nonce, content)).hex().encode()

    def _server_command(self, served: Path) -> list[str]:
        if self._application == "tftp":
            options = ["--foreground", "--user", "root", "--ipv6", "--secure"]
            return ["in.tftpd", *options, str(served)]
        keys = ["-k", self._psk] if self._case.has_dtls else []
        return ["coap-server-openssl", *keys]

    def _client_command(self, step: Step, sent: Path, got: Path) -> list[str]:
        address = self._server.address
        if self._application == "tftp":
            options = ["-6", "-m", "binary", str(address), "-c", "get", "file"]
            return ["tftp", *options, str(got)]
        with_dtls = self._case.has_dtls
        keys = ["-u", _IDENTITY, "-k", self._psk] if with_dtls else []
        files = (
            ["-m", "put", "-f", str(sent)]
            if step.verb == "PUT"
            else ["-m", "get", "-o", str(got)]
        )
        place = f"coap{'s' if with_dtls else ''}://[{address}]/example_data"
        limit = ["-B", str(_CLIENT_TIMEOUT_S), "-b", _BLOCK]
        return ["coap-client-openssl", *limit, *keys, *files, place]

    def _run(self, step: Step, content: bytes) -> Run:
        sent, got = self._folder / "sent", self._folder / "got"
        sent.write_bytes(content)
        got.unlink(missing_ok=True)
        found = Run(self._case, step)
        exchanges = Exchanges(self._nodes, DEFAULT_PREFIX)
        radio = ZepRadio(self._medium, CHANNEL, hello=Hello(0, OBSERVER))
        command = [*self._client.entrance, *self._client_command(step, sent, got)]
        with contextlib.closing(radio):
            start_s = time.monotonic()
            with subprocess.Popen(  # noqa: S603 - a list of arguments
                command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
            ) as client:
                try:
                    while client.poll() is None:
                        if time.monotonic() - start_s > _CLIENT_TIMEOUT_S:
                            break
                        self._hear(radio, exchanges, found, _HEAR_S)
                finally:
                    client.kill()
            found.seconds = time.monotonic() - start_s
            end_s = time.monotonic() + _REST_S
            while time.monotonic() < end_s:
                self._hear(radio, exchanges, found, _HEAR_S)
        is_there = step.verb == "PUT" or (got.exists() and got.read_bytes() == content)
        found.crossed = client.returncode == 0 and is_there
        return found

    def _hear(
        self, radio: ZepRadio, exchanges: Exchanges, found: Run, timeout_s: float
    ) -> None:
        for heard in radio.receive(timeout_s):
            exchanges.hear(heard.psdu)
        for exchange in exchanges.finished():
            found.add(exchange, self._device)


@contextlib.contextmanager
def _served(member: Member, command: Sequence[str], port: int) -> Iterator[None]:
    """Run a server where a node is, while the block lasts."""
    with subprocess.Popen(  # noqa: S603 - a list of arguments
        [*member.entrance, "setpriv", "--pdeathsig", "KILL", "--", *command],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as server:
        try:
            table = Path(f"/proc/{member.child.pid}/net/udp6")
            end_s = time.monotonic() + _SERVER_START_S
            while f":{port:04X} " not in table.read_text():
                if server.poll() is not None or time.monotonic() > end_s:
                    message = f"the server {command[0]} does not start"
                    raise ProgramError(message)
                time.sleep(_HEAR_S)
            yield
        finally:
            server.kill()

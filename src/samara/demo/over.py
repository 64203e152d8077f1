# SPDX-License-Identifier: Apache-2.0
"""CoAP and TFTP programs over a link, with and without protection, and what it costs.

Client and server know nothing of samara: those of libcoap, tftp-hpa and aiocoap, each
in a network namespace of its own, over 6LoWPAN on any kind of link.
"""

from __future__ import annotations

import contextlib
import functools
import secrets
import subprocess
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Self

from samara import children, crypto
from samara.demo import over_programs as programs
from samara.demo.over_cases import CASES, DEFAULT_LINK, Case
from samara.demo.over_hearing import HEAR_S, hearing
from samara.demo.over_programs import GET, OBSERVE, PUT
from samara.demo.processes import ProgramError
from samara.figure import Figure, weakest
from samara.link.node.kinds import kind as kind_of_link
from samara.net.lab import Lab, Member
from samara.net.plan import Plan
from samara.net.topology import Network

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from samara.demo.over_programs import Programs
    from samara.net.exchanges import Exchange
    from samara.net.payload_log import LoggedPacket

SIZES = (1000, 10_000)
"""Bytes of the files, by default."""

_VALUE_SIZE, _VALUES = 16, 6
"""Of an observation: bytes of each value, and how many there are."""
_TIMEOUT_S, _TIMEOUT_S_A_BYTE = 120.0, 4e-3
_SERVER_START_S = 60.0
_REST_S, _END_S = 0.5, 30.0


@dataclass(frozen=True, slots=True)
class Step:
    """What is done in a case: PUT or GET of a file, or OBSERVE of a value."""

    verb: str
    size: int
    """Bytes of the file, or of one value."""
    count: int = 1
    """Values that are told of, the first one included."""

    @property
    def total(self) -> int:
        """Bytes that are to arrive."""
        return self.size * self.count


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
    exchanges: list[Exchange | LoggedPacket] = field(default_factory=list)
    energies: list[Figure] = field(default_factory=list)

    def add(self, exchange: Exchange | LoggedPacket) -> None:
        """Count a packet."""
        self.packets += 1
        self.frames += len(exchange.frames) + len(exchange.repetitions)
        self.layers.update(exchange.layers())
        self.exchanges.append(exchange)

    def end(self, device: str) -> None:
        """Compute the energy, which would take too long while frames are heard."""
        spent = [each.energy(device) for each in self.exchanges]
        self.energies = [each for each in spent if each is not None]
        self.exchanges.clear()

    @property
    def was_heard(self) -> bool:
        """Whether all that crossed was heard, as far as its size tells."""
        return self.layers["payload"] >= self.step.total

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


def left_out(application: str) -> str | None:
    """Return why a case is left out; None if none is.

    Raises
    ------
    MisuseError
        When a program is missing that all cases need.
    """
    if application == "tftp":
        programs.need(programs.Tftp)
        return None
    programs.need(programs.Libcoap)
    reason = programs.missing(programs.Aiocoap)
    return reason and f"OSCORE is left out: {reason}"


def cases(application: str, link: str = DEFAULT_LINK) -> list[Case]:
    """Return the cases that can be run here over a kind of link."""
    known = CASES[link]
    if application == "tftp":
        return [case for case in known if not case.has_dtls and not case.has_oscore]
    has_oscore = left_out(application) is None
    return [case for case in known if has_oscore or not case.has_oscore]


def kinds(application: str, case: Case) -> dict[str, type[Programs]]:
    """Return the programs of a case, by what they are used for."""
    used: tuple[type[Programs], ...]
    if application == "tftp":
        used = (programs.Tftp,)
    elif case.has_oscore:
        used = (programs.Aiocoap, programs.AiocoapObservation)
    else:
        used = (programs.LibcoapDtls if case.has_dtls else programs.Libcoap,)
    return {verb: kind for kind in used for verb in kind.verbs}


def steps(application: str, case: Case, sizes: Sequence[int]) -> list[Step]:
    """Return what is done in a case: all that its programs can do."""
    verbs = kinds(application, case)
    values = [Step(OBSERVE, _VALUE_SIZE, _VALUES)] if OBSERVE in verbs else []
    files = [Step(verb, size) for size in sizes for verb in (PUT, GET) if verb in verbs]
    return values + files


def run(
    application: str,
    sizes: Sequence[int],
    device: str,
    link: str = DEFAULT_LINK,
) -> Iterator[Run]:
    """Let a file of each size cross in each case.

    Parameters
    ----------
    link
        The kind of link, a key of `CASES`.

    Raises
    ------
    MisuseError
        When there can be no network here, or a program is missing.
    """
    for case in cases(application, link):
        plan = Plan(
            network=Network.of("chain", 2),
            link=link,
            options=case.options,
            allow_unauthenticated=True,
            logs_payloads=kind_of_link(link).sniffing is None,
        )
        with Lab(plan) as lab:
            bench = _Bench(application, case, lab, device)
            for step in steps(application, case, sizes):
                yield bench.run(step)


class _Bench:
    """One case, on a network that runs."""

    def __init__(
        self,
        application: str,
        case: Case,
        lab: Lab,
        device: str,
    ) -> None:
        self._application, self._case, self._device = application, case, device
        self._client, self._server = lab.members
        self._folder, self._count = lab.folder / "files", 0
        self._folder.mkdir()
        self._lab = lab

    def run(self, step: Step) -> Run:
        """Take a step, with a server of its own."""
        self._count += 1
        folder = self._folder / str(self._count)
        folder.mkdir()
        used, found = self._programs(step.verb, folder), Run(self._case, step)
        with _served(self._server, used.server(), used.port):
            if step.verb == OBSERVE:
                self._observe(used, found, folder / "file")
            else:
                self._move(used, found, folder / "file")
        found.end(self._device)
        return found

    def _programs(self, verb: str, folder: Path) -> Programs:
        where = programs.Where(self._server.address, folder, self._run_there)
        kind = kinds(self._application, self._case)[verb]
        return kind(where)

    def _run_there(self, command: Sequence[str]) -> None:
        """Run a command where the server is."""
        subprocess.run(  # noqa: S603 - a list of arguments
            [*self._server.entrance, *command],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=_SERVER_START_S,
            check=False,
        )

    def _protected(self, size: int) -> bytes:
        """Return new content, as the program gets it."""
        content = secrets.token_bytes(size)
        if not self._case.encrypts_file:
            return content
        suite = crypto.suite("aes256-cbc")
        key, nonce = (
            secrets.token_bytes(suite.key_size),
            secrets.token_bytes(suite.nonce_size),
        )
        return (nonce + suite.seal(key, nonce, content)).hex().encode()

    def _move(self, used: Programs, found: Run, file: Path) -> None:
        content = self._protected(found.step.size)
        is_sent = found.step.verb == PUT
        if is_sent:
            file.write_bytes(content)
        else:
            used.store(content)
        command = used.client(found.step.verb, file)
        with self._started(command, found) as client:
            client.hear_until(client.has_ended)
        arrived = used.stored() if is_sent else _content_of(file)
        found.crossed = client.succeeded and arrived == content

    def _observe(self, used: Programs, found: Run, file: Path) -> None:
        values = [self._protected(found.step.size) for _ in range(found.step.count)]
        used.store(values[0])
        with self._started(used.client(OBSERVE, file), found) as client:
            client.hear_until(functools.partial(_has, file, values[0]))
            for number in range(1, len(values)):
                # The next value when this one was told: else it may be left out.
                used.store(values[number])
                so_far = b"".join(values[: number + 1])
                if not client.hear_until(functools.partial(_has, file, so_far)):
                    break
        found.crossed = _has(file, b"".join(values))

    def _started(self, command: Sequence[str], found: Run) -> _Client:
        heard = hearing(self._lab)

        def hear() -> bool:
            was_heard = heard.hear()
            for exchange in heard.finished():
                found.add(exchange)
            return was_heard

        whole = [*self._client.entrance, *command]
        return _Client(whole, found, hear, heard.close)


class _Client:
    """A client that runs while the block lasts, and what it is heard to send."""

    def __init__(
        self,
        command: Sequence[str],
        found: Run,
        hear: Callable[[], bool],
        close: Callable[[], None],
    ) -> None:
        self._found, self._hear, self._close = found, hear, close
        self._start_s = time.monotonic()
        limit_s = _TIMEOUT_S + _TIMEOUT_S_A_BYTE * found.step.total
        self._end_s = self._start_s + limit_s
        self._process = subprocess.Popen(  # noqa: S603 - a list of arguments
            command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self._process.kill()
            self._process.wait()
            end_s = quiet_s = time.monotonic()
            while (now_s := time.monotonic()) < min(quiet_s + _REST_S, end_s + _END_S):
                # What was heard may wait for a while on a busy machine.
                if self._hear():
                    quiet_s = now_s
        finally:
            self._close()

    @property
    def succeeded(self) -> bool:
        """Whether the client ended, and without an error."""
        return self._process.returncode == 0

    def has_ended(self) -> bool:
        """Tell whether the client has ended."""
        return self._process.poll() is not None

    def hear_until(self, is_done: Callable[[], bool]) -> bool:
        """Hear frames until something is done; tell whether it came to that."""
        while not (done := is_done()):
            if self.has_ended() or time.monotonic() > self._end_s:
                break
            self._hear()
        self._found.seconds = time.monotonic() - self._start_s
        return done


def _has(file: Path, content: bytes) -> bool:
    return _content_of(file) == content


def _content_of(file: Path) -> bytes:
    return file.read_bytes() if file.exists() else b""


@contextlib.contextmanager
def _served(member: Member, command: Sequence[str], port: int) -> Iterator[None]:
    """Run a server where a node is, while the block lasts."""
    with subprocess.Popen(  # noqa: S603 - a list of arguments
        [*member.entrance, *children.tied(command)],
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
                time.sleep(HEAR_S)
            yield
        finally:
            server.kill()

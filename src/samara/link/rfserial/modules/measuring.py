# SPDX-License-Identifier: Apache-2.0
"""What two modules do to bytes, measured between their ports: a profile of them.

What is written at one port is awaited at the other. How much at once arrives whole, how
much silence must be between two packets, how long they take, and how many are lost: all
by the clock of this machine, and on the air as it is now.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import secrets
import statistics
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, ClassVar, Final

from samara.atomic_files import write_new
from samara.errors import MisuseError
from samara.extras import needed
from samara.figure import Figure, Origin
from samara.link.node.link import LinkError
from samara.link.rfserial.modules.profile import FIGURES, profile_of
from samara.records import (
    Answer,
    Between,
    Field,
    Notice,
    Parameter,
    Progress,
    Record,
    Remark,
    Request,
    record_class,
    request_class,
)
from samara.serial_ports import not_opened
from samara.units import BIT_RATE, BYTES

if TYPE_CHECKING:
    from collections.abc import Iterator

PROBE_BYTES: Final = 8
_SILENCES_S: Final = (0.0, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 3.0)
"""Silences that are tried between two packets."""
_FIRST_S: Final = 5.0
"""For how long the first packet is awaited."""
_TRIES: Final = 3
_LEAST_BYTES, _CAREFUL_BYTES = 16, 32
_PAUSE_S, _PAUSE_BYTES = 0.003, 4
"""Bytes that come later than this, or than so many take, are of another packet."""


@request_class
class MeasureRequest(Request):
    """Two ports with modules that hear each other."""

    CHANGES: ClassVar[str] = "what is on the air"

    port: Annotated[
        str, Parameter(metavar="A", help="Port that sends.", is_argument=True)
    ]
    other: Annotated[
        str, Parameter(metavar="B", help="Port that receives.", is_argument=True)
    ]
    baud: Annotated[
        int,
        Parameter(
            help="Baud rate of both ports.", unit=BIT_RATE, values=Between(300, 4e6)
        ),
    ] = 9600
    longest: Annotated[
        int,
        Parameter(
            help="Most bytes that are sent at once.",
            unit=BYTES,
            values=Between(_LEAST_BYTES, 65_536),
        ),
    ] = 1024
    probes: Annotated[
        int,
        Parameter(
            help="Packets that are sent to count losses.", values=Between(1, 1000)
        ),
    ] = 20
    profile: Annotated[
        Path | None,
        Parameter(
            metavar="FILE",
            help="Write a profile of the module to a new file, for --module.",
            default_text="write none",
        ),
    ] = None


@record_class
class MeasuredModule(Record):
    """What two modules do to bytes that are sent from one port to the other."""

    packet: Annotated[
        Figure, Field("Bytes of a packet.", heading="packet", unit="byte")
    ]
    buffer: Annotated[
        Figure,
        Field("Bytes that arrive whole when written at once.", heading="at once"),
    ]
    gap: Annotated[Figure, Field("Silence between packets.", heading="gap", unit="s")]
    latency: Annotated[
        Figure,
        Field("From writing a packet to its arrival.", heading="latency", unit="s"),
    ]
    rate: Annotated[
        Figure,
        Field("Bytes that arrive in a long stream.", heading="rate", unit="bit/s"),
    ]
    loss: Annotated[float, Field("Share of packets that were lost.", heading="lost")]
    echoes: Annotated[
        bool, Field("Whether the sending port repeats what is written.", heading="echo")
    ]


@dataclass(slots=True)
class _Found:
    """What was measured."""

    baud: int
    gap_s: float = 0.0
    latency_s: float = 0.0
    loss: float = 0.0
    whole: int = _LEAST_BYTES
    packet: int | None = None
    """Bytes between pauses; None: there were no pauses."""
    rate: float | None = None
    """Bit/s of a long stream; None: none was long enough."""
    echoes: bool = False

    @property
    def careful_packet(self) -> int:
        """Bytes of a packet that are safe to write."""
        packet = self.packet or min(self.whole, _CAREFUL_BYTES)
        return min(packet, self.whole)

    def record(self) -> MeasuredModule:
        """Return what is shown."""
        by_clock = Origin.HOST_CLOCK
        rate = self.rate or self.careful_packet * 8 / max(self.latency_s, 1e-3)
        pauses = "pauses between bytes that arrive"
        return MeasuredModule(
            Figure(
                self.careful_packet,
                "byte",
                Origin.ASSUMED if self.packet is None else Origin.MEASURED,
                "no pauses were seen: a choice" if self.packet is None else pauses,
            ),
            Figure(self.whole, "byte", Origin.MEASURED, "the most that arrived whole"),
            Figure(self.gap_s, "s", by_clock, "the least after which packets arrive"),
            Figure(self.latency_s, "s", by_clock, f"{PROBE_BYTES} bytes, both lines"),
            Figure(rate, "bit/s", by_clock, "bytes after the first packet"),
            self.loss,
            self.echoes,
        )


def measure(request: MeasureRequest) -> Answer[MeasuredModule]:
    """Measure what modules do between two ports; write a profile if that is wanted.

    Raises
    ------
    LinkError
        When a port cannot be opened, or nothing arrives.
    MisuseError
        When the profile cannot be written.
    """
    if request.profile is not None and request.profile.exists():
        message = f"{request.profile} exists: give another file to --profile"
        raise MisuseError(message)
    found = _Found(request.baud)
    with _opened(request) as ports:
        yield Progress(None, "first packet")
        _first(ports, found)
        yield Progress(0.1, "silence between packets")
        _find_gap(ports, found)
        yield Progress(0.3, "losses")
        _count_losses(ports, found, request.probes)
        yield Progress(0.6, "bytes at once")
        _find_whole(ports, found, request.longest)
    record = found.record()
    yield record
    if request.profile is not None:
        write_new(request.profile, profile_text(request, record).encode(), force=False)
        yield Notice(f"wrote {request.profile}: give it to --module")
    elif record.loss:
        yield Remark(
            "Some packets were lost: a larger gap or another channel may help."
        )


def _first(ports: _Ports, found: _Found) -> None:
    """Send one packet after a long silence, and see whether it comes, and where."""
    for _ in range(_TRIES):
        time.sleep(_SILENCES_S[-1] if _ else 0)
        latency_s = ports.passed(secrets.token_bytes(PROBE_BYTES), _FIRST_S)
        if latency_s is not None:
            found.latency_s = latency_s
            found.echoes = ports.echoed
            return
    message = (
        f"nothing that is written to {ports.names[0]} comes out of {ports.names[1]}: "
        "do the modules have this baud rate, and the same channel?"
    )
    raise LinkError(message)


def _find_gap(ports: _Ports, found: _Found) -> None:
    """Find how much silence two packets need between them."""
    for gap_s in _SILENCES_S:
        found.gap_s = gap_s
        came = 0
        # One may be lost for another reason; within a gap none arrives.
        for done in range(1, _TRIES + 1):
            came += _comes_after(ports, found, gap_s)
            if came > 1:
                return
            if done - came > 1:
                break


def _comes_after(ports: _Ports, found: _Found, gap_s: float) -> bool:
    """Tell whether a packet arrives so long after one that has arrived."""
    for silence_s in _SILENCES_S[-4:]:
        time.sleep(silence_s)
        if _passes(ports, found):
            time.sleep(gap_s)
            return _passes(ports, found)
    return False


def _passes(ports: _Ports, found: _Found) -> bool:
    probe = secrets.token_bytes(PROBE_BYTES)
    return ports.passed(probe, _patience_s(found)) is not None


def _patience_s(found: _Found) -> float:
    return 4 * found.latency_s + 0.3


def _count_losses(ports: _Ports, found: _Found, count: int) -> None:
    latencies = []
    for _ in range(count):
        time.sleep(found.gap_s)
        probe = secrets.token_bytes(PROBE_BYTES)
        latencies.append(ports.passed(probe, _patience_s(found)))
    arrived = [each for each in latencies if each is not None]
    found.loss = 1 - len(arrived) / count
    if arrived:
        found.latency_s = statistics.median(arrived)


def _find_whole(ports: _Ports, found: _Found, longest: int) -> None:
    """Send more and more at once, until it does not arrive whole."""
    size = _LEAST_BYTES
    while size <= longest:
        came = None
        for _ in range(_TRIES):
            time.sleep(found.gap_s)
            came = ports.stream(secrets.token_bytes(size), _patience_s(found))
            if came is not None:
                break
        if came is None:
            return
        found.whole = size
        _look_at(came, found)
        size *= 2


def _look_at(came: list[tuple[float, int]], found: _Found) -> None:
    """Take packets and rate from when bytes came."""
    pause_s = max(_PAUSE_S, _PAUSE_BYTES * 10 / found.baud)
    bursts = [came[0][1]]
    for (before_s, _), (now_s, size) in itertools.pairwise(came):
        if now_s - before_s > pause_s:
            bursts.append(0)
        bursts[-1] += size
    if len(bursts) > 2:  # noqa: PLR2004 - the last one is seldom full
        found.packet = Counter(bursts[:-1]).most_common(1)[0][0]
        took_s = came[-1][0] - came[0][0]
        found.rate = min((sum(bursts) - bursts[0]) * 8 / took_s, found.baud * 0.8)


def profile_text(request: MeasureRequest, record: MeasuredModule) -> str:
    """Return a profile with what was measured."""
    source = f"measured between two modules at {request.baud} baud"
    gap_ms = record.gap.value * 1000
    values: dict[str, tuple[float, Origin, str]] = {
        "baud": (request.baud, Origin.MEASURED, "the modules were reached at it"),
        "packet": (int(record.packet.value), record.packet.origin, source),
        "fill": (5, Origin.ASSUMED, "as little as samara pads"),
        "timeout": (
            round(record.latency.value * 1000),
            Origin.ASSUMED,
            "no more than a packet takes as a whole",
        ),
        "gap": (round(gap_ms), record.gap.origin, source),
        "buffer": (int(record.buffer.value), record.buffer.origin, source),
        "air_rate": (round(record.rate.value, 1), record.rate.origin, source),
        "overhead": (0, Origin.ASSUMED, "it is in the rate that was measured"),
    }
    lines = [
        'title = "a module that samara radio probe has measured"',
        'wrapping = "transparent"',
        f"echoes = {json.dumps(record.echoes)}",
        "tried = true",
    ]
    for name in FIGURES:
        value, origin, why = values[name]
        lines += ["", f"[{name}]", f"value = {value}", f'origin = "{origin.value}"']
        lines += [f"source = {json.dumps(why)}"]
    text = "\n".join(lines) + "\n"
    profile_of("measured", text)
    return text


class _Ports:
    """Two serial ports, from the first of which bytes go to the second."""

    def __init__(self, names: tuple[str, str], baud: int) -> None:
        with needed("serial"):
            import serial  # noqa: PLC0415 - late
        self.names, self.echoed = names, False
        self._stack = contextlib.ExitStack()
        opened: list[serial.Serial] = []
        try:
            for name in names:
                port = serial.Serial(name, baud, timeout=0.002, exclusive=True)
                opened.append(self._stack.enter_context(port))
        except (OSError, ValueError) as error:
            self.close()
            raise LinkError(not_opened(names[len(opened)], error)) from None
        self._from, self._to = opened

    def passed(self, probe: bytes, patience_s: float) -> float | None:
        """Write bytes; return how long they took, or None if they did not come."""
        began_s = self._write(probe)
        came = bytearray()
        while (now_s := time.monotonic()) < began_s + patience_s:
            came += self._to.read(4096)
            if probe in came:
                self.echoed = probe in self._from.read(4096)
                return now_s - began_s
        return None

    def stream(self, data: bytes, patience_s: float) -> list[tuple[float, int]] | None:
        """Write bytes; return when how many came, or None if not all of them did."""
        began_s = self._write(data)
        last_s = began_s + len(data) * 10 / self._to.baudrate
        came, found = bytearray(), []
        while (now_s := time.monotonic()) < last_s + patience_s:
            part = self._to.read(4096)
            if part:
                came += part
                found.append((now_s, len(part)))
                last_s = max(last_s, now_s)
            if len(came) >= len(data):
                break
        return found if bytes(came) == data else None

    def _write(self, data: bytes) -> float:
        for port in (self._from, self._to):
            port.reset_input_buffer()
        try:
            self._from.write(data)
        except OSError as error:
            message = f"the module at {self.names[0]} is gone: {error}"
            raise LinkError(message) from None
        return time.monotonic()

    def close(self) -> None:
        """Let others use the ports."""
        self._stack.close()


@contextlib.contextmanager
def _opened(request: MeasureRequest) -> Iterator[_Ports]:
    ports = _Ports((request.port, request.other), request.baud)
    try:
        yield ports
    except OSError as error:
        message = f"a module is gone: {error}"
        raise LinkError(message) from None
    finally:
        ports.close()

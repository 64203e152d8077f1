# SPDX-License-Identifier: Apache-2.0
"""Watching the packets on the air, with the frames, bytes and energy of each."""

from __future__ import annotations

import contextlib
import itertools
import math
import shlex
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from samara.figure import Figure
from samara.net import wireshark
from samara.net.addresses import prefix_of
from samara.net.capturing import PCAPNG, CaptureFiles, capturing
from samara.net.exchanges import Exchanges
from samara.net.requests import DEFAULT_PREFIX_TEXT, Prefix
from samara.records import (
    Answer,
    Between,
    Digest,
    Field,
    Line,
    Notice,
    Parameter,
    Record,
    Request,
    record_class,
    request_class,
)
from samara.records.numbers import digits
from samara.records.usual import seconds_until_end

if TYPE_CHECKING:
    from collections.abc import Iterator

    from samara.net.exchanges import Exchange

_WAIT_S = 0.1
_AFTER_END_S = 1.0
_LAYERS = ("mac", "security", "6lowpan", "transport", "payload")
# "UDP 61616 > 61631"
_PACKET_WIDTH, _ENERGY_WIDTH = 17, 6


def _devices() -> Iterable[str]:
    from samara.bench.devices import names  # noqa: PLC0415 - reads all devices' files

    return names()


@request_class
class WatchRequest(Request):
    """Nodes whose packets are watched."""

    nodes: Annotated[
        tuple[Path, ...],
        Parameter(
            metavar="DIR...",
            help="Directories of nodes, whose keys open the frames.",
            is_argument=True,
        ),
    ]
    medium: Annotated[
        str | None,
        Parameter(
            metavar="HOST:PORT",
            help="Address of `samara medium`.",
            default_text="as the first node was made",
        ),
    ] = None
    radio: Annotated[
        str | None,
        Parameter(
            metavar="RADIO",
            help="What hears the frames, in place of the medium: a radio that no node"
            " uses, such as spinel:/dev/ttyACM0, or pcap:FILE, a capture or a pipe to"
            " which another program writes one; pcap:- is stdin.",
            default_text="none",
        ),
    ] = None
    prefix: Prefix = DEFAULT_PREFIX_TEXT
    device: Annotated[
        str,
        Parameter(
            metavar="DEVICE",
            help="Microcontroller of both ends, for the energy.",
            names=_devices,
            names_in_words="",
        ),
    ] = "atmega128rfa1"
    output: Annotated[
        Path | None,
        Parameter(
            short="o",
            metavar="FILE",
            help="Write the frames to a capture file, too, as they are on the air:"
            f" pcapng if FILE ends in {PCAPNG}, otherwise pcap; - is stdout.",
        ),
    ] = None
    wireshark: Annotated[
        Path | None,
        Parameter(
            metavar="DIR",
            help="Directory to write the keys to, for Wireshark.",
            default_text=f"FILE.wireshark if FILE ends in {PCAPNG}, otherwise none",
        ),
    ] = None
    force: Annotated[bool, Parameter(help="Replace files that exist.")] = False
    count: Annotated[
        int | None,
        Parameter(
            help="Stop after this many packets.",
            values=Between(1),
            default_text="no limit",
        ),
    ] = None
    timeout_s: Annotated[
        float | None,
        seconds_until_end("timeout", "no limit"),
    ] = None

    @property
    def files(self) -> CaptureFiles:
        """The files that are to be written."""
        return CaptureFiles(self.output, self.wireshark, self.force)


@record_class
class Packet(Record):
    """An IPv6 packet on one hop."""

    source: Annotated[str, Field("Name of the node that sent it.")]
    destination: Annotated[str, Field("Name of the node that it was for.")]
    protocol: Annotated[str, Field("What it carries, in words.")]
    packet_bytes: Annotated[int, Field("Its size.", unit="byte")]
    frames: Annotated[int, Field("Frames that carried it.")]
    repetitions: Annotated[int, Field("Frames that were sent again.")]
    acknowledgements: Annotated[int, Field("Acknowledgements of frames.")]
    layers: Annotated[
        Mapping[str, int],
        Field(
            "Bytes of all frames: `mac`, `security`, `6lowpan`, `transport`, `payload`,"
            " `repeated`."
        ),
    ]
    energy: Annotated[
        Figure | None,
        Field("What sender and receiver spent; null: it is not known.", unit="J"),
    ]


def watch(
    request: WatchRequest, *, is_over: Callable[[], bool] = lambda: False
) -> Answer[Packet]:
    """Yield each IPv6 packet on the air of which all frames were heard.

    Parameters
    ----------
    is_over
        Asked several times a second: whether to end.

    Raises
    ------
    MisuseError
        When nothing can be heard, or a file cannot be written.
    """
    device, notice = _device_of(request.device)
    if notice:
        yield Notice(notice)
    network, wanted = prefix_of(request.prefix), request.files
    wanted.check()
    exchanges = Exchanges(request.nodes, network)
    sniffing, sniffer = exchanges.sniffing, exchanges.sniffer
    receiver = sniffing.receiver(sniffer.settings, request.radio or request.medium)
    with (
        contextlib.closing(receiver),
        capturing(wanted, sniffing, sniffer, network, receiver.name) as capture,
    ):
        yield Notice("watching; press Ctrl-C to stop")
        shown, left = _Lines(), request.count
        end_s = math.inf
        if request.timeout_s is not None:
            end_s = time.monotonic() + request.timeout_s
        while left != 0 and time.monotonic() < end_s and not is_over():
            if receiver.has_ended:
                # What waits for acknowledgements is shown.
                end_s = min(end_s, time.monotonic() + _AFTER_END_S)
            for frame in receiver.receive(_WAIT_S):
                capture.put(frame)
                exchanges.hear(frame)
            capture.put_keys()
            yield from map(Notice, receiver.notices())
            for each in itertools.islice(exchanges.finished(), left):
                yield shown.packet(_record_of(each, device))
                left = None if left is None else left - 1
    yield from map(Notice, _at_the_end(wanted, exchanges))


def _device_of(name: str) -> tuple[str, str | None]:
    """Return the name of a device, and what is to be said if it was a chip's name."""
    from samara.bench import devices  # noqa: PLC0415 - reads all devices' files

    found = devices.device(name)
    return found.name, devices.stands_for(name, found)


def _record_of(each: Exchange, device: str) -> Packet:
    return Packet(
        source=each.source,
        destination=each.destination,
        protocol=each.protocol,
        packet_bytes=len(each.packet),
        frames=len(each.frames),
        repetitions=len(each.repetitions),
        acknowledgements=len(each.acknowledgements),
        layers=each.layers(),
        energy=each.energy(device),
    )


def _at_the_end(wanted: CaptureFiles, exchanges: Exchanges) -> Iterator[str]:
    """Yield how the capture is read, and what was not opened."""
    yield from command_to_read(wanted)
    if exchanges.unopened:
        yield (
            f"{exchanges.unopened} of {exchanges.heard} frames could not be opened: "
            "they are of nodes whose directories were not given, or not genuine"
        )


def command_to_read(wanted: CaptureFiles) -> Iterator[str]:
    """Yield the command that shows a capture with its keys, if both are files."""
    folder, output = wanted.folder, wanted.output
    if folder is not None and output is not None and not wanted.is_stdout:
        variable = f"{wireshark.ENVIRONMENT}={shlex.quote(str(folder))}"
        command = f"{variable} tshark -r {shlex.quote(str(output))}"
        yield f"{command} shows what the frames carry; {folder} has the keys"


class _Lines:
    """Writes a line for each packet, with a heading before the first."""

    def __init__(self) -> None:
        self._has_heading = False

    def packet(self, packet: Packet) -> Digest[Packet]:
        """Return a packet, with its lines for people."""
        return Digest([packet], self._lines(packet))

    def _lines(self, packet: Packet) -> Iterator[Line]:
        hop = f"{packet.source} > {packet.destination}"
        if not self._has_heading:
            self._has_heading = True
            heads = ("packet", "frames", *_LAYERS, "µJ")
            yield _line("hop".ljust(len(hop)), *heads)
        again = f"+{packet.repetitions}" if packet.repetitions else ""
        energy = packet.energy
        yield _line(
            hop,
            packet.protocol.removeprefix("ICMPv6 "),
            f"{packet.frames}{again}",
            *(str(packet.layers[name]) for name in _LAYERS),
            "-" if energy is None else digits(energy.value * 1e6),
        )


def _line(hop: str, packet: str, frames: str, *figures: str) -> Line:
    sizes = zip(figures, (*map(len, _LAYERS), _ENERGY_WIDTH), strict=True)
    cells = " ".join(figure.rjust(max(size, 4)) for figure, size in sizes)
    return Line(f"{hop} {packet:<{_PACKET_WIDTH}} {frames:>6} {cells}")

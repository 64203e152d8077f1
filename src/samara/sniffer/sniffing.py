# SPDX-License-Identifier: Apache-2.0
"""Packets of a recording or of a radio, as a request asks for them."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated, Any, TypeAlias
from typing import Protocol as Interface

import samara
from samara.crypto.keys import key_of
from samara.crypto.registry import suite as suite_of
from samara.errors import MisuseError
from samara.phy.recording_parameters import (
    RECORDING_HELP,
    Carrier,
    Format,
    Rate,
    SwapIq,
    given,
)
from samara.phy.tuning import RadioLostError
from samara.records import (
    Answer,
    Between,
    Digest,
    Field,
    Line,
    Notice,
    Parameter,
    Progress,
    Record,
    Refusal,
    Request,
    Title,
    record_class,
    request_class,
)
from samara.records.usual import seconds_until_end
from samara.sniffer.protocols import DEFAULT, protocol_named, protocols
from samara.units import DECIBEL

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator

    from samara.phy.receivers.front_end import FrontEnd
    from samara.phy.receivers.streaming import Packet, PacketReceiver
    from samara.phy.transceivers.encryption import Opener
    from samara.phy.transceivers.profile import Profile
    from samara.sniffer.protocol import Protocol
    from samara.sniffer.sources import Source

_NS_PER_S = 1_000_000_000
_SHOWN_BYTES = 24
_HINT = (
    ": check --protocol, --channel and --rate, and try --swap-iq, for a recording "
    "whose spectrum is mirrored"
)

_ProtocolName: TypeAlias = Annotated[
    str,
    Parameter(metavar="NAME", help="Physical layer.", names=protocols),
]

Gain = Annotated[float, Parameter(help="Gain of the radio in dB.", unit=DECIBEL)]
Damaged = Annotated[bool, Parameter(help="Keep packets whose check sequence is wrong.")]


@request_class
class SniffRequest(Request):
    """What is listened to, and for which packets."""

    recording: Annotated[
        Path | None,
        Parameter(is_argument=True, metavar="RECORDING", help=RECORDING_HELP),
    ] = None
    radio: Annotated[
        str | None,
        Parameter(
            metavar="RADIO",
            help="Radio in place of a recording: zmq, zmq:ADDRESS, uhd:ARGS or "
            "soapy:ARGS.",
        ),
    ] = None
    protocol: _ProtocolName = DEFAULT
    profile: Annotated[
        Path | None,
        Parameter(
            metavar="FILE",
            help="Profile of another chip, in place of --protocol; docs/sniffer.md "
            "describes it.",
        ),
    ] = None
    channels: Annotated[
        tuple[int, ...],
        Parameter(
            name="channel",
            help="Channel of the protocol (repeatable).",
            repeatable=True,
            default_text="the one at the carrier frequency",
        ),
    ] = ()
    rate: Rate = None
    frequency: Carrier = None
    sample_format: Format = None
    swap_iq: SwapIq = False
    gain: Gain = 30.0
    key: Annotated[
        str | None,
        Parameter(
            metavar="HEX|@FILE",
            help="Key of packets of chips that Grain-128PLE encrypts, as samara phy "
            "packets sends them; others are not shown.",
            is_secret=True,
        ),
    ] = None
    counter: Annotated[
        int,
        Parameter(
            help="Lowest frame counter that is tried, with --key.",
            values=Between(0, 2**63),
        ),
    ] = 0
    window: Annotated[
        int,
        Parameter(
            help="Frame counters that are tried from the next one on, with --key.",
            values=Between(1, 1 << 16),
        ),
    ] = 256
    damaged: Damaged = False
    zep: Annotated[
        str | None,
        Parameter(
            metavar="HOST:PORT",
            help="Also send frames of IEEE 802.15.4 by ZEP, which Wireshark shows, "
            "such as to 127.0.0.1:17754.",
        ),
    ] = None
    count: Annotated[
        int | None, Parameter(help="Stop after this many packets.", values=Between(1))
    ] = None
    timeout: Annotated[float | None, seconds_until_end("timeout")] = None


@record_class
class SniffedPacket(Record):
    """A packet that was received."""

    time_s: Annotated[float, Field("Time of its beginning.", unit="s")]
    channel: Annotated[int | None, Field("Channel; `null` without a number.")]
    is_intact: Annotated[bool, Field("Whether its check sequence is right.")]
    snr_db: Annotated[float, Field("Signal-to-noise ratio.", unit="dB")]
    offset_hz: Annotated[float, Field("Carrier frequency offset.", unit="Hz")]
    hex: Annotated[bytes, Field("Its bytes, with the check sequence.")]


@record_class
class SniffedPackets(Record):
    """How many packets were received; the last line."""

    intact: Annotated[int, Field("Packets whose check sequence is right.")]
    damaged: Annotated[int, Field("Packets whose check sequence is wrong.")]
    dropped_samples: Annotated[int, Field("Samples that came too fast to be searched.")]


class Write(Interface):
    """Takes each packet as it is received."""

    def __call__(self, packet: bytes, time_ns: int, /) -> None: ...  # noqa: D102


@dataclass(slots=True)
class _Tuned:
    """A channel that is listened to."""

    number: int | None
    front_end: FrontEnd
    receiver: PacketReceiver[Packet]


def sniff(
    request: SniffRequest,
    target: IO[bytes] | None = None,
    is_over: Callable[[], bool] = lambda: False,
) -> Answer[SniffedPacket | SniffedPackets]:
    """Yield packets as they are received.

    Parameters
    ----------
    target
        Open for writing: packets are written to it as a capture (pcapng).
    is_over
        Asked several times a second.

    Raises
    ------
    MisuseError
        When the request names no source, protocol or channel that there is.
    samara.phy.recordings.RecordingError
        When the recording cannot be read.
    samara.phy.radio.RadioError
        When GNU Radio or the radio is not available, or the radio is lost.
    """
    yield Title("", empty="")
    protocol = yield from _protocol(request)
    source = _source(request, protocol)
    tuned = [
        _tuned(protocol, source, each) for each in _channels(request, protocol, source)
    ]
    outputs = [*_outputs(request, protocol, target)]
    yield from _before(request, source, protocol)
    counts = {True: 0, False: 0}

    def received(channel: _Tuned, packet: Packet) -> Iterator[Digest[SniffedPacket]]:
        counts[packet.is_intact] += 1
        if packet.is_intact or request.damaged:
            time_ns = source.start_ns + _after(packet, channel, protocol, source)
            for output in outputs:
                output(packet, channel.number, time_ns)
            yield _shown(packet, channel.number, time_ns)

    failure: RadioLostError | None = None
    try:
        for each in _limited(
            _packets(source, tuned, _ends(request, is_over)), request.count
        ):
            if isinstance(each, Progress):
                yield each
            else:
                yield from received(*each)
    except RadioLostError as error:
        failure = error
    yield Digest([SniffedPackets(counts[True], counts[False], source.dropped)], [])
    yield from _end(counts, source, request, failure)


def _before(
    request: SniffRequest, source: Source, protocol: Protocol
) -> Iterator[Notice]:
    """Yield what a user should know before samples come."""
    if source.remark is not None:
        yield Notice(source.remark)
    if request.radio is not None:
        yield Notice(f"listening for {protocol.name}; press Ctrl-C to stop")


def _end(
    counts: dict[bool, int],
    source: Source,
    request: SniffRequest,
    failure: RadioLostError | None,
) -> Iterator[Notice | Refusal]:
    """Yield what a user should know at the end.

    Raises
    ------
    RadioLostError
        The failure, when there is one.
    """
    hint = "" if failure or any(counts.values()) else _HINT
    yield Notice(_counted(counts, source) + hint)
    if failure is not None:
        raise failure
    if not counts[True] and not (request.damaged and counts[False]):
        yield Refusal()


def _ends(request: SniffRequest, is_over: Callable[[], bool]) -> Callable[[], bool]:
    """Return a function that tells whether the work is over, or its time."""
    if request.timeout is None:
        return is_over
    end_s = time.monotonic() + request.timeout
    return lambda: is_over() or time.monotonic() >= end_s


def _counted(counts: dict[bool, int], source: Source) -> str:
    dropped = f"; {source.dropped} samples came too fast" if source.dropped else ""
    if source.overflows:
        often = "once" if source.overflows == 1 else f"{source.overflows:,} times"
        dropped += (
            f"; the radio lost samples {often}, because they were not read in time "
            "(overflow): lower --rate, or end other programs"
        )
    wrong = f", {counts[False]} with a wrong check sequence" if counts[False] else ""
    packets = "packet" if counts[True] == 1 else "packets"
    return f"{counts[True]} {packets}{wrong}{dropped}"


def _protocol(request: SniffRequest) -> Generator[Notice, None, Protocol]:
    from samara.phy.transceivers.profile import (  # noqa: PLC0415 - NumPy is slow
        profiles,
        read_profile,
    )
    from samara.sniffer.chips import ChipPackets  # noqa: PLC0415 - as above

    if request.profile is not None:
        profile = read_profile(request.profile)
    elif request.key is None:
        return protocol_named(request.protocol)
    elif (found := profiles().get(request.protocol)) is None:
        known = ", ".join(profiles())
        message = f"--key is for packets of chips: expected --protocol {known}"
        raise MisuseError(message)
    else:
        profile = found
    return ChipPackets(profile, (yield from _opener(request, profile)))


def _opener(
    request: SniffRequest, profile: Profile
) -> Generator[Notice, None, Opener | None]:
    from samara.phy.transceivers import encryption  # noqa: PLC0415 - NumPy is slow

    if request.key is None:
        return None
    key = yield from key_of(request.key, suite_of("grain128ple"))
    packets = encryption.EncryptedPackets(profile.format, key)
    return encryption.Opener(packets, request.counter, request.window)


def _source(request: SniffRequest, protocol: Protocol) -> Source:
    from samara.phy.radio import Radio  # noqa: PLC0415 - NumPy is slow
    from samara.phy.recordings import open_recording  # noqa: PLC0415 - as above
    from samara.phy.tuning import Tuning  # noqa: PLC0415
    from samara.sniffer.sources import RadioSource, RecordedSource  # noqa: PLC0415

    if (request.recording is None) == (request.radio is None):
        message = "expected either RECORDING or --radio RADIO"
        raise MisuseError(message)
    if request.recording is not None:
        said = given(
            request.rate,
            request.frequency,
            request.sample_format,
            swaps_iq=request.swap_iq,
        )
        return RecordedSource(open_recording(request.recording, said))
    frequency = request.frequency
    if frequency is None and request.channels:
        frequency = _carrier(protocol, request.channels[0])
    if frequency is None:
        message = "expected --frequency or --channel, which the radio is tuned to"
        raise MisuseError(message)
    rate = request.rate or protocol.sample_rate
    return RadioSource(
        Radio.parse(request.radio or ""), Tuning(rate, frequency, request.gain)
    )


def _carrier(protocol: Protocol, channel: int) -> float:
    if channel not in protocol.channels:
        numbers = [*protocol.channels]
        some = f"{numbers[0]} to {numbers[-1]}" if numbers else "none"
        message = f"{protocol.name} has no channel {channel}: its channels are {some}"
        raise MisuseError(message)
    return protocol.channels[channel]


def _channels(
    request: SniffRequest, protocol: Protocol, source: Source
) -> list[tuple[int | None, float]]:
    """Return numbers of channels, and where each is, seen from the carrier."""
    if not request.channels:
        return [(_at(protocol, source.frequency), 0.0)]
    if source.frequency is None:
        # Without a frequency, the recording is of the channel that is asked for.
        if len(request.channels) == 1:
            _carrier(protocol, request.channels[0])
            return [(request.channels[0], 0.0)]
        message = "several channels need the carrier frequency: give --frequency HZ"
        raise MisuseError(message)
    middle = source.frequency
    return [(each, _carrier(protocol, each) - middle) for each in request.channels]


def _at(protocol: Protocol, frequency: float | None) -> int | None:
    """Return the channel at a carrier frequency, to the megahertz."""
    if frequency is None:
        return None
    for number, carrier in protocol.channels.items():
        if abs(carrier - frequency) < 0.5e6:  # noqa: PLR2004 - half of that
            return number
    return None


def _tuned(
    protocol: Protocol, source: Source, channel: tuple[int | None, float]
) -> _Tuned:
    from samara.phy.receivers.front_end import FrontEnd  # noqa: PLC0415 - SciPy is slow

    number, shift = channel
    front_end = FrontEnd(source.sample_rate, protocol.sample_rate, shift)
    return _Tuned(number, front_end, protocol.receiver())


_Heard: TypeAlias = "tuple[_Tuned, Packet] | Progress"


def _limited(heard: Iterable[_Heard], count: int | None) -> Iterator[_Heard]:
    """Yield what is heard, until that were so many packets."""
    packets = 0
    for each in heard:
        yield each
        packets += not isinstance(each, Progress)
        if packets == count:
            return


def _packets(
    source: Source, tuned: list[_Tuned], ends: Callable[[], bool]
) -> Iterator[_Heard]:
    for piece in source.pieces(ends):
        for each in tuned:
            for packet in each.receiver.feed(each.front_end.feed(piece)):
                yield each, packet
        if source.share is not None:
            yield Progress(source.share, "samples searched")
    for each in tuned:
        for packet in each.receiver.finish():
            yield each, packet


def _after(packet: Packet, channel: _Tuned, protocol: Protocol, source: Source) -> int:
    """Return the nanoseconds from the first sample to a packet."""
    late_s = channel.front_end.delay / source.sample_rate
    return round((packet.sample / protocol.sample_rate - late_s) * _NS_PER_S)


def _outputs(
    request: SniffRequest, protocol: Protocol, target: IO[bytes] | None
) -> Iterator[Callable[[Any, int | None, int], None]]:
    if target is not None:
        from samara.link.ieee802154.captures import pcapng  # noqa: PLC0415 - late

        program, place = f"samara {samara.__version__}", request.radio or "recording"
        writer = pcapng.Writer(target, protocol.link_type, program, place)
        yield lambda packet, channel, time_ns: writer.write(
            protocol.captured(packet, channel), max(time_ns, 0)
        )
    if request.zep is not None:
        from samara.sniffer.zep_sender import ZepSender  # noqa: PLC0415 - late

        yield ZepSender(request.zep, protocol).send


def _shown(packet: Packet, channel: int | None, time_ns: int) -> Digest[SniffedPacket]:
    record = SniffedPacket(
        round(time_ns / _NS_PER_S, 9),
        channel,
        packet.is_intact,
        round(packet.snr_db, 1),
        round(packet.offset_hz),
        packet.content,
    )
    begin = packet.content[:_SHOWN_BYTES].hex(" ")
    rest = " ..." if len(packet.content) > _SHOWN_BYTES else ""
    place = "" if channel is None else f"channel {channel}, "
    wrong = "" if packet.is_intact else "damaged, "
    text = (
        f"{time_ns / _NS_PER_S:.6f} s, {place}{wrong}{packet.snr_db:.0f} dB, "
        f"{len(packet.content)} bytes: {begin}{rest}"
    )
    return Digest([record], [Line(text)])

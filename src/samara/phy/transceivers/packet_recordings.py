# SPDX-License-Identifier: Apache-2.0
"""Messages recorded as packets of a chip that went through a channel."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import numpy as np

from samara.crypto.keys import key_of
from samara.crypto.registry import suite as suite_of
from samara.errors import MisuseError
from samara.phy import recordings
from samara.phy.channel import BURST_AMPLITUDE, Impairments, Noise, noise_power
from samara.phy.channel import Path as AirPath
from samara.phy.parameters import Frequency
from samara.phy.transceivers.encryption import EncryptedPackets
from samara.phy.transceivers.profile import (
    Profile,
    profile_named,
    profiles,
    read_profile,
)
from samara.phy.transceivers.sending import wave
from samara.phy.transceivers.spectrum import spectrum
from samara.phy.written_recording import CarrierOffset, ClockError, WrittenRecording
from samara.records import (
    Answer,
    Between,
    Digest,
    Field,
    Notice,
    Parameter,
    Record,
    Title,
    Written,
    record_class,
    request_class,
)
from samara.records.usual import Seed
from samara.units import DECIBEL

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from samara.phy.channel import Samples
    from samara.phy.transceivers.keying import Bits


@request_class
class PacketsRequest(WrittenRecording):
    """What is sent, by which chip, and what the channel does to it."""

    chip: Annotated[str, Parameter(metavar="NAME", help="Chip.", names=profiles)] = (
        "cc1101"
    )
    profile: Annotated[
        Path | None,
        Parameter(
            metavar="FILE",
            help="Profile of another chip, in place of --chip; docs/sniffer.md "
            "describes it.",
        ),
    ] = None
    key: Annotated[
        str | None,
        Parameter(
            metavar="HEX|@FILE",
            help="Encrypt with Grain-128PLE in place of the whitening, with this key.",
            is_secret=True,
        ),
    ] = None
    counter: Annotated[
        int | None,
        Parameter(
            help="Frame counter of the first packet, with --key.",
            values=Between(0, 2**63),
        ),
    ] = None
    ebn0_db: Annotated[
        float,
        Parameter(name="ebn0", unit=DECIBEL, help="Energy of a bit on the air, Eb/N0."),
    ] = 20.0
    frequency_hz: Frequency = 868.3e6
    offset_hz: CarrierOffset = 0.0
    clock_ppm: ClockError = 0.0
    gap: Annotated[
        int, Parameter(help="Samples between packets.", values=Between(0, 10**6))
    ] = 4000
    seed: Seed = 1


@record_class
class RecordedPackets(Record):
    """Packets of a chip that were recorded."""

    meta: Annotated[Path, Field("The file with the facts.")]
    data: Annotated[Path, Field("The file with the samples.")]
    packets: Annotated[int, Field("Number of packets.")]
    chip: Annotated[str, Field("Name of the profile.")]
    bit_rate: Annotated[float, Field("Bits a second on the air.", unit="bit/s")]
    deviation_hz: Annotated[
        float, Field("Distance of both frequencies from the carrier.", unit="Hz")
    ]
    modulation_index: Annotated[
        float, Field("Distance of both frequencies over the bit rate.")
    ]
    bandwidth_time: Annotated[
        float, Field("Bandwidth of the Gaussian filter times a bit; 0: no filter.")
    ]
    occupied_hz: Annotated[
        float, Field("Width of the band with 99 % of the power.", unit="Hz")
    ]
    encrypted: Annotated[
        bool, Field("Whether Grain-128PLE takes the place of the whitening.")
    ]


def record_packets(request: PacketsRequest) -> Answer[RecordedPackets]:
    """Write a message as a recording of packets, and yield its files.

    Raises
    ------
    MisuseError
        When not one message is given, a key is given without a counter, a packet
        cannot be made, or a file exists.
    """
    yield Title("", empty="")
    content = request.sent()
    profile = _profile(request)
    encryption = yield from _encryption(request, profile)
    packets = [*_packets(content, profile, encryption, request.counter or 0)]
    meta, data = request.new_files()
    samples, starts = _stream(profile, packets, request)
    keying = profile.keying
    counted = "1 packet" if len(packets) == 1 else f"{len(packets)} packets"
    recordings.write_recording(
        request.name,
        samples,
        keying.sample_rate,
        frequency=request.frequency_hz,
        description=f"{counted} of {profile.title}",
        annotations=[
            recordings.Annotation(start, count, f"packet {number}")
            for number, (start, count) in enumerate(starts)
        ],
        facts={"chip": profile.name, "encrypted": encryption is not None},
    )
    record = RecordedPackets(
        meta=meta,
        data=data,
        packets=len(packets),
        chip=profile.name,
        bit_rate=keying.bit_rate,
        deviation_hz=keying.deviation,
        modulation_index=round(keying.index, 6),
        bandwidth_time=keying.bandwidth_time,
        occupied_hz=round(spectrum(profile).occupied_hz, 1),
        encrypted=encryption is not None,
    )
    yield Digest([record], [])
    yield Written((), profile)
    yield Notice(
        f"wrote {meta} and {data}: {counted}, {keying.in_words}, "
        f"99 % of the power in {record.occupied_hz / 1e3:.4g} kHz"
    )


def _profile(request: PacketsRequest) -> Profile:
    if request.profile is not None:
        return read_profile(request.profile)
    return profile_named(request.chip)


def _encryption(
    request: PacketsRequest, profile: Profile
) -> Generator[Notice, None, EncryptedPackets | None]:
    if request.key is None:
        if request.counter is not None:
            wrong = "--counter is only for packets with --key"
            raise MisuseError(wrong)
        return None
    if request.counter is None:
        wrong = "--key needs --counter: the first frame counter not used with this key"
        raise MisuseError(wrong)
    key = yield from key_of(request.key, suite_of("grain128ple"))
    return EncryptedPackets(profile.format, key)


def _packets(
    content: bytes, profile: Profile, encryption: EncryptedPackets | None, first: int
) -> Iterator[Bits]:
    """Yield the bits after the sync word of the packets of a message."""
    most = encryption.most if encryption else profile.format.most
    pieces = [content[at : at + most] for at in range(0, len(content), most)] or [b""]
    for counter, piece in enumerate(pieces, first):
        if encryption is None:
            yield profile.format.build(piece)
        else:
            yield encryption.build(piece, counter)


def _stream(
    profile: Profile, packets: list[Bits], request: PacketsRequest
) -> tuple[Samples, list[tuple[int, int]]]:
    """Return the packets as received, and where each begins and how long it is."""
    silence = np.zeros(request.gap, np.complex64)
    waves = [wave(profile, bits) for bits in packets]
    starts, place = [], 0
    for each in waves:
        place += request.gap
        starts.append((place, len(each)))
        place += len(each)
    pieces = [part for each in waves for part in (silence, each)]
    keying = profile.keying
    impairments = Impairments(
        offset=request.offset_hz / keying.sample_rate, clock_ppm=request.clock_ppm
    )
    sent = np.concatenate([*pieces, silence])
    heard = AirPath(impairments, request.seed).process(sent)
    power = noise_power(request.ebn0_db, 1 / keying.samples, BURST_AMPLITUDE**2)
    samples: Samples = heard + Noise(power, request.seed + 1).draw(len(heard))
    return samples, starts

# SPDX-License-Identifier: Apache-2.0
"""Messages in a recording of bursts, opened with keys, as a request asks."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, TypeAlias

import numpy as np

from samara.crypto.keys import key_of
from samara.crypto.registry import suite as suite_of
from samara.phy.burst_opening import Opener
from samara.phy.frames import sign_changed
from samara.phy.modulation import DEFAULT, MODULATIONS, find
from samara.phy.recorded_bursts import bursts_in, echoes_in_words, whole_number
from samara.phy.recording_parameters import RecordingRequest
from samara.records import (
    Answer,
    Between,
    Digest,
    Field,
    Line,
    Notice,
    Parameter,
    Record,
    Refusal,
    Verbatim,
    record_class,
    request_class,
)
from samara.units import BYTES

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Sequence

    from samara.phy.burst_form import Reception
    from samara.phy.burst_opening import Opened
    from samara.phy.recordings import Recording

_USUAL_PAYLOAD = 60

_Modulation: TypeAlias = Annotated[
    str | None,
    Parameter(
        metavar="NAME",
        help="Modulation.",
        names=lambda: MODULATIONS,
        default_text="as the recording says, or qpsk",
    ),
]


@request_class
class OpenRecordingRequest(RecordingRequest):
    """Which recording is opened, with which keys."""

    keys: Annotated[
        tuple[str, ...],
        Parameter(
            name="key",
            metavar="HEX|@FILE",
            help="Key of a link, or the name of its file (repeatable).",
            repeatable=True,
            is_secret=True,
        ),
    ]
    counter: Annotated[
        int,
        Parameter(help="Lowest frame counter that is tried.", values=Between(0)),
    ] = 0
    window: Annotated[
        int,
        Parameter(
            help="Frame counters that are tried from the next one on.",
            values=Between(1, 10**8),
        ),
    ] = 1 << 16
    link_id: Annotated[
        int, Parameter(help="Link id of the nonce.", values=Between(0, 65535))
    ] = 0
    modulation: _Modulation = None
    payload_size: Annotated[
        int | None,
        Parameter(
            name="payload",
            unit=BYTES,
            help="Payload of a frame.",
            values=Between(1, 1024),
            default_text="as the recording says, or 60",
        ),
    ] = None
    encrypted: Annotated[
        bool | None,
        Parameter(
            name="encrypt",
            help="Decrypt with Grain-128PLE.",
            opposite="no_encrypt",
            default_text="as the recording says, or yes",
        ),
    ] = None


@record_class
class OpenedBurst(Record):
    """A burst of a recording, opened or not."""

    sample: Annotated[int, Field("Its first sample.")]
    time_s: Annotated[float, Field("Time since the beginning.", unit="s")]
    snr_db: Annotated[float, Field("Signal-to-noise ratio.", unit="dB")]
    echo_symbols: Annotated[
        int,
        Field(
            "Symbols by which the latest echo that decision feedback took out was "
            "late; 0: there was no feedback."
        ),
    ]
    key: Annotated[
        int | None, Field("Number of the key that opened it, from 1; `null`: none.")
    ]
    direction: Annotated[int | None, Field("Direction in its nonce, 0 or 1.")]
    counter: Annotated[int | None, Field("Its frame counter.")]
    is_replayed: Annotated[
        bool, Field("Whether the counter is not above that of a burst before it.")
    ]
    hex: Annotated[bytes | None, Field("Payload.")]


@record_class
class OpenedMessage(Record):
    """A message of a recording: payloads of one key and direction, in order."""

    key: Annotated[int, Field("Number of the key, from 1.")]
    direction: Annotated[int, Field("Direction in the nonces, 0 or 1.")]
    frames: Annotated[int, Field("Number of frames.")]
    missing: Annotated[int, Field("Frames between these that were not opened.")]
    hex: Annotated[bytes, Field("The message.")]


@dataclass(frozen=True, slots=True)
class _BurstFormat:
    """What all bursts of a recording have in common."""

    modulation: str
    payload_size: int
    encrypted: bool
    message_size: int | None

    @classmethod
    def of(cls, request: OpenRecordingRequest, recording: Recording) -> _BurstFormat:
        facts = recording.facts
        return cls(
            find(request.modulation or str(facts.get("modulation", DEFAULT))).name,
            request.payload_size
            or whole_number(facts, "payload_size")
            or _USUAL_PAYLOAD,
            bool(
                facts.get("encrypted", True)
                if request.encrypted is None
                else request.encrypted
            ),
            whole_number(facts, "message_size"),
        )


def open_bursts(
    request: OpenRecordingRequest,
) -> Answer[OpenedBurst | OpenedMessage]:
    """Yield the bursts of a recording, and the messages in them.

    Raises
    ------
    MisuseError
        When a key is none, or there is no such modulation.
    samara.phy.recordings.RecordingError
        When the recording cannot be read.
    samara.phy.tuning.RadioError
        When GNU Radio is not installed.
    """
    keys = yield from _keys(request)
    recording = request.opened()
    if remark := recording.remark():
        yield Notice(remark)
    burst_format = _BurstFormat.of(request, recording)
    opener = Opener(
        keys,
        range(request.counter, request.counter + request.window),
        payload_size=burst_format.payload_size,
        link_id=request.link_id,
        encrypted=burst_format.encrypted,
    )
    payloads: dict[tuple[int, int], dict[int, bytes]] = defaultdict(dict)
    bursts = unopened = 0
    for burst in bursts_in(
        recording.blocks(), burst_format.modulation, opener.coded_bits
    ):
        opened = opener.open(sign_changed(np.asarray(burst.soft, np.float32)))
        bursts += 1
        unopened += opened is None
        yield _shown(burst, recording, opened)
        if opened is not None and not opened.is_replayed:
            payloads[opened.key, opened.direction][opened.counter] = opened.payload
    messages = [_message(*of, found, burst_format) for of, found in payloads.items()]
    for message in messages:
        yield Digest([message], [*_texts(message)])
    yield from _remarks(request, bursts, unopened)
    if unopened or not bursts or any(message.missing for message in messages):
        yield Refusal()


def _keys(request: OpenRecordingRequest) -> Generator[Notice, None, list[bytes]]:
    suite = suite_of("grain128ple")
    keys = []
    for text in request.keys:
        key = yield from key_of(text, suite)
        keys.append(key)
    return keys


def _shown(
    burst: Reception,
    recording: Recording,
    opened: Opened | None,
) -> Digest[OpenedBurst]:
    sample = int(burst.sample)
    time_s, snr_db = sample / recording.sample_rate, float(burst.snr_db)
    echoes = f", {echoes_in_words(burst.echo_symbols)}" if burst.echo_symbols else ""
    start = f"burst at {time_s * 1e3:.2f} ms, {snr_db:.1f} dB{echoes}: "
    head = (sample, round(time_s, 9), round(snr_db, 2), burst.echo_symbols)
    if opened is None:
        lines = [Line(start + "no key opens it", aside=True)]
        return Digest([OpenedBurst(*head, None, None, None, False, None)], lines)  # noqa: FBT003 - a field
    text = (
        f"{start}key {opened.key}, direction {opened.direction}, "
        f"frame {opened.counter}{', replayed' if opened.is_replayed else ''}"
    )
    record = OpenedBurst(
        *head,
        opened.key,
        opened.direction,
        opened.counter,
        opened.is_replayed,
        opened.payload,
    )
    return Digest([record], [Line(text, aside=True)])


def _message(
    key: int, direction: int, found: dict[int, bytes], burst_format: _BurstFormat
) -> OpenedMessage:
    """Return the message of payloads by their counters."""
    counters = sorted(found)
    whole = b"".join(found[counter] for counter in counters)
    missing = counters[-1] - counters[0] + 1 - len(counters)
    if burst_format.message_size is not None:
        whole = whole[: burst_format.message_size]
    else:
        whole = whole.rstrip(b"\0")
    return OpenedMessage(key, direction, len(counters), missing, whole)


def _texts(message: OpenedMessage) -> Sequence[Verbatim | Line]:
    """Return a message as text if it is one, and otherwise as hex digits."""
    try:
        text = message.hex.decode("utf-8")
    except UnicodeDecodeError:
        text = ""
    is_text = all(each.isprintable() or each in "\n\t" for each in text)
    lines = [Verbatim(text if text and is_text else message.hex.hex())]
    if not message.missing:
        return lines
    gap = f"{message.missing} frames between these were not opened"
    return [*lines, Line(gap, aside=True)]


def _remarks(
    request: OpenRecordingRequest, bursts: int, unopened: int
) -> Iterator[Notice]:
    if not bursts:
        yield Notice(
            "no burst was found: check --modulation, --payload and the sample rate, "
            f"which must be 4 samples per symbol{_swap_of(request)}"
        )
    if unopened:
        last = request.counter + request.window - 1
        yield Notice(
            f"{unopened} of {bursts} bursts were not opened with frame counters from "
            f"{request.counter} to {last}: they have another key, link id or payload "
            "size, or a later counter; see --counter and "
            f"--window{_swap_of(request)}"
        )


def _swap_of(request: OpenRecordingRequest) -> str:
    what = "leave out --swap-iq" if request.swap_iq else "give --swap-iq"
    return f"; {what} if the spectrum is mirrored"
